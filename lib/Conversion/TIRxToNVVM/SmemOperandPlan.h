//===- SmemOperandPlan.h - matrix operands in shared memory -----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_SMEMOPERANDPLAN_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_SMEMOPERANDPLAN_H

#include "BufferRef.h"
#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "TIRx/Layout/Descriptors.h"

namespace tirx {

/// A power of two that divides the address of a root for certain, up to 1024.
int64_t getRootAlignment(const BufferRef &ref);

/// The descriptor of `type`, a static slice of `operand` or all of it, for
/// wgmma or tcgen05. A view with dynamic offsets starts where the layout does
/// not say, so only offsets that keep the swizzle's pattern fit. `name` is that
/// of the operand in `reasons`.
mlir::FailureOr<SmemDescriptor>
planSmemOperand(mlir::Value operand, BufferType type, llvm::StringRef name,
                unsigned kDim, bool wgmma, Reasons &reasons);

/// The same for each `block` rows of an operand, rows being counted along the
/// dimension that is not K; the descriptor of the first.
mlir::FailureOr<SmemDescriptor>
planSmemOperandParts(mlir::Value operand, llvm::StringRef name, unsigned kDim,
                     int64_t block, bool wgmma, Reasons &reasons);

/// Views of each `block` rows of an operand.
llvm::SmallVector<mlir::Value> getOperandParts(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               mlir::Value operand,
                                               unsigned kDim, int64_t block);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_SMEMOPERANDPLAN_H
