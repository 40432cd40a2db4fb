//===- EqualityTest.cpp - canonical forms and equal maps ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Property.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <ctime>

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

/// Splits iters and shuffles replicas: the same map in other words.
static Layout respell(Random &random, const Layout &layout) {
  const TileLayout &tile = *layout.getTile();
  SmallVector<Iter> shard;
  for (const Iter &iter : tile.getShard()) {
    int64_t inner = pick(random, 1, iter.extent);
    while (iter.extent % inner)
      --inner;
    shard.push_back({iter.extent / inner, iter.stride * inner, iter.axis});
    shard.push_back({inner, iter.stride, iter.axis});
    if (pick(random, 0, 3) == 0)
      shard.push_back({1, 99, lookupBuiltinAxis("laneid")});
  }
  SmallVector<Iter> replica(tile.getReplica());
  SmallVector<AxisOffset> offset(tile.getOffset());
  std::shuffle(replica.begin(), replica.end(), random);
  for (size_t i = 0, e = replica.size(); i < e; ++i)
    if (pick(random, 0, 1) && replica[i].extent % 2 == 0) {
      replica.push_back({2, replica[i].stride, replica[i].axis});
      replica[i].extent /= 2;
      replica[i].stride *= 2;
    }
  for (Iter &iter : replica)
    if (pick(random, 0, 1)) {
      offset.push_back({iter.axis, (iter.extent - 1) * iter.stride});
      iter.stride = -iter.stride;
    }
  TileLayout result = llvm::cantFail(TileLayout::get(shard, replica, offset));
  if (layout.getSwizzle())
    return llvm::cantFail(Layout::compose(*layout.getSwizzle(), result));
  return result;
}

TEST(Algebra, CanonicalFormKeepsTheMapAndIsIdempotent) {
  forRandomLayouts("canonicalize", [](const Layout &layout, Random &) {
    Layout canonical = canonicalize(layout);
    if (enumerate(canonical) != enumerate(layout))
      return "another map: " + toString(canonical);
    if (!(canonicalize(canonical) == canonical))
      return "not idempotent: " + toString(canonical);
    return std::string();
  });
}

TEST(Algebra, EqualMapsHaveOneCanonicalForm) {
  forRandomLayouts("canonical form", [](const Layout &layout, Random &random) {
    Layout other = respell(random, layout);
    if (!isEqual(layout, other))
      return "not equal to " + toString(other);
    if (!(canonicalize(layout) == canonicalize(other)))
      return "another form than " + toString(other);
    return std::string();
  });
}

/// Few extents and strides, so that maps coincide often by chance.
static Layout randomPlainLayout(Random &random) {
  SmallVector<Iter> shard, replica;
  static const char *const axes[] = {"m", "m", "laneid"};
  auto iter = [&]() -> Iter {
    return {pick(random, 1, 3), pick(random, 0, 4),
            lookupBuiltinAxis(choose(random, axes))};
  };
  for (int64_t i = pick(random, 0, 3); i > 0; --i)
    shard.push_back(iter());
  for (int64_t i = pick(random, 0, 2); i > 0; --i)
    replica.push_back(iter());
  TileLayout tile = llvm::cantFail(TileLayout::get(shard, replica));
  if (pick(random, 0, 2))
    return tile;
  int64_t b = pick(random, 0, 2);
  return llvm::cantFail(Layout::compose(
      llvm::cantFail(SwizzleLayout::get(
          pick(random, 0, 1), b, pick(random, b, 3), pick(random, 0, 1))),
      tile));
}

static bool sameSwizzle(const Layout &a, const Layout &b) {
  const SwizzleLayout *left = a.getSwizzle(), *right = b.getSwizzle();
  return left && right ? *left == *right : !left && !right;
}

static std::string checkEquality(const Layout &a, const Layout &b,
                                 int64_t &equal) {
  auto left = enumerate(a), right = enumerate(b);
  bool expected = left == right;
  equal += expected;
  if (isEqual(a, b) != expected)
    return expected ? "equal maps" : "different maps";
  if (expected && sameSwizzle(a, b) && !(canonicalize(a) == canonicalize(b)))
    return "equal maps of different canonical forms";
  auto difference = findDifference(a, b);
  if (bool(difference) != (!expected && left.size() == right.size()))
    return "a difference where there is none, or none where there is one";
  if (!difference)
    return "";
  for (int64_t x = 0; x <= *difference; ++x)
    if ((left[x] != right[x]) != (x == *difference))
      return "not the first difference: " + std::to_string(*difference);
  return "";
}

