//===- AsyncRegisters.cpp - registers of asynchronous work ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncRegisters.h"
#include <algorithm>

using namespace tirx::sim;

AsyncRegisters::Conflict AsyncRegisters::touch(const Frame *frame,
                                               llvm::ArrayRef<Slot> slots,
                                               const Inst *inst) {
  for (Slot slot : slots) {
    auto it = uses.find({frame, slot});
    if (it != uses.end()) {
      if (isInFlight(it->second))
        return describe(it->second);
      uses.erase(it);
    }
    accesses[{frame, slot}] = inst;
  }
  return {};
}

const Inst *AsyncRegisters::findUnfenced(const Frame *frame,
                                         llvm::ArrayRef<Slot> slots) const {
  if (accesses.empty())
    return nullptr;
  for (Slot slot : slots)
    if (const Inst *inst = accesses.lookup({frame, slot}))
      return inst;
  return nullptr;
}

AsyncRegisters::Conflict
AsyncRegisters::findInFlight(const Frame *frame, llvm::ArrayRef<Slot> slots,
                             uint64_t shape) const {
  for (Slot slot : slots) {
    auto it = uses.find({frame, slot});
    if (it == uses.end() || !isInFlight(it->second))
      continue;
    const Use &other = it->second;
    // Two that read A do not disturb each other. Accumulators of another shape
    // need a fence between them.
    bool goesTogether = other.shape && shape
                            ? other.shape == shape || other.fences != fences
                            : other.shape == shape;
    if (!goesTogether)
      return describe(other);
  }
  return {};
}

void AsyncRegisters::use(const Frame *frame, llvm::ArrayRef<Slot> slots,
                         uint64_t shape, const Inst *inst) {
  for (Slot slot : slots)
    uses[{frame, slot}] = {inst, shape, committed, fences};
}

void AsyncRegisters::fence() {
  ++fences;
  accesses.clear();
}

void AsyncRegisters::complete(uint64_t pending) {
  if (committed > pending)
    completed = std::max(completed, committed - pending);
}
