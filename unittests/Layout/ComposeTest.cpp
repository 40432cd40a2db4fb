//===- ComposeTest.cpp - one layout after another -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionTesting.h"
#include "Property.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

namespace {

/// A step on an axis of the box: often one that the outer layout makes, too.
Iter randomStep(Random &random, const Box &box, const TileLayout &outer) {
  const AxisExtent &dim = box[pick(random, 0, box.size() - 1)];
  int64_t stride = 1;
  for (const Iter &iter : llvm::reverse(outer.getShard())) {
    if (pick(random, 0, 2) == 0)
      break;
    stride *= iter.extent;
  }
  if (pick(random, 0, 2) == 0)
    stride *= pick(random, 1, 4);
  if (pick(random, 0, 4) == 0)
    stride = pick(random, 0, dim.extent);
  static const int64_t extents[] = {2, 2, 3, 4, 4, 5, 6, 8};
  return {choose(random, extents), pick(random, 0, 5) ? stride : -stride,
          dim.axis};
}

/// A layout whose points are in the box: steps that leave it are left out.
Layout randomInside(Random &random, const Box &box, const Layout &outer) {
  SmallVector<Iter> shard, replica;
  SmallVector<AxisOffset> offset;
  auto isInside = [&] {
    auto tile = TileLayout::get(shard, replica, offset);
    if (!tile) {
      llvm::consumeError(tile.takeError());
      return false;
    }
    return tile->getSize() <= 300 && llvm::all_of(box, [&](AxisExtent dim) {
             Span span = tile->getSpan(dim.axis);
             return span.min >= 0 && span.max < dim.extent;
           });
  };
  auto attempt = [&](auto &list, auto entry) {
    list.push_back(entry);
    if (!isInside())
      list.pop_back();
  };
  for (int64_t i = pick(random, 0, 3); i > 0; --i)
    attempt(offset,
            AxisOffset{choose(random, {box.front().axis, box.back().axis}),
                       pick(random, 1, 12)});
  for (int64_t i = pick(random, 1, 6); i > 0; --i) {
    Iter step = randomStep(random, box, *outer.getTile());
    if (step.stride < 0)
      attempt(offset, AxisOffset{step.axis, (1 - step.extent) * step.stride});
    attempt(pick(random, 0, 9) ? shard : replica, step);
  }
  std::shuffle(shard.begin(), shard.end(), random);
  TileLayout tile = llvm::cantFail(TileLayout::get(shard, replica, offset));
  if (pick(random, 0, 2) || tile.getSpan(memoryAxis()).min < 0)
    return tile;
  Layout swizzled =
      llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
  for (const AxisExtent &dim : box)
    if (swizzled.getSpan(dim.axis).max >= dim.extent)
      return tile;
  return swizzled;
}

/// Row-major layouts of powers of two, so that swizzles act on all of them.
Layout randomPowers(Random &random) {
  SmallVector<int64_t> shape;
  for (int64_t i = pick(random, 1, 3); i > 0; --i)
    shape.push_back(int64_t(1) << pick(random, 1, 3));
  TileLayout tile = llvm::cantFail(TileLayout::rowMajor(shape));
  SmallVector<Iter> iters(tile.getShard());
  std::shuffle(iters.begin(), iters.end(), random);
  int64_t scale = int64_t(1) << pick(random, 0, 2);
  for (Iter &iter : iters)
    iter.stride *= scale;
  tile = llvm::cantFail(TileLayout::get(iters));
  if (pick(random, 0, 1))
    return tile;
  return llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
}

Layout randomOuter(Random &random) {
  return pick(random, 0, 2) ? randomLayout(random) : randomPowers(random);
}

std::string checkComposition(const Layout &outer, const Layout &inner,
                             const Box &box, int64_t &results) {
  std::string pair = " of " + toString(inner) + " through " + toString(box);
  auto expected = composeMaps(enumerate(outer), enumerate(inner), box);
  llvm::Expected<Layout> result = compose(outer, inner, box);
  if (!result) {
    std::string message = llvm::toString(result.takeError());
    if (!isReason(message))
      return "says " + message;
    std::optional<std::vector<Point>> function;
    if (expected)
      function = toFunction(*expected);
    if (function && function->size() <= 64 &&
        isLayoutMap(*function, bitsOf(*function)))
      return "refused a layout" + pair + ": " + message;
    return "";
  }
  if (!expected)
    return "points outside" + pair + " made " + toString(*result);
  if (enumerate(*result) != *expected)
    return "another map" + pair + ": " + toString(*result);
  ++results;
  return "";
}

} // namespace

TEST(Compose, AgreesWithPointsAndRefusesNoLayout) {
  int64_t results = 0;
  forRandomLayouts(
      "compose",
      [&](const Layout &outer, Random &random) {
        Box box = randomBox(random, *outer.getSize());
        return checkComposition(outer, randomInside(random, box, outer), box,
                                results);
      },
      randomOuter);
  EXPECT_GE(results, getPropertyRuns() / 3);
}

