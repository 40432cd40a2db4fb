//===- SliceTest.cpp - regions of layouts ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Property.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::testing;

static std::string checkRegion(const Layout &layout, const Layout &part,
                               const Shape &shape, const Shape &offsets,
                               const Shape &sizes) {
  std::vector<Points> whole = enumerate(layout), region = enumerate(part);
  std::vector<Shape> coordinates = coordinatesOf(sizes);
  if (region.size() != coordinates.size())
    return "another size: " + toString(part);
  for (size_t x = 0; x < region.size(); ++x) {
    Shape at = coordinates[x];
    for (size_t dim = 0; dim < at.size(); ++dim)
      at[dim] += offsets[dim];
    if (region[x] != whole[flatten(at, shape)])
      return "another region: " + toString(part);
  }
  // A region that only the swizzle makes affine needs none itself.
  bool sameSwizzle =
      !part.getSwizzle() ||
      (layout.getSwizzle() && *part.getSwizzle() == *layout.getSwizzle());
  return sameSwizzle ? "" : "another swizzle: " + toString(part);
}

/// The base of each element of the region, swizzled or not.
static std::vector<Point> regionBases(const Layout &layout, bool swizzled,
                                      const Shape &shape, const Shape &offsets,
                                      const Shape &sizes) {
  const TileLayout &tile = *layout.getTile();
  Layout bare =
      llvm::cantFail(TileLayout::get(tile.getShard(), {}, tile.getOffset()));
  if (swizzled)
    bare =
        llvm::cantFail(Layout::compose(*layout.getSwizzle(), *bare.getTile()));
  std::vector<Points> whole = enumerate(bare);
  std::vector<Point> bases;
  for (Shape at : coordinatesOf(sizes)) {
    for (size_t dim = 0; dim < at.size(); ++dim)
      at[dim] += offsets[dim];
    bases.push_back(*whole[flatten(at, shape)].begin());
  }
  return bases;
}

/// The law of slice, and that it finds whatever there is.
static std::string checkSlice(const Layout &layout, const Shape &shape,
                              Random &random, int64_t &sliced) {
  Shape offsets, sizes;
  for (int64_t extent : shape) {
    sizes.push_back(pick(random, 1, extent));
    offsets.push_back(pick(random, 0, extent - sizes.back()));
  }
  auto part = slice(layout, shape, offsets, sizes);
  if (part) {
    ++sliced;
    return checkRegion(layout, *part, shape, offsets, sizes);
  }
  std::string message = llvm::toString(part.takeError());
  if (!isReason(message))
    return "no reason: " + message;
  bool exists = fitsIters(regionBases(layout, false, shape, offsets, sizes)) ||
                (layout.getSwizzle() && !layout.getTile()->hasReplica() &&
                 fitsIters(regionBases(layout, true, shape, offsets, sizes)));
  return exists ? "missed, saying " + message : "";
}

TEST(Algebra, SlicesAreRegions) {
  int64_t sliced = 0;
  forRandomLayouts("slice", [&](const Layout &layout, Random &random) {
    return checkSlice(layout, randomShape(random, layout), random, sliced);
  });
  EXPECT_GT(sliced, getPropertyRuns() / 3);
}

/// Shapes whose dimensions may end inside an iter where it cannot be split.
TEST(Algebra, SlicesOfAnyShape) {
  int64_t sliced = 0;
  forRandomLayouts("slice of any shape",
                   [&](const Layout &layout, Random &random) {
                     Shape shape = randomFactors(random, *layout.getSize());
                     return checkSlice(layout, shape, random, sliced);
                   });
  EXPECT_GT(sliced, getPropertyRuns() / 4);
}

TEST(Algebra, SlicesAcrossSteps) {
  auto region = [](llvm::StringRef text, int64_t offset, int64_t size) {
    Layout layout = parse(text);
    return toString(
        llvm::cantFail(slice(layout, {*layout.getSize()}, {offset}, {size})));
  };
  // Half of one step and half of the next; and again where a step is halves.
  EXPECT_EQ(region("S[(3, 4) : (8, 1)]", 2, 4),
            "#tirx.tile<S[(2, 2) : (6, 1)] + 2>");
  EXPECT_EQ(region("S[(5, 2) : (16, 3)]", 1, 6),
            "#tirx.tile<S[(3, 2) : (16, 13)] + 3>");
  // A run that goes on across a carry of two digits.
  EXPECT_EQ(region("S[(2, 2, 4) : (14, 10, 1)]", 5, 5),
            "#tirx.tile<S[(5) : (1)] + 11>");
  // Huge extents are no work.
  EXPECT_EQ(region("S[(2305843009213693952, 2) : (1, 1@laneid)]",
                   2305843009213693952, 2305843009213693952),
            "#tirx.tile<S[(1152921504606846976, 2) : (1, 1@laneid)] + "
            "1152921504606846976>");
  // A half that is itself two steps.
  EXPECT_EQ(region("S[(2, 2, 2, 4) : (100, 30, 8, 1)]", 12, 8),
            "#tirx.tile<S[(2, 4) : (62, 1)] + 38>");
}

TEST(Algebra, SlicesThatAreRefused) {
  auto reason = [](llvm::StringRef text, int64_t offset, int64_t size) {
    Layout layout = parse(text);
    return messageOf(slice(layout, {*layout.getSize()}, {offset}, {size}));
  };
  EXPECT_EQ(
      reason("S[(2, 4) : (8, 1)]", 2, 3),
      "expected an affine region of dimension 0, got offset 2 and size "
      "3: expected steps that repeat, got a break after 2 elements, which "
      "do not divide 3");
  EXPECT_EQ(reason("S[(3, 3) : (8, 1)]", 1, 6),
            "expected an affine region of dimension 0, got offset 1 and size "
            "6: expected steps that repeat, got a break after element 1 and "
            "one after element 4");
  EXPECT_EQ(reason("S[(2, 2) : (1@laneid, 1)]", 1, 2),
            "expected an affine region of dimension 0, got offset 1 and size "
            "2: expected steps along one axis each, got a step along 'laneid' "
            "and 'm'");
  EXPECT_TRUE(isReason(reason("S[(2305843009213693952, 2) : (1, 1@laneid)]", 1,
                              2305843009213693952)));
  Layout rows = parse("S[(3, 4) : (8, 1)]");
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {0, 0}, {4, 4}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {1, 0}, {3, 4}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {-1, 0}, {1, 1}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {0, 0}, {0, 1}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {3, 4}, {0}, {1, 1}))));
  EXPECT_TRUE(isReason(messageOf(slice(rows, {12}, {3}, {4}))));
  EXPECT_TRUE(
      isReason(messageOf(slice(rows, {3, 4}, {INT64_MAX, 0}, {INT64_MAX, 1}))));
}
