//===- RegistrationText.cpp - rules of the text of an instruction ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegistrationText.h"
#include "TIRx/Dialect/TIRx/IR/Registration.h"
#include "TIRx/PTX/AsmText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tirx;

//===----------------------------------------------------------------------===//
// Form
//===----------------------------------------------------------------------===//

/// The text goes through LLVM's assembly strings and is followed by others on
/// its line.
static LogicalResult verifyCharacters(InstructionOp op, StringRef text) {
  for (char c : text)
    if (!llvm::isPrint(c) && c != '\n' && c != '\t')
      return op.emitOpError("expected a text of printable characters, got 0x")
             << llvm::utohexstr(uint8_t(c), /*LowerCase=*/true);
  for (StringRef part : {"//", "/*", "\"", "#"})
    if (text.contains(part))
      return op.emitOpError("expected a text without comments and strings, "
                            "got '")
             << part << "'";
  return success();
}

static bool isNamePart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$';
}

/// A name of the text's own must be none of those that the compiler gives to
/// registers and predicates, or it would stand for an operand.
static LogicalResult verifyNames(InstructionOp op, StringRef text) {
  for (size_t i = 0; i < text.size();) {
    StringRef name = text.substr(i).take_while(isNamePart);
    bool isRegister = text[i] == '%';
    if (isRegister)
      name =
          text.substr(i, 1 + text.substr(i + 1).take_while(isNamePart).size());
    if (isRegister ? name.size() > 1 && !ptx::lookupSpecialRegister(name)
                   : name.starts_with("tirx_p"))
      return op.emitOpError("expected names of the text's own that do not "
                            "begin with % or tirx_p, as the compiler's do, "
                            "got '")
             << name << "'";
    i += std::max<size_t>(1, name.size());
  }
  return success();
}

/// Blocks close in the order in which they open, and the last statement ends.
static LogicalResult verifyStatements(InstructionOp op, StringRef text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0)
      break;
  }
  if (depth != 0)
    return op.emitOpError("expected a text with a } for each {, got \"")
           << text << "\"";
  StringRef end = text.rtrim();
  if (end.ends_with(";"))
    return success();
  // A `}` ends a block unless it is that of an operand.
  size_t open = end.ends_with("}") ? end.rfind('{') : StringRef::npos;
  bool endsBlock = open != StringRef::npos && end.substr(open).contains(';');
  if (endsBlock)
    return success();
  return op.emitOpError("expected a text that ends with ';' or a block, got \"")
         << text << "\"";
}

static LogicalResult verifyPlaceholders(InstructionOp op, StringRef text) {
  llvm::StringSet<> used;
  size_t from = 0;
  while (std::optional<Placeholder> found = findPlaceholder(text, from)) {
    used.insert(found->name);
    from = found->begin + 1;
  }
  for (OperandAttr operand : op.getInstructionOperands())
    if (!used.erase(operand.getName()))
      return op.emitOpError("expected a text with {")
             << operand.getName() << "} for each operand, got \"" << text
             << "\"";
  if (!used.empty())
    return op.emitOpError("expected a text that names operands, got {")
           << used.begin()->getKey() << "}, which is none";
  return success();
}

LogicalResult tirx::verifyText(InstructionOp op) {
  // (instruction_c3)
  std::string text = op.getEmittedText();
  return failure(failed(verifyPlaceholders(op, text)) ||
                 failed(verifyCharacters(op, text)) ||
                 failed(verifyNames(op, text)) ||
                 failed(verifyStatements(op, text)));
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// Whether `effects` declares an access of the kind at any operand.
static bool declares(InstructionOp op, AccessKind access) {
  return op.getEffectList() &&
         llvm::any_of(
             op.getEffectList()->getAsRange<EffectAttr>(),
             [&](EffectAttr effect) { return effect.getAccess() == access; });
}

/// What must be declared for an instruction and is not, or "".
static StringRef missingEffect(InstructionOp op,
                               const ptx::ResolvedInstruction &instruction) {
  ptx::Effects effects = ptx::effects(instruction);
  if ((effects.flags & ptx::Convergent) && !op.getConvergent())
    return "convergent";
  if (op.getConvergent() || op.getOrders()) // these cover all of memory
    return "";
  if (effects.flags & ptx::Orders)
    return "orders";
  for (const ptx::MemoryEffect &access : effects.memory) {
    if (access.access != ptx::Access::Write && !declares(op, AccessKind::Read))
      return "read";
    if (access.access != ptx::Access::Read && !declares(op, AccessKind::Write))
      return "write";
  }
  // What else it does, no access says.
  return effects.flags && effects.memory.empty() ? "orders" : "";
}

LogicalResult tirx::verifyTextEffects(InstructionOp op) {
  // (instruction_c9)
  std::string text = op.getEmittedText();
  ptx::AsmStatements statements = ptx::readAsmStatements(text);
  for (const ptx::ResolvedInstruction &instruction : statements.known)
    if (StringRef missing = missingEffect(op, instruction); !missing.empty())
      return op.emitOpError("expected effects with '")
             << missing << "', which '" << ptx::print(instruction)
             << "' in the text has";
  if (!statements.volatileReads.empty() && !op.getConvergent() &&
      !op.getOrders())
    return op.emitOpError("expected effects with 'orders' for a text that "
                          "reads ")
           << statements.volatileReads.front() << ", which changes by itself";
  return success();
}