TEST(Algebra, EqualityAgreesWithEnumeration) {
  int64_t equal = 0;
  forRandomPairs(
      "equality",
      [&](const Layout &a, const Layout &b, Random &) {
        return checkEquality(a, b, equal);
      },
      randomPlainLayout);
  EXPECT_GT(equal, getPropertyRuns() / 100);
}

/// Replicas only, on one axis and few strides: sets that coincide in ways other
/// than by fusing neighbours.
TEST(Algebra, EqualReplicasHaveOneCanonicalForm) {
  int64_t equal = 0;
  forRandomPairs(
      "canonical replicas",
      [&](const Layout &a, const Layout &b, Random &) {
        return checkEquality(a, b, equal);
      },
      [](Random &random) -> Layout {
        SmallVector<Iter> replica;
        for (int64_t i = pick(random, 1, 4); i > 0; --i)
          replica.push_back(
              {pick(random, 1, 4), pick(random, -1, 5), memoryAxis()});
        return llvm::cantFail(TileLayout::get({}, replica));
      });
  EXPECT_GT(equal, getPropertyRuns() / 100);
}

/// 2^32 pairs, of which not all can be looked at: only so does this end.
TEST(Algebra, ManyCopiesAreNotWalked) {
  Layout a = parse("S[(65536) : (1)] + R[65536 : 3]"),
         b = parse("S[(256, 256) : (256, 1)] + R[65536 : 3]");
  EXPECT_EQ(findDifference(a, b), std::nullopt);
  Layout c = parse("S[(65536) : (1)] + R[65536 : 3] + 1");
  EXPECT_EQ(findDifference(a, c), 0);
}

/// More elements than could be looked at.
TEST(Algebra, DifferencesOfLargeLayoutsAreFoundAtOnce) {
  auto find = [](const char *lhs, const char *rhs) {
    Layout a = parse(lhs), b = parse(rhs);
    auto found = findDifference(a, b);
    EXPECT_EQ(isEqual(a, b), !found) << lhs << " and " << rhs;
    EXPECT_TRUE(!found || a.image(*found) != b.image(*found));
    return found.value_or(-1);
  };
  EXPECT_EQ(find("S[(1099511627776, 8) : (3@tx, 2@tx)] + R[2 : 5@tx]",
                 "S[(1099511627776, 2, 4) : (3@tx, 8@tx, 2@tx)] + R[2 : 5@tx]"),
            -1);
  EXPECT_EQ(find("S[(1099511627776, 8) : (8, 1)]",
                 "S[(2, 549755813888, 8) : (1, 8, 1)]"),
            int64_t(1) << 42);
  EXPECT_EQ(
      find("S[(1099511627776, 9) : (2, 1)]", "S[(3298534883328, 3) : (2, 1)]"),
      3);
  EXPECT_EQ(find("S[1099511627776 : 1] + R[(1000, 1000) : (1, 7)]",
                 "S[1099511627776 : 1] + R[(1000, 1000) : (1, 9)]"),
            0);
  EXPECT_EQ(find("Compose(3, 3, 3, S[(4096, 1048576) : (1048576, 1)])",
                 "Compose(3, 3, 3, S[(2, 2147483648) : (4294967296, 1)])"),
            int64_t(1) << 31);
}

/// A swizzle of 31 bits on a table of thousands of rows, under which there are
/// 40,000 others to try.
TEST(Algebra, CanonicalFormsOfLongSwizzlesTakeLittleTime) {
  Layout layout = parse("#tirx.compose<#tirx.swizzle<0, 31, 31, outer>, "
                        "#tirx.tile<S[(2, 2, 3, 16, 8) : (16, 16, 32, 2, 1)] + "
                        "R[(2, 4) : (2147483647, 32)] + 2>>");
  std::clock_t start = std::clock();
  Layout canonical = canonicalize(layout);
  EXPECT_LT(std::clock() - start, 3 * CLOCKS_PER_SEC);
  EXPECT_TRUE(canonicalize(canonical) == canonical);
  EXPECT_EQ(enumerate(canonical), enumerate(layout));
}

TEST(Algebra, BareSwizzlesAreEqualWhenTheSame) {
  Layout a = parse("#tirx.swizzle<3, 3, 3>");
  EXPECT_TRUE(isEqual(a, parse("SwizzleLayout(3, 3, 3)")));
  EXPECT_FALSE(isEqual(a, parse("SwizzleLayout(3, 2, 3)")));
  EXPECT_FALSE(isEqual(a, parse("S[512 : 1]")));
}
