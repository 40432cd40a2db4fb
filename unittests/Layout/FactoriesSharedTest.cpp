//===- FactoriesSharedTest.cpp - operands in shared memory ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each factory against the sentence of the specification that it implements,
// written out for every element.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Factories.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;

static constexpr SwizzleMode kModes[] = {SwizzleMode::None, SwizzleMode::B32,
                                         SwizzleMode::B64, SwizzleMode::B128,
                                         SwizzleMode::B128Atom32};

namespace {
struct Width {
  unsigned bits;
  Packing packing;
  /// Bits from one element to the next.
  int64_t slot;
};
} // namespace

static constexpr Width kWidths[] = {
    {4, Packing::Dense, 4},  {4, Packing::Padded, 8},  {6, Packing::Padded, 8},
    {8, Packing::Dense, 8},  {16, Packing::Dense, 16}, {32, Packing::Dense, 32},
    {64, Packing::Dense, 64}};

static int64_t rowBytes(SwizzleMode mode) {
  return mode == SwizzleMode::None  ? 16
         : mode == SwizzleMode::B32 ? 32
         : mode == SwizzleMode::B64 ? 64
                                    : 128;
}

/// Table 54 of 9.7.16.10.3.
static bool isLegal(unsigned bits, SwizzleMode mode, Major major) {
  if (bits == 64)
    return false;
  if (major == Major::K)
    return true;
  bool atom32 = mode == SwizzleMode::B128Atom32;
  return bits == 32 ? atom32 : bits >= 8 && !atom32;
}

/// Where the chunks of a swizzle atom go: chunk c of 16 (32 with 32B atoms)
/// bytes of the line that starts `lines` 128-byte lines into the pattern.
static int64_t swizzled(SwizzleMode mode, int64_t byte) {
  int64_t line = byte / 128;
  switch (mode) {
  case SwizzleMode::None:
    return byte;
  case SwizzleMode::B32:
    return byte ^ (line % 2 * 16);
  case SwizzleMode::B64:
    return byte ^ (line % 4 * 16);
  case SwizzleMode::B128:
    return byte ^ (line % 8 * 16);
  case SwizzleMode::B128Atom32:
    return byte ^ (line % 4 * 32);
  }
  return -1;
}

/// Bytes are grouped in slabs of one row width; in a slab, line i (a row of K
/// or of MN) is at i * row.
TEST(SharedFactories, MmaOperands) {
  for (Width width : kWidths)
    for (SwizzleMode mode : kModes)
      for (Major major : {Major::K, Major::MN}) {
        int64_t row = rowBytes(mode);
        int64_t along = 3 * row * 8 / width.slot, across = 24;
        bool kMajor = major == Major::K;
        int64_t mn = kMajor ? across : along, k = kMajor ? along : across;
        auto made =
            mmaSharedLayout(width.bits, mode, major, {2, mn, k}, width.packing);
        ASSERT_EQ(bool(made), isLegal(width.bits, mode, major));
        if (!made) {
          EXPECT_TRUE(isReason(llvm::toString(made.takeError())));
          continue;
        }
        for (int64_t stage = 0; stage < 2; ++stage)
          for (int64_t i = 0; i < mn; ++i)
            for (int64_t j = 0; j < k; ++j) {
              int64_t line = kMajor ? i : j;
              int64_t bit = (kMajor ? j : i) * width.slot;
              int64_t linear = stage * mn * k * width.slot / 8 +
                               bit / 8 / row * across * row + line * row +
                               bit / 8 % row;
              int64_t got =
                  made->apply({stage, i, j}, {2, mn, k}).get(memoryAxis());
              ASSERT_EQ(got * width.slot, swizzled(mode, linear) * 8 + bit % 8);
            }
        EXPECT_TRUE(isInjective(*made));
      }
}

/// What the factory makes, an MMA can read.
TEST(SharedFactories, MmaOperandsHaveDescriptors) {
  for (SwizzleMode mode : kModes)
    for (Major major : {Major::K, Major::MN})
      for (int64_t mn : {64, 128, 192, 256})
        for (int64_t k : {64, 128}) {
          if (mode == SwizzleMode::B128Atom32)
            continue;
          Layout layout =
              expectLayout(mmaSharedLayout(16, mode, major, {mn, k}));
          auto desc = deriveTcgen05Descriptor({layout, {mn, k}, 1, 16});
          ASSERT_TRUE(bool(desc)) << llvm::toString(desc.takeError());
          EXPECT_EQ(desc->major, major);
          EXPECT_EQ(desc->swizzle, mode);
        }
}

