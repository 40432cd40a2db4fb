//===- Cta.cpp - CTA and grid state ---------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exec.h"
#include "Machine.h"
#include "TIRx/Simulator/LaunchFile.h"
#include "Wgmma.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

/// Bytes for the CUDA runtime: a word of barriers and eight bytes for each of
/// 32 warps, rounded up.
static constexpr uint32_t kRuntimeShared = 512;

Cta::Cta(Grid &grid, std::array<unsigned, 3> id, unsigned rank)
    : grid(grid), id(id), rank(rank) {
  linear =
      id[0] + uint64_t(grid.grid[0]) * (id[1] + uint64_t(grid.grid[1]) * id[2]);
  shared.reset(grid.runtimeSharedEnd);
  if (grid.runtimeShared != grid.runtimeSharedEnd)
    shared.markWritten(grid.runtimeShared,
                       grid.runtimeSharedEnd - grid.runtimeShared);
  unsigned threads = grid.block[0] * grid.block[1] * grid.block[2];
  for (unsigned first = 0; first < threads; first += 32) {
    unsigned count = std::min(32u, threads - first);
    uint32_t lanes = count == 32 ? ~0u : (1u << count) - 1;
    warps.push_back(std::make_unique<Warp>(*this, first / 32, lanes));
  }
  liveWarps = warps.size();
}

Cta::~Cta() = default;

uint32_t Cta::liveThreads() const {
  uint32_t count = 0;
  for (const auto &warp : warps)
    count += llvm::popcount(warp->live);
  return count;
}

std::string Cta::describeShared(uint32_t address) const {
  uint32_t offset = address & ((1u << kSharedRankShift) - 1);
  const SharedVariable *best = nullptr;
  for (const SharedVariable &variable : grid.kernel.sharedVariables)
    if (variable.address <= offset &&
        (!best || variable.address > best->address))
      best = &variable;
  std::string text;
  if (best)
    text = llvm::formatv("{0}+{1}, ", best->name, offset - best->address);
  return text + llvm::formatv("shared memory is [{0:x}, {1:x})", kSharedBase,
                              kSharedBase + shared.size())
                    .str();
}

void Cta::addBarrier(uint32_t address, uint32_t count) {
  mbarriers.try_emplace(address, count);
  barriersBegin = std::min(barriersBegin, address);
  barriersEnd = std::max(barriersEnd, address + 8);
}

uint32_t Cta::overlappingBarrierSlow(uint32_t address, unsigned size) const {
  for (uint32_t word = address & ~7u; word < address + size; word += 8)
    if (mbarriers.count(word))
      return word;
  return 0;
}

void Cta::checkNamedBarrier(unsigned id) {
  NamedBarrier &barrier = barriers[id];
  if (!barrier.arrived)
    return;
  uint32_t expected = barrier.expected ? barrier.expected : liveThreads();
  if (barrier.arrived >= expected)
    releaseNamedBarrier(id);
}

void Cta::releaseNamedBarrier(unsigned id) {
  NamedBarrier finished = barriers[id];
  barriers[id] = NamedBarrier();
  ++grid.progress;
  for (const auto &warp : warps)
    for (Fragment &fragment : warp->fragments) {
      if (!fragment.mask || fragment.state != FragmentState::NamedBarrier ||
          fragment.object != id)
        continue;
      const Inst &inst = grid.kernel.code[fragment.pc];
      // `barrier.red`: everybody gets the result.
      if (inst.op[0] != kNoSlot) {
        if (inst.c == 2) {
          for (unsigned lane = 0; lane < 32; ++lane)
            if (fragment.mask >> lane & 1)
              fragment.frame->at<uint32_t>(inst.op[0])[lane] = finished.count;
        } else {
          uint32_t &p = *fragment.frame->at<uint32_t>(inst.op[0]);
          bool value = inst.c == 0 ? finished.all : finished.any;
          p = value ? p | fragment.mask : p & ~fragment.mask;
        }
      }
      if (grid.observer)
        grid.observer->onInstruction({{linear, int(warp->index), fragment.mask},
                                      fragment.mask,
                                      fragment.pc,
                                      &inst,
                                      fragment.frame->registers.get()});
      fragment.state = FragmentState::Ready;
      ++fragment.pc;
      noteSync(*warp, fragment.mask, SyncReach::Cta);
    }
  if (grid.observer)
    grid.observer->onSync(
        {{linear, -1, 0}, SyncKind::BarrierComplete, id, nullptr});
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

Grid::Grid(const LaunchContext &launch, ReportLog &log, uint64_t randomState)
    : launch(launch), module(launch.module), kernel(launch.kernel),
      options(launch.options), memory(launch.memory), log(log),
      observer(launch.observer),
      accessObserver(observer && observer->wantsAccesses() ? observer
                                                           : nullptr),
      output(launch.output), grid(launch.parameters.grid),
      block(launch.parameters.block), cluster(launch.parameters.cluster),
      dynamicShared(launch.parameters.dynamicShared),
      sharedBytes((kernel.usesDynamicShared || dynamicShared
                       ? kernel.dynamicSharedBase + dynamicShared
                       : kernel.staticSharedEnd) -
                  kSharedBase),
      randomState(randomState) {
  const bool asks = llvm::any_of(kernel.functions, [](const auto &function) {
    return llvm::any_of(function.specials, [](const SpecialSlot &special) {
      return special.which == SpecialRegister::RuntimeSmemOffset;
    });
  });
  runtimeShared = asks ? llvm::alignTo(sharedBytes, 16) : sharedBytes;
  runtimeSharedEnd = runtimeShared + (asks ? kRuntimeShared : 0);
}

std::array<unsigned, 3> Grid::firstCtaOf(uint64_t number) const {
  const std::array<unsigned, 3> clusters = launch.clusters();
  return {unsigned(number % clusters[0]) * cluster[0],
          unsigned(number / clusters[0] % clusters[1]) * cluster[1],
          unsigned(number / clusters[0] / clusters[1]) * cluster[2]};
}

Place Grid::placeOf(const Inst *inst, const Cta *cta, int warp,
                    int lane) const {
  Place place;
  if (inst) {
    const InstInfo &info = kernel.info[inst - kernel.code.data()];
    place.ptxLine = info.ptxLine;
    const Module &text = moduleOf(info);
    place.ptxText = text.lineText(info.ptxLine).str();
    if (info.inModels)
      place.ptxFile = text.fileName;
    if (info.file && info.file <= text.files.size()) {
      place.file = text.files[info.file - 1];
      place.line = info.line;
    }
  }
  if (cta) {
    place.cta = cta->id;
    place.hasCta = true;
  }
  place.warp = warp;
  place.lane = lane;
  return place;
}

void Grid::error(Place place, llvm::StringRef rule, const llvm::Twine &message,
                 std::vector<std::string> notes) {
  Report report;
  report.rule = rule.str();
  report.message = message.str();
  report.place = std::move(place);
  report.notes = std::move(notes);
  if (observer)
    observer->onError(report);
  log.add(std::move(report));
  stopped = true;
}

uint64_t Grid::nextRandom() { return splitmix64(randomState++); }
