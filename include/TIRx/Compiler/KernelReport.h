//===- KernelReport.h - what a user wants to know of a kernel ---*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_COMPILER_KERNELREPORT_H
#define TIRX_COMPILER_KERNELREPORT_H

#include "TIRx/Target/Ptxas.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

namespace tirx {

/// A buffer in the shared-memory pool.
struct SharedBufferUse {
  std::string name;
  int64_t offset, bytes;
};

/// Facts of one kernel, gathered while it passes through the levels.
struct KernelRecord {
  std::string name;
  /// The launch side: parameters, block, cluster, shared bytes (K.meta.json).
  llvm::json::Object metadata;
  int64_t sharedBytes = 0;
  int64_t tmemColumns = 0;
  std::vector<SharedBufferUse> buffers;
};

/// Tensor-memory columns that the kernel allocates, at tile level.
int64_t countTmemColumns(mlir::gpu::GPUFuncOp kernel);

/// Everything else, once shared memory has been placed. `sources` gives buffers
/// the names that the author wrote.
KernelRecord recordKernel(mlir::gpu::GPUFuncOp kernel, llvm::StringRef target,
                          llvm::SourceMgr &sources);

/// K.meta.json: the only kernel's facts, or `kernels` with one object each.
llvm::json::Value metadataOf(llvm::ArrayRef<KernelRecord> kernels);

/// The text of --report. `resources` null: ptxas was not found.
void printReport(llvm::raw_ostream &stream,
                 llvm::ArrayRef<KernelRecord> kernels,
                 const PtxasResult *resources);

} // namespace tirx

#endif // TIRX_COMPILER_KERNELREPORT_H
