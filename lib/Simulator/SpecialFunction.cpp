//===- SpecialFunction.cpp - approximate functions ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpecialFunction.h"
#include "TIRx/Simulator/FloatFormat.h"
#include <algorithm>

using namespace tirx::sim;

namespace {
struct Segment {
  int32_t c0, c1, c2;
};
} // namespace

#include "SpecialFunctionTables.inc"

static constexpr uint32_t kNaN = 0x7fffffff, kInfinity = 0x7f800000,
                          kOne = 0x3f800000, kNegative = 0x80000000;

//===----------------------------------------------------------------------===//
// The interpolation
//===----------------------------------------------------------------------===//

/// The square of 17 bits, as 15: the squarer has no partial products of weight
/// below 2^19.
static int64_t square(uint32_t x) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 17; ++i) {
    unsigned k = std::max(i + 1, 18 - i);
    uint64_t row = (uint64_t(x) >> k << k) << (i + 1);
    if (i >= 10)
      row += uint64_t(1) << (2 * i);
    sum += row & -uint64_t(x >> i & 1);
  }
  return sum >> 19;
}

/// In units of 2^-17 of the last place of a 24-bit significand. `x` has 17
/// bits.
static int64_t interpolate(const Segment &s, uint32_t x, int64_t bias) {
  return int64_t(s.c0) * (1 << 14) + int64_t(s.c1) * x +
         2 * int64_t(s.c2) * square(x) + bias;
}

namespace {

/// An f32 taken apart.
struct Fields {
  explicit Fields(uint32_t bits)
      : negative(bits >> 31), magnitude(bits & 0x7fffffff),
        exponent(int(magnitude >> 23) - 127), fraction(bits & 0x7fffff) {}

  bool isNaN() const { return magnitude > kInfinity; }
  bool isInfinite() const { return magnitude == kInfinity; }
  /// Zero or subnormal.
  bool isTiny() const { return magnitude < 0x800000; }
  uint32_t sign() const { return uint32_t(negative) << 31; }
  uint64_t significand() const { return fraction | 0x800000; }

  bool negative;
  uint32_t magnitude;
  int exponent;
  uint32_t fraction;
};

} // namespace

/// A significand of 24 bits, or 2^24, as f32; zero below the normal range.
static uint32_t pack(uint32_t sign, int exponent, uint64_t significand) {
  if (significand >> 24) {
    significand >>= 1;
    ++exponent;
  }
  if (exponent < -126)
    return sign;
  if (exponent > 127)
    return sign | kInfinity;
  return sign | uint32_t(exponent + 127) << 23 | (significand & 0x7fffff);
}

/// magnitude * 2^-scale, cut to 24 significant bits.
static uint32_t normalise(uint32_t sign, uint64_t magnitude, int scale) {
  if (!magnitude)
    return sign;
  int top = 63 - llvm::countl_zero(magnitude);
  uint64_t significand =
      top >= 23 ? magnitude >> (top - 23) : magnitude << (23 - top);
  return pack(sign, top - scale, significand);
}

//===----------------------------------------------------------------------===//
// The functions of the unit
//===----------------------------------------------------------------------===//

static uint32_t unitEx2(const Fields &x) {
  if (x.isInfinite() || (!x.isTiny() && x.exponent >= 8))
    return x.negative ? 0 : kInfinity;
  if (x.isTiny())
    return kOne;
  // |x| in units of 2^-23; negative as one's complement, but for integers.
  int64_t units = x.exponent >= 0
                      ? x.significand() << x.exponent
                      : x.significand() >> std::min(-x.exponent, 40);
  if (x.negative)
    units = units & 0x7fffff ? ~units : -units;
  uint32_t fraction = units & 0x7fffff;
  uint64_t significand = 1 << 23;
  if (fraction)
    significand =
        interpolate(kEx2[fraction >> 17], fraction & 0x1ffff, 24456) >> 17;
  return pack(0, units >> 23, significand);
}

