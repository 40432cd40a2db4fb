//===- RegisterPool.cpp - setmaxnreg --------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers of PTX are virtual, so that setmaxnreg changes no value here. What
// it can do to a program is to wait for ever, and to be used against its rules
// (PTX ISA 9.7.19.5): each CTA has a share of the SM's registers, from which
// warps take what they ask for and to which they give back what they release.
//
//===----------------------------------------------------------------------===//

#include "RegisterPool.h"
#include "Decoder.h"
#include "Exec.h"
#include "Wgmma.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

static constexpr unsigned kSmRegisters = 1 << 16;
static constexpr unsigned kMaxThreadRegisters = 256;
/// Registers of a thread are allocated in such steps.
static constexpr unsigned kRegisterStep = 8;

/// .minnctapersm CTAs must fit on an SM.
static unsigned shareOf(const Kernel &kernel) {
  return kSmRegisters / std::max(1u, kernel.minimumCtas.value_or(1));
}

std::optional<unsigned> tirx::sim::registersAtEntry(const Kernel &kernel,
                                                    unsigned threads) {
  auto limit = [](uint64_t count) {
    return unsigned(std::min<uint64_t>(count, kMaxThreadRegisters));
  };
  if (kernel.maximumRegisters)
    return limit(
        llvm::alignTo(uint64_t(*kernel.maximumRegisters), kRegisterStep));
  const auto &bounds =
      kernel.requiredBlock ? kernel.requiredBlock : kernel.maximumBlock;
  if (!kernel.minimumCtas || !bounds)
    return std::nullopt;
  uint64_t bound = uint64_t((*bounds)[0]) * (*bounds)[1] * (*bounds)[2];
  uint64_t warps = llvm::divideCeil(std::max<uint64_t>(bound, threads), 32);
  return limit(llvm::alignDown(shareOf(kernel) / (warps * 32), kRegisterStep));
}

/// Registers of the share that no live warp has.
static int64_t freeRegisters(const Cta &cta) {
  int64_t available = shareOf(cta.grid.kernel);
  for (const auto &warp : cta.warps)
    if (warp->live)
      available -= int64_t(warp->registerCount) * 32;
  return available;
}

std::string tirx::sim::describeRegisterWait(const Warp &warp, unsigned wanted) {
  std::string held;
  for (size_t first = 0; first < warp.cta.warps.size();
       first += kWarpgroupWarps) {
    held += held.empty() ? "" : ", ";
    for (size_t n = first;
         n < std::min(first + kWarpgroupWarps, warp.cta.warps.size()); ++n) {
      const Warp &peer = *warp.cta.warps[n];
      held += (n == first ? "" : "/") +
              (peer.live ? std::to_string(peer.registerCount) : "-");
    }
  }
  return llvm::formatv(" waits for {0} registers, 32 times {1} more than its "
                       "{2}: {3} of {4} are free; threads of the warps have "
                       "{5} (R40)",
                       (wanted - warp.registerCount) * 32,
                       wanted - warp.registerCount, warp.registerCount,
                       std::max<int64_t>(0, freeRegisters(warp.cta)),
                       shareOf(warp.cta.grid.kernel), held);
}

/// Without a fixed count at entry the assembler drops the instruction.
static void noteIgnored(const Warp &w, const Inst &i) {
  Report report;
  report.severity = Severity::Warning;
  report.rule = "R40";
  report.message = "expected .maxnreg, or .minnctapersm with .reqntid or "
                   ".maxntid, to fix the registers at entry; without, "
                   "assemblers ignore setmaxnreg";
  report.place = w.cta.grid.placeOf(&i, &w.cta, int(w.index), -1);
  w.cta.grid.log.add(std::move(report));
}

