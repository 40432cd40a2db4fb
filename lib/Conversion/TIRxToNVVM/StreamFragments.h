//===- StreamFragments.h - large register tiles in parts --------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_STREAMFRAGMENTS_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_STREAMFRAGMENTS_H

#include "mlir/IR/Operation.h"

namespace tirx {

/// A thread has at most 255 registers, so an accumulator of 256 columns cannot
/// be in them as a whole. Where a tile copied from tensor memory is only
/// converted and stored, the chain copy_async, wait, cast, copy is cut along
/// the columns into parts that run one after the other, each in few registers:
///
///   copy_async %regs, %acc; wait; cast %half, %mine; copy %row, %half
///
/// Moving the load down to the last store of the chain is allowed because
/// nothing in between orders memory. Returns whether anything changed.
bool streamFragments(mlir::Operation *kernel);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_STREAMFRAGMENTS_H
