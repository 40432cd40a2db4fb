//===- LoadStore.cpp - ld, st and prefetches ------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tirx::sim;

static uint64_t addressOf(Warp &w, const Inst &i, unsigned n, unsigned l) {
  uint64_t base = readLane(w, i, n, l);
  if (i.wide >> n & 1)
    return base + i.imm;
  return uint32_t(base + i.imm);
}

//===----------------------------------------------------------------------===//
// All lanes at once
//===----------------------------------------------------------------------===//

namespace {

/// Where the lanes of an access go: bytes of one allocation, each lane's within
/// bounds and aligned.
struct LaneBytes {
  MemoryRef ref; ///< of the lowest address
  uint64_t size = 0;
  /// Of each active lane, from the lowest address.
  std::array<uint64_t, 32> offset;
  /// All 32 lanes, one behind the other.
  bool dense = false;
};

} // namespace

static void readAddresses(Warp &w, const Inst &i, uint32_t mask,
                          std::array<uint64_t, 32> &address) {
  uint64_t imm = i.imm;
  if (i.wide & 1) {
    const auto *base = w.at<uint64_t>(i.op[0]);
    forLanes(mask, [&](unsigned l) { address[l] = base[l] + imm; });
  } else {
    const auto *base = w.at<uint32_t>(i.op[0]);
    forLanes(mask, [&](unsigned l) { address[l] = uint32_t(base[l] + imm); });
  }
}

/// Finds the bytes of all lanes. False when that takes a look at each lane:
/// they are in several allocations or stacks, something is wrong with one of
/// them, or an observer or the tracker of proxies wants to hear of each.
static bool findLaneBytes(Warp &w, const Inst &i, uint32_t mask,
                          AccessKind kind, LaneBytes &lanes) {
  if (w.cta.grid.accessObserver ||
      (kind == AccessKind::Write && w.cta.engine->proxy()))
    return false;
  const uint64_t bytes = i.size * i.vectorCount;
  auto &address = lanes.offset;
  readAddresses(w, i, mask, address);
  uint64_t low = address[llvm::countr_zero(mask)], high = low, odd = 0;
  if (mask == kFullMask) {
    uint64_t differs = 0;
    for (unsigned l = 0; l < 32; ++l)
      differs |= address[l] ^ (low + l * bytes);
    lanes.dense = differs == 0;
  }
  if (lanes.dense) {
    odd = low;
    high = low + 31 * bytes;
  } else {
    forLanes(mask, [&](unsigned l) {
      odd |= address[l];
      low = std::min(low, address[l]);
      high = std::max(high, address[l]);
    });
  }
  lanes.size = high - low + bytes;
  if (odd & (bytes - 1) || high < low ||
      !w.findSpan(AddressSpace(i.space), low, lanes.size, kind, lanes.ref))
    return false;
  forLanes(mask, [&](unsigned l) { address[l] -= low; });
  return true;
}

static bool areWritten(const LaneBytes &lanes, unsigned bytes, uint32_t mask) {
  // Beyond this it costs less to ask for the bytes of each lane.
  constexpr uint64_t kMaxRange = 4096;
  const ByteStore &store = *lanes.ref.store;
  if (lanes.size <= kMaxRange && store.isWritten(lanes.ref.offset, lanes.size))
    return true;
  if (lanes.dense)
    return false;
  bool all = true;
  forLanes(mask, [&](unsigned l) {
    all &= store.isWritten(lanes.ref.offset + lanes.offset[l], bytes);
  });
  return all;
}

/// Element `n` of all lanes: T in memory, R in a register.
template <class T, class R>
static void loadElements(Warp &w, const Inst &i, Slot slot, unsigned n,
                         const LaneBytes &lanes, uint32_t mask) {
  const uint8_t *data = lanes.ref.data + n * sizeof(T);
  R *to = w.at<R>(slot & ~kWideSlot);
  if (lanes.dense && i.vectorCount == 1 && sizeof(T) == sizeof(R)) {
    std::memcpy(to, data, 32 * sizeof(T));
    return;
  }
  forLanes(mask, [&](unsigned l) {
    T value;
    std::memcpy(&value, data + lanes.offset[l], sizeof value);
    to[l] = R(value);
  });
}

/// All elements of dense lanes whose registers are words.
template <unsigned Count>
static void loadDenseWords(Warp &w, const Slot *slots, const uint8_t *data) {
  uint32_t words[Count][32];
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned n = 0; n < Count; ++n)
      std::memcpy(&words[n][l], data + 4 * (l * Count + n), 4);
  for (unsigned n = 0; n < Count; ++n)
    std::memcpy(w.at<uint32_t>(slots[n]), words[n], sizeof words[n]);
}

template <unsigned Count>
static void storeDenseWords(Warp &w, const Slot *slots, uint8_t *data) {
  uint32_t words[Count][32];
  for (unsigned n = 0; n < Count; ++n)
    std::memcpy(words[n], w.at<uint32_t>(slots[n]), sizeof words[n]);
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned n = 0; n < Count; ++n)
      std::memcpy(data + 4 * (l * Count + n), &words[n][l], 4);
}

