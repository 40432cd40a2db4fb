//===- TensorCore.cpp - exact tensor-core arithmetic ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules, one dot product at a time.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorCore.h"
#include "HostRounding.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace tirx::sim;

static const FloatFormat &formatOf(AccumulatorFormat format) {
  return format == AccumulatorFormat::F16 ? kF16 : kF32;
}

/// S * 2^(E - F), rounded: toward zero to f32, to nearest even to f16.
static uint32_t roundSum(int64_t sum, int exponent,
                         const FusedParameters &parameters) {
  // Exact: |S| < 2^53, and the exponent stays far inside double's range.
  double value =
      double(sum) * llvm::bit_cast<double>(
                        uint64_t(1023 + exponent - parameters.alignBits) << 52);
  uint32_t bits;
  if (parameters.result == AccumulatorFormat::F16) {
    bits = encodeFloat(value, kF16);
  } else if (std::fabs(value) >= 0x1p128) {
    bits = kF32.infinity | (value < 0 ? 0x80000000u : 0u);
  } else {
    bits = encodeFloat(value, kF32, Rounding::Zero);
    bits &= ~llvm::maskTrailingOnes<uint32_t>(23 - parameters.resultBits);
  }
  uint32_t sign =
      parameters.result == AccumulatorFormat::F16 ? 0x8000u : 0x80000000u;
  return bits == sign ? 0 : bits;
}

namespace {
/// One term of a sum: (-1)^negative * significand * 2^(exponent - fraction).
struct Term {
  bool negative;
  int exponent;
  int fraction;
  int64_t significand;

  /// The term in units of 2^(common - alignBits), cut toward zero.
  int64_t aligned(int common, int alignBits) const {
    int shift = alignBits - fraction - (common - exponent);
    int64_t magnitude = shift >= 0    ? significand << shift
                        : shift < -62 ? 0
                                      : significand >> -shift;
    return negative ? -magnitude : magnitude;
  }
};

/// The terms of one block, and what its special values make of it.
class Block {
public:
  void add(const Term &term) {
    if (term.significand)
      terms.push_back(term);
  }
  void addNaN() { nan = true; }
  void addInfinity(bool negative) { infinite[negative] = true; }
  /// c, whose exponent may be scaled.
  void addAccumulator(uint32_t c, const FloatFormat &format, int scale) {
    Unpacked u = unpack(c, format);
    if (u.kind == Unpacked::NotANumber)
      return addNaN();
    if (u.kind == Unpacked::Infinite)
      return addInfinity(u.negative);
    add({u.negative, u.exponent - scale, format.fractionBits, u.significand});
  }

  uint32_t finish(const FusedParameters &parameters) const {
    const FloatFormat &format = formatOf(parameters.result);
    if (nan || (infinite[0] && infinite[1]))
      return format.nan;
    if (infinite[0] || infinite[1])
      return encodeFloat(infinite[1] ? -INFINITY : INFINITY, format);
    int common = parameters.minExponent();
    for (const Term &term : terms)
      common = std::max(common, term.exponent);
    int64_t sum = 0;
    for (const Term &term : terms)
      sum += term.aligned(common, parameters.alignBits);
    return roundSum(sum, common, parameters);
  }

private:
  llvm::SmallVector<Term, 33> terms;
  bool nan = false, infinite[2] = {false, false};
};

/// A scale factor: significand * 2^(exponent - 3), or NaN.
struct Scale {
  int significand = 8;
  int exponent = 0;
  bool nan = false;
};
} // namespace

static Scale scaleAt(const BlockScales &scales, unsigned k) {
  Scale result;
  if (scales.empty())
    return result;
  uint8_t bits = scales.bits[k / scales.block];
  if (scales.format == ScaleFormat::UE8M0) {
    result.nan = bits == 0xff;
    result.exponent = int(bits) - 127;
    return result;
  }
  // The sign bit of ue4m3 is ignored.
  Unpacked u = unpack(bits & 0x7f, kE4M3);
  return {int(u.significand), u.exponent, u.kind == Unpacked::NotANumber};
}

