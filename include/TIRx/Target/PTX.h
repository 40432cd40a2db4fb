//===- PTX.h - MLIR module to LLVM IR to PTX --------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back half of the compiler: a GPU module in the LLVM and NVVM dialects
// goes through LLVM's optimiser and NVPTX back end. Nothing here knows the tirx
// dialect, and nothing needs CUDA.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TARGET_PTX_H
#define TIRX_TARGET_PTX_H

#include "TIRx/Target/TargetInfo.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm
namespace mlir {
class Operation;
} // namespace mlir

namespace tirx {

/// Registers the translations to LLVM IR that `translateToLLVM` needs with the
/// context of `module`.
void registerLLVMTranslations(mlir::Operation *module);

/// The NVPTX target machine for `target`, at the aggressive code generation
/// level: at level "none" wgmma serialises.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetInfo &target);

/// Translates a GPU module (LLVM and NVVM dialects only) to LLVM IR for
/// `machine`. Inline assembly becomes convergent, so that no pass duplicates or
/// moves a warp-collective instruction across control flow, unless it has no
/// effects and the instruction table knows all of it as work of one lane.
/// Errors of the translation itself are MLIR diagnostics.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::Operation *module, llvm::LLVMContext &context,
                llvm::TargetMachine &machine);

/// Runs LLVM's O3 pipeline with the target's cost model.
void optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine);

/// PTX text of an LLVM module.
llvm::Expected<std::string> emitPTX(llvm::Module &module,
                                    llvm::TargetMachine &machine);

} // namespace tirx

#endif // TIRX_TARGET_PTX_H