/// Whether the other warps of the warpgroup are where this one is.
static bool checkWarpgroup(Warp &w, const Inst &i) {
  const unsigned first = w.index / kWarpgroupWarps * kWarpgroupWarps;
  if (first + kWarpgroupWarps > w.cta.warps.size()) {
    w.fault(i, -1, "R40",
            llvm::formatv("expected a warpgroup of 4 warps from warp {0}, got "
                          "a CTA with {1} warps",
                          first, w.cta.warps.size()));
    return false;
  }
  for (unsigned n = first; n < first + kWarpgroupWarps; ++n) {
    const Warp &peer = *w.cta.warps[n];
    if (peer.registerChanges < w.registerChanges) {
      w.fault(i, -1, "R40",
              llvm::formatv("expected the warps of a warpgroup to synchronise "
                            "between two setmaxnreg, got the setmaxnreg "
                            "number {0} of warp {1} before number {2} of warp "
                            "{3}",
                            w.registerChanges + 1, w.index,
                            peer.registerChanges + 1, peer.index));
      return false;
    }
    if (peer.registerChanges != w.registerChanges + 1)
      continue;
    const Inst &other = *peer.lastRegisterChange;
    if (other.imm == i.imm && other.a == i.a)
      continue;
    w.fault(i, -1, "R40",
            llvm::formatv("expected the four warps of a warpgroup to execute "
                          "the same setmaxnreg, got {0} {1}, and {2} {3} in "
                          "warp {4}",
                          i.a ? "inc" : "dec", i.imm, other.a ? "inc" : "dec",
                          other.imm, peer.index));
    return false;
  }
  return true;
}

/// imm: registers of a thread; `a`: whether it asks for more.
static Step setMaxRegisters(Warp &w, const Inst &i, uint32_t /*mask*/) {
  Cta &cta = w.cta;
  if (!w.registerCount) {
    std::optional<unsigned> entry = registersAtEntry(
        cta.grid.kernel,
        cta.grid.block[0] * cta.grid.block[1] * cta.grid.block[2]);
    if (!entry) {
      noteIgnored(w, i);
      return Step::Next;
    }
    for (auto &warp : cta.warps)
      warp->registerCount = *entry;
  }
  if (!checkWarpgroup(w, i))
    return Step::Fault;
  const unsigned wanted = i.imm;
  if (i.a ? wanted < w.registerCount : wanted > w.registerCount)
    return w.fault(
        i, -1, "R40",
        llvm::formatv("expected setmaxnreg.{0} of at {1} the {2} registers "
                      "that a thread of the warp has, got {3}",
                      i.a ? "inc" : "dec", i.a ? "least" : "most",
                      w.registerCount, wanted));
  if (i.a && int64_t(wanted - w.registerCount) * 32 > freeRegisters(cta) &&
      wanted != w.registerCount) {
    w.fragment().state = FragmentState::RegisterPool;
    w.fragment().object = wanted;
    return Step::Block;
  }
  w.registerCount = wanted;
  w.lastRegisterChange = &i;
  ++w.registerChanges;
  ++cta.grid.progress;
  return Step::Next;
}

void tirx::sim::checkRegisterChangesAtExit(const Cta &cta) {
  if (cta.grid.stopped)
    return;
  for (size_t n = 0; n < cta.warps.size(); ++n) {
    const Warp &first = *cta.warps[n / kWarpgroupWarps * kWarpgroupWarps];
    const Warp &warp = *cta.warps[n];
    if (first.registerChanges == warp.registerChanges)
      continue;
    const Warp &more =
        first.registerChanges > warp.registerChanges ? first : warp;
    const Warp &less = &more == &warp ? first : warp;
    cta.grid.error(
        cta.grid.placeOf(more.lastRegisterChange, &cta, int(more.index), -1),
        "R40",
        llvm::formatv("expected all four warps of a warpgroup to execute "
                      "setmaxnreg, got {0} times in warp {1} and {2} in warp "
                      "{3}",
                      more.registerChanges, more.index, less.registerChanges,
                      less.index));
    return;
  }
}

void tirx::sim::addRegisterPoolModels(ModelTable &table) {
  table["setmaxnreg"] = [](InstDecoder &d, Inst &i) {
    i.a = d.has("inc");
    d.accept({"dec", "sync", "aligned", "u32"});
    i.imm = d.immediateIn(0, 24, kMaxThreadRegisters);
    if (i.imm % kRegisterStep)
      d.fail(llvm::formatv("expected a multiple of 8 registers from 24 to 256, "
                           "got {0}",
                           i.imm));
    i.fn = setMaxRegisters;
  };
}
