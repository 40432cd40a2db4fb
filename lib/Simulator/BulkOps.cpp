//===- BulkOps.cpp - what bulk and tensor copies share --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx::sim;

bool tirx::sim::locatePlace(Warp &w, const Inst &i, unsigned lane,
                            uint64_t address, unsigned align,
                            const char *operand, SharedPlace &place) {
  if (address - kSharedWindow < kWindowSize)
    address -= kSharedWindow;
  if (address % align) {
    w.fault(i, lane, "alignment",
            llvm::formatv("expected {0} at a shared address that is a multiple "
                          "of {1}, got {2:x}",
                          operand, align, address));
    return false;
  }
  uint64_t rank = address >> kSharedRankShift;
  if (rank >= w.cta.cluster.size()) {
    w.fault(i, lane, "R42",
            llvm::formatv("expected {0} in shared memory of the cluster of {1} "
                          "CTAs, got address {2:x}",
                          operand, w.cta.cluster.size(), address));
    return false;
  }
  place = {w.cta.cluster[rank],
           uint32_t(address & ((1u << kSharedRankShift) - 1))};
  return true;
}

bool tirx::sim::findTargets(Warp &w, const Inst &i, unsigned lane,
                            SharedPlace to, SharedPlace barrier, Slot mask,
                            bool pair,
                            llvm::SmallVectorImpl<BulkTarget> &targets) {
  const std::vector<Cta *> &cluster = w.cta.cluster;
  if (mask == kNoSlot) {
    bool fits = pair ? to.cta->rank / 2 == barrier.cta->rank / 2
                     : to.cta == barrier.cta;
    if (!fits) {
      w.fault(i, lane, "R44",
              llvm::formatv("expected the mbarrier in {0} CTA {1} of the "
                            "destination, got CTA {2}",
                            pair ? "the pair of" : "the", to.cta->rank,
                            barrier.cta->rank));
      return false;
    }
    targets.push_back({to, barrier});
    return true;
  }
  uint32_t ctas = w.at<uint32_t>(i.op[mask])[lane] & 0xffff;
  if (!ctas || ctas >> cluster.size()) {
    w.fault(i, lane, "R44",
            llvm::formatv("expected a mask of CTAs of the cluster of {0}, got "
                          "{1:x}",
                          cluster.size(), ctas));
    return false;
  }
  for (Cta *cta : cluster) {
    if (!(ctas >> cta->rank & 1))
      continue;
    unsigned listener =
        pair ? (cta->rank & ~1u) | (barrier.cta->rank & 1) : cta->rank;
    if (listener >= cluster.size()) {
      w.fault(i, lane, "R26",
              llvm::formatv("expected CTA {0} of the cluster in a pair, got a "
                            "cluster of {1}",
                            cta->rank, cluster.size()));
      return false;
    }
    targets.push_back({{cta, to.offset}, {cluster[listener], barrier.offset}});
  }
  return true;
}

bool tirx::sim::issueLoad(Warp &w, const Inst &i, unsigned lane,
                          const BulkTarget &target, uint64_t bytes,
                          std::function<bool()> read,
                          std::function<bool()> write) {
  AsyncOperation operation(w.cta, {&i, int(w.index), int(lane)},
                           AsyncUnit::Bulk);
  operation.read = std::move(read);
  operation.write = std::move(write);
  operation.signals.push_back(
      {target.barrier.cta, target.barrier.offset, int64_t(bytes)});
  w.cta.engine->issue(std::move(operation));
  return !w.cta.grid.stopped;
}

bool tirx::sim::issueStore(Warp &w, const Inst &i, unsigned lane,
                           std::function<bool()> read,
                           std::function<bool()> write) {
  AsyncEngine &engine = *w.cta.engine;
  AsyncOperation operation(w.cta, {&i, int(w.index), int(lane)},
                           AsyncUnit::Bulk);
  operation.read = std::move(read);
  operation.write = std::move(write);
  uint64_t id = engine.issue(std::move(operation));
  engine.join(GroupKind::Bulk, {&w.cta, int(w.index), int(lane)}, id, &i,
              /*readsShared=*/true);
  return !w.cta.grid.stopped;
}

void tirx::sim::combineRun(AtomicOp op, Type type, uint8_t *to,
                           const uint8_t *from, unsigned bytes) {
  unsigned size = bitsOf(type) / 8;
  for (unsigned n = 0; n + size <= bytes; n += size) {
    uint64_t old = 0, value = 0;
    std::memcpy(&old, to + n, size);
    std::memcpy(&value, from + n, size);
    // Copies keep subnormal f32, unlike scalar atomics (measured).
    uint64_t next = combineAtomic(op, type, old, value, 0, /*global=*/false);
    std::memcpy(to + n, &next, size);
  }
}

AtomicOp tirx::sim::bulkOperation(InstDecoder &d) {
  static const std::pair<const char *, AtomicOp> names[] = {
      {"add", AtomicOp::Add}, {"min", AtomicOp::Min}, {"max", AtomicOp::Max},
      {"inc", AtomicOp::Inc}, {"dec", AtomicOp::Dec}, {"and", AtomicOp::And},
      {"or", AtomicOp::Or},   {"xor", AtomicOp::Xor}};
  for (auto [name, op] : names)
    if (d.has(name))
      return op;
  d.fail("expected the operation of a reduction");
  return AtomicOp::Add;
}
