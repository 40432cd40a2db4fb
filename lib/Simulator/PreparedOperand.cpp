//===- PreparedOperand.cpp - operands of a matrix product, apart ----------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorCore.h"
#include "TensorCoreKernel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace tirx::sim;

/// The columns of a KMajor operand are padded to this many.
static constexpr unsigned kPadding = 16;

namespace {
/// What decoding an element needs of its format.
struct Decoding {
  int32_t containerShift, fractionBits, exponentShift, least, largest;
  uint32_t magnitude, signShift;
};
} // namespace

/// Elements as f32 values and exponents. Returns whether one is no number.
/// Every branch is a select, so that compilers vectorise it.
template <bool Wide>
static inline __attribute__((always_inline)) bool
decodeElements(const uint32_t *bits, unsigned count, const Decoding &d,
               float *values, int16_t *exponents) {
  uint32_t special = 0;
  for (unsigned i = 0; i < count; ++i) {
    uint32_t raw = bits[i] >> d.containerShift;
    uint32_t magnitude = raw & d.magnitude;
    special |= uint32_t(magnitude > uint32_t(d.largest));
    int32_t field = magnitude >> d.fractionBits;
    int32_t exponent = std::max(field, 1) + d.least - 1;
    exponents[i] = int16_t(magnitude ? exponent : kZeroOperandExponent);
    if constexpr (Wide) {
      // The exponent of f32, with fewer fraction bits.
      values[i] = llvm::bit_cast<float>(raw << (23 - d.fractionBits));
      continue;
    }
    int32_t significand =
        int32_t(magnitude) - ((field - (field ? 1 : 0)) << d.fractionBits);
    float unit = llvm::bit_cast<float>((exponent - d.fractionBits + 127) << 23);
    uint32_t value = llvm::bit_cast<uint32_t>(float(significand) * unit);
    uint32_t sign = (raw >> d.signShift & 1) << 31;
    values[i] = llvm::bit_cast<float>(value | sign);
  }
  return special;
}

template <bool Wide>
static bool decodeBaseline(const uint32_t *bits, unsigned count,
                           const Decoding &d, float *values,
                           int16_t *exponents) {
  return decodeElements<Wide>(bits, count, d, values, exponents);
}
#if defined(__x86_64__)
template <bool Wide>
__attribute__((target("avx2"))) static bool
decodeAvx2(const uint32_t *bits, unsigned count, const Decoding &d,
           float *values, int16_t *exponents) {
  return decodeElements<Wide>(bits, count, d, values, exponents);
}
#endif

using DecodeRowFn = bool (*)(const uint32_t *, unsigned, const Decoding &,
                             float *, int16_t *);
template <bool Wide> static DecodeRowFn chooseDecoder() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    return decodeAvx2<Wide>;
#endif
  return decodeBaseline<Wide>;
}

void PreparedOperand::decodeRow(unsigned row, float *values,
                                int16_t *exponents) {
  static const DecodeRowFn narrow = chooseDecoder<false>(),
                           wide = chooseDecoder<true>();
  Decoding d;
  d.containerShift = format.containerShift;
  d.fractionBits = format.fractionBits;
  d.signShift = format.exponentBits + format.fractionBits;
  d.magnitude = llvm::maskTrailingOnes<uint32_t>(d.signShift);
  d.least = format.minExponent;
  d.largest = format.maxFinite;
  DecodeRowFn decode = format.exponentBits == 8 ? wide : narrow;
  bool isSpecial =
      decode(bits.data() + size_t(row) * k, k, d, values, exponents);
  special[row] = isSpecial;
  if (scaleBlock)
    scaleRow(row, values, exponents);
  anySpecial |= special[row];
}

/// Multiplies a row by its scales. What leaves the range of f32 is special.
void PreparedOperand::scaleRow(unsigned row, float *values,
                               int16_t *exponents) {
  const uint8_t *scales = scaleBits.data() + size_t(row) * (k / scaleBlock);
  for (unsigned i = 0; i < k; ++i) {
    uint8_t scale = scales[i / scaleBlock];
    special[row] |= scale == 0xff;
    if (values[i] == 0)
      continue;
    int shift = int(scale) - 127;
    double scaled = std::ldexp(double(values[i]), shift);
    values[i] = float(scaled);
    special[row] |= double(values[i]) != scaled;
    exponents[i] += shift;
  }
}

void PreparedOperand::assign(llvm::ArrayRef<uint32_t> source, unsigned newRows,
                             unsigned newK, const FloatFormat &newFormat,
                             bool negate, Order order,
                             const BlockScales &scales,
                             llvm::ArrayRef<uint8_t> places) {
  rows = newRows;
  k = newK;
  format = newFormat;
  bool transposed = order == Order::KMajor;
  pitch = transposed ? llvm::alignTo(rows, kPadding) : k;
  anySpecial = false;
  bits.assign(source.begin(), source.end());
  scaleBlock = scales.empty() ? 0 : scales.block;
  scaleFormat = scales.format;
  scaleBits.assign(scales.bits.begin(), scales.bits.end());
  present.assign(places.begin(), places.end());
  if (negate) {
    uint32_t sign = uint32_t(1) << (format.exponentBits + format.fractionBits +
                                    format.containerShift);
    for (uint32_t &raw : bits)
      raw ^= sign;
  }
  special.assign(std::max(pitch, rows), 0);
  size_t cells = transposed ? size_t(pitch) * k : size_t(rows) * k;
  value.resize(cells);
  exponent.resize(cells);
  if (!transposed) {
    for (unsigned row = 0; row < rows; ++row)
      decodeRow(row, &value[size_t(row) * k], &exponent[size_t(row) * k]);
    return;
  }
  rowValues.resize(k);
  rowExponents.resize(k);
  for (unsigned row = 0; row < rows; ++row) {
    decodeRow(row, rowValues.data(), rowExponents.data());
    for (unsigned i = 0; i < k; ++i) {
      value[size_t(i) * pitch + row] = rowValues[i];
      exponent[size_t(i) * pitch + row] = rowExponents[i];
    }
  }
  for (unsigned i = 0; i < k; ++i)
    for (unsigned row = rows; row < pitch; ++row) {
      value[size_t(i) * pitch + row] = 0;
      exponent[size_t(i) * pitch + row] = kZeroOperandExponent;
    }
}

DotOperand PreparedOperand::row(unsigned row) const {
  BlockScales scales = {scaleBits, scaleBlock ? scaleBlock : 1, scaleFormat};
  return {llvm::ArrayRef(bits).slice(size_t(row) * k, k), &format,
          scales.row(row, k)};
}

llvm::ArrayRef<uint8_t> PreparedOperand::presentIn(unsigned row) const {
  return present.empty() ? llvm::ArrayRef<uint8_t>()
                         : llvm::ArrayRef(present).slice(size_t(row) * k, k);
}
