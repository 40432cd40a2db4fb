//===- InverseTest.cpp - layouts that lead back ---------------------------===//
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

/// Fills a box, mostly, in any order and direction; a swizzle may lead out.
Layout randomFilling(Random &random) {
  SmallVector<Iter> iters = randomCompactIters(random, 200);
  SmallVector<AxisOffset> offset;
  for (Iter &iter : iters)
    if (pick(random, 0, 3) == 0) {
      offset.push_back({iter.axis, (iter.extent - 1) * iter.stride});
      iter.stride = -iter.stride;
    }
  TileLayout tile = llvm::cantFail(TileLayout::get(iters, {}, offset));
  return pick(random, 0, 1)
             ? Layout(tile)
             : llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
}

Layout randomInvertible(Random &random) {
  return pick(random, 0, 4) ? randomFilling(random) : randomLayout(random);
}

/// A box around the layout in any order; sometimes another one.
Box randomBoxAround(Random &random, const Layout &layout) {
  Box box = boxAround(layout);
  std::shuffle(box.begin(), box.end(), random);
  if (!box.empty() && pick(random, 0, 5) == 0) {
    AxisExtent &dim = box[pick(random, 0, box.size() - 1)];
    dim.extent = std::max<int64_t>(1, dim.extent + pick(random, -1, 4));
  }
  if (box.empty() || pick(random, 0, 9) == 0)
    box.push_back(onAxis("bx", pick(random, 1, 2)));
  return box;
}

/// The element at each point of the box; nothing when one has none or several,
/// or when a point lies outside.
std::optional<std::vector<int64_t>> invert(const Map &map, const Box &box) {
  std::vector<int64_t> elements(sizeOf(box), -1);
  for (size_t x = 0; x < map.size(); ++x) {
    int64_t number = numberOf(*map[x].begin(), box);
    if (map[x].size() != 1 || number < 0 || elements[number] >= 0)
      return std::nullopt;
    elements[number] = x;
  }
  if (llvm::is_contained(elements, -1))
    return std::nullopt;
  return elements;
}

std::vector<Point> toPointsOf(const std::vector<int64_t> &elements,
                              const Box &domain) {
  std::vector<Point> points;
  for (int64_t element : elements)
    points.push_back(pointOf(element, domain));
  return points;
}

} // namespace

TEST(Inverse, AgreesWithPointsAndRefusesNoLayout) {
  int64_t results = 0;
  forRandomLayouts(
      "inverse",
      [&](const Layout &layout, Random &random) -> std::string {
        Box box = randomBoxAround(random, layout);
        Box domain = pick(random, 0, 1) ? memoryBox(*layout.getSize())
                                        : randomBox(random, *layout.getSize());
        std::string boxes =
            " from " + toString(box) + " to " + toString(domain);
        auto elements = invert(enumerate(layout), box);
        llvm::Expected<Layout> result = inverse(layout, box, domain);
        if (!result) {
          std::string message = llvm::toString(result.takeError());
          if (!isReason(message))
            return "says " + message;
          if (!elements)
            return "";
          std::vector<Point> points = toPointsOf(*elements, domain);
          return isLayoutMap(points, bitsOf(points))
                     ? "refused" + boxes + ": " + message
                     : "";
        }
        if (!elements)
          return "made " + tirx::toString(*result) + boxes;
        if (toFunction(enumerate(*result)) != toPointsOf(*elements, domain))
          return "another map: " + tirx::toString(*result) + boxes;
        ++results;
        llvm::Expected<Layout> back = inverse(*result, domain, box);
        if (!back)
          return "no way back" + boxes + ": " +
                 llvm::toString(back.takeError());
        return isEqual(*back, layout)
                   ? ""
                   : "back to " + tirx::toString(*back) + boxes;
      },
      randomInvertible);
  EXPECT_GE(results, getPropertyRuns() / 3);
}

