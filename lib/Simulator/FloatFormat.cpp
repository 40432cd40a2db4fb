//===- FloatFormat.cpp - number formats, bit for bit ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/FloatFormat.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

Unpacked tirx::sim::unpack(uint32_t bits, const FloatFormat &format) {
  bits >>= format.containerShift;
  unsigned width = format.exponentBits + format.fractionBits;
  uint32_t magnitude = bits & llvm::maskTrailingOnes<uint32_t>(width);
  Unpacked result;
  result.negative = bits >> width & 1;
  result.kind = Unpacked::Finite;
  uint32_t exponent = magnitude >> format.fractionBits;
  result.significand =
      magnitude & llvm::maskTrailingOnes<uint32_t>(format.fractionBits);
  if (magnitude > format.maxFinite)
    result.kind = format.infinity && magnitude == format.infinity
                      ? Unpacked::Infinite
                      : Unpacked::NotANumber;
  if (exponent)
    result.significand |= uint32_t(1) << format.fractionBits;
  result.exponent = format.minExponent + (exponent ? int(exponent) - 1 : 0);
  return result;
}

double tirx::sim::decodeFloat(uint32_t bits, const FloatFormat &format) {
  if (format.fractionBits == kF32.fractionBits) {
    float value = bitsToFloat(bits);
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
  }
  Unpacked u = unpack(bits, format);
  double value;
  if (u.kind == Unpacked::NotANumber)
    return std::numeric_limits<double>::quiet_NaN();
  if (u.kind == Unpacked::Infinite)
    value = std::numeric_limits<double>::infinity();
  else
    value = double(u.significand) *
            llvm::bit_cast<double>(
                uint64_t(1023 + u.exponent - format.fractionBits) << 52);
  return u.negative ? -value : value;
}

/// significand / 2^shift as an integer, rounded; `shift` is positive.
static uint64_t roundShift(uint64_t significand, unsigned shift, bool negative,
                           Rounding rounding) {
  if (shift > 62)
    shift = 62; // the significand has 53 bits: all of it is below one half
  uint64_t quotient = significand >> shift;
  uint64_t rest = significand & llvm::maskTrailingOnes<uint64_t>(shift);
  uint64_t half = uint64_t(1) << (shift - 1);
  switch (rounding) {
  case Rounding::NearestEven:
    return quotient + (rest > half || (rest == half && (quotient & 1)));
  case Rounding::NearestAway:
    return quotient + (rest >= half);
  case Rounding::Zero:
    return quotient;
  case Rounding::Down:
    return quotient + (negative && rest);
  case Rounding::Up:
    return quotient + (!negative && rest);
  }
  return quotient;
}

static bool overflowsToInfinity(Rounding rounding, bool negative) {
  switch (rounding) {
  case Rounding::Zero:
    return false;
  case Rounding::Down:
    return negative;
  case Rounding::Up:
    return !negative;
  default:
    return true;
  }
}

uint32_t tirx::sim::encodeFloat(double value, const FloatFormat &format,
                                Rounding rounding, bool saturate) {
  if (std::isnan(value))
    return format.nan << format.containerShift;
  if (format.fractionBits == kF32.fractionBits &&
      rounding == Rounding::NearestEven && !saturate)
    return floatToBits(float(value));
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  bool negative = bits >> 63;
  uint32_t sign = uint32_t(negative)
                  << (format.exponentBits + format.fractionBits);
  auto finish = [&](uint32_t magnitude) {
    return (sign | magnitude) << format.containerShift;
  };
  bool infinite = std::isinf(value);
  int exponent = int(bits >> 52 & 0x7ff) - 1023;
  uint64_t significand = bits & llvm::maskTrailingOnes<uint64_t>(52);
  if (exponent == -1023)
    exponent = -1022; // a subnormal double
  else
    significand |= uint64_t(1) << 52;

  uint64_t magnitude = ~uint64_t(0);
  if (!infinite && exponent <= 200) {
    int top = std::max<int>(exponent, format.minExponent);
    int shift = top - format.fractionBits - (exponent - 52);
    uint64_t n = roundShift(significand, shift, negative, rounding);
    // A carry out of the fraction moves into the exponent field by itself.
    magnitude = (uint64_t(top - format.minExponent) << format.fractionBits) + n;
  }
  if (magnitude <= format.maxFinite)
    return finish(magnitude);
  bool toInfinity = format.infinity && !saturate &&
                    (infinite || overflowsToInfinity(rounding, negative));
  if (!format.infinity && format.nan && !saturate &&
      (infinite || overflowsToInfinity(rounding, negative)))
    return finish(format.nan);
  return finish(toInfinity ? format.infinity : format.maxFinite);
}

bool tirx::sim::isBelowNormal(double value, const FloatFormat &format,
                              Rounding rounding) {
  double magnitude = std::fabs(value);
  double normal = std::ldexp(1.0, format.minExponent);
  // A unit in the last place of the binade below.
  double unit = std::ldexp(1.0, format.minExponent - format.fractionBits - 1);
  switch (rounding) {
  case Rounding::NearestEven:
  case Rounding::NearestAway:
    return magnitude < normal - unit / 2;
  case Rounding::Zero:
    return magnitude < normal;
  case Rounding::Down:
  case Rounding::Up:
    break;
  }
  bool isAway = (rounding == Rounding::Down) == std::signbit(value);
  return isAway ? magnitude <= normal - unit : magnitude < normal;
}
