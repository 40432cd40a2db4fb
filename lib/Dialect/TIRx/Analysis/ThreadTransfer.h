//===- ThreadTransfer.h - what an op computes, for each thread --*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef LIB_DIALECT_TIRX_ANALYSIS_THREADTRANSFER_H
#define LIB_DIALECT_TIRX_ANALYSIS_THREADTRANSFER_H

#include "TIRx/Dialect/TIRx/Analysis/ActiveThreads.h"

namespace tirx::transfer {

/// The values of the results of an op without regions, from those of its
/// operands, executed by `active`.
void evaluate(mlir::Operation *op, BlockShape shape,
              const ActiveThreads &active,
              llvm::function_ref<ThreadValue(mlir::Value)> valueOf,
              llvm::function_ref<void(mlir::Value, ThreadValue)> set);

} // namespace tirx::transfer

#endif // LIB_DIALECT_TIRX_ANALYSIS_THREADTRANSFER_H
