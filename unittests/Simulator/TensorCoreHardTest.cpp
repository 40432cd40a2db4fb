//===- TensorCoreHardTest.cpp - hard inputs of matrix products ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles against dot products one at a time, on inputs that sit at the edges of
// the proof in TensorCoreKernel.cpp; and the plain dot products against sums in
// 128-bit integers.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorCore.h"
#include "gtest/gtest.h"
#include <random>

using namespace tirx::sim;

namespace {

/// How the exponents and signs of a tile are chosen.
enum class Style {
  Bits,       ///< any bits, specials too
  Finite,     ///< any finite numbers
  Narrow,     ///< exponents within 4 of each other
  AroundCut,  ///< products 20 to 30 below the largest
  Cancelling, ///< pairs that cancel but for the last places
  Subnormal,  ///< most numbers below the smallest normal one
  Extreme,    ///< products near overflow and near underflow of f32
  Sparse,     ///< mostly zeros beside large numbers
};
constexpr Style kStyles[] = {
    Style::Bits,       Style::Finite,    Style::Narrow,  Style::AroundCut,
    Style::Cancelling, Style::Subnormal, Style::Extreme, Style::Sparse};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  uint32_t element(const FloatFormat &f, Style style) {
    if (style == Style::Bits)
      return uint32_t(random());
    unsigned fields = 1u << f.exponentBits;
    unsigned middle = 1 - f.minExponent; // of 1.0
    unsigned exponent = random() % fields;
    if (style == Style::Narrow)
      exponent = middle + random() % 4;
    else if (style == Style::AroundCut)
      exponent = random() % 4 ? middle : middle + 13 - random() % 26;
    else if (style == Style::Cancelling)
      exponent = middle + random() % 3;
    else if (style == Style::Subnormal)
      exponent = random() % 8 ? 0 : random() % fields;
    else if (style == Style::Extreme)
      exponent = random() % 2 ? fields - 1 - random() % 70 : random() % 70;
    else if (style == Style::Sparse && random() % 4)
      return 0;
    exponent = std::min(std::max(int(exponent), 0), int(fields) - 1);
    uint32_t magnitude = exponent << f.fractionBits |
                         (uint32_t(random()) & ((1u << f.fractionBits) - 1));
    if (random() % 8 == 0) // all ones: the largest significands
      magnitude |= (1u << f.fractionBits) - 1;
    magnitude = std::min(magnitude, f.maxFinite);
    uint32_t sign = uint32_t(random() & 1) << (f.exponentBits + f.fractionBits);
    return (magnitude | sign) << f.containerShift;
  }

  std::vector<uint32_t> matrix(const FloatFormat &f, unsigned rows, unsigned k,
                               Style style) {
    std::vector<uint32_t> bits(rows * k);
    for (uint32_t &b : bits)
      b = element(f, style);
    return bits;
  }

  std::mt19937_64 random;
};

struct Case {
  const FloatFormat *a, *b;
  unsigned k;
  FusedParameters parameters;
};

FusedParameters resultOf(AccumulatorFormat result, int scaleD = 0) {
  FusedParameters parameters;
  parameters.result = result;
  parameters.scaleD = scaleD;
  return parameters;
}

std::vector<Case> cases() {
  const auto F16 = AccumulatorFormat::F16, F32 = AccumulatorFormat::F32;
  return {{&kF16, &kF16, 16, resultOf(F32)},
          {&kF16, &kF16, 16, resultOf(F16)},
          {&kF16, &kF16, 8, resultOf(F32, 7)},
          {&kBF16, &kBF16, 16, resultOf(F32)},
          {&kTF32, &kTF32, 8, resultOf(F32)},
          {&kE4M3, &kE5M2, 32, resultOf(F32)},
          {&kE5M2, &kE5M2, 32, resultOf(F16)},
          {&kE5M2, &kE4M3, 32, FusedParameters::hopperFloat8(F32)},
          {&kE4M3, &kE4M3, 32, FusedParameters::hopperFloat8(F16)},
          {&kE2M1, &kE3M2, 32, resultOf(F32)},
          {&kE2M3, &kE2M3, 32, resultOf(F16)}};
}

} // namespace

