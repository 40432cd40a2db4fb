//===- ImportPTX.h - PTX text to tirx.ptx ops -------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_CONVERSION_PTXTOTIRX_IMPORTPTX_H
#define TIRX_CONVERSION_PTXTOTIRX_IMPORTPTX_H

#include "TIRx/PTX/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tirx {

/// The dialects that importPTX makes ops of.
void registerImportDialects(mlir::DialectRegistry &registry);

/// Makes of every kernel of a PTX module a gpu.func, and of every other
/// function an llvm.func, in one gpu.module with the text's target.
/// Instructions are `tirx.ptx` ops, registers are values, branches are those of
/// cf; variables are LLVM globals. What moves values only (mov, the .param
/// space, returns) has no op of its own. Locations are those of .loc, else
/// those of the text.
///
/// Returns null, after a report with line and column, if the text is wrong or
/// has something that has no form here yet; `diagnostics` says what. What is no
/// part of a kernel's meaning (pragmas, sections of debuggers, how an entry is
/// linked) is left out with a warning there.
///
/// `context` must have the dialects of registerImportDialects loaded.
mlir::OwningOpRef<mlir::ModuleOp> importPTX(llvm::StringRef text,
                                            llvm::StringRef fileName,
                                            mlir::MLIRContext &context,
                                            ptx::Diagnostics &diagnostics);

} // namespace tirx

#endif // TIRX_CONVERSION_PTXTOTIRX_IMPORTPTX_H
