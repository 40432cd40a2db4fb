//===- LinearLayoutTest.cpp - exchange with Triton ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Exchange/LinearLayout.h"
#include "../Property.h"
#include "ExchangeTesting.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::testing;

//===----------------------------------------------------------------------===//
// Triton's semantics: the element at a place is the exclusive or of the bases
// of the bits that are set.
//===----------------------------------------------------------------------===//

static Shape applyLinear(const LinearLayout &linear,
                         llvm::ArrayRef<int64_t> place) {
  Shape element(linear.shape.size(), 0);
  for (size_t i = 0; i < place.size(); ++i)
    for (size_t bit = 0; bit < linear.inputs[i].bases.size(); ++bit)
      if (place[i] >> bit & 1)
        for (size_t dim = 0; dim < element.size(); ++dim)
          element[dim] ^= linear.inputs[i].bases[bit][dim];
  return element;
}

/// The axis of an input, for a layout that numbers threads of `thread`.
static void addPlace(Point &point, llvm::StringRef input, int64_t number,
                     llvm::StringRef thread) {
  static const std::map<std::string, std::string> axes = {
      {"register", "m"},  {"offset", "m"},  {"lane", "laneid"},
      {"warp", "warpid"}, {"block", "cbx"}, {"row", "TLane"},
      {"col", "TCol"}};
  std::string axis = axes.at(input.str());
  if (!thread.empty() && (input == "lane" || input == "warp")) {
    axis = thread.str();
    number *= input == "warp" ? 32 : 1;
  }
  if (number)
    point[axis] += number;
}

/// The places of every element, in row-major order.
static std::vector<Points> placesOf(const LinearLayout &linear,
                                    llvm::StringRef thread = "") {
  int64_t size = 1;
  for (int64_t extent : linear.shape)
    size *= extent;
  std::vector<Points> places(size);
  Shape counts;
  for (const LinearInput &input : linear.inputs)
    counts.push_back(int64_t(1) << input.bases.size());
  for (const Shape &at : coordinatesOf(counts)) {
    Point point;
    for (size_t i = 0; i < at.size(); ++i)
      addPlace(point, linear.inputs[i].name, at[i], thread);
    places[flatten(applyLinear(linear, at), linear.shape)].insert(point);
  }
  return places;
}

static bool hasAxis(const Layout &layout, llvm::StringRef name) {
  return llvm::is_contained(layout.getAxes(), lookupBuiltinAxis(name));
}

static std::string threadAxisOf(const Layout &layout) {
  for (const char *name : {"tx", "tid_in_wg"})
    if (hasAxis(layout, name))
      return name;
  return "";
}

//===----------------------------------------------------------------------===//
// Random layouts
//===----------------------------------------------------------------------===//

/// Bits dealt to axes in any order, some of them copies, half of them under a
/// swizzle: linear, unless the swizzle reaches beyond the bits.
static Layout randomBits(Random &random) {
  static const char *const plain[] = {"m", "laneid", "warpid", "cbx"};
  static const char *const threads[] = {"m", "tid_in_wg"};
  static const char *const tensor[] = {"TLane", "TCol"};
  static const char *const linear[] = {"m"};
  llvm::ArrayRef<const char *> kinds[] = {plain, threads, tensor, linear};
  llvm::ArrayRef<const char *> axes = choose(random, kinds);
  std::map<std::string, int64_t> filled;
  llvm::SmallVector<Iter> shard, replica;
  for (int64_t i = pick(random, 0, 6); i > 0; --i) {
    std::string axis = axes[pick(random, 0, axes.size() - 1)];
    int64_t &size = filled.try_emplace(axis, 1).first->second;
    Iter iter = {int64_t(1) << pick(random, 0, 2), size,
                 lookupBuiltinAxis(axis)};
    size *= iter.extent;
    (pick(random, 0, 4) ? shard : replica).push_back(iter);
  }
  std::shuffle(shard.begin(), shard.end(), random);
  TileLayout tile = llvm::cantFail(TileLayout::get(shard, replica));
  if (pick(random, 0, 1))
    return tile;
  return llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
}

//===----------------------------------------------------------------------===//
// To Triton
//===----------------------------------------------------------------------===//

