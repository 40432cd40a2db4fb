//===- TensorOps.cpp - tcgen05: mma, cp, commit, waits --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorOps.h"
#include "Decoder.h"
#include "Exec.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

bool tirx::sim::checkFullWarp(Warp &w, const Inst &i, uint32_t mask,
                              const char *rule) {
  if (mask == kFullMask)
    return true;
  w.fault(i, llvm::countr_zero(mask), rule,
          llvm::formatv("expected all 32 lanes of the warp to execute this "
                        "instruction together, got lanes {0:x8}",
                        mask));
  return false;
}

unsigned tirx::sim::decodeCtaGroup(InstDecoder &d) {
  return d.has("cta_group::2") ? 2 : 1;
}

bool tirx::sim::findCtaGroup(Warp &w, const Inst &i, unsigned lane,
                             unsigned size, CtaGroup &ctas) {
  Cta &cta = w.cta;
  if (cta.tensorGroup && cta.tensorGroup != size) {
    w.fault(i, lane, "R25",
            llvm::formatv("expected cta_group::{0} as in the tcgen05 "
                          "instructions before, got cta_group::{1}",
                          cta.tensorGroup, size));
    return false;
  }
  cta.tensorGroup = size;
  if (size == 1) {
    ctas = {&cta};
    return true;
  }
  unsigned even = cta.rank & ~1u;
  if (even + 1 >= cta.cluster.size()) {
    w.fault(i, lane, "R26",
            llvm::formatv("expected another CTA in the pair of CTA {0} of the "
                          "cluster for cta_group::2, got a cluster of {1}",
                          cta.rank, cta.cluster.size()));
    return false;
  }
  ctas = {cta.cluster[even], cta.cluster[even + 1]};
  return true;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Pending tcgen05 operations of the thread that complete before a new one:
/// copies and those with its accumulator and shape; all of them for a commit.
static llvm::SmallVector<uint64_t, 4>
earlierOf(Cta &cta, const Issuer &issuer, std::optional<uint64_t> accumulator) {
  return cta.engine->find([&](const AsyncOperation &other) {
    return other.unit == AsyncUnit::Tensor && other.cta == &cta &&
           other.issuer.warp == issuer.warp &&
           other.issuer.lane == issuer.lane && other.tag != kCommitTag &&
           (!accumulator || other.tag == kCopyTag || other.tag == accumulator);
  });
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

/// op[0] D, op[1] A, op[2] B, op[3] instruction descriptor, op[4] accumulate;
/// `a`: MmaKind, `b`: A in tensor memory, imm: offset of D, imm2: of A,
/// `c`: scale-input-d, `d`: size of the CTA group, `size`: weight-stationary,
/// op[5]: its zero-column mask or none; the vector: disabled lanes.
static Step mma(Warp &w, const Inst &i, uint32_t mask) {
  Cta &cta = w.cta;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    MmaOperation operation;
    operation.issuer = {&i, int(w.index), int(l)};
    if (!findCtaGroup(w, i, l, i.d, operation.ctas))
      return Step::Fault;
    operation.kind = MmaKind(i.a);
    operation.d = uint32_t(readLane(w, i, 0, l) + i.imm);
    operation.aInTensor = i.b;
    operation.a = i.b ? uint32_t(readLane(w, i, 1, l) + i.imm2)
                      : w.at<uint64_t>(i.op[1])[l];
    operation.b = w.at<uint64_t>(i.op[2])[l];
    operation.instruction = w.at<uint32_t>(i.op[3])[l];
    operation.accumulate = w.predicate(i.op[4]) >> l & 1;
    operation.scaleD = i.c;
    operation.weightStationary = i.size;
    if (i.op[5] != kNoSlot)
      operation.zeroColumns = w.at<uint64_t>(i.op[5])[l];
    for (unsigned n = 0; n < i.vectorCount; ++n)
      operation.disabledLanes[n] =
          w.at<uint32_t>(cta.grid.kernel.slots[i.vector + n])[l];
    AsyncOperation work(cta, operation.issuer, AsyncUnit::Tensor);
    // Copies come first, and what has the same accumulator and shape (R16).
    work.tag = uint64_t(operation.d) << 32 | (operation.instruction >> 17 << 1);
    work.after = earlierOf(cta, operation.issuer, work.tag);
    work.write = [&cta, operation] { return executeMma(cta, operation); };
    cta.engine->issue(std::move(work));
    if (cta.grid.stopped)
      return Step::Fault;
  }
  return Step::Next;
}

static void decodeMma(InstDecoder &d, Inst &i) {
  d.usesAsyncProxy();
  i.d = decodeCtaGroup(d);
  if (d.has("sp") || d.has("block_scale") || d.has("ashift"))
    return d.fail("sparse, block-scaled and shifted "
                  "multiplications have no model");
  if (d.has("kind::f16"))
    i.a = uint8_t(MmaKind::F16);
  else if (d.has("kind::tf32"))
    i.a = uint8_t(MmaKind::TF32);
  else if (d.has("kind::f8f6f4"))
    i.a = uint8_t(MmaKind::F8F6F4);
  else if (d.has("kind::i8"))
    i.a = uint8_t(MmaKind::I8);
  else
    return d.fail("this kind has no model");
  i.b = d.isAddress(1);
  if (i.b) {
    d.address(i, 1, 1);
    i.imm2 = i.imm;
  } else {
    i.op[1] = d.src(1, Type::B64);
  }
  d.address(i, 0, 0);
  i.op[2] = d.src(2, Type::B64);
  i.op[3] = d.src(3, Type::B32);
  unsigned n = 4;
  if (d.isVector(n)) {
    d.vector(i, n, Type::B32, /*isDst=*/false);
    unsigned words = 4 * i.d;
    if (!d.failed() && i.vectorCount != words)
      return d.fail(llvm::formatv("expected {0} words of disabled lanes for "
                                  "cta_group::{1}, got {2}",
                                  words, i.d, i.vectorCount)
                        .str());
    ++n;
  }
  i.op[4] = d.srcPredicate(n++);
  i.size = d.has("ws");
  if (i.size && d.exists(n))
    i.op[5] = d.src(n, Type::B64);
  else if (d.exists(n))
    i.c = d.immediateIn(n, 0, 15);
  i.fn = mma;
}

//===----------------------------------------------------------------------===//
// cp
//===----------------------------------------------------------------------===//

/// op[0] destination, op[1] descriptor; size: bytes a row, a: rows, b: copies,
/// c: distance of copies, d: distance of the upper rows, imm2: size of the CTA
/// group.
static Step copy(Warp &w, const Inst &i, uint32_t mask) {
  Cta &cta = w.cta;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    CopyOperation operation;
    operation.issuer = {&i, int(w.index), int(l)};
    if (!findCtaGroup(w, i, l, i.imm2, operation.ctas))
      return Step::Fault;
    operation.tensor = uint32_t(readLane(w, i, 0, l) + i.imm);
    operation.descriptor = w.at<uint64_t>(i.op[1])[l];
    operation.rows = i.a;
    operation.bytes = i.size;
    operation.copies = i.b;
    operation.copyStride = i.c;
    operation.upperStride = i.d;
    AsyncOperation work(cta, operation.issuer, AsyncUnit::Tensor);
    work.tag = kCopyTag;
    work.write = [&cta, operation] { return executeCopy(cta, operation); };
    cta.engine->issue(std::move(work));
    if (cta.grid.stopped)
      return Step::Fault;
  }
  return Step::Next;
}

