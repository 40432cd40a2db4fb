//===- EvaluatorTest.cpp - coordinates of many elements at once -----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Evaluator.h"
#include "Property.h"

using namespace tirx;
using namespace tirx::testing;

/// The base coordinate of every element on an axis, without replicas.
static std::vector<int64_t> baseOf(const Layout &layout, Axis axis) {
  const TileLayout &tile = *layout.getTile();
  Layout single =
      llvm::cantFail(TileLayout::get(tile.getShard(), {}, tile.getOffset()));
  if (layout.getSwizzle())
    single = llvm::cantFail(
        Layout::compose(*layout.getSwizzle(), *single.getTile()));
  std::vector<int64_t> base;
  for (const Points &image : enumerate(single)) {
    auto it = image.begin()->find(axis.getName().str());
    base.push_back(it == image.begin()->end() ? 0 : it->second);
  }
  return base;
}

TEST(Evaluator, RangesAndBoxesHaveTheLayoutsCoordinates) {
  forRandomLayouts("evaluator", [&](const Layout &layout, Random &random) {
    for (Axis axis : {memoryAxis(), randomAxis(random)}) {
      std::vector<int64_t> expected = baseOf(layout, axis);
      Evaluator evaluator = llvm::cantFail(Evaluator::get(layout, axis));
      int64_t size = expected.size(), begin = pick(random, 0, size);
      std::vector<int64_t> got(pick(random, 0, size - begin));
      evaluator.evaluate(begin, got);
      if (!std::equal(got.begin(), got.end(), expected.begin() + begin))
        return "another range from " + std::to_string(begin);

      Shape shape = randomShape(random, layout), offsets, sizes;
      int64_t points = 1;
      for (int64_t extent : shape) {
        sizes.push_back(pick(random, 0, 1) ? extent : pick(random, 1, extent));
        offsets.push_back(pick(random, 0, extent - sizes.back()));
        points *= sizes.back();
      }
      got.resize(points);
      llvm::cantFail(evaluator.evaluateBox(shape, offsets, sizes, got));
      size_t i = 0;
      for (Shape at : coordinatesOf(sizes)) {
        for (size_t dim = 0; dim < at.size(); ++dim)
          at[dim] += offsets[dim];
        if (got[i++] != expected[flatten(at, shape)])
          return std::string("another box");
      }
    }
    return std::string();
  });
}

/// Extents beyond the table: primes, large divisors, and neither.
TEST(Evaluator, LargeExtents) {
  for (const char *text :
       {"S[(3, 4096) : (1, 3)]", "S[(2053, 3) : (3, 1)]",
        "S[(3, 2053) : (1, 3)]",
        "S[(7, 1030, 5) : (5150@laneid, -5, 1)] + 9999",
        "Compose(3, 3, 3, S[(128, 4, 64) : (64, 8192, 1)])",
        "Compose(2, 3, 4, outer, S[(2, 3000) : (3000, 1)])"}) {
    Layout layout = parse(text);
    std::vector<int64_t> expected = baseOf(layout, memoryAxis());
    std::vector<int64_t> got(expected.size());
    llvm::cantFail(Evaluator::get(layout)).evaluate(0, got);
    EXPECT_EQ(got, expected) << text;
  }
}

TEST(Evaluator, BadBoxesAreRefused) {
  EXPECT_TRUE(isReason(
      messageOf(Evaluator::get(llvm::cantFail(SwizzleLayout::get(3, 3, 3))))));
  Evaluator evaluator =
      llvm::cantFail(Evaluator::get(parse("S[(4, 8) : (8, 1)]")));
  std::vector<int64_t> out(8);
  auto message = [&](Shape shape, Shape offsets, Shape sizes) {
    return messageOf(evaluator.evaluateBox(shape, offsets, sizes, out));
  };
  EXPECT_EQ(message({4, 8}, {1, 4}, {2, 4}), "");
  EXPECT_TRUE(isReason(message({4, 8}, {3, 4}, {2, 4})));
  EXPECT_TRUE(isReason(message({4, 8}, {-1, 4}, {2, 4})));
  EXPECT_TRUE(isReason(message({4, 8}, {0, 0}, {0, 4})));
  EXPECT_TRUE(isReason(message({4, 8}, {0}, {2, 4})));
  EXPECT_TRUE(isReason(message({4, 9}, {0, 0}, {2, 4})));
  EXPECT_TRUE(isReason(message({4, 8}, {0, 0}, {2, 5})));
  EXPECT_TRUE(isReason(message({int64_t(1) << 62, int64_t(1) << 62}, {0, 0},
                               {int64_t(1) << 62, int64_t(1) << 62})));
}
