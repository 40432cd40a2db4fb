//===- TensorAllocation.cpp - tcgen05.alloc, dealloc, relinquish ----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA 9.7.16.7.1. With cta_group::2 a warp of each CTA of the pair executes
// alloc; the first waits for the other, and both get the same columns.
//
//===----------------------------------------------------------------------===//

#include "Exec.h"
#include "TensorOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace tirx::sim;

static bool checkColumnCount(Warp &w, const Inst &i, uint32_t columns) {
  if (columns >= 32 && columns <= 512 && !(columns & (columns - 1)))
    return true;
  w.fault(i, 0, "R23",
          llvm::formatv("expected a power of two from 32 to 512 columns, got "
                        "{0}",
                        columns));
  return false;
}

static bool checkPermit(Warp &w, const Inst &i, uint32_t columns) {
  const Cta &cta = w.cta;
  if (cta.tensorRelinquished) {
    w.fault(i, 0, "R23",
            "expected no tcgen05.alloc after "
            "tcgen05.relinquish_alloc_permit");
    return false;
  }
  if (!cta.lastAllocation || columns <= cta.lastAllocation)
    return true;
  w.fault(i, 0, "R23",
          llvm::formatv("expected at most the {0} columns of the allocation "
                        "before, got {1}",
                        cta.lastAllocation, columns));
  return false;
}

static Step waitForColumns(Warp &w, uint32_t columns) {
  w.fragment().state = FragmentState::TensorAlloc;
  w.fragment().object = columns;
  return Step::Block;
}

/// Grants columns that are free in both CTAs when both ask; false when the
/// request cannot be met (reported).
static bool allocatePair(Warp &w, const Inst &i, uint32_t columns, Cta &peer) {
  Cta &cta = w.cta;
  PairAllocation &mine = cta.pairAllocation, &other = peer.pairAllocation;
  // One warp of a CTA at a time.
  if (mine.warp && mine.warp != &w)
    return true;
  if (mine.granted)
    return true;
  mine.warp = &w;
  mine.columns = columns;
  if (!other.warp || other.granted) {
    if (!peer.isDone())
      return true;
    w.fault(i, 0, "R26",
            llvm::formatv("expected a warp of CTA {0} of the cluster, the "
                          "other one of the pair, to execute tcgen05.alloc "
                          "too, got a CTA that ended",
                          peer.rank));
    return false;
  }
  if (other.columns != columns) {
    w.fault(i, 0, "R26",
            llvm::formatv("expected the {0} columns that CTA {1} of the "
                          "cluster, the other one of the pair, allocates, got "
                          "{2}",
                          other.columns, peer.rank, columns));
    return false;
  }
  auto column = cta.tensor.findFree(columns, &peer.tensor);
  if (!column)
    return true;
  for (Cta *each : {&cta, &peer}) {
    each->tensor.take(*column, columns);
    each->pairAllocation.granted = column;
  }
  ++cta.grid.progress;
  return true;
}

/// op[0] where the address goes, op[1] columns; `d`: size of the CTA group.
static Step allocate(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t columns;
  CtaGroup ctas;
  if (!checkFullWarp(w, i, mask, "R22") ||
      !readUniform(w, i, 1, mask, "column count", columns) ||
      !checkColumnCount(w, i, columns) || !checkPermit(w, i, columns) ||
      !findCtaGroup(w, i, 0, i.d, ctas))
    return Step::Fault;
  Cta &cta = w.cta;
  MemoryRef ref;
  if (!w.resolve(i, AddressSpace(i.space), laneAddress(w, i, 0, 0, i.imm), 4, 0,
                 AccessKind::Write, ref))
    return Step::Fault;
  std::optional<unsigned> column;
  if (i.d == 2) {
    if (!allocatePair(w, i, columns, *ctas[!(cta.rank & 1)]))
      return Step::Fault;
    PairAllocation &mine = cta.pairAllocation;
    if (mine.warp == &w && mine.granted) {
      column = mine.granted;
      mine = {};
    }
  } else if ((column = cta.tensor.findFree(columns))) {
    cta.tensor.take(*column, columns);
  }
  if (!column)
    return waitForColumns(w, columns);
  cta.lastAllocation = columns;
  uint32_t value = *column;
  std::memcpy(ref.data, &value, 4);
  ref.store->markWritten(ref.offset, 4);
  ++cta.grid.progress;
  return Step::Next;
}

/// Each CTA of a pair frees its own half.
static Step deallocate(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t address, columns;
  CtaGroup ctas;
  if (!checkFullWarp(w, i, mask, "R22") ||
      !readUniform(w, i, 0, mask, "address", address) ||
      !readUniform(w, i, 1, mask, "column count", columns) ||
      !findCtaGroup(w, i, 0, i.d, ctas))
    return Step::Fault;
  std::string error = w.cta.tensor.release(address, columns);
  if (!error.empty())
    return w.fault(i, 0, "R24", error);
  ++w.cta.grid.progress;
  return Step::Next;
}

static Step relinquish(Warp &w, const Inst &i, uint32_t mask) {
  CtaGroup ctas;
  if (!checkFullWarp(w, i, mask, "R22") || !findCtaGroup(w, i, 0, i.d, ctas))
    return Step::Fault;
  w.cta.tensorRelinquished = true;
  return Step::Next;
}

std::string tirx::sim::describeAllocationWait(const Warp &w, uint64_t columns) {
  const Cta &cta = w.cta;
  std::string text = llvm::formatv(" waits for {0} free columns of tensor "
                                   "memory; {1}",
                                   columns, cta.tensor.describe());
  if (cta.tensorGroup != 2)
    return text;
  const Cta &peer = *cta.cluster[cta.rank ^ 1];
  if (!peer.pairAllocation.warp)
    return text + llvm::formatv("; CTA {0} of the cluster, the other one of "
                                "the pair, executes no tcgen05.alloc",
                                peer.rank)
                      .str();
  return text + llvm::formatv("; in CTA {0} of the cluster {1}", peer.rank,
                              peer.tensor.describe())
                    .str();
}

void tirx::sim::addTensorAllocationModels(ModelTable &table) {
  table["tcgen05.alloc"] = [](InstDecoder &d, Inst &i) {
    i.d = decodeCtaGroup(d);
    i.space = uint8_t(spaceOf(d));
    d.address(i, 0, 0);
    i.op[1] = d.src(1, Type::U32);
    i.fn = allocate;
  };
  table["tcgen05.dealloc"] = [](InstDecoder &d, Inst &i) {
    i.d = decodeCtaGroup(d);
    i.op[0] = d.src(0, Type::U32);
    i.op[1] = d.src(1, Type::U32);
    i.fn = deallocate;
  };
  table["tcgen05.relinquish_alloc_permit"] = [](InstDecoder &d, Inst &i) {
    i.d = decodeCtaGroup(d);
    i.fn = relinquish;
  };
}
