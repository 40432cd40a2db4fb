//===- Agreement.cpp - where two layouts differ ---------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Agreement.h"
#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// Whether both regions have layouts of their own and these are equal.
static bool agreeAsLayouts(const LayoutRegion &lhs, const LayoutRegion &rhs,
                           ArrayRef<int64_t> sizes) {
  Expected<Layout> a = slice(lhs.layout, lhs.shape, lhs.offsets, sizes);
  Expected<Layout> b = slice(rhs.layout, rhs.shape, rhs.offsets, sizes);
  bool agree = a && b && isEqual(*a, *b);
  if (!a)
    llvm::consumeError(a.takeError());
  if (!b)
    llvm::consumeError(b.takeError());
  return agree;
}

static llvm::SmallVector<Coordinates> getImage(const LayoutRegion &region,
                                               ArrayRef<int64_t> coordinate) {
  llvm::SmallVector<int64_t, 4> at(region.offsets);
  for (auto [place, step] : llvm::zip(at, coordinate))
    place += step;
  return region.layout.image(flatten(at, region.shape));
}

/// The next coordinate in row-major order; false behind the last.
static bool advance(llvm::SmallVectorImpl<int64_t> &coordinate,
                    ArrayRef<int64_t> sizes) {
  for (size_t dim = sizes.size(); dim-- > 0;) {
    if (++coordinate[dim] < sizes[dim])
      return true;
    coordinate[dim] = 0;
  }
  return false;
}

Expected<std::optional<Disagreement>>
tirx::findDisagreement(const LayoutRegion &lhs, const LayoutRegion &rhs,
                       ArrayRef<int64_t> sizes) {
  LayoutRegion full[] = {lhs, rhs};
  for (LayoutRegion &region : full) {
    if (Error error = checkRegion(region.shape, region.offsets, sizes))
      return std::move(error);
    Expected<Layout> layout = withTileOfShape(region.layout, region.shape);
    if (!layout)
      return layout.takeError();
    region.layout = *layout;
  }
  if (agreeAsLayouts(full[0], full[1], sizes))
    return std::nullopt;
  llvm::SmallVector<int64_t, 4> coordinate(sizes.size(), 0);
  int64_t limit = getEnumerableElements(full[0].layout, full[1].layout);
  for (int64_t walked = 0; walked < limit; ++walked) {
    Disagreement result{coordinate, getImage(full[0], coordinate),
                        getImage(full[1], coordinate)};
    if (result.lhs != result.rhs)
      return result;
    if (!advance(coordinate, sizes))
      return std::nullopt;
  }
  return makeError("expected regions that differ within " + Twine(limit) +
                   " elements or have layouts of their own, got as many alike");
}
