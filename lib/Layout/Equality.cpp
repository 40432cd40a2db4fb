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

using namespace tirx;
using namespace tirx::detail;

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

int64_t detail::getEnumerableElements(const Layout &lhs, const Layout &rhs) {
  auto copies = [](const Layout &layout) {
    return layout.getTile() ? layout.getTile()->getReplicaCount() : 1;
  };
  return kEnumerationLimit / std::max(copies(lhs), copies(rhs));
}

std::optional<int64_t> tirx::findDifference(const Layout &lhs,
                                            const Layout &rhs) {
  std::optional<int64_t> size = lhs.getSize();
  if (!size || size != rhs.getSize())
    return std::nullopt;
  // Most layouts that are equal need no walk over all their points.
  if (canonicalize(lhs) == canonicalize(rhs))
    return std::nullopt;
  int64_t end = std::min(*size, getEnumerableElements(lhs, rhs));
  for (int64_t x = 0; x < end; ++x)
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
  // Under the same swizzle both are tiles, or they are not equal.
  if (b.getSwizzle()) {
    DigitSum function(*a.getTile());
    bool known = (!a.getSwizzle() || function.applySwizzle(*a.getSwizzle())) &&
                 function.applySwizzle(*b.getSwizzle());
    if (auto tile = known ? function.toTile() : std::nullopt)
      return equalTiles(*tile, *b.getTile());
  }
  if (*a.getSize() > getEnumerableElements(a, b))
    return false;
  return !findDifference(a, b);
}
