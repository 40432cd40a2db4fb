//===- WarpOps.cpp - shuffles, votes, elect -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of the lanes of a warp with each other. The lanes of the member
// mask must all execute the instruction before any of them goes on.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "FloatExtremum.h"
#include "TIRx/Simulator/FloatFormat.h"

using namespace tirx::sim;

/// Waits for all lanes of the member mask (operand `n`). Next: all are here.
static Step readMembers(Warp &w, const Inst &i, unsigned n, uint32_t mask,
                        uint32_t &members) {
  auto *m = w.at<uint32_t>(i.op[n]);
  unsigned first = llvm::countr_zero(mask);
  members = m[first];
  bool same = true, own = true;
  forLanes(mask, [&](unsigned l) {
    same &= m[l] == members;
    own &= m[l] >> l & 1;
  });
  if (!own)
    return w.fault(i, first, "R36",
                   "expected each executing lane in its own member mask, got "
                   "mask 0x" +
                       llvm::Twine::utohexstr(members) + " in lanes 0x" +
                       llvm::Twine::utohexstr(mask));
  if (!same) {
    // Groups with different masks each go on by themselves.
    uint32_t away = 0;
    forLanes(mask, [&](unsigned l) { away |= uint32_t(m[l] != members) << l; });
    w.split(w.fragment(), away, w.fragment().pc, kNoPc);
    return Step::Again;
  }
  return Step::Next;
}

/// All lanes of the member mask execute the same instruction together.
static Step meet(Warp &w, const Inst &i, unsigned n, uint32_t mask,
                 uint32_t &members) {
  if (Step step = readMembers(w, i, n, mask, members); step != Step::Next)
    return step;
  w.gathered = false;
  if (!w.gather(members))
    return Step::Block;
  if (w.gathered)
    return Step::Again;
  noteSync(w, members, SyncReach::Warp);
  return Step::Next;
}

#define TIRX_MEET(n)                                                           \
  uint32_t members;                                                            \
  if (Step step = meet(w, i, n, mask, members); step != Step::Next)            \
  return step

enum class Shuffle : uint8_t { Up, Down, Bfly, Idx };

/// op[0] d, op[1] predicate, op[2] a, op[3] b, op[4] c, op[5] member mask.
static Step shfl(Warp &w, const Inst &i, uint32_t mask) {
  TIRX_MEET(5);
  auto *d = w.at<uint32_t>(i.op[0]);
  auto *a = w.at<uint32_t>(i.op[2]), *b = w.at<uint32_t>(i.op[3]),
       *c = w.at<uint32_t>(i.op[4]);
  uint32_t source[32], valid = 0;
  std::copy_n(a, 32, source);
  forLanes(mask, [&](unsigned l) {
    int lane = l, bval = b[l] & 0x1f, cval = c[l] & 0x1f;
    int segment = c[l] >> 8 & 0x1f;
    int maxLane = (lane & segment) | (cval & ~segment);
    int minLane = lane & segment;
    int j = 0;
    bool p = false;
    switch (Shuffle(i.a)) {
    case Shuffle::Up:
      j = lane - bval;
      p = j >= maxLane;
      break;
    case Shuffle::Down:
      j = lane + bval;
      p = j <= maxLane;
      break;
    case Shuffle::Bfly:
      j = lane ^ bval;
      p = j <= maxLane;
      break;
    case Shuffle::Idx:
      j = minLane | (bval & ~segment);
      p = j <= maxLane;
      break;
    }
    if (!p)
      j = lane;
    d[l] = source[j & 31];
    valid |= uint32_t(p) << l;
  });
  setPredicate(w, i.op[1], mask, valid);
  return Step::Next;
}

static void decodeShfl(InstDecoder &d, Inst &i) {
  if (!d.has("sync"))
    return d.fail("shfl without .sync does not exist on sm_70 and later");
  i.op[0] = d.pairFirst(0, Type::B32);
  i.op[1] = d.pairSecond(0);
  for (unsigned n = 2; n <= 5; ++n)
    i.op[n] = d.src(n - 1, Type::B32);
  i.a = uint8_t(d.has("up")     ? Shuffle::Up
                : d.has("down") ? Shuffle::Down
                : d.has("bfly") ? Shuffle::Bfly
                                : Shuffle::Idx);
  d.accept("idx");
  i.splitsOnGuard = true;
  i.fn = shfl;
}

enum class Vote : uint8_t { All, Any, Uni, Ballot };

static Step vote(Warp &w, const Inst &i, uint32_t mask) {
  TIRX_MEET(2);
  uint32_t p = w.predicate(i.op[1]) & mask;
  if (Vote(i.a) == Vote::Ballot) {
    auto *d = w.at<uint32_t>(i.op[0]);
    forLanes(mask, [&](unsigned l) { d[l] = p; });
    return Step::Next;
  }
  bool value = Vote(i.a) == Vote::All   ? p == mask
               : Vote(i.a) == Vote::Any ? p != 0
                                        : p == 0 || p == mask;
  setPredicate(w, i.op[0], mask, value ? ~0u : 0);
  return Step::Next;
}

static void decodeVote(InstDecoder &d, Inst &i) {
  if (!d.has("sync"))
    return d.fail("vote without .sync does not exist on sm_70 and later");
  i.a = uint8_t(d.has("all")   ? Vote::All
                : d.has("any") ? Vote::Any
                : d.has("uni") ? Vote::Uni
                               : Vote::Ballot);
  d.accept("ballot");
  i.op[0] = Vote(i.a) == Vote::Ballot ? d.dst(0, Type::B32) : d.dstPredicate(0);
  i.op[1] = d.srcPredicate(1);
  i.op[2] = d.src(2, Type::B32);
  i.splitsOnGuard = true;
  i.fn = vote;
}

