//===- MBarrierOps.cpp - mbarrier instructions ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx::sim;

bool tirx::sim::locateBarrier(Warp &w, const Inst &i, unsigned lane,
                              uint64_t address, Cta *&cta, uint32_t &offset) {
  if (address - kSharedWindow < kWindowSize)
    address -= kSharedWindow;
  uint64_t rank = address >> kSharedRankShift;
  offset = address & ((1u << kSharedRankShift) - 1);
  if (address % 8) {
    w.fault(i, lane, "alignment",
            llvm::formatv("expected an mbarrier address that is a multiple of "
                          "8, got {0:x}",
                          address));
    return false;
  }
  if (rank >= w.cta.cluster.size() ||
      !w.cta.cluster[rank]->sharedContains(offset, 8)) {
    w.fault(i, lane, "R42",
            llvm::formatv("expected the address of an mbarrier in shared "
                          "memory, got {0:x}: {1}",
                          address, w.cta.describeShared(offset)));
    return false;
  }
  cta = w.cta.cluster[rank];
  if (cta != &w.cta && cta->isDone()) {
    w.fault(i, lane, "R44",
            llvm::formatv("expected CTA {0} of the cluster to live while its "
                          "mbarrier at {1:x} is used, got one that ended",
                          rank, offset));
    return false;
  }
  return true;
}

MBarrier *tirx::sim::findBarrier(Warp &w, const Inst &i, unsigned lane,
                                 uint64_t address, Cta *&cta,
                                 uint32_t &offset) {
  if (!locateBarrier(w, i, lane, address, cta, offset))
    return nullptr;
  auto it = cta->mbarriers.find(offset);
  if (it != cta->mbarriers.end())
    return &it->second;
  w.fault(i, lane, "R33",
          llvm::formatv("expected an initialised mbarrier at {0:x} ({1}), got "
                        "none",
                        offset, cta->describeShared(offset)));
  return nullptr;
}

static uint64_t addressOf(Warp &w, const Inst &i, unsigned l) {
  return laneAddress(w, i, 0, l, i.imm);
}

static void notify(Warp &w, const Inst &i, unsigned lane, SyncKind kind,
                   uint32_t offset) {
  if (w.cta.grid.observer)
    w.cta.grid.observer->onSync(
        {{w.cta.linear, int(w.index), 1u << lane}, kind, offset, &i});
}

static Step initialise(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    Cta *cta;
    uint32_t offset;
    if (!locateBarrier(w, i, l, addressOf(w, i, l), cta, offset))
      return Step::Fault;
    uint32_t count = w.at<uint32_t>(i.op[1])[l];
    if (cta != &w.cta)
      return w.fault(i, l, "R44", "expected an mbarrier of the own CTA");
    if (count == 0 || count > MBarrier::kMaxCount)
      return w.fault(i, l, "R31",
                     llvm::formatv("expected an arrival count of 1 to {0}, got "
                                   "{1}",
                                   MBarrier::kMaxCount, count));
    auto it = cta->mbarriers.find(offset);
    if (it != cta->mbarriers.end())
      return w.fault(
          i, l, "R33",
          llvm::formatv("expected mbarrier.inval before a live "
                        "mbarrier at {0:x} is initialised again ({1})",
                        offset, it->second.describe()));
    cta->addBarrier(offset, count);
    // The object is opaque, but its bytes are written now.
    std::memset(cta->sharedData(offset), 0, 8);
    cta->shared.markWritten(offset - kSharedBase, 8);
    ++w.cta.grid.progress;
    notify(w, i, l, SyncKind::MBarrierInit, offset);
  }
  return Step::Next;
}

static Step invalidate(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    Cta *cta;
    uint32_t offset;
    if (!findBarrier(w, i, l, addressOf(w, i, l), cta, offset))
      return Step::Fault;
    if (cta != &w.cta)
      return w.fault(i, l, "R44", "expected an mbarrier of the own CTA");
    cta->mbarriers.erase(offset);
    notify(w, i, l, SyncKind::MBarrierInval, offset);
  }
  return Step::Next;
}

enum class Arrive : uint8_t {
  Plain,
  Drop,
  ExpectTx,
  DropExpectTx,
  TxOnly,
  CompleteTx
};

/// op[0] address, op[1] count or bytes, op[2] state or none. `a`: Arrive.
static Step arrive(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    Cta *cta;
    uint32_t offset;
    MBarrier *barrier = findBarrier(w, i, l, addressOf(w, i, l), cta, offset);
    if (!barrier)
      return Step::Fault;
    uint32_t value = w.at<uint32_t>(i.op[1])[l];
    if (i.op[2] != kNoSlot)
      w.at<uint64_t>(i.op[2])[l] = barrier->getState();
    uint32_t phase = barrier->getPhase();
    std::string error;
    const char *rule = "R31";
    switch (Arrive(i.a)) {
    case Arrive::Plain:
      error = barrier->arrive(value);
      break;
    case Arrive::Drop:
      error = barrier->arriveDrop(value);
      break;
    case Arrive::ExpectTx:
      error = barrier->arriveExpectTx(1, value, false);
      break;
    case Arrive::DropExpectTx:
      error = barrier->arriveExpectTx(1, value, true);
      break;
    case Arrive::TxOnly:
      error = barrier->expectTx(value);
      rule = "R32";
      break;
    case Arrive::CompleteTx:
      error = barrier->completeTx(value);
      rule = "R32";
      break;
    }
    if (error.empty() && i.b && barrier->getPhase() != phase)
      error = "expected an arrival with .noComplete to leave the phase open, "
              "got the last one";
    if (!error.empty())
      return w.fault(i, l, rule,
                     llvm::formatv("mbarrier at {0:x} ({1}): {2}", offset,
                                   cta->describeShared(offset), error));
    ++w.cta.grid.progress;
    notify(w, i, l, SyncKind::MBarrierArrive, offset);
  }
  return Step::Next;
}

