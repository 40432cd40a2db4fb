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

static Disagreement disagreeAt(ArrayRef<int64_t> coordinate,
                               const LayoutRegion &lhs,
                               const LayoutRegion &rhs) {
  return {llvm::SmallVector<int64_t, 4>(coordinate), getImage(lhs, coordinate),
          getImage(rhs, coordinate)};
}

/// Compares layouts of the regions alone. Nothing when a region has none, or
/// when nothing is known of both.
static std::optional<std::optional<Disagreement>>
compareAsLayouts(const LayoutRegion &lhs, const LayoutRegion &rhs,
                 ArrayRef<int64_t> sizes) {
  Expected<Layout> a = slice(lhs.layout, lhs.shape, lhs.offsets, sizes);
  Expected<Layout> b = slice(rhs.layout, rhs.shape, rhs.offsets, sizes);
  if (!a || !b) {
    llvm::consumeError(a.takeError());
    llvm::consumeError(b.takeError());
    return std::nullopt;
  }
  if (std::optional<int64_t> flat = findDifference(*a, *b))
    return disagreeAt(unflatten(*flat, sizes), lhs, rhs);
  if (isEqual(*a, *b))
    return std::optional<Disagreement>();
  return std::nullopt;
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
  if (auto result = compareAsLayouts(full[0], full[1], sizes))
    return *result;
  llvm::SmallVector<int64_t, 4> coordinate(sizes.size(), 0);
  int64_t limit = getEnumerableElements(full[0].layout, full[1].layout);
  for (int64_t walked = 0; walked < limit; ++walked) {
    Disagreement result = disagreeAt(coordinate, full[0], full[1]);
    if (result.lhs != result.rhs)
      return result;
    if (!advance(coordinate, sizes))
      return std::nullopt;
  }
  return makeError("expected regions that differ within " + Twine(limit) +
                   " elements or have layouts of their own, got as many alike");
}