/// Whether places and elements are one linear map, decided from all points.
static bool isLinear(const Layout &layout, const Shape &shape) {
  for (int64_t extent : shape)
    if (extent & (extent - 1))
      return false;
  std::map<Point, int64_t> elements;
  std::map<std::string, int64_t> last;
  std::vector<Points> images = enumerate(layout);
  for (size_t x = 0; x < images.size(); ++x)
    for (const Point &point : images[x]) {
      if (!elements.try_emplace(point, x).second)
        return false;
      for (const auto &[axis, value] : point) {
        if (value < 0)
          return false;
        last[axis] = std::max(last[axis], value);
      }
    }
  uint64_t box = 1;
  for (const auto &[axis, value] : last) {
    if (value & (value + 1))
      return false;
    box *= value + 1;
    if (box > elements.size())
      return false;
  }
  if (box != elements.size())
    return false;
  for (const auto &[point, element] : elements) {
    int64_t expected = 0;
    for (const auto &[axis, value] : point)
      for (int64_t bit = 1; bit <= value; bit *= 2)
        if (value & bit)
          expected ^= elements.at({{axis, bit}});
    if (expected != element || (point.empty() && element != 0))
      return false;
  }
  return true;
}

static bool hasAxesOfTriton(const Layout &layout) {
  int lanes = hasAxis(layout, "laneid") + hasAxis(layout, "tid_in_wg");
  int warps = hasAxis(layout, "warpid") + hasAxis(layout, "tid_in_wg");
  return lanes < 2 && warps < 2;
}

static std::string checkToLinear(const Layout &layout, Random &random,
                                 int64_t &written) {
  Shape shape = randomShape(random, layout);
  llvm::Expected<LinearLayout> linear = toLinear(layout, shape);
  // Axes that nothing moves on do not count.
  bool possible =
      isLinear(layout, shape) && hasAxesOfTriton(canonicalize(layout));
  if (!linear) {
    std::string message = llvm::toString(linear.takeError());
    return isReason(message) && !possible ? "" : "refused: " + message;
  }
  if (!possible)
    return "not linear, but written: " + toString(*linear);
  ++written;
  if (placesOf(*linear, threadAxisOf(canonicalize(layout))) !=
      enumerate(layout))
    return "other places: " + toString(*linear);
  if (!threadAxisOf(layout).empty())
    return "";
  llvm::Expected<ShapedLayout> back = fromLinear(*linear);
  if (!back)
    return "not read again: " + llvm::toString(back.takeError());
  return isEqual(back->layout, layout)
             ? ""
             : "read as another: " + toString(back->layout);
}

TEST(LinearLayout, WhatIsLinearIsWritten) {
  int64_t written = 0;
  forRandomLayouts(
      "to a linear layout",
      [&](const Layout &layout, Random &random) {
        return checkToLinear(layout, random, written);
      },
      randomBits);
  EXPECT_GT(written, getPropertyRuns() / 2);
}

TEST(LinearLayout, TheRestIsRefused) {
  int64_t written = 0;
  forRandomLayouts("any to a linear layout",
                   [&](const Layout &layout, Random &random) {
                     return checkToLinear(layout, random, written);
                   });
  EXPECT_GT(written, 0);
}

//===----------------------------------------------------------------------===//
// From Triton
//===----------------------------------------------------------------------===//

static LinearLayout randomLinear(Random &random) {
  LinearLayout linear;
  for (int64_t i = pick(random, 1, 2); i > 0; --i)
    linear.shape.push_back(int64_t(1) << pick(random, 0, 2));
  static const char *const names[] = {"register", "lane", "warp"};
  for (const char *name : names) {
    LinearInput &input = linear.inputs.emplace_back();
    input.name = name;
    for (int64_t i = pick(random, 0, 3); i > 0; --i) {
      auto &basis = input.bases.emplace_back();
      for (int64_t extent : linear.shape)
        basis.push_back(pick(random, 0, 2) ? 0 : pick(random, 0, extent - 1));
    }
  }
  return linear;
}

TEST(LinearLayout, WhatIsReadHasTheSamePlaces) {
  Random random(61);
  int64_t read = 0;
  for (int64_t i = 0; i < getPropertyRuns(); ++i) {
    LinearLayout linear = randomLinear(random);
    llvm::Expected<LinearLayout> again =
        parseLinear(toString(linear), linear.shape);
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    ASSERT_TRUE(*again == linear) << toString(linear);
    llvm::Expected<ShapedLayout> ours = fromLinear(linear);
    if (!ours) {
      std::string message = llvm::toString(ours.takeError());
      ASSERT_TRUE(isReason(message)) << message;
      continue;
    }
    ++read;
    ASSERT_EQ(enumerate(ours->layout), placesOf(linear))
        << toString(linear) << " as " << toString(ours->layout);
  }
  EXPECT_GT(read, getPropertyRuns() / 10);
}

