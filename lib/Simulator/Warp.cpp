//===- Warp.cpp - lanes, divergence and reconvergence ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;

static uint64_t specialValue(SpecialRegister which, const Cta &cta,
                             unsigned warp, unsigned lane) {
  const Grid &grid = cta.grid;
  const auto &block = grid.block, &dims = grid.grid, &cluster = grid.cluster;
  unsigned thread = warp * 32 + lane;
  auto clusterCount = [&](unsigned d) { return dims[d] / cluster[d]; };
  using S = SpecialRegister;
  switch (which) {
  case S::TidX:
    return thread % block[0];
  case S::TidY:
    return thread / block[0] % block[1];
  case S::TidZ:
    return thread / block[0] / block[1] % block[2];
  case S::NtidX:
    return block[0];
  case S::NtidY:
    return block[1];
  case S::NtidZ:
    return block[2];
  case S::CtaidX:
    return cta.id[0];
  case S::CtaidY:
    return cta.id[1];
  case S::CtaidZ:
    return cta.id[2];
  case S::NctaidX:
    return dims[0];
  case S::NctaidY:
    return dims[1];
  case S::NctaidZ:
    return dims[2];
  case S::LaneId:
    return lane;
  case S::WarpId:
    return warp;
  case S::NwarpId:
    return (block[0] * block[1] * block[2] + 31) / 32;
  case S::SmId:
    return cta.linear % kSmCount;
  case S::NsmId:
    return kSmCount;
  case S::ClusteridX:
    return cta.id[0] / cluster[0];
  case S::ClusteridY:
    return cta.id[1] / cluster[1];
  case S::ClusteridZ:
    return cta.id[2] / cluster[2];
  case S::NclusteridX:
    return clusterCount(0);
  case S::NclusteridY:
    return clusterCount(1);
  case S::NclusteridZ:
    return clusterCount(2);
  case S::ClusterCtaidX:
    return cta.id[0] % cluster[0];
  case S::ClusterCtaidY:
    return cta.id[1] % cluster[1];
  case S::ClusterCtaidZ:
    return cta.id[2] % cluster[2];
  case S::ClusterNctaidX:
    return cluster[0];
  case S::ClusterNctaidY:
    return cluster[1];
  case S::ClusterNctaidZ:
    return cluster[2];
  case S::ClusterCtarank:
    return cta.rank;
  case S::ClusterNctarank:
    return cluster[0] * cluster[1] * cluster[2];
  case S::IsExplicitCluster:
    return cluster[0] * cluster[1] * cluster[2] > 1;
  case S::LanemaskEq:
    return 1u << lane;
  case S::LanemaskLe:
    return (2ull << lane) - 1;
  case S::LanemaskLt:
    return (1u << lane) - 1;
  case S::LanemaskGe:
    return uint32_t(~((1u << lane) - 1));
  case S::LanemaskGt:
    return uint32_t(~((2ull << lane) - 1));
  case S::DynamicSmemSize:
    return grid.dynamicShared;
  case S::TotalSmemSize:
  case S::AggrSmemSize:
    return grid.sharedBytes;
  case S::GridId:
  case S::Zero:
    return 0;
  }
  return 0;
}

Warp::Warp(Cta &cta, unsigned index, uint32_t lanes)
    : cta(cta), index(index), live(lanes) {
  const Kernel &kernel = cta.grid.kernel;
  size_t bytes = std::max<size_t>(kernel.registerBytes, 64);
  registers.reset(
      static_cast<uint8_t *>(::operator new[](bytes, std::align_val_t(64))));
  std::memset(registers.get(), 0, bytes);
  for (const ConstantSlot &constant : kernel.constants) {
    uint64_t value = constant.value;
    if (constant.shared)
      value += uint64_t(cta.rank) << kSharedRankShift;
    if (constant.generic)
      value += kSharedWindow;
    if (constant.bytes == 1) {
      predicate(constant.slot) = value ? ~0u : 0;
      continue;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (constant.bytes == 8)
        at<uint64_t>(constant.slot)[lane] = value;
      else
        at<uint32_t>(constant.slot)[lane] = uint32_t(value);
    }
  }
  for (const SpecialSlot &special : kernel.specials)
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint64_t value = specialValue(special.which, cta, index, lane);
      if (special.bytes == 8)
        at<uint64_t>(special.slot)[lane] = value;
      else
        at<uint32_t>(special.slot)[lane] = uint32_t(value);
    }
  localBytes = kernel.localBytes;
  if (localBytes)
    local.reset(uint64_t(localBytes) * 32);
  fragments.emplace_back();
  fragments.back().mask = lanes;
}

