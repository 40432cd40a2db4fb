//===- Warp.cpp - lanes, divergence and reconvergence ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "RegisterPool.h"
#include "TensorOps.h"
#include "Wgmma.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

Warp::Warp(Cta &cta, unsigned index, uint32_t lanes)
    : cta(cta), index(index), live(lanes) {
  const Function &kernel = cta.grid.kernel.functions.front();
  idleFrames.resize(cta.grid.kernel.functions.size());
  Frame *frame = takeFrame(kernel);
  frame->lanes = lanes;
  if (kernel.localBytes)
    for (unsigned lane = 0; lane < 32; ++lane)
      local[lane].reset(kernel.localBytes);
  localTop.fill(kernel.localBytes);
  fragments.emplace_back();
  fragments.back().mask = lanes;
  fragments.back().frame = frame;
}

Warp::~Warp() {
  for (const auto &frame : frames)
    if (!frame->function->isKernel)
      cta.grid.frameBytes -= frame->function->registerBytes;
}

Step Warp::fault(const Inst &inst, int lane, llvm::StringRef rule,
                 const llvm::Twine &message, std::vector<std::string> notes) {
  if (running && running->mask)
    describeCalls(lane >= 0 ? lane : llvm::countr_zero(running->mask), notes);
  cta.grid.error(cta.grid.placeOf(&inst, &cta, index, lane), rule, message,
                 std::move(notes));
  return Step::Fault;
}

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

void Warp::ensureJoin(Fragment &fragment, uint32_t pc) {
  // A loop that diverges again at the same place keeps its join.
  if (fragment.join >= 0 && joins[fragment.join].pc == pc &&
      joins[fragment.join].frame == fragment.frame)
    return;
  if (freeJoins.empty()) {
    freeJoins.push_back(joins.size());
    joins.emplace_back();
  }
  int32_t index = freeJoins.back();
  freeJoins.pop_back();
  joins[index] = {pc, fragment.frame, fragment.mask, 0, fragment.join, false};
  fragment.join = index;
}

void Warp::freeJoin(int32_t index) {
  joins[index].free = true;
  freeJoins.push_back(index);
}

void Warp::split(Fragment &fragment, uint32_t away, uint32_t awayPc,
                 uint32_t joinPc) {
  if (joinPc != kNoPc)
    ensureJoin(fragment, joinPc);
  Fragment other;
  other.pc = awayPc;
  other.mask = away;
  other.frame = fragment.frame;
  other.join = fragment.join;
  fragment.mask &= ~away;
  fragments.push_back(other);
}

void Warp::completeJoin(int32_t index) {
  Join &join = joins[index];
  if (join.free || join.arrived != join.mask)
    return;
  uint32_t mask = join.arrived;
  freeJoin(index);
  if (!mask)
    return;
  Fragment merged;
  merged.pc = join.pc;
  merged.mask = mask;
  merged.frame = join.frame;
  merged.join = join.parent;
  fragments.push_back(merged);
}

bool Warp::arriveAtJoin(Fragment &fragment) {
  if (fragment.join < 0 || joins[fragment.join].pc != fragment.pc ||
      joins[fragment.join].frame != fragment.frame)
    return false;
  Join &join = joins[fragment.join];
  join.arrived |= fragment.mask;
  if (join.arrived == join.mask) {
    // The last to come goes on itself with everybody's lanes.
    freeJoin(fragment.join);
    fragment.mask = join.arrived;
    fragment.join = join.parent;
    return arriveAtJoin(fragment);
  }
  fragment.mask = 0;
  return true;
}

void Warp::leaveJoins(int32_t from, int32_t until, uint32_t lanes) {
  for (int32_t i = from; i != until && i >= 0;) {
    int32_t parent = joins[i].parent;
    joins[i].mask &= ~lanes;
    completeJoin(i);
    i = parent;
  }
}

void Warp::exitLanes(Fragment &fragment, uint32_t lanes) {
  live &= ~lanes;
  fragment.mask &= ~lanes;
  leaveJoins(fragment.join, -1, lanes);
  leaveFrames(fragment.frame, lanes);
  ++cta.grid.progress;
}

bool Warp::releaseParked() {
  bool any = false;
  for (size_t i = 0; i < joins.size(); ++i) {
    Join &join = joins[i];
    if (join.free || !join.arrived)
      continue;
    Fragment freed;
    freed.pc = join.pc;
    freed.mask = join.arrived;
    freed.frame = join.frame;
    freed.join = join.parent;
    join.mask &= ~join.arrived;
    join.arrived = 0;
    if (!join.mask)
      freeJoin(i);
    fragments.push_back(freed);
    any = true;
  }
  return any;
}

bool Warp::hasParked() const {
  return joins.size() != freeJoins.size() &&
         llvm::any_of(joins, [](const Join &join) {
           return !join.free && join.arrived;
         });
}

/// Lanes that wait where the fragment stands can join it, also when another
/// call brought them there.
static bool meets(const Fragment &fragment, const Fragment &other) {
  return &other != &fragment && other.mask &&
         other.state == FragmentState::Collective && other.pc == fragment.pc;
}

