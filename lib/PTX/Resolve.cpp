//===- Resolve.cpp - from a dotted name to a form of the table ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form is matched in two ways. In the ISA's order: each slot in turn takes
// the next modifier or, if optional, stays empty. Else in any order: each
// modifier goes to the first free slot that has it. The first form that fits
// wins.
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace tirx::ptx;

/// No instruction has nearly as many; longer texts are refused at once.
static constexpr size_t kMaxModifiers = 24;

/// The token by which the slot knows `text`, or none.
static Token findChoice(const ModifierSlot &slot, StringRef text) {
  for (const Choice &choice : slot.choices)
    if (spelling(choice.token) == text ||
        (!choice.alias.empty() && choice.alias == text))
      return choice.token;
  return Token::none;
}

static bool contains(ArrayRef<Token> tokens, ArrayRef<Token> anyOf) {
  return llvm::any_of(
      anyOf, [&](Token token) { return llvm::is_contained(tokens, token); });
}

/// The first restriction that the choices break, or null.
static const Restriction *findBroken(const Form &form, ArrayRef<Token> tokens) {
  for (const Restriction &r : form.restrictions)
    if (contains(tokens, r.ifAny) && contains(tokens, r.needsAny) == r.excludes)
      return &r;
  return nullptr;
}

namespace tirx::ptx {

class Resolver {
public:
  Resolver(const InstructionInfo &info, ArrayRef<StringRef> modifiers)
      : info(info), modifiers(modifiers) {}
  Expected<ResolvedInstruction> run();

private:
  using Tokens = SmallVector<Token, 8>;

  bool tryForms(bool (Resolver::*match)(const Form &));
  bool matchInOrder(const Form &form) { return matchFrom(form, 0, 0); }
  bool matchFrom(const Form &form, size_t slot, size_t modifier);
  bool matchAnyOrder(const Form &form);
  void note(const Form &form, size_t slot, size_t modifier);

  Error explain() const;
  Error unknownModifier(StringRef modifier) const;
  Error missing() const;

  const InstructionInfo &info;
  ArrayRef<StringRef> modifiers;
  Tokens tokens; ///< of the form being tried
  unsigned formIndex = 0;
  const Restriction *broken = nullptr; ///< of the first form that else fits

  // The form that understood most, for the error.
  size_t furthest = 0;
  const Form *furthestForm = nullptr;
  size_t furthestSlot = 0;
  size_t furthestLacking = 0;
};

} // namespace tirx::ptx

/// Remembers the form that took most modifiers, and of several the one that
/// lacks fewest.
void Resolver::note(const Form &form, size_t slot, size_t modifier) {
  size_t lacking = llvm::count_if(form.slots.drop_front(slot),
                                  [](auto &s) { return !s.optional; });
  if (furthestForm && (modifier < furthest ||
                       (modifier == furthest && lacking >= furthestLacking)))
    return;
  furthest = modifier;
  furthestForm = &form;
  furthestSlot = slot;
  furthestLacking = lacking;
}

bool Resolver::matchFrom(const Form &form, size_t slot, size_t modifier) {
  note(form, slot, modifier);
  if (slot == form.slots.size())
    return modifier == modifiers.size();
  const ModifierSlot &s = form.slots[slot];
  if (modifier != modifiers.size()) {
    tokens[slot] = findChoice(s, modifiers[modifier]);
    if (tokens[slot] != Token::none && matchFrom(form, slot + 1, modifier + 1))
      return true;
  }
  tokens[slot] = Token::none;
  return s.optional && matchFrom(form, slot + 1, modifier);
}

/// Whether the place in the text is the meaning: types, the two ends of a copy,
/// the layouts of two matrices.
static bool isPositional(Mod mod, Token token) {
  switch (mod) {
  case Mod::dst:
  case Mod::src:
  case Mod::dst_fmt:
  case Mod::src_fmt:
  case Mod::row:
  case Mod::col:
    return true;
  default:
    return bitWidth(token) != 0;
  }
}

bool Resolver::matchAnyOrder(const Form &form) {
  size_t lastPositional = 0; // one past the slot
  for (StringRef modifier : modifiers) {
    bool placed = false;
    for (size_t i = 0; i != form.slots.size() && !placed; ++i) {
      Token token = findChoice(form.slots[i], modifier);
      bool positional = isPositional(form.slots[i].mod, token);
      if (tokens[i] != Token::none || token == Token::none ||
          (positional && i < lastPositional))
        continue;
      tokens[i] = token;
      placed = true;
      if (positional)
        lastPositional = i + 1;
    }
    if (!placed)
      return false;
  }
  for (size_t i = 0; i != form.slots.size(); ++i)
    if (tokens[i] == Token::none && !form.slots[i].optional)
      return false;
  return true;
}

bool Resolver::tryForms(bool (Resolver::*match)(const Form &)) {
  for (formIndex = 0; formIndex != info.forms.size(); ++formIndex) {
    const Form &form = info.forms[formIndex];
    tokens.assign(form.slots.size(), Token::none);
    if (!(this->*match)(form))
      continue;
    const Restriction *r = findBroken(form, tokens);
    if (!r)
      return true;
    if (!broken)
      broken = r;
  }
  return false;
}

Expected<ResolvedInstruction> Resolver::run() {
  if (!tryForms(&Resolver::matchInOrder) && !tryForms(&Resolver::matchAnyOrder))
    return explain();
  ResolvedInstruction result;
  result.instruction = &info;
  result.formIndex = formIndex;
  result.tokens = tokens;
  return result;
}

// --- Errors ------------------------------------------------------------------