/// Layouts on `m` that fill it, so that the result of one is the index of the
/// next.
static Layout randomPermutation(Random &random, int64_t bits) {
  SmallVector<Iter> iters;
  int64_t stride = 1;
  for (int64_t rest = bits; rest > 0;) {
    int64_t part = pick(random, 1, rest);
    iters.push_back({int64_t(1) << part, stride, memoryAxis()});
    stride <<= part;
    rest -= part;
  }
  std::shuffle(iters.begin(), iters.end(), random);
  TileLayout tile = llvm::cantFail(TileLayout::get(iters));
  SwizzleLayout swizzle = randomSwizzle(random);
  if (pick(random, 0, 1) || !preservesPrefix(swizzle, tile.getSize()))
    return tile;
  return llvm::cantFail(Layout::compose(swizzle, tile));
}

TEST(Compose, IsAssociative) {
  Random random(31);
  int64_t results = 0;
  for (int64_t i = 0; i < getPropertyRuns(); ++i) {
    int64_t bits = pick(random, 1, 8);
    Layout a = randomPermutation(random, bits);
    Layout b = randomPermutation(random, bits);
    Layout c = randomInside(random, memoryBox(int64_t(1) << bits), b);
    auto ab = compose(a, b), bc = compose(b, c);
    if (!ab || !bc) {
      llvm::consumeError(ab.takeError());
      llvm::consumeError(bc.takeError());
      continue;
    }
    auto left = compose(*ab, c), right = compose(a, *bc);
    ASSERT_EQ(bool(left), bool(right))
        << tirx::toString(a) << ", " << tirx::toString(b) << ", "
        << tirx::toString(c);
    if (!left) {
      llvm::consumeError(left.takeError());
      llvm::consumeError(right.takeError());
      continue;
    }
    ++results;
    ASSERT_TRUE(isEqual(*left, *right))
        << tirx::toString(a) << ", " << tirx::toString(b) << ", "
        << tirx::toString(c);
  }
  EXPECT_GE(results, getPropertyRuns() / 4);
}

/// All swizzles of few bits, so that every way in which fields meet occurs.
static std::vector<SwizzleLayout> allSwizzles(int64_t bits) {
  std::vector<SwizzleLayout> all;
  for (bool outer : {false, true})
    for (int64_t p = 0; p <= bits; ++p)
      for (int64_t b = 0; p + 2 * b <= bits; ++b)
        for (int64_t s = b; p + s + b <= bits; ++s)
          all.push_back(llvm::cantFail(SwizzleLayout::get(p, b, s, outer)));
  return all;
}

static int64_t applySwizzle(const SwizzleLayout &swizzle, int64_t index) {
  return valueOf(finish({{"m", index}}, &swizzle), "m");
}

TEST(Compose, BareSwizzles) {
  std::vector<SwizzleLayout> all = allSwizzles(6);
  std::map<std::vector<int64_t>, SwizzleLayout> known;
  auto pointsOf = [](auto function) {
    std::vector<int64_t> points;
    for (int64_t i = 0; i < 64; ++i)
      points.push_back(function(i));
    return points;
  };
  for (const SwizzleLayout &swizzle : all)
    known.try_emplace(
        pointsOf([&](int64_t i) { return applySwizzle(swizzle, i); }), swizzle);
  int64_t products = 0;
  for (const SwizzleLayout &outer : all)
    for (const SwizzleLayout &inner : all) {
      auto expected = pointsOf([&](int64_t i) {
        return applySwizzle(outer, applySwizzle(inner, i));
      });
      auto result = compose(Layout(outer), Layout(inner));
      ASSERT_EQ(bool(result), known.count(expected) != 0)
          << toString(Layout(outer)) << " after " << toString(Layout(inner));
      if (!result) {
        EXPECT_TRUE(isReason(messageOf(std::move(result))));
        continue;
      }
      ++products;
      ASSERT_EQ(pointsOf([&](int64_t i) {
                  return applySwizzle(*result->getSwizzle(), i);
                }),
                expected);
    }
  EXPECT_GT(products, int64_t(all.size()));
}

TEST(Compose, SwizzlesInsideAndOutside) {
  auto composed = [](llvm::StringRef outer, llvm::StringRef inner) {
    auto result = compose(parse(outer), parse(inner));
    return result ? toString(canonicalize(*result))
                  : llvm::toString(result.takeError());
  };
  // Scaling moves the fields, a transpose swaps their roles.
  EXPECT_EQ(
      composed("S[512 : 4]", "#tirx.swizzle<3, 3, 3>"),
      "#tirx.compose<#tirx.swizzle<5, 3, 3>, #tirx.tile<S[(512) : (4)]>>");
  EXPECT_EQ(composed("S[(8, 8) : (1, 8)]", "#tirx.swizzle<0, 3, 3>"),
            "#tirx.compose<#tirx.swizzle<0, 3, 3, outer>, "
            "#tirx.tile<S[(8, 8) : (1, 8)]>>");
  // A swizzle undoes itself.
  EXPECT_EQ(composed("#tirx.swizzle<3, 3, 3>",
                     "Compose(3, 3, 3, S[(8, 64) : (64, 1)])"),
            "#tirx.tile<S[(512) : (1)]>");
  EXPECT_EQ(composed("#tirx.swizzle<3, 2, 3>", "#tirx.swizzle<3, 3, 3>"),
            "#tirx.swizzle<5, 1, 3>");
  // Other axes stay.
  EXPECT_EQ(composed("#tirx.swizzle<0, 1, 1>", "S[(4, 4) : (1@laneid, 1)]"),
            "#tirx.compose<#tirx.swizzle<0, 1, 1>, "
            "#tirx.tile<S[(4, 4) : (1@laneid, 1)]>>");
}

