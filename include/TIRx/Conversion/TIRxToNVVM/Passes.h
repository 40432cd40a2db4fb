//===- Passes.h - conversion passes and their pipeline ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_CONVERSION_TIRXTONVVM_PASSES_H
#define TIRX_CONVERSION_TIRXTONVVM_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir {
class OpPassManager;
namespace gpu {
class GPUModuleOp;
} // namespace gpu
} // namespace mlir

namespace tirx {
class DispatchRegistry;
struct TargetInfo;

#define GEN_PASS_DECL
#include "TIRx/Conversion/TIRxToNVVM/Passes.h.inc"

/// `tirx-lower-tiles` with an embedder's own variants.
std::unique_ptr<::mlir::Pass>
createLowerTiles(std::shared_ptr<const DispatchRegistry> variants,
                 LowerTilesOptions options = {});

/// The `#nvvm.target` of the module becomes `target`, unverified: upstream
/// refuses chips that TIRx has.
void setModuleTarget(::mlir::gpu::GPUModuleOp module, const TargetInfo &target);

/// What runs on the author's input: `tirx-check`.
void buildCheckPipeline(::mlir::OpPassManager &manager);

/// L1 to L2: check, place shared memory, expand tile ops. `variants` null: the
/// built-in ones.
void buildLowerTilesPipeline(
    ::mlir::OpPassManager &manager,
    std::shared_ptr<const DispatchRegistry> variants = nullptr,
    LowerTilesOptions options = {});

/// L2 to L3: the tirx dialect is gone, arith and scf remain.
void buildConvertToNVVMPipeline(::mlir::OpPassManager &manager);

/// L3 to what LLVM's translation takes: upstream's conversions of everything
/// that may stand beside tirx ops. With `root`, the op that the pipeline will
/// run on, conversions of dialects that it does not use are left out: each
/// costs a millisecond or so.
void buildFinishPipeline(::mlir::OpPassManager &manager,
                         ::mlir::Operation *root = nullptr);

/// All three, as `tirx-to-nvvm` is registered.
void buildTIRxToNVVMPipeline(::mlir::OpPassManager &manager);

/// Registers the passes and the pipeline `tirx-to-nvvm`.
void registerTIRxToNVVMPasses();

} // namespace tirx

#endif // TIRX_CONVERSION_TIRXTONVVM_PASSES_H