template <class T>
static void loadElements(Warp &w, const Inst &i, const LaneBytes &lanes,
                         uint32_t mask) {
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  if (lanes.dense && i.b && i.vectorCount == 4)
    return loadDenseWords<4>(w, slots, lanes.ref.data);
  if (lanes.dense && i.b && i.vectorCount == 2)
    return loadDenseWords<2>(w, slots, lanes.ref.data);
  for (unsigned n = 0; n < i.vectorCount; ++n) {
    if (slots[n] & kWideSlot)
      loadElements<T, uint64_t>(w, i, slots[n], n, lanes, mask);
    else
      loadElements<T, uint32_t>(w, i, slots[n], n, lanes, mask);
  }
}

/// `a`: elements are signed.
static bool loadAll(Warp &w, const Inst &i, uint32_t mask) {
  LaneBytes lanes;
  if (i.size > 8 || !findLaneBytes(w, i, mask, AccessKind::Read, lanes) ||
      !areWritten(lanes, i.size * i.vectorCount, mask))
    return false;
  switch (i.size) {
  case 1:
    i.a ? loadElements<int8_t>(w, i, lanes, mask)
        : loadElements<uint8_t>(w, i, lanes, mask);
    return true;
  case 2:
    i.a ? loadElements<int16_t>(w, i, lanes, mask)
        : loadElements<uint16_t>(w, i, lanes, mask);
    return true;
  case 4:
    i.a ? loadElements<int32_t>(w, i, lanes, mask)
        : loadElements<uint32_t>(w, i, lanes, mask);
    return true;
  default:
    loadElements<uint64_t>(w, i, lanes, mask);
    return true;
  }
}

template <class T, class R>
static void storeElements(Warp &w, const Inst &i, Slot slot, unsigned n,
                          const LaneBytes &lanes, uint32_t mask) {
  uint8_t *data = lanes.ref.data + n * sizeof(T);
  const R *from = w.at<R>(slot & ~kWideSlot);
  if (lanes.dense && i.vectorCount == 1 && sizeof(T) == sizeof(R)) {
    std::memcpy(data, from, 32 * sizeof(T));
    return;
  }
  forLanes(mask, [&](unsigned l) {
    T value = T(from[l]);
    std::memcpy(data + lanes.offset[l], &value, sizeof value);
  });
}

template <class T>
static void storeElements(Warp &w, const Inst &i, const LaneBytes &lanes,
                          uint32_t mask) {
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  if (lanes.dense && i.b && i.vectorCount == 4)
    return storeDenseWords<4>(w, slots, lanes.ref.data);
  if (lanes.dense && i.b && i.vectorCount == 2)
    return storeDenseWords<2>(w, slots, lanes.ref.data);
  for (unsigned n = 0; n < i.vectorCount; ++n) {
    if (slots[n] & kWideSlot)
      storeElements<T, uint64_t>(w, i, slots[n], n, lanes, mask);
    else
      storeElements<T, uint32_t>(w, i, slots[n], n, lanes, mask);
  }
}

static bool storeAll(Warp &w, const Inst &i, uint32_t mask) {
  LaneBytes lanes;
  if (i.size > 8 || !findLaneBytes(w, i, mask, AccessKind::Write, lanes))
    return false;
  switch (i.size) {
  case 1:
    storeElements<uint8_t>(w, i, lanes, mask);
    break;
  case 2:
    storeElements<uint16_t>(w, i, lanes, mask);
    break;
  case 4:
    storeElements<uint32_t>(w, i, lanes, mask);
    break;
  default:
    storeElements<uint64_t>(w, i, lanes, mask);
    break;
  }
  ByteStore &store = *lanes.ref.store;
  const unsigned bytes = i.size * i.vectorCount;
  if (lanes.dense)
    store.markWritten(lanes.ref.offset, lanes.size);
  else
    forLanes(mask, [&](unsigned l) {
      store.markWritten(lanes.ref.offset + lanes.offset[l], bytes);
    });
  return true;
}

//===----------------------------------------------------------------------===//
// Lane by lane
//===----------------------------------------------------------------------===//

/// ld: op[0] address; `size` bytes of an element; `a`: sign-extend; `b`: words
/// in registers of 32 bits.
static Step load(Warp &w, const Inst &i, uint32_t mask) {
  if (LLVM_LIKELY(loadAll(w, i, mask)))
    return Step::Next;
  unsigned bytes = i.size * i.vectorCount;
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    uint64_t address = addressOf(w, i, 0, l);
    MemoryRef ref;
    if (!w.resolve(i, AddressSpace(i.space), address, bytes, l,
                   AccessKind::Read, ref) ||
        !w.checkWritten(i, ref, bytes, address, l))
      return Step::Fault;
    for (unsigned n = 0; n < i.vectorCount; ++n) {
      uint64_t value = 0;
      std::memcpy(&value, ref.data + n * i.size, std::min<unsigned>(i.size, 8));
      if (i.a)
        value = llvm::SignExtend64(value, i.size * 8);
      Slot slot = slots[n] & ~kWideSlot;
      if (i.size == 16) {
        w.at<uint64_t>(slot)[l] = value;
        std::memcpy(&w.at<uint64_t>(slot)[l + 32], ref.data + n * 16 + 8, 8);
      } else if (slots[n] & kWideSlot) {
        w.at<uint64_t>(slot)[l] = value;
      } else {
        w.at<uint32_t>(slot)[l] = uint32_t(value);
      }
    }
  }
  return Step::Next;
}