TEST(Compose, LargeLayouts) {
  // 2^40 elements: only digits that meet are looked at.
  Layout outer =
      parse("Compose(3, 3, 3, S[(1048576, 1048576) : (1048576, 1)])");
  Layout inner = parse("S[(1024, 1048576, 1024) : (1, 1048576, 1024)]");
  auto result = compose(outer, inner);
  ASSERT_TRUE(bool(result)) << messageOf(std::move(result));
  EXPECT_TRUE(isEqual(
      *result,
      parse(
          "Compose(3, 3, 3, S[(1024, 1048576, 1024) : (1, 1048576, 1024)])")));
  auto inside = compose(parse("S[(1048576, 1048576) : (1, 1048576)]"),
                        parse("Compose(3, 3, 3, S[1099511627776 : 1])"));
  ASSERT_TRUE(bool(inside)) << messageOf(std::move(inside));
  EXPECT_EQ(toString(*inside),
            "#tirx.compose<#tirx.swizzle<23, 3, 3>, #tirx.tile<S[(1048576, "
            "1048576) : (1, 1048576)]>>");
}

/// Coordinates of 58 bits have 50,000 swizzles, and none makes this a layout.
TEST(Compose, SearchesHaveAnEnd) {
  std::string message =
      messageOf(compose(parse("S[(256, 256) : (1, 1125899906842624)]"),
                        parse("S[(120, 130) : (3, 501)]")));
  EXPECT_TRUE(isReason(message)) << message;
}

TEST(Compose, Reasons) {
  auto refused = [](llvm::StringRef outer, llvm::StringRef inner) {
    return messageOf(compose(parse(outer), parse(inner)));
  };
  EXPECT_EQ(refused("S[16 : 1]", "S[17 : 1]"),
            "expected coordinates on 'm' from 0 to 15, got 0 to 16");
  EXPECT_EQ(refused("S[16 : 1]", "S[4 : 1] + -1"),
            "expected coordinates on 'm' from 0 to 15, got -1 to 2");
  EXPECT_EQ(refused("S[16 : 1]", "S[(4, 4) : (1@laneid, 1)]"),
            "expected coordinates on the axes of the outer layout's index, got "
            "'laneid'");
  EXPECT_EQ(refused("S[(4, 4) : (1, 8)]", "S[(2, 5) : (1, 3)]"),
            "expected steps of the inner layout that add up in the outer one, "
            "got iter 1 of extent 5 and stride 3 on 'm', which does not");
  EXPECT_EQ(refused("S[10 : 1]", "#tirx.swizzle<0, 2, 2>"),
            "expected a swizzle that maps the indices below 10 to themselves, "
            "got #tirx.swizzle<0, 2, 2>");
  EXPECT_EQ(refused("#tirx.swizzle<0, 1, 1>", "#tirx.swizzle<0, 1, 2>"),
            "expected swizzles whose product is a swizzle, got "
            "#tirx.swizzle<0, 1, 1> after #tirx.swizzle<0, 1, 2>");
  EXPECT_EQ(refused("#tirx.swizzle<0, 1, 1>", "S[4 : 1] + -1"),
            "expected coordinates on 'm' of at least 0 under a swizzle, got "
            "-1");

  auto inBox = [](const Box &box, llvm::StringRef inner = "S[4 : 1]") {
    return messageOf(compose(parse("S[16 : 1]"), parse(inner), box));
  };
  EXPECT_EQ(inBox({onAxis("m", 4)}),
            "expected a box of the outer layout's 16 elements, got 4");
  EXPECT_EQ(inBox({onAxis("m", 4), onAxis("m", 4)}),
            "expected a box with different axes, got 'm' twice");
  EXPECT_EQ(inBox({onAxis("m", 0)}),
            "expected a box with an extent of at least 1 on 'm', got 0");
  EXPECT_EQ(inBox({AxisExtent()}),
            "expected an axis for dimension 0 of the box");
  EXPECT_EQ(inBox({onAxis("m", int64_t(1) << 62), onAxis("laneid", 4)}),
            "expected a box whose size fits 64 bits");
  EXPECT_EQ(
      inBox({onAxis("m", 4), onAxis("laneid", 4)}, "#tirx.swizzle<0, 1, 1>"),
      "expected a box on 'm' alone for a bare swizzle, got 2 axes");
}
