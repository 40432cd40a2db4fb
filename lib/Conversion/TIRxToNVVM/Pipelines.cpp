//===- Pipelines.cpp - the order of the passes ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "TIRx/Dialect/TIRx/Transforms/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tirx {

void buildCheckPipeline(OpPassManager &manager) {
  manager.addPass(createTIRxCheck());
}

void buildLowerTilesPipeline(OpPassManager &manager,
                             std::shared_ptr<const DispatchRegistry> variants,
                             LowerTilesOptions options) {
  buildCheckPipeline(manager);
  manager.addPass(createTIRxAllocateShared());
  manager.addPass(createLowerTiles(std::move(variants), options));
  // What an author reads at this level has each constant and id once.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void buildConvertToNVVMPipeline(OpPassManager &manager) {
  manager.addPass(createConvertTIRxToNVVM());
}

/// Namespaces of the dialects whose ops stand in GPU modules under `op`.
static llvm::StringSet<> usedDialects(Operation *op) {
  llvm::StringSet<> used;
  op->walk([&](Operation *inner) {
    if (!isa<ModuleOp, gpu::GPUModuleOp>(inner))
      used.insert(inner->getName().getDialectNamespace());
  });
  return used;
}

void buildFinishPipeline(OpPassManager &manager, Operation *root) {
  llvm::StringSet<> used;
  if (root)
    used = usedDialects(root);
  auto needs = [&](std::initializer_list<StringRef> dialects) {
    return !root || llvm::any_of(dialects, [&](StringRef dialect) {
      return used.contains(dialect);
    });
  };
  if (needs({"nvgpu"}))
    manager.addPass(createConvertNVGPUToNVVMPass());
  manager.addPass(createSCFToControlFlowPass());
  if (needs({"gpu", "math", "nvgpu"}))
    manager.nest<gpu::GPUModuleOp>().addPass(createConvertGpuOpsToNVVMOps());
  if (needs({"vector", "nvgpu"}))
    manager.addPass(createConvertVectorToLLVMPass());
  if (needs({"memref", "gpu", "nvgpu", "vector"}))
    manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  if (needs({"index"}))
    manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertNVVMToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  // .loc lines without DWARF sections.
  LLVM::DIScopeForLLVMFuncOpPassOptions lines;
  lines.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass(lines));
}

void buildTIRxToNVVMPipeline(OpPassManager &manager) {
  buildLowerTilesPipeline(manager);
  buildConvertToNVVMPipeline(manager);
  buildFinishPipeline(manager);
}

#define GEN_PASS_REGISTRATION
#include "TIRx/Conversion/TIRxToNVVM/Passes.h.inc"

void registerTIRxToNVVMPasses() {
  registerTIRxToNVVMConversionPasses();
  PassPipelineRegistration<>(
      "tirx-to-nvvm",
      "compile tirx kernels to the llvm and nvvm dialects, ready for "
      "translation to LLVM IR",
      buildTIRxToNVVMPipeline);
}

} // namespace tirx
