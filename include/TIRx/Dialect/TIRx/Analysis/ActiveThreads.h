//===- ActiveThreads.h - which threads of a block reach an op ---*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards of a kernel are evaluated for all threads of a block (at most 1024),
// so that `else` branches, `or` conditions, remainders and shifts all count.
// What cannot be known at compile time (kernel arguments, loop counters,
// memory) is followed by how finely it may differ between threads.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_ANALYSIS_ACTIVETHREADS_H
#define TIRX_DIALECT_TIRX_ANALYSIS_ACTIVETHREADS_H

#include "TIRx/Dialect/TIRx/Analysis/ThreadValue.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::gpu {
class GPUFuncOp;
} // namespace mlir::gpu

namespace tirx {

/// The threads of a block that reach a place in a kernel.
struct ActiveThreads {
  /// Those that may reach it.
  llvm::BitVector threads;
  /// Inside groups of this granularity, either all of `threads` reach it or
  /// none: Grid when it is certain.
  Granularity uncertainty = Granularity::Grid;
  /// What narrowed the set or made it uncertain, and the set before; null at
  /// the entry of the kernel.
  mlir::Operation *guard = nullptr;
  std::shared_ptr<const ActiveThreads> outer;
};

/// The shape of a block, from `known_block_size`.
struct BlockShape {
  unsigned x = 1, y = 1, z = 1;
  unsigned size() const { return x * y * z; }
};

/// The result of the analysis for one kernel.
class ActiveThreadAnalysis {
public:
  /// Analyses `kernel`, whose blocks have `shape` threads (1 to 1024 in all).
  ActiveThreadAnalysis(mlir::gpu::GPUFuncOp kernel, BlockShape shape);

  /// The threads that reach `op`, which lies inside the kernel.
  const ActiveThreads &at(mlir::Operation *op) const;

  /// What is known of an integer at its definition; empty where no thread
  /// reaches it.
  ThreadValue valueOf(mlir::Value value) const { return values.lookup(value); }

  BlockShape getShape() const { return shape; }

private:
  using Active = std::shared_ptr<const ActiveThreads>;
  friend class ActiveThreadWalker;

  BlockShape shape;
  llvm::DenseMap<mlir::Block *, Active> active;
  llvm::DenseMap<mlir::Value, ThreadValue> values;
};

/// "threads 0 to 31 (warp 0)", "lane 0 of each of warps 0 to 3", "thread 0":
/// what a message says of a set.
std::string describeThreads(const llvm::BitVector &threads);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_ANALYSIS_ACTIVETHREADS_H
