//===- ImportInstruction.cpp - instructions as tirx.ptx -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "TIRx/PTX/Parser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using tirx::ptx::Access;
using tirx::ptx::Mod;
using tirx::ptx::Opcode;
using tirx::ptx::OperandKind;
using tirx::ptx::StateSpace;
using tirx::ptx::Token;
using Kind = tirx::ptx::Operand::Kind;

namespace tirx {

/// Is it in .param, whichever way that is spelled?
static bool isParamSpace(Token space) {
  return ptx::spelling(space).starts_with("param");
}

//===----------------------------------------------------------------------===//
// What has no op
//===----------------------------------------------------------------------===//

/// A move of one value, or an address of .param that already is generic.
bool FunctionImporter::isMoveOfValue(
    const ptx::Instruction &instruction) const {
  ArrayRef<ptx::Operand> operands = instruction.operands;
  if (operands.size() != 2 || !operands[0].is(Kind::Register) ||
      operands[0].variable->vectorWidth > 1 || operands[1].is(Kind::Vector))
    return false;
  if (instruction.resolved->opcode() == Opcode::mov)
    return true;
  return instruction.resolved->opcode() == Opcode::cvta &&
         isParamSpace(instruction.resolved->get(Mod::space));
}

LogicalResult
FunctionImporter::importMove(const ptx::Instruction &instruction) {
  const ptx::Operand &target = instruction.operands[0];
  Type type = parent.typeOf(target.variable->type);
  auto value = readScalar(instruction.operands[1], Token::none, type);
  if (failed(value))
    return failure();
  writeRegister(target, *value, false, readGuard(instruction));
  return success();
}

/// ld.param and st.param.
LogicalResult
FunctionImporter::importParamAccess(const ptx::Instruction &instruction) {
  bool isLoad = instruction.resolved->opcode() == Opcode::ld;
  const ptx::Operand &address = instruction.operands[isLoad ? 1 : 0];
  const ptx::Operand &data = instruction.operands[isLoad ? 0 : 1];
  Token token = instruction.resolved->get(Mod::type);
  unsigned bits = ptx::bitWidth(token);
  Type type = ptx::isFloat(token) && bits == 32 ? Type(builder.getF32Type())
              : ptx::isFloat(token) && bits == 64
                  ? Type(builder.getF64Type())
                  : builder.getIntegerType(bits);
  const ptx::Operand &base = address.base();
  if (!base.is(Kind::Register) &&
      (!base.is(Kind::Symbol) || base.variable->space != StateSpace::Param))
    return error(base.loc, "expected a parameter, got '" + base.name + "'");
  Value guard = readGuard(instruction);
  ArrayRef<ptx::Operand> lanes =
      data.is(Kind::Vector) ? data.elements : ArrayRef(data);
  for (auto [i, lane] : llvm::enumerate(lanes)) {
    uint64_t extra = i * bits / 8;
    if (!isLoad) {
      auto value = readScalar(lane, token, type);
      if (failed(value) ||
          failed(storeParameter(address, extra, convert(*value, type), guard)))
        return failure();
      continue;
    }
    if (lane.is(Kind::Sink))
      continue;
    if (lane.variable->vectorWidth > 1 && lane.suffix.empty())
      return error(lane.loc, "cannot import a whole vector register yet: name "
                             "its components");
    auto value = loadParameter(address, extra, type);
    if (failed(value))
      return failure();
    writeRegister(lane, *value, ptx::isSignedInteger(token), guard);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

/// The type of the result for a register, or for `_`.
Type FunctionImporter::destinationType(const ptx::Operand &operand,
                                       const ptx::OperandSpec &spec,
                                       Type lone) const {
  Token token = spec.type;
  unsigned want = ptx::bitWidth(token);
  MLIRContext *context = &parent.context;
  if (!operand.is(Kind::Register)) {
    if (token == Token::none)
      return lone ? lone : IntegerType::get(context, 32);
    if (token == Token::f32)
      return Float32Type::get(context);
    if (token == Token::f64)
      return Float64Type::get(context);
    return IntegerType::get(context, want == 1 ? 1 : std::max(16u, want));
  }
  Type own = parent.typeOf(operand.variable->type);
  unsigned have = own.getIntOrFloatBitWidth();
  if (token == Token::none)
    return own;
  if (want > 1 && want < 16)
    return have == 64 ? IntegerType::get(context, 32) : own;
  bool takesFloat = ptx::isBits(token) ||
                    (ptx::isFloat(token) && ptx::packedElements(token) == 1);
  if (have == want && (takesFloat || !isa<FloatType>(own)))
    return own;
  return IntegerType::get(context, want);
}

LogicalResult
FunctionImporter::collectDestinations(const ptx::Operand &operand,
                                      const ptx::OperandSpec &spec, Type lone,
                                      SmallVectorImpl<Destination> &result) {
  ArrayRef<ptx::Operand> registers =
      operand.is(Kind::Vector) || operand.is(Kind::Pair) ? operand.elements
                                                         : ArrayRef(operand);
  for (auto [i, element] : llvm::enumerate(registers)) {
    if (element.is(Kind::Register) && element.variable->vectorWidth > 1 &&
        element.suffix.empty())
      return error(element.loc, "cannot import a whole vector register yet: "
                                "name its components");
    if (element.is(Kind::Register) && element.variable->vectorWidth == 1 &&
        !element.suffix.empty())
      return error(element.loc, "cannot import a part of a register yet");
    if (!element.is(Kind::Register) && !element.is(Kind::Sink))
      return error(element.loc, "expected a register or '_'");
    bool isPredicate = spec.kind == OperandKind::Predicate ||
                       (spec.kind == OperandKind::PredicatePair &&
                        (i == 1 || spec.type == Token::none));
    result.push_back({&element, isPredicate
                                    ? builder.getI1Type()
                                    : destinationType(element, spec, lone)});
  }
  return success();
}

/// A result that is its register was guarded by the op; others are here.
LogicalResult
FunctionImporter::writeResults(const ptx::Instruction &instruction,
                               ArrayRef<Destination> destinations,
                               ValueRange results, Value guard) {
  bool isSigned = ptx::isSignedInteger(instruction.resolved->get(Mod::type));
  for (auto [destination, value] : llvm::zip_equal(destinations, results)) {
    const ptx::Operand &target = *destination.operand;
    if (target.is(Kind::Sink))
      continue;
    bool isWhole = destination.type == parent.typeOf(target.variable->type);
    writeRegister(target, value, isSigned, isWhole ? Value() : guard);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All others
//===----------------------------------------------------------------------===//

/// Of a mov that packs or unpacks: the type of a value that has no register.
static Type partType(const ptx::Instruction &instruction, OpBuilder &builder) {
  if (instruction.resolved->opcode() != Opcode::mov)
    return {};
  unsigned whole = ptx::bitWidth(instruction.resolved->get(Mod::type));
  for (const ptx::Operand &operand : instruction.operands)
    if (operand.is(Kind::Vector))
      return builder.getIntegerType(whole / operand.elements.size());
  return {};
}

LogicalResult
FunctionImporter::importPlain(const ptx::Instruction &instruction) {
  const ptx::ResolvedInstruction &resolved = *instruction.resolved;
  if (isMoveOfValue(instruction))
    return importMove(instruction);
  Opcode opcode = resolved.opcode();
  if (isParamSpace(resolved.get(Mod::space))) {
    if (opcode == Opcode::ld || opcode == Opcode::st)
      return importParamAccess(instruction);
    return error(instruction.opcodeLoc, "cannot import '" + instruction.opcode +
                                            "', which is of the .param space, "
                                            "yet");
  }
  SmallVector<ptx::OperandSpec, 8> specs =
      ptx::matchOperands(instruction, parent.source.addressSize);
  SmallVector<Value> inputs;
  SmallVector<Destination> destinations;
  Type lone = partType(instruction, builder);
  for (auto [operand, spec] : llvm::zip_equal(instruction.operands, specs)) {
    if (spec.lanes == 0 && operand.is(Kind::Vector))
      spec.type = Token::none; // what is packed has types of its own
    if (spec.kind == OperandKind::Label || spec.kind == OperandKind::Symbol)
      return error(operand.loc, "cannot import the operand '" + spec.name +
                                    "' of '" + instruction.opcode + "' yet");
    if (spec.access != Access::Read && !spec.onlySink &&
        failed(collectDestinations(operand, spec, lone, destinations)))
      return failure();
    if (spec.access != Access::Write &&
        failed(readOperand(operand, spec, lone, inputs)))
      return failure();
  }
  SmallVector<Type> types;
  SmallVector<Value> otherwise;
  Value guard = readGuard(instruction);
  for (const Destination &destination : destinations) {
    types.push_back(destination.type);
    if (!guard)
      continue;
    const ptx::Operand &target = *destination.operand;
    bool isWhole = target.is(Kind::Register) &&
                   destination.type == parent.typeOf(target.variable->type);
    Value old =
        isWhole ? Value(LLVM::LoadOp::create(builder, loc, destination.type,
                                             slotOf(target)))
                : Value(LLVM::UndefOp::create(builder, loc, destination.type));
    otherwise.push_back(old);
  }
  // Errors of the verifier name the place in this text.
  auto created =
      PtxOp::create(builder, parent.locOf(instruction.opcodeLoc), types,
                    instruction.opcode, inputs, guard, otherwise);
  if (failed(created.verify()))
    return failure();
  created->setLoc(loc);
  return writeResults(instruction, destinations, created->getResults(), guard);
}

} // namespace tirx
