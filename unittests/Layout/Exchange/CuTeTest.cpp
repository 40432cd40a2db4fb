//===- CuTeTest.cpp - exchange with CuTe ----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Exchange/CuTe.h"
#include "../Property.h"
#include "ExchangeTesting.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// CuTe's own semantics, from its definition: the index of a mode is split
// fastest first, coordinates become an index by the inner product with strides.
//===----------------------------------------------------------------------===//

static int64_t sizeOf(const CuTeMode &mode) {
  if (!mode.isTuple)
    return mode.extent;
  int64_t size = 1;
  for (const CuTeMode &inner : mode.modes)
    size *= sizeOf(inner);
  return size;
}

static int64_t crd2idx(int64_t index, const CuTeMode &mode) {
  if (!mode.isTuple)
    return index * mode.stride;
  int64_t result = 0;
  for (const CuTeMode &inner : mode.modes) {
    result += crd2idx(index % sizeOf(inner), inner);
    index /= sizeOf(inner);
  }
  return result;
}

static int64_t crd2idx(llvm::ArrayRef<int64_t> coordinate,
                       const CuTeMode &mode) {
  if (!mode.isTuple)
    return crd2idx(coordinate[0], mode);
  int64_t result = 0;
  for (size_t i = 0; i < coordinate.size(); ++i)
    result += crd2idx(coordinate[i], mode.modes[i]);
  return result;
}

/// CuTe's Swizzle<B, M, S>: the field at M + max(0, S) is shifted by S and
/// XORed into the address.
static int64_t cuteSwizzle(int64_t address, int64_t b, int64_t m, int64_t s) {
  int64_t mask = ((int64_t(1) << b) - 1) << (m + std::max<int64_t>(0, s));
  int64_t field = address & mask;
  return address ^ (s >= 0 ? field >> s : field << -s);
}

/// What CuTe maps a coordinate to, in elements.
static int64_t evaluate(const CuTeLayout &cute,
                        llvm::ArrayRef<int64_t> coordinate) {
  int64_t index = cute.offset + crd2idx(coordinate, *cute.mode);
  if (!cute.swizzle)
    return index;
  int64_t b = cute.swizzle->getSwizzleLen(), m = cute.swizzle->getPerElement(),
          s = cute.swizzle->getAtomLen();
  s = cute.swizzle->isOuter() ? -s : s;
  if (!cute.elementBits)
    return cuteSwizzle(index, b, m, s);
  // In bits of the address: M counts bytes, so bit M + 3.
  return cuteSwizzle(index * cute.elementBits, b, m + 3, s) / cute.elementBits;
}

static CuTeMode randomMode(Random &random, int depth) {
  CuTeMode mode;
  mode.isTuple = depth == 0 ? pick(random, 0, 3) > 0 : pick(random, 0, 2) == 0;
  if (depth > 2 || !mode.isTuple) {
    mode.isTuple = false;
    mode.extent = pick(random, 1, 5);
    mode.stride = pick(random, -4, 20);
    return mode;
  }
  for (int64_t i = pick(random, 0, 3); i > 0; --i)
    mode.modes.push_back(randomMode(random, depth + 1));
  return mode;
}

static int64_t lowest(const CuTeMode &mode) {
  if (!mode.isTuple)
    return std::min<int64_t>(0, (mode.extent - 1) * mode.stride);
  int64_t low = 0;
  for (const CuTeMode &inner : mode.modes)
    low += lowest(inner);
  return low;
}

static CuTeLayout randomCuTe(Random &random) {
  CuTeLayout cute;
  cute.mode = randomMode(random, 0);
  if (pick(random, 0, 1))
    return cute;
  static const unsigned widths[] = {0, 4, 8, 16, 32};
  cute.elementBits = choose(random, widths);
  int64_t b = pick(random, 0, 3), atom = pick(random, b, 4);
  // A shift of 0 has no sign.
  cute.swizzle = llvm::cantFail(SwizzleLayout::get(
      pick(random, 0, 4), b, atom, atom > 0 && pick(random, 0, 3) == 0));
  if (!cute.elementBits)
    cute.offset = pick(random, 0, 9) - lowest(*cute.mode);
  return cute;
}

