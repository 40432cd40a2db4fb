//===- PackTest.cpp - elements of another width -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Property.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tirx;
using namespace tirx::testing;

/// Most layouts have no neighbours to pack: now and then make some.
static Layout withNeighbours(Random &random, const Layout &layout, int64_t n) {
  if (pick(random, 0, 3) == 0)
    return layout;
  auto result = unpack(layout, n);
  if (result)
    return *result;
  llvm::consumeError(result.takeError());
  return layout;
}

static Points scalePoints(const Points &points, const std::string &axis,
                          int64_t factor, int64_t plus) {
  Points scaled;
  for (Point point : points) {
    point[axis] = point[axis] * factor + plus;
    scaled.insert(finish(point, nullptr));
  }
  return scaled;
}

static std::string checkUnpacked(const Layout &layout, const Layout &result,
                                 int64_t count, const std::string &axis) {
  std::vector<Points> before = enumerate(layout), after = enumerate(result);
  if (after.size() != before.size() * count)
    return "another size: " + toString(result);
  for (size_t x = 0; x < after.size(); ++x)
    if (after[x] != scalePoints(before[x / count], axis, count, x % count))
      return "another map: " + toString(result);
  return "";
}

TEST(Algebra, UnpackIsItsDefinition) {
  forRandomLayouts(
      "unpack",
      [](const Layout &layout, Random &random) {
        static const int64_t counts[] = {1, 2, 3, 4, 8};
        static const char *const axes[] = {"m", "m", "TCol"};
        int64_t count = choose(random, counts);
        Axis axis = lookupBuiltinAxis(choose(random, axes));
        auto result = unpack(layout, count, axis);
        if (!result) {
          std::string message = llvm::toString(result.takeError());
          bool expected =
              layout.getSwizzle() && axis == memoryAxis() && count == 3;
          return expected && isReason(message) ? "" : "refused: " + message;
        }
        std::string wrong =
            checkUnpacked(layout, *result, count, axis.getName().str());
        if (!wrong.empty())
          return wrong;
        auto packed = pack(*result, count, axis);
        if (!packed)
          return "not packed again: " + llvm::toString(packed.takeError());
        return enumerate(*packed) == enumerate(layout)
                   ? std::string()
                   : "packed to another: " + toString(*packed);
      },
      randomSmallLayout);
}

/// Whether each `count` elements are neighbours in order, from a multiple.
static bool isPackable(const std::vector<Points> &images, int64_t count,
                       const std::string &axis) {
  if (images.size() % count != 0)
    return false;
  for (size_t x = 0; x < images.size(); ++x) {
    const Points &first = images[x - x % count];
    if (images[x] != scalePoints(first, axis, 1, x % count))
      return false;
    for (const Point &point : first)
      if (point.count(axis) && point.at(axis) % count != 0)
        return false;
  }
  return true;
}

TEST(Algebra, PackIsTheInverseWhereThereIsOne) {
  int64_t packed = 0;
  forRandomLayouts(
      "pack",
      [&](const Layout &plain, Random &random) {
        static const int64_t counts[] = {2, 3, 4};
        int64_t count = choose(random, counts);
        Layout layout = withNeighbours(random, plain, count);
        auto result = pack(layout, count);
        bool packable = isPackable(enumerate(layout), count, "m");
        if (result) {
          ++packed;
          return checkUnpacked(*result, layout, count, "m");
        }
        std::string message = llvm::toString(result.takeError());
        if (!isReason(message))
          return "no reason: " + message;
        // A swizzle may keep together by chance what per_element does not
        // promise.
        return packable && !layout.getSwizzle()
                   ? "refused: " + toString(layout) + ": " + message
                   : "";
      },
      randomSmallLayout);
  EXPECT_GT(packed, getPropertyRuns() / 5);
}

/// Bit by bit: bit b of the elements is where it was.
static std::string checkRecast(const Layout &layout, const Layout &result,
                               int64_t from, int64_t to) {
  std::vector<Points> before = enumerate(layout), after = enumerate(result);
  if (before.size() * from != after.size() * to)
    return "another size: " + toString(result);
  for (size_t bit = 0; bit < before.size() * from; ++bit)
    if (scalePoints(before[bit / from], "m", from, bit % from) !=
        scalePoints(after[bit / to], "m", to, bit % to))
      return "another place of bit " + std::to_string(bit) + ": " +
             toString(result);
  return "";
}

