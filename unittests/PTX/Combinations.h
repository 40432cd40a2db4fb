//===- Combinations.h - all names that a form of the table has --*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A combination is a number: the digits, one a slot, say which choice is
// written. Written apart from `resolve`, which the tests compare with it.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_PTX_COMBINATIONS_H
#define TIRX_UNITTESTS_PTX_COMBINATIONS_H

#include "TIRx/PTX/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <random>

namespace tirx::ptx {

using Tokens = llvm::SmallVector<Token, 8>;

inline unsigned numDigits(const ModifierSlot &slot) {
  return slot.choices.size() + slot.optional;
}

/// How many combinations the form has, illegal ones included.
inline uint64_t numCombinations(const Form &form) {
  uint64_t count = 1;
  for (const ModifierSlot &slot : form.slots)
    count *= numDigits(slot);
  return count;
}

/// What is written for each slot in combination `index`.
inline Tokens combination(const Form &form, uint64_t index) {
  Tokens tokens;
  for (const ModifierSlot &slot : form.slots) {
    unsigned digit = index % numDigits(slot);
    index /= numDigits(slot);
    tokens.push_back(digit == slot.choices.size() ? Token::none
                                                  : slot.choices[digit].token);
  }
  return tokens;
}

/// Whether the restrictions of the form allow these modifiers.
inline bool isLegal(const Form &form, llvm::ArrayRef<Token> tokens) {
  auto hasAny = [&](llvm::ArrayRef<Token> wanted) {
    return llvm::any_of(tokens, [&](Token token) {
      return token != Token::none && llvm::is_contained(wanted, token);
    });
  };
  return llvm::all_of(form.restrictions, [&](const Restriction &rule) {
    return !hasAny(rule.ifAny) || hasAny(rule.needsAny) != rule.excludes;
  });
}

inline std::string nameOf(const InstructionInfo &info,
                          llvm::ArrayRef<Token> tokens) {
  std::string name = info.mnemonic.str();
  for (Token token : tokens)
    if (token != Token::none)
      name += "." + spelling(token).str();
  return name;
}

/// The instruction of that name if the target has it.
inline std::optional<ResolvedInstruction>
findOnTarget(llvm::StringRef name, llvm::StringRef target, unsigned ptx) {
  llvm::Expected<ResolvedInstruction> inst = resolve(name);
  if (!inst) {
    llvm::consumeError(inst.takeError());
    return std::nullopt;
  }
  if (errorToBool(checkTarget(*inst, target, ptx)))
    return std::nullopt;
  return *inst;
}

/// Calls `each` with a name for every choice that the target has: form, slot
/// and choice are its place in the table.
inline void forEachChoice(
    llvm::ArrayRef<InstructionInfo> all, llvm::StringRef target, unsigned ptx,
    std::mt19937 &random,
    llvm::function_ref<void(const InstructionInfo &, size_t form, size_t slot,
                            size_t choice, const ResolvedInstruction &,
                            llvm::StringRef)>
        each) {
  for (const InstructionInfo &info : all)
    for (size_t f = 0; f != info.forms.size(); ++f) {
      const Form &form = info.forms[f];
      for (size_t s = 0; s != std::max<size_t>(1, form.slots.size()); ++s) {
        size_t digits = form.slots.empty() ? 1 : numDigits(form.slots[s]);
        for (size_t c = 0; c != digits; ++c)
          // A few tries: restrictions and targets rule most out for some.
          for (int i = 0; i != 60; ++i) {
            Tokens tokens = combination(form, random());
            if (!form.slots.empty())
              tokens[s] = c == form.slots[s].choices.size()
                              ? Token::none
                              : form.slots[s].choices[c].token;
            if (!isLegal(form, tokens))
              continue;
            std::string name = nameOf(info, tokens);
            if (auto inst = findOnTarget(name, target, ptx)) {
              each(info, f, s, c, *inst, name);
              break;
            }
          }
      }
    }
}

} // namespace tirx::ptx

#endif // TIRX_UNITTESTS_PTX_COMBINATIONS_H