/// More than 10^6 dot products: 11 kinds, 8 styles, tiles of 16 x 13, which are
/// narrower than the widest vectors, and of 16 x 29; with and without the
/// vector instructions of the host.
TEST(TensorCoreHard, TilesEqualDotProducts) {
  constexpr unsigned rows = 16, most = 29, rounds = 40;
  Generator generate(11);
  uint64_t checked = 0;
  for (const Case &test : cases())
    for (Style style : kStyles)
      for (unsigned round = 0; round < rounds; ++round) {
        const FloatFormat &cFormat =
            test.parameters.result == AccumulatorFormat::F16 ? kF16 : kF32;
        unsigned columns = round % 2 ? most : 13;
        auto a = generate.matrix(*test.a, rows, test.k, style);
        auto b = generate.matrix(*test.b, columns, test.k, style);
        auto c = generate.matrix(cFormat, rows, columns,
                                 round % 3 ? style : Style::Finite);
        if (cFormat.fractionBits == 10)
          for (uint32_t &bits : c)
            bits &= 0xffff;
        if (style == Style::Cancelling) {
          // Halves of K cancel up to the last place of a few elements.
          for (unsigned row = 0; row < rows; ++row)
            for (unsigned i = test.k / 2; i < test.k; ++i)
              a[row * test.k + i] =
                  a[row * test.k + i - test.k / 2] ^
                  1u << (test.a->exponentBits + test.a->fractionBits +
                         test.a->containerShift);
          for (unsigned n = 0; n < columns; ++n)
            for (unsigned i = test.k / 2; i < test.k; ++i)
              b[n * test.k + i] = b[n * test.k + i - test.k / 2] ^
                                  uint32_t(generate.random() % 4 == 0)
                                      << test.b->containerShift;
        }
        PreparedOperand pa(a, rows, test.k, *test.a, false,
                           PreparedOperand::Order::RowMajor);
        PreparedOperand pb(b, columns, test.k, *test.b, false,
                           PreparedOperand::Order::KMajor);
        for (unsigned row = 0; row < rows; ++row) {
          uint32_t d[most];
          auto multiply = round % 4 < 2 ? multiplyRow : multiplyRowPortable;
          multiply(pa, row, pb, &c[row * columns], d, test.parameters);
          for (unsigned n = 0; n < columns; ++n, ++checked)
            ASSERT_EQ(d[n], fusedDot(pa.row(row), pb.row(n),
                                     c[row * columns + n], test.parameters))
                << "style " << int(style) << " k " << test.k << " round "
                << round;
        }
      }
  EXPECT_GE(checked, 1000000u);
}

/// Scales join the exponents; the fast path folds them into the values.
TEST(TensorCoreHard, ScaledTilesEqualDotProducts) {
  constexpr unsigned rows = 8, columns = 8, k = 64;
  Generator generate(12);
  for (unsigned round = 0; round < 400; ++round) {
    Style style = kStyles[round % 8];
    auto a = generate.matrix(kE5M2, rows, k, style);
    auto b = generate.matrix(kE2M3, columns, k, style);
    auto c = generate.matrix(kF32, rows, columns, Style::Finite);
    std::vector<uint8_t> sa(rows * 2), sb(columns * 2);
    bool wild = round % 4 == 0;
    for (auto *scales : {&sa, &sb})
      for (uint8_t &s : *scales)
        s = wild ? generate.random() : 117 + generate.random() % 20;
    BlockScales scalesA = {sa}, scalesB = {sb};
    PreparedOperand pa, pb;
    pa.assign(a, rows, k, kE5M2, false, PreparedOperand::Order::RowMajor,
              scalesA);
    pb.assign(b, columns, k, kE2M3, false, PreparedOperand::Order::KMajor,
              scalesB);
    for (unsigned row = 0; row < rows; ++row) {
      uint32_t d[columns];
      multiplyRow(pa, row, pb, &c[row * columns], d, {});
      for (unsigned n = 0; n < columns; ++n) {
        DotOperand x = {llvm::ArrayRef(a).slice(row * k, k), &kE5M2,
                        scalesA.row(row, k)};
        DotOperand y = {llvm::ArrayRef(b).slice(n * k, k), &kE2M3,
                        scalesB.row(n, k)};
        ASSERT_EQ(d[n], fusedDot(x, y, c[row * columns + n], {}));
      }
    }
  }
}

