//===- FactoriesTest.cpp - layouts that the hardware prescribes -----------===//
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

#include "TIRx/Layout/Factories.h"
#include "TIRx/Layout/Algebra.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;

static Layout get(llvm::Expected<Layout> layout) {
  if (!layout) {
    ADD_FAILURE() << llvm::toString(layout.takeError());
    return llvm::cantFail(TileLayout::get({}));
  }
  return *layout;
}

static constexpr SwizzleMode kModes[] = {SwizzleMode::None, SwizzleMode::B32,
                                         SwizzleMode::B64, SwizzleMode::B128};

/// Bytes are grouped in slabs of one row width; in a slab, line i (a row of K
/// or of MN) is at i * row, and 16-byte chunk c of it at chunk c ^ pattern.
TEST(Factories, SharedMemory) {
  for (unsigned bits : {8u, 16u, 32u})
    for (SwizzleMode mode : kModes)
      for (Major major : {Major::K, Major::MN}) {
        int64_t es = bits / 8, row = getRowBytes(mode);
        int64_t along = 2 * row / es, across = 24;
        bool kMajor = major == Major::K;
        int64_t mn = kMajor ? across : along, k = kMajor ? along : across;
        Layout layout = get(mmaSharedLayout(bits, mode, major, {2, mn, k}));
        int64_t mask = row / 16 - 1;
        for (int64_t stage = 0; stage < 2; ++stage)
          for (int64_t i = 0; i < mn; ++i)
            for (int64_t j = 0; j < k; ++j) {
              int64_t line = kMajor ? i : j, byte = (kMajor ? j : i) * es;
              int64_t linear = stage * mn * k * es + byte / row * across * row +
                               line * row + byte % row;
              int64_t expected = linear ^ (((linear >> 7) & mask) << 4);
              ASSERT_EQ(
                  layout.apply({stage, i, j}, {2, mn, k}).get(memoryAxis()) *
                      es,
                  expected);
            }
        EXPECT_TRUE(isInjective(layout));
      }
}

/// What the factory makes, an MMA can read.
TEST(Factories, SharedMemoryHasDescriptors) {
  for (SwizzleMode mode : kModes)
    for (Major major : {Major::K, Major::MN})
      for (int64_t mn : {64, 128, 192, 256})
        for (int64_t k : {64, 128}) {
          Layout layout = get(mmaSharedLayout(16, mode, major, {mn, k}));
          auto desc = deriveTcgen05Descriptor({layout, {mn, k}, 1, 16});
          ASSERT_TRUE(bool(desc)) << llvm::toString(desc.takeError());
          EXPECT_EQ(desc->major, major);
          EXPECT_EQ(desc->swizzle, mode);
        }
}

TEST(Factories, SharedMemoryRefusals) {
  auto refused = [](unsigned bits, llvm::ArrayRef<int64_t> shape) {
    return isReason(
        messageOf(mmaSharedLayout(bits, SwizzleMode::B128, Major::K, shape)));
  };
  EXPECT_TRUE(refused(16, {128, 32}));
  EXPECT_TRUE(refused(16, {12, 64}));
  EXPECT_TRUE(refused(16, {128, 0}));
  EXPECT_TRUE(refused(16, {0, 64}));
  EXPECT_TRUE(refused(16, {-8, 64}));
  EXPECT_TRUE(refused(16, {64}));
  EXPECT_TRUE(refused(6, {128, 64}));
  EXPECT_TRUE(refused(16, {-1, 128, 64}));
  EXPECT_TRUE(refused(16, {int64_t(1) << 60, 128, 64}));
  EXPECT_TRUE(refused(16, {int64_t(1) << 40, int64_t(1) << 40}));
  EXPECT_TRUE(
      isEqual(get(mmaSharedLayout(4, SwizzleMode::B128, Major::K, {128, 256})),
              parse("Compose(5, 3, 3, S[32768 : 1])")));
}