/// Of 1.fraction, in (2^23, 2^24]: 2^24 / (1.fraction).
static uint64_t reciprocal(uint32_t fraction) {
  if (!fraction)
    return 1 << 24;
  return interpolate(kRcp[fraction >> 16], (fraction & 0xffff) << 1, 8092) >>
         17;
}

static uint32_t unitRcp(const Fields &x) {
  if (x.isInfinite())
    return x.sign();
  if (x.isTiny())
    return x.sign() | kInfinity;
  return pack(x.sign(), -x.exponent - 1, reciprocal(x.fraction));
}

/// Of 1.fraction * 2^odd.
static uint64_t root(const Segment *table, uint32_t fraction, bool odd,
                     int64_t bias) {
  return interpolate(table[odd << 6 | fraction >> 17], fraction & 0x1ffff,
                     bias) >>
         17;
}

static uint64_t reciprocalRoot(uint32_t fraction, bool odd) {
  if (!fraction && !odd)
    return 1 << 24;
  return root(kRsqrt, fraction, odd, 32766);
}

static uint32_t unitRsqrt(const Fields &x) {
  if (x.isTiny())
    return x.sign() | kInfinity;
  if (x.negative)
    return kNaN;
  if (x.isInfinite())
    return 0;
  return pack(0, -(x.exponent >> 1) - 1,
              reciprocalRoot(x.fraction, x.exponent & 1));
}

static uint32_t unitSqrt(const Fields &x) {
  if (x.isTiny())
    return x.sign();
  if (x.negative)
    return kNaN;
  if (x.isInfinite())
    return kInfinity;
  bool odd = x.exponent & 1;
  uint64_t significand = 1 << 23;
  if (x.fraction || odd)
    significand = root(kSqrt, x.fraction, odd, 32767);
  return pack(0, x.exponent >> 1, significand);
}

static uint32_t unitLg2(const Fields &x) {
  if (x.isTiny())
    return kNegative | kInfinity;
  if (x.negative)
    return kNaN;
  if (x.isInfinite())
    return kInfinity;
  if (x.magnitude == kOne)
    return 0;
  int64_t fraction =
      interpolate(kLg2[x.fraction >> 17], x.fraction & 0x1ffff, 3348);
  // In units of 2^-36, negative as one's complement.
  int64_t value =
      x.exponent * (int64_t(1) << 36) + ((fraction - (int64_t(1) << 40)) >> 4);
  return value < 0 ? normalise(kNegative, ~value, 36) : normalise(0, value, 36);
}

/// The angle is in turns.
static uint32_t unitSine(const Fields &x, bool cosine) {
  if (x.isInfinite())
    return kNaN;
  // In units of 2^-25 of a turn.
  constexpr uint32_t kTurn = (1 << 25) - 1;
  int shift = x.exponent + 2;
  uint32_t angle = 0;
  if (!x.isTiny() && shift <= 24)
    angle = shift >= 0 ? x.significand() << shift & kTurn
                       : x.significand() >> std::min(-shift, 40);
  angle = (angle + (uint32_t(cosine) << 23)) & kTurn;
  unsigned quadrant = angle >> 23;
  uint32_t rest = angle & 0x7fffff;
  if (quadrant & 1)
    rest = 0x7fffff - rest;
  bool negative = (quadrant >> 1) ^ (!cosine && x.negative);
  return normalise(uint32_t(negative) << 31,
                   interpolate(kSin[rest >> 17], rest & 0x1ffff, 0), 41);
}