//===----------------------------------------------------------------------===//
// Layouts of memory
//===----------------------------------------------------------------------===//

TEST(CuTe, WhatIsReadMapsEveryCoordinateAsCuTeDoes) {
  Random random(51);
  int64_t read = 0;
  for (int64_t i = 0; i < getPropertyRuns(); ++i) {
    CuTeLayout cute = randomCuTe(random);
    llvm::Expected<ShapedLayout> ours = fromCuTe(cute);
    if (!ours) {
      std::string message = llvm::toString(ours.takeError());
      ASSERT_TRUE(isReason(message)) << message;
      ASSERT_TRUE(cute.swizzle) << toString(cute) << ": " << message;
      continue;
    }
    ++read;
    ASSERT_EQ(ours->layout.getSize(), sizeOf(*cute.mode));
    std::vector<Points> images = enumerate(ours->layout);
    forEachCoordinate(ours->shape, [&](llvm::ArrayRef<int64_t> at, int64_t n) {
      ASSERT_EQ(images[n], Points{pointOnM(evaluate(cute, at))})
          << toString(cute);
    });
  }
  EXPECT_GT(read, getPropertyRuns() / 2);
}

TEST(CuTe, TextRoundTrips) {
  Random random(52);
  for (int64_t i = 0; i < getPropertyRuns(); ++i) {
    CuTeLayout cute = randomCuTe(random);
    for (CuTeIntegers form : {CuTeIntegers::Plain, CuTeIntegers::Static}) {
      llvm::Expected<CuTeLayout> again = parseCuTe(toString(cute, form));
      ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
      ASSERT_TRUE(*again == cute) << toString(cute, form);
    }
  }
}

/// Empty when `cute` maps every coordinate of the shape as `layout` does.
static std::string checkWritten(const Layout &layout, const Shape &shape,
                                const CuTeLayout &cute) {
  std::vector<Points> images = enumerate(layout);
  std::string problem;
  forEachCoordinate(shape, [&](llvm::ArrayRef<int64_t> at, int64_t n) {
    if (images[n] != Points{pointOnM(evaluate(cute, at))})
      problem = "another map: " + toString(cute);
  });
  llvm::Expected<ShapedLayout> back = fromCuTe(cute);
  if (!back)
    return "not read again: " + llvm::toString(back.takeError());
  if (back->shape != shape || !isEqual(back->layout, layout))
    return "read as another: " + toString(back->layout);
  return problem;
}

/// Whether CuTe can say it: one place on `m` each, the first one at 0 unless a
/// swizzle makes room for an offset.
static bool isOfCuTe(const Layout &layout) {
  std::vector<Points> images = enumerate(layout);
  for (const Points &image : images) {
    if (image.size() != 1)
      return false;
    for (const auto &[axis, value] : *image.begin())
      if (axis != "m")
        return false;
  }
  return layout.getSwizzle() || images.front().count(Point());
}

TEST(CuTe, WhatIsWrittenMapsEveryCoordinateAsOursDoes) {
  int64_t written = 0;
  forRandomLayouts("to CuTe", [&](const Layout &layout, Random &random) {
    Shape shape = randomShape(random, layout);
    llvm::Expected<CuTeLayout> cute = toCuTe(layout, shape);
    if (!cute) {
      std::string message = llvm::toString(cute.takeError());
      return isReason(message) && !isOfCuTe(layout) ? ""
                                                    : "refused: " + message;
    }
    ++written;
    return checkWritten(layout, shape, *cute);
  });
  EXPECT_GT(written, getPropertyRuns() / 20);
}

TEST(CuTe, SwizzlesOfBytes) {
  int64_t written = 0;
  forRandomLayouts("to CuTe in bytes",
                   [&](const Layout &layout, Random &random) {
                     Shape shape = randomShape(random, layout);
                     static const unsigned widths[] = {4, 8, 16, 64};
                     llvm::Expected<CuTeLayout> cute =
                         toCuTe(layout, shape, choose(random, widths));
                     if (!cute) {
                       std::string message = llvm::toString(cute.takeError());
                       return isReason(message) ? "" : "no reason: " + message;
                     }
                     written += bool(cute->swizzle);
                     return checkWritten(layout, shape, *cute);
                   });
  EXPECT_GT(written, getPropertyRuns() / 100);
}