TEST(Inverse, OfACompositionIsTheCompositionOfInverses) {
  int64_t results = 0;
  forRandomLayouts(
      "inverse of compose",
      [&](const Layout &inner, Random &random) -> std::string {
        // Both fill: outer is another filling layout of the inner one's box.
        Box box = boxAround(inner);
        if (!isBijective(inner, box))
          return "";
        Box target = randomBox(random, sizeOf(box));
        SmallVector<Iter> shard;
        for (const AxisExtent &dim : target)
          shard.push_back({dim.extent, 1, dim.axis});
        std::shuffle(shard.begin(), shard.end(), random);
        Layout outer = llvm::cantFail(TileLayout::get(shard));
        auto composed = compose(outer, inner, box);
        auto inverseInner = inverse(inner, box);
        auto inverseOuter = inverse(outer, target, box);
        if (!composed || !inverseInner || !inverseOuter) {
          llvm::consumeError(composed.takeError());
          llvm::consumeError(inverseInner.takeError());
          llvm::consumeError(inverseOuter.takeError());
          return "";
        }
        auto left = inverse(*composed, target);
        auto right = compose(*inverseInner, *inverseOuter, box);
        if (bool(left) != bool(right))
          return "only one side exists: " + messageOf(std::move(left)) +
                 messageOf(std::move(right));
        if (!left) {
          llvm::consumeError(left.takeError());
          llvm::consumeError(right.takeError());
          return "";
        }
        ++results;
        return isEqual(*left, *right) ? ""
                                      : tirx::toString(*left) + " is not " +
                                            tirx::toString(*right);
      },
      randomFilling);
  EXPECT_GE(results, getPropertyRuns() / 3);
}

TEST(Inverse, LeftInverseUndoes) {
  int64_t results = 0;
  forRandomLayouts(
      "left inverse",
      [&](const Layout &layout, Random &random) -> std::string {
        Box box = randomBoxAround(random, layout);
        // Room to the next power of two.
        if (pick(random, 0, 1))
          for (AxisExtent &dim : box)
            dim.extent *= pick(random, 1, 2);
        llvm::Expected<Layout> back = leftInverse(layout, box);
        // All points of the box are enumerated below.
        if (sizeOf(box) > 4096) {
          llvm::consumeError(back.takeError());
          return "";
        }
        if (!back) {
          std::string message = llvm::toString(back.takeError());
          if (!isReason(message))
            return "says " + message;
          bool fills = invert(enumerate(layout), box).has_value();
          // What fills the box has a left inverse when it has an inverse.
          auto inverted = inverse(layout, box);
          if (fills && inverted)
            return "refused with " + toString(box) + ": " + message;
          llvm::consumeError(inverted.takeError());
          return "";
        }
        ++results;
        auto identity = composeMaps(enumerate(*back), enumerate(layout), box);
        if (!identity)
          return "leaves " + toString(box);
        for (int64_t x = 0; x < *layout.getSize(); ++x)
          if ((*identity)[x] !=
              Points{pointOf(x, memoryBox(*layout.getSize()))})
            return "does not lead back through " + toString(box) + ": " +
                   tirx::toString(*back);
        return "";
      },
      randomInvertible);
  EXPECT_GE(results, getPropertyRuns() / 3);
}

TEST(Inverse, RightInverseLeadsToEachPointOfItsBox) {
  int64_t results = 0, points = 0;
  forRandomLayouts(
      "right inverse",
      [&](const Layout &layout, Random &random) -> std::string {
        SmallVector<Axis> axes = layout.getAxes();
        std::shuffle(axes.begin(), axes.end(), random);
        llvm::Expected<RightInverse> result = rightInverse(layout, axes);
        if (!result) {
          std::string message = llvm::toString(result.takeError());
          return isReason(message) ? "" : "says " + message;
        }
        ++results;
        Map map = enumerate(layout), back = enumerate(result->layout);
        Box box(result->box.begin(), result->box.end());
        if (int64_t(back.size()) != sizeOf(box))
          return "another domain";
        for (size_t i = 0; i < axes.size(); ++i)
          if (box[i].axis != axes[i])
            return "another order of axes";
        for (int64_t y = 0; y < sizeOf(box); ++y) {
          int64_t x = valueOf(*back[y].begin(), "m");
          if (back[y].size() != 1 || x < 0 || x >= *layout.getSize() ||
              !map[x].count(pointOf(y, box)))
            return "does not reach point " + std::to_string(y) + " of " +
                   toString(box) + ": " + tirx::toString(result->layout);
        }
        // What fills a box has a right inverse on all of it.
        Box whole;
        for (Axis axis : axes)
          whole.push_back({axis, layout.getSpan(axis).max + 1});
        auto inverted = inverse(layout, whole);
        if (inverted && sizeOf(box) != sizeOf(whole))
          return "too short: " + toString(box);
        llvm::consumeError(inverted.takeError());
        points += sizeOf(box);
        return "";
      },
      randomInvertible);
  EXPECT_GE(results, getPropertyRuns() / 3);
  EXPECT_GE(points, 10 * results);
}

