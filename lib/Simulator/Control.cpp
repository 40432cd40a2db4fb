//===- Control.cpp - branches and ends ------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"

using namespace tirx::sim;

static Step branch(Warp &w, const Inst & /*i*/, uint32_t mask) {
  w.taken = mask;
  return Step::Branch;
}

static Step breakpoint(Warp &w, const Inst &i, uint32_t mask) {
  return w.fault(i, llvm::countr_zero(mask), "trap",
                 "the kernel stopped at a breakpoint");
}
static Step trap(Warp &w, const Inst &i, uint32_t mask) {
  return w.fault(i, llvm::countr_zero(mask), "trap", "the kernel trapped");
}

static void decodeBra(InstDecoder &d, Inst &i) {
  i.fn = branch;
  d.setFlow(Flow::Branches);
  d.label(i, 0);
}

static Step equals(Warp &w, const Inst &i, uint32_t mask) {
  auto *a = w.at<uint32_t>(i.op[1]);
  uint32_t result = 0;
  forLanes(mask, [&](unsigned l) {
    result |= uint32_t(a[l] == uint32_t(i.imm)) << l;
  });
  setPredicate(w, i.op[0], mask, result);
  return Step::Next;
}

/// op[0] the index, imm the number of targets.
static Step checkIndex(Warp &w, const Inst &i, uint32_t mask) {
  auto *index = w.at<uint32_t>(i.op[0]);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    if (index[lane] >= uint64_t(i.imm))
      return w.fault(i, lane, "branch",
                     "expected an index below the " + llvm::Twine(i.imm) +
                         " targets of the list, got " +
                         llvm::Twine(index[lane]));
  }
  return Step::Next;
}

/// brx.idx as a chain of guarded branches, the last one without a test.
static void decodeBrx(InstDecoder &d, Inst &i) {
  Slot index = d.src(0, Type::U32);
  auto targets = d.branchTargets(1);
  if (d.failed() || targets.empty())
    return d.fail("expected a list of branch targets");
  Inst check;
  check.fn = checkIndex;
  check.op[0] = index;
  check.imm = targets.size();
  d.emitBefore(check);
  // Lanes whose guard is false skip the chain: two instructions for each target
  // but the last, which is the one that is returned.
  if (d.isGuarded())
    d.emitSkip(2 * (targets.size() - 1) + 1);
  for (size_t n = 0; n + 1 < targets.size(); ++n) {
    Inst test;
    test.fn = equals;
    test.op[0] = d.scratch(Type::Pred);
    test.op[1] = index;
    test.imm = n;
    d.emitBefore(test);
    Inst jump;
    jump.fn = branch;
    jump.guard = test.op[0];
    d.useLabel(*targets[n]);
    d.emitBefore(jump, Flow::Branches);
  }
  i.fn = branch;
  d.setFlow(Flow::Branches);
  d.useLabel(*targets.back());
}

void tirx::sim::addControlModels(ModelTable &table) {
  table["bra"] = decodeBra;
  table["brx.idx"] = decodeBrx;
  table["trap"] = [](InstDecoder &d, Inst &i) {
    i.fn = trap;
    d.setFlow(Flow::Ends);
  };
  table["brkpt"] = [](InstDecoder &d, Inst &i) {
    i.fn = breakpoint;
    d.setFlow(Flow::Ends);
  };
  table["nanosleep"] = [](InstDecoder & /*d*/, Inst &i) {
    i.fn = [](Warp &, const Inst &, uint32_t) { return Step::Yield; };
  };
  // It does not change what is computed.
  table["pmevent"] = [](InstDecoder &d, Inst &i) {
    d.acceptAll();
    i.fn = [](Warp &, const Inst &, uint32_t) { return Step::Next; };
  };
}
