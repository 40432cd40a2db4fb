//===- ComplementTest.cpp - what layouts leave of boxes -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionTesting.h"
#include "Property.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

/// Some of the steps that fill a box.
static Layout randomPart(Random &random) {
  SmallVector<Iter> compact = randomCompactIters(random, 200), shard, replica;
  SmallVector<AxisOffset> offset;
  for (const Iter &iter : compact)
    if (pick(random, 0, 1))
      (pick(random, 0, 4) ? shard : replica).push_back(iter);
  if (pick(random, 0, 1))
    offset.push_back({memoryAxis(), pick(random, 0, 5)});
  TileLayout tile = llvm::cantFail(TileLayout::get(shard, replica, offset));
  return pick(random, 0, 1)
             ? Layout(tile)
             : llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
}

/// Layouts of both kinds: those that leave a layout of a box, and any.
static Layout randomPartOrAny(Random &random) {
  return pick(random, 0, 3) ? randomPart(random) : randomLayout(random);
}

/// The sums under the swizzle, with how often each occurs. Copies that coincide
/// are one.
static std::map<Point, int64_t> sumOf(const Layout &layout,
                                      const TileLayout &rest) {
  std::map<Point, int64_t> counts;
  Point offset;
  for (const TileLayout *tile : {layout.getTile(), &rest})
    for (const AxisOffset &entry : tile->getOffset())
      offset[entry.axis.getName().str()] += entry.value;
  Points copies;
  odometer(layout.getTile()->getReplica(), offset,
           [&](const Point &point) { copies.insert(finish(point, nullptr)); });
  SmallVector<Iter> iters(layout.getTile()->getShard());
  iters.append(rest.getShard().begin(), rest.getShard().end());
  for (const Point &copy : copies)
    odometer(iters, copy, [&](const Point &point) {
      ++counts[finish(point, layout.getSwizzle())];
    });
  return counts;
}

TEST(Complement, FillsTheBoxExactlyOnce) {
  int64_t results = 0;
  forRandomLayouts(
      "complement",
      [&](const Layout &layout, Random &random) -> std::string {
        Box box;
        for (const char *axis :
             {"m", "laneid", "warpid", "TCol", "tid_in_wg"}) {
          Span span = layout.getTile()->getSpan(lookupBuiltinAxis(axis));
          box.push_back(onAxis(axis, span.max - span.min + 1));
          if (pick(random, 0, 2) == 0)
            box.back().extent *= pick(random, 1, 3);
        }
        while (sizeOf(box) > 2000)
          llvm::max_element(box, [](const AxisExtent &a, const AxisExtent &b) {
            return a.extent < b.extent;
          })->extent /= 2;
        llvm::Expected<TileLayout> rest = complement(layout, box);
        if (!rest) {
          std::string message = llvm::toString(rest.takeError());
          return isReason(message) ? "" : "says " + message;
        }
        ++results;
        std::map<Point, int64_t> counts = sumOf(layout, *rest);
        if (int64_t(counts.size()) != sizeOf(box))
          return "does not fill " + toString(box) + " with " +
                 tirx::toString(Layout(*rest));
        for (const auto &[point, count] : counts)
          if (count != 1 || numberOf(point, box) < 0)
            return "meets itself or leaves " + toString(box) + " with " +
                   tirx::toString(Layout(*rest));
        return "";
      },
      randomPartOrAny);
  EXPECT_GE(results, getPropertyRuns() / 4);
}

