//===- BijectiveTest.cpp - whether layouts fill boxes ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionTesting.h"
#include "Property.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

/// How many elements are at each point.
static std::map<Point, int64_t> countPoints(const Layout &layout) {
  std::map<Point, int64_t> counts;
  for (const Points &points : enumerate(layout))
    for (const Point &point : points)
      ++counts[point];
  return counts;
}

/// Small strides around what the others span, so that images are often whole.
static Layout randomDense(Random &random) {
  SmallVector<Iter> shard, replica;
  SmallVector<AxisOffset> offset;
  std::map<std::string, int64_t> reach;
  for (int64_t i = pick(random, 0, 4); i > 0; --i) {
    std::string axis = pick(random, 0, 2) ? "m" : "laneid";
    int64_t extent = pick(random, 1, 5);
    int64_t stride = reach[axis] + 1 - (pick(random, 0, 3) == 0);
    reach[axis] += (extent - 1) * stride;
    Iter iter{extent, stride, lookupBuiltinAxis(axis)};
    if (pick(random, 0, 4) == 0) {
      offset.push_back({iter.axis, (extent - 1) * stride});
      iter.stride = -stride;
    }
    (pick(random, 0, 4) ? shard : replica).push_back(iter);
  }
  if (pick(random, 0, 9) == 0)
    offset.push_back({memoryAxis(), 1});
  std::shuffle(shard.begin(), shard.end(), random);
  TileLayout tile = llvm::cantFail(TileLayout::get(shard, replica, offset));
  return pick(random, 0, 1)
             ? Layout(tile)
             : llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
}

TEST(Bijective, AgreesWithPoints) {
  int64_t surjective = 0, bijective = 0;
  forRandomLayouts(
      "bijective",
      [&](const Layout &layout, Random &random) -> std::string {
        Box box = boxAround(layout);
        // Also boxes that the image may be under another swizzle.
        if (!box.empty() && pick(random, 0, 3) == 0)
          box[0].extent = pick(random, 1, box[0].extent + 1);
        std::map<Point, int64_t> counts = countPoints(layout);
        bool isInside = llvm::all_of(counts, [&](const auto &entry) {
          return numberOf(entry.first, box) >= 0;
        });
        bool isWhole = isInside && int64_t(counts.size()) == sizeOf(box);
        bool isOnce = isWhole && llvm::all_of(counts, [](const auto &entry) {
                        return entry.second == 1;
                      });
        surjective += isWhole;
        bijective += isOnce;
        if (isSurjective(layout, box) != isWhole)
          return "surjective onto " + toString(box) + "?";
        if (isBijective(layout, box) != isOnce)
          return "bijective onto " + toString(box) + "?";
        return "";
      },
      randomDense);
  EXPECT_GE(surjective, getPropertyRuns() / 4);
  EXPECT_GE(bijective, getPropertyRuns() / 8);
}

TEST(Bijective, SwizzlesOfAPrefix) {
  for (bool outer : {false, true})
    for (int64_t p = 0; p <= 3; ++p)
      for (int64_t b = 0; b <= 3; ++b)
        for (int64_t s = b; s <= 4; ++s) {
          SwizzleLayout swizzle =
              llvm::cantFail(SwizzleLayout::get(p, b, s, outer));
          int64_t reach = 0;
          for (int64_t size = 1; size <= 600; ++size) {
            reach = std::max(reach,
                             valueOf(finish({{"m", size - 1}}, &swizzle), "m"));
            ASSERT_EQ(preservesPrefix(swizzle, size), reach < size)
                << tirx::toString(Layout(swizzle)) << " below " << size;
          }
        }
}

TEST(Bijective, LargeBoxes) {
  Layout layout =
      parse("Compose(3, 3, 3, S[(1048576, 1048576) : (1, 1048576)])");
  EXPECT_TRUE(isBijective(layout, memoryBox(int64_t(1) << 40)));
  EXPECT_FALSE(isSurjective(layout, memoryBox(int64_t(1) << 41)));
  EXPECT_FALSE(isBijective(layout, {onAxis("laneid", int64_t(1) << 40)}));
  EXPECT_TRUE(
      isSurjective(parse("S[(1048576, 1048576) : (1, 1048575)]"),
                   memoryBox(1048575 + 1048575 * int64_t(1048575) + 1)));
}

TEST(Bijective, WhatIsNoBoxOrLayoutIsNotFilled) {
  EXPECT_FALSE(isSurjective(parse("S[4 : 1]"), {onAxis("m", 0)}));
  EXPECT_FALSE(
      isSurjective(parse("S[4 : 1]"), {onAxis("m", 4), onAxis("m", 1)}));
  EXPECT_FALSE(isSurjective(parse("S[4 : 1]"), {AxisExtent()}));
  EXPECT_FALSE(isSurjective(parse("#tirx.swizzle<3, 3, 3>"), memoryBox(512)));
  EXPECT_FALSE(isBijective(parse("#tirx.swizzle<3, 3, 3>"), memoryBox(512)));
}
