//===- TileTest.cpp - layouts of layouts --------------------------------===//
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

/// Factors of a few elements, so that their product stays small.
static Layout randomFactor(Random &random) {
  llvm::SmallVector<Iter> shard, replica;
  llvm::SmallVector<AxisOffset> offset;
  bool negative = pick(random, 0, 3) == 0;
  int64_t limit = 8;
  for (int64_t i = pick(random, 0, 3); i > 0; --i) {
    shard.push_back(randomIter(random, limit, negative));
    limit /= shard.back().extent;
  }
  if (pick(random, 0, 3) == 0)
    shard = randomCompactIters(random, 8);
  for (int64_t i = pick(random, 0, 5) - 3; i > 0; --i)
    replica.push_back(randomIter(random, 3, negative));
  if (pick(random, 0, 2) == 0)
    offset.push_back({randomAxis(random), pick(random, negative ? -9 : 0, 9)});
  TileLayout tile = llvm::cantFail(TileLayout::get(shard, replica, offset));
  if (negative || pick(random, 0, 3))
    return tile;
  return llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
}

static Layout withoutSwizzle(const Layout &layout) { return *layout.getTile(); }

/// Shapes of one rank for two layouts.
static std::pair<Shape, Shape> randomShapes(Random &random, const Layout &a,
                                            const Layout &b) {
  Shape first = randomShape(random, a), second = randomShape(random, b);
  while (first.size() < second.size())
    first.insert(first.begin() + pick(random, 0, first.size()), 1);
  while (second.size() < first.size())
    second.insert(second.begin() + pick(random, 0, second.size()), 1);
  return {first, second};
}

static Shape multiply(const Shape &a, const Shape &b) {
  Shape product = a;
  for (size_t dim = 0; dim < a.size(); ++dim)
    product[dim] *= b[dim];
  return product;
}

/// The extent of the images on each axis.
static Point bruteWidths(const std::vector<Points> &images) {
  std::map<std::string, std::pair<int64_t, int64_t>> ranges;
  static const char *const names[] = {"m", "laneid", "warpid", "TCol",
                                      "tid_in_wg"};
  Point widths;
  for (const char *name : names) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (const Points &points : images)
      for (const Point &point : points) {
        auto it = point.find(name);
        int64_t value = it == point.end() ? 0 : it->second;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    widths[name] = high - low + 1;
  }
  return widths;
}

/// { w * q + p }, with w = 1 for a direct sum.
static Points bruteSum(const Points &outer, const Points &inner,
                       const Point *widths, const SwizzleLayout *swizzle) {
  Points sum;
  for (const Point &q : outer)
    for (Point p : inner) {
      for (const auto &[axis, value] : q)
        p[axis] += widths ? widths->at(axis) * value : value;
      sum.insert(finish(p, swizzle));
    }
  return sum;
}

/// The law: dimension d of the result is outerShape[d] times innerShape[d].
static std::string checkSum(const Layout &outer, const Shape &outerShape,
                            const Layout &inner, const Shape &innerShape,
                            const Layout &result, bool scaled) {
  std::vector<Points> outerImages = enumerate(outer),
                      innerImages = enumerate(withoutSwizzle(inner)),
                      images = enumerate(result);
  Point widths = bruteWidths(innerImages);
  Shape shape = multiply(outerShape, innerShape);
  std::vector<Shape> all = coordinatesOf(shape);
  if (all.size() != images.size())
    return "another size: " + toString(result);
  for (size_t x = 0; x < all.size(); ++x) {
    Shape o = all[x], i = all[x];
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      o[dim] /= innerShape[dim];
      i[dim] %= innerShape[dim];
    }
    Points want = bruteSum(outerImages[flatten(o, outerShape)],
                           innerImages[flatten(i, innerShape)],
                           scaled ? &widths : nullptr, inner.getSwizzle());
    if (want != images[x])
      return "another map: " + toString(result);
  }
  return "";
}

static int64_t lowestMemory(const std::vector<Points> &images) {
  int64_t low = INT64_MAX;
  for (const Points &points : images)
    for (const Point &point : points)
      low = std::min(low, point.count("m") ? point.at("m") : 0);
  return low;
}

/// Not everything can stand under a swizzle.
static bool isRefused(const Layout &outer, const Layout &inner, bool scaled) {
  std::vector<Points> images = enumerate(withoutSwizzle(inner));
  int64_t width = bruteWidths(images)["m"], low = lowestMemory(images);
  if (inner.getSwizzle())
    return outer.getSwizzle() ||
           lowestMemory(enumerate(outer)) * (scaled ? width : 1) + low < 0;
  if (outer.getSwizzle())
    return !scaled || low != 0 || (width & (width - 1)) != 0;
  return false;
}

