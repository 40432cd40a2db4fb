//===- FactoriesTensorMemoryTest.cpp - operands in tensor memory ----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each factory against the specification, written out for every element and
// every copy.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Factories.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;

using D = TmemDatapath;

static constexpr D kDatapaths[] = {D::A, D::B, D::C, D::D, D::E, D::F, D::G};

static int64_t rowsOf(D datapath) {
  return datapath == D::A || datapath == D::D ? 128
         : datapath == D::G                   ? 32
                                              : 64;
}

static bool isHalf(D datapath) { return datapath == D::C || datapath == D::F; }

/// Lane and column of D, 9.7.16.10.5.
static std::pair<int64_t, int64_t>
placeOf(D datapath, int64_t row, int64_t column, int64_t columns, bool upper) {
  if (isHalf(datapath))
    return {32 * (row / 16) + row % 16 + (upper ? 16 : 0), column};
  int64_t rows = rowsOf(datapath), perPart = columns / (128 / rows);
  return {row + rows * (column / perPart), column % perPart};
}

static Point tmem(int64_t lane, int64_t column) {
  Point point;
  if (lane != 0)
    point["TLane"] = lane;
  if (column != 0)
    point["TCol"] = column;
  return point;
}

TEST(TensorMemoryFactories, Accumulators) {
  for (D datapath : kDatapaths)
    for (int64_t n : {8, 24, 112, 256, 512})
      for (bool upper : {false, true})
        for (unsigned bits : {16u, 32u}) {
          int64_t rows = rowsOf(datapath);
          auto made = tmemAccumulatorLayout(datapath, rows, n, upper, bits);
          if (upper && !isHalf(datapath)) {
            EXPECT_TRUE(isReason(messageOf(std::move(made))));
            continue;
          }
          Layout layout = expectLayout(std::move(made));
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < n; ++c) {
              auto [lane, column] = placeOf(datapath, r, c, n, upper);
              // A 16-bit element is the low half of its column.
              ASSERT_EQ(toPoints(layout.image(r * n + c)),
                        Points{tmem(lane, column * (32 / bits))});
            }
        }
  auto refused = [](D datapath, int64_t rows, int64_t columns,
                    unsigned bits = 32) {
    return isReason(
        messageOf(tmemAccumulatorLayout(datapath, rows, columns, false, bits)));
  };
  EXPECT_TRUE(refused(D::D, 64, 64));
  EXPECT_TRUE(refused(D::G, 32, 18));
  EXPECT_TRUE(refused(D::D, 128, 0));
  EXPECT_TRUE(refused(D::D, 128, -4));
  EXPECT_TRUE(refused(D::F, 64, 0));
  EXPECT_TRUE(refused(D::D, 128, 64, 8));
  EXPECT_TRUE(refused(D::D, 128, 64, 0));
  EXPECT_TRUE(refused(D::D, 128, INT64_MAX));
  EXPECT_EQ(messageOf(tmemAccumulatorLayout(D::A, 128, 520)),
            "expected at most 512 columns of 32 bits, got 520");
  EXPECT_EQ(messageOf(tmemAccumulatorLayout(D::D, 128, 513, false, 16)),
            "expected at most 512 columns of 32 bits, got 513");
}

/// The table of 9.7.16.10.5, whole.
TEST(TensorMemoryFactories, Datapaths) {
  std::map<std::tuple<int64_t, int, bool, bool>, D> table;
  for (bool sparse : {false, true}) {
    table[{32, 1, true, sparse}] = D::G;
    table[{64, 1, true, sparse}] = D::E;
    table[{64, 1, false, sparse}] = D::F;
    table[{128, 1, false, sparse}] = D::D;
    table[{128, 1, true, sparse}] = D::D;
    table[{256, 2, false, sparse}] = D::A;
  }
  table[{128, 2, false, false}] = D::B;
  table[{128, 2, false, true}] = D::C;
  for (int64_t m : {-64, 0, 16, 32, 64, 96, 128, 192, 256, 512})
    for (int group : {-1, 0, 1, 2, 3})
      for (bool ws : {false, true})
        for (bool sparse : {false, true}) {
          auto got = getTmemDatapath({m, group, ws, sparse});
          auto want = table.find({m, group, ws, sparse});
          ASSERT_EQ(bool(got), want != table.end());
          if (got)
            EXPECT_EQ(*got, want->second);
          else
            EXPECT_TRUE(isReason(llvm::toString(got.takeError())));
        }
}