static uint32_t unitTanh(const Fields &x) {
  if (x.exponent < -8)
    return x.sign() | x.magnitude;
  if (x.exponent > 2)
    return x.sign() | kOne;
  // For the exponents -8 to 2: fraction bits that are dropped, and the first
  // segment.
  static constexpr uint8_t kDropped[] = {6, 6, 6, 5, 5, 4, 4, 4, 3, 2, 3};
  static constexpr uint8_t kFirst[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
  unsigned binade = x.exponent + 8;
  uint32_t grains = x.fraction >> kDropped[binade];
  return normalise(
      x.sign(),
      interpolate(kTanh[kFirst[binade] + (grains >> 17)], grains & 0x1ffff, 0),
      41);
}

uint32_t tirx::sim::specialUnit(SpecialFunction function, uint32_t bits) {
  Fields x(bits);
  if (x.isNaN())
    return kNaN;
  switch (function) {
  case SpecialFunction::Rcp:
    return unitRcp(x);
  case SpecialFunction::Sqrt:
    return unitSqrt(x);
  case SpecialFunction::Rsqrt:
    return unitRsqrt(x);
  case SpecialFunction::Ex2:
    return unitEx2(x);
  case SpecialFunction::Lg2:
    return unitLg2(x);
  case SpecialFunction::Sin:
    return unitSine(x, /*cosine=*/false);
  case SpecialFunction::Cos:
    return unitSine(x, /*cosine=*/true);
  case SpecialFunction::Tanh:
    return unitTanh(x);
  }
  return kNaN;
}

//===----------------------------------------------------------------------===//
// What the assembler makes of them
//===----------------------------------------------------------------------===//

static uint32_t canonicalBits(float value) {
  return value != value ? kNaN : floatToBits(value);
}

static constexpr float kSmallestNormal = 0x1p-126f;

/// `x` is below the normal range: as a normal number, and back.
static uint32_t scaled(SpecialFunction function, float x) {
  float big = x * 0x1p24f;
  float y = bitsToFloat(specialUnit(function, floatToBits(big)));
  switch (function) {
  case SpecialFunction::Lg2:
    return canonicalBits(y - 24.0f);
  case SpecialFunction::Rsqrt:
    return canonicalBits(y * 0x1p12f);
  default:
    return canonicalBits(y * 0x1p-12f);
  }
}

static uint32_t reciprocalF32(float x) {
  float magnitude = std::fabs(x);
  float scale = magnitude > 0x1p126f          ? 0.25f
                : magnitude < kSmallestNormal ? 0x1p24f
                                              : 1.0f;
  float near = x * scale;
  float y = bitsToFloat(specialUnit(SpecialFunction::Rcp, canonicalBits(near)));
  return canonicalBits(scale * y);
}

/// 2^x as the square of 2^(x/2), which is normal longer.
static uint32_t ex2F32(float x) {
  if (!(x < -126.0f))
    return specialUnit(SpecialFunction::Ex2, floatToBits(x));
  float half = x * 0.5f;
  float y = bitsToFloat(specialUnit(SpecialFunction::Ex2, floatToBits(half)));
  return canonicalBits(y * y);
}

/// Radians to turns, rounded toward zero. The product is exact in double.
static uint32_t turns(float x) {
  double product = double(x) * bitsToFloat(0x3e22f983);
  return encodeFloat(product, kF32, Rounding::Zero);
}

uint32_t tirx::sim::approximateF32(SpecialFunction function, uint32_t bits,
                                   bool flush) {
  float x = bitsToFloat(bits);
  if (x != x)
    return kNaN;
  switch (function) {
  case SpecialFunction::Sin:
  case SpecialFunction::Cos:
    return specialUnit(function, turns(x));
  case SpecialFunction::Tanh:
    return specialUnit(function, bits);
  case SpecialFunction::Rcp:
    return flush ? specialUnit(function, bits) : reciprocalF32(x);
  case SpecialFunction::Ex2:
    return flush ? specialUnit(function, bits) : ex2F32(x);
  default:
    return !flush && std::fabs(x) < kSmallestNormal
               ? scaled(function, x)
               : specialUnit(function, bits);
  }
}

uint32_t tirx::sim::approximateBF16(SpecialFunction function, uint32_t x) {
  uint32_t y = specialUnit(function, x << 16);
  return y == kNaN ? 0x7fff : y >> 16;
}

uint32_t tirx::sim::approximateF16(SpecialFunction function, uint32_t x) {
  uint32_t wide = floatToBits(float(decodeFloat(x, kF16)));
  Fields y(specialUnit(function, wide));
  uint32_t sign = y.sign() >> 16;
  if (y.isNaN())
    return 0x7fff;
  // Cut, not rounded.
  if (y.exponent > 15)
    return sign | 0x7c00;
  if (y.exponent >= -14)
    return sign | uint32_t(y.exponent + 15) << 10 | y.fraction >> 13;
  return y.isTiny()
             ? sign
             : sign |
                   uint32_t(y.significand() >> std::min(-1 - y.exponent, 40));
}

uint64_t tirx::sim::approximateF64(SpecialFunction function, uint64_t bits) {
  // Only the high word is looked at and written, also for a NaN that has its
  // payload in the low one.
  uint32_t word = bits >> 32, magnitude = word & 0x7fffffff;
  uint32_t sign = word & kNegative;
  auto high = [](uint32_t value) { return uint64_t(value) << 32; };
  constexpr uint32_t kInfinityF64 = 0x7ff00000;
  bool isRoot = function == SpecialFunction::Rsqrt;
  if (magnitude > kInfinityF64)
    return high(kNaN);
  if (magnitude < 0x100000)
    return high(sign | kInfinityF64);
  if (isRoot && sign)
    return high(kNaN);
  if (magnitude == kInfinityF64)
    return high(sign);
  int exponent = int(magnitude >> 20) - 1023;
  uint32_t fraction = (magnitude & 0xfffff) << 3;
  uint64_t significand =
      isRoot ? reciprocalRoot(fraction, exponent & 1) : reciprocal(fraction);
  int result = isRoot ? -(exponent >> 1) - 1 : -exponent - 1;
  if (significand >> 24) {
    significand >>= 1;
    ++result;
  }
  if (result < -1022)
    return high(sign);
  return high(sign | uint32_t(result + 1023) << 20 |
              uint32_t(significand & 0x7fffff) >> 3);
}

uint64_t tirx::sim::approximateRsqrtF64(uint64_t bits) {
  constexpr uint64_t kQuiet = uint64_t(1) << 51;
  double x = llvm::bit_cast<double>(bits);
  if (std::isnan(x))
    return bits | kQuiet;
  if (x == 0 || std::isinf(x) || x < 0)
    return x < 0 ? 0xfff8000000000000
                 : approximateF64(SpecialFunction::Rsqrt, bits);
  bool isTiny = x < 0x1p-1022;
  if (isTiny)
    x *= 0x1p54;
  double y = llvm::bit_cast<double>(
      approximateF64(SpecialFunction::Rsqrt, llvm::bit_cast<uint64_t>(x)));
  // One step of third order from the unit's 20 bits; y * y is exact.
  double error = std::fma(x, -(y * y), 1.0);
  y = std::fma(std::fma(error, 0.375, 0.5), error * y, y);
  return llvm::bit_cast<uint64_t>(isTiny ? y * 0x1p27 : y);
}

/// A product; `flush`: subnormal factors and products are zero.
static float multiply(float x, float y, bool flush) {
  if (!flush)
    return x * y;
  auto normal = [](float v) {
    return std::fabs(v) < kSmallestNormal ? std::copysign(0.0f, v) : v;
  };
  x = normal(x);
  y = normal(y);
  float product = x * y;
  // Judged as rounded with an unbounded exponent.
  double exact = double(x) * double(y);
  return std::fabs(exact) < 0x1p-126 * (1 - 0x1p-25)
             ? std::copysign(0.0f, product)
             : product;
}

uint32_t tirx::sim::approximateDivision(uint32_t a, uint32_t b, bool full,
                                        bool flush) {
  float x = bitsToFloat(a), y = bitsToFloat(b);
  if (full) {
    float scale = std::fabs(y) > 0x1p126f ? 0.25f : 1.0f;
    x = multiply(x, scale, flush);
    y = multiply(y, scale, flush);
  }
  if (!flush && std::fabs(y) < kSmallestNormal) {
    x = x * 0x1p24f;
    y = y * 0x1p24f;
  }
  float inverse =
      bitsToFloat(specialUnit(SpecialFunction::Rcp, canonicalBits(y)));
  return canonicalBits(multiply(inverse, x, flush));
}
