//===- FactoriesWarpTest.cpp - fragments of a warp ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The specification says which row and column the i-th element of a lane has;
// here that is written out for each shape, and the layouts are read backwards.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Factories.h"
#include "Testing.h"
#include <functional>

using namespace tirx;
using namespace tirx::testing;

namespace {
struct Place {
  int64_t row, column;
};
/// The place of element `i` of a lane, g = lane / 4, t = lane % 4.
using Formula = std::function<Place(int64_t g, int64_t t, int64_t i)>;
} // namespace

/// Checks that each of the `perLane` elements of each lane is where `formula`
/// says and that there are no others.
static void expectFragment(const Layout &layout, int64_t rows, int64_t columns,
                           int64_t perLane, const Formula &formula) {
  Axis laneid = lookupBuiltinAxis("laneid");
  ASSERT_EQ(*layout.getSize(), rows * columns);
  ASSERT_EQ(32 * perLane, rows * columns);
  EXPECT_TRUE(isInjective(layout));
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < perLane; ++i) {
      Place at = formula(lane / 4, lane % 4, i);
      ASSERT_LT(at.row, rows);
      ASSERT_LT(at.column, columns);
      Coordinates got = layout.apply({at.row, at.column}, {rows, columns});
      ASSERT_EQ(got.get(laneid), lane) << at.row << " " << at.column;
      ASSERT_EQ(got.get(memoryAxis()), i) << at.row << " " << at.column;
    }
}

static void expectMma(MmaOperand operand, int64_t m, int64_t k, unsigned bits,
                      const Formula &formula, bool sparse = false) {
  SCOPED_TRACE(::testing::Message() << "m" << m << "n8k" << k << ", " << bits
                                    << " bits, operand " << int(operand));
  Layout layout = expectLayout(mmaFragmentLayout(operand, m, k, bits, sparse));
  int64_t rows = operand == MmaOperand::B ? 8 : m;
  int64_t columns = operand == MmaOperand::D             ? 8
                    : operand == MmaOperand::A && sparse ? k / 2
                                                         : k;
  expectFragment(layout, rows, columns, rows * columns / 32, formula);
}

/// The formulas of A, B as (K, N), and D of one instruction.
static void expectMma(int64_t m, int64_t k, unsigned bits, const Formula &a,
                      const Formula &b, const Formula &d) {
  expectMma(MmaOperand::A, m, k, bits, a);
  expectMma(MmaOperand::B, m, k, bits, [&](int64_t g, int64_t t, int64_t i) {
    Place at = b(g, t, i);
    return Place{at.column, at.row};
  });
  expectMma(MmaOperand::D, m, k, bits, d);
}

/// PTX ISA 9.7.14.5.2 to 9.7.14.5.5.
TEST(WarpFragments, MmaM8) {
  Formula d = [](int64_t g, int64_t t, int64_t i) {
    return Place{g, t * 2 + i};
  };
  expectMma(
      8, 4, 64, [](int64_t g, int64_t t, int64_t) { return Place{g, t}; },
      [](int64_t g, int64_t t, int64_t) { return Place{t, g}; }, d);
  expectMma(
      8, 16, 8,
      [](int64_t g, int64_t t, int64_t i) { return Place{g, t * 4 + i}; },
      [](int64_t g, int64_t t, int64_t i) { return Place{t * 4 + i, g}; }, d);
  expectMma(
      8, 32, 4,
      [](int64_t g, int64_t t, int64_t i) { return Place{g, t * 8 + i}; },
      [](int64_t g, int64_t t, int64_t i) { return Place{t * 8 + i, g}; }, d);
  expectMma(
      8, 128, 1,
      [](int64_t g, int64_t t, int64_t i) { return Place{g, t * 32 + i}; },
      [](int64_t g, int64_t t, int64_t i) { return Place{t * 32 + i, g}; }, d);
}

static Place accumulator16(int64_t g, int64_t t, int64_t i) {
  return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
}

