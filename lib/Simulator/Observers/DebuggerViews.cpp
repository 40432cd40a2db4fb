//===- DebuggerViews.cpp - looks at a paused grid -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebuggerState.h"
#include "TIRx/Simulator/RegisterValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;
using llvm::Error;
using llvm::Expected;

static Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

static Error noWarp() {
  return fail("expected a warp that runs; select one by cta and warp");
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

Error Debugger::selectCta(uint64_t linear) {
  for (Cta *cta : state->ctas)
    if (cta->linear == linear) {
      auto live = llvm::find_if(cta->warps,
                                [](const auto &warp) { return warp->live; });
      state->selected =
          live == cta->warps.end() ? cta->warps[0].get() : live->get();
      return Error::success();
    }
  return fail("expected a CTA that runs, got " + llvm::Twine(linear));
}

Error Debugger::selectWarp(unsigned index) {
  if (!state->selected)
    return noWarp();
  auto &warps = state->selected->cta.warps;
  if (index >= warps.size())
    return fail("expected a warp from 0 to " + llvm::Twine(warps.size() - 1) +
                ", got " + llvm::Twine(index));
  state->selected = warps[index].get();
  return Error::success();
}

uint64_t Debugger::getCta() const {
  return state->selected ? state->selected->cta.linear : 0;
}
unsigned Debugger::getWarp() const {
  return state->selected ? state->selected->index : 0;
}

std::vector<uint64_t> Debugger::getCtas() const {
  std::vector<uint64_t> numbers;
  for (const Cta *cta : state->ctas)
    numbers.push_back(cta->linear);
  return numbers;
}

const Module *Debugger::getModule() const { return state->module; }

Expected<Fragment *> Debugger::State::find(std::optional<unsigned> lane) const {
  if (!selected)
    return noWarp();
  if (!lane && selected->running && selected->running->mask)
    return selected->running;
  for (Fragment &fragment : selected->fragments)
    if (lane ? *lane < 32 && fragment.mask >> *lane & 1 : fragment.mask != 0)
      return &fragment;
  if (lane && *lane < 32 && selected->live >> *lane & 1)
    return fail("lane " + llvm::Twine(*lane) +
                " waits for the lanes that it diverged from");
  if (lane)
    return fail("expected a lane that runs, got " + llvm::Twine(*lane));
  return fail("all lanes of warp " + llvm::Twine(selected->index) +
              " have ended or wait for each other");
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Expected<Position> Debugger::getPosition(std::optional<unsigned> lane) const {
  auto fragment = state->find(lane);
  if (!fragment)
    return fragment.takeError();
  const Cta &cta = state->selected->cta;
  const Inst *inst = &state->kernel->code[(*fragment)->pc];
  Place place = cta.grid.placeOf(inst, &cta, state->selected->index, -1);
  Position position;
  position.lanes = (*fragment)->mask;
  position.ptxLine = place.ptxLine;
  position.text = place.ptxText;
  position.file = place.file;
  position.line = place.line;
  position.function = (*fragment)->frame->function->name;
  return position;
}

std::vector<std::string> Debugger::where() const {
  std::vector<std::string> lines;
  if (!state->selected)
    return lines;
  for (const auto &warp : state->selected->cta.warps)
    if (warp->live)
      warp->describeWaits(lines);
    else
      lines.push_back(llvm::formatv("cta ({0}, {1}, {2}) warp {3} has ended",
                                    warp->cta.id[0], warp->cta.id[1],
                                    warp->cta.id[2], warp->index));
  return lines;
}

Expected<std::vector<std::string>>
Debugger::backtrace(std::optional<unsigned> lane) const {
  auto fragment = state->find(lane);
  if (!fragment)
    return fragment.takeError();
  std::vector<std::string> calls;
  calls.push_back("in '" + (*fragment)->frame->function->name + "'");
  // describeCalls follows the running fragment.
  Warp &warp = *state->selected;
  Fragment *before = warp.running;
  warp.running = *fragment;
  warp.describeCalls(lane ? *lane : llvm::countr_zero((*fragment)->mask),
                     calls);
  warp.running = before;
  return calls;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Expected<std::vector<NamedRegister>>
Debugger::getRegisters(std::optional<unsigned> lane) const {
  auto fragment = state->find(lane);
  if (!fragment)
    return fragment.takeError();
  return (*fragment)->frame->function->names;
}

/// The register of that name, the last one where blocks declare it again.
static Expected<const NamedRegister *> findRegister(const Fragment &fragment,
                                                    llvm::StringRef name) {
  const Function &function = *fragment.frame->function;
  for (const NamedRegister &reg : llvm::reverse(function.names))
    if (reg.name == name)
      return &reg;
  return fail("expected a register that '" + function.name + "' uses, got '" +
              name + "'");
}

Expected<std::array<uint64_t, 2>> Debugger::readRegister(llvm::StringRef name,
                                                         unsigned lane) const {
  auto fragment = state->find(lane);
  if (!fragment)
    return fragment.takeError();
  auto reg = findRegister(**fragment, name);
  if (!reg)
    return reg.takeError();
  return sim::readRegister((*fragment)->frame->registers.get(), **reg, lane);
}

Expected<std::string> Debugger::printRegister(llvm::StringRef name,
                                              std::optional<unsigned> lane,
                                              llvm::StringRef type) const {
  auto fragment = state->find(lane);
  if (!fragment)
    return fragment.takeError();
  auto known = findRegister(**fragment, name);
  if (!known)
    return known.takeError();
  NamedRegister reg = **known;
  if (!type.empty())
    reg.type = type;
  return formatRegister((*fragment)->frame->registers.get(), reg,
                        lane ? 1u << *lane : (*fragment)->mask);
}

Expected<MemoryView> Debugger::readMemory(MemorySpace space, uint64_t address,
                                          uint64_t count, unsigned lane) const {
  if (!state->selected)
    return noWarp();
  Warp &warp = *state->selected;
  Cta &cta = warp.cta;
  const ByteStore *store = nullptr;
  uint64_t offset = address, size = 0;
  std::string name;
  switch (space) {
  case MemorySpace::Global: {
    const Allocation *allocation = cta.grid.memory.find(address, count);
    if (!allocation)
      return fail(llvm::formatv("no allocation has the {0} bytes at {1:x}: {2}",
                                count, address,
                                cta.grid.memory.describe(address)));
    store = &allocation->store;
    offset -= allocation->base;
    size = allocation->size();
    break;
  }
  case MemorySpace::Shared: {
    uint64_t rank = address >> kSharedRankShift;
    if (rank < cta.cluster.size())
      store = &cta.cluster[rank]->shared;
    offset = (address & ((1u << kSharedRankShift) - 1)) - kSharedBase;
    size = store ? store->size() : 0;
    name = cta.describeShared(address);
    break;
  }
  case MemorySpace::Local:
    if (lane >= 32)
      return fail("expected a lane from 0 to 31, got " + llvm::Twine(lane));
    store = &warp.local[lane];
    size = warp.localTop[lane];
    name = llvm::formatv("the lane has {0} bytes", size);
    break;
  }
  if (!store || offset > size || count > size - offset)
    return fail(llvm::formatv("expected {0} bytes inside the memory, got "
                              "address {1:x}: {2}",
                              count, address, name));
  MemoryView view;
  view.bytes.assign(store->data() + offset, store->data() + offset + count);
  for (uint64_t i = 0; i < count; ++i)
    view.written.push_back(store->isWritten(offset + i, 1));
  return view;
}
