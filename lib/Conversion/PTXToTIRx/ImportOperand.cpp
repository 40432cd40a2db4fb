//===- ImportOperand.cpp - registers, constants and addresses -------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using tirx::ptx::StateSpace;
using tirx::ptx::Token;
using tirx::ptx::Variable;
using Kind = tirx::ptx::Operand::Kind;

namespace tirx {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value FunctionImporter::integer(Type type, uint64_t bits) {
  unsigned width = type.getIntOrFloatBitWidth();
  llvm::APInt value(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true);
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value FunctionImporter::convert(Value value, Type type, bool isSigned) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (isa<LLVM::LLVMPointerType>(from)) {
    value = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
    return convert(value, type, isSigned);
  }
  unsigned have = from.getIntOrFloatBitWidth();
  unsigned want = type.getIntOrFloatBitWidth();
  if (have != want) {
    Type wide = builder.getIntegerType(want);
    value = convert(value, builder.getIntegerType(have));
    if (have > want)
      value = arith::TruncIOp::create(builder, loc, wide, value);
    else if (isSigned)
      value = arith::ExtSIOp::create(builder, loc, wide, value);
    else
      value = arith::ExtUIOp::create(builder, loc, wide, value);
  }
  if (value.getType() == type)
    return value;
  return arith::BitcastOp::create(builder, loc, type, value);
}

Value FunctionImporter::addOffset(Value value, int64_t offset) {
  if (offset == 0)
    return value;
  return arith::AddIOp::create(builder, loc, value,
                               integer(value.getType(), offset));
}

/// The type of a value that stands for a PTX type; null for none.
static Type typeOf(Token token, MLIRContext *context) {
  if (token == Token::none)
    return {};
  if (token == Token::f32)
    return Float32Type::get(context);
  if (token == Token::f64)
    return Float64Type::get(context);
  unsigned bits = ptx::bitWidth(token);
  return IntegerType::get(context, bits == 1 ? 1 : std::max(16u, bits));
}

/// Bits of a constant in a type; a double for f32 is rounded.
Value FunctionImporter::constantOf(const ptx::Operand &operand, Type type) {
  uint64_t bits = operand.value;
  if (operand.is(Kind::Float)) {
    Type own = operand.floatBits == 32 ? Type(builder.getF32Type())
                                       : Type(builder.getF64Type());
    if (!type)
      type = own;
    if (type.isF32() && operand.floatBits == 64)
      bits = llvm::bit_cast<uint32_t>(float(llvm::bit_cast<double>(bits)));
    else if (type.isF64() && operand.floatBits == 32)
      bits = llvm::bit_cast<uint64_t>(
          double(llvm::bit_cast<float>(uint32_t(bits))));
  }
  if (!type)
    type = builder.getIntegerType(llvm::isInt<32>(operand.value) ? 32 : 64);
  if (type.isInteger(1))
    return arith::ConstantIntOp::create(builder, loc, bits != 0, 1);
  if (auto floating = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(
        builder, loc,
        FloatAttr::get(type, llvm::APFloat(floating.getFloatSemantics(),
                                           llvm::APInt(floating.getWidth(),
                                                       bits, false, true))));
  return integer(type, bits);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

Value FunctionImporter::slotOf(const Variable *variable, uint64_t index,
                               Type type) {
  Value &slot = slots[{variable, index}];
  if (slot)
    return slot;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&region->front());
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  slot = LLVM::AllocaOp::create(builder, loc,
                                LLVM::LLVMPointerType::get(&parent.context),
                                type, one, /*alignment=*/0);
  return slot;
}

/// Components of a vector register have slots of their own.
Value FunctionImporter::slotOf(const ptx::Operand &operand) {
  unsigned component = 0;
  if (!operand.suffix.empty()) {
    size_t position = StringRef("xyzwrgba").find(operand.suffix[0]);
    component = position == StringRef::npos ? 0 : position % 4;
  }
  return slotOf(operand.variable, uint64_t(operand.index) * 4 + component,
                parent.typeOf(operand.variable->type));
}

Value FunctionImporter::readRegister(const ptx::Operand &operand) {
  Value value = LLVM::LoadOp::create(
      builder, loc, parent.typeOf(operand.variable->type), slotOf(operand));
  if (operand.negated)
    value =
        arith::XOrIOp::create(builder, loc, value, integer(value.getType(), 1));
  if (operand.value)
    value = addOffset(value, operand.value);
  return value;
}

Value FunctionImporter::readGuard(const ptx::Instruction &instruction) {
  return instruction.guard ? readRegister(*instruction.guard) : Value();
}

void FunctionImporter::writeRegister(const ptx::Operand &operand, Value value,
                                     bool isSigned, Value guard) {
  Type type = parent.typeOf(operand.variable->type);
  Value slot = slotOf(operand);
  value = convert(value, type, isSigned);
  if (guard) {
    Value old = LLVM::LoadOp::create(builder, loc, type, slot);
    value = arith::SelectOp::create(builder, loc, guard, value, old);
  }
  LLVM::StoreOp::create(builder, loc, value, slot);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// `mov` reads it; what may change between two reads must not be merged.
FailureOr<Value> FunctionImporter::readSpecial(const ptx::Operand &operand) {
  const ptx::SpecialRegisterInfo *info =
      ptx::lookupSpecialRegister(operand.name);
  unsigned bits = ptx::bitWidth(info->type);
  if (info->lanes > 1 && operand.suffix.empty())
    return error(operand.loc, "cannot import a whole special register yet: "
                              "read its components");
  std::string name = operand.name.str();
  if (!operand.suffix.empty())
    name += "." + operand.suffix.str();
  Type type = builder.getIntegerType(std::max(32u, bits));
  std::string text =
      bits == 1
          ? "{ .reg .pred p; mov.pred p, " + name + "; selp.b32 $0, 1, 0, p; }"
          : ("mov.b" + Twine(bits) + " $0, " + name + ";").str();
  auto assembly = LLVM::InlineAsmOp::create(
      builder, loc, type, ValueRange(), text, bits == 64 ? "=l" : "=r",
      /*has_side_effects=*/info->isVolatile, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
  Value value = assembly.getResult(0);
  return bits == 1 ? convert(value, builder.getI1Type()) : value;
}

/// The address of a variable or a function, as a pointer into its space.
FailureOr<Value> FunctionImporter::addressOf(const ptx::Operand &operand) {
  auto pointerIn = [&](unsigned space) {
    return LLVM::LLVMPointerType::get(&parent.context, space);
  };
  if (operand.is(Kind::Function)) {
    if (operand.callee->isEntry)
      return error(operand.loc, "cannot import the address of a kernel yet");
    return LLVM::AddressOfOp::create(builder, loc, pointerIn(0),
                                     operand.callee->name)
        .getResult();
  }
  const Variable &variable = *operand.variable;
  Value pointer;
  if (variable.space == StateSpace::Local) {
    pointer = LLVM::AddrSpaceCastOp::create(builder, loc, pointerIn(5),
                                            memory.lookup(&variable));
  } else if (variable.space == StateSpace::Param) {
    pointer = memory.lookup(&variable);
    if (!pointer)
      return error(operand.loc,
                   "cannot import the address of '" + variable.name + "' yet");
  } else {
    StringRef symbol = parent.symbolOf(variable);
    // An external declaration may have been followed by the definition.
    if (symbol.empty())
      symbol = variable.name;
    pointer = LLVM::AddressOfOp::create(
        builder, loc, pointerIn(ModuleImporter::addressSpace(variable.space)),
        symbol);
  }
  if (operand.value)
    pointer = LLVM::GEPOp::create(
        builder, loc, pointer.getType(), builder.getI8Type(), pointer,
        ValueRange(integer(builder.getI64Type(), operand.value)));
  return pointer;
}

/// `[base + offset]`: a pointer, or an integer of a register's width.
FailureOr<Value> FunctionImporter::readAddress(const ptx::Operand &operand) {
  ptx::Operand base = operand.base();
  switch (base.kind) {
  case Kind::Register:
    return addOffset(
        convert(readRegister(base),
                builder.getIntegerType(ptx::bitWidth(base.variable->type))),
        operand.value);
  case Kind::Symbol:
    base.value = operand.value;
    return addressOf(base);
  case Kind::Integer:
    return integer(builder.getI64Type(), base.value + operand.value);
  default:
    return error(operand.loc, "cannot import this address yet");
  }
}

FailureOr<Value> FunctionImporter::readScalar(const ptx::Operand &operand,
                                              Token token, Type fallback) {
  Type wanted = typeOf(token, &parent.context);
  switch (operand.kind) {
  case Kind::Integer:
  case Kind::Float:
    return constantOf(operand, wanted ? wanted : fallback);
  case Kind::Special:
    return readSpecial(operand);
  case Kind::Symbol:
  case Kind::Function: {
    auto pointer = addressOf(operand);
    if (failed(pointer))
      return failure();
    return convert(*pointer, builder.getI64Type());
  }
  case Kind::Register:
    break;
  default:
    return error(operand.loc, "cannot import this operand yet");
  }
  if (operand.variable->vectorWidth > 1 && operand.suffix.empty())
    return error(operand.loc, "cannot import a whole vector register yet: name "
                              "its components");
  if (operand.variable->vectorWidth == 1 && !operand.suffix.empty())
    return error(operand.loc, "cannot import a part of a register yet");
  Value value = readRegister(operand);
  if (!wanted)
    return value;
  unsigned have = value.getType().getIntOrFloatBitWidth();
  unsigned want = ptx::bitWidth(token);
  if (want < 16 && want > 1) // lies in the low bits of any register
    return have == 64 ? convert(value, builder.getI32Type()) : value;
  bool isFloat = isa<FloatType>(value.getType());
  bool takesFloat = ptx::isBits(token) ||
                    (ptx::isFloat(token) && ptx::packedElements(token) == 1);
  if (have == want && (!isFloat || takesFloat))
    return value;
  return convert(value, builder.getIntegerType(want));
}

LogicalResult FunctionImporter::readOperand(const ptx::Operand &operand,
                                            const ptx::OperandSpec &spec,
                                            Type lone,
                                            SmallVectorImpl<Value> &values) {
  auto add = [&](FailureOr<Value> value) -> LogicalResult {
    if (succeeded(value))
      values.push_back(*value);
    return value;
  };
  Token token = spec.kind == ptx::OperandKind::Predicate ||
                        spec.kind == ptx::OperandKind::PredicatePair
                    ? Token::pred
                    : spec.type;
  if (operand.is(Kind::Address)) {
    if (failed(add(readAddress(operand))))
      return failure();
    for (const ptx::Operand &element : operand.elements.drop_front()) {
      ArrayRef<ptx::Operand> parts =
          element.is(Kind::Vector) ? element.elements : ArrayRef(element);
      for (const ptx::Operand &part : parts)
        if (failed(add(readScalar(part, token, builder.getI32Type()))))
          return failure();
    }
    return success();
  }
  if (operand.is(Kind::Vector) || operand.is(Kind::Pair)) {
    for (const ptx::Operand &element : operand.elements)
      if (failed(add(readScalar(element, token, lone))))
        return failure();
    return success();
  }
  return add(readScalar(operand, token, lone));
}

} // namespace tirx
