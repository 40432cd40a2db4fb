//===- RegisteredEmission.h - text of the user's instructions ---*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_REGISTEREDEMISSION_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_REGISTEREDEMISSION_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

namespace tirx {

/// Emits the text of `instruction` at `op`, which calls it, as inline assembly
/// and replaces the results of `op`.
mlir::LogicalResult emitRegistered(PtxOp op, InstructionOp instruction);

/// `text` with what `replace` gives in place of each `{name}`.
std::string
substituteOperands(llvm::StringRef text,
                   llvm::function_ref<std::string(llvm::StringRef)> replace);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_REGISTEREDEMISSION_H