static std::string fromText(llvm::StringRef text) {
  llvm::Expected<CuTeLayout> cute = parseCuTe(text);
  if (!cute)
    return llvm::toString(cute.takeError());
  llvm::Expected<ShapedLayout> layout = fromCuTe(*cute);
  return layout ? toString(layout->layout) : llvm::toString(layout.takeError());
}

TEST(CuTe, Examples) {
  EXPECT_EQ(fromText("(8,(2,4)):(1,(16,4))"),
            "#tirx.tile<S[(8, 4, 2) : (1, 4, 16)]>");
  EXPECT_EQ(fromText("_8:_1"), "#tirx.tile<S[(8) : (1)]>");
  EXPECT_EQ(fromText("( (2, 2), 4 ) : ( (1, -4), _0 )"),
            "#tirx.tile<S[(2, 2, 4) : (-4, 1, 0)]>");
  EXPECT_EQ(fromText("():()"), "#tirx.tile<S[() : ()]>");
  EXPECT_EQ(fromText("(8,):(1,)"), "#tirx.tile<S[(8) : (1)]>");
  // The 128-byte mode: 16-byte units of bytes are 8 elements of 16 bits.
  for (const char *text :
       {"Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
        "S<3,3,3> o 0 o (8,64):(64,1)", "Swizzle<3,3,3> o (8,64):(64,1)"})
    EXPECT_EQ(fromText(text), "#tirx.compose<#tirx.swizzle<3, 3, 3>, "
                              "#tirx.tile<S[(8, 64) : (64, 1)]>>");
  EXPECT_EQ(
      fromText("Sw<3,4,3> o smem_ptr[4b](unset) o 512:1"),
      "#tirx.compose<#tirx.swizzle<5, 3, 3>, #tirx.tile<S[(512) : (1)]>>");
  EXPECT_EQ(fromText("Sw<2,1,-3> o 5 o 64:1"),
            "#tirx.compose<#tirx.swizzle<1, 2, 3, outer>, "
            "#tirx.tile<S[(64) : (1)] + 5>>");
  EXPECT_EQ(fromText("Swizzle<3,4,3>"), "#tirx.swizzle<4, 3, 3>");
}

TEST(CuTe, BadTextIsRefused) {
  for (const char *text : {"",
                           "8",
                           "8:",
                           ":1",
                           "(8,4):1",
                           "8:(1,2)",
                           "(8,4):(1,2,3)",
                           "(8,4):(1)",
                           "0:1",
                           "-1:1",
                           "?:1",
                           "8:?",
                           "8:1@0",
                           "8:1 x",
                           "Sw<3,4>",
                           "Sw<3,4,1> o 8:1",
                           "Sw<3,4,3> o",
                           "Sw<3,4,3> o 8",
                           "Sw<3,4,3> o smem_ptr[12b](unset) o 8:1",
                           "Sw<3,4,3> o smem_ptr[16b](0x10) o 8:1",
                           "Sw<3,0,3> o smem_ptr[16b](unset) o 64:1",
                           "Sw<1,1,1> o 8:-1",
                           "Sw<0,0,-9223372036854775808> o 8:1",
                           "9223372036854775808:1",
                           "(4294967296,4294967296):(1,1)",
                           "((4294967296,4294967296),2):((1,1),1)",
                           "3:9223372036854775807"})
    EXPECT_TRUE(isReason(fromText(text))) << text << ": " << fromText(text);
  EXPECT_TRUE(isReason(fromText(std::string(100000, '('))));
}

//===----------------------------------------------------------------------===//
// Threads and values
//===----------------------------------------------------------------------===//

static Axis lane() { return lookupBuiltinAxis("laneid"); }

