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

/// Element loops of the plain case: `size` is 4 and registers are words.
static void scatterWords(Warp &w, const Inst &i, const uint8_t *data,
                         unsigned l) {
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  for (unsigned n = 0; n < i.vectorCount; ++n)
    std::memcpy(&w.at<uint32_t>(slots[n])[l], data + 4 * n, 4);
}

/// ld: op[0] address; `size` bytes of an element; `a`: sign-extend; `b`: words.
static Step load(Warp &w, const Inst &i, uint32_t mask) {
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
    if (i.b) {
      scatterWords(w, i, ref.data, l);
      continue;
    }
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

static Step store(Warp &w, const Inst &i, uint32_t mask) {
  unsigned bytes = i.size * i.vectorCount;
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
  }
  ++w.cta.grid.progress;
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
  if (isLoad)
    i.b = i.size == 4 && d.allNarrow(i);
  i.fn = isLoad ? load : store;
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
