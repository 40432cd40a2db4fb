//===- Injective.cpp - whether points meet --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "Box.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <vector>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

static int64_t getReach(ArrayRef<Rung> rungs) {
  int64_t reach = 0;
  for (const Rung &rung : rungs)
    reach += (rung.extent - 1) * rung.stride;
  return reach;
}

/// Whether two rungs meet: the smallest multiple that both strides have is
/// within both extents.
static bool doPairsMeet(const Rung &a, const Rung &b) {
  int64_t common = std::gcd(a.stride, b.stride);
  return b.stride / common < a.extent && a.stride / common < b.extent;
}

/// Whether all sums of rungs that interleave are different.
static bool areSumsDistinct(ArrayRef<Rung> rungs) {
  if (rungs.size() <= 1)
    return true;
  if (rungs.size() == 2)
    return !doPairsMeet(rungs[0], rungs[1]);
  for (size_t i = 0; i < rungs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (doPairsMeet(rungs[i], rungs[j]))
        return false;
  int64_t unit = 0;
  CheckedInt count = 1;
  for (const Rung &rung : rungs) {
    unit = std::gcd(unit, rung.stride);
    count *= rung.extent;
  }
  // More sums than places for them cannot be different; fewer are looked at.
  if (count.hasOverflowed() || count.get() > kEnumerationLimit ||
      count.get() - 1 > getReach(rungs) / unit)
    return false;
  std::vector<int64_t> sums = {0};
  sums.reserve(count.get());
  for (const Rung &rung : rungs)
    for (size_t i = sums.size(), step = 1; step < size_t(rung.extent); ++step)
      for (size_t k = 0; k < i; ++k)
        sums.push_back(sums[k] + int64_t(step) * rung.stride);
  llvm::sort(sums);
  return std::adjacent_find(sums.begin(), sums.end()) == sums.end();
}

/// The same for all rungs of an axis: where strides are multiples of one number
/// that the smaller ones do not reach, the two do not interleave.
static bool areSumsDistinct(const Ladder &ladder) {
  ArrayRef<Rung> rungs = ladder.rungs;
  SmallVector<int64_t, 8> units(rungs.size());
  int64_t unit = 0;
  for (size_t i = rungs.size(); i-- > 0;)
    units[i] = unit = std::gcd(unit, rungs[i].stride);
  size_t first = 0;
  for (size_t i = 1; i <= rungs.size(); ++i) {
    ArrayRef<Rung> below = rungs.slice(first, i - first);
    if (i < rungs.size() && getReach(below) >= units[i])
      continue;
    if (!areSumsDistinct(below))
      return false;
    first = i;
  }
  return true;
}

/// Whether different elements have no coordinate of an axis in common. Copies
/// of one element may meet.
static bool areElementsApart(const Ladder &ladder) {
  if (areSumsDistinct(ladder))
    return true;
  CheckedInt count = 1;
  bool hasCopies = false;
  for (const Rung &rung : ladder.rungs) {
    count *= rung.extent;
    hasCopies |= rung.weight == 0;
  }
  if (!hasCopies || count.hasOverflowed() || count.get() > kEnumerationLimit)
    return false;
  // Coordinates, each with the element that is there.
  std::vector<std::pair<int64_t, int64_t>> places = {{0, 0}};
  places.reserve(count.get());
  for (const Rung &rung : ladder.rungs)
    for (size_t i = places.size(), step = 1; step < size_t(rung.extent); ++step)
      for (size_t k = 0; k < i; ++k)
        places.emplace_back(places[k].first + int64_t(step) * rung.stride,
                            places[k].second + int64_t(step) * rung.weight);
  llvm::sort(places);
  return std::adjacent_find(places.begin(), places.end(),
                            [](const auto &a, const auto &b) {
                              return a.first == b.first && a.second != b.second;
                            }) == places.end();
}

bool tirx::isInjective(const Layout &layout) {
  if (layout.isSwizzle())
    return true;
  // A swizzle is a bijection: the tile decides. Every step is on one axis, so
  // points are different when they are on each axis.
  // An element is at a set of points: copies that coincide are one.
  TileLayout tile = canonicalize(*layout.getTile());
  auto stays = [](const Iter &iter) {
    return iter.extent > 1 && iter.stride == 0;
  };
  if (llvm::any_of(tile.getShard(), stays) ||
      llvm::any_of(tile.getReplica(), stays))
    return false;
  int64_t first;
  auto ladders = getLadders(tile, first);
  return llvm::all_of(
      ladders, [](const Ladder &ladder) { return areElementsApart(ladder); });
}
