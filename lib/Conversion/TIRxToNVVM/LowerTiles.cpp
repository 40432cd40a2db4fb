//===- LowerTiles.cpp - tile ops to instructions --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"
#include "StreamFragments.h"
#include "Sync.h"
#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tirx {
#define GEN_PASS_DEF_LOWERTILES
#include "TIRx/Conversion/TIRxToNVVM/Passes.h.inc"
} // namespace tirx

using namespace mlir;

namespace tirx {

void setModuleTarget(gpu::GPUModuleOp module, const TargetInfo &target) {
  MLIRContext *context = module.getContext();
  context->getOrLoadDialect<NVVM::NVVMDialect>();
  std::string features = "+ptx" + std::to_string(target.ptxVersion);
  auto attribute = NVVM::NVVMTargetAttr::get(
      context, /*optLevel=*/3, "nvptx64-nvidia-cuda", target.chip, features,
      /*flags=*/nullptr, /*linkLibs=*/nullptr, /*verifyTarget=*/false);
  module.setTargetsAttr(ArrayAttr::get(context, {attribute}));
}

/// The target that the kernel's module names; an error when it names none, or
/// one that TIRx does not know.
static const TargetInfo *targetOf(gpu::GPUFuncOp kernel) {
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  ArrayAttr targets = module ? module.getTargetsAttr() : ArrayAttr();
  auto attribute = targets && targets.size() == 1
                       ? dyn_cast<NVVM::NVVMTargetAttr>(targets[0])
                       : NVVM::NVVMTargetAttr();
  if (!attribute) {
    kernel.emitError(
        "expected one #nvvm.target on the gpu.module, such as "
        "[#nvvm.target<chip = \"sm_100a\", verifyTarget = false>]");
    return nullptr;
  }
  llvm::Expected<const TargetInfo *> target = lookupTarget(attribute.getChip());
  if (!target) {
    kernel.emitError(llvm::toString(target.takeError()));
    return nullptr;
  }
  return *target;
}

namespace {
class LowerTilesPass : public impl::LowerTilesBase<LowerTilesPass> {
public:
  LowerTilesPass() = default;
  explicit LowerTilesPass(const LowerTilesOptions &options)
      : LowerTilesBase(options) {}
  LowerTilesPass(std::shared_ptr<const DispatchRegistry> variants,
                 const LowerTilesOptions &options)
      : LowerTilesBase(options), variants(std::move(variants)) {}
  LowerTilesPass(const LowerTilesPass &other)
      : LowerTilesBase(other), variants(other.variants) {}

  LogicalResult initialize(MLIRContext *) override {
    if (!variants) {
      auto builtin = std::make_shared<DispatchRegistry>();
      registerBuiltinVariants(*builtin);
      variants = std::move(builtin);
    }
    return success();
  }

  void runOnOperation() override {
    SmallVector<gpu::GPUFuncOp> kernels;
    getOperation()->walk([&](gpu::GPUFuncOp function) {
      if (function.isKernel())
        kernels.push_back(function);
    });
    for (gpu::GPUFuncOp kernel : kernels)
      if (failed(lowerKernel(kernel)))
        signalPassFailure();
  }

private:
  LogicalResult lowerKernel(gpu::GPUFuncOp kernel);
  LogicalResult lowerTile(TileOpInterface op, const DispatchContext &context,
                          SyncLowering &sync);

  std::shared_ptr<const DispatchRegistry> variants;
};
} // namespace

/// Ops that this pass expands, in program order.
static SmallVector<Operation *> collectOps(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_present<TIRxDialect>(op->getDialect()))
      ops.push_back(op);
  });
  return ops;
}

LogicalResult LowerTilesPass::lowerKernel(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> ops = collectOps(kernel);
  if (ops.empty())
    return success();
  const TargetInfo *target = targetOf(kernel);
  if (!target)
    return failure();
  auto blockSize = kernel.getKnownBlockSize();
  // Single instructions do not depend on the size of the block.
  if (!blockSize && kernel->hasAttr(TIRxDialect::kExplicitSyncAttr) &&
      llvm::all_of(ops, llvm::IsaPred<PtxOp>))
    return success();
  if (!blockSize)
    return kernel.emitError(
        "expected known_block_size on a kernel that uses tirx ops");
  DispatchContext context{*target,
                          {(*blockSize)[0], (*blockSize)[1], (*blockSize)[2]}};
  KernelFacts facts = KernelFacts::of(kernel);
  if (streamFragments(kernel))
    ops = collectOps(kernel);

  SyncLowering sync(facts);
  LogicalResult result = success();
  for (Operation *op : ops) {
    if (auto tile = dyn_cast<TileOpInterface>(op)) {
      if (failed(lowerTile(tile, context, sync)))
        result = failure();
      continue;
    }
    sync.lower(op);
  }
  numFences += sync.getNumFences();
  return result;
}

LogicalResult LowerTilesPass::lowerTile(TileOpInterface op,
                                        const DispatchContext &context,
                                        SyncLowering &sync) {
  auto choice = chooseVariant(op, context, *variants, remarks);
  if (failed(choice))
    return failure();
  if (isSharedCopy(op))
    sync.fenceSharedWrites(op);
  OpBuilder builder(op);
  std::string expansion = choice->variant->lower(op, context, builder);
  if (remarks)
    reportChoice(op, *choice, expansion);
  ++numTileOps;
  op->erase();
  return success();
}

std::unique_ptr<Pass>
createLowerTiles(std::shared_ptr<const DispatchRegistry> variants,
                 LowerTilesOptions options) {
  return std::make_unique<LowerTilesPass>(std::move(variants), options);
}

} // namespace tirx
