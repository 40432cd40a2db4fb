//===- StoreAsync.cpp - st.async, red.async, st.bulk ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores and reductions to shared memory of the cluster whose bytes an mbarrier
// counts (PTX ISA 9.7.9.12, 9.7.13.7): unordered, like copies. st.bulk is an
// ordinary store of many zeros.
//
//===----------------------------------------------------------------------===//

#include "BulkOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx::sim;

/// op[0] address, op[1] mbarrier, the vector: values; imm, imm2: offsets;
/// `size`: bytes of an element, `b`: reduces, `c`: AtomicOp, `d`: Type.
static Step storeAsync(Warp &w, const Inst &i, uint32_t mask) {
  const Slot *slots = w.cta.grid.kernel.slots.data() + i.vector;
  unsigned size = i.size * i.vectorCount;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    SharedPlace to, barrier;
    if (!locatePlace(w, i, l, laneAddress(w, i, 0, l, i.imm), size,
                     "the destination", to) ||
        !locatePlace(w, i, l, laneAddress(w, i, 1, l, i.imm2), 8,
                     "the mbarrier", barrier))
      return Step::Fault;
    if (to.cta != barrier.cta)
      return w.fault(i, l, "R44",
                     llvm::formatv("expected the mbarrier in CTA {0} of the "
                                   "destination, got CTA {1}",
                                   to.cta->rank, barrier.cta->rank));
    // Values are taken when the instruction is issued.
    std::array<uint8_t, 32> bytes = {};
    for (unsigned n = 0; n < i.vectorCount; ++n) {
      uint64_t value = i.size == 8 ? w.at<uint64_t>(slots[n])[l]
                                   : w.at<uint32_t>(slots[n])[l];
      std::memcpy(bytes.data() + n * i.size, &value, i.size);
    }
    AsyncMemory memory(w.cta, {&i, int(w.index), int(l)});
    auto write = [memory, to, bytes, size, &i]() mutable {
      if (!i.b)
        return memory.writeShared(*to.cta, to.offset, bytes.data(), size,
                                  "the destination");
      uint8_t *data =
          memory.updateShared(*to.cta, to.offset, size, "the destination");
      if (data)
        combineRun(AtomicOp(i.c), Type(i.d), data, bytes.data(), size);
      return data != nullptr;
    };
    if (!issueLoad(w, i, l, {to, barrier}, size, nullptr, write))
      return Step::Fault;
  }
  return Step::Next;
}

static void decodeStoreAsync(InstDecoder &d, Inst &i, bool reduces) {
  if (d.has("release"))
    return d.fail("the releasing form has no model");
  d.accept(
      {"weak", "mbarrier::complete_tx::bytes", "shared::cluster", "v2", "v4"});
  if (reduces) {
    i.b = 1;
    i.c = uint8_t(bulkOperation(d));
    i.d = uint8_t(d.type());
  }
  Type type = d.type();
  i.size = bitsOf(type) / 8;
  d.address(i, 1, 2);
  i.imm2 = i.imm;
  d.address(i, 0, 0);
  d.vector(i, 1, type, /*isDst=*/false);
  if (i.size * i.vectorCount > 32)
    return d.fail("expected a store of at most 32 bytes");
  i.fn = storeAsync;
}

/// op[0] address, op[1] bytes.
static Step storeZeros(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    uint64_t address = laneAddress(w, i, 0, l, i.imm);
    uint64_t size = w.at<uint64_t>(i.op[1])[l];
    if (address % 8 || size % 8)
      return w.fault(i, l, "alignment",
                     llvm::formatv("expected an address and a size that are "
                                   "multiples of 8, got {0:x} and {1}",
                                   address, size));
    if (size > uint64_t(1) << 24)
      return w.fault(i, l, "R42",
                     llvm::formatv("expected a size within shared memory, got "
                                   "{0}",
                                   size));
    MemoryRef ref;
    if (!size)
      continue;
    if (!w.resolveBytes(i, AddressSpace(i.space), address, size, l,
                        AccessKind::Write, ref))
      return Step::Fault;
    std::memset(ref.data, 0, size);
    ref.store->markWritten(ref.offset, size);
  }
  ++w.cta.grid.progress;
  return Step::Next;
}

void tirx::sim::addStoreAsyncModels(ModelTable &table) {
  table["st.async"] = [](InstDecoder &d, Inst &i) {
    decodeStoreAsync(d, i, false);
  };
  table["red.async"] = [](InstDecoder &d, Inst &i) {
    decodeStoreAsync(d, i, true);
  };
  table["st.bulk"] = [](InstDecoder &d, Inst &i) {
    d.accept("weak");
    i.space = uint8_t(spaceOf(d));
    d.immediateIn(2, 0, 0);
    i.op[1] = d.src(1, Type::U64);
    d.address(i, 0, 0);
    i.fn = storeZeros;
  };
}
