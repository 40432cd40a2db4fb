//===- Compiler.cpp - source to any level ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Compiler/Compiler.h"
#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "TIRx/Dialect/TIRx/IR/PtxSignature.h"
#include "TIRx/Dialect/TIRx/IR/Registration.h"
#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/PTX/AsmText.h"
#include "TIRx/Target/PTX.h"
#include "TIRx/Validation/InstructionCheck.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace tirx {

StringRef nameOf(Level level) {
  switch (level) {
  case Level::Tile:
    return "tile";
  case Level::Instruction:
    return "instruction";
  case Level::NVVM:
    return "nvvm";
  case Level::LLVM:
    return "llvm";
  case Level::PTX:
    return "ptx";
  case Level::Cubin:
    return "cubin";
  }
  return "";
}

void Stopwatch::lap(StringRef part) {
  Clock::time_point now = Clock::now();
  parts.emplace_back(
      part.str(),
      std::chrono::duration<double, std::milli>(now - last).count());
  last = now;
}

void Stopwatch::print(llvm::raw_ostream &stream) const {
  for (const auto &[part, milliseconds] : parts)
    stream << llvm::formatv("{0,-24} {1,8:F2} ms\n", part, milliseconds);
  stream << llvm::formatv(
      "{0,-24} {1,8:F2} ms\n", "total",
      std::chrono::duration<double, std::milli>(last - start).count());
}

void registerKernelDialects(DialectRegistry &registry) {
  registry.insert<TIRxDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  nvgpu::NVGPUDialect, NVVM::NVVMDialect, scf::SCFDialect,
                  ub::UBDialect, vector::VectorDialect>();
}

/// The one GPU module of the file; an error when there is not exactly one.
static gpu::GPUModuleOp findGpuModule(ModuleOp module) {
  auto modules = module.getOps<gpu::GPUModuleOp>();
  auto count = std::distance(modules.begin(), modules.end());
  if (count == 1)
    return *modules.begin();
  module.emitError() << "expected one gpu.module, got " << count;
  return nullptr;
}

/// The target to compile for, which the module's attribute says afterwards.
static const TargetInfo *settleTarget(gpu::GPUModuleOp module,
                                      StringRef requested) {
  StringRef chip = requested;
  if (chip.empty()) {
    ArrayAttr targets = module.getTargetsAttr();
    auto attribute = targets && targets.size() == 1
                         ? dyn_cast<NVVM::NVVMTargetAttr>(targets[0])
                         : NVVM::NVVMTargetAttr();
    if (!attribute) {
      module.emitError("expected a target: give --target=sm_100a, or one "
                       "#nvvm.target on the gpu.module");
      return nullptr;
    }
    chip = attribute.getChip();
  }
  llvm::Expected<const TargetInfo *> target = lookupTarget(chip);
  if (!target) {
    module.emitError(llvm::toString(target.takeError()));
    return nullptr;
  }
  setModuleTarget(module, **target);
  return *target;
}

/// The PTX version that `features = "+ptx88"` of the module's target asks for,
/// at most LLVM's newest; 0 where it asks for none.
static unsigned requestedPtxVersion(gpu::GPUModuleOp module) {
  constexpr unsigned newest = 90;
  unsigned wanted = 0;
  if (ArrayAttr targets = module.getTargetsAttr())
    for (Attribute target : targets)
      if (auto attribute = dyn_cast<NVVM::NVVMTargetAttr>(target))
        for (StringRef feature : llvm::split(attribute.getFeatures(), ',')) {
          unsigned version;
          if (feature.consume_front("+ptx") &&
              !feature.getAsInteger(10, version))
            wanted = std::max(wanted, std::min(version, newest));
        }
  return wanted;
}

/// The PTX version that the instructions of the kernels need.
static unsigned requiredPtxVersion(gpu::GPUModuleOp module) {
  unsigned result = 0;
  auto add = [&](const ptx::ResolvedInstruction &instruction,
                 ArrayRef<ptx::OperandSpec> written) {
    result = std::max(result, ptx::requiredPtx(instruction, written));
  };
  module.walk([&](PtxOp op) {
    if (auto known = getSignature(op))
      return add(known->first, specsOf(known->second));
    else
      llvm::consumeError(known.takeError());
    InstructionOp own = lookupInstruction(op, op.getInstruction());
    if (!own)
      return;
    std::string text = own.getEmittedText();
    for (const ptx::ResolvedInstruction &instruction :
         ptx::readAsmStatements(text).known)
      add(instruction, {});
  });
  return result;
}

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  stream << "\n";
  return text;
}

namespace {
/// One compilation: the stages in their order.
class Compilation {
public:
  Compilation(ModuleOp module, llvm::SourceMgr &sources,
              const CompileOptions &options, Stopwatch &watch)
      : module(module), sources(sources), options(options), watch(watch) {}