/// N of table 39.
TEST(TensorMemoryFactories, AccumulatorsOfInstructions) {
  for (int64_t m : {32, 64, 128, 256})
    for (int group : {1, 2})
      for (bool ws : {false, true})
        for (bool sparse : {false, true}) {
          TmemMma mma = {m, group, ws, sparse};
          auto datapath = getTmemDatapath(mma);
          for (int64_t n = -8; n <= 520; n += 4) {
            bool legal = ws ? n == 64 || n == 128 || (n == 256 && !sparse)
                            : n > 0 && n <= 256 && n % (8 * group) == 0;
            auto got = tmemAccumulatorLayout(mma, n);
            ASSERT_EQ(bool(got), bool(datapath) && legal) << m << " " << n;
            if (!got) {
              EXPECT_TRUE(isReason(llvm::toString(got.takeError())));
              continue;
            }
            EXPECT_EQ(*got, expectLayout(tmemAccumulatorLayout(
                                *datapath, rowsOf(*datapath), n)));
          }
          llvm::consumeError(datapath.takeError());
        }
}

/// A is where the lanes that compute a row of D can read it: every lane that
/// holds a part of row r of D holds row r of A, all columns of it.
TEST(TensorMemoryFactories, Operands) {
  for (int64_t m : {32, 64, 128, 256})
    for (int group : {1, 2})
      for (bool ws : {false, true})
        for (bool sparse : {false, true})
          for (bool upper : {false, true})
            for (unsigned bits : {4u, 8u, 16u, 32u}) {
              TmemMma mma = {m, group, ws, sparse};
              int64_t k = 64, n = 64;
              auto d = tmemAccumulatorLayout(mma, n, upper);
              auto a = tmemOperandLayout(mma, k, bits, upper);
              ASSERT_EQ(bool(a), bool(d));
              if (!d) {
                llvm::consumeError(d.takeError());
                EXPECT_TRUE(isReason(llvm::toString(a.takeError())));
                continue;
              }
              int64_t rows = m / group;
              ASSERT_EQ(*a->getSize(), rows * k);
              for (int64_t r = 0; r < rows; ++r) {
                std::set<int64_t> lanes;
                for (int64_t c = 0; c < n; ++c)
                  lanes.insert(
                      d->apply(r * n + c).get(lookupBuiltinAxis("TLane")));
                for (int64_t c = 0; c < k; ++c) {
                  Points want;
                  for (int64_t lane : lanes)
                    want.insert(tmem(lane, c));
                  ASSERT_EQ(toPoints(a->image(r * k + c)), want);
                }
              }
            }
  auto message = [](TmemMma mma, int64_t columns, unsigned bits) {
    return messageOf(tmemOperandLayout(mma, columns, bits));
  };
  EXPECT_EQ(message({128, 2}, 64, 16), "");
  EXPECT_TRUE(isReason(message({128, 2}, 63, 16)));
  EXPECT_TRUE(isReason(message({128, 1}, 64, 6)));
  EXPECT_TRUE(isReason(message({128, 1}, 0, 16)));
  EXPECT_TRUE(isReason(message({128, 1}, 1026, 16)));
  EXPECT_EQ(message({128, 1}, 1024, 16), "");
  EXPECT_TRUE(isReason(message({128, 1}, INT64_MAX - 1, 16)));
}