/// elect.sync: the lowest lane of the mask leads.
static Step elect(Warp &w, const Inst &i, uint32_t mask) {
  TIRX_MEET(2);
  unsigned leader = llvm::countr_zero(mask);
  auto *d = w.at<uint32_t>(i.op[0]);
  forLanes(mask, [&](unsigned l) { d[l] = leader; });
  setPredicate(w, i.op[1], mask, 1u << leader);
  return Step::Next;
}

template <class T> static Step match(Warp &w, const Inst &i, uint32_t mask) {
  TIRX_MEET(3);
  auto *d = w.at<uint32_t>(i.op[0]);
  // The result may go where the values are.
  std::array<T, 32> a;
  std::copy_n(w.at<T>(i.op[2]), 32, a.begin());
  uint32_t all = 0;
  forLanes(mask, [&](unsigned l) {
    uint32_t same = 0;
    forLanes(mask, [&](unsigned m) { same |= uint32_t(a[m] == a[l]) << m; });
    all |= uint32_t(same == mask) << l;
    d[l] = i.a && same != mask ? 0 : same;
  });
  setPredicate(w, i.op[1], mask, all);
  return Step::Next;
}

static void decodeMatch(InstDecoder &d, Inst &i) {
  i.op[0] = d.pairFirst(0, Type::B32);
  i.op[1] = d.pairSecond(0);
  i.op[2] = d.src(1, d.type());
  i.op[3] = d.src(2, Type::B32);
  i.a = d.has("all");
  d.accept("any");
  i.splitsOnGuard = true;
  i.fn = bitsOf(d.type()) == 64 ? match<uint64_t> : match<uint32_t>;
}

enum class Reduce : uint8_t { Add, Min, Max, And, Or, Xor };

static Step redux(Warp &w, const Inst &i, uint32_t mask) {
  TIRX_MEET(2);
  auto *d = w.at<uint32_t>(i.op[0]), *a = w.at<uint32_t>(i.op[1]);
  uint32_t result = a[llvm::countr_zero(mask)];
  for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
    uint32_t value = a[llvm::countr_zero(rest)];
    bool less = i.b ? int32_t(value) < int32_t(result) : value < result;
    switch (Reduce(i.a)) {
    case Reduce::Add:
      result += value;
      break;
    case Reduce::Min:
      result = less ? value : result;
      break;
    case Reduce::Max:
      result = less ? result : value;
      break;
    case Reduce::And:
      result &= value;
      break;
    case Reduce::Or:
      result |= value;
      break;
    case Reduce::Xor:
      result ^= value;
      break;
    }
  }
  forLanes(mask, [&](unsigned l) { d[l] = result; });
  return Step::Next;
}

/// redux.f32: min and max; `c`: of magnitudes, `d`: NaN wins.
static Step reduxF32(Warp &w, const Inst &i, uint32_t mask) {
  TIRX_MEET(2);
  auto *d = w.at<uint32_t>(i.op[0]), *a = w.at<uint32_t>(i.op[1]);
  FloatExtremum extremum(Reduce(i.a) == Reduce::Min, i.c, i.d);
  forLanes(mask, [&](unsigned l) { extremum.add(a[l]); });
  uint32_t bits = extremum.bits();
  forLanes(mask, [&](unsigned l) { d[l] = bits; });
  return Step::Next;
}

static void decodeRedux(InstDecoder &d, Inst &i) {
  Type type = d.type();
  i.a = uint8_t(d.has("add")   ? Reduce::Add
                : d.has("min") ? Reduce::Min
                : d.has("max") ? Reduce::Max
                : d.has("and") ? Reduce::And
                : d.has("or")  ? Reduce::Or
                               : Reduce::Xor);
  d.accept("xor");
  i.b = isSigned(type);
  i.c = d.has("abs");
  i.d = d.has("NaN");
  i.op[0] = d.dst(0, type);
  i.op[1] = d.src(1, type);
  i.op[2] = d.src(2, Type::B32);
  i.splitsOnGuard = true;
  i.fn = type == Type::F32 ? reduxF32 : redux;
}

static Step warpSync(Warp &w, const Inst &i, uint32_t mask) {
  uint32_t members;
  if (Step step = readMembers(w, i, 0, mask, members); step != Step::Next)
    return step;
  bool &released = w.fragment().released;
  if (!released && !w.gatherAnywhere(i, members))
    return Step::Block;
  released = false;
  if (w.cta.grid.observer)
    w.cta.grid.observer->onSync(
        {{w.cta.linear, int(w.index), mask}, SyncKind::WarpSync, members, &i});
  return Step::Next;
}

static Step activeMask(Warp &w, const Inst &i, uint32_t mask) {
  auto *d = w.at<uint32_t>(i.op[0]);
  forLanes(mask, [&](unsigned l) { d[l] = mask; });
  return Step::Next;
}

void tirx::sim::addWarpModels(ModelTable &table) {
  table["shfl"] = decodeShfl;
  table["vote"] = decodeVote;
  table["match"] = decodeMatch;
  table["redux"] = decodeRedux;
  table["elect"] = [](InstDecoder &d, Inst &i) {
    i.op[0] = d.pairFirst(0, Type::B32);
    i.op[1] = d.pairSecond(0);
    i.op[2] = d.src(1, Type::B32);
    i.splitsOnGuard = true;
    i.fn = elect;
  };
  table["activemask"] = [](InstDecoder &d, Inst &i) {
    i.op[0] = d.dst(0, Type::B32);
    i.fn = activeMask;
  };
  table["bar.warp"] = [](InstDecoder &d, Inst &i) {
    i.op[0] = d.src(0, Type::B32);
    i.splitsOnGuard = true;
    i.fn = warpSync;
  };
}
