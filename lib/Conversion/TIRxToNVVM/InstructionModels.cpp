//===- InstructionModels.cpp - bodies of registered instructions ----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Conversion/TIRxToNVVM/InstructionModels.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tirx {

/// Bits of a register; a pointer into tensor memory has 32.
static unsigned registerBits(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == 6 ? 32 : 64;
  return type.getIntOrFloatBitWidth();
}

Type getModelType(OperandAttr operand) {
  unsigned bits = registerBits(operand.getRegisterType());
  return IntegerType::get(operand.getContext(), bits > 32 ? 64 : 32);
}

Value wordToRegister(OpBuilder &builder, Location loc, Value word, Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, type, word);
  unsigned bits = registerBits(type);
  Type integer = builder.getIntegerType(bits);
  if (word.getType() != integer)
    word = LLVM::TruncOp::create(builder, loc, integer, word);
  if (type != integer)
    word = LLVM::BitcastOp::create(builder, loc, type, word);
  return word;
}

Value registerToWord(OpBuilder &builder, Location loc, Value value, Type word) {
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(builder, loc, word, value);
  Type integer = builder.getIntegerType(registerBits(value.getType()));
  if (value.getType() != integer)
    value = LLVM::BitcastOp::create(builder, loc, integer, value);
  if (value.getType() != word)
    value = LLVM::ZExtOp::create(builder, loc, word, value);
  return value;
}

static Value indexConstant(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

/// The value of an operand from its registers, beginning with `next`.
static Value gather(OpBuilder &builder, Location loc, OperandAttr operand,
                    ValueRange words, unsigned &next) {
  auto vector = dyn_cast<VectorType>(operand.getType());
  if (!vector)
    return wordToRegister(builder, loc, words[next++], operand.getType());
  Value value = LLVM::PoisonOp::create(builder, loc, vector);
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value element =
        wordToRegister(builder, loc, words[next++], vector.getElementType());
    value = LLVM::InsertElementOp::create(builder, loc, value, element,
                                          indexConstant(builder, loc, i));
  }
  return value;
}

static void scatter(OpBuilder &builder, Location loc, OperandAttr operand,
                    Value value, SmallVectorImpl<Value> &words) {
  Type word = getModelType(operand);
  if (!isa<VectorType>(value.getType())) {
    words.push_back(registerToWord(builder, loc, value, word));
    return;
  }
  for (unsigned i = 0; i < operand.getNumRegisters(); ++i) {
    Value element = LLVM::ExtractElementOp::create(
        builder, loc, value, indexConstant(builder, loc, i));
    words.push_back(registerToWord(builder, loc, element, word));
  }
}

static LLVM::LLVMFunctionType modelFunctionType(InstructionOp instruction) {
  SmallVector<Type> inputs, results;
  for (OperandAttr operand : instruction.getInstructionOperands()) {
    Type word = getModelType(operand);
    if (operand.isRead())
      inputs.append(operand.getNumRegisters(), word);
    if (operand.isWritten())
      results.append(operand.getNumRegisters(), word);
  }
  MLIRContext *context = instruction.getContext();
  Type result = LLVM::LLVMVoidType::get(context);
  if (results.size() == 1)
    result = results.front();
  else if (results.size() > 1)
    result = LLVM::LLVMStructType::getLiteral(context, results);
  return LLVM::LLVMFunctionType::get(result, inputs);
}

static void emitReturn(OpBuilder &builder, Location loc, Type type,
                       ArrayRef<Value> words) {
  Value result;
  if (words.size() == 1) {
    result = words.front();
  } else if (words.size() > 1) {
    result = LLVM::PoisonOp::create(builder, loc, type);
    for (auto [i, word] : llvm::enumerate(words))
      result = LLVM::InsertValueOp::create(builder, loc, result, word, i);
  }
  LLVM::ReturnOp::create(builder, loc,
                         result ? ValueRange(result) : ValueRange());
}

LLVM::LLVMFuncOp createInstructionModel(OpBuilder &builder,
                                        InstructionOp instruction,
                                        StringRef name) {
  Location loc = instruction.getLoc();
  LLVM::LLVMFunctionType type = modelFunctionType(instruction);
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  IRMapping map;
  unsigned next = 0;
  auto argument = instruction.getBodyBlock()->args_begin();
  for (OperandAttr operand : instruction.getInstructionOperands())
    if (operand.isRead())
      map.map(*argument++,
              gather(builder, loc, operand, entry->getArguments(), next));
  for (Operation &op : instruction.getBodyBlock()->without_terminator())
    builder.clone(op, map);
  SmallVector<Value> words;
  auto value = instruction.getBodyBlock()->getTerminator()->operand_begin();
  for (OperandAttr operand : instruction.getInstructionOperands())
    if (operand.isWritten())
      scatter(builder, loc, operand, map.lookupOrDefault(*value++), words);
  emitReturn(builder, loc, type.getReturnType(), words);
  return function;
}

std::string describeInstructionModel(InstructionOp instruction,
                                     StringRef function) {
  std::string text = (instruction.getMnemonic() + " " + function).str();
  for (OperandAttr operand : instruction.getInstructionOperands()) {
    unsigned bits = registerBits(operand.getRegisterType());
    text += (" " + stringifyOperandRole(operand.getRole()) + ":" +
             (bits == 1 ? "pred" : "b" + std::to_string(bits)))
                .str();
    if (operand.getNumRegisters() > 1)
      text += "x" + std::to_string(operand.getNumRegisters());
  }
  return text;
}

} // namespace tirx
