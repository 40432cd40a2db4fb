//===- Checks.h - checks of a kernel's structure ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `tirx-check` runs on each kernel. A check reports all it finds at the
// ops at fault and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_ANALYSIS_CHECKS_H
#define TIRX_DIALECT_TIRX_ANALYSIS_CHECKS_H

#include "TIRx/Dialect/TIRx/Analysis/ActiveThreads.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tirx {

/// The shape of a kernel's blocks. Emits an error when `known_block_size` is
/// absent or not 1 to 1024 threads (PTX ISA, .maxntid).
mlir::FailureOr<BlockShape> getBlockShape(mlir::gpu::GPUFuncOp kernel);

/// Whether `op` holds an op that a group of threads executes together.
bool hasScopedOps(mlir::Operation *op);

/// Every scoped op is reached by whole groups of its scope, or by exactly one
/// where it is issued once. `checked` counts the ops.
mlir::LogicalResult checkScopes(mlir::gpu::GPUFuncOp kernel,
                                const ActiveThreadAnalysis &threads,
                                unsigned &checked);

/// smem_pool_c1.
mlir::LogicalResult checkPool(mlir::gpu::GPUFuncOp kernel);

/// tmem_alloc_c4, tmem_alloc_c5, tmem_dealloc_c4, tmem_buffer_c2,
/// tmem_buffer_c3, and layouts of aliases (R43).
mlir::LogicalResult checkTensorMemory(mlir::gpu::GPUFuncOp kernel);

/// A register tile is read under the layout under which it was written (R43).
mlir::LogicalResult checkLayouts(mlir::gpu::GPUFuncOp kernel);

/// ptx_c3: `target` is a chip such as "sm_100a".
mlir::LogicalResult checkTarget(mlir::gpu::GPUFuncOp kernel,
                                llvm::StringRef target);

/// The fences that the author of a kernel with `tirx.explicit_sync` must place
/// (R1, R6, R15).
mlir::LogicalResult checkFences(mlir::gpu::GPUFuncOp kernel);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_ANALYSIS_CHECKS_H
