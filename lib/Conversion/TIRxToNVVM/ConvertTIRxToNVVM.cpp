//===- ConvertTIRxToNVVM.cpp - L2 to L3 -----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelConversion.h"
#include "LocalIndices.h"
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "TieTmemLoads.h"
#include "TieWgmma.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tirx {
#define GEN_PASS_DEF_CONVERTTIRXTONVVM
#include "TIRx/Conversion/TIRxToNVVM/Passes.h.inc"
} // namespace tirx

using namespace mlir;

namespace tirx {

/// The symbol of dynamic shared memory: external, so that its size is the
/// launch's, and aligned for the widest swizzle.
static void declareSharedPool(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(kSharedPoolSymbol))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  LLVM::GlobalOp::create(builder, module.getLoc(), bytes, /*isConstant=*/false,
                         LLVM::Linkage::External, kSharedPoolSymbol,
                         Attribute(), /*alignment=*/1024, /*addrSpace=*/3);
}

static bool hasTirxOps(Operation *op) {
  WalkResult found = op->walk([](Operation *inner) {
    return isa_and_present<TIRxDialect>(inner->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Single instructions do not depend on the size of the block.
static bool needsBlockSize(Operation *op) {
  WalkResult found = op->walk([](Operation *inner) {
    return isa_and_present<TIRxDialect>(inner->getDialect()) &&
                   !isa<PtxOp>(inner)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// A function of the llvm dialect may have instructions, and no other op of
/// ours.
static LogicalResult convertFunction(LLVM::LLVMFuncOp function) {
  SmallVector<PtxOp> ops;
  function.walk([&](PtxOp op) { ops.push_back(op); });
  for (PtxOp op : ops) {
    if (failed(emitPtx(op)))
      return failure();
    op.erase();
  }
  return success();
}

static LogicalResult convertKernel(gpu::GPUFuncOp kernel) {
  auto blockSize = kernel.getKnownBlockSize();
  if (needsBlockSize(kernel) && !blockSize)
    return kernel.emitError(
        "expected known_block_size on a kernel that uses tirx ops");
  SmallVector<int32_t> size(blockSize ? *blockSize
                                      : ArrayRef<int32_t>({1, 1, 1}));
  if (failed(unrollLocalAccesses(kernel)))
    return failure();
  tieTmemLoads(kernel);
  tieWgmmaAccumulators(kernel);
  bool usesPool =
      kernel->walk([](SmemPoolOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (usesPool)
    declareSharedPool(kernel->getParentOfType<gpu::GPUModuleOp>());
  auto function = convertSignature(kernel);
  if (failed(function))
    return failure();
  // Ids go before the first op of the body, which stays until the end.
  ThreadIds ids(&function->getBody().front().front(), size);
  return KernelConversion(*function, ids).run();
}

namespace {
class ConvertTIRxToNVVMPass
    : public impl::ConvertTIRxToNVVMBase<ConvertTIRxToNVVMPass> {
public:
  void runOnOperation() override {
    // Before the kernels, which become such functions too.
    WalkResult walked = getOperation()->walk([](LLVM::LLVMFuncOp function) {
      return failed(convertFunction(function)) ? WalkResult::interrupt()
                                               : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    SmallVector<gpu::GPUFuncOp> functions;
    getOperation()->walk(
        [&](gpu::GPUFuncOp function) { functions.push_back(function); });
    for (gpu::GPUFuncOp function : functions) {
      if (!function.isKernel()) {
        if (!hasTirxOps(function))
          continue;
        function.emitError("expected tirx ops in kernels only: inline the "
                           "function into its kernel");
        return signalPassFailure();
      }
      if (failed(convertKernel(function)))
        return signalPassFailure();
    }
    // Their text is in the kernels now; see InstructionModels.h for the bodies.
    getOperation()->walk([](InstructionOp op) { op.erase(); });
  }
};
} // namespace

} // namespace tirx