using Combine = llvm::Expected<Layout> (*)(const Layout &,
                                           llvm::ArrayRef<int64_t>,
                                           const Layout &,
                                           llvm::ArrayRef<int64_t>);
using Recognize = Combine;

/// The operation against its definition, and both recognitions against the
/// operation: the other factor that they give makes the same layout.
static std::string checkFactors(const Layout &outer, const Layout &inner,
                                Random &random, bool scaled, int64_t &made) {
  Combine combine = scaled ? tile : directSum;
  auto [outerShape, innerShape] = randomShapes(random, outer, inner);
  auto result = combine(outer, outerShape, inner, innerShape);
  if (!result) {
    std::string message = llvm::toString(result.takeError());
    return !isReason(message)                 ? "no reason: " + message
           : !isRefused(outer, inner, scaled) ? "refused: " + message
                                              : "";
  }
  ++made;
  std::string wrong =
      checkSum(outer, outerShape, inner, innerShape, *result, scaled);
  if (!wrong.empty())
    return wrong;

  Shape shape = multiply(outerShape, innerShape);
  Recognize knowsInner = scaled ? isTileInner : isDirectSumRight;
  auto foundOuter = knowsInner(inner, innerShape, *result, shape);
  if (!foundOuter)
    return "outer factor not found: " + llvm::toString(foundOuter.takeError());
  auto again = combine(*foundOuter, outerShape, inner, innerShape);
  if (!again || enumerate(*again) != enumerate(*result))
    return "another outer factor: " + toString(*foundOuter);
  Recognize knowsOuter = scaled ? isTileOuter : isDirectSumLeft;
  auto foundInner = knowsOuter(outer, outerShape, *result, shape);
  if (!foundInner)
    return "inner factor not found: " + llvm::toString(foundInner.takeError());
  again = combine(outer, outerShape, *foundInner, innerShape);
  if (!again || enumerate(*again) != enumerate(*result))
    return "another inner factor: " + toString(*foundInner);
  return "";
}

TEST(Algebra, TileAndItsFactors) {
  int64_t made = 0;
  forRandomPairs(
      "tile",
      [&](const Layout &outer, const Layout &inner, Random &random) {
        return checkFactors(outer, inner, random, /*scaled=*/true, made);
      },
      randomFactor);
  EXPECT_GT(made, getPropertyRuns() / 2);
}

TEST(Algebra, DirectSumAndItsFactors) {
  int64_t made = 0;
  forRandomPairs(
      "direct sum",
      [&](const Layout &left, const Layout &right, Random &random) {
        return checkFactors(left, right, random, /*scaled=*/false, made);
      },
      randomFactor);
  EXPECT_GT(made, getPropertyRuns() / 2);
}

/// What a recognition finds is a factor, whatever the layouts.
static std::string checkFound(const Layout &known, const Layout &whole,
                              Random &random, int64_t &found) {
  Shape shape = randomShape(random, whole), knownShape = shape;
  int64_t rest = *known.getSize();
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    knownShape[dim] = std::gcd(shape[dim], rest);
    rest /= knownShape[dim];
  }
  if (rest != 1)
    return "";
  Shape otherShape = shape;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    otherShape[dim] /= knownShape[dim];
  auto check = [&](Recognize recognize, Combine combine,
                   bool knowsInner) -> std::string {
    auto other = recognize(known, knownShape, whole, shape);
    if (!other) {
      std::string message = llvm::toString(other.takeError());
      return isReason(message) ? "" : "no reason: " + message;
    }
    ++found;
    auto again = knowsInner ? combine(*other, otherShape, known, knownShape)
                            : combine(known, knownShape, *other, otherShape);
    return again && enumerate(*again) == enumerate(whole)
               ? ""
               : "not a factor: " + toString(*other);
  };
  std::string wrong = check(isTileInner, tile, true);
  if (wrong.empty())
    wrong = check(isTileOuter, tile, false);
  if (wrong.empty())
    wrong = check(isDirectSumRight, directSum, true);
  if (wrong.empty())
    wrong = check(isDirectSumLeft, directSum, false);
  return wrong;
}

