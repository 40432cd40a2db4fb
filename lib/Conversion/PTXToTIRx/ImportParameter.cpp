//===- ImportParameter.cpp - the .param and .local spaces -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar in .param is a slot like a register, whatever bytes of it are read
// or written; an array, or what has its address taken, is memory behind a
// generic pointer: that of the argument, or a stack slot.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using tirx::ptx::StateSpace;
using tirx::ptx::Variable;
using Kind = tirx::ptx::Operand::Kind;

namespace tirx {

/// More would not fit a thread's stack.
static constexpr uint64_t kMaxStackBytes = 512 * 1024;

LogicalResult FunctionImporter::createStorage(const Variable &variable,
                                              Value initial) {
  ParameterType type = parent.parameterType(variable);
  if (!type.type)
    return error(variable.loc, "cannot import a variable of type ." +
                                   ptx::spelling(variable.type) + " yet");
  bool isMemory = type.isMemory || variable.space == StateSpace::Local;
  if (!isMemory) {
    if (initial) {
      Value slot = slotOf(&variable, 0, initial.getType());
      LLVM::StoreOp::create(builder, loc, initial, slot);
    }
    return success();
  }
  if (variable.sizeInBytes() == 0 || variable.sizeInBytes() > kMaxStackBytes)
    return error(variable.loc, "expected 1 to " + Twine(kMaxStackBytes) +
                                   " bytes for '" + variable.name + "', got " +
                                   Twine(variable.sizeInBytes()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&region->front());
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  auto bytes =
      LLVM::LLVMArrayType::get(builder.getI8Type(), variable.sizeInBytes());
  memory[&variable] = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(&parent.context), bytes, one,
      variable.alignment());
  return success();
}

/// A generic pointer to the address, and `extra` bytes on.
Value FunctionImporter::pointerInto(const ptx::Operand &address,
                                    uint64_t extra) {
  auto type = LLVM::LLVMPointerType::get(&parent.context);
  const ptx::Operand &base = address.base();
  Value pointer;
  if (base.is(Kind::Symbol))
    pointer = memory.lookup(base.variable);
  else
    pointer = LLVM::IntToPtrOp::create(
        builder, loc, type, convert(readRegister(base), builder.getI64Type()));
  int64_t offset = address.value + int64_t(extra);
  if (offset == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, type, builder.getI8Type(), pointer,
                             ValueRange(integer(builder.getI64Type(), offset)));
}

/// Is it a scalar that has a slot?
static const Variable *
scalarOf(const ptx::Operand &address,
         const llvm::DenseMap<const Variable *, Value> &memory) {
  const ptx::Operand &base = address.base();
  if (base.is(Kind::Symbol) && !memory.count(base.variable))
    return base.variable;
  return nullptr;
}

FailureOr<Value> FunctionImporter::loadParameter(const ptx::Operand &address,
                                                 uint64_t extra, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  const Variable *scalar = scalarOf(address, memory);
  if (!scalar) {
    uint64_t offset = address.value + extra;
    bool isKnown = address.base().is(Kind::Symbol);
    uint64_t known = isKnown
                         ? llvm::MinAlign(address.base().variable->alignment(),
                                          offset ? offset : 1 << 20)
                         : bits / 8;
    return LLVM::LoadOp::create(builder, loc, type, pointerInto(address, extra),
                                std::min<uint64_t>(known, bits / 8))
        .getResult();
  }
  uint64_t offset = 8 * (address.value + extra);
  Type whole = parent.parameterType(*scalar).type;
  unsigned width = whole.getIntOrFloatBitWidth();
  if (offset >= width || width - offset < bits)
    return error(address.loc, "expected bytes inside '" + scalar->name +
                                  "', which has " + Twine(width / 8));
  Value value =
      LLVM::LoadOp::create(builder, loc, whole, slotOf(scalar, 0, whole));
  if (bits == width)
    return convert(value, type);
  Type integers = builder.getIntegerType(width);
  value = convert(value, integers);
  if (offset)
    value =
        arith::ShRUIOp::create(builder, loc, value, integer(integers, offset));
  return convert(convert(value, builder.getIntegerType(bits)), type);
}

LogicalResult FunctionImporter::storeParameter(const ptx::Operand &address,
                                               uint64_t extra, Value value,
                                               Value guard) {
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  const Variable *scalar = scalarOf(address, memory);
  if (!scalar) {
    if (guard)
      return error(address.loc, "cannot import a guarded st.param of an array "
                                "yet");
    LLVM::StoreOp::create(builder, loc, value, pointerInto(address, extra), 1);
    return success();
  }
  uint64_t offset = 8 * (address.value + extra);
  Type whole = parent.parameterType(*scalar).type;
  unsigned width = whole.getIntOrFloatBitWidth();
  if (offset >= width || width - offset < bits)
    return error(address.loc, "expected bytes inside '" + scalar->name +
                                  "', which has " + Twine(width / 8));
  Value slot = slotOf(scalar, 0, whole);
  Value old;
  if (guard || bits != width)
    old = LLVM::LoadOp::create(builder, loc, whole, slot);
  if (bits != width) {
    Type integers = builder.getIntegerType(width);
    Value part =
        convert(convert(value, builder.getIntegerType(bits)), integers);
    if (offset)
      part =
          arith::ShLIOp::create(builder, loc, part, integer(integers, offset));
    uint64_t mask = llvm::maskTrailingOnes<uint64_t>(bits) << offset;
    Value rest = arith::AndIOp::create(builder, loc, convert(old, integers),
                                       integer(integers, ~mask));
    value = arith::OrIOp::create(builder, loc, rest, part);
  }
  value = convert(value, whole);
  if (guard)
    value = arith::SelectOp::create(builder, loc, guard, value, old);
  LLVM::StoreOp::create(builder, loc, value, slot);
  return success();
}

/// What a call passes for a variable in .param.
FailureOr<Value> FunctionImporter::wholeParameter(const Variable &variable,
                                                  Type type, Loc at) {
  bool isPointer = isa<LLVM::LLVMPointerType>(type);
  if (Value pointer = memory.lookup(&variable)) {
    if (isPointer)
      return pointer;
    return LLVM::LoadOp::create(builder, loc, type, pointer, 1).getResult();
  }
  Type whole = parent.parameterType(variable).type;
  if (isPointer || !type.isIntOrFloat())
    return error(at, "expected an array for this parameter, got '" +
                         variable.name + "'");
  Value value =
      LLVM::LoadOp::create(builder, loc, whole, slotOf(&variable, 0, whole));
  return convert(value, type);
}

} // namespace tirx