/// 9.7.16.10.7.2: one byte a scale; four scales share a 32-bit column, further
/// rows are in the next columns, further scales behind all rows.
TEST(TensorMemoryFactories, ScaleFactors) {
  for (int64_t rows : {8, 32, 64, 96, 128, 256})
    for (int64_t scales : {1, 2, 3, 4, 6, 8, 12})
      for (int64_t perMma : {1, 2, 3, 4, 6})
        for (int64_t reuse : {1, 3})
          for (auto copies :
               {ScaleFactorCopies::All, ScaleFactorCopies::Halves}) {
            bool halves = copies == ScaleFactorCopies::Halves;
            int64_t held = halves ? rows / 2 : rows;
            bool k96 = perMma == 3 || perMma == 6;
            bool legal = (held <= 32 || held % 32 == 0) &&
                         scales % perMma == 0 &&
                         (!k96 || (scales % 4 == 0 && rows <= 128));
            auto made =
                tmemScaleFactorLayout(rows, scales, perMma, reuse, copies);
            ASSERT_EQ(bool(made), legal) << rows << " " << scales;
            if (!made) {
              EXPECT_TRUE(isReason(llvm::toString(made.takeError())));
              continue;
            }
            ASSERT_EQ(*made->getSize(), rows * scales * reuse);
            int64_t shared = scales % 4 == 0 ? 4 : scales % 2 == 0 ? 2 : 1;
            int64_t words = (held + 31) / 32;
            for (int64_t r = 0; r < rows; ++r)
              for (int64_t k = 0; k < scales * reuse; ++k) {
                int64_t row = r % held, scale = k / reuse;
                int64_t word = scale / shared * words + row / 32;
                int64_t byte = 4 * word + scale % shared;
                Points want;
                for (int64_t group = 0; group < 4; ++group)
                  if (!halves || group / 2 == r / held)
                    want.insert(tmem(32 * group + row % 32, byte));
                ASSERT_EQ(toPoints(made->image(r * scales * reuse + k)), want);
              }
          }
  auto refused = [](int64_t rows, int64_t scales, int64_t perMma,
                    int64_t reuse = 1) {
    return isReason(
        messageOf(tmemScaleFactorLayout(rows, scales, perMma, reuse)));
  };
  EXPECT_TRUE(refused(0, 4, 4));
  EXPECT_TRUE(refused(-32, 4, 4));
  EXPECT_TRUE(refused(48, 4, 4));
  EXPECT_TRUE(refused(128, 0, 4));
  EXPECT_TRUE(refused(128, 6, 4));
  EXPECT_TRUE(refused(128, 5, 5));
  EXPECT_TRUE(refused(128, 4, 0));
  EXPECT_TRUE(refused(128, 4, 4, 0));
  EXPECT_TRUE(refused(128, 516, 4));
  EXPECT_TRUE(refused(INT64_MAX / 32 * 32, 4, 4));
  EXPECT_TRUE(refused(128, INT64_MAX / 4 * 4, 4));
  EXPECT_TRUE(isReason(messageOf(
      tmemScaleFactorLayout(33, 4, 4, 1, ScaleFactorCopies::Halves))));
}

/// What tcgen05.cp .32x128b.warpx4 copies: 16 bytes of line l to four columns
/// of lane l of each group.
TEST(TensorMemoryFactories, ScaleFactorsFromSharedMemory) {
  for (int64_t scales : {4, 8, 16}) {
    Layout shared = expectLayout(sharedScaleFactorLayout(128, scales));
    Layout tensor = expectLayout(tmemScaleFactorLayout(128, scales, 4));
    for (int64_t i = 0; i < 128 * scales; ++i) {
      int64_t byte = shared.apply(i).get(memoryAxis());
      Points want;
      for (int64_t group = 0; group < 4; ++group)
        want.insert(
            tmem(32 * group + byte % 512 / 16, byte / 512 * 16 + byte % 16));
      ASSERT_EQ(toPoints(tensor.image(i)), want);
    }
  }
}

/// 32x32b: thread t has lane t.
TEST(TensorMemoryFactories, RowFragments) {
  for (D datapath : kDatapaths)
    for (int64_t n : {8, 40, 256}) {
      int64_t rows = rowsOf(datapath);
      bool upper = isHalf(datapath);
      Layout layout =
          expectLayout(tmemRowFragmentLayout(datapath, rows, n, upper));
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < n; ++c) {
          auto [lane, column] = placeOf(datapath, r, c, n, upper);
          Coordinates at = layout.apply(r * n + c);
          ASSERT_EQ(at.get(lookupBuiltinAxis("tid_in_wg")), lane);
          ASSERT_EQ(at.get(memoryAxis()), column);
        }
    }
  EXPECT_TRUE(isReason(messageOf(tmemRowFragmentLayout(D::B, 64, 63))));
  EXPECT_TRUE(isReason(messageOf(tmemRowFragmentLayout(D::B, 128, 64))));
  EXPECT_TRUE(isReason(messageOf(tmemRowFragmentLayout(D::A, 128, 8, true))));
}
