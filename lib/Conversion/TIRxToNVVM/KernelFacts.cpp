//===- KernelFacts.cpp - what a kernel uses, for its fences ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

using namespace mlir;

namespace tirx {

static bool touchesTensorMemory(Operation *op) {
  if (isa<TmemAllocOp, TmemDeallocOp, TmemBufferOp, CommitOp>(op))
    return true;
  if (auto gemm = dyn_cast<GemmAsyncOp>(op))
    return gemm.getD().getType().isTmem();
  auto ptx = dyn_cast<PtxOp>(op);
  return ptx && ptx.getInstruction().starts_with("tcgen05.");
}

/// Instructions that read shared memory through the async proxy.
static bool readsThroughAsyncProxy(Operation *op) {
  if (isa<GemmAsyncOp>(op))
    return true;
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return copy.getSrc().getType().isShared();
  auto ptx = dyn_cast<PtxOp>(op);
  if (!ptx)
    return false;
  for (StringRef prefix : {"tcgen05.mma", "tcgen05.cp", "wgmma.mma_async",
                           "cp.async.bulk", "cp.reduce.async.bulk"})
    if (ptx.getInstruction().starts_with(prefix))
      return true;
  return false;
}

KernelFacts KernelFacts::of(gpu::GPUFuncOp kernel) {
  KernelFacts facts;
  facts.explicitSync = kernel->hasAttr(TIRxDialect::kExplicitSyncAttr);
  kernel.walk([&](Operation *op) {
    facts.usesTensorMemory |= touchesTensorMemory(op);
    facts.hasAsyncReaders |= readsThroughAsyncProxy(op);
  });
  return facts;
}

} // namespace tirx
