//===- FloatFormat.h - number formats, bit for bit --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact conversions between the floating-point formats of the hardware and
// `double`, which holds every value of every format up to f32 exactly.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_FLOATFORMAT_H
#define TIRX_SIMULATOR_FLOATFORMAT_H

#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

namespace tirx::sim {

enum class Rounding : uint8_t {
  NearestEven,
  Zero,
  Down,
  Up,
  /// Ties away from zero (`.rna`).
  NearestAway,
};

/// A binary format: sign, exponent, fraction.
struct FloatFormat {
  uint8_t exponentBits;
  uint8_t fractionBits;
  /// Exponent of the smallest normal number.
  int16_t minExponent;
  /// Largest finite magnitude, as bits without sign.
  uint32_t maxFinite;
  /// Canonical NaN, 0 when the format has none.
  uint32_t nan;
  /// Bits of +Inf, 0 when the format has none.
  uint32_t infinity;
  /// The value sits this many bits above bit 0 of its container (tf32: 13).
  uint8_t containerShift;
};

inline constexpr FloatFormat kF32 = {8,          23,         -126, 0x7f7fffff,
                                     0x7fffffff, 0x7f800000, 0};
inline constexpr FloatFormat kF16 = {5, 10, -14, 0x7bff, 0x7fff, 0x7c00, 0};
inline constexpr FloatFormat kBF16 = {8, 7, -126, 0x7f7f, 0x7fff, 0x7f80, 0};
inline constexpr FloatFormat kTF32 = {8,       10,      -126, 0x3fbff,
                                      0x3ffff, 0x3fc00, 13};
inline constexpr FloatFormat kE4M3 = {4, 3, -6, 0x7e, 0x7f, 0, 0};
inline constexpr FloatFormat kE5M2 = {5, 2, -14, 0x7b, 0x7f, 0x7c, 0};
inline constexpr FloatFormat kE2M3 = {2, 3, 0, 0x1f, 0, 0, 0};
inline constexpr FloatFormat kE3M2 = {3, 2, -2, 0x1f, 0, 0, 0};
inline constexpr FloatFormat kE2M1 = {2, 1, 0, 0x7, 0, 0, 0};

/// A number taken apart: (-1)^negative * significand * 2^(exponent - fraction
/// bits of the format). Subnormals keep the exponent of the smallest normal and
/// are not normalised, as in the tensor cores.
struct Unpacked {
  enum Kind : uint8_t { Finite, Infinite, NotANumber } kind;
  bool negative;
  int32_t exponent;
  uint32_t significand;
};

/// Takes the bits of a value apart; container bits outside it are ignored.
Unpacked unpack(uint32_t bits, const FloatFormat &format);

/// The exact value; NaN for every NaN.
double decodeFloat(uint32_t bits, const FloatFormat &format);

/// Rounds `value`, taken as exact, once to the format. Overflow gives infinity,
/// or the largest finite number where the rounding mode, `saturate`, or a
/// format without infinity says so. NaN gives the canonical NaN (zero for
/// formats that have none).
uint32_t encodeFloat(double value, const FloatFormat &format,
                     Rounding rounding = Rounding::NearestEven,
                     bool saturate = false);

/// What `.ftz` flushes: a value that is below the normal numbers also when it
/// is rounded as if exponents had no lower end.
bool isBelowNormal(double value, const FloatFormat &format, Rounding rounding);

inline float bitsToFloat(uint32_t bits) { return llvm::bit_cast<float>(bits); }
inline uint32_t floatToBits(float value) {
  return llvm::bit_cast<uint32_t>(value);
}

/// a + b in double, rounded to odd: rounding the result again to at most 51
/// bits is the same as rounding the exact sum once.
inline double addRoundToOdd(double a, double b) {
  double sum = a + b;
  double bb = sum - a;
  double error = (a - (sum - bb)) + (b - bb);
  uint64_t bits = llvm::bit_cast<uint64_t>(sum);
  // An inexact sum with an even last bit moves one place towards the error.
  if (error != 0 && !(bits & 1) && std::isfinite(sum))
    bits += ((error > 0) == (sum > 0)) ? 1 : -1;
  return llvm::bit_cast<double>(bits);
}

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_FLOATFORMAT_H
