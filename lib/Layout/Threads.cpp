//===- Threads.cpp - which threads a layout names -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

/// Threads of a unit or scope; 0 where the hardware fixes no number.
static int64_t getThreadCount(StringRef scope) {
  return llvm::StringSwitch<int64_t>(scope)
      .Case("thread", 1)
      .Case("warp", 32)
      .Case("warpgroup", 128)
      .Default(0);
}

/// The axes on which something moves, without those of extents of 1.
static SmallVector<Axis> getMovingThreadAxes(const Layout &layout) {
  SmallVector<Axis> axes;
  if (!layout.getTile())
    return axes;
  for (Axis axis : canonicalize(*layout.getTile()).getAxes())
    if (axis.isThread())
      axes.push_back(axis);
  return axes;
}

static std::string describe(Axis axis) {
  return ("'" + axis.getName() + "' (" + axis.getUnit() + " of " +
          axis.getScope() + ")")
      .str();
}

static Error makeChainError(Axis a, Axis b) {
  return makeError("expected thread axes of which one counts the scopes of the "
                   "next, got " +
                   Twine(describe(a)) + " beside " + describe(b));
}

static Expected<std::optional<ThreadScope>> getScopeOf(ArrayRef<Axis> axes) {
  if (axes.empty())
    return std::nullopt;
  for (Axis a : axes)
    for (Axis b : axes)
      if (a.getUnit() == b.getUnit() && a.getScope() != b.getScope())
        return makeChainError(a, b);
  // The innermost axis counts what is the scope of none.
  auto hasScope = [&](StringRef scope) {
    return llvm::find_if(axes,
                         [&](Axis axis) { return axis.getScope() == scope; });
  };
  const auto *first = llvm::find_if(
      axes, [&](Axis axis) { return hasScope(axis.getUnit()) == axes.end(); });
  if (first == axes.end())
    return makeChainError(axes.front(), axes.back());
  ThreadScope scope{first->getUnit(), first->getScope()};
  SmallVector<Axis> rest;
  Axis last = *first;
  llvm::copy_if(axes, std::back_inserter(rest),
                [&](Axis axis) { return axis.getUnit() != scope.unit; });
  while (!rest.empty()) {
    auto *next = llvm::find_if(
        rest, [&](Axis axis) { return axis.getUnit() == scope.scope; });
    if (next == rest.end())
      return makeChainError(last, rest.front());
    last = *next;
    scope.scope = last.getScope();
    llvm::erase_if(rest,
                   [&](Axis axis) { return axis.getUnit() == last.getUnit(); });
  }
  return scope;
}

Expected<std::optional<ThreadScope>> tirx::getScope(const Layout &layout) {
  return getScopeOf(getMovingThreadAxes(layout));
}

//===----------------------------------------------------------------------===//
// Fusing
//===----------------------------------------------------------------------===//

/// The built-in axis that counts `unit` inside `scope`, of those that have
/// relations.
static Axis findAxis(StringRef unit, StringRef scope) {
  for (StringRef name :
       {"laneid", "wid_in_wg", "tid_in_wg", "warpid", "wgid", "tx"}) {
    Axis axis = lookupBuiltinAxis(name);
    if (axis.getUnit() == unit && axis.getScope() == scope)
      return axis;
  }
  return Axis();
}

static Error checkRange(const TileLayout &tile, Axis axis) {
  int64_t count = getThreadCount(axis.getScope());
  if (count == 0)
    return Error::success();
  count /= getThreadCount(axis.getUnit());
  Span span = tile.getSpan(axis);
  if (span.min >= 0 && span.max < count)
    return Error::success();
  return makeError("expected coordinates on axis '" + axis.getName() +
                   "' from 0 to " + Twine(count - 1) + ", got " +
                   Twine(span.min) + " to " + Twine(span.max));
}

/// Moves what is on the axes of one chain to `target`.
static Expected<TileLayout> moveTo(const TileLayout &tile, Axis target) {
  bool overflow = false;
  auto move = [&](Axis &axis, int64_t &value) {
    if (!axis.isThread())
      return;
    int64_t factor =
        getThreadCount(axis.getUnit()) / getThreadCount(target.getUnit());
    axis = target;
    overflow |= llvm::MulOverflow(value, factor, value);
  };
  SmallVector<Iter> shard(tile.getShard()), replica(tile.getReplica());
  SmallVector<AxisOffset> offset(tile.getOffset());
  for (Iter &iter : shard)
    move(iter.axis, iter.stride);
  for (Iter &iter : replica)
    move(iter.axis, iter.stride);
  for (AxisOffset &entry : offset)
    move(entry.axis, entry.value);
  if (overflow)
    return makeError("expected coordinates on axis '" + target.getName() +
                     "' that fit 64 bits");
  return TileLayout::get(shard, replica, offset);
}

/// The tile without what moves nowhere: of axes that are not in the chain.
static TileLayout dropUnits(const TileLayout &tile) {
  auto drop = [](ArrayRef<Iter> iters) {
    SmallVector<Iter> kept;
    for (Iter iter : iters) {
      if (iter.axis.isThread() && (iter.extent == 1 || iter.stride == 0))
        iter = {iter.extent, 0, memoryAxis()};
      kept.push_back(iter);
    }
    return kept;
  };
  return makeTile(drop(tile.getShard()), drop(tile.getReplica()),
                  tile.getOffset());
}

