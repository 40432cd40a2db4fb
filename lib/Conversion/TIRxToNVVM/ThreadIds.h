//===- ThreadIds.h - ids of the executing thread ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_THREADIDS_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_THREADIDS_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace tirx {

/// Reads special registers for `tirx.id`, each once, at the entry of the
/// kernel: there all lanes are together, which the broadcast of the warp id
/// needs, however deep in divergent code the id is used.
class ThreadIds {
public:
  /// `anchor`: an op of the kernel's entry block that stays; ids go before it.
  /// `blockSize`: threads in x, y and z.
  ThreadIds(mlir::Operation *anchor, llvm::ArrayRef<int32_t> blockSize)
      : builder(anchor), blockSize(blockSize) {}

  /// The id as an i32.
  mlir::Value get(IdKind kind, mlir::Location loc);

private:
  mlir::Value compute(IdKind kind, mlir::Location loc);
  /// The number of the thread in its block, x fastest.
  mlir::Value linearThread(mlir::Location loc);
  int64_t numThreads() const {
    return int64_t(blockSize[0]) * blockSize[1] * blockSize[2];
  }

  mlir::OpBuilder builder;
  llvm::SmallVector<int32_t, 3> blockSize;
  llvm::DenseMap<IdKind, mlir::Value> cache;
};

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_THREADIDS_H
