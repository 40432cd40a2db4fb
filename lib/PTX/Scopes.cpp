//===- Scopes.cpp - what a name means in PTX text -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scopes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tirx::ptx;
using llvm::StringRef;

void Scopes::close() {
  size_t start = starts.back();
  starts.pop_back();
  numbered.resize(numberedStarts.back());
  numberedStarts.pop_back();
  while (undo.size() != start) {
    const Undo &last = undo.back();
    Entry &entry = (*last.table)[last.name];
    bool isAmbiguous = entry.isAmbiguous;
    entry = last.entry;
    entry.isAmbiguous = isAmbiguous;
    undo.pop_back();
  }
}

const Variable *Scopes::declare(const Variable *variable) {
  Table &table = variable->rangeCount ? ranges : names;
  llvm::CachedHashStringRef key(variable->name);
  Entry &entry = table[key];
  const Variable *previous = entry.depth == depth() ? entry.variable : nullptr;
  if (!previous && !starts.empty()) {
    undo.push_back({&table, key, entry});
    entry.hidden = undo.size();
  }
  entry.variable = variable;
  entry.depth = depth();
  noteAmbiguity(*variable);
  return previous;
}

/// The number that a range gives its register; "012" is 12 for ptxas too. False
/// where it is larger than any range.
static bool parseIndex(StringRef digits, uint32_t &index) {
  if (digits.size() > 9)
    return false;
  index = 0;
  for (char c : digits)
    index = index * 10 + (c - '0');
  return true;
}

/// The length of a name without the digits at its end.
static size_t stemLength(StringRef name) {
  size_t length = name.size();
  while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
    --length;
  return length;
}

void Scopes::noteAmbiguity(const Variable &variable) {
  size_t stem = stemLength(variable.name);
  if (stem == variable.name.size())
    return;
  if (!variable.rangeCount && variable.space == StateSpace::Reg)
    numbered.push_back(&variable);
  ranges[llvm::CachedHashStringRef(variable.name.take_front(stem))]
      .isAmbiguous = true;
}

const Variable *Scopes::findCovered(const Variable &range) const {
  if (!range.rangeCount)
    return nullptr;
  size_t start = numberedStarts.empty() ? 0 : numberedStarts.back();
  for (const Variable *variable : llvm::ArrayRef(numbered).drop_front(start)) {
    StringRef digits = variable->name;
    uint32_t index;
    if (digits.consume_front(range.name) && !digits.empty() &&
        llvm::all_of(digits, llvm::isDigit) && parseIndex(digits, index) &&
        index < range.rangeCount)
      return variable;
  }
  return nullptr;
}

bool Scopes::isInnermost(const Variable *variable) const {
  const Table &table = variable->rangeCount ? ranges : names;
  auto entry = table.find(llvm::CachedHashStringRef(variable->name));
  return entry != table.end() && entry->second.variable == variable &&
         entry->second.depth == depth();
}

Scopes::Found Scopes::find(StringRef name) const {
  size_t stem = stemLength(name);
  if (stem == name.size()) {
    auto exact = names.find(llvm::CachedHashStringRef(name));
    return {exact == names.end() ? nullptr : exact->second.variable, 0};
  }
  auto range = ranges.find(llvm::CachedHashStringRef(name.take_front(stem)));
  if (range == ranges.end())
    return {}; // what could mean it would have made an entry
  const Entry &entry = range->second;
  if (entry.isAmbiguous)
    return findAmbiguous(name, stem);
  uint32_t index;
  if (!parseIndex(name.drop_front(stem), index))
    return {};
  const Entry *covering = findCovering(entry, index);
  return covering ? Found{covering->variable, index} : Found();
}

const Scopes::Entry *Scopes::findCovering(const Entry &innermost,
                                          uint32_t index) const {
  const Entry *entry = &innermost;
  while (entry->variable && index >= entry->variable->rangeCount) {
    if (!entry->hidden)
      return nullptr;
    entry = &undo[entry->hidden - 1].entry;
  }
  return entry->variable ? entry : nullptr;
}

/// The range with the shortest name, wherever it is, as ptxas does; unless the
/// whole name is declared in a scope further in.
Scopes::Found Scopes::findAmbiguous(StringRef name, size_t stem) const {
  Found found;
  unsigned depth = 0;
  auto exact = names.find(llvm::CachedHashStringRef(name));
  if (exact != names.end() && exact->second.variable) {
    found.variable = exact->second.variable;
    depth = exact->second.depth;
  }
  // "%r12" may be register 12 of `%r<20>` and register 2 of `%r1<5>`.
  for (size_t length = stem; length < name.size(); ++length) {
    auto range =
        ranges.find(llvm::CachedHashStringRef(name.take_front(length)));
    uint32_t index;
    if (range == ranges.end() || !parseIndex(name.drop_front(length), index))
      continue;
    const Entry *covering = findCovering(range->second, index);
    if (!covering)
      continue;
    if (!found.variable || covering->depth > depth)
      found = {covering->variable, index};
    break;
  }
  return found;
}
