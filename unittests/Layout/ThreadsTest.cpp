//===- ThreadsTest.cpp - which threads a layout names -------------------===//
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

namespace {
/// Built-in axes that form a chain, with what one step of each is in steps of
/// the fused axis.
struct Chain {
  const char *scope, *fused;
  std::vector<std::pair<const char *, int64_t>> axes;
};
} // namespace

static const Chain chains[] = {
    {"cta", "tx", {{"warpid", 32}, {"laneid", 1}}},
    {"cta", "tx", {{"wgid", 128}, {"tid_in_wg", 1}}},
    {"cta", "tx", {{"wgid", 128}, {"wid_in_wg", 32}, {"laneid", 1}}},
    {"cta", "warpid", {{"wgid", 4}, {"wid_in_wg", 1}}},
    {"warpgroup", "tid_in_wg", {{"wid_in_wg", 32}, {"laneid", 1}}},
    {"cta", "tx", {{"tx", 1}}},
    {"warp", "laneid", {{"laneid", 1}}},
};

static int64_t limitOf(llvm::StringRef axis) {
  return axis == "laneid"      ? 32
         : axis == "wid_in_wg" ? 4
         : axis == "tid_in_wg" ? 128
                               : INT64_MAX;
}

/// A layout on the axes of a chain, each of them used, mostly inside their
/// ranges.
static Layout randomThreads(Random &random, const Chain &chain) {
  llvm::SmallVector<Iter> shard, replica;
  llvm::SmallVector<AxisOffset> offset;
  for (const auto &[name, factor] : chain.axes) {
    Axis axis = lookupBuiltinAxis(name);
    static const int64_t strides[] = {1, 1, 2, 3, 4, 16};
    Iter iter = {pick(random, 2, 4), choose(random, strides), axis};
    (pick(random, 0, 3) ? shard : replica).push_back(iter);
    if (pick(random, 0, 2) == 0)
      offset.push_back({axis, pick(random, 0, 3)});
  }
  if (pick(random, 0, 1))
    shard.push_back({pick(random, 1, 3), pick(random, 0, 5), memoryAxis()});
  std::shuffle(shard.begin(), shard.end(), random);
  TileLayout tile = llvm::cantFail(TileLayout::get(shard, replica, offset));
  if (pick(random, 0, 3))
    return tile;
  return llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
}

static Points fusePoints(const Points &points, const Chain &chain,
                         bool &inRange) {
  Points fused;
  for (Point point : points) {
    int64_t value = 0;
    for (const auto &[name, factor] : chain.axes) {
      inRange &= point[name] >= 0 && point[name] < limitOf(name);
      value += factor * point[name];
      point.erase(name);
    }
    point[chain.fused] = value;
    fused.insert(finish(point, nullptr));
  }
  return fused;
}

TEST(Algebra, FusedThreadsAreTheSameThreads) {
  int64_t fused = 0;
  const Chain *chain = nullptr;
  // The property reads the chain off the axes, as shrinking changes layouts.
  auto chainOf = [](const Layout &layout) -> const Chain * {
    std::set<std::string> used;
    for (Axis axis : canonicalize(*layout.getTile()).getAxes())
      if (axis.isThread())
        used.insert(axis.getName().str());
    for (const Chain &candidate : chains) {
      std::set<std::string> names;
      for (const auto &[name, factor] : candidate.axes)
        names.insert(name);
      if (names == used)
        return &candidate;
    }
    return nullptr;
  };
  forRandomLayouts(
      "fused threads",
      [&](const Layout &layout, Random &random) {
        chain = chainOf(layout);
        if (!chain)
          return std::string();
        auto result = fuseThreadAxes(layout, chain->scope);
        bool inRange = true;
        std::vector<Points> before = enumerate(layout);
        for (Points &points : before)
          points = fusePoints(points, *chain, inRange);
        if (!result) {
          std::string message = llvm::toString(result.takeError());
          return isReason(message) && !inRange ? "" : "refused: " + message;
        }
        ++fused;
        if (!inRange)
          return "out of range: " + toString(*result);
        if (enumerate(*result) != before)
          return "other threads: " + toString(*result);
        Layout canonical = canonicalize(layout, chain->scope);
        return enumerate(canonical) == before
                   ? std::string()
                   : "another canonical form: " + toString(canonical);
      },
      [](Random &random) {
        return randomThreads(random, choose(random, chains));
      });
  EXPECT_GT(fused, getPropertyRuns() / 3);
}

namespace {
struct Split {
  const char *axis, *scope, *outer, *inner;
  int64_t count;
};
} // namespace

static const Split splits[] = {
    {"tx", "warp", "warpid", "laneid", 32},
    {"tx", "warpgroup", "wgid", "tid_in_wg", 128},
    {"warpid", "warpgroup", "wgid", "wid_in_wg", 4},
    {"tid_in_wg", "warp", "wid_in_wg", "laneid", 32},
};

