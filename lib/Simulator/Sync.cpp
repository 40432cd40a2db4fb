//===- Sync.cpp - barriers and fences -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CTA barriers count threads, so that diverged warps may arrive in parts.
// Fences order memory that this interpreter keeps in order anyway; observers
// hear of them.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

enum class BarrierKind : uint8_t { Sync, Arrive, Reduce };

static void notify(Warp &w, const Inst &i, uint32_t mask, SyncKind kind,
                   uint64_t object) {
  if (w.cta.grid.observer)
    w.cta.grid.observer->onSync(
        {{w.cta.linear, int(w.index), mask}, kind, object, &i});
}

/// Reads number and thread count, and checks them.
static bool readBarrier(Warp &w, const Inst &i, uint32_t mask, unsigned &id,
                        uint32_t &expected) {
  unsigned lane = llvm::countr_zero(mask);
  id = w.at<uint32_t>(i.op[1])[lane];
  expected = i.op[2] == kNoSlot ? 0 : w.at<uint32_t>(i.op[2])[lane];
  if (id >= 16) {
    w.fault(i, lane, "R36",
            "expected a barrier number from 0 to 15, got " + llvm::Twine(id));
    return false;
  }
  if (i.op[2] != kNoSlot && (expected == 0 || expected % 32)) {
    w.fault(i, lane, "R36",
            "expected a thread count that is a multiple of the warp size 32, "
            "got " +
                llvm::Twine(expected));
    return false;
  }
  NamedBarrier &barrier = w.cta.barriers[id];
  if (barrier.arrived && barrier.expected != expected) {
    w.fault(i, lane, "R36",
            llvm::formatv("expected all participants of barrier {0} to give "
                          "one thread count, got {1} and {2} (0: all threads)",
                          id, barrier.expected, expected));
    return false;
  }
  return true;
}

/// op[0] result of .red, op[1] number, op[2] count, op[3] predicate of .red;
/// `a`: BarrierKind, `c`: 0 and, 1 or, 2 popc.
static Step barrier(Warp &w, const Inst &i, uint32_t mask) {
  unsigned id;
  uint32_t expected;
  if (!readBarrier(w, i, mask, id, expected))
    return Step::Fault;
  Cta &cta = w.cta;
  NamedBarrier &barrier = cta.barriers[id];
  barrier.expected = expected;
  barrier.arrived += llvm::popcount(mask);
  ++cta.grid.progress;
  notify(w, i, mask, SyncKind::BarrierArrive, id);
  if (BarrierKind(i.a) == BarrierKind::Reduce) {
    uint32_t p = w.predicate(i.op[3]) & mask;
    barrier.all &= p == mask;
    barrier.any |= p != 0;
    barrier.count += llvm::popcount(p);
  }
  if (BarrierKind(i.a) == BarrierKind::Arrive) {
    cta.checkNamedBarrier(id);
    return Step::Next;
  }
  Fragment &fragment = w.fragment();
  fragment.state = FragmentState::NamedBarrier;
  fragment.object = id;
  cta.checkNamedBarrier(id);
  // Where this was the last arrival, the release has moved the fragment on.
  return fragment.state == FragmentState::Ready ? Step::Again : Step::Block;
}

static void decodeBarrier(InstDecoder &d, Inst &i) {
  unsigned n = 0;
  if (d.has("red")) {
    i.a = uint8_t(BarrierKind::Reduce);
    i.c = d.has("and") ? 0 : d.has("or") ? 1 : 2;
    d.accept("popc");
    i.op[0] = i.c == 2 ? d.dst(0, Type::U32) : d.dstPredicate(0);
    n = 1;
  } else if (d.has("arrive")) {
    i.a = uint8_t(BarrierKind::Arrive);
  }
  unsigned last = d.size() - (i.a == uint8_t(BarrierKind::Reduce) ? 1 : 0);
  i.op[1] = d.src(n, Type::U32);
  if (n + 1 < last)
    i.op[2] = d.src(n + 1, Type::U32);
  if (BarrierKind(i.a) == BarrierKind::Reduce)
    i.op[3] = d.srcPredicate(last);
  i.splitsOnGuard = true;
  i.fn = barrier;
}

//===----------------------------------------------------------------------===//
// Cluster barrier: the state of all CTAs stands in the CTA of rank 0
//===----------------------------------------------------------------------===//

static void checkCluster(Cta &cta) {
  Cta &first = *cta.cluster.front();
  uint32_t live = 0;
  for (Cta *peer : cta.cluster)
    live += peer->liveThreads();
  if (!first.clusterArrived || first.clusterArrived < live)
    return;
  first.clusterArrived = 0;
  ++first.clusterPhase;
  ++cta.grid.progress;
}

static Step clusterArrive(Warp &w, const Inst &i, uint32_t mask) {
  Cta &first = *w.cta.cluster.front();
  notify(w, i, mask, SyncKind::ClusterArrive, first.linear);
  forLanes(mask, [&](unsigned l) { w.clusterPhase[l] = first.clusterPhase; });
  first.clusterArrived += llvm::popcount(mask);
  ++w.cta.grid.progress;
  checkCluster(w.cta);
  return Step::Next;
}

static Step clusterWait(Warp &w, const Inst &i, uint32_t mask) {
  checkCluster(w.cta);
  uint64_t phase = w.cta.cluster.front()->clusterPhase;
  bool ready = true;
  forLanes(mask, [&](unsigned l) { ready &= w.clusterPhase[l] != phase; });
  if (ready) {
    noteSync(w, mask, SyncReach::Cluster);
    notify(w, i, mask, SyncKind::ClusterWait, w.cta.cluster.front()->linear);
    return Step::Next;
  }
  w.fragment().state = FragmentState::ClusterBarrier;
  return Step::Block;
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

/// `a`: spaces that a proxy fence publishes (ProxySpaces); 0: an ordinary
/// fence.
static Step fence(Warp &w, const Inst &i, uint32_t mask) {
  if (!i.a)
    noteSync(w, mask, SyncReach::Cluster);
  else if (ProxyTracker *proxy = w.cta.engine->proxy())
    proxy->fence(w.cta.rank, w.index, mask, i.a);
  notify(w, i, mask, SyncKind::Fence, 0);
  return Step::Next;
}

void tirx::sim::addSyncModels(ModelTable &table) {
  for (const char *name : {"bar", "bar.cta", "barrier", "barrier.cta"})
    table[name] = decodeBarrier;
  table["barrier.cluster"] = [](InstDecoder &d, Inst &i) {
    i.fn = d.has("arrive") ? clusterArrive : clusterWait;
    d.accept("wait");
    i.splitsOnGuard = true;
  };
  for (const char *name : {"membar", "fence"})
    table[name] = [](InstDecoder &d, Inst &i) {
      bool async = d.has("async") || d.has("async::generic");
      bool global = d.has("global");
      bool shared = d.has("shared::cta") || d.has("shared::cluster") ||
                    d.hasPrefix("sync_restrict");
      if (d.has("proxy") && async)
        i.a = global   ? kProxyGlobal
              : shared ? kProxyShared
                       : kProxyShared | kProxyGlobal;
      d.acceptAll();
      i.fn = fence;
    };
}
