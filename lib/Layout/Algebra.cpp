//===- Algebra.cpp - operations on layouts --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "CheckedMath.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <vector>

using namespace tirx;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// Elements that equality and injectivity enumerate where no law decides.
static constexpr int64_t kEnumerationLimit = int64_t(1) << 24;

/// A layout made of checked parts whose coordinates stay inside those of the
/// layout that the parts come from, so construction cannot fail.
static TileLayout makeTile(ArrayRef<Iter> shard, ArrayRef<Iter> replica,
                           ArrayRef<AxisOffset> offset) {
  return llvm::cantFail(TileLayout::get(shard, replica, offset));
}

/// Rebuilds a layout around another tile, keeping the swizzle.
static Expected<Layout> withSwizzle(const Layout &layout, TileLayout tile) {
  if (const SwizzleLayout *swizzle = layout.getSwizzle())
    return Layout::compose(*swizzle, std::move(tile));
  return Layout(std::move(tile));
}

static Expected<Layout> withTileOfShape(const Layout &layout,
                                        ArrayRef<int64_t> shape) {
  CheckedInt size = 1;
  for (int64_t extent : shape)
    size *= extent;
  if (size.hasOverflowed())
    return makeError("expected a shape whose size fits 64 bits");
  return layout.withTile(size.get());
}

//===----------------------------------------------------------------------===//
// Canonical form
//===----------------------------------------------------------------------===//

/// Whether `outer` continues the stride of `inner`.
static bool continues(const Iter &outer, const Iter &inner) {
  if (outer.axis != inner.axis)
    return false;
  CheckedInt next = CheckedInt(inner.extent) * inner.stride;
  return !next.hasOverflowed() && outer.stride == next.get();
}

/// Drops iters of extent 1 and fuses neighbours; outermost first.
static SmallVector<Iter, 4> fuseNeighbours(ArrayRef<Iter> iters) {
  SmallVector<Iter, 4> fused;
  for (Iter iter : iters) {
    if (iter.extent == 1)
      continue;
    // A stride of 0 moves nowhere, whatever its axis.
    if (iter.stride == 0)
      iter.axis = memoryAxis();
    if (!fused.empty() && continues(fused.back(), iter)) {
      fused.back() = {fused.back().extent * iter.extent, iter.stride,
                      iter.axis};
      continue;
    }
    fused.push_back(iter);
  }
  return fused;
}

/// Replicas are a set of displacements: signs move into the offset, copies that
/// coincide go, and the order is free.
static SmallVector<Iter, 2>
canonicalReplica(ArrayRef<Iter> iters,
                 llvm::SmallVectorImpl<AxisOffset> &offset) {
  SmallVector<Iter, 4> positive;
  for (Iter iter : iters) {
    if (iter.extent == 1 || iter.stride == 0)
      continue;
    if (iter.stride < 0) {
      offset.push_back({iter.axis, (iter.extent - 1) * iter.stride});
      iter.stride = -iter.stride;
    }
    positive.push_back(iter);
  }
  llvm::sort(positive, [](const Iter &a, const Iter &b) {
    if (a.axis != b.axis)
      return a.axis < b.axis;
    return a.stride != b.stride ? a.stride > b.stride : a.extent > b.extent;
  });
  // {0..a-1}*s + {0..b-1}*k*s with k <= a is one run: {0..a-1+(b-1)*k}*s.
  SmallVector<Iter, 2> fused;
  for (const Iter &iter : llvm::reverse(positive)) {
    if (!fused.empty()) {
      Iter &small = fused.back();
      if (small.axis == iter.axis && iter.stride % small.stride == 0 &&
          iter.stride / small.stride <= small.extent) {
        small.extent += (iter.extent - 1) * (iter.stride / small.stride);
        continue;
      }
    }
    fused.push_back(iter);
  }
  std::reverse(fused.begin(), fused.end());
  return fused;
}

TileLayout tirx::canonicalize(const TileLayout &layout) {
  SmallVector<AxisOffset, 4> offset(layout.getOffset());
  SmallVector<Iter, 2> replica = canonicalReplica(layout.getReplica(), offset);
  return makeTile(fuseNeighbours(layout.getShard()), replica, offset);
}

