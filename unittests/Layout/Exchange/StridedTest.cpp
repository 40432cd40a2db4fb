//===- StridedTest.cpp - exchange with strides and affine maps ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Exchange/Strided.h"
#include "../Property.h"
#include "ExchangeTesting.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::testing;

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// Whether all elements are at one offset and stride a dimension, on m.
static bool isStrided(const Layout &layout, const Shape &shape) {
  std::vector<Points> images = enumerate(layout);
  std::vector<int64_t> at;
  for (const Points &image : images) {
    if (image.size() != 1)
      return false;
    for (const auto &[axis, value] : *image.begin())
      if (axis != "m")
        return false;
    at.push_back(image.begin()->empty() ? 0 : image.begin()->at("m"));
  }
  bool strided = true;
  forEachCoordinate(shape, [&](llvm::ArrayRef<int64_t> index, int64_t n) {
    int64_t expected = at[0];
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      Shape unit(shape.size(), 0);
      if (shape[dim] == 1)
        continue;
      unit[dim] = 1;
      expected += index[dim] * (at[flatten(unit, shape)] - at[0]);
    }
    strided &= expected == at[n];
  });
  return strided;
}

TEST(Strided, WhatHasStridesIsWritten) {
  int64_t written = 0;
  forRandomLayouts("to strides", [&](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout);
    llvm::Expected<StridedForm> form = toStrided(layout, shape);
    if (!form) {
      std::string message = llvm::toString(form.takeError());
      // A swizzle that comes to nothing on these elements is still refused.
      bool lossless = isStrided(layout, shape) && !layout.getSwizzle();
      return isReason(message) && !lossless ? "" : "refused: " + message;
    }
    ++written;
    std::vector<Points> images = enumerate(layout);
    std::string problem;
    forEachCoordinate(shape, [&](llvm::ArrayRef<int64_t> at, int64_t n) {
      int64_t index = form->offset;
      for (size_t dim = 0; dim < at.size(); ++dim)
        index += at[dim] * form->strides[dim];
      if (images[n] != Points{pointOnM(index)})
        problem = "another map";
    });
    std::string text;
    llvm::raw_string_ostream os(text);
    print(os, *form);
    llvm::Expected<StridedForm> again = parseStrided(text);
    if (!again || !(*again == *form))
      return "text is not read again: " + text;
    Layout back = llvm::cantFail(fromStrided(*form, shape));
    return isEqual(back, layout) ? problem : "read as another";
  });
  EXPECT_GT(written, getPropertyRuns() / 50);
}