static Point splitPoint(Point point, const Split &split) {
  int64_t value = point[split.axis];
  int64_t inner = ((value % split.count) + split.count) % split.count;
  point.erase(split.axis);
  point[split.inner] = inner;
  point[split.outer] = (value - inner) / split.count;
  return finish(point, nullptr);
}

static Points splitPoints(const Points &points, const Split &split) {
  Points result;
  for (const Point &point : points)
    result.insert(splitPoint(point, split));
  return result;
}

/// Whether single strides lead to the points, one axis for each iter.
static bool isAffine(const std::vector<Points> &images) {
  std::vector<Point> points;
  for (const Points &image : images)
    points.push_back(*image.begin());
  return fitsIters(points);
}

TEST(Algebra, SplitThreadsAreTheSameThreads) {
  int64_t done = 0;
  forRandomLayouts(
      "split threads",
      [&](const Layout &layout, Random &random) {
        const Split &split = choose(random, splits);
        // The layout is on `tx`; move it to the axis of the split.
        const TileLayout &tile = *layout.getTile();
        auto move = [&](auto entry) {
          if (entry.axis.isThread())
            entry.axis = lookupBuiltinAxis(split.axis);
          return entry;
        };
        llvm::SmallVector<Iter> shard, replica;
        llvm::SmallVector<AxisOffset> offset;
        for (const Iter &iter : tile.getShard())
          shard.push_back(move(iter));
        for (const Iter &iter : tile.getReplica())
          replica.push_back(move(iter));
        for (const AxisOffset &entry : tile.getOffset())
          offset.push_back(move(entry));
        Layout threads =
            llvm::cantFail(TileLayout::get(shard, replica, offset));
        std::vector<Points> want = enumerate(threads);
        for (Points &points : want)
          points = splitPoints(points, split);
        auto result = splitThreadAxes(threads, split.scope);
        if (!result) {
          std::string message = llvm::toString(result.takeError());
          if (!isReason(message))
            return "no reason: " + message;
          return !threads.getTile()->hasReplica() && isAffine(want)
                     ? "missed: " + toString(threads) + ": " + message
                     : "";
        }
        ++done;
        if (enumerate(*result) != want)
          return "other threads: " + toString(*result);
        return std::string();
      },
      [](Random &random) -> Layout {
        llvm::SmallVector<Iter> shard, replica;
        llvm::SmallVector<AxisOffset> offset;
        Axis tx = lookupBuiltinAxis("tx");
        static const int64_t strides[] = {1,  1,  2,  4,  8,  16, 32, 32,
                                          64, 64, 96, -1, -2, 3,  40, 128};
        for (int64_t i = pick(random, 0, 3); i > 0; --i)
          shard.push_back({randomExtent(random, 8), choose(random, strides),
                           pick(random, 0, 3) ? tx : memoryAxis()});
        if (pick(random, 0, 3) == 0)
          replica.push_back({pick(random, 2, 4), choose(random, strides), tx});
        if (pick(random, 0, 1))
          offset.push_back({tx, pick(random, 0, 70)});
        return llvm::cantFail(TileLayout::get(shard, replica, offset));
      });
  EXPECT_GT(done, getPropertyRuns() / 4);
}

TEST(Algebra, ScopeOfThreads) {
  auto scope = [](llvm::StringRef text) {
    auto result = getScope(parse(text));
    if (!result)
      return llvm::toString(result.takeError());
    return *result ? ((*result)->unit + " " + (*result)->scope).str()
                   : std::string("none");
  };
  EXPECT_EQ(scope("S[(8, 4, 2) : (4@laneid, 1@laneid, 1)]"), "thread warp");
  EXPECT_EQ(scope("S[(2, 4) : (1@warpid, 1@laneid)]"), "thread cta");
  EXPECT_EQ(scope("S[(2, 4) : (1@wid_in_wg, 1@laneid)]"), "thread warpgroup");
  EXPECT_EQ(scope("S[(2, 4) : (1@warpid, 1)]"), "warp cta");
  EXPECT_EQ(scope("S[(2, 4) : (1@bx, 1@tx)]"), "thread grid");
  EXPECT_EQ(scope("S[(2, 4) : (1@cbx, 1@cby)]"), "cta cluster");
  EXPECT_EQ(scope("S[2 : 1] + R[2 : 1@laneid] + 3@wid_in_wg"),
            "thread warpgroup");
  EXPECT_EQ(scope("S[2 : 1]"), "none");
  EXPECT_EQ(scope("#tirx.swizzle<3, 3, 3>"), "none");
  // An extent of 1 moves nothing.
  EXPECT_EQ(scope("S[(1, 4) : (1@tx, 1@laneid)]"), "thread warp");
  EXPECT_EQ(scope("S[(2, 4) : (1@tx, 1@laneid)]"),
            "expected thread axes of which one counts the scopes of the next, "
            "got 'laneid' (thread of warp) beside 'tx' (thread of cta)");
  EXPECT_EQ(scope("S[(2, 4) : (1@wgid, 1@laneid)]"),
            "expected thread axes of which one counts the scopes of the next, "
            "got 'laneid' (thread of warp) beside 'wgid' (warpgroup of cta)");
}

