//===- Scopes.cpp - what a name means in PTX text -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scopes.h"

using namespace tirx::ptx;
using llvm::StringRef;

void Scopes::close() {
  size_t start = starts.back();
  starts.pop_back();
  while (undo.size() != start) {
    const Undo &last = undo.back();
    if (last.entry.variable)
      (*last.table)[last.name] = last.entry;
    else
      last.table->erase(last.name);
    undo.pop_back();
  }
}

const Variable *Scopes::declare(const Variable *variable) {
  Table &table = variable->rangeCount ? ranges : names;
  llvm::CachedHashStringRef key(variable->name);
  Entry &entry = table[key];
  const Variable *previous = entry.depth == depth() ? entry.variable : nullptr;
  if (!previous && !starts.empty())
    undo.push_back({&table, key, entry});
  entry = {variable, depth()};
  return previous;
}

/// The number that a range gives its register: "12", not "012". False for
/// other texts.
static bool parseIndex(StringRef digits, uint32_t &index) {
  if (digits.size() > 9 || (digits.size() > 1 && digits[0] == '0'))
    return false;
  index = 0;
  for (char c : digits)
    index = index * 10 + (c - '0');
  return true;
}

bool Scopes::isInnermost(const Variable *variable) const {
  const Table &table = variable->rangeCount ? ranges : names;
  auto entry = table.find(llvm::CachedHashStringRef(variable->name));
  return entry != table.end() && entry->second.variable == variable &&
         entry->second.depth == depth();
}

Scopes::Found Scopes::find(StringRef name) const {
  Found found;
  unsigned depth = 0;
  auto exact = names.find(llvm::CachedHashStringRef(name));
  if (exact != names.end()) {
    found.variable = exact->second.variable;
    depth = exact->second.depth;
  }
  // "%r12" may be register 12 of `%r<20>` and register 2 of `%r1<5>`.
  for (size_t length = name.rtrim("0123456789").size(); length < name.size();
       ++length) {
    auto range =
        ranges.find(llvm::CachedHashStringRef(name.take_front(length)));
    uint32_t index;
    if (range == ranges.end() ||
        (found.variable && range->second.depth <= depth) ||
        !parseIndex(name.drop_front(length), index) ||
        index >= range->second.variable->rangeCount)
      continue;
    found = {range->second.variable, index};
    depth = range->second.depth;
  }
  return found;
}