Step Warp::fault(const Inst &inst, int lane, llvm::StringRef rule,
                 const llvm::Twine &message, std::vector<std::string> notes) {
  cta.grid.error(cta.grid.placeOf(&inst, &cta, index, lane), rule, message,
                 std::move(notes));
  return Step::Fault;
}

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

int32_t Warp::newJoin(uint32_t pc, uint32_t mask, int32_t parent) {
  int32_t index = -1;
  for (size_t i = 0; i < joins.size(); ++i)
    if (joins[i].free)
      index = i;
  if (index < 0) {
    index = joins.size();
    joins.emplace_back();
  }
  joins[index] = {pc, mask, 0, parent, false};
  return index;
}

void Warp::split(Fragment &fragment, uint32_t away, uint32_t awayPc,
                 uint32_t joinPc) {
  // A loop that diverges again at the same place keeps its join.
  if (joinPc != kNoPc &&
      (fragment.join < 0 || joins[fragment.join].pc != joinPc))
    fragment.join = newJoin(joinPc, fragment.mask, fragment.join);
  Fragment other;
  other.pc = awayPc;
  other.mask = away;
  other.join = fragment.join;
  fragment.mask &= ~away;
  fragments.push_back(other);
}

void Warp::completeJoin(int32_t index) {
  Join &join = joins[index];
  if (join.free || join.arrived != join.mask)
    return;
  uint32_t mask = join.arrived;
  join.free = true;
  if (!mask)
    return;
  Fragment merged;
  merged.pc = join.pc;
  merged.mask = mask;
  merged.join = join.parent;
  fragments.push_back(merged);
}

bool Warp::arriveAtJoin(Fragment &fragment) {
  if (fragment.join < 0 || joins[fragment.join].pc != fragment.pc)
    return false;
  Join &join = joins[fragment.join];
  join.arrived |= fragment.mask;
  if (join.arrived == join.mask) {
    // The last to come goes on itself with everybody's lanes.
    fragment.mask = join.arrived;
    fragment.join = join.parent;
    join.free = true;
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
  ++cta.grid.progress;
}

bool Warp::releaseParked() {
  bool any = false;
  for (Join &join : joins) {
    if (join.free || !join.arrived)
      continue;
    Fragment freed;
    freed.pc = join.pc;
    freed.mask = join.arrived;
    freed.join = join.parent;
    join.mask &= ~join.arrived;
    join.arrived = 0;
    join.free = join.mask == 0;
    fragments.push_back(freed);
    any = true;
  }
  return any;
}

bool Warp::gather(uint32_t members) {
  uint32_t need = members & live;
  if ((running->mask & need) == need)
    return true;
  uint32_t together = running->mask;
  for (Fragment &other : fragments)
    if (&other != running && other.mask &&
        other.state == FragmentState::Collective && other.pc == running->pc)
      together |= other.mask;
  if ((together & need) != need) {
    running->state = FragmentState::Collective;
    running->object = members;
    return false;
  }
  for (Fragment &other : fragments) {
    if (&other == running || !other.mask ||
        other.state != FragmentState::Collective || other.pc != running->pc)
      continue;
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
    uint32_t lanes = other.mask, mine = running->mask;
    int32_t otherJoin = other.join, myJoin = running->join;
    other.mask = 0;
    running->mask |= lanes;
    running->join = common;
    leaveJoins(myJoin, common, mine);
    leaveJoins(otherJoin, common, lanes);
  }
  gathered = true;
  return true;
}

void Warp::describeWaits(std::vector<std::string> &notes) {
  const Module &module = cta.grid.module;
  auto where = [&](uint32_t pc, uint32_t mask) {
    unsigned line = cta.grid.kernel.info[pc].ptxLine;
    return llvm::formatv("cta ({0}, {1}, {2}) warp {3} lanes {4:x8} at line "
                         "{5} `{6}`",
                         cta.id[0], cta.id[1], cta.id[2], index, mask, line,
                         module.lineText(line))
        .str();
  };
  for (const Fragment &f : fragments) {
    if (!f.mask)
      continue;
    std::string text = where(f.pc, f.mask);
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
      text += llvm::formatv(" waits for {0} free columns of tensor memory; {1}",
                            f.object, cta.tensor.describe());
      break;
    case FragmentState::TensorWait:
      text += " waits for tensor memory operations";
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
