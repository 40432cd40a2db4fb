//===- FactoriesMeasuredTest.cpp - factories against an H200 --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared-memory images and registers before and after an instruction, as an
// H200 left them. Products are of integers small enough to be exact, so one
// wrong place in a layout of A, B, C or D gives a wrong sum.
//
//===----------------------------------------------------------------------===//

#include "Measured.h"
#include "MeasuredArrays.h"
#include "TIRx/Layout/Factories.h"
#include "Testing.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::StringRef;
namespace json = llvm::json;

using Matrix = std::vector<std::vector<double>>;

static const MeasuredFile &measured() {
  static const MeasuredFile file("layouts");
  return file;
}

/// Calls `visit` with the cases of a kind and returns their number.
template <class Visit>
static unsigned forEachCase(const MeasuredFile &file, StringRef kind,
                            Visit visit) {
  unsigned count = 0;
  for (const json::Value &value : file.cases()) {
    const json::Object &test = *value.getAsObject();
    if (*test.getString("kind") != kind)
      continue;
    SCOPED_TRACE(test.getString("name")->str());
    visit(test);
    ++count;
  }
  return count;
}

static SwizzleMode modeOf(StringRef name) {
  return llvm::StringSwitch<SwizzleMode>(name)
      .Case("32B", SwizzleMode::B32)
      .Case("64B", SwizzleMode::B64)
      .Case("128B", SwizzleMode::B128)
      .Default(SwizzleMode::None);
}

/// The thread of a warp or warpgroup that has a place.
static int64_t threadOf(const Coordinates &at) {
  return 32 * at.get(lookupBuiltinAxis("wid_in_wg")) +
         at.get(lookupBuiltinAxis("laneid"));
}

/// Registers of a fragment for mma.sync, recorded by
/// test/hardware/measure_fragments.py.
static const MeasuredFile &measuredFragments() {
  static const MeasuredFile file("fragments");
  return file;
}

/// A matrix from the registers that `layout` says.
static Matrix fromRegisters(const MeasuredArray &registers,
                            const Layout &layout, int64_t rows, int64_t columns,
                            StringRef type) {
  Matrix matrix(rows, std::vector<double>(columns));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      Coordinates at = layout.apply({r, c}, {rows, columns});
      matrix[r][c] =
          decode(type, registers.element(threadOf(at), at.get(memoryAxis()),
                                         bitsOf(type)));
    }
  return matrix;
}

/// The K slice of an operand in a shared-memory image.
static Matrix fromShared(const MeasuredArray &image, const json::Object &test,
                         StringRef side, int64_t mn, int64_t k,
                         StringRef type) {
  SwizzleMode mode = modeOf(*test.getString(("swizzle_" + side).str()));
  Major major =
      *test.getString(("major_" + side).str()) == "K" ? Major::K : Major::MN;
  int64_t base = *test.getInteger(("base_" + side).str());
  unsigned bits = bitsOf(type);
  // The factory has no elements of one bit: bytes of 8 of them.
  unsigned unit = std::max(bits, 8u);
  int64_t perUnit = unit / bits, slice = k / perUnit;
  int64_t first = *test.getInteger(("first_byte_" + side).str()) * 8 / unit;
  int64_t extent = major == Major::MN
                       ? slice
                       : std::max<int64_t>(getRowBytes(mode) * 8 / unit, slice);
  Layout layout =
      expectLayout(mmaSharedLayout(unit, mode, major, {mn, extent}));
  Matrix matrix(mn, std::vector<double>(k));
  for (int64_t i = 0; i < mn; ++i)
    for (int64_t j = 0; j < k; ++j) {
      int64_t at = layout.apply({i, first + j / perUnit}, {mn, extent})
                       .get(memoryAxis());
      uint64_t element = 0;
      for (unsigned byte = 0; byte < unit / 8; ++byte)
        element |= uint64_t(image.values[base + at * (unit / 8) + byte])
                   << (8 * byte);
      if (bits < 8)
        element = element >> (j % perUnit * bits) & ((1 << bits) - 1);
      matrix[i][j] = decode(type, element);
    }
  return matrix;
}

/// Accumulators, some of which are stored as their values.
static Matrix accumulators(const MeasuredArray &registers, StringRef store,
                           const Layout &layout, int64_t n, StringRef type) {
  return fromRegisters(registers, layout, 64, n,
                       store == "int16" ? "s16" : type);
}

static void expectProduct(const Matrix &a, const Matrix &b, const Matrix &c,
                          const Matrix &d, double scale) {
  for (size_t i = 0; i < d.size(); ++i)
    for (size_t j = 0; j < d[i].size(); ++j) {
      double sum = c[i][j] * scale;
      for (size_t k = 0; k < a[i].size(); ++k)
        sum += a[i][k] * b[j][k];
      ASSERT_EQ(sum, d[i][j]) << i << " " << j;
    }
}