TEST(Algebra, WhatIsRecognizedIsAFactor) {
  int64_t found = 0;
  forRandomPairs(
      "recognitions",
      [&](const Layout &known, const Layout &whole, Random &random) {
        return checkFound(known, whole, random, found);
      },
      [](Random &random) -> Layout {
        // Few strides, so that many are factors by chance.
        llvm::SmallVector<Iter> shard, replica;
        for (int64_t i = pick(random, 0, 2); i > 0; --i)
          shard.push_back(
              {pick(random, 1, 3), pick(random, 0, 3), memoryAxis()});
        if (pick(random, 0, 3) == 0)
          replica.push_back({2, pick(random, 1, 3), memoryAxis()});
        return llvm::cantFail(TileLayout::get(shard, replica));
      });
  EXPECT_GT(found, getPropertyRuns() / 10);
}

/// Slicing one copy out of a tiled layout gives the inner layout, moved.
TEST(Algebra, SliceOfTileIsTheInnerLayout) {
  forRandomPairs(
      "slice of tile",
      [](const Layout &outerIn, const Layout &inner, Random &random) {
        Layout outer = withoutSwizzle(outerIn);
        auto [outerShape, innerShape] = randomShapes(random, outer, inner);
        auto made = tile(outer, outerShape, inner, innerShape);
        if (!made) {
          llvm::consumeError(made.takeError());
          return std::string();
        }
        Layout whole = *made;
        Shape offsets;
        for (size_t dim = 0; dim < outerShape.size(); ++dim)
          offsets.push_back(pick(random, 0, outerShape[dim] - 1) *
                            innerShape[dim]);
        auto part =
            slice(whole, multiply(outerShape, innerShape), offsets, innerShape);
        if (!part)
          return llvm::toString(part.takeError());
        // Equal but for replica and offset, which the outer layout adds to.
        Layout a = llvm::cantFail(TileLayout::get(part->getTile()->getShard()));
        Layout b = llvm::cantFail(TileLayout::get(inner.getTile()->getShard()));
        return isEqual(a, b) ? std::string()
                             : "another copy: " + toString(*part);
      },
      randomFactor);
}

TEST(Algebra, TileScalesReplicaAndOffset) {
  Layout inner = parse("S[(2, 4) : (4, 1)]");
  Layout outer = parse("S[3 : 2] + R[2 : 1] + 5");
  EXPECT_EQ(toString(llvm::cantFail(tile(outer, {3, 1}, inner, {2, 4}))),
            "#tirx.tile<S[(3, 2, 4) : (16, 4, 1)] + R[2 : 8] + 40>");
  // The width is over the replicas too, but not from 0.
  inner = parse("S[2 : 1] + R[2 : 4] + 3");
  EXPECT_EQ(toString(llvm::cantFail(tile(outer, {3}, inner, {2}))),
            "#tirx.tile<S[(3, 2) : (12, 1)] + R[(2, 2) : (6, 4)] + 33>");
  // Each axis has its own.
  inner = parse("S[(8, 4) : (4@laneid, 1)]");
  outer = parse("S[(2, 2) : (1@laneid, 1)]");
  EXPECT_EQ(toString(llvm::cantFail(tile(outer, {2, 2}, inner, {8, 4}))),
            "#tirx.tile<S[(2, 8, 2, 4) : (29@laneid, 4@laneid, 4, 1)]>");
}

TEST(Algebra, TileOfSwizzles) {
  // A bare swizzle is as large as its shape.
  EXPECT_TRUE(isEqual(
      llvm::cantFail(tile(parse("S[(2, 2) : (1, 2)]"), {2, 2},
                          parse("#tirx.swizzle<3, 3, 3>"), {8, 64})),
      parse("Compose(3, 3, 3, S[(2, 8, 2, 64) : (512, 64, 1024, 1)])")));
  // A swizzled outer layout moves whole copies.
  EXPECT_EQ(toString(llvm::cantFail(tile(parse("Compose(0, 2, 2, S[16 : 1])"),
                                         {16}, parse("S[8 : 1]"), {8}))),
            "#tirx.compose<#tirx.swizzle<3, 2, 2>, #tirx.tile<S[(16, 8) : (8, "
            "1)]>>");
}