  FailureOr<CompileResult> run() {
    gpuModule = findGpuModule(module);
    if (!gpuModule)
      return failure();
    unsigned ptxVersion = requestedPtxVersion(gpuModule);
    const TargetInfo *known = settleTarget(gpuModule, options.target);
    if (!known)
      return failure();
    settled = *known;
    settled->ptxVersion = std::max(settled->ptxVersion, ptxVersion);
    target = &*settled;
    if (failed(runRegistrations()) || failed(runTileLevels()))
      return failure();
    settled->ptxVersion =
        std::max(settled->ptxVersion, requiredPtxVersion(gpuModule));
    if (isLast(Level::Tile) || isLast(Level::Instruction))
      return std::move(result);
    if (failed(runPasses("convert to nvvm", [](OpPassManager &manager) {
          buildConvertToNVVMPipeline(manager);
        })))
      return failure();
    keep(Level::NVVM);
    if (isLast(Level::NVVM))
      return std::move(result);
    if (failed(runPasses("finish", [&](OpPassManager &manager) {
          buildFinishPipeline(manager, module);
        })))
      return failure();
    if (failed(runBackEnd()))
      return failure();
    return std::move(result);
  }

private:
  bool wants(Level level) const { return options.levels.count(level); }
  /// A report needs ptxas, hence everything before it.
  bool isLast(Level level) const {
    return !options.report && level == *options.levels.rbegin();
  }
  void keep(Level level) {
    if (!wants(level))
      return;
    result.texts[level] = print(module);
    if (options.onLevel)
      options.onLevel(level, module);
  }

  LogicalResult runPasses(StringRef part,
                          llvm::function_ref<void(OpPassManager &)> build) {
    PassManager manager(module.getContext(), ModuleOp::getOperationName());
    manager.enableVerifier(true);
    build(manager);
    LogicalResult done = manager.run(module);
    watch.lap(part);
    return done;
  }

  LogicalResult runTileLevels() {
    SmallVector<int64_t> columns;
    module.walk([&](gpu::GPUFuncOp kernel) {
      columns.push_back(countTmemColumns(kernel));
    });
    if (wants(Level::Tile)) {
      if (failed(runPasses("check", [](OpPassManager &manager) {
            buildCheckPipeline(manager);
          })))
        return failure();
      keep(Level::Tile);
    }
    bool goesOn = *options.levels.rbegin() != Level::Tile || options.report;
    LogicalResult done =
        goesOn
            ? runPasses("lower tiles",
                        [&](OpPassManager &manager) {
                          LowerTilesOptions lowering;
                          lowering.remarks = options.remarks;
                          buildLowerTilesPipeline(manager, nullptr, lowering);
                        })
            : success();
    if (failed(done))
      return failure();
    for (auto [kernel, count] :
         llvm::zip(gpuModule.getOps<gpu::GPUFuncOp>(), columns)) {
      result.kernels.push_back(recordKernel(kernel, target->chip, sources));
      result.kernels.back().tmemColumns = count;
    }
    keep(Level::Instruction);
    return success();
  }

  /// Holds the user's instructions against their bodies, which are gone later.
  LogicalResult runRegistrations() {
    bool any =
        module->walk([](InstructionOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!any)
      return success();
    FailureOr<std::string> models = checkInstructions(module, *target);
    if (failed(models))
      return failure();
    result.models = std::move(*models);
    watch.lap("registrations");
    return success();
  }

  LogicalResult report(llvm::Error error) {
    return gpuModule.emitError(llvm::toString(std::move(error)));
  }

  LogicalResult runBackEnd() {
    auto machine = createTargetMachine(*target);
    if (!machine)
      return report(machine.takeError());
    llvm::LLVMContext context;
    auto llvmModule = translateToLLVM(gpuModule, context, **machine);
    if (!llvmModule)
      return report(llvmModule.takeError());
    watch.lap("translate");
    optimizeLLVM(**llvmModule, **machine);
    watch.lap("LLVM O3");
    if (wants(Level::LLVM))
      llvm::raw_string_ostream(result.texts[Level::LLVM]) << **llvmModule;
    if (isLast(Level::LLVM))
      return success();
    auto ptx = emitPTX(**llvmModule, **machine);
    if (!ptx)
      return report(ptx.takeError());
    watch.lap("NVPTX");
    if (wants(Level::Cubin) || options.report)
      if (failed(assemble(*ptx)))
        return failure();
    if (wants(Level::PTX))
      result.texts[Level::PTX] = std::move(*ptx);
    return success();
  }

  LogicalResult assemble(StringRef ptx) {
    std::optional<std::string> path = findPtxas(options.ptxas);
    if (!path) {
      if (!wants(Level::Cubin) && options.ptxas.empty())
        return success();
      return gpuModule.emitError()
             << "expected ptxas "
             << (options.ptxas.empty()
                     ? std::string("in --ptxas=, CUDA_HOME, CUDA_PATH or PATH")
                     : "at '" + options.ptxas + "'")
             << ", got none";
    }
    llvm::Expected<PtxasResult> assembled = runPtxas(*path, ptx, target->chip);
    watch.lap("ptxas");
    if (!assembled)
      return report(assembled.takeError());
    for (StringRef warning : assembled->warnings)
      gpuModule.emitWarning(warning);
    if (wants(Level::Cubin))
      result.texts[Level::Cubin] = assembled->binary;
    result.resources = std::move(*assembled);
    return success();
  }

  ModuleOp module;
  llvm::SourceMgr &sources;
  const CompileOptions &options;
  Stopwatch &watch;
  gpu::GPUModuleOp gpuModule;
  std::optional<TargetInfo> settled;
  const TargetInfo *target = nullptr; ///< `settled` once it is
  CompileResult result;
};
} // namespace

FailureOr<CompileResult> compile(ModuleOp module, llvm::SourceMgr &sources,
                                 const CompileOptions &options,
                                 Stopwatch &watch) {
  return Compilation(module, sources, options, watch).run();
}

} // namespace tirx
