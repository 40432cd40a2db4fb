//===- BulkCopy.cpp - cp.async.bulk and its groups ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies and reductions of runs of bytes (PTX ISA 9.7.9.25.4). They belong to
// the asynchronous proxy and are unordered.
//
//===----------------------------------------------------------------------===//

#include "BulkOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <memory>

using namespace tirx::sim;

namespace {
enum class Way : uint8_t { GlobalToShared, SharedToShared, SharedToGlobal };

/// Operands by index into Inst::op.
constexpr unsigned kTo = 0, kFrom = 1, kSize = 2, kBarrier = 3, kMask = 4;

/// What a reduction does, or nothing for a copy: in Inst::c and Inst::d.
struct Reduction {
  explicit Reduction(const Inst &i)
      : present(i.b & 1), op(AtomicOp(i.c)), type(Type(i.d)) {}
  bool present;
  AtomicOp op;
  Type type;
};
} // namespace

static bool checkRun(Warp &w, const Inst &i, unsigned lane, uint64_t global,
                     bool hasGlobal, uint32_t size) {
  if (hasGlobal && global % 16) {
    w.fault(i, lane, "alignment",
            llvm::formatv("expected a global address that is a multiple of 16, "
                          "got {0:x}",
                          global));
    return false;
  }
  if (size % 16) {
    w.fault(i, lane, "R32",
            llvm::formatv("expected a size that is a multiple of 16 bytes, got "
                          "{0}",
                          size));
    return false;
  }
  return true;
}

static bool put(AsyncMemory memory, SharedPlace to, const Reduction &reduction,
                const std::vector<uint8_t> &bytes) {
  if (!reduction.present)
    return memory.writeShared(*to.cta, to.offset, bytes.data(), bytes.size(),
                              "the destination");
  uint8_t *data =
      memory.updateShared(*to.cta, to.offset, bytes.size(), "the destination");
  if (data)
    combineRun(reduction.op, reduction.type, data, bytes.data(), bytes.size());
  return data;
}

/// Into shared memory; imm, imm2: offsets of destination and source, `a`: Way,
/// `size`: offset of the mbarrier is in the vector's first slot.
static Step copyToShared(Warp &w, const Inst &i, uint32_t mask) {
  bool fromGlobal = Way(i.a) == Way::GlobalToShared;
  int32_t barrierOffset = w.cta.grid.kernel.slots[i.vector];
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    SharedPlace to, from, barrier;
    uint64_t source = laneAddress(w, i, kFrom, l, i.imm2);
    uint32_t size = w.at<uint32_t>(i.op[kSize])[l];
    if (!checkRun(w, i, l, source, fromGlobal, size) ||
        !locatePlace(w, i, l, laneAddress(w, i, kTo, l, i.imm), 16,
                     "the destination", to) ||
        !locatePlace(w, i, l, laneAddress(w, i, kBarrier, l, barrierOffset), 8,
                     "the mbarrier", barrier) ||
        (!fromGlobal && !locatePlace(w, i, l, source, 16, "the source", from)))
      return Step::Fault;
    llvm::SmallVector<BulkTarget, 4> targets;
    if (!findTargets(w, i, l, to, barrier,
                     i.op[kMask] == kNoSlot ? kNoSlot : kMask, false, targets))
      return Step::Fault;
    if (!size)
      continue;
    for (const BulkTarget &target : targets) {
      auto bytes = std::make_shared<std::vector<uint8_t>>();
      AsyncMemory memory(w.cta, {&i, int(w.index), int(l)});
      auto read = [=]() mutable {
        const uint8_t *data =
            fromGlobal
                ? memory.readGlobal(source, size, "the source")
                : memory.readShared(*from.cta, from.offset, size, "the source");
        if (data)
          bytes->assign(data, data + size);
        return data != nullptr;
      };
      auto write = [=, reduction = Reduction(i)] {
        return put(memory, target.to, reduction, *bytes);
      };
      if (!issueLoad(w, i, l, target, size, read, write))
        return Step::Fault;
    }
  }
  return Step::Next;
}

/// Writes bytes to global memory, those of `byteMask` in each 16.
static bool putGlobal(AsyncMemory memory, uint64_t to,
                      const Reduction &reduction, uint32_t byteMask,
                      const std::vector<uint8_t> &bytes) {
  unsigned size = bytes.size();
  if (!reduction.present && byteMask == 0xffff)
    return memory.writeGlobal(to, bytes.data(), size, "the destination");
  if (reduction.present) {
    uint8_t *data = memory.updateGlobal(to, size, "the destination");
    if (data)
      combineRun(reduction.op, reduction.type, data, bytes.data(), size);
    return data;
  }
  for (unsigned n = 0; n < size; ++n)
    if (byteMask >> n % 16 & 1)
      if (!memory.writeGlobal(to + n, &bytes[n], 1, "the destination"))
        return false;
  return true;
}