void Warp::absorb(Fragment &other) {
  // Both go on as one, under the innermost join that waits for both.
  int32_t common = running->join;
  auto isAncestor = [&](int32_t candidate, int32_t of) {
    for (; of >= 0; of = joins[of].parent)
      if (of == candidate)
        return true;
    return candidate < 0;
  };
  while (!isAncestor(common, other.join))
    common = joins[common].parent;
  if (other.frame != running->frame) {
    // Neither frame's own joins will see these lanes again.
    while (common >= 0 && (joins[common].frame == running->frame ||
                           joins[common].frame == other.frame))
      common = joins[common].parent;
    running->frame = mergeFrames(*running, other);
    registers = running->frame->registers.get();
  }
  uint32_t lanes = other.mask, mine = running->mask;
  int32_t otherJoin = other.join, myJoin = running->join;
  other.mask = 0;
  running->mask |= lanes;
  running->join = common;
  leaveJoins(myJoin, common, mine);
  leaveJoins(otherJoin, common, lanes);
}

bool Warp::gather(uint32_t members) {
  uint32_t need = members & live;
  if ((running->mask & need) == need)
    return true;
  uint32_t together = running->mask;
  for (Fragment &other : fragments)
    if (meets(*running, other))
      together |= other.mask;
  if ((together & need) != need) {
    running->state = FragmentState::Collective;
    running->object = members;
    return false;
  }
  for (Fragment &other : fragments)
    if (meets(*running, other))
      absorb(other);
  gathered = true;
  return true;
}

bool Warp::gatherAnywhere(const Inst &inst, uint32_t members) {
  const std::vector<Inst> &code = cta.grid.kernel.code;
  auto waits = [&](const Fragment &other) {
    return &other != running && other.mask &&
           other.state == FragmentState::Collective &&
           other.object == members && code[other.pc].fn == inst.fn;
  };
  uint32_t need = members & live, together = running->mask;
  for (const Fragment &other : fragments)
    if (waits(other))
      together |= other.mask;
  if ((together & need) != need) {
    running->state = FragmentState::Collective;
    running->object = members;
    return false;
  }
  for (Fragment &other : fragments) {
    if (!waits(other))
      continue;
    if (other.pc == running->pc) {
      absorb(other);
    } else {
      other.state = FragmentState::Ready;
      other.released = true;
    }
  }
  return true;
}

void Warp::describeWaits(std::vector<std::string> &notes) {
  auto where = [&](uint32_t pc, uint32_t mask) {
    const InstInfo &info = cta.grid.kernel.info[pc];
    unsigned line = info.ptxLine;
    return llvm::formatv("cta ({0}, {1}, {2}) warp {3} lanes {4:x8} at line "
                         "{5} `{6}`",
                         cta.id[0], cta.id[1], cta.id[2], index, mask, line,
                         cta.grid.moduleOf(info).lineText(line))
        .str();
  };
  for (const Fragment &f : fragments) {
    if (!f.mask)
      continue;
    std::string text = where(f.pc, f.mask);
    if (!f.frame->function->isKernel)
      text += " of '" + f.frame->function->name + "'";
    switch (f.state) {
    case FragmentState::Ready:
      text += " is running";
      break;
    case FragmentState::NamedBarrier: {
      const NamedBarrier &barrier = cta.barriers[f.object];
      text += llvm::formatv(" waits at barrier {0}: {1} of {2} threads arrived",
                            f.object, barrier.arrived,
                            barrier.expected ? barrier.expected
                                             : cta.liveThreads());
      break;
    }
    case FragmentState::ClusterBarrier:
      text += " waits at the cluster barrier";
      break;
    case FragmentState::MBarrier: {
      auto it = cta.mbarriers.find(uint32_t(f.object));
      text +=
          llvm::formatv(" waits for parity {0} of mbarrier {1:x} ({2}): {3}",
                        f.parity, f.object, cta.describeShared(f.object),
                        it == cta.mbarriers.end() ? "not initialised"
                                                  : it->second.describe());
      break;
    }
    case FragmentState::Collective:
      text +=
          llvm::formatv(" waits for the lanes {0:x8} of its warp", f.object);
      break;
    case FragmentState::TensorAlloc:
      text += describeAllocationWait(*this, f.object);
      break;
    case FragmentState::TensorWait:
      text += " waits for tensor memory operations";
      break;
    case FragmentState::WgmmaWait:
      text += " waits for wgmma of its warpgroup: " +
              cta.warpgroups[index / kWarpgroupWarps]->describe();
      break;
    case FragmentState::RegisterPool:
      text += describeRegisterWait(*this, f.object);
      break;
    }
    notes.push_back(text);
  }
  for (const Join &join : joins)
    if (!join.free && join.arrived)
      notes.push_back(where(join.pc, join.arrived) +
                      llvm::formatv(" waits for its diverged lanes {0:x8}",
                                    join.mask & ~join.arrived)
                          .str());
}
