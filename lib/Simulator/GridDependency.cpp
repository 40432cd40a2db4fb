//===- GridDependency.cpp - programmatic dependent launches ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridDependency.h"
#include "Decoder.h"
#include "Exec.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

void GridWrites::clear() {
  before.clear();
  changed.clear();
}

void GridWrites::begin(const GlobalMemory &memory) {
  clear();
  memory.forEach([&](const Allocation &allocation) {
    if (!allocation.readOnly)
      before[allocation.base].assign(
          allocation.store.data(), allocation.store.data() + allocation.size());
  });
}

void GridWrites::end(const GlobalMemory &memory) {
  changed.clear();
  memory.forEach([&](const Allocation &allocation) {
    auto it = before.find(allocation.base);
    if (it == before.end() || it->second.size() != allocation.size())
      return;
    const std::vector<uint8_t> &old = it->second;
    const uint8_t *now = allocation.store.data();
    for (uint64_t i = 0; i < old.size(); ++i) {
      if (old[i] == now[i])
        continue;
      uint64_t first = i;
      while (i < old.size() && old[i] != now[i])
        ++i;
      changed[allocation.base + first] = allocation.base + i;
    }
  });
  before.clear();
}

bool GridWrites::overlaps(uint64_t address, uint64_t size) const {
  auto it = changed.lower_bound(address + size);
  return it != changed.begin() && std::prev(it)->second > address;
}

std::string tirx::sim::describeUnseen(uint64_t address, unsigned size) {
  return llvm::formatv("read of {0} bytes at {1:x}: expected "
                       "griddepcontrol.wait before it, got none; the launch "
                       "before wrote there and may not have ended",
                       size, address);
}

/// `a`: wait.
static Step control(Warp &w, const Inst &i, uint32_t /*mask*/) {
  if (!i.a)
    return Step::Next;
  w.seesEarlierGrid = true;
  w.cta.waitedForGrid = true;
  return Step::Next;
}

void tirx::sim::addGridDependencyModels(ModelTable &table) {
  table["griddepcontrol"] = [](InstDecoder &d, Inst &i) {
    i.a = d.has("wait");
    d.accept("launch_dependents");
    i.fn = control;
  };
}
