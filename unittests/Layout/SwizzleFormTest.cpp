//===- SwizzleFormTest.cpp - canonical forms of swizzled maps -------------===//
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

/// Calls `visit` on all tiles with these extents, strides up to `maxStride` and
/// offsets up to 3, and on all of their swizzles of 4 bits.
template <class Visit>
static void forAllLayouts(llvm::ArrayRef<int64_t> extents, int64_t maxStride,
                          Visit visit) {
  SmallVector<Iter> strides(extents.size(), {maxStride + 1, 1, memoryAxis()});
  int64_t count = 1;
  for (size_t i = 0; i < extents.size(); ++i)
    count *= maxStride + 1;
  for (int64_t code = 0; code < 4 * count; ++code) {
    SmallVector<Iter> shard;
    int64_t rest = code / 4;
    for (int64_t extent : extents) {
      shard.push_back({extent, rest % (maxStride + 1), memoryAxis()});
      rest /= maxStride + 1;
    }
    TileLayout tile =
        llvm::cantFail(TileLayout::get(shard, {}, {{memoryAxis(), code % 4}}));
    visit(Layout(tile));
    for (bool outer : {false, true})
      for (int64_t p = 0; p <= 2; ++p)
        for (int64_t b = 1; p + 2 * b <= 4; ++b)
          for (int64_t s = b; p + s + b <= 4; ++s)
            visit(llvm::cantFail(Layout::compose(
                llvm::cantFail(SwizzleLayout::get(p, b, s, outer)), tile)));
  }
}

/// Equal maps have one form, and the form is the map.
static void checkForms(llvm::ArrayRef<int64_t> extents, int64_t maxStride) {
  std::map<std::vector<int64_t>, std::pair<std::string, std::string>> forms;
  int64_t layouts = 0;
  auto pointsOf = [](const Layout &layout) {
    std::vector<int64_t> points;
    for (const Points &image : enumerate(layout))
      points.push_back(valueOf(*image.begin(), "m"));
    return points;
  };
  forAllLayouts(extents, maxStride, [&](const Layout &layout) {
    if (::testing::Test::HasFailure())
      return;
    ++layouts;
    std::vector<int64_t> points = pointsOf(layout);
    Layout form = canonicalize(layout);
    auto [it, isNew] =
        forms.try_emplace(points, toString(form), toString(layout));
    EXPECT_EQ(it->second.first, toString(form))
        << "of " << it->second.second << " and " << toString(layout);
    if (isNew)
      EXPECT_EQ(pointsOf(form), points) << toString(layout);
  });
  // Many layouts are others in other words.
  EXPECT_LT(int64_t(forms.size()), layouts - layouts / 10);
}

TEST(SwizzleForm, EqualMapsOfTwoStepsHaveOneForm) {
  checkForms({2}, 12);
  checkForms({4}, 9);
  checkForms({3}, 9);
  checkForms({2, 2}, 9);
}

TEST(SwizzleForm, EqualMapsOfManyStepsHaveOneForm) {
  checkForms({2, 2, 2}, 8);
  checkForms({3, 2}, 9);
  checkForms({2, 3}, 9);
  checkForms({4, 2}, 9);
  checkForms({2, 4}, 9);
}

