//===- Check.cpp - the pass tirx-check ------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/Analysis/Checks.h"
#include "TIRx/Dialect/TIRx/Analysis/Target.h"
#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Dialect/TIRx/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tirx {
#define GEN_PASS_DEF_TIRXCHECK
#include "TIRx/Dialect/TIRx/Transforms/Passes.h.inc"
} // namespace tirx

using namespace mlir;
using namespace tirx;

namespace {
struct CheckPass : tirx::impl::TIRxCheckBase<CheckPass> {
  using TIRxCheckBase::TIRxCheckBase;

  void runOnOperation() override {
    bool failedAny = false;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](FunctionOpInterface function) {
          auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation());
          if (kernel && kernel.isKernel())
            failedAny |= failed(check(kernel));
          else if (!function.isExternal() && hasScopedOps(function))
            function->emitWarning(
                "not a gpu.func kernel: scopes of the ops inside "
                "are not checked, inline it into its kernels");
          return WalkResult::skip();
        });
    if (failedAny)
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  LogicalResult check(gpu::GPUFuncOp kernel);
};
} // namespace

/// A kernel of another compiler may leave the size of the block to the launch:
/// which threads reach an op is not known then. Single instructions are right
/// for any size.
static bool leavesBlockToLaunch(gpu::GPUFuncOp kernel) {
  if (kernel.getKnownBlockSize() ||
      !kernel->hasAttr(TIRxDialect::kExplicitSyncAttr))
    return false;
  WalkResult others = kernel->walk([](Operation *op) {
    return isa_and_present<TIRxDialect>(op->getDialect()) && !isa<PtxOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !others.wasInterrupted();
}

LogicalResult CheckPass::check(gpu::GPUFuncOp kernel) {
  LogicalResult result = success();
  auto run = [&](LogicalResult step) {
    if (failed(step))
      result = failure();
  };
  if (hasScopedOps(kernel) && !leavesBlockToLaunch(kernel)) {
    FailureOr<BlockShape> shape = getBlockShape(kernel);
    if (failed(shape))
      return failure();
    unsigned checked = 0;
    run(checkScopes(kernel, ActiveThreadAnalysis(kernel, *shape), checked));
    numScopedOps += checked;
  }
  run(checkPool(kernel));
  run(checkTensorMemory(kernel));
  run(checkLayouts(kernel));
  llvm::StringRef chip = getTargetChip(kernel);
  if (chip.empty())
    chip = target;
  if (!chip.empty())
    run(checkTarget(kernel, chip));
  if (kernel->hasAttr(TIRxDialect::kExplicitSyncAttr))
    run(checkFences(kernel));
  return result;
}
