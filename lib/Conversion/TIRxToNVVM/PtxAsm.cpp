//===- PtxAsm.cpp - inline assembly, the only place that writes it --------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxAsm.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tirx {

/// Bits of a scalar, vector or pointer as it stands in a register; 0 when it
/// fits none.
static unsigned registerBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return 0;
    return vector.getElementType().isIntOrFloat()
               ? vector.getElementTypeBitWidth() * vector.getNumElements()
               : 0;
  }
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

AsmBuilder::Register AsmBuilder::registerFor(Type type) const {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type)) {
    // A tensor-memory address is a 32-bit number of the program's own.
    if (pointer.getAddressSpace() == 6)
      return {builder.getI32Type(), 'r'};
    return {type, 'l'};
  }
  if (type.isF32())
    return {type, 'f'};
  if (type.isF64())
    return {type, 'd'};
  switch (registerBits(type)) {
  case 1:
    return {builder.getI32Type(), 'r'};
  case 8:
  case 16:
    return {builder.getI16Type(), 'h'};
  case 32:
    return {builder.getI32Type(), 'r'};
  case 64:
    return {builder.getI64Type(), 'l'};
  case 128:
    return {builder.getIntegerType(128), 'q'};
  default:
    return {Type(), 0};
  }
}

bool AsmBuilder::isRegisterType(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return true;
  unsigned bits = registerBits(type);
  return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64 ||
         bits == 128;
}

Value AsmBuilder::toRegister(Value value) {
  Type from = value.getType();
  Type to = registerFor(from).type;
  if (from == to)
    return value;
  if (isa<LLVM::LLVMPointerType>(from))
    return LLVM::PtrToIntOp::create(builder, loc, to, value);
  unsigned bits = registerBits(from);
  Type integer = builder.getIntegerType(bits);
  if (from != integer)
    value = LLVM::BitcastOp::create(builder, loc, integer, value);
  if (bits < to.getIntOrFloatBitWidth())
    value = LLVM::ZExtOp::create(builder, loc, to, value);
  return value;
}

Value AsmBuilder::fromRegister(Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, type, value);
  unsigned bits = registerBits(type);
  Type integer = builder.getIntegerType(bits);
  if (bits < from.getIntOrFloatBitWidth())
    value = LLVM::TruncOp::create(builder, loc, integer, value);
  if (type != integer)
    value = LLVM::BitcastOp::create(builder, loc, type, value);
  return value;
}

std::string AsmBuilder::placeholder(unsigned number) const {
  return "$" + std::to_string(number);
}

std::string AsmBuilder::newPredicate() {
  std::string name = (predicatePrefix + Twine(numPredicates++)).str();
  declarations += ".reg .pred " + name + "; ";
  return name;
}

std::string AsmBuilder::declareByte() {
  std::string byte = (predicatePrefix + "b" + Twine(numBytes++)).str();
  declarations += ".reg .b8 " + byte + "; ";
  return byte;
}

/// The integer type of a register with that constraint letter.
static const char *integerOf(char letter) {
  return letter == 'h' ? "u16" : letter == 'r' ? "u32" : "u64";
}

std::string AsmBuilder::output(Type type, bool asByte) {
  std::string name = placeholder(outputs.size());
  outputs.push_back(type);
  outputConstraints.push_back(outputPrefix.str() + registerFor(type).letter);
  outputBytes.emplace_back();
  if (asByte) {
    std::string byte = outputBytes.back() = declareByte();
    epilogue += std::string(" cvt.") + integerOf(registerFor(type).letter) +
                ".u8 " + name + ", " + byte + ";";
    return byte;
  }
  if (!type.isInteger(1))
    return name;
  std::string predicate = newPredicate();
  epilogue += " selp.b32 " + name + ", 1, 0, " + predicate + ";";
  return predicate;
}

std::string AsmBuilder::input(Value value, bool asByte) {
  std::string name = placeholder(outputs.size() + inputs.size());
  inputConstraints.push_back(
      std::string(1, registerFor(value.getType()).letter));
  inputs.push_back(toRegister(value));
  if (asByte) {
    std::string byte = declareByte();
    prologue += std::string("cvt.u8.") +
                integerOf(registerFor(value.getType()).letter) + " " + byte +
                ", " + name + "; ";
    return byte;
  }
  if (!value.getType().isInteger(1))
    return name;
  std::string predicate = newPredicate();
  prologue += "setp.ne.b32 " + predicate + ", " + name + ", 0; ";
  return predicate;
}

void AsmBuilder::tiedInput(Value value, unsigned output) {
  inputConstraints.push_back(std::to_string(output));
  inputs.push_back(toRegister(value));
  if (!outputBytes[output].empty())
    prologue += std::string("cvt.u8.") +
                integerOf(registerFor(value.getType()).letter) + " " +
                outputBytes[output] + ", " + placeholder(output) + "; ";
  if (!value.getType().isInteger(1))
    return;
  // The predicate of the output starts from the old value.
  unsigned index = 0;
  for (unsigned i = 0; i < output; ++i)
    index += outputs[i].isInteger(1);
  prologue += ("setp.ne.b32 " + predicatePrefix + Twine(index) + ", " +
               placeholder(output) + ", 0; ")
                  .str();
}

SmallVector<Value> AsmBuilder::emit(StringRef text, bool pure) {
  std::string whole = declarations.empty() ? text.str()
                                           : "{ " + declarations + prologue +
                                                 text.str() + epilogue + " }";
  SmallVector<std::string> constraints(outputConstraints);
  llvm::append_range(constraints, inputConstraints);
  if (!pure)
    constraints.push_back("~{memory}");
  SmallVector<Type> types;
  for (Type type : outputs)
    types.push_back(registerFor(type).type);
  Type result;
  if (types.size() == 1)
    result = types.front();
  else if (types.size() > 1)
    result = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  auto assembly = LLVM::InlineAsmOp::create(
      builder, loc, result ? TypeRange(result) : TypeRange(), inputs, whole,
      llvm::join(constraints, ","), /*has_side_effects=*/!pure,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  SmallVector<Value> values;
  for (auto [i, type] : llvm::enumerate(outputs)) {
    Value value = assembly->getResult(0);
    if (outputs.size() > 1)
      value = LLVM::ExtractValueOp::create(builder, loc, value, i);
    values.push_back(fromRegister(value, type));
  }
  return values;
}

} // namespace tirx