TEST(Strided, BadTextIsRefused) {
  auto fromText = [](llvm::StringRef text) {
    llvm::Expected<StridedForm> form = parseStrided(text);
    if (!form)
      return llvm::toString(form.takeError());
    llvm::Expected<Layout> layout = fromStrided(*form, {4, 8});
    return layout ? toString(*layout) : llvm::toString(layout.takeError());
  };
  EXPECT_EQ(fromText("strided<[8, -1], offset: 7>"),
            "#tirx.tile<S[(4, 8) : (8, -1)] + 7>");
  for (const char *text :
       {"", "strided", "strided<[8, 1]", "strided<[8 1]>", "strided<[?, 1]>",
        "strided<[8, 1], offset: ?>", "strided<[8]>", "strided<[8, 1]> x",
        "strided<[9223372036854775807, 1]>", "strided<[]>"})
    EXPECT_TRUE(isReason(fromText(text))) << text << ": " << fromText(text);
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

static int64_t floorDivide(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q * b > a ? q - 1 : q;
}

/// Affine expressions with their text and their value at a coordinate, built by
/// a coin at each node.
struct Expression {
  std::string text;
  std::function<int64_t(llvm::ArrayRef<int64_t>)> value;
};

static Expression randomExpression(Random &random, size_t rank, int depth) {
  if (depth == 0 || pick(random, 0, 4) == 0) {
    if (rank == 0 || pick(random, 0, 3) == 0) {
      int64_t constant = pick(random, -8, 16);
      return {std::to_string(constant),
              [=](llvm::ArrayRef<int64_t>) { return constant; }};
    }
    size_t dim = pick(random, 0, rank - 1);
    return {"d" + std::to_string(dim),
            [=](llvm::ArrayRef<int64_t> at) { return at[dim]; }};
  }
  Expression left = randomExpression(random, rank, depth - 1);
  static const int64_t factors[] = {2, 2, 3, 4, 6, 8, 12, 16};
  int64_t factor = choose(random, factors);
  auto get = left.value;
  std::string operand = "(" + left.text + ") ", text = std::to_string(factor);
  switch (pick(random, 0, 3)) {
  case 0:
    return {operand + "floordiv " + text, [=](llvm::ArrayRef<int64_t> at) {
              return floorDivide(get(at), factor);
            }};
  case 1:
    return {operand + "mod " + text, [=](llvm::ArrayRef<int64_t> at) {
              return get(at) - floorDivide(get(at), factor) * factor;
            }};
  case 2:
    return {text + " * " + operand,
            [=](llvm::ArrayRef<int64_t> at) { return get(at) * factor; }};
  default:
    Expression right = randomExpression(random, rank, depth - 1);
    auto other = right.value;
    if (pick(random, 0, 2) == 0)
      return {operand + "- (" + right.text + ")",
              [=](llvm::ArrayRef<int64_t> at) { return get(at) - other(at); }};
    return {operand + "+ " + right.text,
            [=](llvm::ArrayRef<int64_t> at) { return get(at) + other(at); }};
  }
}

TEST(Affine, WhatIsReadHasTheValueOfTheExpression) {
  Random random(71);
  int64_t read = 0;
  Axis lane = lookupBuiltinAxis("laneid");
  for (int64_t i = 0; i < getPropertyRuns(); ++i) {
    Shape shape;
    for (int64_t dims = pick(random, 0, 2); dims > 0; --dims)
      shape.push_back(randomExtent(random, 24));
    Expression m = randomExpression(random, shape.size(), 4);
    Expression thread = {"0", [](llvm::ArrayRef<int64_t>) { return 0; }};
    if (pick(random, 0, 2) == 0)
      thread = randomExpression(random, shape.size(), 2);
    std::string text = "affine_map<(";
    for (size_t dim = 0; dim < shape.size(); ++dim)
      text += (dim ? ", d" : "d") + std::to_string(dim);
    text += ") -> (" + m.text + ", " + thread.text + ")>";
    llvm::Expected<Layout> layout =
        parseAffine(text, shape, {memoryAxis(), lane});
    if (!layout) {
      std::string message = llvm::toString(layout.takeError());
      ASSERT_TRUE(isReason(message)) << message;
      continue;
    }
    ++read;
    std::vector<Points> images = enumerate(*layout);
    forEachCoordinate(shape, [&](llvm::ArrayRef<int64_t> at, int64_t n) {
      Point point = pointOnM(m.value(at));
      if (int64_t number = thread.value(at))
        point["laneid"] = number;
      ASSERT_EQ(images[n], Points{point})
          << text << " as " << toString(*layout);
    });
  }
  EXPECT_GT(read, getPropertyRuns() / 2);
}

/// Every layout without swizzle and replicas is an affine map.
TEST(Affine, WhatIsWrittenIsReadAgain) {
  int64_t written = 0;
  forRandomLayouts(
      "to an affine map", [&](const Layout &layout, Random &random) {
        Shape shape = randomShape(random, layout);
        llvm::SmallVector<Axis> axes = layout.getAxes();
        auto results = toAffine(layout, shape, axes);
        if (!results) {
          std::string message = llvm::toString(results.takeError());
          bool affine = !layout.getSwizzle() && !layout.getTile()->hasReplica();
          return isReason(message) && !affine ? "" : "refused: " + message;
        }
        ++written;
        std::string text;
        llvm::raw_string_ostream os(text);
        printAffine(os, shape.size(), *results);
        llvm::Expected<Layout> back = parseAffine(text, shape, axes);
        if (!back)
          return text + ": " + llvm::toString(back.takeError());
        return isEqual(*back, layout) ? "" : text + ": " + toString(*back);
      });
  EXPECT_GT(written, getPropertyRuns() / 3);
}

TEST(Affine, Examples) {
  auto fromText = [](llvm::StringRef text) {
    llvm::Expected<Layout> layout = parseAffine(text, {16, 64}, {memoryAxis()});
    return layout ? toString(*layout) : llvm::toString(layout.takeError());
  };
  EXPECT_EQ(fromText("(d0, d1) -> (d0 * 64 + d1)"),
            "#tirx.tile<S[(16, 64) : (64, 1)]>");
  EXPECT_EQ(fromText("affine_map<(i, j) -> (i floordiv 8 * 512 + i mod 8 * 8 + "
                     "j floordiv 8 * 64 + j mod 8 + 5)>"),
            "#tirx.tile<S[(2, 8, 8, 8) : (512, 8, 64, 1)] + 5>");
  EXPECT_EQ(fromText("(i, j) -> ((i * 64 + j) floordiv 32 mod 4)"),
            "#tirx.tile<S[(8, 2, 2, 32) : (0, 2, 1, 0)]>");
  EXPECT_EQ(fromText("(i, j) -> (-i - -(j + 1))"),
            "#tirx.tile<S[(16, 64) : (-1, 1)] + 1>");
  for (const char *text :
       {"", "(d0) -> (d0)", "(d0, d0) -> (d0)", "(d0, d1) -> ()",
        "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0 * d1)",
        "(d0, d1) -> (d0 floordiv d1)", "(d0, d1) -> (d0 mod 0)",
        "(d0, d1) -> (d0 floordiv -2)", "(d0, d1) -> (d0 mod 3)",
        "(d0, d1) -> (d0 ceildiv 4)", "(d0, d1)[s0] -> (d0)",
        "(d0, d1) -> ((d0 + d1) mod 16)", "(d0, d1) -> (d2)", "(d0, d1) -> (d0",
        "affine_map<(d0, d1) -> (d0)", "(d0, d1) -> (d0 * 9223372036854775807)",
        "(d0, d1) -> (d0 * 9223372036854775807 * 2)",
        "(d0, d1) -> (9223372036854775807 + 1)"})
    EXPECT_TRUE(isReason(fromText(text))) << text << ": " << fromText(text);
  EXPECT_TRUE(
      isReason(fromText("(a, b) -> (" + std::string(100000, '(') + ")")));
  EXPECT_TRUE(
      isReason(fromText("(a, b) -> (" + std::string(100000, '-') + "a)")));
}
