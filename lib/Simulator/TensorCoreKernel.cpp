//===- TensorCoreKernel.cpp - tensor-core arithmetic for tiles ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row of A against a block of columns of B, in f32 lanes.
//
// Why this gives the bits of fusedDot. Operands have at most 11 significant
// bits, so that a product rounded to f32 is exact unless it is below 2^-126,
// and so is its multiple by a power of two. With E the common exponent of a
// column, the term of a product p is trunc(p * 2^(F - E)). Columns are computed
// here when -100 <= E <= 125, which F <= 25 turns into:
//   * products are below 2^(E + 2) <= 2^127: none overflows;
//   * the factor 2^(F - E) is a normal f32 between 2^-112 and 2^125;
//   * a product below 2^-126 has a term of 0, and its rounded value is at most
//     2^-126, which times 2^125 is cut to 0 as well; the same holds for the
//     product with the factor. c, of 24 bits, goes the same way.
// Terms are below 2^(F + 2) <= 2^27, so that 8 of them and c fit 32 bits; the
// groups are added in doubles, exactly (fewer than 2^20 terms). Other columns
// go to fusedDot: those with infinities or NaNs, with E outside these limits
// (unless all terms are zero), and those whose f32 result is subnormal.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreKernel.h"
#include "TIRx/Simulator/TensorCore.h"
#include <algorithm>

using namespace tirx::sim;

namespace {
constexpr int kLeastCommon = -100, kLargestCommon = 125;
/// Products summed in 32 bits.
constexpr unsigned kGroup = 8;

struct RowTask {
  const float *a;
  const int16_t *aExponents;
  const float *b;
  const int16_t *bExponents;
  unsigned k, pitch;
};

template <class T, unsigned Lanes>
using Vector = T __attribute__((ext_vector_type(Lanes)));
} // namespace

#define TIRX_INLINE static inline __attribute__((always_inline))

template <class V, class T> TIRX_INLINE V load(const T *from) {
  V value;
  __builtin_memcpy(&value, from, sizeof(value));
  return value;
}

/// `bits` of f32 rounded to nearest even to f16. The value carries a sticky
/// last bit, so that rounding it once more is exact.
template <unsigned L>
TIRX_INLINE Vector<uint32_t, L> roundToF16(Vector<float, L> value) {
  using U = Vector<uint32_t, L>;
  using F = Vector<float, L>;
  U bits = __builtin_bit_cast(U, value);
  U sign = bits & 0x80000000u;
  U magnitude = bits ^ sign;
  // A carry moves into the exponent, and from the largest number to infinity.
  U odd = magnitude >> 13 & 1;
  U normal = (magnitude - (uint32_t(127 - 15) << 23) + 0xfff + odd) >> 13;
  // Adding 1/2 leaves units of 2^-24 in the last place.
  U small = __builtin_bit_cast(U, __builtin_bit_cast(F, magnitude) + 0.5f) -
            0x3f000000u;
  U result = magnitude < 0x38800000u ? small : normal;
  result = magnitude >= 0x47800000u ? U(0x7c00) : result;
  return result == 0 ? U(0) : result | sign >> 16;
}

/// c as f32 and its exponent; the mask of lanes where it is no number.
template <unsigned L, bool Half>
TIRX_INLINE Vector<int32_t, L> takeAccumulators(const uint32_t *c,
                                                Vector<float, L> &value,
                                                Vector<int32_t, L> &exponent) {
  using I = Vector<int32_t, L>;
  using F = Vector<float, L>;
  constexpr int fraction = Half ? 10 : 23, bias = Half ? 15 : 127;
  constexpr int top = Half ? 31 : 255;
  I raw = load<I>(c);
  I field = raw >> fraction & top;
  I magnitude = raw & (Half ? 0x7fff : 0x7fffffff);
  exponent = __builtin_elementwise_max(field, I(1)) - bias;
  exponent = magnitude == 0 ? I(2 * kZeroOperandExponent) : exponent;
  if constexpr (Half) {
    I hidden = field != 0 ? I(1 << 10) : I(0);
    F significand = __builtin_convertvector((raw & 0x3ff) | hidden, F);
    I power = (__builtin_elementwise_max(field, I(1)) - bias - 10 + 127) << 23;
    F result = significand * __builtin_bit_cast(F, power);
    value = __builtin_bit_cast(F, __builtin_bit_cast(I, result) | (raw & 0x8000)
                                                                      << 16);
  } else {
    value = __builtin_bit_cast(F, raw);
  }
  return field == top;
}

