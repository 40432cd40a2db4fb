//===- PTX.cpp - MLIR module to LLVM IR to PTX ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Target/PTX.h"
#include "TIRx/PTX/AsmText.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tirx {

void registerLLVMTranslations(mlir::Operation *module) {
  mlir::MLIRContext &context = *module->getContext();
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
  mlir::registerNVVMDialectTranslation(context);
  mlir::registerGPUDialectTranslation(context);
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetInfo &target) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return llvm::createStringError("no NVPTX back end: " + error);
  std::string features = "+ptx" + std::to_string(target.ptxVersion);
  std::unique_ptr<llvm::TargetMachine> machine(
      backend->createTargetMachine(triple, target.chip, features, {}, {}, {},
                                   llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError("the NVPTX back end refuses " + target.chip);
  return machine;
}

/// Whether no instruction of the text needs other lanes, by the table.
static bool isKnownPerLane(llvm::StringRef text) {
  ptx::AsmStatements statements = ptx::readAsmStatements(text);
  return statements.isComplete &&
         llvm::none_of(statements.known, [](const ptx::ResolvedInstruction &i) {
           return i.form().flags & (ptx::Convergent | ptx::Control);
         });
}

/// Assembly that has no effects may be merged, moved and dropped, as LLVM must
/// be told by attributes; and where it is known to be work of one lane alone,
/// also across branches. All other is convergent.
static void markInlineAsm(llvm::CallBase &call) {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  bool isPure = !assembly->hasSideEffects() &&
                !assembly->getConstraintString().contains("~{memory}");
  if (isPure) {
    call.setDoesNotAccessMemory();
    call.setDoesNotThrow();
    call.addFnAttr(llvm::Attribute::WillReturn);
  }
  if (!isPure || !isKnownPerLane(assembly->getAsmString()))
    call.setConvergent();
}

static void markInlineAsm(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (call->isInlineAsm())
          markInlineAsm(*call);
}

/// PTX is complete in itself: a call of a function that is only declared, such
/// as one of libdevice (`__nv_expf`), would fail when the kernel is loaded.
/// What is imported says of its declarations that they are for the linker.
static llvm::Error checkDefined(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() &&
        !function.hasFnAttribute("tirx-defined-elsewhere"))
      return llvm::createStringError(
          "expected every called function in the module, got a call of '" +
          function.getName() +
          "' (functions of libdevice, which some math ops become, are not "
          "linked: use tirx.ptx or LLVM intrinsics)");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::Operation *module, llvm::LLVMContext &context,
                llvm::TargetMachine &machine) {
  registerLLVMTranslations(module);
  std::unique_ptr<llvm::Module> llvmModule =
      mlir::translateModuleToLLVMIR(module, context, "kernels");
  if (!llvmModule)
    return llvm::createStringError("translation to LLVM IR failed");
  if (llvm::Error error = checkDefined(*llvmModule))
    return error;
  markInlineAsm(*llvmModule);
  llvmModule->setDataLayout(machine.createDataLayout());
  llvmModule->setTargetTriple(machine.getTargetTriple());
  return llvmModule;
}

void optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

llvm::Expected<std::string> emitPTX(llvm::Module &module,
                                    llvm::TargetMachine &machine) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("the NVPTX back end cannot emit PTX text");
  passes.run(module);
  return std::string(text);
}

} // namespace tirx