/// A tile whose elements are dealt to lanes and registers in random digits.
static TileLayout randomFragment(Random &random, SmallVector<int64_t> &shape) {
  SmallVector<Iter> digits;
  int64_t weights[2] = {1, 1};
  SmallVector<Iter> replica;
  for (int64_t i = pick(random, 0, 5); i > 0; --i) {
    bool onLane = pick(random, 0, 1);
    Iter digit = {pick(random, 1, 4), weights[onLane],
                  onLane ? lane() : memoryAxis()};
    weights[onLane] *= digit.extent;
    if (pick(random, 0, 4) == 0)
      replica.push_back(digit);
    else
      digits.push_back(digit);
  }
  std::shuffle(digits.begin(), digits.end(), random);
  TileLayout tile = llvm::cantFail(TileLayout::get(digits, replica));
  shape = randomShape(random, tile);
  return tile;
}

/// Every (thread, value) of the CuTe form is a copy of the element that it
/// names, and no copy is missing.
static void expectSamePlaces(const Layout &layout,
                             llvm::ArrayRef<int64_t> shape,
                             const CuTeLayout &cute) {
  std::vector<Points> expected(*layout.getSize());
  // Row-major number of each colexicographic one.
  std::map<int64_t, int64_t> number;
  forEachCoordinate(shape, [&](llvm::ArrayRef<int64_t> at, int64_t n) {
    int64_t colexicographic = 0;
    for (size_t dim = shape.size(); dim-- > 0;)
      colexicographic = colexicographic * shape[dim] + at[dim];
    number[colexicographic] = n;
  });
  int64_t sizes[] = {sizeOf(cute.mode->modes[0]), sizeOf(cute.mode->modes[1])};
  forEachCoordinate(sizes, [&](llvm::ArrayRef<int64_t> at, int64_t) {
    Point point;
    if (at[0])
      point["laneid"] = at[0];
    if (at[1])
      point["m"] = at[1];
    int64_t index = crd2idx(at, *cute.mode);
    ASSERT_TRUE(number.count(index)) << toString(cute);
    expected[number[index]].insert(point);
  });
  ASSERT_EQ(enumerate(layout), expected)
      << toString(layout) << " as " << toString(cute);
}

TEST(CuTe, ThreadValueLayoutsAreInverse) {
  Random random(55);
  for (int64_t i = 0; i < getPropertyRuns(); ++i) {
    SmallVector<int64_t> shape;
    TileLayout tile = randomFragment(random, shape);
    llvm::Expected<CuTeLayout> cute = toCuTeThreadValue(tile, shape, lane());
    ASSERT_TRUE(bool(cute))
        << toString(Layout(tile)) << ": " << llvm::toString(cute.takeError());
    expectSamePlaces(tile, shape, *cute);
    llvm::Expected<Layout> back = fromCuTeThreadValue(*cute, shape, lane());
    ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
    ASSERT_TRUE(isEqual(*back, tile)) << toString(*cute);
  }
}

/// Any layout, most of them no fragments: the result is right or refused.
TEST(CuTe, ThreadValueRefusesTheRest) {
  Random random(56);
  int64_t written = 0;
  for (int64_t i = 0; i < getPropertyRuns(); ++i) {
    Layout layout = randomLayout(random);
    SmallVector<int64_t> shape = randomShape(random, layout);
    llvm::Expected<CuTeLayout> cute = toCuTeThreadValue(layout, shape, lane());
    if (cute) {
      ++written;
      expectSamePlaces(layout, shape, *cute);
    } else {
      std::string message = llvm::toString(cute.takeError());
      ASSERT_TRUE(isReason(message)) << message;
    }
    CuTeLayout any = randomCuTe(random);
    shape = {sizeOf(*any.mode)};
    llvm::Expected<Layout> back = fromCuTeThreadValue(any, shape, lane());
    if (back) {
      expectSamePlaces(*back, shape, any);
    } else {
      std::string message = llvm::toString(back.takeError());
      ASSERT_TRUE(isReason(message)) << message;
    }
  }
  EXPECT_GT(written, getPropertyRuns() / 200);
}

/// The accumulator of mma.m16n8k16: CuTe's SM80_16x8_Row.
TEST(CuTe, AccumulatorOfMma) {
  Layout fragment = parse("S[(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)]");
  llvm::Expected<CuTeLayout> cute =
      toCuTeThreadValue(fragment, {16, 8}, lane());
  ASSERT_TRUE(bool(cute)) << llvm::toString(cute.takeError());
  EXPECT_EQ(toString(*cute), "((4,8),(2,2)):((32,1),(16,8))");
}