/// All sets of at most three steps are tried where none was found.
TEST(Complement, RefusesNoLayout) {
  auto fills = [](const SmallVector<Iter> &iters, int64_t extent) {
    std::vector<int64_t> sums = {0};
    for (const Iter &iter : iters) {
      std::vector<int64_t> next;
      for (int64_t i = 0; i < iter.extent; ++i)
        for (int64_t sum : sums)
          next.push_back(sum + i * iter.stride);
      sums = next;
    }
    llvm::sort(sums);
    for (int64_t i = 0, e = sums.size(); i < e; ++i)
      if (sums[i] != i)
        return false;
    return int64_t(sums.size()) == extent;
  };
  std::function<bool(SmallVector<Iter> &, int64_t, int64_t, int)> anyFills =
      [&](SmallVector<Iter> &iters, int64_t size, int64_t extent, int depth) {
        if (fills(iters, extent))
          return true;
        for (int64_t e = 2; depth > 0 && size * e <= extent; ++e)
          for (int64_t s = 1; s < extent; ++s) {
            iters.push_back({e, s, memoryAxis()});
            bool found = anyFills(iters, size * e, extent, depth - 1);
            iters.pop_back();
            if (found)
              return true;
          }
        return false;
      };
  for (int64_t extent = 1; extent <= 12; ++extent)
    for (int64_t a = 1; a <= 4; ++a)
      for (int64_t b = 1; b <= 4; ++b)
        for (int64_t s = 1; s <= 6; ++s)
          for (int64_t t = 1; t <= 6; ++t) {
            SmallVector<Iter> iters = {{a, s, memoryAxis()},
                                       {b, t, memoryAxis()}};
            Layout layout = llvm::cantFail(TileLayout::get(iters));
            auto rest = complement(layout, memoryBox(extent));
            bool exists = a * b <= extent && anyFills(iters, a * b, extent, 2);
            ASSERT_EQ(bool(rest), exists)
                << tirx::toString(layout) << " in " << extent;
            llvm::consumeError(rest.takeError());
          }
}

TEST(Complement, ReadsLikeTheBox) {
  auto rest = [](llvm::StringRef text, const Box &box) {
    llvm::Expected<TileLayout> result = complement(parse(text), box);
    return result ? toString(Layout(*result))
                  : llvm::toString(result.takeError());
  };
  EXPECT_EQ(rest("S[4 : 2]", memoryBox(24)), "#tirx.tile<S[(3, 2) : (8, 1)]>");
  EXPECT_EQ(rest("S[4 : 2] + 1", memoryBox(8)),
            "#tirx.tile<S[(2) : (1)] + -1>");
  EXPECT_EQ(rest("S[32 : 1@laneid]",
                 {onAxis("warpid", 4), onAxis("laneid", 32), onAxis("m", 2)}),
            "#tirx.tile<S[(4, 2) : (1@warpid, 1)]>");
  EXPECT_EQ(rest("S[4 : 1] + R[2 : 8]", memoryBox(16)),
            "#tirx.tile<S[(2) : (4)]>");
}

TEST(Complement, Reasons) {
  auto refused = [](llvm::StringRef text, const Box &box) {
    return messageOf(complement(parse(text), box));
  };
  EXPECT_EQ(refused("S[(2, 2) : (2, 3)]", memoryBox(16)),
            "expected strides on 'm' that are multiples of what smaller ones "
            "span, got 3 after 4");
  EXPECT_EQ(refused("S[4 : 2]", memoryBox(12)),
            "expected an extent on 'm' that is a multiple of what the strides "
            "span, got 12 for 8");
  EXPECT_EQ(refused("S[2 : 4611686018427387904]", memoryBox(8)),
            "expected an extent on 'm' that is a multiple of what the strides "
            "span, got 8 for more than 2^63");
  EXPECT_EQ(refused("S[4 : 0]", memoryBox(8)),
            "expected elements that do not share a point, got an iter of "
            "extent 4 and stride 0");
  EXPECT_EQ(refused("S[4 : 1@laneid]", memoryBox(8)),
            "expected a box with all axes of the layout, got none of more than "
            "one point on 'laneid'");
  EXPECT_EQ(refused("Compose(0, 1, 1, S[2 : 1])", memoryBox(3)),
            "expected an extent on 'm' that the swizzle maps to itself, got 3");
  EXPECT_EQ(refused("#tirx.swizzle<0, 1, 1>", memoryBox(3)),
            "expected a layout with a size, got a bare swizzle");
}