static Step copyToGlobal(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    SharedPlace from;
    uint64_t to = laneAddress(w, i, kTo, l, i.imm);
    uint32_t size = w.at<uint32_t>(i.op[kSize])[l];
    if (!checkRun(w, i, l, to, true, size) ||
        !locatePlace(w, i, l, laneAddress(w, i, kFrom, l, i.imm2), 16,
                     "the source", from))
      return Step::Fault;
    if (!size)
      continue;
    uint32_t byteMask = 0xffff;
    if (i.op[kMask] != kNoSlot)
      byteMask = w.at<uint32_t>(i.op[kMask])[l] & 0xffff;
    auto bytes = std::make_shared<std::vector<uint8_t>>();
    AsyncMemory memory(w.cta, {&i, int(w.index), int(l)});
    auto read = [=]() mutable {
      const uint8_t *data =
          memory.readShared(*from.cta, from.offset, size, "the source");
      if (data)
        bytes->assign(data, data + size);
      return data != nullptr;
    };
    auto write = [=, reduction = Reduction(i)] {
      return putGlobal(memory, to, reduction, byteMask, *bytes);
    };
    if (!issueStore(w, i, l, read, write))
      return Step::Fault;
  }
  return Step::Next;
}

static void decodeRun(InstDecoder &d, Inst &i, bool reduces) {
  d.usesAsyncProxy();
  d.accept({"mbarrier::complete_tx::bytes", "bulk_group", "noftz"});
  bool toGlobal = !d.modifiers().empty() && d.modifiers()[0] == "global";
  bool fromGlobal = !toGlobal && d.has("global");
  d.accept({"global", "shared::cta", "shared::cluster"});
  if (reduces) {
    i.b = 1;
    i.c = uint8_t(bulkOperation(d));
    i.d = uint8_t(d.type());
  }
  d.address(i, kFrom, 1);
  i.imm2 = i.imm;
  i.op[kSize] = d.src(2, Type::U32);
  if (toGlobal) {
    i.a = uint8_t(Way::SharedToGlobal);
    if (d.has("cp_mask"))
      i.op[kMask] = d.src(d.hasPrefix("L2::cache_hint") ? 4 : 3, Type::U16);
    d.address(i, kTo, 0);
    i.fn = copyToGlobal;
    return;
  }
  i.a = uint8_t(fromGlobal ? Way::GlobalToShared : Way::SharedToShared);
  d.address(i, kBarrier, 3);
  d.keepConstant(i, int32_t(i.imm));
  if (d.has("multicast::cluster"))
    i.op[kMask] = d.src(4, Type::U16);
  d.address(i, kTo, 0);
  i.fn = copyToShared;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static Step commitGroup(Warp &w, const Inst &, uint32_t mask) {
  forLanes(mask, [&](unsigned l) {
    w.cta.engine->commit(GroupKind::Bulk, {&w.cta, int(w.index), int(l)});
  });
  return Step::Next;
}

/// imm: groups that may stay; `a`: only their sources must have been read.
static Step waitGroup(Warp &w, const Inst &i, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    GroupOwner owner{&w.cta, int(w.index), llvm::countr_zero(rest)};
    if (!w.cta.engine->wait(GroupKind::Bulk, owner, i.imm,
                            i.a ? AsyncStage::Read : AsyncStage::Done))
      return Step::Fault;
  }
  return Step::Next;
}

void tirx::sim::addBulkCopyModels(ModelTable &table) {
  addStoreAsyncModels(table);
  table["cp.async.bulk"] = [](InstDecoder &d, Inst &i) {
    decodeRun(d, i, false);
  };
  table["cp.reduce.async.bulk"] = [](InstDecoder &d, Inst &i) {
    decodeRun(d, i, true);
  };
  // A cache that changes no value.
  table["cp.async.bulk.prefetch"] = [](InstDecoder &d, Inst &i) {
    d.acceptAll();
    i.fn = [](Warp &, const Inst &, uint32_t) { return Step::Next; };
  };
  table["cp.async.bulk.commit_group"] = [](InstDecoder &, Inst &i) {
    i.fn = commitGroup;
  };
  table["cp.async.bulk.wait_group"] = [](InstDecoder &d, Inst &i) {
    i.a = d.has("read");
    i.imm = uint32_t(d.immediateIn(0, INT32_MIN, UINT32_MAX));
    i.fn = waitGroup;
  };
}