static void decodeArrive(InstDecoder &d, Inst &i, bool drop) {
  d.accept({"shared", "shared::cta", "shared::cluster"});
  i.b = d.has("noComplete");
  // A state is returned unless the instruction starts with the address.
  unsigned n = d.isAddress(0) ? 0 : 1;
  if (n == 1 && !d.isSink(0))
    i.op[2] = d.dst(0, Type::B64);
  d.address(i, 0, n);
  bool tx = d.has("expect_tx");
  if (tx || d.exists(n + 1))
    i.op[1] = d.src(n + 1, Type::B32);
  else
    i.op[1] = d.constant(1, Type::B32);
  i.a = uint8_t(tx     ? drop ? Arrive::DropExpectTx : Arrive::ExpectTx
                : drop ? Arrive::Drop
                       : Arrive::Plain);
  i.fn = arrive;
}

static void decodeTx(InstDecoder &d, Inst &i, Arrive kind) {
  d.accept({"shared", "shared::cta", "shared::cluster"});
  d.address(i, 0, 0);
  i.op[1] = d.src(1, Type::B32);
  i.a = uint8_t(kind);
  i.fn = arrive;
}

/// test_wait and try_wait: op[0] address, op[1] parity or state, op[2] result.
/// `a`: may suspend, `b`: by parity.
static Step wait(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t done = 0, asked = 0;
  uint64_t first = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    Cta *cta;
    uint32_t offset;
    MBarrier *barrier = findBarrier(w, i, l, addressOf(w, i, l), cta, offset);
    if (!barrier)
      return Step::Fault;
    if (cta != &w.cta)
      return w.fault(i, l, "R44",
                     "expected a wait on an mbarrier of the own CTA");
    bool complete;
    if (i.b) {
      asked = w.at<uint32_t>(i.op[1])[l];
      complete = barrier->isComplete(asked);
    } else {
      complete = barrier->isStateComplete(w.at<uint64_t>(i.op[1])[l]);
      asked = barrier->getPhase() & 1;
    }
    first = offset;
    done |= uint32_t(complete) << l;
    if (complete) {
      noteSync(w, 1u << l, SyncReach::Cluster);
      notify(w, i, l, SyncKind::MBarrierWait, offset);
    }
  }
  Fragment &fragment = w.fragment();
  if (!done && i.a && !fragment.failWait) {
    fragment.state = FragmentState::MBarrier;
    fragment.object = first;
    fragment.parity = asked & 1;
    return Step::Block;
  }
  fragment.failWait = false;
  setPredicate(w, i.op[2], mask, done);
  if (done)
    return Step::Next;
  const uint64_t progress = w.cta.grid.progress;
  w.polls = w.polledAt == progress ? w.polls + 1 : 1;
  w.polled = first;
  w.polledAt = progress;
  return Step::Yield;
}

static void decodeWait(InstDecoder &d, Inst &i, bool mayBlock) {
  d.accept({"shared", "shared::cta"});
  i.op[2] = d.dstPredicate(0);
  d.address(i, 0, 1);
  i.b = d.has("parity");
  i.op[1] = d.src(2, i.b ? Type::B32 : Type::B64);
  i.a = mayBlock;
  i.splitsOnGuard = true;
  i.fn = wait;
}

static Step pendingCount(Warp &w, const Inst &i, uint32_t mask) {
  return map1<uint32_t, uint64_t>(
      w, i, mask, [](uint64_t state) { return MBarrier::pendingOf(state); });
}

void tirx::sim::addMBarrierModels(ModelTable &table) {
  table["mbarrier.init"] = [](InstDecoder &d, Inst &i) {
    d.accept({"shared", "shared::cta"});
    d.address(i, 0, 0);
    i.op[1] = d.src(1, Type::B32);
    i.fn = initialise;
  };
  table["mbarrier.inval"] = [](InstDecoder &d, Inst &i) {
    d.accept({"shared", "shared::cta"});
    d.address(i, 0, 0);
    i.fn = invalidate;
  };
  table["mbarrier.arrive"] = [](InstDecoder &d, Inst &i) {
    decodeArrive(d, i, false);
  };
  table["mbarrier.arrive_drop"] = [](InstDecoder &d, Inst &i) {
    decodeArrive(d, i, true);
  };
  table["mbarrier.expect_tx"] = [](InstDecoder &d, Inst &i) {
    decodeTx(d, i, Arrive::TxOnly);
  };
  table["mbarrier.complete_tx"] = [](InstDecoder &d, Inst &i) {
    decodeTx(d, i, Arrive::CompleteTx);
  };
  table["mbarrier.test_wait"] = [](InstDecoder &d, Inst &i) {
    decodeWait(d, i, false);
  };
  table["mbarrier.try_wait"] = [](InstDecoder &d, Inst &i) {
    decodeWait(d, i, true);
  };
  table["mbarrier.pending_count"] = [](InstDecoder &d, Inst &i) {
    i.op[0] = d.dst(0, Type::U32);
    i.op[1] = d.src(1, Type::B64);
    i.fn = pendingCount;
  };
}