static Error error(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// ".a, .b or .c"; long lists are cut.
static std::string listOf(ArrayRef<StringRef> texts) {
  constexpr size_t limit = 24;
  std::string result;
  for (size_t i = 0; i != texts.size(); ++i) {
    if (i == limit)
      return result + ", ...";
    if (i)
      result += i + 1 == texts.size() ? " or " : ", ";
    result += "'." + texts[i].str() + "'";
  }
  return result;
}

/// " (did you mean 'x'?)" for the nearest of `candidates`, or "".
template <typename Range>
static std::string suggestion(StringRef text, const Range &candidates,
                              StringRef prefix) {
  // Names longer than any of the table are not near one of them, and the
  // distance would cost their square.
  if (text.size() > 64)
    return "";
  unsigned best = std::max<size_t>(2, text.size() / 3) + 1;
  StringRef nearest;
  for (StringRef candidate : candidates) {
    unsigned distance = text.edit_distance(candidate, true, best);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  if (nearest.empty())
    return "";
  return (" (did you mean '" + prefix + nearest + "'?)").str();
}

/// Every modifier of any form, with its other spellings.
static std::set<StringRef> allModifiers(const InstructionInfo &info) {
  std::set<StringRef> result;
  for (const Form &form : info.forms)
    for (const ModifierSlot &slot : form.slots)
      for (const Choice &choice : slot.choices) {
        result.insert(spelling(choice.token));
        if (!choice.alias.empty())
          result.insert(choice.alias);
      }
  return result;
}

/// What may follow `slot` of the form: up to the next slot that must be there.
static SmallVector<StringRef> expectedFrom(const Form &form, size_t slot) {
  SmallVector<StringRef> result;
  for (; slot < form.slots.size(); ++slot) {
    for (const Choice &choice : form.slots[slot].choices)
      result.push_back(spelling(choice.token));
    if (!form.slots[slot].optional)
      break;
  }
  return result;
}

Error Resolver::unknownModifier(StringRef modifier) const {
  std::set<StringRef> known = allModifiers(info);
  SmallVector<StringRef> expected = expectedFrom(*furthestForm, furthestSlot);
  if (known.empty())
    return error("expected no modifier of '" + info.mnemonic + "', got '." +
                 modifier + "'");
  // Where the position allows nothing, all modifiers are the better list.
  if (expected.empty())
    expected.assign(known.begin(), known.end());
  return error("expected a modifier of '" + info.mnemonic + "', one of " +
               listOf(expected) + ", got '." + modifier + "'" +
               suggestion(modifier, known, "."));
}

Error Resolver::missing() const {
  for (size_t i = furthestSlot; i < furthestForm->slots.size(); ++i) {
    const ModifierSlot &slot = furthestForm->slots[i];
    if (slot.optional)
      continue;
    SmallVector<StringRef> choices;
    for (const Choice &choice : slot.choices)
      choices.push_back(spelling(choice.token));
    StringRef after = modifiers.empty() ? "" : modifiers.back();
    return error("expected " + listOf(choices) + " after '" +
                 (after.empty() ? info.mnemonic.str() : "." + after.str()) +
                 "' of '" + info.mnemonic + "', got the end of the name");
  }
  return error("expected another combination of modifiers for '" +
               info.mnemonic + "', got '." + join(modifiers, ".") + "'");
}

Error Resolver::explain() const {
  if (broken)
    return error("expected legal modifiers of '" + info.mnemonic + "', got '." +
                 join(modifiers, ".") + "': " + broken->why);
  std::set<StringRef> known = allModifiers(info);
  for (StringRef modifier : modifiers)
    if (!known.count(modifier))
      return unknownModifier(modifier);
  if (furthest == modifiers.size())
    return missing();
  SmallVector<StringRef> expected = expectedFrom(*furthestForm, furthestSlot);
  StringRef wrong = modifiers[furthest];
  std::string before =
      furthest ? "'." + modifiers[furthest - 1].str() + "'" : "the mnemonic";
  if (expected.empty())
    return error("expected no modifier after " + before + " of '" +
                 info.mnemonic + "', got '." + wrong + "'");
  return error("expected " + listOf(expected) + " after " + before + " of '" +
               info.mnemonic + "', got '." + wrong + "'");
}

static Error unknownInstruction(StringRef text) {
  SmallVector<StringRef> names;
  for (const InstructionInfo &info : instructions())
    names.push_back(info.mnemonic);
  std::string hint = suggestion(text, names, "");
  if (hint.empty())
    hint = suggestion(text.split('.').first, names, "");
  return error("expected a PTX instruction, got '" + text.take_front(80) + "'" +
               hint);
}

/// The instruction whose mnemonic is the longest prefix of whole words.
static const InstructionInfo *findMnemonic(StringRef text) {
  // No mnemonic has more than five words.
  size_t end = 0;
  const InstructionInfo *found = nullptr;
  for (int words = 0; words != 5 && end != StringRef::npos; ++words) {
    end = text.find('.', end + (words != 0));
    if (const InstructionInfo *info = lookup(text.take_front(end)))
      found = info;
  }
  return found;
}

Expected<ResolvedInstruction> tirx::ptx::resolve(StringRef dottedText) {
  const InstructionInfo *info = findMnemonic(dottedText);
  if (!info)
    return unknownInstruction(dottedText);
  StringRef rest = dottedText.drop_front(info->mnemonic.size());
  SmallVector<StringRef, 12> modifiers;
  if (rest.consume_front("."))
    rest.split(modifiers, '.', kMaxModifiers);
  if (modifiers.size() > kMaxModifiers)
    return error("expected at most " + Twine(kMaxModifiers) +
                 " modifiers of '" + info->mnemonic + "', got more");
  return Resolver(*info, modifiers).run();
}