Layout tirx::canonicalize(const Layout &layout) {
  if (layout.isSwizzle())
    return layout;
  TileLayout tile = canonicalize(*layout.getTile());
  const SwizzleLayout *swizzle = layout.getSwizzle();
  // A swizzle of no bits, or of bits that no address has, is the identity.
  if (!swizzle || swizzle->getSwizzleLen() == 0)
    return tile;
  int64_t source = swizzle->isOuter()
                       ? swizzle->getPerElement()
                       : swizzle->getPerElement() + swizzle->getAtomLen();
  if (tile.getSpan(memoryAxis()).max < (int64_t(1) << source))
    return tile;
  return llvm::cantFail(Layout::compose(*swizzle, std::move(tile)));
}

//===----------------------------------------------------------------------===//
// Equality and injectivity
//===----------------------------------------------------------------------===//

/// Sets S and T of points with D(x) + S = D'(x) + T for all x: at x = 0 both D
/// are 0, so S = T; and a finite set has only the trivial translation onto
/// itself, so D = D'.
static bool equalTiles(const TileLayout &lhs, const TileLayout &rhs) {
  TileLayout a = canonicalize(lhs), b = canonicalize(rhs);
  if (a == b)
    return true;
  return a.getSize() == b.getSize() && a.getShard() == b.getShard() &&
         a.getReplicaPoints() == b.getReplicaPoints();
}

std::optional<int64_t> tirx::findDifference(const Layout &lhs,
                                            const Layout &rhs) {
  std::optional<int64_t> size = lhs.getSize();
  if (!size || size != rhs.getSize())
    return std::nullopt;
  for (int64_t x = 0, e = std::min(*size, kEnumerationLimit); x < e; ++x)
    if (lhs.image(x) != rhs.image(x))
      return x;
  return std::nullopt;
}

bool tirx::isEqual(const Layout &lhs, const Layout &rhs) {
  if (lhs == rhs)
    return true;
  if (lhs.getSize() != rhs.getSize())
    return false;
  Layout a = canonicalize(lhs), b = canonicalize(rhs);
  if (!a.getTile() || !b.getTile())
    return a == b;
  // A swizzle is a bijection on indices: the same one on both sides cancels.
  bool sameSwizzle =
      a.getSwizzle() && b.getSwizzle() && *a.getSwizzle() == *b.getSwizzle();
  if (sameSwizzle || (a.isTile() && b.isTile()))
    return equalTiles(*a.getTile(), *b.getTile());
  if (*a.getSize() > kEnumerationLimit)
    return false;
  return !findDifference(a, b);
}

/// Whether the iters, ordered by stride on each axis, step over all that is
/// smaller: then no two index combinations meet. Sufficient, not necessary.
static bool stepsOverSmaller(ArrayRef<Iter> iters) {
  SmallVector<Iter> sorted(iters);
  llvm::sort(sorted, [](const Iter &a, const Iter &b) {
    if (a.axis != b.axis)
      return a.axis < b.axis;
    return std::abs(a.stride) < std::abs(b.stride);
  });
  int64_t reach = 0;
  Axis axis;
  for (const Iter &iter : sorted) {
    if (iter.axis != axis) {
      axis = iter.axis;
      reach = 0;
    }
    int64_t stride = std::abs(iter.stride);
    if (stride <= reach)
      return false;
    reach += (iter.extent - 1) * stride;
  }
  return true;
}

/// Folds all axes into one: an axis's coordinates are digits above those of the
/// axes before it, so points stay distinct. Nothing when the digits do not fit
/// 64 bits; `points` is the number of points in the box that the layout fills.
static std::optional<SmallVector<Iter>>
foldAxes(const TileLayout &tile, ArrayRef<Iter> iters, CheckedInt &points) {
  SmallVector<Iter> folded;
  points = 1;
  for (Axis axis : tile.getAxes()) {
    // In units of what all steps on the axis have in common.
    int64_t unit = 0;
    CheckedInt span = 1;
    for (const Iter &iter : iters)
      if (iter.axis == axis)
        unit = std::gcd(unit, iter.stride);
    for (const Iter &iter : iters)
      if (iter.axis == axis)
        span += (iter.extent - 1) * std::abs(iter.stride / unit);
    CheckedInt next = points * span;
    if (next.hasOverflowed())
      return std::nullopt;
    for (const Iter &iter : iters)
      if (iter.axis == axis)
        folded.push_back(
            {iter.extent, iter.stride / unit * points.get(), memoryAxis()});
    points = next;
  }
  return folded;
}

