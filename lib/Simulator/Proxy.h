//===- Proxy.h - what the asynchronous proxy sees ---------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ordinary stores go through the generic proxy, copies and tensor cores read
// through the asynchronous one, and only fence.proxy.async carries a value from
// one to the other (PTX ISA, memory consistency model, proxies). The tracker
// keeps the old bytes of each store until a fence publishes it: a fence
// publishes what its thread wrote, and what others wrote before the thread last
// synchronised with them. Which threads a synchronisation really joined is not
// followed, so that no correct program is accused.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_PROXY_H
#define TIRX_LIB_SIMULATOR_PROXY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <vector>

namespace tirx::sim {

struct Inst;

/// A thread of a cluster.
struct ClusterThread {
  uint16_t rank;
  uint8_t warp;
  uint8_t lane;
};

/// Whom a synchronisation may have joined.
enum class SyncReach : uint8_t { Warp, Cta, Cluster };

/// State spaces of a fence.
enum ProxySpaces : uint8_t { kProxyShared = 1, kProxyGlobal = 2 };

class ProxyTracker {
public:
  ProxyTracker(unsigned ctas, unsigned warps);

  /// Addresses are generic; those of shared memory hold the CTA's rank. Called
  /// before the bytes at `data` change.
  void generic(ClusterThread by, const Inst *inst, uint64_t address,
               const uint8_t *data, unsigned size);
  /// The asynchronous proxy sees what it wrote itself.
  void async(uint64_t address, unsigned size);

  void fence(unsigned rank, unsigned warp, uint32_t lanes, uint8_t spaces);
  void synchronise(unsigned rank, unsigned warp, uint32_t lanes,
                   SyncReach reach);

  /// A store that a reader has not seen.
  struct Stale {
    ClusterThread writer;
    const Inst *inst;
    uint64_t address;
  };
  /// Puts old bytes in place of those that no fence has published. Returns
  /// whether there were any, and the first of their writers.
  bool restore(uint64_t address, uint8_t *bytes, unsigned size, Stale &stale);
  bool isClean() const { return pages.empty(); }

  /// Room for a view; good until the next one.
  std::vector<uint8_t> scratch;

private:
  static constexpr unsigned kPieceBytes = 32;
  static constexpr unsigned kPageShift = 8;
  struct Write {
    uint64_t address;
    uint64_t time;
    const Inst *inst;
    ClusterThread by;
    uint8_t size;
    std::array<uint8_t, kPieceBytes> old;
  };
  /// Stores of one page, oldest first.
  using Page = std::vector<Write>;
  /// By space: stores before this time are published.
  using Marks = std::array<uint64_t, 2>;
  struct Thread {
    Marks fenced = {};
    std::array<uint64_t, 3> joined = {}; ///< by SyncReach
  };

  Thread &thread(ClusterThread t) {
    return threads[(t.rank * warps + t.warp) * 32 + t.lane];
  }
  bool isPublished(const Write &write);
  void piece(ClusterThread by, const Inst *inst, uint64_t address,
             const uint8_t *data, unsigned size);
  void prune(Page &page);

  const unsigned warps;
  uint64_t now = 1;
  std::vector<Thread> threads;
  std::vector<Marks> warpMarks, ctaMarks;
  Marks clusterMarks = {};
  llvm::DenseMap<uint64_t, Page> pages;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_PROXY_H
