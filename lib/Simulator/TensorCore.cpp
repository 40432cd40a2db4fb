//===- TensorCore.cpp - exact tensor-core arithmetic ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorCore.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <limits>

using namespace tirx::sim;

/// Every operand format has at most 10 fraction bits; significands are scaled
/// to 10 so that one path serves all, and a product has 20.
static constexpr int kFraction = 10;
/// The exponent of zero: never the maximum of a sum.
static constexpr int32_t kZeroExponent = -100000;

static const FloatFormat &formatOf(AccumulatorFormat format) {
  return format == AccumulatorFormat::F16 ? kF16 : kF32;
}

static uint32_t nanOf(AccumulatorFormat format) { return formatOf(format).nan; }

/// S * 2^(E - F), rounded: toward zero to f32, to nearest even to f16.
static uint32_t roundSum(int64_t sum, int exponent,
                         const FusedParameters &parameters) {
  if (sum == 0)
    return 0;
  // Exact: |S| < 2^53, and the exponent stays far inside double's range.
  double value =
      double(sum) * llvm::bit_cast<double>(
                        uint64_t(1023 + exponent - parameters.alignBits) << 52);
  if (parameters.result == AccumulatorFormat::F16) {
    uint32_t bits = encodeFloat(value, kF16);
    return bits == 0x8000 ? 0 : bits;
  }
  double magnitude = std::fabs(value);
  if (magnitude >= 0x1p128)
    return kF32.infinity | (value < 0 ? 0x80000000u : 0u);
  if (magnitude < 0x1p-126) {
    uint32_t bits = encodeFloat(value, kF32, Rounding::Zero);
    return bits == 0x80000000u ? 0 : bits;
  }
  uint64_t cut = llvm::bit_cast<uint64_t>(value) & ~((uint64_t(1) << 29) - 1);
  return floatToBits(float(llvm::bit_cast<double>(cut)));
}

namespace {
/// The accumulator on its way in: value = significand * 2^(exponent - 23).
struct Accumulator {
  Unpacked::Kind kind;
  bool negative;
  int exponent;
  int64_t significand;
};
} // namespace

static Accumulator takeAccumulator(uint32_t c,
                                   const FusedParameters &parameters) {
  const FloatFormat &format = formatOf(parameters.result);
  Unpacked u = unpack(c, format);
  Accumulator result;
  result.kind = u.kind;
  result.negative = u.negative;
  result.significand = int64_t(u.significand) << (23 - format.fractionBits);
  result.exponent =
      u.significand ? u.exponent - parameters.scaleD : kZeroExponent;
  return result;
}

/// value cut to alignBits below 2^exponent, toward zero by magnitude, where
/// value = significand * 2^(own - fraction).
static int64_t align(int64_t significand, int fraction, int own, int exponent,
                     int alignBits) {
  int shift = exponent - own;
  int64_t scaled = significand << (alignBits - fraction);
  return shift > 62 ? 0 : scaled >> shift;
}

