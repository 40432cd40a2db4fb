//===- CheckKernels.cpp - an instruction's text and body as kernels -------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckKernels.h"
#include "TIRx/Conversion/TIRxToNVVM/InstructionModels.h"
#include "TIRx/Conversion/TIRxToNVVM/Passes.h"
#include "TIRx/Target/PTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace tirx {

CheckShape getCheckShape(InstructionOp instruction) {
  CheckShape shape;
  for (OperandAttr operand : instruction.getInstructionOperands()) {
    unsigned count = operand.getNumRegisters();
    if (operand.isWritten())
      shape.outputs.append(count, operand.getRegisterType());
    if (isa<LLVM::LLVMPointerType>(operand.getType()))
      ++shape.pointers;
    else if (operand.isRead() && operand.getRole() != OperandRole::Imm)
      shape.inputs.append(count, operand.getRegisterType());
  }
  if (instruction.getEffectList())
    for (auto effect : instruction.getEffectList()->getAsRange<EffectAttr>())
      shape.memoryBytes = std::max<int64_t>(
          shape.memoryBytes, llvm::alignTo(effect.getBytes(), 64));
  return shape;
}

namespace {
/// Builds one of the two kernels.
class KernelBuilder {
public:
  KernelBuilder(OpBuilder &builder, InstructionOp instruction,
                ArrayRef<int64_t> immediates)
      : builder(builder), instruction(instruction), immediates(immediates),
        loc(instruction.getLoc()), shape(getCheckShape(instruction)) {}

  /// `model` is null for the kernel of the text.
  void build(StringRef name, LLVM::LLVMFuncOp model);

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  /// Address of byte `index * size + offset` of a parameter.
  Value address(unsigned parameter, Value index, int64_t size, int64_t offset);
  SmallVector<Value> loadOperands();
  SmallVector<Value> runText(ArrayRef<Value> values);
  SmallVector<Value> runBody(ArrayRef<Value> values, LLVM::LLVMFuncOp model);

  OpBuilder &builder;
  InstructionOp instruction;
  ArrayRef<int64_t> immediates;
  Location loc;
  CheckShape shape;
  gpu::GPUFuncOp kernel;
  Value thread;
};
} // namespace

Value KernelBuilder::address(unsigned parameter, Value index, int64_t size,
                             int64_t offset) {
  Value bytes = arith::MulIOp::create(builder, loc, index, constant(size));
  bytes = arith::AddIOp::create(builder, loc, bytes, constant(offset));
  return LLVM::GEPOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 1),
      builder.getI8Type(), kernel.getArgument(parameter),
      ArrayRef<LLVM::GEPArg>{bytes});
}

/// One value for each register that the instruction reads.
SmallVector<Value> KernelBuilder::loadOperands() {
  SmallVector<Value> values;
  unsigned input = 0, pointer = 0, immediate = 0;
  for (OperandAttr operand : instruction.getInstructionOperands()) {
    if (!operand.isRead())
      continue;
    Type type = operand.getRegisterType();
    if (operand.getRole() == OperandRole::Imm) {
      values.push_back(arith::ConstantIntOp::create(builder, loc, type,
                                                    immediates[immediate++]));
      continue;
    }
    if (isa<LLVM::LLVMPointerType>(type)) {
      Value own = address(2, thread, shape.pointers * shape.memoryBytes,
                          pointer++ * shape.memoryBytes);
      if (own.getType() != type)
        own = LLVM::AddrSpaceCastOp::create(builder, loc, type, own);
      values.push_back(own);
      continue;
    }
    for (unsigned i = 0; i < operand.getNumRegisters(); ++i) {
      Value place = address(0, thread, shape.inputs.size() * 8, 8 * input++);
      Value word = LLVM::LoadOp::create(builder, loc, getModelType(operand),
                                        place, /*alignment=*/8);
      values.push_back(wordToRegister(builder, loc, word, type));
    }
  }
  return values;
}

SmallVector<Value> KernelBuilder::runText(ArrayRef<Value> values) {
  auto op =
      PtxOp::create(builder, loc, shape.outputs, instruction.getMnemonicAttr(),
                    values, Value(), ValueRange());
  return SmallVector<Value>(op.getOutputs());
}

SmallVector<Value> KernelBuilder::runBody(ArrayRef<Value> values,
                                          LLVM::LLVMFuncOp model) {
  SmallVector<Value> words;
  for (auto [value, type] :
       llvm::zip_equal(values, model.getFunctionType().getParams()))
    words.push_back(registerToWord(builder, loc, value, type));
  auto call = LLVM::CallOp::create(builder, loc, model, words);
  SmallVector<Value> results;
  for (auto [i, type] : llvm::enumerate(shape.outputs)) {
    Value word = call.getResult();
    if (shape.outputs.size() > 1)
      word = LLVM::ExtractValueOp::create(builder, loc, word, i);
    results.push_back(wordToRegister(builder, loc, word, type));
  }
  return results;
}

void KernelBuilder::build(StringRef name, LLVM::LLVMFuncOp model) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  kernel = gpu::GPUFuncOp::create(
      builder, loc, name,
      builder.getFunctionType({pointer, pointer, pointer}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(kCheckThreads), 1, 1}));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto id = [&](IdKind kind) -> Value {
    Value index = IdOp::create(builder, loc, builder.getIndexType(),
                               IdKindAttr::get(builder.getContext(), kind));
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  };
  thread = arith::MulIOp::create(builder, loc, id(IdKind::CtaIdX),
                                 constant(kCheckThreads));
  thread = arith::AddIOp::create(builder, loc, thread, id(IdKind::ThreadId));
  SmallVector<Value> values = loadOperands();
  SmallVector<Value> results = model ? runBody(values, model) : runText(values);
  for (auto [i, result] : llvm::enumerate(results)) {
    Value word = registerToWord(builder, loc, result, builder.getI64Type());
    LLVM::StoreOp::create(builder, loc, word,
                          address(1, thread, shape.outputs.size() * 8, 8 * i),
                          /*alignment=*/8);
  }
  gpu::ReturnOp::create(builder, loc);
}

OwningOpRef<ModuleOp> createCheckKernels(InstructionOp instruction,
                                         ArrayRef<int64_t> immediates) {
  Location loc = instruction.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder(module->getContext());
  builder.setInsertionPointToStart(module->getBody());
  auto gpuModule = gpu::GPUModuleOp::create(builder, loc, "check");
  builder.setInsertionPointToStart(gpuModule.getBody());
  builder.clone(*instruction);
  LLVM::LLVMFuncOp model =
      createInstructionModel(builder, instruction, "tirx_model");
  model.setLinkage(LLVM::Linkage::Internal);
  model.setAlwaysInline(true);
  KernelBuilder(builder, instruction, immediates).build(kTextEntry, nullptr);
  KernelBuilder(builder, instruction, immediates).build(kBodyEntry, model);
  return module;
}

llvm::Expected<std::string> compileToPTX(ModuleOp module,
                                         const TargetInfo &target) {
  auto gpuModule = *module.getOps<gpu::GPUModuleOp>().begin();
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  buildConvertToNVVMPipeline(manager);
  buildFinishPipeline(manager, module);
  if (failed(manager.run(module)))
    return llvm::createStringError("does not compile");
  auto machine = createTargetMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  registerLLVMTranslations(module);
  auto llvmModule = translateToLLVM(gpuModule, context, **machine);
  if (!llvmModule)
    return llvmModule.takeError();
  optimizeLLVM(**llvmModule, **machine);
  return emitPTX(**llvmModule, **machine);
}

} // namespace tirx
