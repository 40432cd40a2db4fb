//===- View.h - a kernel at every level on one page -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page shows source, tile IR, instruction IR, PTX and SASS side by side. A
// line knows the lines of the source that it comes from, by the locations of
// MLIR, `.loc` of PTX and the line table of the cubin; a click on a line marks
// all lines of all levels that share one of them.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_VIEW_VIEW_H
#define TIRX_VIEW_VIEW_H

#include "TIRx/Compiler/Compiler.h"

namespace tirx {

/// Compiles the module in place and returns the page, one self-contained HTML
/// file. `options` says target and ptxas; the levels are the page's own. SASS
/// is there when both ptxas and nvdisasm are found. Failure means that errors
/// were emitted.
mlir::FailureOr<std::string>
renderView(mlir::ModuleOp module, llvm::SourceMgr &sources,
           CompileOptions options, llvm::StringRef title, Stopwatch &watch);

} // namespace tirx

#endif // TIRX_VIEW_VIEW_H