static Step loadAcquire(Warp &w, const Inst &i, uint32_t mask) {
  Step step = load(w, i, mask);
  noteSync(w, mask, SyncReach::Cluster);
  return step;
}

static Step store(Warp &w, const Inst &i, uint32_t mask) {
  if (LLVM_LIKELY(storeAll(w, i, mask))) {
    ++w.cta.grid.progress;
    return Step::Next;
  }
  unsigned bytes = i.size * i.vectorCount;
  bool isSeen = false;
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    MemoryRef ref;
    if (!w.resolve(i, AddressSpace(i.space), addressOf(w, i, 0, l), bytes, l,
                   AccessKind::Write, ref))
      return Step::Fault;
    for (unsigned n = 0; n < i.vectorCount; ++n) {
      Slot slot = slots[n] & ~kWideSlot;
      if (i.size == 16) {
        std::memcpy(ref.data + n * 16, &w.at<uint64_t>(slot)[l], 8);
        std::memcpy(ref.data + n * 16 + 8, &w.at<uint64_t>(slot)[l + 32], 8);
        continue;
      }
      uint64_t value = slots[n] & kWideSlot ? w.at<uint64_t>(slot)[l]
                                            : w.at<uint32_t>(slot)[l];
      std::memcpy(ref.data + n * i.size, &value, i.size);
    }
    ref.store->markWritten(ref.offset, bytes);
    isSeen |= !w.isLocal(ref);
  }
  ++(isSeen ? w.cta.grid.progress : w.cta.grid.localStores);
  return Step::Next;
}

static Step nothing(Warp &, const Inst &, uint32_t) { return Step::Next; }

AddressSpace tirx::sim::spaceOf(InstDecoder &d) {
  if (d.has("shared") || d.has("shared::cta") || d.has("shared::cluster"))
    return AddressSpace::Shared;
  if (d.has("global"))
    return AddressSpace::Global;
  if (d.has("local"))
    return AddressSpace::Local;
  if (d.has("const"))
    return AddressSpace::Constant;
  for (llvm::StringRef name : {"param", "param::entry", "param::func"})
    if (d.has(name))
      return AddressSpace::Parameter;
  return AddressSpace::Generic;
}

static void decodeMemory(InstDecoder &d, Inst &i, bool isLoad) {
  Type type = d.type();
  unsigned bits = bitsOf(type);
  if (bits < 8)
    return d.fail("predicates cannot be loaded or stored");
  i.space = uint8_t(spaceOf(d));
  d.accept({"v2", "v4", "v8", "unified"});
  i.size = bits / 8;
  i.a = isLoad && isSigned(type) && bits < 64;
  unsigned data = isLoad ? 0 : 1, address = isLoad ? 1 : 0;
  d.address(i, 0, address);
  d.vector(i, data, type, isLoad, /*anyWidth=*/true);
  if (d.failed())
    return;
  unsigned total = i.size * i.vectorCount;
  if (!llvm::isPowerOf2_32(total) || total > 32)
    return d.fail("expected an access of 1 to 32 bytes");
  i.b = i.size == 4 && d.allNarrow(i);
  i.fn = !isLoad ? store : d.has("acquire") ? loadAcquire : load;
}

void tirx::sim::addMemoryModels(ModelTable &table) {
  table["ld"] = [](InstDecoder &d, Inst &i) { decodeMemory(d, i, true); };
  table["ldu"] = [](InstDecoder &d, Inst &i) { decodeMemory(d, i, true); };
  table["st"] = [](InstDecoder &d, Inst &i) { decodeMemory(d, i, false); };
  // Hints: no effect on what is computed.
  for (const char *hint : {"prefetch", "prefetchu", "applypriority", "discard"})
    table[hint] = [](InstDecoder &d, Inst &i) {
      d.acceptAll();
      i.fn = nothing;
    };
  table["createpolicy"] = [](InstDecoder &d, Inst &i) {
    d.acceptAll();
    // A cache policy is opaque and its users ignore it here: any value will do.
    i.op[0] = d.dst(0, Type::B64);
    i.op[1] = d.constant(0, Type::B64);
    i.fn = [](Warp &w, const Inst &inst, uint32_t mask) {
      return map1<uint64_t, uint64_t>(w, inst, mask,
                                      [](uint64_t a) { return a; });
    };
  };
}
