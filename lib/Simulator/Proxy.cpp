//===- Proxy.cpp - what the asynchronous proxy sees -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proxy.h"
#include "TIRx/Simulator/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>

using namespace tirx::sim;

ProxyTracker::ProxyTracker(unsigned ctas, unsigned warps)
    : warps(warps), threads(size_t(ctas) * warps * 32),
      warpMarks(size_t(ctas) * warps), ctaMarks(ctas) {}

/// Index of the state space of an address into Marks.
static unsigned spaceOf(uint64_t address) {
  return address - kSharedWindow < kWindowSize ? 0 : 1;
}

bool ProxyTracker::isPublished(const Write &write) {
  unsigned s = spaceOf(write.address);
  return write.time < thread(write.by).fenced[s] ||
         write.time < warpMarks[write.by.rank * warps + write.by.warp][s] ||
         write.time < ctaMarks[write.by.rank][s] ||
         write.time < clusterMarks[s];
}

void ProxyTracker::prune(Page &page) {
  llvm::erase_if(page, [&](const Write &write) { return isPublished(write); });
}

void ProxyTracker::piece(ClusterThread by, const Inst *inst, uint64_t address,
                         const uint8_t *data, unsigned size) {
  Page &page = pages[address >> kPageShift];
  // A thread that writes one place again and again counts once.
  for (Write &write : page)
    if (write.address == address && write.size == size &&
        write.by.rank == by.rank && write.by.warp == by.warp &&
        write.by.lane == by.lane && !isPublished(write)) {
      write.time = now;
      write.inst = inst;
      return;
    }
  if (page.size() >= 64)
    prune(page);
  Write write{address, now, inst, by, uint8_t(size), {}};
  std::memcpy(write.old.data(), data, size);
  page.push_back(write);
}

void ProxyTracker::generic(ClusterThread by, const Inst *inst, uint64_t address,
                           const uint8_t *data, unsigned size) {
  ++now;
  while (size) {
    unsigned n = std::min<unsigned>(size, kPieceBytes - address % kPieceBytes);
    piece(by, inst, address, data, n);
    address += n;
    data += n;
    size -= n;
  }
}

void ProxyTracker::async(uint64_t address, unsigned size) {
  if (pages.empty())
    return;
  uint64_t end = address + size;
  for (uint64_t p = address >> kPageShift; p <= (end - 1) >> kPageShift; ++p) {
    auto it = pages.find(p);
    if (it == pages.end())
      continue;
    Page kept;
    for (const Write &write : it->second) {
      uint64_t last = write.address + write.size;
      // What lies before and behind the new bytes stays.
      auto keep = [&](uint64_t from, uint64_t to) {
        if (from >= to)
          return;
        Write part = write;
        part.address = from;
        part.size = to - from;
        std::memmove(part.old.data(), write.old.data() + (from - write.address),
                     to - from);
        kept.push_back(part);
      };
      keep(write.address, std::min(last, address));
      keep(std::max(write.address, end), last);
    }
    if (kept.empty())
      pages.erase(it);
    else
      it->second = std::move(kept);
  }
}

void ProxyTracker::fence(unsigned rank, unsigned warp, uint32_t lanes,
                         uint8_t spaces) {
  ++now;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    Thread &t = thread({uint16_t(rank), uint8_t(warp), uint8_t(lane)});
    for (unsigned s = 0; s < 2; ++s) {
      if (!(spaces >> s & 1))
        continue;
      auto raise = [&](Marks &marks, uint64_t time) {
        marks[s] = std::max(marks[s], time);
      };
      raise(t.fenced, now);
      raise(warpMarks[rank * warps + warp], t.joined[0]);
      raise(ctaMarks[rank], t.joined[1]);
      raise(clusterMarks, t.joined[2]);
    }
  }
}

void ProxyTracker::synchronise(unsigned rank, unsigned warp, uint32_t lanes,
                               SyncReach reach) {
  ++now;
  // What one lane of a warp knows of others, all know that meet it.
  std::array<uint64_t, 3> joined = {};
  auto forLanes = [&](auto fn) {
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1)
        fn(thread({uint16_t(rank), uint8_t(warp), uint8_t(lane)}));
  };
  if (reach == SyncReach::Warp)
    forLanes([&](Thread &t) {
      for (unsigned r = 0; r < 3; ++r)
        joined[r] = std::max(joined[r], t.joined[r]);
    });
  for (unsigned r = 0; r <= unsigned(reach); ++r)
    joined[r] = now;
  forLanes([&](Thread &t) {
    for (unsigned r = 0; r < 3; ++r)
      t.joined[r] = std::max(t.joined[r], joined[r]);
  });
}

bool ProxyTracker::restore(uint64_t address, uint8_t *bytes, unsigned size,
                           Stale &stale) {
  bool any = false;
  uint64_t end = address + size;
  for (uint64_t p = address >> kPageShift; p <= (end - 1) >> kPageShift; ++p) {
    auto it = pages.find(p);
    if (it == pages.end())
      continue;
    prune(it->second);
    if (it->second.empty()) {
      pages.erase(it);
      continue;
    }
    // The oldest store has the bytes that were last seen.
    for (const Write &write : llvm::reverse(it->second)) {
      uint64_t from = std::max(address, write.address);
      uint64_t to = std::min(end, write.address + write.size);
      if (from >= to)
        continue;
      std::memcpy(bytes + (from - address),
                  write.old.data() + (from - write.address), to - from);
      stale = {write.by, write.inst, from};
      any = true;
    }
  }
  return any;
}
