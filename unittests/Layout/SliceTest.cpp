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
  bool sameSwizzle =
      bool(part.getSwizzle()) == bool(layout.getSwizzle()) &&
      (!part.getSwizzle() || *part.getSwizzle() == *layout.getSwizzle());
  return sameSwizzle ? "" : "another swizzle: " + toString(part);
}

TEST(Algebra, SlicesAreRegions) {
  int64_t sliced = 0;
  forRandomLayouts("slice", [&](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout), offsets, sizes;
    for (int64_t extent : shape) {
      sizes.push_back(pick(random, 1, extent));
      offsets.push_back(pick(random, 0, extent - sizes.back()));
    }
    auto part = slice(layout, shape, offsets, sizes);
    if (!part) {
      std::string message = llvm::toString(part.takeError());
      return isReason(message) ? "" : "no reason: " + message;
    }
    ++sliced;
    return checkRegion(layout, *part, shape, offsets, sizes);
  });
  EXPECT_GT(sliced, getPropertyRuns() / 3);
}

TEST(Algebra, SlicesAcrossSteps) {
  auto region = [](llvm::StringRef text, int64_t offset, int64_t size) {
    Layout layout = parse(text);
    return toString(
        llvm::cantFail(slice(layout, {*layout.getSize()}, {offset}, {size})));
  };
  // Half of one step and half of the next; and again where a step is halves.
  EXPECT_EQ(region("S[(3, 4) : (8, 1)]", 2, 4),
            "#tirx.tile<S[(1, 2, 2) : (8, 6, 1)] + 2>");
  EXPECT_EQ(region("S[(5, 2) : (16, 3)]", 1, 6),
            "#tirx.tile<S[(3, 2) : (16, 13)] + 3>");
  // A half that is itself two steps.
  EXPECT_EQ(region("S[(2, 2, 2, 4) : (100, 30, 8, 1)]", 12, 8),
            "#tirx.tile<S[(1, 2, 4) : (100, 62, 1)] + 38>");
}

TEST(Algebra, SlicesThatAreRefused) {
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
