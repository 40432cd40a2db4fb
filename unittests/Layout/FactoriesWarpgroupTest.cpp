//===- FactoriesWarpgroupTest.cpp - fragments of a warpgroup --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each factory against the specification, written out for every element.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Factories.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;

static constexpr TmemAccess kAccesses[] = {
    TmemAccess::B16x64, TmemAccess::B16x128, TmemAccess::B16x256,
    TmemAccess::B16x32x2};

namespace {
/// A 32-bit cell of tensor memory below the address of an access.
struct Cell {
  int64_t row, column;
};
} // namespace

/// Which cell register `r` of a lane is: figures 184 to 187. `half` is
/// immHalfSplitoff.
static Cell cellOf(TmemAccess access, int64_t lane, int64_t r, int64_t half) {
  switch (access) {
  case TmemAccess::B16x64:
    return {lane / 4 + (lane % 2 == 1 ? 8 : 0), 2 * r + lane % 4 / 2};
  case TmemAccess::B16x128:
    return {lane / 4 + (r % 2 == 1 ? 8 : 0), r / 2 * 4 + lane % 4};
  case TmemAccess::B16x256:
    return {lane / 4 + (r % 4 >= 2 ? 8 : 0), r / 4 * 8 + lane % 4 * 2 + r % 2};
  case TmemAccess::B16x32x2:
    return {lane % 16, r + (lane >= 16 ? half : 0)};
  default:
    return {lane, r};
  }
}

TEST(WarpgroupFragments, Tcgen05) {
  Axis laneid = lookupBuiltinAxis("laneid");
  Axis warp = lookupBuiltinAxis("wid_in_wg");
  for (unsigned bits : {8u, 16u, 32u})
    for (int64_t rows : {64, 128})
      for (TmemAccess access : kAccesses) {
        int64_t packed = 32 / bits, cells = 48, columns = cells * packed;
        Layout layout =
            expectLayout(tmemFragmentLayout(access, rows, columns, bits));
        EXPECT_TRUE(isInjective(layout));
        ASSERT_EQ(*layout.getSize(), rows * columns);
        // 16 rows of 48 cells are 24 registers of 32 lanes.
        for (int64_t w = 0; w < 4; ++w)
          for (int64_t lane = 0; lane < 32; ++lane)
            for (int64_t r = 0; r < 24 * rows / 64; ++r)
              for (int64_t e = 0; e < packed; ++e) {
                Cell cell = cellOf(access, lane, r % 24, cells / 2);
                int64_t row = w * rows / 4 + r / 24 * 16 + cell.row;
                Coordinates at = layout.apply({row, cell.column * packed + e},
                                              {rows, columns});
                ASSERT_EQ(at.get(warp), w);
                ASSERT_EQ(at.get(laneid), lane);
                ASSERT_EQ(at.get(memoryAxis()), r * packed + e);
              }
      }
}

TEST(WarpgroupFragments, Tcgen05Rows) {
  Axis thread = lookupBuiltinAxis("tid_in_wg");
  for (int64_t rows : {64, 128}) {
    Layout layout =
        expectLayout(tmemFragmentLayout(TmemAccess::B32x32, rows, 20));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < 20; ++c) {
        Coordinates at = layout.apply({r, c}, {rows, 20});
        EXPECT_EQ(at.get(memoryAxis()), c);
        EXPECT_EQ(at.get(thread), rows == 64 ? 32 * (r / 16) + r % 16 : r);
      }
  }
  auto refused = [](TmemAccess access, int64_t rows, int64_t columns,
                    unsigned bits) {
    return isReason(messageOf(tmemFragmentLayout(access, rows, columns, bits)));
  };
  EXPECT_TRUE(refused(TmemAccess::B16x256, 64, 12, 32));
  EXPECT_TRUE(refused(TmemAccess::B16x256, 96, 16, 32));
  EXPECT_TRUE(refused(TmemAccess::B16x32x2, 64, 3, 32));
  EXPECT_TRUE(refused(TmemAccess::B16x32x2, 64, 2, 16));
  EXPECT_TRUE(refused(TmemAccess::B32x32, 128, 3, 16));
  EXPECT_TRUE(refused(TmemAccess::B32x32, 128, 0, 32));
  EXPECT_TRUE(refused(TmemAccess::B32x32, 128, 64, 64));
  EXPECT_TRUE(refused(TmemAccess::B16x64, 128, INT64_MAX / 4 * 4, 8));
}

