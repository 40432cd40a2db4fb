//===- Bijective.cpp - whether a layout fills a box -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "Box.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Swizzles on a prefix
//===----------------------------------------------------------------------===//

/// Whether x ^ mask < size for all x < size.
static bool isClosedUnderXor(int64_t size, int64_t mask) {
  // The topmost bit of the mask swaps halves of blocks, so blocks are whole.
  return mask == 0 ||
         size % (int64_t(1) << llvm::bit_width(uint64_t(mask))) == 0;
}

bool tirx::preservesPrefix(const SwizzleLayout &swizzle, int64_t size) {
  if (size <= 0 || swizzle.getSwizzleLen() == 0)
    return true;
  int64_t p = swizzle.getPerElement(), b = swizzle.getSwizzleLen();
  int64_t s = swizzle.getAtomLen(), mask = (int64_t(1) << b) - 1;
  if (!swizzle.isOuter()) {
    // Blocks of 2^(p + b) stay in place: only the last one may be cut.
    int64_t block = int64_t(1) << (p + b);
    int64_t field = ((size / block * block) >> (p + s)) & mask;
    return isClosedUnderXor(size % block, field << p);
  }
  // Rows of 2^(p + s) are permuted alike at columns with the same low field.
  int64_t row = int64_t(1) << (p + s);
  int64_t rows = size / row, rest = size % row;
  int64_t field = rest == 0 ? 0 : std::min((rest - 1) >> p, mask);
  return (rest == 0 || isClosedUnderXor(rows + 1, field)) &&
         (rows == 0 || isClosedUnderXor(rows, mask));
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Whether the sums of the rungs are 0 to extent - 1. By ascending strides: a
/// stride that is longer than one behind what the smaller ones reach leaves a
/// gap that nothing fills.
static bool fills(const Ladder &ladder, int64_t extent) {
  if (ladder.min != 0)
    return false;
  int64_t reach = 0;
  for (const Rung &rung : ladder.rungs) {
    if (rung.stride > reach + 1)
      return false;
    reach += (rung.extent - 1) * rung.stride;
  }
  return reach == extent - 1;
}

/// The sums of the rungs, sorted; nothing when they are more than `limit`.
static std::optional<std::vector<int64_t>> getSums(const Ladder &ladder,
                                                   int64_t limit) {
  std::vector<int64_t> sums = {ladder.min};
  for (const Rung &rung : ladder.rungs) {
    // 0 to n - 1 are the sums of 0 or 1, 0 or 2, ..., and 0 or the rest, so
    // that the sums at most double before equal ones go.
    for (int64_t rest = rung.extent - 1, part = 1; rest > 0;
         rest -= part, part *= 2) {
      part = std::min(part, rest);
      for (size_t i = 0, e = sums.size(); i < e; ++i)
        sums.push_back(sums[i] + part * rung.stride);
      llvm::sort(sums);
      sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
      if (int64_t(sums.size()) > limit)
        return std::nullopt;
    }
  }
  return sums;
}

/// The same for the image under a swizzle that leads out of [0, extent), point
/// by point.
static bool fillsSwizzled(const Ladder &ladder, const SwizzleLayout &swizzle,
                          int64_t extent) {
  if (extent > kEnumerationLimit)
    return false;
  std::optional<std::vector<int64_t>> sums = getSums(ladder, extent);
  return sums && int64_t(sums->size()) == extent &&
         llvm::all_of(*sums,
                      [&](int64_t sum) { return swizzle.apply(sum) < extent; });
}

bool tirx::isSurjective(const Layout &layout, ArrayRef<AxisExtent> box) {
  if (llvm::Expected<int64_t> size = getBoxSize(box); !size) {
    llvm::consumeError(size.takeError());
    return false;
  }
  // A bare swizzle permutes all indices, so no box is its image.
  if (layout.isSwizzle())
    return false;
  Layout canonical = canonicalize(layout);
  const TileLayout &tile = *canonical.getTile();
  int64_t first;
  auto ladders = getLadders(tile, first);
  for (const Ladder &ladder : ladders)
    if (llvm::none_of(
            box,
            [&](const AxisExtent &dim) { return dim.axis == ladder.axis; }) &&
        !fills(ladder, 1))
      return false;
  return llvm::all_of(box, [&](const AxisExtent &dim) {
    Ladder ladder = getLadder(ladders, dim.axis);
    const SwizzleLayout *swizzle = canonical.getSwizzle();
    if (dim.axis != memoryAxis() || !swizzle ||
        preservesPrefix(*swizzle, dim.extent))
      return fills(ladder, dim.extent);
    return fillsSwizzled(ladder, *swizzle, dim.extent);
  });
}

bool tirx::isBijective(const Layout &layout, ArrayRef<AxisExtent> box) {
  return isSurjective(layout, box) && isInjective(layout);
}
