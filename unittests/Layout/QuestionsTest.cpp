//===- QuestionsTest.cpp - what users ask of layouts ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Property.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

static Points withoutThreads(const Points &points) {
  Points rest;
  for (Point point : points) {
    for (const char *name : {"laneid", "warpid", "tid_in_wg"})
      point.erase(name);
    rest.insert(point);
  }
  return rest;
}

/// The flat index of an element among those that its thread holds: its digits
/// without those on thread axes.
static size_t heldIndex(const TileLayout &tile, size_t flat) {
  size_t index = 0, weight = 1;
  for (size_t i = tile.getShard().size(); i-- > 0;) {
    const Iter &iter = tile.getShard()[i];
    size_t digit = flat % iter.extent;
    flat /= iter.extent;
    if (iter.axis.isThread())
      continue;
    index += digit * weight;
    weight *= iter.extent;
  }
  return index;
}

TEST(Algebra, StorageIsWhatAThreadHolds) {
  forRandomLayouts("storage", [](const Layout &layout, Random &) {
    std::vector<Points> images = enumerate(layout),
                        held = enumerate(getStorage(layout));
    for (size_t x = 0; x < images.size(); ++x) {
      size_t y = heldIndex(*layout.getTile(), x);
      if (y >= held.size() || held[y] != withoutThreads(images[x]))
        return "another place of element " + std::to_string(x);
    }
    return std::string();
  });
}

TEST(Algebra, StorageDropsThreads) {
  Layout fragment =
      parse("S[(8, 4, 2) : (4@laneid, 1@laneid, 1)] + R[2 : 4@warpid] + "
            "5@warpid + 3");
  EXPECT_TRUE(hasThreadAxes(fragment));
  Layout storage = getStorage(fragment);
  EXPECT_FALSE(hasThreadAxes(storage));
  EXPECT_TRUE(isEqual(storage, parse("S[2 : 1] + 3")));
  EXPECT_FALSE(hasThreadAxes(parse("S[(4, 4) : (1@TLane, 1@TCol)]")));
}

/// The definition of the vector width, by looking at every vector.
static int64_t bruteVectorWidth(const Layout &layout, const Shape &shape,
                                unsigned dim, int64_t limit) {
  std::vector<Shape> all = coordinatesOf(shape);
  int64_t best = 1;
  for (int64_t v = 2; v <= limit && shape[dim] % v == 0; v *= 2) {
    for (const Shape &start : all) {
      if (start[dim] % v)
        continue;
      SmallVector<Coordinates> base = layout.image(flatten(start, shape));
      for (const Coordinates &point : base)
        if (point.get(memoryAxis()) % v)
          return best;
      for (int64_t i = 1; i < v; ++i) {
        Shape at = start;
        at[dim] += i;
        SmallVector<Coordinates> moved = base;
        for (Coordinates &point : moved)
          point.add(memoryAxis(), i);
        llvm::sort(moved);
        SmallVector<Coordinates> image = layout.image(flatten(at, shape));
        if (moved != image)
          return best;
      }
    }
    best = v;
  }
  return best;
}

/// The answer may be too careful where strides only happen to agree, but never
/// too bold; on plain tiles it is exact.
TEST(Algebra, VectorWidth) {
  forRandomLayouts("vector width", [](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout);
    unsigned dim = pick(random, 0, shape.size() - 1);
    int64_t width = getVectorWidth(layout, shape, dim, 8);
    return width >= 1 && width <= bruteVectorWidth(layout, shape, dim, 8)
               ? std::string()
               : "width " + std::to_string(width) + " along " +
                     std::to_string(dim);
  });
  auto width = [](llvm::StringRef text, const Shape &shape, unsigned dim,
                  int64_t limit = 16) {
    Layout layout = parse(text);
    int64_t result = getVectorWidth(layout, shape, dim, limit);
    EXPECT_EQ(result, bruteVectorWidth(layout, shape, dim, limit))
        << text.str();
    return result;
  };
  EXPECT_EQ(width("S[(8, 16) : (16, 1)]", {8, 16}, 1), 16);
  EXPECT_EQ(width("S[(8, 16) : (16, 1)]", {8, 16}, 1, 8), 8);
  EXPECT_EQ(width("S[(8, 16) : (16, 1)]", {8, 16}, 0), 1);
  EXPECT_EQ(width("S[(8, 16) : (20, 1)]", {8, 16}, 1), 4);
  EXPECT_EQ(width("S[(8, 16) : (16, 1)] + 2", {8, 16}, 1), 2);
  EXPECT_EQ(width("S[(8, 12) : (12, 1)]", {8, 12}, 1), 4);
  EXPECT_EQ(width("Compose(3, 3, 3, S[(8, 64) : (64, 1)])", {8, 64}, 1), 8);
  EXPECT_EQ(width("Compose(2, 3, 3, S[(8, 64) : (64, 1)])", {8, 64}, 1), 4);
  EXPECT_EQ(width("S[(4, 8) : (1@laneid, 1)]", {4, 8}, 1), 8);
  EXPECT_EQ(width("S[(4, 8) : (8, 1)] + R[2 : 4]", {4, 8}, 1), 4);
}