TEST(Factories, Accumulators) {
  Axis lane = lookupBuiltinAxis("TLane"), column = lookupBuiltinAxis("TCol");
  using D = TmemDatapath;
  struct {
    D datapath;
    int64_t rows;
  } cases[] = {{D::A, 128}, {D::B, 64}, {D::C, 64}, {D::D, 128},
               {D::E, 64},  {D::F, 64}, {D::G, 32}};
  for (auto c : cases)
    for (int64_t n : {8, 24, 112, 256})
      for (bool upper : {false, true}) {
        bool half = c.datapath == D::C || c.datapath == D::F;
        auto made = tmemAccumulatorLayout(c.datapath, c.rows, n, upper);
        if (upper && !half) {
          EXPECT_TRUE(isReason(messageOf(std::move(made))));
          continue;
        }
        Layout layout = get(std::move(made));
        for (int64_t r = 0; r < c.rows; ++r)
          for (int64_t col = 0; col < n; ++col) {
            int64_t parts = half ? 1 : 128 / c.rows;
            int64_t expectedLane =
                half ? 32 * (r / 16) + r % 16 + (upper ? 16 : 0)
                     : r + c.rows * (col / (n / parts));
            Coordinates at = layout.apply({r, col}, {c.rows, n});
            ASSERT_EQ(at.get(lane), expectedLane);
            ASSERT_EQ(at.get(column), col % (n / parts));
          }
      }
  EXPECT_TRUE(isReason(messageOf(tmemAccumulatorLayout(D::D, 64, 64))));
  EXPECT_TRUE(isReason(messageOf(tmemAccumulatorLayout(D::G, 32, 18))));
  EXPECT_TRUE(isReason(messageOf(tmemAccumulatorLayout(D::D, 128, 0))));
  EXPECT_TRUE(isReason(messageOf(tmemAccumulatorLayout(D::D, 128, -4))));

  // A 16-bit element is the low half of its column: TCol counts halves.
  Layout half = get(tmemAccumulatorLayout(D::F, 64, 32, false, 16));
  for (int64_t r = 0; r < 64; ++r)
    for (int64_t c = 0; c < 32; ++c) {
      Coordinates place = half.apply(r * 32 + c);
      EXPECT_EQ(place.get(lane), 32 * (r / 16) + r % 16);
      EXPECT_EQ(place.get(column), 2 * c);
    }
  EXPECT_TRUE(
      isReason(messageOf(tmemAccumulatorLayout(D::D, 128, 64, false, 8))));
}

/// PTX ISA 9.7.16.8: register and lane of each 32-bit cell of an access, cell
/// by cell; rows of a warp and repeats follow.
TEST(Factories, Fragments) {
  Axis lane = lookupBuiltinAxis("laneid"),
       warp = lookupBuiltinAxis("wid_in_wg");
  for (unsigned bits : {8u, 16u, 32u})
    for (int64_t rows : {64, 128})
      for (TmemAccess access :
           {TmemAccess::B16x64, TmemAccess::B16x128, TmemAccess::B16x256}) {
        int64_t packed = 32 / bits;
        int64_t cells = access == TmemAccess::B16x64    ? 2
                        : access == TmemAccess::B16x128 ? 4
                                                        : 8;
        int64_t columns = 6 * cells * packed;
        Layout layout = get(tmemFragmentLayout(access, rows, columns, bits));
        EXPECT_TRUE(isInjective(layout));
        int64_t rowsPerWarp = rows / 4, perRepeat = cells / 2;
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < columns; ++c) {
            int64_t row = r % 16, upper = r % rowsPerWarp / 16;
            int64_t cell = c / packed % cells, repeat = c / packed / cells;
            int64_t expectedLane, reg;
            if (access == TmemAccess::B16x64) {
              expectedLane = 4 * (row % 8) + row / 8 + 2 * cell;
              reg = 0;
            } else if (access == TmemAccess::B16x128) {
              expectedLane = 4 * (row % 8) + cell;
              reg = row / 8;
            } else {
              expectedLane = 4 * (row % 8) + cell / 2;
              reg = cell % 2 + 2 * (row / 8);
            }
            reg += perRepeat * (repeat + 6 * upper);
            Coordinates at = layout.apply({r, c}, {rows, columns});
            ASSERT_EQ(at.get(warp), r / rowsPerWarp);
            ASSERT_EQ(at.get(lane), expectedLane) << r << " " << c;
            ASSERT_EQ(at.get(memoryAxis()), reg * packed + c % packed);
          }
      }
  Axis thread = lookupBuiltinAxis("tid_in_wg");
  for (int64_t rows : {64, 128}) {
    Layout layout = get(tmemFragmentLayout(TmemAccess::B32x32, rows, 20));
    for (int64_t r = 0; r < rows; ++r) {
      Coordinates at = layout.apply({r, 7}, {rows, 20});
      EXPECT_EQ(at.get(memoryAxis()), 7);
      EXPECT_EQ(at.get(thread), rows == 64 ? 32 * (r / 16) + r % 16 : r);
    }
  }
  auto refused = [](TmemAccess access, int64_t rows, int64_t columns,
                    unsigned bits) {
    return isReason(messageOf(tmemFragmentLayout(access, rows, columns, bits)));
  };
  EXPECT_TRUE(refused(TmemAccess::B16x256, 64, 12, 32));
  EXPECT_TRUE(refused(TmemAccess::B16x256, 96, 16, 32));
  EXPECT_TRUE(refused(TmemAccess::B32x32, 128, 3, 16));
  EXPECT_TRUE(refused(TmemAccess::B32x32, 128, 0, 32));
  EXPECT_TRUE(refused(TmemAccess::B32x32, 128, 64, 64));
  EXPECT_TRUE(refused(TmemAccess::B16x64, 128, INT64_MAX / 4 * 4, 8));
}