/// Figures 149 to 155: warp w has rows 16w to 16w + 15; register pairs of a
/// lane are neighbours, the second pair 8 rows below, the next four 8 columns
/// on.
TEST(WarpgroupFragments, WgmmaAccumulators) {
  for (bool integer : {false, true})
    for (int64_t n = -8; n <= 272; ++n) {
      bool legal = n >= 8 && n <= 256 && n % 8 == 0 &&
                   (!integer || n <= 32 || n % 16 == 0);
      auto made = wgmmaAccumulatorLayout(n, integer);
      ASSERT_EQ(bool(made), legal) << n;
      if (!made) {
        EXPECT_TRUE(isReason(llvm::toString(made.takeError())));
        continue;
      }
      EXPECT_TRUE(isInjective(*made));
      ASSERT_EQ(*made->getSize(), 64 * n);
      for (int64_t t = 0; t < 128; ++t)
        for (int64_t i = 0; i < n / 2; ++i) {
          int64_t row = 16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2);
          int64_t column = 8 * (i / 4) + 2 * (t % 4) + i % 2;
          Coordinates at = made->apply({row, column}, {64, n});
          ASSERT_EQ(at.get(lookupBuiltinAxis("wid_in_wg")), t / 32);
          ASSERT_EQ(at.get(lookupBuiltinAxis("laneid")), t % 32);
          ASSERT_EQ(at.get(memoryAxis()), i);
        }
    }
}

/// Figures 148 to 154: four registers of 32 bits an instruction; odd ones 8
/// rows below, the second two 16 bytes along K.
TEST(WarpgroupFragments, WgmmaOperands) {
  for (unsigned bits : {1u, 8u, 16u, 32u})
    for (int64_t steps : {1, 2, 5}) {
      int64_t packed = 32 / bits, step = 256 / bits, k = steps * step;
      Layout layout = expectLayout(wgmmaOperandLayout(k, bits));
      EXPECT_TRUE(isInjective(layout));
      ASSERT_EQ(*layout.getSize(), 64 * k);
      for (int64_t t = 0; t < 128; ++t)
        for (int64_t r = 0; r < 4 * steps; ++r)
          for (int64_t e = 0; e < packed; ++e) {
            int64_t row = 16 * (t / 32) + t % 32 / 4 + 8 * (r % 2);
            int64_t column =
                r / 4 * step + (r % 4 >= 2 ? step / 2 : 0) + t % 4 * packed + e;
            Coordinates at = layout.apply({row, column}, {64, k});
            ASSERT_EQ(at.get(lookupBuiltinAxis("wid_in_wg")), t / 32);
            ASSERT_EQ(at.get(lookupBuiltinAxis("laneid")), t % 32);
            ASSERT_EQ(at.get(memoryAxis()), r * packed + e);
          }
    }
  EXPECT_TRUE(isReason(messageOf(wgmmaOperandLayout(16, 8))));
  EXPECT_TRUE(isReason(messageOf(wgmmaOperandLayout(0, 16))));
  EXPECT_TRUE(isReason(messageOf(wgmmaOperandLayout(16, 4))));
  EXPECT_TRUE(isReason(messageOf(wgmmaOperandLayout(16, 0))));
  EXPECT_TRUE(isReason(messageOf(wgmmaOperandLayout(64, 64))));
  EXPECT_TRUE(isReason(messageOf(wgmmaOperandLayout(INT64_MAX / 16 * 16, 16))));
}
