//===- AgreementTest.cpp - where two layouts differ -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Agreement.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

/// The element of a region by counting through it, or the size.
static int64_t findByPoints(const LayoutRegion &lhs, const LayoutRegion &rhs,
                            llvm::ArrayRef<int64_t> sizes) {
  auto left = enumerate(lhs.layout), right = enumerate(rhs.layout);
  int64_t size = 1;
  for (int64_t extent : sizes)
    size *= extent;
  auto at = [&](const LayoutRegion &region, int64_t flat) {
    int64_t place = 0, scale = 1;
    for (size_t d = sizes.size(); d-- > 0;) {
      place += (region.offsets[d] + flat % sizes[d]) * scale;
      flat /= sizes[d];
      scale *= region.shape[d];
    }
    return place;
  };
  int64_t flat = 0;
  while (flat < size && left[at(lhs, flat)] == right[at(rhs, flat)])
    ++flat;
  return flat;
}

TEST(Agreement, FirstDifference) {
  Random random(97);
  int agree = 0, differ = 0, late = 0;
  for (int i = 0; i < 10000; ++i) {
    LayoutRegion lhs = {randomLayout(random), {}, {}};
    auto shape = randomShape(random, lhs.layout);
    lhs.shape.assign(shape.begin(), shape.end());
    LayoutRegion rhs = lhs;
    // The same layout moved, respelled or with one number changed.
    const TileLayout &tile = *lhs.layout.getTile();
    SmallVector<Iter> shard(tile.getShard());
    if (!shard.empty() && pick(random, 0, 2)) {
      Iter &iter = shard[pick(random, 0, int64_t(shard.size()) - 1)];
      if (pick(random, 0, 1) && iter.extent % 2 == 0) {
        Iter inner = {2, iter.stride, iter.axis};
        iter = {iter.extent / 2, iter.stride * 2, iter.axis};
        shard.insert(&iter + 1, inner);
      } else {
        iter.stride = std::abs(iter.stride) + pick(random, 0, 2);
      }
    }
    TileLayout changed = llvm::cantFail(
        TileLayout::get(shard, tile.getReplica(), tile.getOffset()));
    rhs.layout = changed;
    if (lhs.layout.getSwizzle())
      rhs.layout =
          llvm::cantFail(Layout::compose(*lhs.layout.getSwizzle(), changed));
    SmallVector<int64_t> sizes;
    for (int64_t extent : shape) {
      sizes.push_back(pick(random, 1, extent));
      lhs.offsets.push_back(pick(random, 0, extent - sizes.back()));
      rhs.offsets.push_back(pick(random, 0, 3)
                                ? lhs.offsets.back()
                                : pick(random, 0, extent - sizes.back()));
    }
    auto found = findDisagreement(lhs, rhs, sizes);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    int64_t want = findByPoints(lhs, rhs, sizes), size = 1;
    for (int64_t extent : sizes)
      size *= extent;
    if (want == size) {
      ++agree;
      ASSERT_FALSE(found->has_value()) << toString(lhs.layout);
      continue;
    }
    ++differ;
    late += want > 0;
    ASSERT_TRUE(found->has_value());
    ASSERT_EQ(flatten((*found)->coordinate, sizes), want);
    ASSERT_NE(toPoints((*found)->lhs), toPoints((*found)->rhs));
  }
  EXPECT_GT(agree, 1000);
  EXPECT_GT(differ, 1000);
  EXPECT_GT(late, 500);
}

TEST(Agreement, Reasons) {
  Layout rows = parse("S[(8, 8) : (8, 1)]");
  LayoutRegion whole = {rows, {8, 8}, {0, 0}}, corner = {rows, {8, 8}, {4, 4}};
  auto reason = [](const LayoutRegion &lhs, const LayoutRegion &rhs,
                   llvm::ArrayRef<int64_t> sizes) {
    return messageOf(findDisagreement(lhs, rhs, sizes));
  };
  EXPECT_EQ(
      reason(whole, corner, {5, 4}),
      "expected a region inside dimension 0 of extent 8, got offset 4 and "
      "size 5");
  EXPECT_EQ(reason(whole, corner, {4}),
            "expected one offset and one size for each of 2 dimensions, got 2 "
            "and 1");
  EXPECT_EQ(reason({rows, {8, 4}, {0, 0}}, corner, {4, 4}),
            "expected a shape of 64 elements, got 32");
  auto found = llvm::cantFail(findDisagreement(whole, corner, {4, 4}));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->coordinate, (SmallVector<int64_t, 4>{0, 0}));
  // Too many to walk, but equal as layouts.
  Layout large = parse("S[(1048576, 1024) : (1024, 1)]");
  EXPECT_EQ(reason({large, {1048576, 1024}, {0, 0}},
                   {large, {1048576, 1024}, {0, 0}}, {1048576, 512}),
            "");
}
