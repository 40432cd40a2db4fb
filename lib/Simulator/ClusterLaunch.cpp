//===- ClusterLaunch.cpp - cluster launch control -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clusterlaunchcontrol (PTX ISA 9.7.13.17, 9.7.13.18): a running cluster takes
// over the work of one that has not started. The answer, 16 bytes whose form is
// the hardware's own business, arrives in shared memory through the
// asynchronous proxy. Ours: the three coordinates of the first CTA, then
// whether a cluster was taken.
//
//===----------------------------------------------------------------------===//

#include "BulkOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx::sim;

namespace {
struct Answer {
  std::array<uint32_t, 3> firstCta = {};
  uint32_t state = 0;
};
} // namespace

/// Unlikely in bytes that no try_cancel wrote.
static constexpr uint32_t kRefused = 0xc1c00000, kTaken = kRefused | 1;
static constexpr unsigned kAnswerBytes = 16;
static_assert(sizeof(Answer) == kAnswerBytes);

static Answer takeCluster(Grid &grid) {
  Answer answer;
  auto number = grid.takePendingCluster();
  answer.state = number ? kTaken : kRefused;
  if (number) {
    std::array<unsigned, 3> first = grid.firstCtaOf(*number);
    std::copy(first.begin(), first.end(), answer.firstCta.begin());
  }
  return answer;
}

/// op[0], op[1]: where the answer and the mbarrier are; imm, imm2: offsets;
/// `a`: all CTAs of the cluster hear of it.
static Step tryCancel(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    if (w.cta.sawRefusal)
      return w.fault(i, l, "R39",
                     "expected no try_cancel behind an answer that was read "
                     "and that took no cluster, got another one");
    SharedPlace to, barrier;
    if (!locatePlace(w, i, l, laneAddress(w, i, 0, l, i.imm), kAnswerBytes,
                     "the answer", to) ||
        !locatePlace(w, i, l, laneAddress(w, i, 1, l, i.imm2), 8,
                     "the mbarrier", barrier))
      return Step::Fault;
    for (Cta *cta : {to.cta, barrier.cta})
      if (cta != &w.cta)
        return w.fault(i, l, "R39",
                       llvm::formatv("expected the answer and the mbarrier in "
                                     "shared memory of this CTA, rank {0}, got "
                                     "rank {1}",
                                     w.cta.rank, cta->rank));
    Answer answer = takeCluster(w.cta.grid);
    AsyncMemory memory(w.cta, {&i, int(w.index), int(l)});
    for (Cta *cta : w.cta.cluster) {
      if (!i.a && cta != &w.cta)
        continue;
      auto write = [memory, answer, cta, offset = to.offset]() mutable {
        return memory.writeShared(*cta, offset,
                                  reinterpret_cast<const uint8_t *>(&answer),
                                  kAnswerBytes, "the answer");
      };
      if (!issueLoad(w, i, l, {{cta, to.offset}, {cta, barrier.offset}},
                     kAnswerBytes, nullptr, write))
        return Step::Fault;
    }
  }
  return Step::Next;
}

/// The answer in a lane of a 128-bit register, in op[`n`].
static bool readAnswer(Warp &w, const Inst &i, unsigned n, unsigned lane,
                       Answer &answer) {
  const auto *halves = w.at<uint64_t>(i.op[n]);
  std::memcpy(&answer, &halves[lane], 8);
  std::memcpy(reinterpret_cast<uint8_t *>(&answer) + 8, &halves[lane + 32], 8);
  if (answer.state == kTaken || answer.state == kRefused)
    return true;
  w.fault(i, lane, "R39",
          "expected the bytes of an answer to try_cancel, got others; it is "
          "there once the mbarrier's phase is complete");
  return false;
}

/// op[0]: the predicate, op[1]: the answer.
static Step isCanceled(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t taken = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    Answer answer;
    if (!readAnswer(w, i, 1, l, answer))
      return Step::Fault;
    if (answer.state == kTaken)
      taken |= 1u << l;
    else
      w.cta.sawRefusal = true;
  }
  setPredicate(w, i.op[0], mask, taken);
  return Step::Next;
}

/// op[0]: the answer, the vector: registers from coordinate `a` on.
static Step firstCta(Warp &w, const Inst &i, uint32_t mask) {
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    Answer answer;
    if (!readAnswer(w, i, 0, l, answer))
      return Step::Fault;
    if (answer.state != kTaken)
      return w.fault(i, l, "R39",
                     "expected an answer that took a cluster (is_canceled), "
                     "got one that took none");
    for (unsigned n = 0; n < i.vectorCount; ++n) {
      unsigned coordinate = i.a + n;
      w.at<uint32_t>(slots[n])[l] =
          coordinate < 3 ? answer.firstCta[coordinate] : 0;
    }
  }
  return Step::Next;
}

static void decodeTryCancel(InstDecoder &d, Inst &i) {
  d.usesAsyncProxy();
  d.takesOverClusters();
  d.accept({"async", "shared::cta", "mbarrier::complete_tx::bytes", "b128"});
  i.a = d.has("multicast::cluster::all");
  d.address(i, 1, 1);
  i.imm2 = i.imm;
  d.address(i, 0, 0);
  i.fn = tryCancel;
}

static void decodeQueryCancel(InstDecoder &d, Inst &i) {
  d.accept({"b32", "b128", "v4", "get_first_ctaid"});
  if (d.has("is_canceled")) {
    d.accept("pred");
    i.op[0] = d.dstPredicate(0);
    i.op[1] = d.src(1, Type::B128);
    i.fn = isCanceled;
    return;
  }
  for (auto [name, coordinate] :
       {std::pair("get_first_ctaid::x", 0), std::pair("get_first_ctaid::y", 1),
        std::pair("get_first_ctaid::z", 2)})
    if (d.has(name))
      i.a = uint8_t(coordinate);
  d.vector(i, 0, Type::B32, /*isDst=*/true);
  i.op[0] = d.src(1, Type::B128);
  i.fn = firstCta;
}

void tirx::sim::addClusterLaunchModels(ModelTable &table) {
  table["clusterlaunchcontrol.try_cancel"] = decodeTryCancel;
  table["clusterlaunchcontrol.query_cancel"] = decodeQueryCancel;
}
