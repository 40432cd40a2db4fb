//===- RegisteredEmission.cpp - text of the user's instructions -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisteredEmission.h"
#include "LocalIndices.h"
#include "PtxAsm.h"
#include "TIRx/Dialect/TIRx/IR/Registration.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tirx {

std::string
substituteOperands(StringRef text,
                   llvm::function_ref<std::string(StringRef)> replace) {
  std::string result;
  size_t from = 0;
  while (std::optional<Placeholder> found = findPlaceholder(text, from)) {
    result += text.slice(from, found->begin);
    result += replace(found->name);
    from = found->end();
  }
  return result + text.substr(from).str();
}

/// Whether a guard in front of the text guards all of it.
static bool isOneStatement(StringRef text) {
  text = text.trim();
  return !text.starts_with("{") && text.count(';') == 1;
}

/// `$` begins an operand of inline assembly; the author's own is doubled.
static std::string escape(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '$' ? "$$" : std::string(1, c);
  return result;
}

static std::string braced(ArrayRef<std::string> names) {
  return names.size() == 1 ? names.front()
                           : "{" + llvm::join(names, ", ") + "}";
}

namespace {
class RegisteredEmission {
public:
  RegisteredEmission(PtxOp op, InstructionOp instruction)
      : op(op), instruction(instruction), builder(op),
        assembly(builder, op.getLoc(), "tirx_p") {}

  LogicalResult run();

private:
  void declareOutputs();
  LogicalResult passInputs();
  LogicalResult passImmediate(OperandAttr operand, Value value);

  PtxOp op;
  InstructionOp instruction;
  OpBuilder builder;
  AsmBuilder assembly;
  /// How the text names each operand.
  llvm::StringMap<std::string> names;
};
} // namespace

/// Results come first; what is read as well, or keeps its value under a false
/// guard, is tied to them.
void RegisteredEmission::declareOutputs() {
  SmallVector<Value> tied;
  unsigned input = 0, output = 0;
  for (OperandAttr operand : instruction.getInstructionOperands()) {
    unsigned count = operand.getNumRegisters();
    if (operand.isWritten()) {
      SmallVector<std::string> registers;
      for (unsigned i = 0; i < count; ++i, ++output) {
        registers.push_back(assembly.output(operand.getRegisterType()));
        tied.push_back(operand.isRead()    ? op.getInputs()[input + i]
                       : op.getPredicate() ? op.getOtherwise()[output]
                                           : Value());
      }
      names[operand.getName()] = braced(registers);
    }
    input += operand.isRead() ? count : 0;
  }
  for (auto [index, value] : llvm::enumerate(tied))
    if (value)
      assembly.tiedInput(value, index);
}

LogicalResult RegisteredEmission::passImmediate(OperandAttr operand,
                                                Value value) {
  std::optional<int64_t> constant = evaluateConstant(value);
  if (constant && value.getType().isInteger(1))
    constant = *constant & 1;
  if (!constant)
    return op.emitOpError("expected an integer constant for '")
           << operand.getName() << "'";
  names[operand.getName()] = std::to_string(*constant);
  return success();
}

LogicalResult RegisteredEmission::passInputs() {
  unsigned next = 0;
  for (OperandAttr operand : instruction.getInstructionOperands()) {
    if (!operand.isRead())
      continue;
    ValueRange values =
        ValueRange(op.getInputs()).slice(next, operand.getNumRegisters());
    next += operand.getNumRegisters();
    if (operand.isWritten())
      continue;
    if (operand.getRole() == OperandRole::Imm) {
      if (failed(passImmediate(operand, values.front())))
        return failure();
      continue;
    }
    SmallVector<std::string> registers;
    for (Value value : values)
      registers.push_back(assembly.input(value));
    names[operand.getName()] = braced(registers);
  }
  return success();
}

LogicalResult RegisteredEmission::run() {
  std::string text = instruction.getEmittedText();
  if (!isOneStatement(text))
    assembly.setEarlyClobber();
  declareOutputs();
  if (failed(passInputs()))
    return failure();
  std::string guard;
  if (op.getPredicate()) {
    if (!isOneStatement(text))
      return op.emitOpError("expected no guard on an instruction whose text is "
                            "more than one statement: branch around it");
    guard = "@" + assembly.input(op.getPredicate()) + " ";
  }
  text = substituteOperands(escape(text),
                            [&](StringRef name) { return names.lookup(name); });
  // LLVM may copy the text and the program may use it twice: what it declares
  // is local to each.
  if (instruction.getText())
    text = "{ " + guard + text + " }";
  bool isPure = !instruction.getEffectList() && !instruction.getConvergent() &&
                !instruction.getOrders();
  op->replaceAllUsesWith(
      assembly.emit(instruction.getText() ? text : guard + text, isPure));
  return success();
}

LogicalResult emitRegistered(PtxOp op, InstructionOp instruction) {
  return RegisteredEmission(op, instruction).run();
}

} // namespace tirx