/// PTX ISA 9.7.14.5.6 and 9.7.14.5.7.
TEST(WarpFragments, MmaM16SmallK) {
  for (unsigned bits : {32u, 64u}) {
    expectMma(
        16, 4, bits,
        [](int64_t g, int64_t t, int64_t i) {
          return Place{i == 0 ? g : g + 8, t};
        },
        [](int64_t g, int64_t t, int64_t) { return Place{t, g}; },
        accumulator16);
    expectMma(
        16, 8, bits,
        [](int64_t g, int64_t t, int64_t i) {
          return Place{i == 0 || i == 2 ? g : g + 8,
                       i == 0 || i == 1 ? t : t + 4};
        },
        [](int64_t g, int64_t t, int64_t i) {
          return Place{i == 0 ? t : t + 4, g};
        },
        accumulator16);
  }
  expectMma(
      16, 8, 16,
      [](int64_t g, int64_t t, int64_t i) {
        return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)};
      },
      [](int64_t g, int64_t t, int64_t i) { return Place{t * 2 + i, g}; },
      accumulator16);
}

/// PTX ISA 9.7.14.5.8 and 9.7.14.5.9.
TEST(WarpFragments, MmaM16K16) {
  expectMma(
      16, 16, 16,
      [](int64_t g, int64_t t, int64_t i) {
        bool upper = !(i < 2 || (4 <= i && i < 6));
        return Place{upper ? g + 8 : g,
                     i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
      },
      [](int64_t g, int64_t t, int64_t i) {
        return Place{i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g};
      },
      accumulator16);
  expectMma(
      16, 16, 64,
      [](int64_t g, int64_t t, int64_t i) {
        return i % 2 == 0 ? Place{g, i * 2 + t} : Place{g + 8, i * 2 - 2 + t};
      },
      [](int64_t g, int64_t t, int64_t i) { return Place{t + i * 4, g}; },
      accumulator16);
  expectMma(
      16, 16, 8,
      [](int64_t g, int64_t t, int64_t i) {
        return Place{i < 4 ? g : g + 8, t * 4 + (i & 3)};
      },
      [](int64_t g, int64_t t, int64_t i) { return Place{t * 4 + i, g}; },
      accumulator16);
}

/// PTX ISA 9.7.14.5.10 to 9.7.14.5.13.
TEST(WarpFragments, MmaM16LargeK) {
  expectMma(
      16, 32, 4,
      [](int64_t g, int64_t t, int64_t i) {
        return Place{i < 8 ? g : g + 8, t * 8 + (i & 7)};
      },
      [](int64_t g, int64_t t, int64_t i) { return Place{t * 8 + (i & 7), g}; },
      accumulator16);
  expectMma(
      16, 32, 8,
      [](int64_t g, int64_t t, int64_t i) {
        bool upper = !(i < 4 || (8 <= i && i < 12));
        return Place{upper ? g + 8 : g,
                     i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
      },
      [](int64_t g, int64_t t, int64_t i) {
        return Place{i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g};
      },
      accumulator16);
  expectMma(
      16, 64, 4,
      [](int64_t g, int64_t t, int64_t i) {
        bool upper = !(i < 8 || (16 <= i && i < 24));
        return Place{upper ? g + 8 : g,
                     i < 16 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32};
      },
      [](int64_t g, int64_t t, int64_t i) {
        return Place{i < 8 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32, g};
      },
      accumulator16);
  expectMma(
      16, 128, 1,
      [](int64_t g, int64_t t, int64_t i) {
        return Place{i < 32 ? g : g + 8, t * 32 + (i & 31)};
      },
      [](int64_t g, int64_t t, int64_t i) { return Place{t * 32 + i, g}; },
      accumulator16);
  expectMma(
      16, 256, 1,
      [](int64_t g, int64_t t, int64_t i) {
        bool upper = !(i < 32 || (64 <= i && i < 96));
        return Place{upper ? g + 8 : g,
                     i < 64 ? t * 32 + (i & 31) : t * 32 + (i & 31) + 128};
      },
      [](int64_t g, int64_t t, int64_t i) {
        return Place{i < 32 ? t * 32 + (i & 31) : t * 32 + (i & 31) + 128, g};
      },
      accumulator16);
}

/// PTX ISA 9.7.14.6.2: the columns [firstcol, lastcol] of which the elements
/// ai of a lane are the non-zeros, and the fragments that it says are those of
/// another shape.
TEST(WarpFragments, SparseMma) {
  struct {
    int64_t k;
    unsigned bits;
    /// Dense columns for each stored one, the span of a lane, the step to its
    /// second span, and the elements of A in one span.
    int64_t span, second, perSpan;
  } cases[] = {{16, 16, 4, 0, 2}, {32, 16, 4, 16, 2}, {8, 32, 2, 0, 1},
               {16, 32, 2, 8, 1}, {32, 8, 8, 0, 4},   {64, 8, 8, 32, 4},
               {64, 4, 16, 0, 8}, {128, 4, 16, 64, 8}};
  for (auto c : cases) {
    // Half of the dense columns of a span are stored.
    expectMma(
        MmaOperand::A, 16, c.k, c.bits,
        [&](int64_t g, int64_t t, int64_t i) {
          int64_t row = i / c.perSpan % 2 == 0 ? g : g + 8;
          int64_t first = t * c.span + (i >= 2 * c.perSpan ? c.second : 0);
          return Place{row, first / 2 + i % c.perSpan};
        },
        /*sparse=*/true);
    Layout d =
        expectLayout(mmaFragmentLayout(MmaOperand::D, 16, c.k, c.bits, true));
    expectFragment(d, 16, 8, 4, accumulator16);
    // B of the smaller K is that of the dense instruction of this K.
    Layout b =
        expectLayout(mmaFragmentLayout(MmaOperand::B, 16, c.k, c.bits, true));
    if (c.second == 0)
      EXPECT_TRUE(isEqual(
          b, expectLayout(mmaFragmentLayout(MmaOperand::B, 16, c.k, c.bits))));
    // Figures 121, 124, 132 to 135 and 142 to 145: a register takes the next
    // quarter of the rows of B.
    int64_t packed = 32 / c.bits;
    expectFragment(b, 8, c.k, c.k / 4, [&](int64_t g, int64_t t, int64_t i) {
      return Place{g, i / packed * 4 * packed + t * packed + i % packed};
    });
  }
}

/// PTX ISA 9.7.14.5.1.
TEST(WarpFragments, QuadPairs) {
  Axis laneid = lookupBuiltinAxis("laneid");
  auto expect = [&](const Layout &layout, int64_t rows, int64_t columns,
                    auto place) {
    int64_t perLane = rows * columns / 8;
    ASSERT_EQ(*layout.getSize(), 4 * rows * columns);
    EXPECT_TRUE(isInjective(layout));
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t i = 0; i < perLane; ++i) {
        Place at = place(lane, i);
        Coordinates got = layout.apply({lane % 16 / 4, at.row, at.column},
                                       {4, rows, columns});
        ASSERT_EQ(got.get(laneid), lane);
        ASSERT_EQ(got.get(memoryAxis()), i);
      }
  };
  using Op = MmaOperand;
  // .row of A, .col of B.
  expect(expectLayout(quadPairFragmentLayout(Op::A, true)), 8, 4,
         [](int64_t lane, int64_t i) {
           return Place{lane < 16 ? lane % 4 : lane % 4 + 4, i};
         });
  expect(expectLayout(quadPairFragmentLayout(Op::B, true)), 8, 4,
         [](int64_t lane, int64_t i) {
           int64_t row = i, column = lane < 16 ? lane % 4 : lane % 4 + 4;
           return Place{column, row};
         });
  // .col of A, .row of B.
  expect(expectLayout(quadPairFragmentLayout(Op::A, false)), 8, 4,
         [](int64_t lane, int64_t i) {
           return Place{lane < 16 ? i % 4 : i % 4 + 4, lane % 4};
         });
  expect(expectLayout(quadPairFragmentLayout(Op::B, false)), 8, 4,
         [](int64_t lane, int64_t i) {
           int64_t row = lane % 4, column = lane < 16 ? i : i + 4;
           return Place{column, row};
         });
  expect(expectLayout(quadPairFragmentLayout(Op::D, true, 16)), 8, 8,
         [](int64_t lane, int64_t i) {
           return Place{lane < 16 ? lane % 4 : lane % 4 + 4, i};
         });
  expect(expectLayout(quadPairFragmentLayout(Op::D, true, 32)), 8, 8,
         [](int64_t lane, int64_t i) {
           int64_t x = (lane & 1) + (i & 2);
           return Place{lane < 16 ? x : x + 4, (i & 4) + (lane & 2) + (i & 1)};
         });
  EXPECT_TRUE(isReason(messageOf(quadPairFragmentLayout(Op::D, true, 64))));
}

/// Exactly the shapes of the specification are accepted.
TEST(WarpFragments, MmaShapes) {
  std::set<std::tuple<int64_t, int64_t, unsigned, bool>> legal = {
      {8, 4, 64, false},   {16, 4, 64, false},  {16, 8, 64, false},
      {16, 16, 64, false}, {16, 4, 32, false},  {16, 8, 32, false},
      {16, 8, 16, false},  {16, 16, 16, false}, {8, 16, 8, false},
      {16, 16, 8, false},  {16, 32, 8, false},  {8, 32, 4, false},
      {16, 32, 4, false},  {16, 64, 4, false},  {8, 128, 1, false},
      {16, 128, 1, false}, {16, 256, 1, false}, {16, 8, 32, true},
      {16, 16, 32, true},  {16, 16, 16, true},  {16, 32, 16, true},
      {16, 32, 8, true},   {16, 64, 8, true},   {16, 64, 4, true},
      {16, 128, 4, true}};
  for (MmaOperand operand : {MmaOperand::A, MmaOperand::B, MmaOperand::D})
    for (int64_t m : {-8, 0, 4, 8, 16, 32})
      for (int64_t k : {-16, 0, 1, 2, 4, 8, 16, 24, 32, 64, 128, 256, 512})
        for (unsigned bits : {0u, 1u, 2u, 4u, 6u, 8u, 16u, 32u, 64u, 128u})
          for (bool sparse : {false, true}) {
            auto got = mmaFragmentLayout(operand, m, k, bits, sparse);
            EXPECT_EQ(bool(got), legal.count({m, k, bits, sparse}) == 1)
                << m << " " << k << " " << bits << " " << sparse;
            if (!got)
              EXPECT_TRUE(isReason(llvm::toString(got.takeError())));
          }
  EXPECT_EQ(messageOf(mmaFragmentLayout(MmaOperand::A, 16, 12, 64)),
            "expected K of an mma with M 16 and 64-bit elements to be 4, 8 or "
            "16, got 12");
}

/// PTX ISA 9.7.14.3: of quad g, the even lane of a pair has the scales of row g
/// of A and the odd lane those of row g + 8; one lane those of column g of B.
TEST(WarpFragments, MmaScaleFactors) {
  Axis laneid = lookupBuiltinAxis("laneid");
  for (MmaOperand operand : {MmaOperand::A, MmaOperand::B, MmaOperand::D})
    for (int64_t scales : {-1, 0, 1, 2, 3, 4, 8})
      for (int64_t thread = -1; thread <= 4; ++thread)
        for (int64_t byte = -1; byte <= 4; ++byte) {
          bool isA = operand == MmaOperand::A;
          // Table 37.
          std::set<int64_t> bytes = scales == 1 ? std::set<int64_t>{0, 1, 2, 3}
                                    : scales == 2 ? std::set<int64_t>{0, 2}
                                    : scales == 4 ? std::set<int64_t>{0}
                                                  : std::set<int64_t>{};
          bool legal = operand != MmaOperand::D && bytes.count(byte) == 1 &&
                       thread >= 0 && thread <= (isA ? 1 : 3);
          auto made = mmaScaleFactorLayout(operand, scales, thread, byte);
          ASSERT_EQ(bool(made), legal);
          if (!made) {
            EXPECT_TRUE(isReason(llvm::toString(made.takeError())));
            continue;
          }
          int64_t rows = isA ? 16 : 8;
          ASSERT_EQ(*made->getSize(), rows * scales);
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t s = 0; s < scales; ++s) {
              Coordinates at = made->apply({r, s}, {rows, scales});
              int64_t inQuad = isA ? 2 * thread + r / 8 : thread;
              ASSERT_EQ(at.get(laneid), 4 * (r % 8) + inQuad);
              ASSERT_EQ(at.get(memoryAxis()), byte + s);
            }
        }
}