bool tirx::isInjective(const Layout &layout) {
  if (layout.isSwizzle())
    return true;
  // A swizzle is a bijection: the tile decides.
  const TileLayout &tile = *layout.getTile();
  SmallVector<Iter> iters;
  auto moves = [](const Iter &iter) { return iter.extent > 1; };
  llvm::copy_if(tile.getShard(), std::back_inserter(iters), moves);
  llvm::copy_if(tile.getReplica(), std::back_inserter(iters), moves);
  if (llvm::any_of(iters, [](const Iter &iter) { return iter.stride == 0; }))
    return false;
  if (stepsOverSmaller(iters))
    return true;

  // A map into fewer points than it has elements cannot be injective; one that
  // can be is small enough to enumerate, or too sparse to decide.
  CheckedInt count = CheckedInt(tile.getSize()) * tile.getReplicaCount();
  CheckedInt box = 1;
  auto folded = foldAxes(tile, iters, box);
  if (count.hasOverflowed() || count.get() > kEnumerationLimit || !folded ||
      box.get() < count.get())
    return false;
  std::vector<int64_t> points = {0};
  points.reserve(count.get());
  for (const Iter &iter : *folded)
    for (size_t i = points.size(), copies = iter.extent - 1; copies > 0;
         --copies)
      for (size_t k = 0; k < i; ++k)
        points.push_back(points[k] + int64_t(copies) * iter.stride);
  llvm::sort(points);
  return std::adjacent_find(points.begin(), points.end()) == points.end();
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

Expected<SmallVector<SmallVector<Iter, 2>>>
tirx::group(const TileLayout &layout, ArrayRef<int64_t> shape) {
  CheckedInt size = 1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent < 1)
      return makeError("expected dimension " + Twine(dim) +
                       " to have an extent of at least 1, got " +
                       Twine(extent));
    size *= extent;
  }
  if (size.hasOverflowed() || size.get() != layout.getSize())
    return makeError("expected a shape of " + Twine(layout.getSize()) +
                     " elements" +
                     (size.hasOverflowed() ? Twine(", got more than 2^63")
                                           : ", got " + Twine(size.get())));
  SmallVector<SmallVector<Iter, 2>> groups(shape.size());
  SmallVector<Iter> rest(layout.getShard());
  for (size_t dim = shape.size(); dim-- > 0;) {
    int64_t need = shape[dim];
    while (need > 1) {
      Iter iter = rest.pop_back_val();
      int64_t part = std::gcd(iter.extent, need);
      if (part != iter.extent && part != need)
        return makeError("expected the iters of dimension " + Twine(dim) +
                         " to multiply to its extent " + Twine(shape[dim]) +
                         ", got an iter of extent " + Twine(iter.extent) +
                         " that straddles its boundary");
      groups[dim].insert(groups[dim].begin(), {part, iter.stride, iter.axis});
      need /= part;
      if (part != iter.extent)
        rest.push_back({iter.extent / part, iter.stride * part, iter.axis});
    }
  }
  return groups;
}

/// The fewest iters of each dimension, whatever the spelling: neighbours are
/// fused before the shard is split and again within a dimension.
static Expected<SmallVector<SmallVector<Iter, 4>>>
groupFused(const TileLayout &tile, ArrayRef<int64_t> shape) {
  auto groups = group(makeTile(fuseNeighbours(tile.getShard()),
                               tile.getReplica(), tile.getOffset()),
                      shape);
  if (!groups)
    return groups.takeError();
  SmallVector<SmallVector<Iter, 4>> fused;
  for (const SmallVector<Iter, 2> &iters : *groups)
    fused.push_back(fuseNeighbours(iters));
  return fused;
}

static SmallVector<Iter> concatenate(ArrayRef<SmallVector<Iter, 2>> groups) {
  SmallVector<Iter> iters;
  for (const SmallVector<Iter, 2> &dim : groups)
    iters.append(dim.begin(), dim.end());
  return iters;
}