TEST(Algebra, RecastKeepsEveryBit) {
  int64_t recasts = 0;
  forRandomLayouts(
      "recast",
      [&](const Layout &plain, Random &random) {
        static const int64_t widths[] = {1, 2, 4, 6, 8, 16, 32};
        int64_t from = choose(random, widths), to = choose(random, widths);
        Layout layout = withNeighbours(random, plain, to / std::gcd(from, to));
        auto result = recast(layout, from, to);
        if (result) {
          ++recasts;
          return checkRecast(layout, *result, from, to);
        }
        std::string message = llvm::toString(result.takeError());
        return isReason(message) ? "" : "no reason: " + message;
      },
      randomSmallLayout);
  EXPECT_GT(recasts, getPropertyRuns() / 3);
}

TEST(Algebra, PackOfSwizzles) {
  EXPECT_EQ(toString(llvm::cantFail(pack(parse("#tirx.swizzle<4, 3, 3>"), 2))),
            "#tirx.swizzle<3, 3, 3>");
  EXPECT_EQ(
      toString(llvm::cantFail(unpack(parse("#tirx.swizzle<3, 3, 3>"), 4))),
      "#tirx.swizzle<5, 3, 3>");
  EXPECT_TRUE(
      isEqual(llvm::cantFail(recast(
                  parse("Compose(4, 3, 3, S[(8, 128) : (128, 1)])"), 8, 32)),
              parse("Compose(2, 3, 3, S[256 : 1])")));
  EXPECT_TRUE(
      isEqual(llvm::cantFail(recast(
                  parse("Compose(3, 3, 3, S[(8, 64) : (64, 1)])"), 16, 4)),
              parse("Compose(5, 3, 3, S[2048 : 1])")));
}

TEST(Algebra, PacksThatAreRefused) {
  auto reason = [](llvm::Expected<Layout> result) {
    return messageOf(std::move(result));
  };
  Layout line = parse("S[12 : 1]");
  Axis column = lookupBuiltinAxis("TCol");
  EXPECT_EQ(reason(unpack(line, 0)),
            "expected at least 1 element for each, got 0");
  EXPECT_EQ(reason(pack(line, -1)),
            "expected at least 1 element for each, got -1");
  EXPECT_EQ(reason(pack(line, 5)), "expected a multiple of 5 elements, got 12");
  EXPECT_EQ(reason(pack(line, 2, column)),
            "expected each 2 elements to be neighbours on axis 'TCol', in "
            "order, got iters that are not");
  EXPECT_EQ(reason(pack(parse("S[(3, 4) : (1, 3)]"), 2)),
            "expected each 2 elements to be neighbours on axis 'm', in order, "
            "got iters that are not");
  EXPECT_EQ(reason(pack(parse("S[(3, 4) : (7, 1)]"), 2)),
            "expected strides on axis 'm' that are multiples of 2, got 7");
  EXPECT_EQ(reason(pack(parse("S[4 : 1] + R[2 : 5]"), 2)),
            "expected replica strides on axis 'm' that are multiples of 2, got "
            "5");
  EXPECT_EQ(reason(pack(parse("S[4 : 1] + 3"), 2)),
            "expected offsets on axis 'm' that are multiples of 2, got 3");
  EXPECT_EQ(reason(pack(parse("#tirx.swizzle<1, 3, 3>"), 4)),
            "expected a swizzle that keeps 4 elements together, got "
            "per_element 1");
  EXPECT_EQ(reason(unpack(parse("#tirx.swizzle<1, 3, 3>"), 3)),
            "expected a power of 2 through a swizzle, got 3");
  EXPECT_EQ(reason(unpack(parse("#tirx.swizzle<1, 3, 3>"), 2, column)),
            "expected axis 'm' for a swizzle, got 'TCol'");
  EXPECT_EQ(reason(pack(parse("#tirx.swizzle<1, 3, 3>"), 2, column)),
            "expected axis 'm' for a swizzle, got 'TCol'");
  EXPECT_EQ(reason(recast(line, 0, 8)),
            "expected element widths of at least 1 bit, got 0 and 8");
  EXPECT_EQ(reason(unpack(parse("S[2 : 4611686018427387904]"), 4)),
            "expected coordinates on axis 'm' that fit 64 bits when multiplied "
            "by 4");
  // What never moves has no coordinate that could be too large.
  EXPECT_EQ(reason(unpack(parse("S[(1, 2) : (4611686018427387904, 1)]"), 4)),
            "");
  EXPECT_TRUE(isReason(reason(unpack(parse("S[4611686018427387904 : 0]"), 4))));
  EXPECT_TRUE(
      isReason(reason(unpack(parse("#tirx.swizzle<40, 10, 12>"), 1024))));
}