/// d = fused(row, columns, c) for L columns; the mask of lanes that fusedDot
/// has to do instead.
template <unsigned L, bool Half>
TIRX_INLINE uint32_t multiplyColumns(const RowTask &task, const uint32_t *c,
                                     uint32_t *d,
                                     const FusedParameters &parameters) {
  using I = Vector<int32_t, L>;
  using S = Vector<int16_t, L>;
  using F = Vector<float, L>;
  using D = Vector<double, L>;
  using Long = Vector<int64_t, L>;
  F cValue;
  I cExponent;
  I slow = takeAccumulators<L, Half>(c, cValue, cExponent);
  cExponent -= parameters.scaleD;

  S largest = S(2 * kZeroOperandExponent);
  for (unsigned i = 0; i < task.k; ++i)
    largest = __builtin_elementwise_max(
        largest, load<S>(task.bExponents + size_t(i) * task.pitch) +
                     S(task.aExponents[i]));
  I common =
      __builtin_elementwise_max(__builtin_convertvector(largest, I), cExponent);
  slow |= common > kLargestCommon;
  slow |= (common < kLeastCommon) & (common > kZeroOperandExponent / 2);
  common = __builtin_elementwise_max(
      common, I(std::max(parameters.minExponent(), kLeastCommon)));
  common = __builtin_elementwise_min(common, I(kLargestCommon));

  I factorBits = (parameters.alignBits + 127 - common) << 23;
  F factor = __builtin_bit_cast(F, factorBits);
  F cFactor = __builtin_bit_cast(F, factorBits - (parameters.scaleD << 23));
  D sum = 0;
  F accumulator = cValue * cFactor;
  I terms = __builtin_convertvector(slow ? F(0) : accumulator, I);
  for (unsigned first = 0; first < task.k; first += kGroup) {
    unsigned last = std::min(first + kGroup, task.k);
    for (unsigned i = first; i < last; ++i) {
      F product = load<F>(task.b + size_t(i) * task.pitch) * task.a[i];
      terms += __builtin_convertvector(product * factor, I);
    }
    sum += __builtin_convertvector(terms, D);
    terms = 0;
  }
  Long power =
      __builtin_convertvector(common - parameters.alignBits + 1023, Long) << 52;
  D value = sum * __builtin_bit_cast(D, power);
  Long bits = __builtin_bit_cast(Long, value);
  if constexpr (Half) {
    constexpr int64_t rest = (int64_t(1) << 29) - 1;
    Long cut = bits & ~rest;
    cut = (bits & rest) != 0 ? cut | (rest + 1) : cut;
    F rounded = __builtin_convertvector(__builtin_bit_cast(D, cut), F);
    auto result = roundToF16<L>(rounded);
    __builtin_memcpy(d, &result, sizeof(result));
  } else {
    Long cut = bits & -(int64_t(1) << (52 - parameters.resultBits));
    F rounded = __builtin_convertvector(__builtin_bit_cast(D, cut), F);
    I result = __builtin_bit_cast(I, rounded);
    I magnitude = result & 0x7fffffff;
    slow |= (magnitude < 0x00800000) & (__builtin_convertvector(sum != 0, I));
    __builtin_memcpy(d, &result, sizeof(result));
  }
  uint32_t mask = 0;
  for (unsigned lane = 0; lane < L; ++lane)
    mask |= uint32_t(slow[lane] & 1) << lane;
  return mask;
}