static bool sliceDim(ArrayRef<Iter> iters, int64_t start, int64_t count,
                     llvm::SmallVectorImpl<Iter> &result,
                     llvm::SmallVectorImpl<AxisOffset> &offset);

/// A region that begins h elements before the end of an outer step is affine
/// when it goes on for h elements of the next one: the two halves are one step
/// apart. It may repeat when a step is two halves.
static bool sliceAcross(ArrayRef<Iter> iters, int64_t inner, int64_t start,
                        int64_t count, llvm::SmallVectorImpl<Iter> &result,
                        llvm::SmallVectorImpl<AxisOffset> &offset) {
  const Iter &outer = iters.front();
  int64_t half = inner - start % inner;
  if (half > count / 2 || count % (2 * half) != 0 ||
      (count != 2 * half && inner != 2 * half))
    return false;
  SmallVector<Iter> low, high;
  SmallVector<AxisOffset> lowOffset, highOffset;
  ArrayRef<Iter> rest = iters.drop_front();
  if (!sliceDim(rest, inner - half, half, low, lowOffset) ||
      !sliceDim(rest, 0, half, high, highOffset) ||
      fuseNeighbours(low) != fuseNeighbours(high))
    return false;

  Coordinates step;
  step.add(outer.axis, outer.stride);
  for (const AxisOffset &entry : highOffset)
    step.add(entry.axis, entry.value);
  for (const AxisOffset &entry : lowOffset)
    step.add(entry.axis, -entry.value);
  if (step.values().size() > 1)
    return false;
  AxisOffset single = step.values().empty() ? AxisOffset{memoryAxis(), 0}
                                            : step.values().front();
  offset.push_back({outer.axis, start / inner * outer.stride});
  offset.append(lowOffset.begin(), lowOffset.end());
  result.push_back({count / (2 * half), outer.stride, outer.axis});
  result.push_back({2, single.value, single.axis});
  result.append(low.begin(), low.end());
  return true;
}

/// Restricts the iters of one dimension to [start, start + count). Returns
/// false when the region is not affine: it begins or ends inside an outer step.
static bool sliceDim(ArrayRef<Iter> iters, int64_t start, int64_t count,
                     llvm::SmallVectorImpl<Iter> &result,
                     llvm::SmallVectorImpl<AxisOffset> &offset) {
  if (iters.empty())
    return true;
  int64_t inner = 1;
  for (const Iter &iter : iters.drop_front())
    inner *= iter.extent;
  const Iter &outer = iters.front();
  int64_t first = start / inner, last = (start + count - 1) / inner;
  if (first != last && start % inner != 0)
    return sliceAcross(iters, inner, start, count, result, offset);
  offset.push_back({outer.axis, first * outer.stride});
  if (first == last)
    return sliceDim(iters.drop_front(), start % inner, count, result, offset);
  if (count % inner != 0)
    return false;
  result.push_back({count / inner, outer.stride, outer.axis});
  result.append(iters.begin() + 1, iters.end());
  return true;
}

Expected<Layout> tirx::slice(const Layout &layout, ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> offsets,
                             ArrayRef<int64_t> sizes) {
  if (offsets.size() != shape.size() || sizes.size() != shape.size())
    return makeError("expected one offset and one size for each of " +
                     Twine(shape.size()) + " dimensions");
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (sizes[dim] < 1 || offsets[dim] < 0 || sizes[dim] > shape[dim] ||
        offsets[dim] > shape[dim] - sizes[dim])
      return makeError("expected a region inside dimension " + Twine(dim) +
                       " of extent " + Twine(shape[dim]) + ", got offset " +
                       Twine(offsets[dim]) + " and size " + Twine(sizes[dim]));
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  auto groups = groupFused(tile, shape);
  if (!groups)
    return groups.takeError();

  SmallVector<Iter> shard;
  SmallVector<AxisOffset> offset(tile.getOffset());
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    size_t before = shard.size();
    const SmallVector<Iter, 4> &iters = (*groups)[dim];
    if (!sliceDim(iters, offsets[dim], sizes[dim], shard, offset))
      return makeError("expected the region of dimension " + Twine(dim) +
                       " to cover whole steps of its iters, got offset " +
                       Twine(offsets[dim]) + " and size " + Twine(sizes[dim]) +
                       " over an inner extent of " +
                       Twine(shape[dim] / iters.front().extent));
    // Keeps one iter a dimension, so that the result reads like its shape.
    if (shard.size() == before)
      shard.push_back({1, 1, memoryAxis()});
  }
  return withSwizzle(*full, makeTile(shard, tile.getReplica(), offset));
}

