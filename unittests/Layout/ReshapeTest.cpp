//===- ReshapeTest.cpp - other dimensions for the same elements ---------===//
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

TEST(Algebra, ReshapeKeepsTheMap) {
  forRandomLayouts("reshape", [](const Layout &layout, Random &random) {
    Shape shape = randomFactors(random, *layout.getSize());
    auto result = reshape(layout, shape);
    if (!result)
      return llvm::toString(result.takeError());
    if (enumerate(*result) != enumerate(layout))
      return "another map: " + toString(*result);
    // Where the fused layout has iters for each dimension, so has the result.
    auto fused = group(canonicalize(*layout.getTile()), shape);
    auto own = group(*result->getTile(), shape);
    bool lost = fused && !own;
    if (!fused)
      llvm::consumeError(fused.takeError());
    if (!own)
      llvm::consumeError(own.takeError());
    return lost ? "no iters of its own: " + toString(*result) : std::string();
  });
  EXPECT_TRUE(
      isEqual(llvm::cantFail(reshape(parse("#tirx.swizzle<3, 3, 3>"), {8, 64})),
              parse("Compose(3, 3, 3, S[512 : 1])")));
  EXPECT_EQ(messageOf(reshape(parse("S[12 : 1]"), {3, 5})),
            "expected a shape of 12 elements, got 15");
  EXPECT_EQ(messageOf(reshape(parse("S[12 : 1]"), {0, 5})),
            "expected dimension 0 to have an extent of at least 1, got 0");
  EXPECT_EQ(messageOf(reshape(parse("S[12 : 1]"), {INT64_MAX, 5})),
            "expected a shape whose size fits 64 bits");
}

static std::string checkBroadcast(const Layout &layout, const Shape &shape,
                                  unsigned position, int64_t extent) {
  auto result = broadcast(layout, shape, position, extent);
  if (!result)
    return llvm::toString(result.takeError());
  Shape wide = shape;
  wide.insert(wide.begin() + position, extent);
  std::vector<Points> before = enumerate(layout), after = enumerate(*result);
  std::vector<Shape> all = coordinatesOf(wide);
  if (all.size() != after.size())
    return "another size: " + toString(*result);
  for (size_t x = 0; x < all.size(); ++x) {
    Shape at = all[x];
    at.erase(at.begin() + position);
    if (after[x] != before[flatten(at, shape)])
      return "another map: " + toString(*result);
  }
  return "";
}

TEST(Algebra, BroadcastMovesNothing) {
  forRandomLayouts("broadcast", [](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout);
    return checkBroadcast(layout, shape, pick(random, 0, shape.size()),
                          pick(random, 1, 4));
  });
  // Only the place of the new dimension matters.
  EXPECT_EQ(checkBroadcast(parse("S[(3, 4) : (9, 1)]"), {1, 2, 6}, 1, 2), "");
  EXPECT_EQ(checkBroadcast(parse("S[(6, 4) : (4, 1)]"), {8, 3}, 1, 2), "");
  Layout rows = parse("S[(3, 4) : (9, 1)]");
  EXPECT_EQ(messageOf(broadcast(rows, {3, 4}, 3, 2)),
            "expected a position of at most 2, got 3");
  EXPECT_EQ(messageOf(broadcast(rows, {3, 4}, 0, 0)),
            "expected an extent of at least 1, got 0");
  EXPECT_EQ(messageOf(broadcast(rows, {3, 5}, 0, 2)),
            "expected a shape of 12 elements, got 15");
  EXPECT_TRUE(llvm::StringRef(messageOf(broadcast(rows, {2, 6}, 1, 2)))
                  .starts_with("expected iters that end before dimension 1: "));
  EXPECT_TRUE(isReason(messageOf(broadcast(rows, {3, 4}, 0, INT64_MAX))));
}

TEST(Algebra, PermuteTakesAnySpelling) {
  // 6 and 8 straddle each other, but together the iters are one run.
  EXPECT_TRUE(isEqual(
      llvm::cantFail(permute(parse("S[(6, 4) : (4, 1)]"), {8, 3}, {1, 0})),
      parse("S[(3, 8) : (1, 3)]")));
}