TEST(Algebra, ScopeOfDeclaredAxes) {
  AxisTable table;
  Axis threads = table.declare("mine", AxisKind::Thread, "warp");
  EXPECT_EQ(threads.getUnit(), "thread");
  EXPECT_FALSE(bool(table.declare("mine", AxisKind::Thread, "warp", "warp")));
  Axis round = table.declare("round", AxisKind::Thread, "cta", "cta");
  Layout mine = llvm::cantFail(TileLayout::get({{4, 1, threads}}));
  EXPECT_TRUE(*llvm::cantFail(getScope(mine)) ==
              (ThreadScope{"thread", "warp"}));
  EXPECT_EQ(messageOf(fuseThreadAxes(mine, "warp")),
            "expected built-in thread axes, got 'mine'");
  Layout odd = llvm::cantFail(TileLayout::get({{4, 1, round}}));
  auto scope = getScope(odd);
  ASSERT_FALSE(bool(scope));
  EXPECT_TRUE(isReason(llvm::toString(scope.takeError())));
}

TEST(Algebra, FuseAndSplitExamples) {
  auto fused = [](llvm::StringRef text, llvm::StringRef scope) {
    return toString(canonicalize(parse(text), scope));
  };
  EXPECT_EQ(fused("S[(2, 2, 8, 4) : (2@warpid, 1@warpid, 4@laneid, 1@laneid)]",
                  "cta"),
            "#tirx.tile<S[(128) : (1@tx)]>");
  // Offsets and replicas move too.
  EXPECT_EQ(fused("S[32 : 1@laneid] + R[2 : 4@warpid] + 5@warpid", "cta"),
            "#tirx.tile<S[(32) : (1@tx)] + R[2 : 128@tx] + 160@tx>");
  // Where they do not index the scope they stay.
  EXPECT_EQ(fused("S[32 : 1@laneid]", "cta"),
            "#tirx.tile<S[(32) : (1@laneid)]>");
  auto split = [](llvm::StringRef text, llvm::StringRef scope) {
    return toString(llvm::cantFail(splitThreadAxes(parse(text), scope)));
  };
  EXPECT_EQ(split("S[128 : 1@tx] + 160@tx", "warp"),
            "#tirx.tile<S[(4, 32) : (1@warpid, 1@laneid)] + 5@warpid>");
  EXPECT_EQ(split("S[256 : 1@tx]", "warpgroup"),
            "#tirx.tile<S[(2, 128) : (1@wgid, 1@tid_in_wg)]>");
  EXPECT_EQ(split("S[(2, 4) : (1@cbx, 1)]", "warp"),
            "#tirx.tile<S[(2, 4) : (1@cbx, 1)]>");
}

TEST(Algebra, ThreadAxesThatAreRefused) {
  auto reason = [](llvm::Expected<Layout> result) {
    return messageOf(std::move(result));
  };
  EXPECT_EQ(reason(fuseThreadAxes(parse("S[32 : 1@laneid]"), "cta")),
            "expected thread axes that count inside a cta, got threads of a "
            "warp");
  EXPECT_EQ(
      reason(fuseThreadAxes(parse("S[(2, 64) : (1@warpid, 1@laneid)]"), "cta")),
      "expected coordinates on axis 'laneid' from 0 to 31, got 0 to 63");
  EXPECT_EQ(reason(fuseThreadAxes(parse("S[2 : 1@cbx]"), "cluster")),
            "expected a scope that one axis counts in: warp, warpgroup or cta, "
            "got ctas of a cluster");
  EXPECT_TRUE(isReason(
      reason(fuseThreadAxes(parse("S[(2, 2) : (1@tx, 1@laneid)]"), "cta"))));
  EXPECT_TRUE(isReason(reason(fuseThreadAxes(
      parse("S[(2, 2) : (4611686018427387904@warpid, 1@laneid)]"), "cta"))));
  EXPECT_EQ(reason(splitThreadAxes(parse("S[32 : 1@tx]"), "cta")),
            "expected scope warp or warpgroup, got cta");
  EXPECT_EQ(reason(splitThreadAxes(parse("S[2 : 33@tx]"), "warp")),
            "expected steps on axis 'tx' that move on 'warpid' or 'laneid' "
            "alone, got extent 2 and stride 33");
  EXPECT_EQ(reason(splitThreadAxes(parse("S[2 : 1@tx] + 31@tx"), "warp")),
            "expected steps on axis 'tx' that do not carry from 'laneid' to "
            "'warpid', got 31 to 32 of 32");
  EXPECT_TRUE(isReason(
      reason(splitThreadAxes(parse("S[(2, 2) : (1@tx, 1@laneid)]"), "warp"))));
}