static void decodeCopy(InstDecoder &d, Inst &i) {
  d.usesAsyncProxy();
  i.imm2 = decodeCtaGroup(d);
  if (d.has("b8x16"))
    return d.fail("decompressing copies have no model");
  struct Shape {
    const char *name;
    uint8_t rows, bytes, copies, copyStride, upperStride;
  };
  static const Shape shapes[] = {{"128x256b", 128, 32, 1, 0, 32},
                                 {"128x128b", 128, 16, 1, 0, 32},
                                 {"4x256b", 4, 32, 1, 0, 32},
                                 {"32x128b", 32, 16, 4, 32, 32},
                                 {"64x128b", 64, 16, 2, 64, 32}};
  for (const Shape &shape : shapes) {
    if (!d.has(shape.name))
      continue;
    i.a = shape.rows;
    i.size = shape.bytes;
    i.b = shape.copies;
    i.c = shape.copyStride;
    i.d = shape.upperStride;
    // 01_23: the halves of the rows go to warps 0 and 1, and to 2 and 3.
    d.accept("warpx4");
    if (d.has("warpx2::02_13")) {
      i.c = 64;
      i.d = 32;
    } else if (d.has("warpx2::01_23")) {
      i.c = 32;
      i.d = 64;
    }
    d.address(i, 0, 0);
    i.op[1] = d.src(1, Type::B64);
    i.fn = copy;
    return;
  }
  d.fail("this shape has no model");
}

