//===- Equality.cpp - whether two layouts are one map ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "DigitSum.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::detail;

/// Where two layouts differ first: `index` is nothing when they are one map,
/// and neither is said when it is not `known`.
namespace {
struct Comparison {
  bool known = true;
  std::optional<int64_t> index;
};
} // namespace

/// Sets S and T of points with D(x) + S = D'(x) + T for all x: at x = 0 both D
/// are 0, so S = T; and a finite set has only the trivial translation onto
/// itself, so D = D'. The fused iters of D and D' are as long as a step goes
/// on, so the first index with another image ends the shorter one of the first
/// two that differ.
static Comparison compareTiles(const TileLayout &lhs, const TileLayout &rhs) {
  TileLayout a = canonicalize(lhs), b = canonicalize(rhs);
  bool sameCopies =
      a.getReplica() == b.getReplica() && a.getOffset() == b.getOffset();
  if (!sameCopies && a.getReplicaPoints() != b.getReplicaPoints())
    return {true, 0};
  int64_t weight = 1;
  for (auto [left, right] :
       llvm::zip(llvm::reverse(a.getShard()), llvm::reverse(b.getShard()))) {
    if (left.stride != right.stride || left.axis != right.axis)
      return {true, weight};
    weight *= std::min(left.extent, right.extent);
    if (left.extent != right.extent)
      return {true, weight};
  }
  return {};
}

int64_t detail::getEnumerableElements(const Layout &lhs, const Layout &rhs) {
  auto copies = [](const Layout &layout) {
    return layout.getTile() ? layout.getTile()->getReplicaCount() : 1;
  };
  return kEnumerationLimit / std::max(copies(lhs), copies(rhs));
}

/// Element by element, as far as the limit goes.
static Comparison comparePoints(const Layout &lhs, const Layout &rhs) {
  int64_t size = *lhs.getSize();
  int64_t end = std::min(size, getEnumerableElements(lhs, rhs));
  for (int64_t x = 0; x < end; ++x)
    if (lhs.image(x) != rhs.image(x))
      return {true, x};
  return {end == size, std::nullopt};
}

/// Of layouts with tiles, both of one size.
static Comparison compare(const Layout &lhs, const Layout &rhs) {
  Layout a = canonicalize(lhs), b = canonicalize(rhs);
  // A swizzle is a bijection on indices: the same one on both sides cancels.
  bool sameSwizzle =
      a.getSwizzle() && b.getSwizzle() && *a.getSwizzle() == *b.getSwizzle();
  if (sameSwizzle || (a.isTile() && b.isTile()))
    return compareTiles(*a.getTile(), *b.getTile());
  // Under the same swizzle both are tiles, or they are not equal.
  if (b.getSwizzle()) {
    DigitSum function(*a.getTile());
    bool known = (!a.getSwizzle() || function.applySwizzle(*a.getSwizzle())) &&
                 function.applySwizzle(*b.getSwizzle());
    if (auto tile = known ? function.toTile() : std::nullopt)
      return compareTiles(*tile, *b.getTile());
  }
  return comparePoints(a, b);
}

std::optional<int64_t> tirx::findDifference(const Layout &lhs,
                                            const Layout &rhs) {
  std::optional<int64_t> size = lhs.getSize();
  if (!size || size != rhs.getSize() || lhs == rhs)
    return std::nullopt;
  return compare(lhs, rhs).index;
}

bool tirx::isEqual(const Layout &lhs, const Layout &rhs) {
  if (lhs == rhs)
    return true;
  if (lhs.getSize() != rhs.getSize())
    return false;
  if (!lhs.getTile() || !rhs.getTile())
    return canonicalize(lhs) == canonicalize(rhs);
  Comparison result = compare(lhs, rhs);
  return result.known && !result.index;
}