Expected<Layout> tirx::permute(const Layout &layout, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (sorted.size() != shape.size() ||
      llvm::any_of(llvm::enumerate(sorted), [](auto entry) {
        return int64_t(entry.index()) != entry.value();
      }))
    return makeError("expected a permutation of " + Twine(shape.size()) +
                     " dimensions");
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  auto groups = group(tile, shape);
  if (!groups)
    return groups.takeError();
  SmallVector<SmallVector<Iter, 2>> reordered;
  for (int64_t dim : permutation)
    reordered.push_back((*groups)[dim]);
  return withSwizzle(*full, makeTile(concatenate(reordered), tile.getReplica(),
                                     tile.getOffset()));
}

Expected<Iter> tirx::getDimStride(const Layout &layout, ArrayRef<int64_t> shape,
                                  unsigned dim) {
  if (dim >= shape.size())
    return makeError("expected a dimension below " + Twine(shape.size()) +
                     ", got " + Twine(dim));
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  auto groups = groupFused(tile, shape);
  if (!groups)
    return groups.takeError();
  const SmallVector<Iter, 4> &iters = (*groups)[dim];
  if (iters.empty())
    return Iter{1, 0, memoryAxis()};
  if (iters.size() > 1)
    return makeError("expected one stride along dimension " + Twine(dim) +
                     ", got " + Twine(iters.size()));
  return iters.front();
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool tirx::hasThreadAxes(const Layout &layout) {
  return llvm::any_of(layout.getAxes(),
                      [](Axis axis) { return axis.isThread(); });
}

Layout tirx::getStorage(const Layout &layout) {
  if (!layout.getTile())
    return layout;
  const TileLayout &tile = *layout.getTile();
  auto onMemory = [](const auto &entry) { return !entry.axis.isThread(); };
  SmallVector<Iter> shard, replica;
  SmallVector<AxisOffset> offset;
  llvm::copy_if(tile.getShard(), std::back_inserter(shard), onMemory);
  llvm::copy_if(tile.getReplica(), std::back_inserter(replica), onMemory);
  llvm::copy_if(tile.getOffset(), std::back_inserter(offset), onMemory);
  return llvm::cantFail(withSwizzle(layout, makeTile(shard, replica, offset)));
}

int64_t tirx::getVectorWidth(const Layout &layout, ArrayRef<int64_t> shape,
                             unsigned dim, int64_t limit) {
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full) {
    llvm::consumeError(full.takeError());
    return 1;
  }
  const TileLayout &tile = *full->getTile();
  auto groups = groupFused(tile, shape);
  if (!groups) {
    llvm::consumeError(groups.takeError());
    return 1;
  }
  if (dim >= shape.size() || (*groups)[dim].empty())
    return 1;
  Iter run = (*groups)[dim].pop_back_val();
  if (run.axis != memoryAxis() || run.stride != 1)
    return 1;

  // Every displacement of a vector's start has to be a multiple of its width.
  int64_t alignment = run.extent;
  auto require = [&](Axis axis, int64_t step) {
    if (axis == memoryAxis())
      alignment = std::gcd(alignment, step);
  };
  for (const SmallVector<Iter, 4> &iters : *groups)
    for (const Iter &iter : iters)
      require(iter.axis, iter.stride);
  for (const Iter &iter : tile.getReplica())
    if (iter.extent > 1)
      require(iter.axis, iter.stride);
  for (const AxisOffset &entry : tile.getOffset())
    require(entry.axis, entry.value);
  // A swizzle keeps runs of 2^p elements together.
  const SwizzleLayout *swizzle =
      canonicalize(*full).getSwizzle() ? full->getSwizzle() : nullptr;
  int64_t width = 1;
  while (width * 2 <= limit && alignment % (width * 2) == 0 &&
         (!swizzle || width * 2 <= (int64_t(1) << swizzle->getPerElement())))
    width *= 2;
  return width;
}
