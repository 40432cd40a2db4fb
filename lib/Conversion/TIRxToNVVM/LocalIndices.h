//===- LocalIndices.h - static indices into registers -----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_LOCALINDICES_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_LOCALINDICES_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace tirx {

/// The constant that `value` comes to, through arithmetic on constants.
std::optional<int64_t> evaluateConstant(mlir::Value value);

/// Unrolls loops with constant bounds whose counter is an index into a local
/// buffer, so that the index becomes a constant: registers have no addresses.
/// Fails with an error at a loop that is too long to unroll.
llvm::LogicalResult unrollLocalAccesses(mlir::Operation *kernel);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_LOCALINDICES_H