/// PTX ISA 9.7.14.5.15 to 9.7.14.5.17: what lane 4 * g + t has of matrix j.
/// The place is the row that an address points to and the element of it.
static void expectMatrices(const Layout &layout, int64_t count, int64_t rows,
                           int64_t columns, const Formula &formula) {
  ASSERT_EQ(*layout.getSize(), count * rows * columns);
  int64_t perMatrix = rows * columns / 32;
  expectFragment(layout, count * rows, columns, count * perMatrix,
                 [&](int64_t g, int64_t t, int64_t i) {
                   Place at = formula(g, t, i % perMatrix);
                   return Place{i / perMatrix * rows + at.row, at.column};
                 });
}

TEST(WarpFragments, Matrices) {
  using Shape = MatrixShape;
  for (int64_t count : {1, 2, 4}) {
    // A register has elements 2t and 2t + 1 of row g, of the transposed matrix
    // if transposed.
    Formula plain = [](int64_t g, int64_t t, int64_t i) {
      return Place{g, 2 * t + i};
    };
    Formula transposed = [](int64_t g, int64_t t, int64_t i) {
      return Place{2 * t + i, g};
    };
    for (auto make : {ldmatrixLayout, stmatrixLayout}) {
      expectMatrices(expectLayout(make(Shape::M8N8, count, false)), count, 8, 8,
                     plain);
      expectMatrices(expectLayout(make(Shape::M8N8, count, true)), count, 8, 8,
                     transposed);
    }
    // Figure 106: four lanes have a row, four neighbours each.
    expectMatrices(
        expectLayout(ldmatrixLayout(Shape::M8N16, count, false)), count, 8, 16,
        [](int64_t g, int64_t t, int64_t i) { return Place{g, 4 * t + i}; });
    // Figure 108: e0 and e1 are in row g of the 16x8 matrix, e2 and e3 in row
    // g + 8, columns 2t and 2t + 1; memory has it column by column.
    expectMatrices(expectLayout(stmatrixLayout(Shape::M16N8, count, true)),
                   count, 8, 16, [](int64_t g, int64_t t, int64_t i) {
                     int64_t row = i < 2 ? g : g + 8, column = 2 * t + i % 2;
                     return Place{column, row};
                   });
    // Figure 105: register r has columns 4t .. 4t + 3 of row g + 8r of the
    // transposed matrix.
    if (count < 4)
      expectMatrices(expectLayout(ldmatrixLayout(Shape::M16N16, count, true)),
                     count, 16, 16, [](int64_t g, int64_t t, int64_t i) {
                       int64_t row = g + 8 * (i / 4), column = 4 * t + i % 4;
                       return Place{column, row};
                     });
  }
}

