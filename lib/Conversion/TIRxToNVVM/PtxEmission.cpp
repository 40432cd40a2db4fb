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

#include "IndexMath.h"
#include "KernelConversion.h"
#include "LocalIndices.h"
#include "PtxAsm.h"
#include "PtxToNVVM.h"
#include "TIRx/PTX/Table.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tirx {

namespace {
/// One operand of the instruction with the values that the op gives for it.
struct BoundOperand {
  ptx::OperandSpec spec;
  SmallVector<Value> inputs;
  /// Numbers of the op's results that it writes.
  SmallVector<unsigned> outputs;
};

/// Writes the text of one instruction.
class Emission {
public:
  Emission(PtxOp op, const ptx::ResolvedInstruction &instruction)
      : op(op), instruction(instruction), builder(op),
        assembly(builder, op.getLoc()) {}

  LogicalResult run();

private:
  LogicalResult bind();
  /// Values that one operand takes: registers in braces, both halves of a pair.
  unsigned width(const ptx::OperandSpec &spec, unsigned remaining) const;
  FailureOr<std::string> textOf(const BoundOperand &operand);
  LogicalResult checkTypes();

  PtxOp op;
  const ptx::ResolvedInstruction &instruction;
  OpBuilder builder;
  AsmBuilder assembly;
  SmallVector<BoundOperand> bound;
  SmallVector<std::string> outputNames;
};
} // namespace

unsigned Emission::width(const ptx::OperandSpec &spec,
                         unsigned remaining) const {
  if (spec.lanes == 0)
    return remaining;
  if (spec.kind == ptx::OperandKind::TensorAddress)
    return 1 + spec.lanes;
  return spec.lanes;
}

/// Deals the op's inputs and results to the instruction's operands in order. An
/// optional operand gets values only where there are more than the others need.
LogicalResult Emission::bind() {
  auto specs = ptx::operands(instruction);
  auto isRead = [](const ptx::OperandSpec &spec) {
    return spec.access != ptx::Access::Write;
  };
  auto isWritten = [](const ptx::OperandSpec &spec) {
    return spec.access != ptx::Access::Read;
  };
  auto needed = [&](auto which) {
    unsigned count = 0;
    for (const ptx::OperandSpec &spec : specs)
      if (which(spec) && !spec.optional)
        count += width(spec, 0);
    return count;
  };
  unsigned numInputs = op.getInputs().size(), numOutputs = op.getNumResults();
  int spareInputs = int(numInputs) - int(needed(isRead));
  int spareOutputs = int(numOutputs) - int(needed(isWritten));
  unsigned nextInput = 0, nextOutput = 0;
  for (const ptx::OperandSpec &spec : specs) {
    BoundOperand operand{spec, {}, {}};
    auto deal = [&](unsigned total, unsigned &next, int &spare, auto take) {
      unsigned count = width(spec, std::max(spare, 0));
      if (spec.optional && int(count) > spare)
        return false;
      if (spec.optional || spec.lanes == 0)
        spare -= count;
      for (unsigned i = 0; i < count && next < total; ++i)
        take(next++);
      return true;
    };
    bool present = true;
    if (isRead(spec))
      present &= deal(numInputs, nextInput, spareInputs, [&](unsigned i) {
        operand.inputs.push_back(op.getInputs()[i]);
      });
    if (isWritten(spec) && present)
      present &= deal(numOutputs, nextOutput, spareOutputs,
                      [&](unsigned i) { operand.outputs.push_back(i); });
    if (present)
      bound.push_back(std::move(operand));
  }
  if (nextInput != numInputs || nextOutput != numOutputs)
    return op.emitOpError()
           << "expected " << nextInput << " operands and " << nextOutput
           << " results, got " << numInputs << " and " << numOutputs;
  return success();
}

LogicalResult Emission::checkTypes() {
  for (Type type : op->getOperandTypes())
    if (!type.isIndex() && !AsmBuilder::isRegisterType(type))
      return op.emitOpError()
             << "expected operands that fit a register of 8 to "
                "128 bits, got "
             << type;
  for (Type type : op->getResultTypes())
    if (type.isIndex() || !AsmBuilder::isRegisterType(type))
      return op.emitOpError() << "expected results that fit a register of 8 to "
                                 "128 bits, got "
                              << type;
  return success();
}

/// `a`, or `{a, b, c, d}` where the table asks for several.
static std::string braced(ArrayRef<std::string> names, bool alwaysBrace) {
  if (names.size() == 1 && !alwaysBrace)
    return names.front();
  return "{" + llvm::join(names, ", ") + "}";
}

FailureOr<std::string> Emission::textOf(const BoundOperand &operand) {
  using ptx::OperandKind;
  OperandKind kind = operand.spec.kind;
  SmallVector<std::string> names;
  for (unsigned output : operand.outputs)
    names.push_back(outputNames[output]);
  if (kind == OperandKind::Immediate) {
    std::optional<int64_t> value =
        operand.inputs.empty() ? std::nullopt
                               : evaluateConstant(operand.inputs.front());
    if (!value)
      return op.emitOpError()
             << "expected a constant for the immediate operand '"
             << operand.spec.name << "'";
    return std::to_string(*value);
  }
  if (kind == OperandKind::Label || kind == OperandKind::Symbol)
    return op.emitOpError() << "has the operand '" << operand.spec.name
                            << "', a label or symbol, which is not a value";
  if (operand.outputs.empty())
    for (Value input : operand.inputs)
      names.push_back(assembly.input(input));
  switch (kind) {
  case OperandKind::PredicatePair:
    return llvm::join(names, "|");
  case OperandKind::Address:
    return "[" + names.front() + "]";
  case OperandKind::TensorAddress:
    return "[" + names.front() + ", " +
           braced(ArrayRef(names).drop_front(), /*alwaysBrace=*/true) + "]";
  default:
    return braced(names,
                  /*alwaysBrace=*/operand.spec.lanes == 0 && names.size() > 1);
  }
}

LogicalResult Emission::run() {
  if (failed(checkTypes()) || failed(bind()))
    return failure();
  for (Type type : op->getResultTypes())
    outputNames.push_back(assembly.output(type));
  // A register that the instruction also reads, or keeps under a false guard.
  for (const BoundOperand &operand : bound)
    for (auto [i, output] : llvm::enumerate(operand.outputs)) {
      if (operand.spec.access == ptx::Access::ReadWrite)
        assembly.tiedInput(operand.inputs[i], output);
      else if (op.getPredicate())
        assembly.tiedInput(op.getOtherwise()[output], output);
    }
  SmallVector<std::string> texts;
  for (const BoundOperand &operand : bound) {
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
  SmallVector<Value> results = assembly.emit(text + ";");
  op->replaceAllUsesWith(results);
  return success();
}

LogicalResult emitPtx(PtxOp op) {
  auto instruction = ptx::resolve(op.getInstruction());
  if (!instruction)
    return op.emitOpError(llvm::toString(instruction.takeError()));
  if (emitAsNVVM(op, *instruction))
    return success();
  return Emission(op, *instruction).run();
}

} // namespace tirx