TEST(MeasuredFactories, Wgmma) {
  unsigned inRegisters = 0;
  unsigned count = forEachCase(measured(), "wgmma", [&](const auto &test) {
    int64_t n = *test.getInteger("n"), k = *test.getInteger("k");
    StringRef aType = *test.getString("a"), bType = *test.getString("b"),
              dType = *test.getString("d");
    const MeasuredArray &image = measured().get(test, "smem");
    Matrix a;
    if (*test.getBoolean("a_in_registers")) {
      a = fromRegisters(measured().get(test, "a"),
                        expectLayout(wgmmaOperandLayout(k, bitsOf(aType))), 64,
                        k, aType);
      ++inRegisters;
    } else {
      a = fromShared(image, test, "a", 64, k, aType);
    }
    Matrix b = fromShared(image, test, "b", n, k, bType);
    Layout layout =
        expectLayout(wgmmaAccumulatorLayout(n, /*integer=*/dType == "s32"));
    Matrix c = accumulators(measured().get(test, "c"),
                            *test.getString("c_store"), layout, n, dType);
    Matrix d = accumulators(measured().get(test, "d"),
                            *test.getString("d_store"), layout, n, dType);
    expectProduct(a, b, c, d, double(*test.getInteger("scale_d")));
  });
  EXPECT_GE(count, 20u);
  EXPECT_GE(inRegisters, 8u);
}

/// The column of a dense A that column `j` of a sparse one is, where the first
/// elements of each group are stored: of 2 one, of 4 two, of 8 four.
static int64_t denseColumn(int64_t j, unsigned bits) {
  int64_t stored = bits == 32 ? 1 : bits == 4 ? 4 : 2;
  return j / stored * 2 * stored + j % stored;
}

TEST(MeasuredFactories, Mma) {
  const MeasuredFile &file = measuredFragments();
  unsigned count = forEachCase(file, "mma", [&](const auto &test) {
    int64_t m = *test.getInteger("m"), k = *test.getInteger("k");
    StringRef aType = *test.getString("a"), bType = *test.getString("b"),
              dType = *test.getString("d");
    bool sparse = *test.getBoolean("sparse");
    unsigned bits = bitsOf(aType);
    auto layoutOf = [&](MmaOperand operand) {
      return expectLayout(mmaFragmentLayout(operand, m, k, bits, sparse));
    };
    int64_t stored = sparse ? k / 2 : k;
    Matrix a = fromRegisters(file.get(test, "a"), layoutOf(MmaOperand::A), m,
                             stored, aType);
    if (sparse) {
      Matrix dense(m, std::vector<double>(k));
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < stored; ++j)
          dense[i][denseColumn(j, bits)] = a[i][j];
      a = dense;
    }
    Matrix b = fromRegisters(file.get(test, "b"), layoutOf(MmaOperand::B), 8, k,
                             bType);
    Layout layout = layoutOf(MmaOperand::D);
    Matrix c = fromRegisters(file.get(test, "c"), layout, m, 8, dType);
    Matrix d = fromRegisters(file.get(test, "d"), layout, m, 8, dType);
    expectProduct(a, b, c, d, 1);
  });
  EXPECT_EQ(count, 34u);
}

TEST(MeasuredFactories, QuadPairs) {
  const MeasuredFile &file = measuredFragments();
  unsigned count = forEachCase(file, "quad_pair", [&](const auto &test) {
    StringRef dType = *test.getString("d");
    Layout aLayout = expectLayout(quadPairFragmentLayout(
        MmaOperand::A, *test.getString("layout_a") == "row"));
    Layout bLayout = expectLayout(quadPairFragmentLayout(
        MmaOperand::B, *test.getString("layout_b") == "col"));
    Layout dLayout = expectLayout(
        quadPairFragmentLayout(MmaOperand::D, true, bitsOf(dType)));
    // Four products one below the other.
    Matrix a = fromRegisters(file.get(test, "a"), aLayout, 32, 4, "f16");
    Matrix b = fromRegisters(file.get(test, "b"), bLayout, 32, 4, "f16");
    Matrix c = fromRegisters(file.get(test, "c"), dLayout, 32, 8, dType);
    Matrix d = fromRegisters(file.get(test, "d"), dLayout, 32, 8, dType);
    auto part = [](const Matrix &matrix, int64_t i) {
      return Matrix(matrix.begin() + 8 * i, matrix.begin() + 8 * i + 8);
    };
    for (int64_t i = 0; i < 4; ++i)
      expectProduct(part(a, i), part(b, i), part(c, i), part(d, i), 1);
  });
  EXPECT_EQ(count, 8u);
}

TEST(MeasuredFactories, Movmatrix) {
  const MeasuredFile &file = measuredFragments();
  unsigned count = forEachCase(file, "movmatrix", [&](const auto &test) {
    Layout plain = expectLayout(ldmatrixLayout(MatrixShape::M8N8, 1, false));
    Layout turned = expectLayout(ldmatrixLayout(MatrixShape::M8N8, 1, true));
    EXPECT_EQ(fromRegisters(file.get(test, "a"), plain, 8, 8, "u16"),
              fromRegisters(file.get(test, "d"), turned, 8, 8, "u16"));
  });
  EXPECT_EQ(count, 1u);
}

