//===- LayoutTest.cpp - the map that a layout is --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Property.h"
#include "llvm/ADT/Hashing.h"

using namespace tirx;
using namespace tirx::testing;

TEST(Axis, TablesShareBuiltinsAndKeepTheirOwn) {
  AxisTable table;
  EXPECT_TRUE(table.lookup("laneid").isThread());
  EXPECT_EQ(table.lookup("m"), memoryAxis());
  EXPECT_FALSE(bool(table.lookup("mine")));
  Axis mine = table.declare("mine", AxisKind::Thread, "cta");
  EXPECT_TRUE(bool(mine));
  EXPECT_EQ(table.declare("mine", AxisKind::Thread, "cta"), mine);
  EXPECT_FALSE(bool(table.declare("mine", AxisKind::Memory)));
  EXPECT_FALSE(bool(table.declare("laneid", AxisKind::Memory)));
  EXPECT_TRUE(llvm::StringRef(table.describeNames()).contains("mine"));
  EXPECT_FALSE(bool(AxisTable().lookup("mine")));
}

TEST(Layout, ImageAgreesWithEnumeration) {
  forRandomLayouts("image", [](const Layout &layout, Random &) {
    std::vector<Points> images = enumerate(layout);
    if (int64_t(images.size()) != *layout.getSize())
      return std::string("another size");
    for (size_t x = 0; x < images.size(); ++x)
      if (toPoints(layout.image(x)) != images[x])
        return "another image at " + std::to_string(x);
    return std::string();
  });
}

/// The base is the copy with all replica digits 0.
TEST(Layout, ApplyIsTheImageWithoutReplica) {
  forRandomLayouts("apply", [](const Layout &layout, Random &) {
    const TileLayout &tile = *layout.getTile();
    Layout bare =
        llvm::cantFail(TileLayout::get(tile.getShard(), {}, tile.getOffset()));
    if (layout.getSwizzle())
      bare = llvm::cantFail(
          Layout::compose(*layout.getSwizzle(), *bare.getTile()));
    std::vector<Points> images = enumerate(bare);
    for (size_t x = 0; x < images.size(); ++x)
      if (Points{toPoint(layout.apply(x))} != images[x])
        return "another base at " + std::to_string(x);
    return std::string();
  });
}

TEST(Layout, CoordinatesAreRowMajor) {
  Layout layout = parse("S[(3, 4) : (4, 1)]");
  EXPECT_EQ(layout.apply({1, 2}, {3, 4}).get(memoryAxis()), 6);
  EXPECT_EQ(layout.apply({1, 0, 1}, {2, 3, 2}).get(memoryAxis()), 7);
  EXPECT_EQ(flatten({}, {}), 0);
  EXPECT_EQ(flatten({2, 1, 0}, {3, 5, 7}), 2 * 35 + 7);
}

static Span bruteSpan(const std::vector<Points> &images, const char *axis) {
  Span span = {INT64_MAX, INT64_MIN};
  for (const Points &points : images)
    for (const Point &point : points) {
      auto it = point.find(axis);
      int64_t value = it == point.end() ? 0 : it->second;
      span.min = std::min(span.min, value);
      span.max = std::max(span.max, value);
    }
  return span;
}

TEST(Layout, SpansAreThoseOfTheEnumeration) {
  forRandomLayouts("span", [](const Layout &layout, Random &) {
    std::vector<Points> images = enumerate(layout);
    for (const char *name : {"m", "laneid", "warpid", "TCol", "TLane"}) {
      Span want = bruteSpan(images, name);
      Span got = layout.getSpan(lookupBuiltinAxis(name));
      if (got.min != want.min || got.max != want.max)
        return std::string("another span on ") + name;
    }
    return std::string();
  });
}

/// A swizzled tile too large to enumerate still has bounds that hold.
TEST(Layout, SpanOfLargeSwizzledTiles) {
  Layout layout = parse("Compose(3, 3, 3, S[(1048576, 64) : (64, 1)] + 512)");
  Span span = layout.getSpan(memoryAxis());
  EXPECT_LE(span.min, 512);
  EXPECT_GE(span.max, 512 + (int64_t(1) << 26) - 1);
  EXPECT_LE(span.max, 512 + (int64_t(1) << 26) + 1023);
}