//===----------------------------------------------------------------------===//
// commit and waits
//===----------------------------------------------------------------------===//

/// op[0] barrier, op[1] CTA mask or none; `d`: size of the CTA group.
static Step commit(Warp &w, const Inst &i, uint32_t mask) {
  Cta &cta = w.cta;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = llvm::countr_zero(rest);
    CtaGroup ctas;
    if (!findCtaGroup(w, i, l, i.d, ctas))
      return Step::Fault;
    uint64_t address = laneAddress(w, i, 0, l, i.imm);
    Cta *target;
    uint32_t offset;
    if (!locateBarrier(w, i, l, address, target, offset))
      return Step::Fault;
    std::vector<Cta *> targets = {target};
    if (i.op[1] != kNoSlot) {
      targets.clear();
      uint32_t chosen = w.at<uint32_t>(i.op[1])[l] & 0xffff;
      if (chosen >> cta.cluster.size())
        return w.fault(
            i, l, "R44",
            llvm::formatv("expected a CTA mask within the cluster of "
                          "{0}, got {1:x}",
                          cta.cluster.size(), chosen));
      for (Cta *peer : cta.cluster)
        if (chosen >> peer->rank & 1)
          targets.push_back(peer);
    }
    Issuer issuer{&i, int(w.index), int(l)};
    AsyncOperation work(cta, issuer, AsyncUnit::Tensor);
    work.tag = kCommitTag;
    work.after = earlierOf(cta, issuer, std::nullopt);
    for (Cta *peer : targets)
      work.signals.push_back({peer, offset, 0, /*arrives=*/true});
    cta.engine->issue(std::move(work));
    if (cta.grid.stopped)
      return Step::Fault;
  }
  return Step::Next;
}

static void decodeCommit(InstDecoder &d, Inst &i) {
  i.d = decodeCtaGroup(d);
  d.address(i, 0, 0);
  d.accept({"mbarrier::arrive::one", "shared::cluster"});
  if (d.has("multicast::cluster"))
    i.op[1] = d.src(1, Type::B16);
  i.fn = commit;
}

/// `a`: 1 for stores, 0 for loads.
static Step tensorWait(Warp &w, const Inst &i, uint32_t mask) {
  if (!checkFullWarp(w, i, mask, "R28"))
    return Step::Fault;
  uint64_t tag = i.a ? kTensorStoreTag : kTensorLoadTag;
  for (uint64_t id : w.cta.engine->find([&](const AsyncOperation &other) {
         return other.unit == AsyncUnit::Tensor && other.cta == &w.cta &&
                other.issuer.warp == int(w.index) && other.tag == tag;
       }))
    if (!w.cta.engine->complete(id))
      return Step::Fault;
  if (w.cta.grid.observer)
    w.cta.grid.observer->onSync(
        {{w.cta.linear, int(w.index), mask}, SyncKind::TensorWait, i.a, &i});
  return Step::Next;
}

static Step tensorFence(Warp &w, const Inst &i, uint32_t mask) {
  if (w.cta.grid.observer)
    w.cta.grid.observer->onSync(
        {{w.cta.linear, int(w.index), mask}, SyncKind::TensorFence, i.a, &i});
  return Step::Next;
}

void tirx::sim::addTensorModels(ModelTable &table) {
  addTensorAllocationModels(table);
  table["tcgen05.mma"] = decodeMma;
  table["tcgen05.cp"] = decodeCopy;
  table["tcgen05.commit"] = decodeCommit;
  table["tcgen05.wait::ld"] = [](InstDecoder & /*d*/, Inst &i) {
    i.a = 0;
    i.fn = tensorWait;
  };
  table["tcgen05.wait::st"] = [](InstDecoder & /*d*/, Inst &i) {
    i.a = 1;
    i.fn = tensorWait;
  };
  table["tcgen05.fence::before_thread_sync"] = [](InstDecoder & /*d*/,
                                                  Inst &i) {
    i.a = 0;
    i.fn = tensorFence;
  };
  table["tcgen05.fence::after_thread_sync"] = [](InstDecoder & /*d*/, Inst &i) {
    i.a = 1;
    i.fn = tensorFence;
  };
}