/// A scale is a power of two times every element of its block.
TEST(TensorCoreHard, ScalesMultiply) {
  std::vector<uint32_t> ones(64, encodeFloat(1, kE4M3));
  uint8_t scales[] = {127 + 3, 127 - 2}, unit[] = {127, 127};
  DotOperand a = {ones, &kE4M3, {scales}}, b = {ones, &kE4M3, {unit}};
  EXPECT_EQ(fusedDot(a, b, 0, {}), floatToBits(32 * 8 + 32 * 0.25f));
  scales[0] = 0xff;
  EXPECT_EQ(fusedDot(a, b, 0, {}), kF32.nan);
}

/// Places of a sparse row that hold nothing take no part, infinities included.
TEST(TensorCoreHard, SparseRowsSkipHoles) {
  Generator generate(13);
  constexpr unsigned k = 32, columns = 8;
  for (unsigned round = 0; round < 2000; ++round) {
    Style style = kStyles[round % 8];
    auto stored = generate.matrix(kF16, 1, k / 2, style);
    auto b = generate.matrix(kF16, columns, k, style);
    auto c = generate.matrix(kF32, 1, columns, Style::Finite);
    std::vector<uint8_t> chosen;
    for (unsigned g = 0; g < k / 4; ++g) {
      unsigned first = generate.random() % 4;
      chosen.push_back(first);
      chosen.push_back((first + 1 + generate.random() % 3) % 4);
    }
    std::vector<uint32_t> row(k), condensed;
    std::vector<uint8_t> present(k);
    ASSERT_TRUE(expandSparse(stored, chosen, false, 1, row, present));
    PreparedOperand pa,
        pb(b, columns, k, kF16, false, PreparedOperand::Order::KMajor);
    pa.assign(row, 1, k, kF16, false, PreparedOperand::Order::RowMajor, {},
              present);
    uint32_t d[columns];
    multiplyRow(pa, 0, pb, c.data(), d, {});
    for (unsigned n = 0; n < columns; ++n) {
      std::vector<uint32_t> partners;
      for (unsigned i = 0; i < k / 2; ++i)
        partners.push_back(b[n * k + i / 2 * 4 + chosen[i]]);
      ASSERT_EQ(d[n], fusedDot(stored, kF16, partners, kF16, c[n], {}));
    }
  }
  std::vector<uint32_t> row(4);
  std::vector<uint8_t> present(4);
  EXPECT_FALSE(expandSparse({1, 2}, {3, 3}, false, 1, row, present));
}

/// Sums of products of 8-bit floats are exact in it.
static long double valueOf(uint32_t bits, const FloatFormat &format) {
  return static_cast<long double>(decodeFloat(bits, format));
}

/// Sums that need no cut are rounded once from the exact value.
TEST(TensorCoreHard, ExactSumsRoundOnce) {
  Generator generate(14);
  for (unsigned round = 0; round < 20000; ++round) {
    auto a = generate.matrix(kE4M3, 1, 16, Style::Narrow);
    auto b = generate.matrix(kE4M3, 1, 16, Style::Narrow);
    uint32_t c =
        encodeFloat(double(int(generate.random() % 2001)) - 1000, kF32);
    long double sum = valueOf(c, kF32);
    for (unsigned i = 0; i < 16; ++i)
      sum += valueOf(a[i], kE4M3) * valueOf(b[i], kE4M3);
    EXPECT_EQ(fusedDot(a, kE4M3, b, kE4M3, c, {}),
              sum == 0 ? 0 : encodeFloat(double(sum), kF32, Rounding::Zero));
    FusedParameters half = resultOf(AccumulatorFormat::F16);
    uint32_t cHalf = encodeFloat(decodeFloat(c, kF32), kF16);
    EXPECT_EQ(fusedDot(a, kE4M3, b, kE4M3, cHalf, half),
              sum == 0 ? 0 : encodeFloat(double(sum), kF16));
  }
}

