//===- Stack.cpp - alloca, stacksave, stackrestore ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exec.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

/// op[0] the address, op[1] bytes, imm the alignment.
static Step allocateStack(Warp &w, const Inst &i, uint32_t mask) {
  const uint64_t limit = w.cta.grid.options.stackBytes +
                         w.cta.grid.kernel.functions.front().localBytes;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t size = readLane(w, i, 1, lane);
    uint64_t base = llvm::alignTo(w.localTop[lane], i.imm);
    if (base > limit || size > limit - base)
      return w.fault(i, lane, "stack",
                     llvm::formatv("stack overflow: expected at most {0} bytes "
                                   "of local memory for each thread, got {1} "
                                   "more than the {2} in use",
                                   limit, size, w.localTop[lane])
                         .str());
    w.local[lane].grow(base + size);
    w.local[lane].forget(w.localTop[lane], base + size - w.localTop[lane]);
    w.localTop[lane] = base + size;
    writeLane(w, i, 0, lane, base);
  }
  return Step::Next;
}

static Step saveStack(Warp &w, const Inst &i, uint32_t mask) {
  forLanes(mask, [&](unsigned l) { writeLane(w, i, 0, l, w.localTop[l]); });
  return Step::Next;
}

static Step restoreStack(Warp &w, const Inst &i, uint32_t mask) {
  const Frame &frame = *w.fragment().frame;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t top = readLane(w, i, 0, lane);
    uint64_t own = uint64_t(frame.base(lane)) + frame.function->localBytes;
    if (top < own || top > w.localTop[lane])
      return w.fault(i, lane, "stack",
                     llvm::formatv("expected a stack pointer that stacksave "
                                   "gave in this function, from {0} to {1}, "
                                   "got {2}",
                                   own, w.localTop[lane], top)
                         .str());
    w.localTop[lane] = top;
  }
  return Step::Next;
}

void tirx::sim::addStackModels(ModelTable &table) {
  table["alloca"] = [](InstDecoder &d, Inst &i) {
    Type type = d.type();
    d.dstAny(i, 0, 0, type);
    d.srcAny(i, 1, 1, type);
    i.imm = d.exists(2) ? d.immediateIn(2, 1, 1 << 16) : 16;
    if (!llvm::isPowerOf2_64(i.imm))
      return d.fail("expected a power of two as the alignment");
    i.fn = allocateStack;
  };
  table["stacksave"] = [](InstDecoder &d, Inst &i) {
    d.dstAny(i, 0, 0, d.type());
    i.fn = saveStack;
  };
  table["stackrestore"] = [](InstDecoder &d, Inst &i) {
    d.srcAny(i, 0, 0, d.type());
    i.fn = restoreStack;
  };
}
