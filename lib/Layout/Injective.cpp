//===- Injective.cpp - whether points meet --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <vector>

using namespace tirx;
using llvm::ArrayRef;
using llvm::SmallVector;

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
  if (count.hasOverflowed() || count.get() > detail::kEnumerationLimit ||
      !folded || box.get() < count.get())
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
