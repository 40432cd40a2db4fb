//===- CopyAsync.cpp - cp.async -------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The asynchronous copies of sm_80 (PTX ISA 9.7.9.25.3): a thread's copies are
// unordered, its groups are waited for in the order of commits. They belong to
// the generic proxy.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <memory>

using namespace tirx::sim;

namespace {
/// One thread's copy between issue and completion. Addresses are resolved when
/// they are used, since memory may be freed meanwhile.
struct ThreadCopy {
  Warp &warp;
  const Inst &inst;
  unsigned lane;
  uint64_t to, from;
  unsigned bytes; ///< of the source; the rest is zero
  std::array<uint8_t, 16> data = {};

  bool read() {
    MemoryRef ref;
    if (!bytes)
      return true;
    if (!warp.resolveBytes(inst, AddressSpace::Global, from, bytes, lane,
                           AccessKind::Read, ref) ||
        !warp.checkWritten(inst, ref, bytes, from, lane))
      return false;
    std::memcpy(data.data(), ref.data, bytes);
    return true;
  }
  bool write() {
    MemoryRef ref;
    if (!warp.resolve(inst, AddressSpace::Shared, to, inst.size, lane,
                      AccessKind::Write, ref))
      return false;
    std::memcpy(ref.data, data.data(), inst.size);
    ref.store->markWritten(ref.offset, inst.size);
    return true;
  }
};
} // namespace

static GroupOwner ownerOf(Warp &w, unsigned lane) {
  return {&w.cta, int(w.index), int(lane)};
}

/// op[0] shared address, op[1] global address, op[2] bytes of the source (the
/// rest is zero) or none, op[3] ignore-src or none; imm and imm2: offsets;
/// `size`: bytes.
static Step copyAsync(Warp &w, const Inst &i, uint32_t mask) {
  AsyncEngine &engine = *w.cta.engine;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    ThreadCopy copy{w,
                    i,
                    l,
                    laneAddress(w, i, 0, l, i.imm),
                    laneAddress(w, i, 1, l, i.imm2),
                    i.size};
    if (i.op[2] != kNoSlot)
      copy.bytes = std::min<uint32_t>(i.size, w.at<uint32_t>(i.op[2])[l]);
    if (i.op[3] != kNoSlot && w.predicate(i.op[3]) >> l & 1)
      copy.bytes = 0;
    // The alignment is that of the whole copy, the bounds are those read.
    if (copy.bytes && copy.from % i.size)
      return w.fault(i, l, "alignment",
                     llvm::formatv("expected a global address that is a "
                                   "multiple of {0}, got {1:x}",
                                   i.size, copy.from));
    if (engine.isEager() && !w.cta.grid.observer) {
      if (!copy.read() || !copy.write())
        return Step::Fault;
      continue;
    }
    AsyncOperation operation(w.cta, {&i, int(w.index), int(l)},
                             AsyncUnit::Copy);
    auto state = std::make_shared<ThreadCopy>(copy);
    operation.read = [state] { return state->read(); };
    operation.write = [state] { return state->write(); };
    uint64_t id = engine.issue(std::move(operation));
    if (w.cta.grid.stopped)
      return Step::Fault;
    engine.join(GroupKind::Copy, ownerOf(w, l), id, &i);
  }
  ++w.cta.grid.progress;
  return Step::Next;
}

static void decodeCopyAsync(InstDecoder &d, Inst &i) {
  d.accept({"shared", "shared::cta", "global"});
  d.address(i, 1, 1);
  i.imm2 = i.imm;
  d.address(i, 0, 0);
  int64_t size = d.immediateIn(2, 4, 16);
  if (size != 4 && size != 8 && size != 16)
    return d.fail("expected 4, 8 or 16 bytes");
  i.size = size;
  bool hint = d.hasPrefix("L2::cache_hint");
  if (d.exists(3) && !(hint && d.size() == 4)) {
    if (d.isPredicate(3))
      i.op[3] = d.srcPredicate(3);
    else
      i.op[2] = d.src(3, Type::U32);
  }
  i.fn = copyAsync;
}

/// cp.async.mbarrier.arrive: an arrival when the thread's earlier copies are
/// complete. Without .noinc (`a`) it counts itself first.
static Step copyArrive(Warp &w, const Inst &i, uint32_t mask) {
  AsyncEngine &engine = *w.cta.engine;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    Cta *cta;
    uint32_t offset;
    MBarrier *barrier =
        findBarrier(w, i, l, laneAddress(w, i, 0, l, i.imm), cta, offset);
    if (!barrier)
      return Step::Fault;
    if (cta != &w.cta)
      return w.fault(i, l, "R44", "expected an mbarrier of the own CTA");
    std::string error = i.a ? "" : barrier->addPending();
    if (!error.empty())
      return w.fault(i, l, "R31",
                     llvm::formatv("mbarrier at {0:x}: {1}", offset, error));
    AsyncOperation operation(w.cta, {&i, int(w.index), int(l)},
                             AsyncUnit::Copy);
    for (uint64_t id : engine.members(GroupKind::Copy, ownerOf(w, l)))
      operation.after.push_back(id);
    operation.signals.push_back({cta, offset, 0, /*arrives=*/true});
    engine.issue(std::move(operation));
    if (w.cta.grid.stopped)
      return Step::Fault;
  }
  return Step::Next;
}

static Step commitGroup(Warp &w, const Inst &, uint32_t mask) {
  if (!w.cta.engine->isEager())
    forLanes(mask, [&](unsigned l) {
      w.cta.engine->commit(GroupKind::Copy, ownerOf(w, l));
    });
  return Step::Next;
}

/// imm: groups that may stay; `a`: everything, committed or not.
static Step waitGroup(Warp &w, const Inst &i, uint32_t mask) {
  AsyncEngine &engine = *w.cta.engine;
  if (engine.isEager())
    return Step::Next;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    GroupOwner owner = ownerOf(w, llvm::countr_zero(rest));
    if (!(i.a ? engine.waitAll(GroupKind::Copy, owner)
              : engine.wait(GroupKind::Copy, owner, i.imm)))
      return Step::Fault;
  }
  return Step::Next;
}

void tirx::sim::addCopyAsyncModels(ModelTable &table) {
  table["cp.async.ca"] = decodeCopyAsync;
  table["cp.async.cg"] = decodeCopyAsync;
  table["cp.async.commit_group"] = [](InstDecoder &, Inst &i) {
    i.fn = commitGroup;
  };
  table["cp.async.wait_group"] = [](InstDecoder &d, Inst &i) {
    i.imm = uint32_t(d.immediateIn(0, INT32_MIN, UINT32_MAX));
    i.fn = waitGroup;
  };
  table["cp.async.wait_all"] = [](InstDecoder &, Inst &i) {
    i.a = 1;
    i.fn = waitGroup;
  };
  table["cp.async.mbarrier.arrive"] = [](InstDecoder &d, Inst &i) {
    d.accept({"shared", "shared::cta"});
    i.a = d.has("noinc");
    d.address(i, 0, 0);
    i.fn = copyArrive;
  };
}
