//===- Fit.cpp - a layout through given points ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fit.h"
#include "Affine.h"
#include "AlgebraDetail.h"
#include "SwizzleSearch.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// A point as a vector over a fixed list of axes: unlike that of Coordinates,
/// its order does not change when all points move.
using Vector = SmallVector<int64_t, 2>;
using VectorSet = std::set<Vector>;

/// The points of each element, sorted.
struct VectorImages {
  /// The first is `m`.
  SmallVector<Axis, 4> axes;
  std::vector<std::vector<Vector>> images;
};
} // namespace

static Vector subtract(const Vector &a, const Vector &b) {
  Vector difference = a;
  for (auto [value, other] : llvm::zip_equal(difference, b))
    value -= other;
  return difference;
}

/// The point one step on. Nothing when it does not fit 64 bits: no set has it.
static std::optional<Vector> advance(const Vector &point, const Vector &step) {
  Vector result = point;
  for (auto [value, each] : llvm::zip_equal(result, step))
    if (llvm::AddOverflow(value, each, value))
      return std::nullopt;
  return result;
}

static SmallVector<Axis, 4> collectAxes(ArrayRef<Coordinates> points) {
  SmallVector<Axis, 4> axes = {memoryAxis()};
  for (const Coordinates &point : points)
    for (const AxisOffset &entry : point.values())
      if (!llvm::is_contained(axes, entry.axis))
        axes.push_back(entry.axis);
  return axes;
}

static Vector toVector(const Coordinates &point, ArrayRef<Axis> axes) {
  Vector vector;
  for (Axis axis : axes)
    vector.push_back(point.get(axis));
  return vector;
}

//===----------------------------------------------------------------------===//
// Replicas
//===----------------------------------------------------------------------===//

/// The points from which `count` steps stay in the set, if these and their
/// steps are all of the set.
static std::optional<VectorSet> divide(const VectorSet &set, const Vector &step,
                                       int64_t count) {
  VectorSet starts, covered;
  for (const Vector &point : set) {
    SmallVector<Vector> run = {point};
    while (int64_t(run.size()) < count) {
      std::optional<Vector> next = advance(run.back(), step);
      if (!next || !set.count(*next))
        break;
      run.push_back(std::move(*next));
    }
    if (int64_t(run.size()) < count)
      continue;
    starts.insert(point);
    covered.insert(run.begin(), run.end());
  }
  if (covered.size() != set.size())
    return std::nullopt;
  return starts;
}

/// `set` contains the origin as its smallest point. `budget` bounds the points
/// that are looked at.
static bool factor(const VectorSet &set, ArrayRef<Axis> axes, int &budget,
                   SmallVector<Iter, 2> &iters) {
  if (set.size() == 1)
    return true;
  // The smallest point but one is a sum of steps, so it is one of them.
  const Vector &step = *std::next(set.begin());
  unsigned axis = 0;
  for (auto [i, value] : llvm::enumerate(step)) {
    if (value == 0)
      continue;
    if (step[axis] != 0 && axis != i)
      return false;
    axis = i;
  }
  int64_t longest = 1;
  for (std::optional<Vector> next = step; next && set.count(*next);
       next = advance(*next, step))
    ++longest;
  for (int64_t count = longest; count >= 2; --count) {
    budget -= int(set.size());
    if (budget < 0)
      return false;
    std::optional<VectorSet> starts = divide(set, step, count);
    if (!starts)
      continue;
    iters.push_back({count, step[axis], axes[axis]});
    if (factor(*starts, axes, budget, iters))
      return true;
    iters.pop_back();
  }
  return false;
}

/// The iters whose sums, copies that coincide counted once, are the given
/// points up to one displacement. Nothing when none are found: the search takes
/// the largest set that remains for each iter, and is complete for sets that
/// iters make without coinciding.
static std::optional<SmallVector<Iter, 2>> fitReplica(ArrayRef<Vector> sorted,
                                                      ArrayRef<Axis> axes) {
  VectorSet set;
  for (const Vector &point : sorted)
    set.insert(subtract(point, sorted.front()));
  SmallVector<Iter, 2> iters;
  int budget = 1 << 16;
  if (!factor(set, axes, budget, iters))
    return std::nullopt;
  return iters;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Whether all elements have the points of the first, moved.
static bool areTranslations(const VectorImages &map) {
  const std::vector<Vector> &first = map.images.front();
  for (const std::vector<Vector> &image : map.images) {
    if (image.size() != first.size())
      return false;
    for (size_t i = 1; i < image.size(); ++i)
      if (subtract(image[i], image[0]) != subtract(first[i], first[0]))
        return false;
  }
  return true;
}

static std::optional<TileLayout> fitTile(const VectorImages &map) {
  if (!areTranslations(map))
    return std::nullopt;
  const Vector &origin = map.images.front().front();
  Vector difference;
  auto row = [&](int64_t c) -> ArrayRef<int64_t> {
    difference = subtract(map.images[c].front(), origin);
    return difference;
  };
  auto shard = fitIters(map.images.size(), map.axes, row);
  if (!shard)
    return std::nullopt;
  auto replica = fitReplica(map.images.front(), map.axes);
  if (!replica)
    return std::nullopt;
  SmallVector<AxisOffset> offset;
  for (auto [axis, value] : llvm::zip_equal(map.axes, origin))
    offset.push_back({axis, value});
  llvm::Expected<TileLayout> tile = TileLayout::get(*shard, *replica, offset);
  if (!tile) {
    llvm::consumeError(tile.takeError());
    return std::nullopt;
  }
  return *tile;
}

std::optional<Layout> detail::fitLayout(const Images &images) {
  VectorImages map;
  map.axes = {memoryAxis()};
  for (const SmallVector<Coordinates> &image : images)
    for (Axis axis : collectAxes(image))
      if (!llvm::is_contained(map.axes, axis))
        map.axes.push_back(axis);
  Span span;
  for (const SmallVector<Coordinates> &image : images) {
    std::vector<Vector> &vectors = map.images.emplace_back();
    for (const Coordinates &point : image) {
      vectors.push_back(toVector(point, map.axes));
      span.min = std::min(span.min, vectors.back().front());
      span.max = std::max(span.max, vectors.back().front());
    }
    llvm::sort(vectors);
  }
  if (std::optional<TileLayout> tile = fitTile(map))
    return Layout(*tile);
  if (span.min < 0)
    return std::nullopt;

  std::optional<Layout> form;
  unsigned bits = llvm::bit_width(uint64_t(span.max));
  // Points that the search may swizzle: a fraction of a second.
  int64_t budget = int64_t(1) << 20;
  anySwizzle(bits, bits, [&](const SwizzleLayout &swizzle) {
    for (const std::vector<Vector> &image : map.images)
      budget -= image.size();
    if (budget < 0)
      return true;
    VectorImages unswizzled = map;
    for (std::vector<Vector> &image : unswizzled.images) {
      for (Vector &point : image)
        point.front() = swizzle.apply(point.front());
      llvm::sort(image);
    }
    std::optional<TileLayout> tile = fitTile(unswizzled);
    if (tile)
      form = llvm::cantFail(Layout::compose(swizzle, *tile));
    return tile.has_value();
  });
  return form;
}