TEST(Algebra, TilesThatAreRefused) {
  Layout rows = parse("S[(4, 8) : (8, 1)]");
  auto reason = [](llvm::Expected<Layout> result) {
    return messageOf(std::move(result));
  };
  EXPECT_EQ(reason(tile(rows, {4, 8}, rows, {32})),
            "expected shapes of as many dimensions, got 2 and 1");
  EXPECT_EQ(reason(tile(rows, {4, 4}, rows, {4, 8})),
            "outer layout: expected a shape of 32 elements, got 16");
  EXPECT_EQ(reason(tile(rows, {4, 8}, rows, {4, 9})),
            "inner layout: expected a shape of 32 elements, got 36");
  Layout odd = parse("S[(3, 4) : (9, 1)]");
  EXPECT_TRUE(llvm::StringRef(reason(tile(odd, {2, 6}, rows, {4, 8})))
                  .starts_with("outer layout: expected the iters"));
  Layout swizzled = parse("Compose(0, 1, 1, S[4 : 1])");
  EXPECT_EQ(reason(tile(swizzled, {4}, swizzled, {4})),
            "expected a swizzle on the outer or the inner layout, got one on "
            "each");
  EXPECT_EQ(reason(tile(swizzled, {4}, parse("S[3 : 1]"), {3})),
            "expected an inner layout whose width on axis 'm' is a power of 2 "
            "under a swizzled outer layout, got 3");
  EXPECT_EQ(reason(tile(swizzled, {4}, parse("S[4 : 1] + 1"), {4})),
            "expected an inner layout that begins at 0 on axis 'm' under a "
            "swizzled outer layout, got 1");
  Layout wide = parse("S[2 : 4611686018427387904]");
  EXPECT_EQ(reason(tile(wide, {2}, rows, {32})),
            "expected outer coordinates on axis 'm' that fit 64 bits when "
            "multiplied by the inner width 32");
  EXPECT_EQ(reason(directSum(swizzled, {4}, rows, {32})),
            "expected a left layout without a swizzle");
  EXPECT_EQ(reason(directSum(rows, {32}, rows, {4, 8})),
            "expected shapes of as many dimensions, got 1 and 2");
  EXPECT_TRUE(isReason(reason(directSum(wide, {2}, wide, {2}))));
}

TEST(Algebra, FactorsThatAreRefused) {
  Layout rows = parse("S[(8, 8) : (8, 1)]");
  auto reason = [](llvm::Expected<Layout> result) {
    return messageOf(std::move(result));
  };
  EXPECT_EQ(reason(isTileInner(rows, {8, 8},
                               parse("S[(8, 2, 32) : (64, 1, 2)]"), {16, 32})),
            "expected the steps of the inner layout in dimension 0, got others "
            "in the whole layout");
  EXPECT_EQ(reason(isTileInner(rows, {8, 8}, rows, {8, 8, 1})),
            "expected shapes of as many dimensions, got 3 and 2");
  EXPECT_EQ(reason(isTileInner(rows, {8, 8}, rows, {12, 8})),
            "expected an extent that divides 12 in dimension 0, got 8");
  EXPECT_EQ(reason(isTileInner(rows, {0, 8}, rows, {8, 8})),
            "expected an extent that divides 8 in dimension 0, got 0");
  Layout line = parse("S[4 : 1]");
  EXPECT_EQ(reason(isTileInner(line, {4}, parse("S[(2, 4) : (6, 1)]"), {8})),
            "expected strides on axis 'm' that are multiples of the inner "
            "width 4, got 6");
  EXPECT_EQ(reason(isTileInner(line, {4}, parse("S[8 : 1] + 2"), {8})),
            "expected offsets on axis 'm' that are multiples of the inner "
            "width 4, got 2 over an inner offset of 0");
  EXPECT_EQ(reason(isTileInner(line, {4}, parse("S[8 : 1] + R[2 : 18]"), {8})),
            "expected replicas on axis 'm' that both factors make up, got "
            "others in the whole layout");
  EXPECT_EQ(reason(isTileOuter(parse("S[2 : 1]"), {2},
                               parse("S[(2, 4) : (5, 1)]"), {8})),
            "expected the steps of the outer layout in dimension 0, got others "
            "in the whole layout");
  EXPECT_EQ(reason(isTileOuter(parse("S[2 : 1] + R[2 : 2]"), {2},
                               parse("S[8 : 1]"), {8})),
            "expected replicas on axis 'm' that both factors make up, got "
            "others in the whole layout");
  // No stride is 0 because it does not fit.
  EXPECT_EQ(reason(isTileOuter(parse("S[2 : 4611686018427387904]"), {2},
                               parse("S[(2, 4) : (0, 1)]"), {8})),
            "expected strides on axis 'm' that fit 64 bits when multiplied by "
            "the inner width 4");
  EXPECT_EQ(reason(isTileInner(parse("Compose(0, 2, 2, S[16 : 1])"), {16},
                               parse("Compose(0, 1, 2, S[32 : 1])"), {32})),
            "expected a swizzle that a factor has, got another in the whole "
            "layout");
  EXPECT_EQ(reason(isDirectSumLeft(parse("S[2 : 3]"), {2}, line, {4})),
            "expected the steps of the outer layout in dimension 0, got others "
            "in the whole layout");
}