uint32_t tirx::sim::fusedDot(llvm::ArrayRef<uint32_t> a,
                             const FloatFormat &aFormat,
                             llvm::ArrayRef<uint32_t> b,
                             const FloatFormat &bFormat, uint32_t c,
                             const FusedParameters &parameters) {
  Accumulator accumulator = takeAccumulator(c, parameters);
  bool nan = accumulator.kind == Unpacked::NotANumber;
  bool infinite[2] = {false, false};
  if (accumulator.kind == Unpacked::Infinite)
    infinite[accumulator.negative] = true;

  int exponent = std::max(parameters.minExponent(), accumulator.exponent);
  for (size_t i = 0; i < a.size(); ++i) {
    Unpacked x = unpack(a[i], aFormat), y = unpack(b[i], bFormat);
    if (x.kind == Unpacked::Finite && y.kind == Unpacked::Finite) {
      if (x.significand && y.significand)
        exponent = std::max(exponent, x.exponent + y.exponent);
      continue;
    }
    bool zero = (x.kind == Unpacked::Finite && x.significand == 0) ||
                (y.kind == Unpacked::Finite && y.significand == 0);
    if (x.kind == Unpacked::NotANumber || y.kind == Unpacked::NotANumber ||
        zero)
      nan = true;
    else
      infinite[x.negative != y.negative] = true;
  }
  if (nan || (infinite[0] && infinite[1]))
    return nanOf(parameters.result);
  if (infinite[0] || infinite[1])
    return encodeFloat(infinite[1] ? -INFINITY : INFINITY,
                       formatOf(parameters.result));

  int F = parameters.alignBits;
  int64_t sum = 0;
  if (accumulator.significand) {
    int64_t t =
        align(accumulator.significand, 23, accumulator.exponent, exponent, F);
    sum += accumulator.negative ? -t : t;
  }
  int fraction = aFormat.fractionBits + bFormat.fractionBits;
  for (size_t i = 0; i < a.size(); ++i) {
    Unpacked x = unpack(a[i], aFormat), y = unpack(b[i], bFormat);
    int64_t product = int64_t(x.significand) * y.significand;
    if (!product)
      continue;
    int64_t t = align(product, fraction, x.exponent + y.exponent, exponent, F);
    sum += x.negative != y.negative ? -t : t;
  }
  return roundSum(sum, exponent, parameters);
}

PreparedOperand::PreparedOperand(llvm::ArrayRef<uint32_t> source, unsigned rows,
                                 unsigned k, const FloatFormat &format,
                                 bool negate, Order order)
    : rows(rows), k(k), pitch(order == Order::KMajor ? (rows + 7) / 8 * 8 : k),
      format(format), bits(source.begin(), source.end()) {
  size_t cells = order == Order::KMajor ? size_t(pitch) * k : size_t(rows) * k;
  significand.assign(cells, 0);
  exponent.assign(cells, kZeroExponent);
  special.assign(pitch > rows ? pitch : rows, 0);
  uint32_t sign = negate ? uint32_t(1)
                               << (format.exponentBits + format.fractionBits +
                                   format.containerShift)
                         : 0;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned i = 0; i < k; ++i) {
      uint32_t &raw = bits[size_t(row) * k + i];
      raw ^= sign;
      Unpacked u = unpack(raw, format);
      if (u.kind != Unpacked::Finite) {
        special[row] = 1;
        continue;
      }
      if (!u.significand)
        continue;
      size_t at = order == Order::KMajor ? size_t(i) * pitch + row
                                         : size_t(row) * k + i;
      int32_t value = u.significand << (kFraction - format.fractionBits);
      significand[at] = u.negative ? -value : value;
      exponent[at] = u.exponent;
    }
}

namespace {
/// Eight columns at a time: wide enough for one AVX2 register; without AVX2 the
/// compiler splits it.
constexpr unsigned kLanes = 8;
using Vector = int32_t __attribute__((ext_vector_type(kLanes)));
/// Products are summed in 32 bits in groups of 8 (8 * 2^27 cannot overflow).
constexpr unsigned kGroup = 8;

struct AlignedSums {
  std::array<int64_t, kLanes> sum;
  std::array<int32_t, kLanes> exponent;
};
} // namespace

