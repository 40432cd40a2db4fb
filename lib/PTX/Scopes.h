//===- Scopes.h - what a name means in PTX text -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One hash table holds what each name means now; a scope that closes restores
// what it has hidden. `%r<10>` is one entry, `%r`, beside those of whole names.
//
// Nearly every name of a text is a register of a range, so that one lookup
// should find it: the entry of `%r` knows whether another declaration could
// mean a name such as %r12 too.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_PTX_SCOPES_H
#define TIRX_LIB_PTX_SCOPES_H

#include "TIRx/PTX/AST.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace tirx::ptx {

class Scopes {
public:
  struct Found {
    const Variable *variable = nullptr;
    uint32_t index = 0;
  };

  void open() {
    starts.push_back(undo.size());
    numberedStarts.push_back(numbered.size());
  }
  void close();
  unsigned depth() const { return starts.size(); }

  /// Declares a variable in the innermost scope. Returns one of that scope with
  /// the same name if there is one (and then replaces it).
  const Variable *declare(const Variable *variable);
  Found find(llvm::StringRef name) const;
  /// A single register of the innermost scope that the range has too, or null.
  const Variable *findCovered(const Variable &range) const;
  /// Is it declared in the innermost scope?
  bool isInnermost(const Variable *variable) const;

private:
  struct Entry {
    const Variable *variable = nullptr;
    unsigned depth = 0;
    /// In `ranges`: a single name, or a range whose name ends in digits, begins
    /// like this and goes on with digits. Stays when its scope closes.
    bool isAmbiguous = false;
    /// What it hides: the entry of this number in `undo`, from 1; 0: nothing. A
    /// range hides only the registers that it has.
    uint32_t hidden = 0;
  };
  using Table = llvm::DenseMap<llvm::CachedHashStringRef, Entry>;
  struct Undo {
    Table *table;
    llvm::CachedHashStringRef name;
    Entry entry;
  };

  /// The innermost of the ranges of one name that has this register.
  const Entry *findCovering(const Entry &entry, uint32_t index) const;
  void noteAmbiguity(const Variable &variable);
  Found findAmbiguous(llvm::StringRef name, size_t stem) const;

  Table names, ranges;
  std::vector<Undo> undo;
  /// Single registers whose names end in digits, of all open scopes.
  std::vector<const Variable *> numbered;
  std::vector<size_t> numberedStarts;
  std::vector<size_t> starts;
};

} // namespace tirx::ptx

#endif // TIRX_LIB_PTX_SCOPES_H