TEST(Layout, SwizzleIsItsOwnInverse) {
  for (int64_t p = 0; p < 4; ++p)
    for (int64_t b = 0; b < 4; ++b)
      for (int64_t s = b; s < 5; ++s)
        for (bool outer : {false, true}) {
          auto swizzle = llvm::cantFail(SwizzleLayout::get(p, b, s, outer));
          std::set<int64_t> seen;
          for (int64_t i = 0; i < swizzle.getPeriod(); ++i) {
            ASSERT_EQ(swizzle.apply(swizzle.apply(i)), i);
            ASSERT_EQ(swizzle.apply(i + swizzle.getPeriod()),
                      swizzle.apply(i) + swizzle.getPeriod());
            seen.insert(swizzle.apply(i));
          }
          EXPECT_EQ(int64_t(seen.size()), swizzle.getPeriod());
        }
}

TEST(Layout, OnlyWhatFitsIsConstructed) {
  auto tile = [](llvm::ArrayRef<Iter> shard, llvm::ArrayRef<Iter> replica = {},
                 llvm::ArrayRef<AxisOffset> offset = {}) {
    return messageOf(TileLayout::get(shard, replica, offset));
  };
  Axis m = memoryAxis();
  EXPECT_TRUE(isReason(tile({{0, 1, m}})));
  EXPECT_TRUE(isReason(tile({{-3, 1, m}})));
  EXPECT_TRUE(isReason(tile({{4, 1, Axis()}})));
  EXPECT_TRUE(isReason(tile({{int64_t(1) << 40, 0, m}, {1 << 30, 0, m}})));
  EXPECT_TRUE(isReason(tile({{3, INT64_MAX / 2 + 1, m}})));
  EXPECT_TRUE(isReason(tile({{3, INT64_MIN / 2 - 1, m}})));
  EXPECT_TRUE(
      isReason(tile({{2, INT64_MAX / 2, m}, {2, INT64_MIN / 2 - 2, m}})));
  EXPECT_TRUE(isReason(tile({{2, 1, m}}, {}, {{m, INT64_MAX}})));
  EXPECT_TRUE(isReason(tile({}, {}, {{m, INT64_MAX}, {m, 1}})));
  EXPECT_TRUE(isReason(tile({}, {{1 << 30, 1, m}})));
  EXPECT_EQ(tile({}), "");
  EXPECT_EQ(tile({{2, -5, m}}, {}, {{m, 7}, {m, -7}}), "");

  EXPECT_TRUE(isReason(messageOf(SwizzleLayout::get(-1, 1, 1))));
  EXPECT_TRUE(isReason(messageOf(SwizzleLayout::get(3, 3, 2))));
  EXPECT_TRUE(isReason(messageOf(SwizzleLayout::get(30, 20, 20))));
  EXPECT_TRUE(isReason(messageOf(SwizzleLayout::get(3, INT64_MAX, 3))));
  auto negative = llvm::cantFail(TileLayout::get({{4, -1, m}}));
  EXPECT_TRUE(isReason(messageOf(
      Layout::compose(llvm::cantFail(SwizzleLayout::get(0, 1, 1)), negative))));
  EXPECT_TRUE(isReason(messageOf(TileLayout::rowMajor({INT64_MAX, 2}))));
  EXPECT_TRUE(isReason(messageOf(TileLayout::rowMajor({4, 0}))));
}

TEST(Layout, EqualityAndHashAreOfTheSpelling) {
  Layout a = parse("S[(8, 8) : (8, 1)]"), b = parse("S[(64) : (1)]");
  EXPECT_FALSE(a == b);
  EXPECT_TRUE(a == parse("S[(8,8):(8@m,1@m)]"));
  EXPECT_EQ(hash_value(*a.getTile()),
            hash_value(*parse("S[(8,8):(8,1)] + 0").getTile()));
  EXPECT_FALSE(a == parse("Compose(3, 3, 3, S[(8, 8) : (8, 1)])"));
  EXPECT_FALSE(parse("SwizzleLayout(1, 1, 1)") ==
               parse("#tirx.swizzle<1, 1, 1, outer>"));
}

TEST(Layout, BareSwizzles) {
  Layout bare = parse("#tirx.swizzle<3, 3, 3>");
  EXPECT_EQ(bare.getSize(), std::nullopt);
  EXPECT_EQ(bare.apply(64).get(memoryAxis()), 72);
  Layout sized = llvm::cantFail(bare.withTile(512));
  EXPECT_TRUE(sized.isCompose());
  for (int64_t i = 0; i < 512; ++i)
    EXPECT_TRUE(sized.apply(i) == bare.apply(i));
  EXPECT_TRUE(isReason(messageOf(bare.withTile(0))));
}