/// Exponents and aligned sums of the products alone, `floor` being the least
/// exponent of each column (from the accumulator and E0).
static inline __attribute__((always_inline)) void
sumColumns(const int32_t *sigA, const int32_t *expA, const int32_t *sigB,
           const int32_t *expB, unsigned k, unsigned pitch, int scale,
           AlignedSums &out) {
  Vector exponent;
  __builtin_memcpy(&exponent, out.exponent.data(), sizeof(exponent));
  for (unsigned i = 0; i < k; ++i) {
    Vector e;
    __builtin_memcpy(&e, expB + size_t(i) * pitch, sizeof(e));
    exponent = __builtin_elementwise_max(exponent, e + expA[i]);
  }
  __builtin_memcpy(out.exponent.data(), &exponent, sizeof(exponent));
  for (unsigned first = 0; first < k; first += kGroup) {
    unsigned last = std::min(first + kGroup, k);
    Vector partial = 0;
    for (unsigned i = first; i < last; ++i) {
      Vector e, s;
      __builtin_memcpy(&e, expB + size_t(i) * pitch, sizeof(e));
      __builtin_memcpy(&s, sigB + size_t(i) * pitch, sizeof(s));
      Vector product = s * sigA[i];
      Vector shift =
          __builtin_elementwise_min(exponent - (e + expA[i]), Vector(31));
      Vector sign = product >> 31;
      Vector magnitude = ((product ^ sign) - sign) << scale;
      partial += ((magnitude >> shift) ^ sign) - sign;
    }
    for (unsigned j = 0; j < kLanes; ++j)
      out.sum[j] += partial[j];
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void
sumColumnsAvx2(const int32_t *sigA, const int32_t *expA, const int32_t *sigB,
               const int32_t *expB, unsigned k, unsigned pitch, int scale,
               AlignedSums &out) {
  sumColumns(sigA, expA, sigB, expB, k, pitch, scale, out);
}
#endif
static void sumColumnsBaseline(const int32_t *sigA, const int32_t *expA,
                               const int32_t *sigB, const int32_t *expB,
                               unsigned k, unsigned pitch, int scale,
                               AlignedSums &out) {
  sumColumns(sigA, expA, sigB, expB, k, pitch, scale, out);
}

using SumColumnsFn = decltype(&sumColumnsBaseline);
static SumColumnsFn chooseSumColumns() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    return sumColumnsAvx2;
#endif
  return sumColumnsBaseline;
}

void tirx::sim::multiplyRow(const PreparedOperand &a, unsigned row,
                            const PreparedOperand &b, const uint32_t *c,
                            uint32_t *d, const FusedParameters &parameters) {
  static const SumColumnsFn sumColumnsFn = chooseSumColumns();
  unsigned n = b.getRows(), k = b.getK(), pitch = b.getPitch();
  const int32_t *sigA = a.significands() + size_t(row) * a.getPitch();
  const int32_t *expA = a.exponents() + size_t(row) * a.getPitch();
  int scale = parameters.alignBits - 2 * kFraction;
  for (unsigned first = 0; first < n; first += kLanes) {
    unsigned count = std::min(kLanes, n - first);
    std::array<Accumulator, kLanes> accumulators;
    AlignedSums sums;
    sums.sum.fill(0);
    sums.exponent.fill(parameters.minExponent());
    for (unsigned j = 0; j < count; ++j) {
      accumulators[j] = takeAccumulator(c ? c[first + j] : 0, parameters);
      sums.exponent[j] =
          std::max(parameters.minExponent(), accumulators[j].exponent);
    }
    sumColumnsFn(sigA, expA, b.significands() + first, b.exponents() + first, k,
                 pitch, scale, sums);
    for (unsigned j = 0; j < count; ++j) {
      const Accumulator &acc = accumulators[j];
      if (acc.kind != Unpacked::Finite || a.isSpecial(row) ||
          b.isSpecial(first + j)) {
        d[first + j] =
            fusedDot(a.rowBits(row), a.getFormat(), b.rowBits(first + j),
                     b.getFormat(), c ? c[first + j] : 0, parameters);
        continue;
      }
      int64_t t = acc.significand
                      ? align(acc.significand, 23, acc.exponent,
                              sums.exponent[j], parameters.alignBits)
                      : 0;
      d[first + j] = roundSum(sums.sum[j] + (acc.negative ? -t : t),
                              sums.exponent[j], parameters);
    }
  }
}

uint32_t tirx::sim::integerDot(llvm::ArrayRef<int16_t> a,
                               llvm::ArrayRef<int16_t> b, uint32_t c,
                               bool saturate) {
  int64_t sum = int32_t(c);
  for (size_t i = 0; i < a.size(); ++i)
    sum += int32_t(a[i]) * int32_t(b[i]);
  if (saturate)
    sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                              std::numeric_limits<int32_t>::max());
  return uint32_t(sum);
}