Expected<Layout> tirx::fuseThreadAxes(const Layout &layout, StringRef scope) {
  SmallVector<Axis> axes = getMovingThreadAxes(layout);
  auto own = getScopeOf(axes);
  if (!own)
    return own.takeError();
  if (!*own)
    return layout;
  if ((*own)->scope != scope)
    return makeError("expected thread axes that count inside a " + scope +
                     ", got " + (*own)->unit + "s of a " + (*own)->scope);
  Axis target = findAxis((*own)->unit, scope);
  if (!target)
    return makeError("expected a scope that one axis counts in: warp, "
                     "warpgroup or cta, got " +
                     (*own)->unit + "s of a " + scope);
  TileLayout tile = dropUnits(*layout.getTile());
  for (Axis axis : axes) {
    if (lookupBuiltinAxis(axis.getName()) != axis)
      return makeError("expected built-in thread axes, got '" + axis.getName() +
                       "'");
    if (Error error = checkRange(tile, axis))
      return std::move(error);
  }
  Expected<TileLayout> fused = moveTo(tile, target);
  if (!fused)
    return fused.takeError();
  return withSwizzle(layout, std::move(*fused));
}

Layout tirx::canonicalize(const Layout &layout, StringRef scope) {
  Expected<Layout> fused = fuseThreadAxes(layout, scope);
  if (fused)
    return canonicalize(*fused);
  llvm::consumeError(fused.takeError());
  return canonicalize(layout);
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

namespace {
/// axis = count * outer + inner.
struct Relation {
  Axis axis, outer, inner;
  int64_t count;
};
} // namespace

/// The relation by which `axis` is split, if it counts across `scope`.
static std::optional<Relation> findRelation(Axis axis, StringRef scope) {
  if (lookupBuiltinAxis(axis.getName()) != axis)
    return std::nullopt;
  Relation relation{axis, findAxis(scope, axis.getScope()),
                    findAxis(axis.getUnit(), scope), 1};
  if (!relation.outer || !relation.inner || relation.inner == axis)
    return std::nullopt;
  relation.count = getThreadCount(scope) / getThreadCount(axis.getUnit());
  return relation;
}

/// Splits one iter into those on the outer and those on the inner axis.
static Error splitIter(const Relation &relation, const Iter &iter,
                       llvm::SmallVectorImpl<Iter> &result) {
  int64_t count = relation.count, step = std::abs(iter.stride);
  if (iter.stride % count == 0) {
    result.push_back({iter.extent, iter.stride / count, relation.outer});
    return Error::success();
  }
  // Less than one scope in all; whether it carries, the sum will show.
  if (iter.extent - 1 < count && (iter.extent - 1) * step < count) {
    result.push_back({iter.extent, iter.stride, relation.inner});
    return Error::success();
  }
  int64_t inside = step < count && count % step == 0 ? count / step : 0;
  if (inside == 0 || iter.extent % inside != 0)
    return makeError("expected steps on axis '" + iter.axis.getName() +
                     "' that move on '" + relation.outer.getName() + "' or '" +
                     relation.inner.getName() + "' alone, got extent " +
                     Twine(iter.extent) + " and stride " + Twine(iter.stride));
  result.push_back(
      {iter.extent / inside, iter.stride < 0 ? -1 : 1, relation.outer});
  result.push_back({inside, iter.stride, relation.inner});
  return Error::success();
}

static Expected<SmallVector<Iter>> splitIters(const Relation &relation,
                                              ArrayRef<Iter> iters) {
  SmallVector<Iter> result;
  for (const Iter &iter : iters) {
    if (iter.axis != relation.axis)
      result.push_back(iter);
    else if (Error error = splitIter(relation, iter, result))
      return std::move(error);
  }
  return result;
}

static Expected<TileLayout> splitAxis(const TileLayout &tile,
                                      const Relation &relation) {
  auto shard = splitIters(relation, tile.getShard());
  if (!shard)
    return shard.takeError();
  auto replica = splitIters(relation, tile.getReplica());
  if (!replica)
    return replica.takeError();
  SmallVector<AxisOffset> offset;
  for (const AxisOffset &entry : tile.getOffset()) {
    if (entry.axis != relation.axis) {
      offset.push_back(entry);
      continue;
    }
    int64_t inside =
        (entry.value % relation.count + relation.count) % relation.count;
    offset.push_back({relation.inner, inside});
    offset.push_back({relation.outer, (entry.value - inside) / relation.count});
  }
  Expected<TileLayout> result = TileLayout::get(*shard, *replica, offset);
  if (!result)
    return result.takeError();
  Span span = result->getSpan(relation.inner);
  if (span.min < 0 || span.max >= relation.count)
    return makeError("expected steps on axis '" + relation.axis.getName() +
                     "' that do not carry from '" + relation.inner.getName() +
                     "' to '" + relation.outer.getName() + "', got " +
                     Twine(span.min) + " to " + Twine(span.max) + " of " +
                     Twine(relation.count));
  return result;
}

Expected<Layout> tirx::splitThreadAxes(const Layout &layout, StringRef scope) {
  if (scope != "warp" && scope != "warpgroup")
    return makeError("expected scope warp or warpgroup, got " + scope);
  SmallVector<Axis> axes = getMovingThreadAxes(layout);
  auto own = getScopeOf(axes);
  if (!own)
    return own.takeError();
  if (!*own)
    return layout;
  TileLayout tile = canonicalize(*layout.getTile());
  for (Axis axis : axes) {
    std::optional<Relation> relation = findRelation(axis, scope);
    if (!relation)
      continue;
    Expected<TileLayout> split = splitAxis(tile, *relation);
    if (!split)
      return split.takeError();
    tile = std::move(*split);
  }
  return withSwizzle(layout, std::move(tile));
}