TEST(WarpFragments, MatrixAddresses) {
  Axis laneid = lookupBuiltinAxis("laneid");
  for (auto [shape, rows] : {std::pair(MatrixShape::M8N8, 8),
                             {MatrixShape::M8N16, 8},
                             {MatrixShape::M16N8, 8},
                             {MatrixShape::M16N16, 16}})
    for (int64_t count : {1, 2, 4}) {
      if (rows * count > 32)
        continue;
      Layout layout = expectLayout(matrixAddressLayout(shape, count));
      ASSERT_EQ(*layout.getSize(), count * rows);
      for (int64_t i = 0; i < count * rows; ++i)
        EXPECT_EQ(layout.apply(i).get(laneid), i);
    }
  EXPECT_TRUE(isReason(messageOf(matrixAddressLayout(MatrixShape::M16N16, 4))));
  EXPECT_TRUE(isReason(messageOf(matrixAddressLayout(MatrixShape::M8N8, 3))));
}

TEST(WarpFragments, MatrixShapes) {
  using Shape = MatrixShape;
  for (Shape shape : {Shape::M8N8, Shape::M8N16, Shape::M16N16, Shape::M16N8})
    for (int64_t count : {-1, 0, 1, 2, 3, 4, 8})
      for (bool transposed : {false, true}) {
        bool power = count == 1 || count == 2 || count == 4;
        bool load =
            (shape == Shape::M8N8 && power) ||
            (shape == Shape::M8N16 && power && !transposed) ||
            (shape == Shape::M16N16 && power && count < 4 && transposed);
        bool store = (shape == Shape::M8N8 && power) ||
                     (shape == Shape::M16N8 && power && transposed);
        auto loaded = ldmatrixLayout(shape, count, transposed);
        auto stored = stmatrixLayout(shape, count, transposed);
        EXPECT_EQ(bool(loaded), load);
        EXPECT_EQ(bool(stored), store);
        if (!loaded)
          EXPECT_TRUE(isReason(llvm::toString(loaded.takeError())));
        if (!stored)
          EXPECT_TRUE(isReason(llvm::toString(stored.takeError())));
      }
}