uint32_t tirx::sim::fusedDot(const DotOperand &a, const DotOperand &b,
                             uint32_t c, const FusedParameters &parameters,
                             llvm::ArrayRef<uint8_t> present) {
  Block block;
  block.addAccumulator(c, formatOf(parameters.result), parameters.scaleD);
  int fraction = a.format->fractionBits + b.format->fractionBits;
  for (size_t i = 0; i < a.bits.size(); ++i) {
    if (!present.empty() && !present[i])
      continue;
    Scale sa = scaleAt(a.scales, i), sb = scaleAt(b.scales, i);
    Unpacked x = unpack(a.bits[i], *a.format), y = unpack(b.bits[i], *b.format);
    bool negative = x.negative != y.negative;
    if (sa.nan || sb.nan || x.kind == Unpacked::NotANumber ||
        y.kind == Unpacked::NotANumber) {
      block.addNaN();
    } else if (x.kind == Unpacked::Finite && y.kind == Unpacked::Finite) {
      block.add({negative, x.exponent + y.exponent + sa.exponent + sb.exponent,
                 fraction, int64_t(x.significand) * y.significand});
    } else if ((x.kind == Unpacked::Finite && !x.significand) ||
               (y.kind == Unpacked::Finite && !y.significand)) {
      block.addNaN(); // zero times infinity
    } else {
      block.addInfinity(negative);
    }
  }
  return block.finish(parameters);
}

/// Twice the value of an e2m1 number.
static int twiceE2M1(uint32_t bits) {
  static const int8_t values[16] = {0, 1,  2,  3,  4,  6,  8,  12,
                                    0, -1, -2, -3, -4, -6, -8, -12};
  return values[bits & 15];
}

uint32_t tirx::sim::groupedDot(const DotOperand &a, const DotOperand &b,
                               uint32_t c, unsigned group) {
  FusedParameters parameters;
  parameters.alignBits = 35;
  Block block;
  block.addAccumulator(c, kF32, 0);
  for (size_t first = 0; first < a.bits.size(); first += group) {
    int sum = 0;
    for (size_t i = first; i < std::min(first + group, a.bits.size()); ++i)
      sum += twiceE2M1(a.bits[i]) * twiceE2M1(b.bits[i]);
    Scale sa = scaleAt(a.scales, first), sb = scaleAt(b.scales, first);
    if (sa.nan || sb.nan)
      block.addNaN();
    // Quarters, times two significands of three fraction bits.
    block.add({sum < 0, sa.exponent + sb.exponent, 2 + 3 + 3,
               int64_t(std::abs(sum)) * sa.significand * sb.significand});
  }
  return block.finish(parameters);
}

/// An 8-bit float as f16, exactly; every NaN is the canonical one.
static uint32_t widenToF16(uint32_t bits, const FloatFormat &format) {
  return encodeFloat(decodeFloat(bits, format), kF16);
}

uint32_t tirx::sim::expandedFloat8Dot(const DotOperand &a, const DotOperand &b,
                                      uint32_t c, AccumulatorFormat result,
                                      llvm::ArrayRef<uint8_t> present) {
  struct Half {
    llvm::SmallVector<uint32_t, 32> a, b;
    llvm::SmallVector<uint8_t, 32> present;
  } halves[2];
  unsigned together = present.empty() ? 2 : 4;
  for (size_t i = 0; i < a.bits.size(); ++i) {
    Half &half = halves[i / together % 2];
    half.a.push_back(widenToF16(a.bits[i], *a.format));
    half.b.push_back(widenToF16(b.bits[i], *b.format));
    if (!present.empty())
      half.present.push_back(present[i]);
  }
  FusedParameters parameters;
  parameters.result = result;
  uint32_t sum = 0;
  for (Half &half : halves)
    sum = fusedDot(DotOperand{half.a, &kF16}, DotOperand{half.b, &kF16}, sum,
                   parameters, half.present);
  const FloatFormat &format = formatOf(result);
  // Rounded once for f16, too: the sum of two f16 is exact in double, and so
  // is the sum of two f32 whenever rounding it twice could differ.
  return encodeFloat(
      addRoundToOdd(decodeFloat(c, format), decodeFloat(sum, format)), format);
}