static std::string fromText(llvm::StringRef text) {
  llvm::Expected<LinearLayout> linear = parseLinear(text);
  if (!linear)
    return llvm::toString(linear.takeError());
  llvm::Expected<ShapedLayout> layout = fromLinear(*linear);
  return layout ? toString(layout->layout) : llvm::toString(layout.takeError());
}

TEST(LinearLayout, Examples) {
  // The accumulator of mma.m16n8k16.
  const char *bases = "{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], "
                      "[1, 0], [2, 0], [4, 0]], warp = [], block = []}";
  const char *fragment =
      "#tirx.tile<S[(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)]>";
  EXPECT_EQ(fromText(bases), fragment);
  EXPECT_EQ(fromText("#ttg.linear<" + std::string(bases) + ">"), fragment);
  EXPECT_EQ(fromText("{'register': [[0, 1], (8, 0),], \"lane\": [[0, 2], [0, "
                     "4], [1, 0], [2, 0], [4, 0]]}"),
            fragment);
  EXPECT_EQ(toString(llvm::cantFail(toLinear(parse(fragment), {16, 8}))),
            "#ttg.linear<" + std::string(bases) + ">");
  // The listing of the same layout.
  EXPECT_EQ(fromText(" - register=1 -> (0, 1)\n   register=2 -> (8, 0)\n"
                     " - lane=1 -> (0, 2)\n   lane=2 -> (0, 4)\n"
                     "   lane=4 -> (1, 0)\n   lane=8 -> (2, 0)\n"
                     "   lane=16 -> (4, 0)\n - warp is a size 1 dimension\n"
                     "where out dims are: [dim0 (size 16), dim1 (size 8)]\n"),
            fragment);
  // What Triton gives for the 128-byte mode and 16-bit elements.
  EXPECT_EQ(fromText("#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], "
                     "[0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}, "
                     "alignment = 1024>"),
            "#tirx.compose<#tirx.swizzle<3, 3, 3>, "
            "#tirx.tile<S[(8, 64) : (64, 1)]>>");
  // A swizzle and a replica.
  EXPECT_EQ(fromText("#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 1], "
                     "[2, 2]]}, alignment = 16>"),
            "#tirx.compose<#tirx.swizzle<0, 2, 2>, "
            "#tirx.tile<S[(4, 4) : (4, 1)]>>");
  EXPECT_EQ(fromText("{register = [[1]], lane = [[0], [2]]}"),
            "#tirx.tile<S[(2, 2) : (2@laneid, 1)] + R[2 : 1@laneid]>");
}

TEST(LinearLayout, BadTextIsRefused) {
  for (const char *text :
       {"",
        "{",
        "{register}",
        "{register = [1]}",
        "{register = [[1], [1, 2]]}",
        "{register = [[1]], register = [[2]]}",
        "{registers = [[1]]}",
        "{register = [[-1]]}",
        "{register = [[2]]}",
        "{register = [[1]]} x",
        "#ttg.linear<{register = [[1]]}",
        "{register = [[1]], offset = [[2]]}",
        "{register = [[3], [1]], lane = [[4]], warp = [[4]]}",
        "#ttg.shared_linear<{offset = [[1]]}, alignment = 0>",
        "- register=1 -> (1)",
        "- register=2 -> (1) where out dims are: []",
        "- register=1 -> (1) where out dims are: [dim0 (size 3)]",
        "- register=1 -> (1) where out dims are: [dim0 (size 1)]",
        "- register is a size 2 dimension where out dims are: []",
        "{register = [[9223372036854775807]]}",
        "{register = [[4611686018427387904]]}",
        "{register = [[4611686018427387903, 4611686018427387903]]}"})
    EXPECT_TRUE(isReason(fromText(text))) << text << ": " << fromText(text);
  std::string many = "{register = [";
  for (int i = 0; i < 100; ++i)
    many += "[1], ";
  EXPECT_TRUE(isReason(fromText(many + "]}"))) << fromText(many + "]}");
}