using ColumnsFn = uint32_t (*)(const RowTask &, const uint32_t *, uint32_t *,
                               const FusedParameters &);

namespace {
/// The same code for one kind of processor.
struct Kernel {
  unsigned lanes;
  ColumnsFn single, half;
};
} // namespace

#define TIRX_KERNEL(NAME, LANES, HALF, ATTRIBUTES)                             \
  ATTRIBUTES static uint32_t NAME(const RowTask &task, const uint32_t *c,      \
                                  uint32_t *d,                                 \
                                  const FusedParameters &parameters) {         \
    return multiplyColumns<LANES, HALF>(task, c, d, parameters);               \
  }
#define TIRX_TARGET(FEATURES) __attribute__((target(FEATURES)))

TIRX_KERNEL(singleBaseline, 8, false, )
TIRX_KERNEL(halfBaseline, 8, true, )
#if defined(__x86_64__)
#define TIRX_AVX512 TIRX_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
TIRX_KERNEL(singleAvx2, 8, false, TIRX_TARGET("avx2"))
TIRX_KERNEL(halfAvx2, 8, true, TIRX_TARGET("avx2"))
TIRX_KERNEL(singleAvx512, 16, false, TIRX_AVX512)
TIRX_KERNEL(halfAvx512, 16, true, TIRX_AVX512)
#endif

/// For at least `columns` columns of B.
static Kernel chooseKernel([[maybe_unused]] unsigned columns) {
#if defined(__x86_64__)
  if (columns >= 16 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return {16, singleAvx512, halfAvx512};
  if (__builtin_cpu_supports("avx2"))
    return {8, singleAvx2, halfAvx2};
#endif
  return {8, singleBaseline, halfBaseline};
}

static void multiplyRowWith(const Kernel &kernel, const PreparedOperand &a,
                            unsigned row, const PreparedOperand &b,
                            const uint32_t *c, uint32_t *d,
                            const FusedParameters &parameters) {
  constexpr unsigned kMaxLanes = 16;
  ColumnsFn columns =
      parameters.result == AccumulatorFormat::F16 ? kernel.half : kernel.single;
  const size_t aStart = size_t(row) * a.getPitch();
  for (unsigned first = 0; first < b.getRows(); first += kernel.lanes) {
    unsigned count = std::min(kernel.lanes, b.getRows() - first);
    uint32_t in[kMaxLanes] = {}, out[kMaxLanes];
    if (c)
      std::copy_n(c + first, count, in);
    RowTask task = {a.values() + aStart,
                    a.exponents() + aStart,
                    b.values() + first,
                    b.exponents() + first,
                    b.getK(),
                    b.getPitch()};
    uint32_t slow = columns(task, in, out, parameters);
    if (a.isSpecial(row))
      slow = ~0u;
    if (b.hasSpecial())
      for (unsigned lane = 0; lane < count; ++lane)
        slow |= uint32_t(b.isSpecial(first + lane)) << lane;
    for (unsigned lane = 0; slow && lane < count; ++lane)
      if (slow >> lane & 1)
        out[lane] = fusedDot(a.row(row), b.row(first + lane), in[lane],
                             parameters, a.presentIn(row));
    std::copy_n(out, count, d + first);
  }
}

void tirx::sim::multiplyRow(const PreparedOperand &a, unsigned row,
                            const PreparedOperand &b, const uint32_t *c,
                            uint32_t *d, const FusedParameters &parameters) {
  static const Kernel narrow = chooseKernel(8), wide = chooseKernel(16);
  multiplyRowWith(b.getRows() >= 16 ? wide : narrow, a, row, b, c, d,
                  parameters);
}

void tirx::sim::multiplyRowPortable(const PreparedOperand &a, unsigned row,
                                    const PreparedOperand &b, const uint32_t *c,
                                    uint32_t *d,
                                    const FusedParameters &parameters) {
  multiplyRowWith({8, singleBaseline, halfBaseline}, a, row, b, c, d,
                  parameters);
}