TEST(Inverse, RightInverseTakesTheLongestRun) {
  auto run = [](llvm::StringRef text) {
    llvm::Expected<RightInverse> result =
        rightInverse(parse(text), {memoryAxis()});
    return result ? toString(canonicalize(result->layout))
                  : llvm::toString(result.takeError());
  };
  EXPECT_EQ(run("S[(4, 8) : (8, 1)]"), "#tirx.tile<S[(32) : (1)]>");
  EXPECT_EQ(run("S[(4, 8) : (1, 4)]"), "#tirx.tile<S[(8, 4) : (1, 8)]>");
  // The run ends at a gap; what is not in it stays 0.
  EXPECT_EQ(run("S[(4, 8) : (1, 5)]"), "#tirx.tile<S[(4) : (8)]>");
  EXPECT_EQ(run("S[8 : 2]"), "#tirx.tile<S[() : ()]>");
  EXPECT_EQ(run("S[8 : -1] + 7"), "#tirx.tile<S[(8) : (-1)] + 7>");
  EXPECT_EQ(run("S[4 : 1] + 3"),
            "expected a smallest coordinate of 0 on 'm', got 3");
  EXPECT_EQ(run("Compose(0, 1, 1, S[12 : 1])"),
            "#tirx.compose<#tirx.swizzle<0, 1, 1>, #tirx.tile<S[(12) : (1)]>>");
  EXPECT_EQ(
      messageOf(rightInverse(parse("#tirx.swizzle<3, 3, 3>"), {memoryAxis()})),
      "expected a layout with a size, got a bare swizzle");
}

TEST(Inverse, LargeLayouts) {
  Box box = memoryBox(int64_t(1) << 40);
  Layout layout =
      parse("Compose(3, 3, 3, S[(1024, 1048576, 1024) : (1, 1048576, 1024)])");
  auto inverted = inverse(layout, box);
  ASSERT_TRUE(bool(inverted)) << messageOf(std::move(inverted));
  auto back = inverse(*inverted, box);
  ASSERT_TRUE(bool(back)) << messageOf(std::move(back));
  EXPECT_TRUE(isEqual(*back, layout));
}

TEST(Inverse, Reasons) {
  auto refused = [](llvm::StringRef text, const Box &box) {
    return messageOf(inverse(parse(text), box));
  };
  EXPECT_EQ(refused("S[4 : 1]", memoryBox(8)),
            "expected a layout of as many elements as the box has points, 8, "
            "got 4");
  EXPECT_EQ(refused("S[4 : 2]", memoryBox(4)),
            "expected coordinates on 'm' from 0 to 3, got 0 to 6");
  EXPECT_EQ(refused("S[4 : 1] + 1@laneid", memoryBox(4)),
            "expected coordinates on 'laneid' from 0 to 0, got 1 to 1");
  EXPECT_EQ(refused("S[(2, 2) : (1, 1)]", memoryBox(4)),
            "expected a layout that fills the box exactly once, got points "
            "that two elements share");
  EXPECT_EQ(refused("S[4 : 1] + R[2 : 4]", memoryBox(8)),
            "expected a layout without copies, got 2 of each element");
  EXPECT_EQ(refused("#tirx.swizzle<0, 1, 1>", memoryBox(8)),
            "expected a layout with a size, got a bare swizzle");
  EXPECT_EQ(messageOf(inverse(parse("S[8 : 1]"), memoryBox(8), memoryBox(4))),
            "expected a domain of the layout's 8 elements, got 4");
  EXPECT_EQ(messageOf(inverse(parse("S[(3, 2) : (1, 3)]"), memoryBox(6),
                              {onAxis("bx", 2), onAxis("by", 3)})),
            "expected a domain in whose axes the inverse is a layout, got "
            "(2@bx, 3@by)");
  EXPECT_EQ(messageOf(leftInverse(parse("S[4 : 2] + 2"), memoryBox(16))),
            "expected a smallest coordinate on 'm' that no stride carries "
            "into, got 2 and stride 2");
  EXPECT_EQ(
      messageOf(
          leftInverse(parse("Compose(0, 2, 2, S[10 : 1])"), memoryBox(10))),
      "expected an extent on 'm' that the swizzle maps to itself, got 10");
}