/// What ldmatrix loads of row-major tiles is what mma.sync reads: the usual
/// pairings.
TEST(WarpFragments, LdmatrixFeedsMma) {
  // A of m16n8k16: matrices (rows 0-7, 8-15) x (columns 0-7, 8-15), rows first.
  Layout loaded = expectLayout(ldmatrixLayout(MatrixShape::M8N8, 4, false));
  Layout a = expectLayout(mmaFragmentLayout(MmaOperand::A, 16, 16, 16));
  for (int64_t r = 0; r < 16; ++r)
    for (int64_t c = 0; c < 16; ++c)
      EXPECT_EQ(a.apply({r, c}, {16, 16}),
                loaded.apply({r / 8 + 2 * (c / 8), r % 8, c % 8}, {4, 8, 8}));
  // B of two K halves, from (N, K) rows, and from (K, N) rows transposed.
  Layout b = expectLayout(mmaFragmentLayout(MmaOperand::B, 16, 16, 16));
  Layout two = expectLayout(ldmatrixLayout(MatrixShape::M8N8, 2, false));
  Layout turned = expectLayout(ldmatrixLayout(MatrixShape::M8N8, 2, true));
  for (int64_t n = 0; n < 8; ++n)
    for (int64_t k = 0; k < 16; ++k) {
      EXPECT_EQ(b.apply({n, k}, {8, 16}),
                two.apply({k / 8, n, k % 8}, {2, 8, 8}));
      EXPECT_EQ(b.apply({n, k}, {8, 16}),
                turned.apply({k / 8, k % 8, n}, {2, 8, 8}));
    }
  // 8-bit B of m16n8k32 from (K, N) rows of 16: both N halves of K 16.
  Layout bytes = expectLayout(ldmatrixLayout(MatrixShape::M16N16, 2, true));
  Layout b8 = expectLayout(mmaFragmentLayout(MmaOperand::B, 16, 32, 8));
  for (int64_t n = 0; n < 8; ++n)
    for (int64_t k = 0; k < 32; ++k) {
      Coordinates want = b8.apply({n, k}, {8, 32});
      Coordinates got = bytes.apply({k / 16, k % 16, n}, {2, 16, 16});
      EXPECT_EQ(want.get(lookupBuiltinAxis("laneid")),
                got.get(lookupBuiltinAxis("laneid")));
      // A matrix has two registers, one for each half of N.
      EXPECT_EQ(want.get(memoryAxis()) / 4 * 8 + want.get(memoryAxis()) % 4,
                got.get(memoryAxis()));
    }
}
