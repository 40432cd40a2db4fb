//===- PtxEmission.cpp - a tirx.ptx as inline assembly --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction table says which operands an instruction has and how the text
// writes them, so any instruction of the table can be emitted here.
//
//===----------------------------------------------------------------------===//

#include "KernelConversion.h"
#include "LocalIndices.h"
#include "PtxAsm.h"
#include "PtxToNVVM.h"
#include "RegisteredEmission.h"
#include "TIRx/Dialect/TIRx/IR/PtxSignature.h"
#include "TIRx/Dialect/TIRx/IR/Registration.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tirx {
using ptx::OperandKind;

namespace {
/// Writes the text of one instruction.
class Emission {
public:
  Emission(PtxOp op, const ptx::ResolvedInstruction &instruction,
           const PtxSignature &signature)
      : op(op), instruction(instruction), signature(signature), builder(op),
        assembly(builder, op.getLoc()) {}

  LogicalResult run();

private:
  LogicalResult checkTypes();
  void tieOutputs();
  FailureOr<std::string> textOf(const PtxOperand &operand);
  FailureOr<std::string> immediateText(const PtxOperand &operand);

  ValueRange inputsOf(const PtxOperand &operand) {
    return ValueRange(op.getInputs())
        .slice(operand.firstInput, operand.numInputs);
  }

  PtxOp op;
  const ptx::ResolvedInstruction &instruction;
  const PtxSignature &signature;
  OpBuilder builder;
  AsmBuilder assembly;
  SmallVector<std::string> outputNames;
};
} // namespace

LogicalResult Emission::checkTypes() {
  auto check = [&](TypeRange types, StringRef side) -> LogicalResult {
    for (Type type : types)
      if (type.isIndex() || !AsmBuilder::isRegisterType(type))
        return op.emitOpError()
               << "expected " << side
               << " that fit a register of 1, 8, 16, 32, 64 or "
                  "128 bits, got "
               << type;
    return success();
  };
  if (failed(check(op->getResultTypes(), "results")))
    return failure();
  for (const PtxOperand &operand : signature)
    if (operand.spec.kind != OperandKind::Immediate &&
        failed(check(inputsOf(operand).getTypes(), "operands")))
      return failure();
  return success();
}

/// A register that the instruction also reads, or that keeps its value under a
/// false guard.
void Emission::tieOutputs() {
  for (const PtxOperand &operand : signature)
    for (unsigned i = 0; i < operand.numResults; ++i) {
      unsigned output = operand.firstResult + i;
      if (operand.spec.access == ptx::Access::ReadWrite)
        assembly.tiedInput(inputsOf(operand)[i], output);
      else if (op.getPredicate())
        assembly.tiedInput(op.getOtherwise()[output], output);
    }
}

FailureOr<std::string> Emission::immediateText(const PtxOperand &operand) {
  ValueRange inputs = inputsOf(operand);
  std::optional<int64_t> value =
      inputs.size() == 1 ? evaluateConstant(inputs.front()) : std::nullopt;
  if (value)
    return std::to_string(*value);
  return op.emitOpError() << "expected an integer constant for '"
                          << operand.spec.name << "'";
}

/// Whether the registers must have 8 bits: also the parts that a mov packs;
/// everywhere else ptxas takes wider ones for bytes.
static bool isByte(const ptx::ResolvedInstruction &instruction,
                   const PtxOperand &operand) {
  const ptx::OperandSpec &spec = operand.spec;
  unsigned count = std::max(operand.numInputs, operand.numResults);
  if (instruction.opcode() == ptx::Opcode::mov && spec.lanes == 0 && count > 1)
    return ptx::bitWidth(instruction.get(ptx::Mod::type)) == 8 * count;
  return ptx::bitWidth(spec.type) == 8 &&
         (ptx::isFloat(spec.type) ||
          instruction.opcode() == ptx::Opcode::st_async);
}

/// Whether one register of the operand stands in braces too: matrices (named by
/// one letter in the table) and offsets.
static bool isBraced(const ptx::ResolvedInstruction &instruction,
                     const ptx::OperandSpec &spec) {
  if (spec.name == "offsets")
    return true;
  llvm::StringRef mnemonic = instruction.info().mnemonic;
  if (mnemonic.starts_with("mma") || mnemonic == "wmma.mma")
    return llvm::StringRef("abcd").contains(spec.name);
  ptx::Family family = instruction.info().family;
  return spec.name == "r" &&
         (family == ptx::Family::Matrix || family == ptx::Family::Tcgen05);
}

/// `a`, or `{a, b, c, d}` for several registers.
static std::string braced(ArrayRef<std::string> names, bool alwaysBrace) {
  if (names.size() == 1 && !alwaysBrace)
    return names.front();
  return "{" + llvm::join(names, ", ") + "}";
}

FailureOr<std::string> Emission::textOf(const PtxOperand &operand) {
  OperandKind kind = operand.spec.kind;
  if (kind == OperandKind::Immediate)
    return immediateText(operand);
  if (kind == OperandKind::Label || kind == OperandKind::Symbol)
    return op.emitOpError() << "has the operand '" << operand.spec.name
                            << "', a label or symbol, which is not a value";
  if (operand.spec.onlySink)
    return std::string("_");
  SmallVector<std::string> names;
  for (unsigned i = 0; i < operand.numResults; ++i)
    names.push_back(outputNames[operand.firstResult + i]);
  ValueRange inputs = inputsOf(operand);
  if (operand.numResults == 0)
    for (Value input : inputs)
      names.push_back(assembly.input(input, isByte(instruction, operand)));
  switch (kind) {
  case OperandKind::PredicatePair:
    return llvm::join(names, "|");
  case OperandKind::Address:
    return "[" + names.front() + "]";
  case OperandKind::DescriptorOrAddress:
    return inputs.front().getType().isInteger(64) ? names.front()
                                                  : "[" + names.front() + "]";
  case OperandKind::TensorAddress:
    if (names.size() == 1)
      return "[" + names.front() + "]";
    return "[" + names.front() + ", " +
           braced(ArrayRef(names).drop_front(), /*alwaysBrace=*/true) + "]";
  default:
    return braced(names, isBraced(instruction, operand.spec));
  }
}

LogicalResult Emission::run() {
  if (failed(checkTypes()))
    return failure();
  for (const PtxOperand &operand : signature)
    for (unsigned i = 0; i < operand.numResults; ++i)
      outputNames.push_back(
          assembly.output(op->getResult(operand.firstResult + i).getType(),
                          isByte(instruction, operand)));
  tieOutputs();
  SmallVector<std::string> texts;
  for (const PtxOperand &operand : signature) {
    auto text = textOf(operand);
    if (failed(text))
      return failure();
    texts.push_back(std::move(*text));
  }
  std::string text;
  if (op.getPredicate())
    text = "@" + assembly.input(op.getPredicate()) + " ";
  text += ptx::print(instruction);
  if (!texts.empty())
    text += " " + llvm::join(texts, ", ");
  bool isPure = ptx::effects(instruction).isPure();
  op->replaceAllUsesWith(assembly.emit(text + ";", isPure));
  return success();
}

LogicalResult emitPtx(PtxOp op) {
  auto known = getSignature(op);
  if (!known) {
    if (InstructionOp own = lookupInstruction(op, op.getInstruction())) {
      llvm::consumeError(known.takeError());
      return emitRegistered(op, own);
    }
    return op.emitOpError(llvm::toString(known.takeError()));
  }
  auto &[instruction, signature] = *known;
  if (emitAsNVVM(op, instruction))
    return success();
  return Emission(op, instruction, signature).run();
}

} // namespace tirx