/// Maps of random layouts, written with all swizzles with which they can be.
TEST(SwizzleForm, DoesNotDependOnTheSpelling) {
  int64_t respelled = 0;
  forRandomLayouts(
      "swizzle form", [&](const Layout &layout, Random &random) -> std::string {
        Layout form = canonicalize(layout);
        if (!layout.getSwizzle() || layout.getTile()->hasReplica())
          return "";
        // Half of the time one that is near.
        const SwizzleLayout &old = *layout.getSwizzle();
        int64_t b = pick(random, 1, 3);
        SwizzleLayout swizzle = randomSwizzle(random);
        if (pick(random, 0, 1))
          swizzle = llvm::cantFail(
              SwizzleLayout::get(old.getPerElement(), b,
                                 std::max(b, old.getAtomLen()), old.isOuter()));
        // The tile that has the map under it, if its strides at the element 1,
        // at the next iter's 1, ... say so.
        Map map = enumerate(layout);
        SmallVector<Iter> shard;
        int64_t unit = map.size();
        auto at = [&](int64_t x) {
          Point point = finish(*map[x].begin(), &swizzle);
          return point;
        };
        for (const Iter &iter : layout.getTile()->getShard()) {
          unit /= iter.extent;
          if (iter.extent == 1)
            continue;
          Point step = minus(at(unit), at(0));
          if (step.size() > 1)
            return "";
          shard.push_back(step.empty()
                              ? Iter{iter.extent, 0, memoryAxis()}
                              : Iter{iter.extent, step.begin()->second,
                                     lookupBuiltinAxis(step.begin()->first)});
        }
        SmallVector<AxisOffset> offset;
        for (const auto &[axis, value] : at(0))
          offset.push_back({lookupBuiltinAxis(axis), value});
        auto tile = TileLayout::get(shard, {}, offset);
        if (!tile || tile->getSpan(memoryAxis()).min < 0) {
          llvm::consumeError(tile.takeError());
          return "";
        }
        Layout other = llvm::cantFail(Layout::compose(swizzle, *tile));
        if (enumerate(other) != map)
          return "";
        ++respelled;
        return canonicalize(other) == form
                   ? ""
                   : tirx::toString(other) + " becomes " +
                         tirx::toString(canonicalize(other)) + ", not " +
                         tirx::toString(form);
      });
  EXPECT_GE(respelled, getPropertyRuns() / 20);
}

TEST(SwizzleForm, Examples) {
  auto form = [](llvm::StringRef text) {
    return toString(canonicalize(parse(text)));
  };
  // All bits are in use.
  EXPECT_EQ(
      form("Compose(3, 3, 3, S[(8, 64) : (64, 1)])"),
      "#tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(512) : (1)]>>");
  // The highest bit that is read is never set.
  EXPECT_EQ(
      form("Compose(3, 3, 3, S[(4, 64) : (64, 1)])"),
      "#tirx.compose<#tirx.swizzle<3, 2, 3>, #tirx.tile<S[(256) : (1)]>>");
  // A row is moved by a constant.
  EXPECT_EQ(form("Compose(3, 3, 3, S[8 : 1] + 64)"),
            "#tirx.tile<S[(8) : (1)] + 72>");
  // A column: the stride changes.
  EXPECT_EQ(form("Compose(3, 3, 3, S[8 : 64])"), "#tirx.tile<S[(8) : (72)]>");
  EXPECT_EQ(form("#tirx.swizzle<5, 0, 4>"), "#tirx.swizzle<0, 0, 0>");
  EXPECT_EQ(form("#tirx.swizzle<5, 1, 4>"), "#tirx.swizzle<5, 1, 4>");
}

TEST(SwizzleForm, LargeMapsAreEqualInOtherWords) {
  // A column of a large tile, with strides that are swizzled or not.
  Layout large = parse("Compose(3, 3, 3, S[(1073741824, 64) : (64, 1)])");
  EXPECT_TRUE(isEqual(
      large,
      parse("Compose(3, 3, 3, S[(1048576, 1024, 64) : (65536, 64, 1)])")));
  EXPECT_FALSE(
      isEqual(large, parse("Compose(3, 2, 3, S[(1073741824, 64) : (64, 1)])")));
  EXPECT_TRUE(
      isEqual(parse("Compose(3, 3, 3, S[(1073741824, 8) : (4096, 64)])"),
              parse("S[(1073741824, 8) : (4096, 72)]")));
  EXPECT_TRUE(isEqual(
      parse("Compose(3, 3, 3, S[(1073741824, 2, 8) : (4096, 256, 8)])"),
      parse("Compose(5, 1, 3, S[(1073741824, 2, 8) : (4096, 256, 8)])")));
}