static uint32_t finishInteger(int64_t sum, bool saturate) {
  if (saturate)
    sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                              std::numeric_limits<int32_t>::max());
  return uint32_t(sum);
}

uint32_t tirx::sim::integerDot(llvm::ArrayRef<int16_t> a,
                               llvm::ArrayRef<int16_t> b, uint32_t c,
                               bool saturate) {
  int64_t sum = int32_t(c);
  for (size_t i = 0; i < a.size(); ++i)
    sum += int32_t(a[i]) * int32_t(b[i]);
  return finishInteger(sum, saturate);
}

void tirx::sim::integerRow(llvm::ArrayRef<int16_t> a, const int16_t *b,
                           unsigned pitch, unsigned columns, const uint32_t *c,
                           uint32_t *d, bool saturate) {
  // Sums of products alone fit 32 bits: |a * b| <= 2^16, and K is at most 512.
  constexpr unsigned kColumns = 64;
  for (unsigned first = 0; first < columns; first += kColumns) {
    unsigned count = std::min(kColumns, columns - first);
    int32_t sums[kColumns] = {};
    for (size_t k = 0; k < a.size(); ++k) {
      const int16_t *row = b + k * pitch + first;
      for (unsigned n = 0; n < count; ++n)
        sums[n] += int32_t(a[k]) * int32_t(row[n]);
    }
    for (unsigned n = 0; n < count; ++n)
      d[first + n] = finishInteger(
          int64_t(sums[n]) + (c ? int32_t(c[first + n]) : 0), saturate);
  }
}

uint32_t tirx::sim::bitDot(llvm::ArrayRef<uint32_t> a,
                           llvm::ArrayRef<uint32_t> b, uint32_t c,
                           bool exclusiveOr) {
  for (size_t i = 0; i < a.size(); ++i)
    c += llvm::popcount(exclusiveOr ? a[i] ^ b[i] : a[i] & b[i]);
  return c;
}

static bool isDoubleNaN(uint64_t bits) {
  return (bits & ~(uint64_t(1) << 63)) > uint64_t(0x7ff) << 52;
}

uint64_t tirx::sim::doubleChain(llvm::ArrayRef<uint64_t> a,
                                llvm::ArrayRef<uint64_t> b, uint64_t c,
                                Rounding rounding) {
  constexpr uint64_t quiet = uint64_t(1) << 51;
  constexpr uint64_t invalid = uint64_t(0xfff8) << 48;
  HostRounding scope(rounding);
  for (size_t k = 0; k < a.size(); ++k) {
    if (isDoubleNaN(b[k]) || isDoubleNaN(c) || isDoubleNaN(a[k])) {
      c = (isDoubleNaN(b[k]) ? b[k] : isDoubleNaN(c) ? c : a[k]) | quiet;
      continue;
    }
    // Not folded or moved across the change of the rounding mode.
    volatile double x = llvm::bit_cast<double>(a[k]);
    volatile double sum =
        std::fma(x, llvm::bit_cast<double>(b[k]), llvm::bit_cast<double>(c));
    c = llvm::bit_cast<uint64_t>(double(sum));
    if (isDoubleNaN(c))
      c = invalid;
  }
  return c;
}

bool tirx::sim::expandSparse(llvm::ArrayRef<uint32_t> compressed,
                             llvm::ArrayRef<uint8_t> chosen, bool pair,
                             unsigned unit, llvm::MutableArrayRef<uint32_t> row,
                             llvm::MutableArrayRef<uint8_t> present) {
  std::fill(row.begin(), row.end(), 0);
  std::fill(present.begin(), present.end(), 0);
  unsigned kept = pair ? 1 : 2, span = 2 * kept;
  bool distinct = true;
  for (size_t i = 0; i < compressed.size() / unit; ++i) {
    size_t place = i / kept * span + chosen[i] % span;
    for (unsigned u = 0; u < unit; ++u) {
      size_t at = place * unit + u;
      distinct &= !present[at];
      row[at] = compressed[i * unit + u];
      present[at] = 1;
    }
  }
  return distinct;
}
