//===- AsmText.cpp - what a piece of PTX text does ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/AsmText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tirx::ptx;
using llvm::StringRef;

/// Whether white space or a brace ends a word of a text.
static bool endsWord(char c) {
  return llvm::isSpace(c) || c == '{' || c == '}';
}

/// Takes the statement that `text` begins with, up to its `;`, without braces
/// of blocks and without guard; empty at the end of the text.
static StringRef takeStatement(StringRef &text) {
  text = text.drop_while([](char c) { return endsWord(c) || c == ';'; });
  auto [statement, rest] = text.split(';');
  text = rest;
  if (!statement.starts_with("@"))
    return statement;
  // The predicate may be an operand in braces.
  statement = statement.drop_front().ltrim("! \t\n\r{");
  return statement.drop_until(endsWord).drop_while(endsWord);
}

static void addVolatileReads(StringRef statement, AsmStatements &result) {
  for (size_t at; (at = statement.find('%')) != StringRef::npos;) {
    statement = statement.drop_front(at);
    StringRef name = statement.take_front(
        1 + statement.drop_front()
                .take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
                .size());
    const SpecialRegisterInfo *info = lookupSpecialRegister(name);
    if (info && info->isVolatile)
      result.volatileReads.push_back(name);
    statement = statement.drop_front(name.size());
  }
}

AsmStatements tirx::ptx::readAsmStatements(StringRef text) {
  AsmStatements result;
  result.isComplete =
      !text.contains("//") && !text.contains("/*") && !text.contains('"');
  for (;;) {
    StringRef statement = takeStatement(text);
    if (statement.empty())
      return result;
    StringRef opcode = statement.take_until(endsWord);
    if (opcode == ".reg")
      continue;
    addVolatileReads(statement, result);
    llvm::Expected<ResolvedInstruction> known = resolve(opcode);
    if (known) {
      result.known.push_back(std::move(*known));
      continue;
    }
    llvm::consumeError(known.takeError());
    result.isComplete = false;
  }
}

bool AsmStatements::isPure() const {
  return isComplete && volatileReads.empty() &&
         llvm::all_of(known, [](const ResolvedInstruction &instruction) {
           return effects(instruction).isPure();
         });
}
