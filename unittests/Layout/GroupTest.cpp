//===- GroupTest.cpp - the iters of each dimension ------------------------===//
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

static std::string checkGroups(const Layout &layout, const Shape &shape) {
  auto groups = group(*layout.getTile(), shape);
  if (!groups)
    return llvm::toString(groups.takeError());
  if (groups->size() != shape.size())
    return "not one group a dimension";
  SmallVector<Iter> all;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t product = 1;
    for (const Iter &iter : (*groups)[dim]) {
      product *= iter.extent;
      all.push_back(iter);
    }
    if (product != shape[dim])
      return "another size of dimension " + std::to_string(dim);
  }
  Layout joined = llvm::cantFail(TileLayout::get(all));
  Layout shard = llvm::cantFail(TileLayout::get(layout.getTile()->getShard()));
  return enumerate(joined) == enumerate(shard) ? "" : "another shard";
}

TEST(Algebra, GroupSplitsTheShard) {
  forRandomLayouts("group", [](const Layout &layout, Random &random) {
    return checkGroups(layout, randomShape(random, layout));
  });
}

TEST(Algebra, GroupsThatAreRefused) {
  const TileLayout rows = *parse("S[(3, 4) : (4, 1)]").getTile();
  EXPECT_TRUE(isReason(messageOf(group(rows, {3, 5}))));
  EXPECT_TRUE(isReason(messageOf(group(rows, {-3, -4}))));
  EXPECT_TRUE(isReason(messageOf(group(rows, {-1, -12}))));
  EXPECT_TRUE(isReason(messageOf(group(rows, {INT64_MAX, 3}))));
  EXPECT_TRUE(isReason(messageOf(group(rows, {0, 12}))));
  std::string message =
      messageOf(group(*parse("S[(3, 4) : (9, 1)]").getTile(), {2, 6}));
  EXPECT_TRUE(llvm::StringRef(message).contains("dimension 1")) << message;
}

static std::string checkPermuted(const Layout &layout, const Shape &shape,
                                 const Shape &order) {
  auto result = permute(layout, shape, order);
  if (!result)
    return llvm::toString(result.takeError());
  Shape permuted;
  for (int64_t dim : order)
    permuted.push_back(shape[dim]);
  std::vector<Points> before = enumerate(layout), after = enumerate(*result);
  std::vector<Shape> coordinates = coordinatesOf(permuted);
  for (size_t x = 0; x < after.size(); ++x) {
    Shape at(shape.size());
    for (size_t dim = 0; dim < order.size(); ++dim)
      at[order[dim]] = coordinates[x][dim];
    if (after[x] != before[flatten(at, shape)])
      return "another map: " + toString(*result);
  }
  return "";
}

TEST(Algebra, PermuteReordersDimensions) {
  forRandomLayouts("permute", [](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout), order(shape.size());
    for (size_t dim = 0; dim < order.size(); ++dim)
      order[dim] = dim;
    std::shuffle(order.begin(), order.end(), random);
    return checkPermuted(layout, shape, order);
  });
  Layout rows = parse("S[(3, 4) : (4, 1)]");
  EXPECT_TRUE(isReason(messageOf(permute(rows, {3, 4}, {0, 0}))));
  EXPECT_TRUE(isReason(messageOf(permute(rows, {3, 4}, {0}))));
  EXPECT_TRUE(isReason(messageOf(permute(rows, {3, 4}, {0, 2}))));
}

/// The step of a dimension is the same everywhere, or there is none.
static std::string checkStride(const Layout &layout, const Shape &shape,
                               unsigned dim) {
  Layout shard = llvm::cantFail(TileLayout::get(layout.getTile()->getShard()));
  std::vector<Points> images = enumerate(shard);
  std::set<Point> steps;
  for (const Shape &at : coordinatesOf(shape)) {
    if (at[dim] + 1 == shape[dim])
      continue;
    Shape next = at;
    ++next[dim];
    steps.insert(subtract(*images[flatten(next, shape)].begin(),
                          *images[flatten(at, shape)].begin()));
  }
  bool single =
      steps.empty() || (steps.size() == 1 && steps.begin()->size() <= 1);
  auto stride = getDimStride(layout, shape, dim);
  if (!stride) {
    std::string message = llvm::toString(stride.takeError());
    return isReason(message) && !single ? "" : "refused: " + message;
  }
  if (!single)
    return "a stride where there is none";
  Point want;
  if (stride->stride != 0)
    want[stride->axis.getName().str()] = stride->stride;
  return steps.empty() || *steps.begin() == want ? "" : "another stride";
}

TEST(Algebra, DimStrideIsTheOnlyStep) {
  forRandomLayouts("stride", [](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout);
    return checkStride(layout, shape, pick(random, 0, shape.size() - 1));
  });
}

TEST(Algebra, DimStride) {
  Layout tile = parse("S[(2, 4, 8) : (4, 1, 8@laneid)]");
  Iter rows = llvm::cantFail(getDimStride(tile, {8, 8}, 0));
  EXPECT_TRUE((rows == Iter{8, 1, memoryAxis()}));
  Iter columns = llvm::cantFail(getDimStride(tile, {8, 8}, 1));
  EXPECT_TRUE((columns == Iter{8, 8, lookupBuiltinAxis("laneid")}));
  EXPECT_TRUE(isReason(messageOf(getDimStride(tile, {8, 8}, 2))));
  EXPECT_TRUE(
      isReason(messageOf(getDimStride(parse("S[(2, 4) : (7, 1)]"), {8}, 0))));
}