TEST(SharedFactories, MmaRefusals) {
  auto refused = [](unsigned bits, llvm::ArrayRef<int64_t> shape,
                    Packing packing = Packing::Dense) {
    return isReason(messageOf(
        mmaSharedLayout(bits, SwizzleMode::B128, Major::K, shape, packing)));
  };
  EXPECT_TRUE(refused(16, {128, 32}));
  EXPECT_TRUE(refused(16, {12, 64}));
  EXPECT_TRUE(refused(16, {128, 0}));
  EXPECT_TRUE(refused(16, {0, 64}));
  EXPECT_TRUE(refused(16, {-8, 64}));
  EXPECT_TRUE(refused(16, {64}));
  EXPECT_TRUE(refused(16, {}));
  EXPECT_TRUE(refused(6, {128, 128}));
  EXPECT_TRUE(refused(0, {128, 128}));
  EXPECT_TRUE(refused(128, {128, 128}));
  EXPECT_TRUE(refused(8, {128, 128}, Packing::Padded));
  EXPECT_TRUE(refused(6, {128, 64}, Packing::Padded));
  EXPECT_TRUE(refused(16, {-1, 128, 64}));
  EXPECT_TRUE(refused(16, {0, 128, 64}));
  EXPECT_TRUE(refused(16, {int64_t(1) << 60, 128, 64}));
  EXPECT_TRUE(refused(16, {1, int64_t(1) << 60, 128, 64}));
  EXPECT_TRUE(refused(16, {int64_t(1) << 40, int64_t(1) << 40}));
  EXPECT_TRUE(isEqual(
      expectLayout(mmaSharedLayout(4, SwizzleMode::B128, Major::K, {128, 256})),
      parse("Compose(5, 3, 3, S[32768 : 1])")));
}

/// 5.5.7: a box has rows of the swizzle's width; boxes follow each other.
TEST(SharedFactories, TmaTiles) {
  for (Width width : kWidths)
    for (SwizzleMode mode : kModes) {
      int64_t row = rowBytes(mode), columns = 2 * row * 8 / width.slot;
      auto made =
          tmaSharedLayout(width.bits, mode, {3, 16, columns}, width.packing);
      bool padded = width.packing == Packing::Padded;
      ASSERT_EQ(bool(made), !padded || (mode != SwizzleMode::B32 &&
                                        mode != SwizzleMode::B64));
      if (!made) {
        EXPECT_TRUE(isReason(llvm::toString(made.takeError())));
        continue;
      }
      EXPECT_TRUE(isInjective(*made));
      for (int64_t stage = 0; stage < 3; ++stage)
        for (int64_t i = 0; i < 16; ++i)
          for (int64_t j = 0; j < columns; ++j) {
            int64_t bit = j * width.slot;
            int64_t box = bit / 8 / row, byte = bit / 8 % row;
            int64_t linear = mode == SwizzleMode::None
                                 ? (stage * 16 + i) * 2 * row + bit / 8
                                 : ((stage * 2 + box) * 16 + i) * row + byte;
            int64_t got =
                made->apply({stage, i, j}, {3, 16, columns}).get(memoryAxis());
            ASSERT_EQ(got * width.slot, swizzled(mode, linear) * 8 + bit % 8);
          }
    }
}

TEST(SharedFactories, TmaRefusals) {
  auto message = [](unsigned bits, SwizzleMode mode,
                    llvm::ArrayRef<int64_t> shape) {
    return messageOf(tmaSharedLayout(bits, mode, shape));
  };
  EXPECT_EQ(message(64, SwizzleMode::B128, {64}),
            "expected at least 2 dimensions, got 1");
  EXPECT_EQ(message(16, SwizzleMode::None, {4, 12}),
            "expected the elements of a row, 16 bytes or more, to be a "
            "multiple of 8, got 12");
  EXPECT_EQ(message(16, SwizzleMode::None, {8}), "");
  EXPECT_TRUE(isReason(message(16, SwizzleMode::None, {})));
  EXPECT_TRUE(isReason(message(16, SwizzleMode::None, {0, 8})));
  EXPECT_TRUE(isReason(message(12, SwizzleMode::None, {8, 64})));
  EXPECT_TRUE(isReason(message(16, SwizzleMode::B64, {8, 40})));
  EXPECT_TRUE(isReason(message(16, SwizzleMode::B64, {4, 32})));
  EXPECT_TRUE(isReason(
      message(16, SwizzleMode::None, {int64_t(1) << 40, int64_t(1) << 40})));
}

/// The source of tcgen05.cp .32x128b: 128 rows and 4 scales are 32 lines of 16
/// bytes, line r % 32 having rows r, r + 32, r + 64 and r + 96.
TEST(SharedFactories, ScaleFactors) {
  for (int64_t rows : {128, 256, 384})
    for (int64_t scales : {4, 8, 12, 16})
      for (int64_t reuse : {1, 3, 4}) {
        Layout layout =
            expectLayout(sharedScaleFactorLayout(rows, scales, reuse));
        ASSERT_EQ(*layout.getSize(), rows * scales * reuse);
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t k = 0; k < scales * reuse; ++k) {
            int64_t scale = k / reuse;
            int64_t block = r / 128 * (scales / 4) + scale / 4;
            int64_t byte =
                block * 512 + r % 32 * 16 + r % 128 / 32 * 4 + scale % 4;
            ASSERT_EQ(
                layout.apply({r, k}, {rows, scales * reuse}).get(memoryAxis()),
                byte);
          }
      }
  EXPECT_TRUE(isReason(messageOf(sharedScaleFactorLayout(64, 4))));
  EXPECT_TRUE(isReason(messageOf(sharedScaleFactorLayout(0, 4))));
  EXPECT_TRUE(isReason(messageOf(sharedScaleFactorLayout(128, 6))));
  EXPECT_TRUE(isReason(messageOf(sharedScaleFactorLayout(128, 4, 0))));
  EXPECT_TRUE(
      isReason(messageOf(sharedScaleFactorLayout(128, int64_t(1) << 60))));
}