/// Rows that the lanes point to, as (matrix, row, element) of the layout.
TEST(MeasuredFactories, Matrices) {
  for (bool store : {false, true}) {
    unsigned count = forEachCase(
        measured(), store ? "stmatrix" : "ldmatrix", [&](const auto &test) {
          int64_t matrices = *test.getInteger("count");
          bool transposed = *test.getBoolean("trans");
          auto make = store ? stmatrixLayout : ldmatrixLayout;
          Layout layout =
              expectLayout(make(MatrixShape::M8N8, matrices, transposed));
          Layout rows =
              expectLayout(matrixAddressLayout(MatrixShape::M8N8, matrices));
          const MeasuredArray &in = measured().get(test, "in");
          const MeasuredArray &out = measured().get(test, "out");
          const MeasuredArray &address = measured().get(test, "addr");
          const MeasuredArray &registers =
              store ? measured().get(test, "regs") : out;
          MeasuredArray image = in;
          for (int64_t i = 0; i < matrices; ++i)
            for (int64_t r = 0; r < 8; ++r)
              for (int64_t e = 0; e < 8; ++e) {
                int64_t lane = threadOf(rows.apply({i, r}, {matrices, 8}));
                int64_t byte = address.values[lane] + 2 * e;
                Coordinates at = layout.apply({i, r, e}, {matrices, 8, 8});
                int64_t value =
                    registers.element(threadOf(at), at.get(memoryAxis()), 16);
                if (store) {
                  image.values[byte] = value & 255;
                  image.values[byte + 1] = value >> 8;
                } else {
                  ASSERT_EQ(in.values[byte] | in.values[byte + 1] << 8, value);
                }
              }
          if (store)
            EXPECT_EQ(image.values, out.values);
        });
    EXPECT_EQ(count, 12u);
  }
}

namespace {
/// A box of global memory that a copy moves, rows being all dimensions but the
/// innermost.
struct Box {
  std::vector<int64_t> extents, corner, steps, tensor, strides;

  Box(const json::Object &test)
      : extents(toIntegers(test.getArray("box"))),
        corner(toIntegers(test.getArray("coordinates"))),
        steps(toIntegers(test.getArray("element_strides"))),
        tensor(toIntegers(test.getArray("global_dim"))),
        strides(toIntegers(test.getArray("global_strides_bytes"))) {
    strides.insert(strides.begin(), *test.getInteger("bits") / 8);
    // A step along a dimension reads fewer elements; the innermost has none.
    for (size_t i = 1; i < extents.size(); ++i)
      extents[i] = (extents[i] + steps[i] - 1) / steps[i];
  }

  int64_t rows() const {
    int64_t count = 1;
    for (size_t i = 1; i < extents.size(); ++i)
      count *= extents[i];
    return count;
  }

  /// The byte of an element in global memory; none outside the tensor.
  std::optional<int64_t> byteOf(int64_t row, int64_t column) const {
    int64_t byte = 0;
    for (size_t i = 0; i < extents.size(); ++i) {
      int64_t index = i == 0 ? column : row % extents[i] * steps[i];
      if (i > 0)
        row /= extents[i];
      index += corner[i];
      if (index < 0 || index >= tensor[i])
        return std::nullopt;
      byte += index * strides[i];
    }
    return byte;
  }
};
} // namespace

/// Boxes as long as the swizzle's width: each element is where the layout says.
/// A load fills elements outside of the tensor, and touches nothing else of an
/// image of bytes 0xa5; a store skips them.
TEST(MeasuredFactories, TmaTiles) {
  int64_t moved = 0;
  unsigned count = forEachCase(measured(), "tma", [&](const auto &test) {
    Box box(test);
    bool store = *test.getBoolean("store");
    int64_t fill = *test.getString("fill") == "nan" ? 0x7ff7 : 0;
    int64_t bytes = *test.getInteger("bits") / 8, rows = box.rows();
    llvm::SmallVector<int64_t> shape = {(rows + 7) / 8 * 8, box.extents[0]};
    Layout layout = expectLayout(
        tmaSharedLayout(bytes * 8, modeOf(*test.getString("swizzle")), shape));
    const MeasuredArray &image = measured().get(test, "smem");
    const MeasuredArray &global = measured().get(test, "global");
    std::vector<bool> touched(image.values.size());
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < box.extents[0]; ++column) {
        std::optional<int64_t> from = box.byteOf(row, column);
        int64_t to =
            layout.apply({row, column}, shape).get(memoryAxis()) * bytes;
        for (int64_t i = 0; i < bytes; ++i) {
          touched[to + i] = true;
          if (from)
            ASSERT_EQ(image.values[to + i], global.values[*from + i]);
          else if (!store)
            ASSERT_EQ(image.values[to + i], fill >> (i % 2 * 8) & 255);
        }
        moved += from || !store;
      }
    for (size_t i = 0; i < touched.size() && !store; ++i)
      if (!touched[i])
        ASSERT_EQ(image.values[i], 0xa5);
  });
  EXPECT_EQ(count, 18u);
  EXPECT_GE(moved, 1000);
}