/// Groups of 4-bit floats: exact sums, times scales of three fraction bits.
TEST(TensorCoreHard, GroupsOfFourBitFloats) {
  Generator generate(15);
  for (unsigned round = 0; round < 20000; ++round) {
    auto a = generate.matrix(kE2M1, 1, 64, Style::Finite);
    auto b = generate.matrix(kE2M1, 1, 64, Style::Finite);
    bool fine = round % 2;
    std::vector<uint8_t> sa(fine ? 4 : 2), sb(fine ? 4 : 2);
    for (auto *scales : {&sa, &sb})
      for (uint8_t &s : *scales)
        s = fine ? 0x30 + generate.random() % 0x20
                 : 124 + generate.random() % 6;
    unsigned block = fine ? 16 : 32;
    auto format = fine ? ScaleFormat::UE4M3 : ScaleFormat::UE8M0;
    auto scale = [&](uint8_t bits) {
      return fine ? decodeFloat(bits, kE4M3) : std::ldexp(1.0, bits - 127);
    };
    uint32_t c =
        encodeFloat(double(int(generate.random() % 2001)) - 1000, kF32);
    double sum = decodeFloat(c, kF32);
    for (unsigned i = 0; i < 64; ++i)
      sum += decodeFloat(a[i], kE2M1) * decodeFloat(b[i], kE2M1) *
             scale(sa[i / block]) * scale(sb[i / block]);
    uint32_t got = groupedDot({a, &kE2M1, {sa, block, format}},
                              {b, &kE2M1, {sb, block, format}}, c);
    EXPECT_EQ(got, sum == 0 ? 0 : encodeFloat(sum, kF32, Rounding::Zero));
  }
}

/// One-bit and integer sums wrap or clamp once.
TEST(TensorCoreHard, IntegersAndBits) {
  uint32_t a[] = {0xff00ff00, 0x12345678}, b[] = {0x0ff00ff0, 0x12345678};
  EXPECT_EQ(bitDot(a, b, 5, false), 5u + 8 + 13);
  EXPECT_EQ(bitDot(a, b, 0xffffffff, true), 16u - 1);
  std::mt19937_64 random(16);
  constexpr unsigned k = 64, columns = 70;
  std::vector<int16_t> x(k), y(k * columns);
  for (int16_t &v : x)
    v = int8_t(random());
  for (int16_t &v : y)
    v = uint8_t(random());
  for (bool saturate : {false, true}) {
    std::vector<uint32_t> d(columns);
    for (uint32_t &v : d)
      v = random() % 2 ? 0x7fffff00 : 0x80000100;
    std::vector<uint32_t> c = d;
    integerRow(x, y.data(), columns, columns, c.data(), d.data(), saturate);
    for (unsigned n = 0; n < columns; ++n) {
      std::vector<int16_t> column(k);
      for (unsigned i = 0; i < k; ++i)
        column[i] = y[i * columns + n];
      EXPECT_EQ(d[n], integerDot(x, column, c[n], saturate));
    }
  }
}

/// f64: NaN of b before the sum before a; each step rounds in its mode.
TEST(TensorCoreHard, Doubles) {
  auto bits = [](double value) { return llvm::bit_cast<uint64_t>(value); };
  const uint64_t n1 = 0x7ff0000000000001, n2 = 0xfff8000000000002,
                 n3 = 0x7ff8000000000003, quiet = uint64_t(1) << 51;
  uint64_t one[] = {bits(1)}, third[] = {bits(1.0 / 3)};
  EXPECT_EQ(doubleChain({n1}, {n2}, n3), n2);
  EXPECT_EQ(doubleChain({n1}, one, n3), n3);
  EXPECT_EQ(doubleChain({n1}, one, bits(0)), n1 | quiet);
  EXPECT_EQ(doubleChain({bits(INFINITY)}, {bits(0)}, bits(1)),
            0xfff8000000000000u);
  double up =
      llvm::bit_cast<double>(doubleChain(third, third, bits(1), Rounding::Up));
  double down = llvm::bit_cast<double>(
      doubleChain(third, third, bits(1), Rounding::Down));
  EXPECT_EQ(std::nextafter(down, 2), up);
  EXPECT_EQ(doubleChain(third, third, bits(-1), Rounding::Zero),
            doubleChain(third, third, bits(-1), Rounding::Up));
}