TEST(Algebra, PermuteThenItsInverse) {
  forRandomLayouts("permute inverse", [](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout), order(shape.size()),
          inverse(shape.size()), permuted;
    for (size_t dim = 0; dim < order.size(); ++dim)
      order[dim] = dim;
    std::shuffle(order.begin(), order.end(), random);
    for (size_t dim = 0; dim < order.size(); ++dim) {
      inverse[order[dim]] = dim;
      permuted.push_back(shape[order[dim]]);
    }
    Layout there = llvm::cantFail(permute(layout, shape, order));
    Layout back = llvm::cantFail(permute(there, permuted, inverse));
    return enumerate(back) == enumerate(layout) ? std::string()
                                                : "another: " + toString(back);
  });
}

/// Boundaries of a sequence of extents, counted from the outermost.
static std::set<int64_t> boundariesOf(llvm::ArrayRef<int64_t> extents) {
  std::set<int64_t> boundaries = {1};
  int64_t product = 1;
  for (int64_t extent : extents)
    boundaries.insert(product *= extent);
  return boundaries;
}

/// A refinement exists when all boundaries divide each other.
static bool canRefine(const TileLayout &tile, llvm::ArrayRef<Shape> shapes) {
  Shape extents;
  for (const Iter &iter : tile.getShard())
    extents.push_back(iter.extent);
  std::set<int64_t> all = boundariesOf(extents);
  for (const Shape &shape : shapes)
    for (int64_t boundary : boundariesOf(shape))
      all.insert(boundary);
  for (int64_t a : all)
    for (int64_t b : all)
      if (a < b && b % a != 0)
        return false;
  return true;
}

static std::string checkGroups(const TileLayout &tile,
                               llvm::ArrayRef<Shape> shapes,
                               const GroupedTile &grouped) {
  if (enumerate(grouped.tile) != enumerate(tile))
    return "another map: " + toString(grouped.tile);
  llvm::ArrayRef<Iter> iters = grouped.tile.getShard();
  if (grouped.bounds.size() != shapes.size())
    return "not one list for each shape";
  for (size_t k = 0; k < shapes.size(); ++k) {
    const auto &bounds = grouped.bounds[k];
    if (bounds.size() != shapes[k].size() + 1 || bounds.front() != 0 ||
        (!shapes[k].empty() && bounds.back() != iters.size()))
      return "not one place for each end of a dimension";
    for (size_t dim = 0; dim < shapes[k].size(); ++dim) {
      if (bounds[dim + 1] <= bounds[dim])
        return "a dimension without an iter";
      int64_t extent = 1;
      for (size_t i = bounds[dim]; i < bounds[dim + 1]; ++i)
        extent *= iters[i].extent;
      if (extent != shapes[k][dim])
        return "another extent: " + toString(grouped.tile);
    }
  }
  return "";
}

TEST(Algebra, GroupManyServesAllShapes) {
  int64_t grouped = 0;
  forRandomLayouts("group many", [&](const Layout &layout, Random &random) {
    const TileLayout &tile = *layout.getTile();
    llvm::SmallVector<Shape> shapes;
    for (int64_t i = pick(random, 0, 3); i > 0; --i)
      shapes.push_back(pick(random, 0, 1)
                           ? randomShape(random, layout)
                           : randomFactors(random, tile.getSize()));
    auto result = groupMany(tile, shapes);
    if (result) {
      ++grouped;
      return checkGroups(tile, shapes, *result);
    }
    std::string message = llvm::toString(result.takeError());
    return isReason(message) && !canRefine(tile, shapes)
               ? ""
               : "refused: " + message;
  });
  EXPECT_GT(grouped, getPropertyRuns() / 3);
}

TEST(Algebra, GroupManyRefusals) {
  const TileLayout line = *parse("S[12 : 1]").getTile();
  auto reason = [&](llvm::ArrayRef<Shape> shapes) {
    auto result = groupMany(line, shapes);
    return result ? std::string() : llvm::toString(result.takeError());
  };
  EXPECT_EQ(reason({{3, 4}, {2, 6}}),
            "expected boundaries between dimensions that divide each other, "
            "got one after 2 and one after 3 leading elements");
  EXPECT_EQ(reason({{3, 4}, {2, 5}}), "shape 1: expected 12 elements, got 10");
  EXPECT_EQ(reason({{3, 4}, {0, 12}}),
            "shape 1: expected dimension 0 to have an extent of at least 1, "
            "got 0");
  EXPECT_EQ(reason({}), "");
}
