//===- Convert.cpp - cvt --------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between all scalar types. Measured rules (NaN, saturation,
// flushing) are in docs/numerics.md
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "TIRx/Simulator/FloatFormat.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

TIRX_SIMD_BEGIN

namespace {

/// Modifiers as Inst::c keeps them.
enum Flags : uint8_t {
  kFlush = 1,
  kSaturate = 2,
  kRelu = 4,
  kToInteger = 8, ///< .rni and its like: round to an integral value
  kFinite = 16,   ///< .satfinite
};

const FloatFormat *formatOf(Type type) {
  switch (type) {
  case Type::F16:
    return &kF16;
  case Type::BF16:
    return &kBF16;
  case Type::TF32:
    return &kTF32;
  case Type::F32:
    return &kF32;
  default:
    return nullptr;
  }
}

double roundToIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

/// An integer as a double, rounded to odd.
double integerToDouble(uint64_t bits, bool isSigned) {
  bool negative = isSigned && int64_t(bits) < 0;
  uint64_t magnitude = negative ? 0 - bits : bits;
  unsigned excess = 64 - llvm::countl_zero(magnitude);
  excess = excess > 53 ? excess - 53 : 0;
  uint64_t rest = magnitude & llvm::maskTrailingOnes<uint64_t>(excess);
  magnitude = (magnitude >> excess | (rest != 0)) << excess;
  double value = double(magnitude);
  return negative ? -value : value;
}

/// An integer rounded once to f64.
uint64_t integerToF64(uint64_t bits, bool isSigned, Rounding rounding) {
  if (rounding == Rounding::NearestEven)
    return llvm::bit_cast<uint64_t>(isSigned ? double(int64_t(bits))
                                             : double(bits));
  bool negative = isSigned && int64_t(bits) < 0;
  uint64_t magnitude = negative ? 0 - bits : bits;
  unsigned excess = 64 - llvm::countl_zero(magnitude);
  excess = excess > 53 ? excess - 53 : 0;
  uint64_t cut = magnitude >> excess << excess;
  bool up = rounding == Rounding::Up ? !negative
                                     : rounding == Rounding::Down && negative;
  double value = double(cut);
  if (up && cut != magnitude)
    value += std::ldexp(1.0, excess);
  return llvm::bit_cast<uint64_t>(negative ? -value : value);
}

uint64_t signOrZeroExtend(uint64_t bits, Type type) {
  unsigned width = bitsOf(type);
  if (width >= 64)
    return bits;
  return isSigned(type) ? uint64_t(llvm::SignExtend64(bits, width))
                        : bits & llvm::maskTrailingOnes<uint64_t>(width);
}

uint64_t integerToInteger(uint64_t value, Type from, Type to, bool saturate) {
  unsigned width = bitsOf(to);
  if (saturate) {
    __int128 exact =
        isSigned(from) ? __int128(int64_t(value)) : __int128(value);
    __int128 low = isSigned(to) ? -(__int128(1) << (width - 1)) : 0;
    __int128 high = (__int128(1) << (isSigned(to) ? width - 1 : width)) - 1;
    exact = exact < low ? low : exact > high ? high : exact;
    value = uint64_t(exact);
  }
  return signOrZeroExtend(value, to);
}

uint64_t floatToInteger(double value, Type from, Type to, Rounding rounding) {
  unsigned width = bitsOf(to);
  if (std::isnan(value)) {
    if (from != Type::F64 && width < 64)
      return 0;
    return signOrZeroExtend(uint64_t(1) << (width - 1), to);
  }
  value = roundToIntegral(value, rounding);
  double limit = std::ldexp(1.0, isSigned(to) ? width - 1 : width);
  if (value >= limit)
    return signOrZeroExtend(
        llvm::maskTrailingOnes<uint64_t>(isSigned(to) ? width - 1 : width), to);
  double low = isSigned(to) ? -limit : 0;
  if (value < low)
    return isSigned(to) ? signOrZeroExtend(uint64_t(1) << (width - 1), to) : 0;
  return isSigned(to) ? uint64_t(int64_t(value)) : uint64_t(value);
}

double loadFloat(uint64_t bits, Type type) {
  if (type == Type::F64)
    return llvm::bit_cast<double>(bits);
  return decodeFloat(uint32_t(bits), *formatOf(type));
}

/// NaN of a narrowing from f64: sign and top of the payload are kept, quieted.
uint32_t narrowNaN(uint64_t bits, const FloatFormat &format) {
  uint32_t sign = uint32_t(bits >> 63)
                  << (format.exponentBits + format.fractionBits);
  uint32_t payload = (bits & llvm::maskTrailingOnes<uint64_t>(52)) >>
                     (52 - format.fractionBits);
  return sign | format.infinity | uint32_t(1) << (format.fractionBits - 1) |
         payload;
}

/// NaN of a widening to f64: the payload is kept, quieted.
uint64_t widenNaN(uint64_t bits, const FloatFormat &format) {
  unsigned width = format.exponentBits + format.fractionBits;
  uint64_t payload =
      bits & llvm::maskTrailingOnes<uint64_t>(format.fractionBits);
  return (bits >> width & 1) << 63 | uint64_t(0xfff) << 51 |
         payload << (52 - format.fractionBits);
}

/// `cvt.rna.tf32.f32` does not know NaN: it adds half a unit to the magnitude
/// and cuts; of infinity and NaN it only cuts.
uint32_t roundAwayTF32(uint32_t bits, bool finite) {
  uint32_t sign = bits & 0x80000000, magnitude = bits & 0x7fffffff;
  uint32_t rounded = (magnitude + 0x1000) & ~0x1fffu;
  if (magnitude >= 0x7f800000)
    rounded = magnitude & ~0x1fffu;
  if (finite && (rounded & 0x7fffffff) >= 0x7f800000)
    rounded -= 0x2000 * (rounded >= 0x7f800000);
  return sign | rounded;
}

uint64_t encodeResult(double value, Type to, Rounding rounding, uint8_t flags) {
  if (flags & kSaturate) {
    if (std::isnan(value) || !(value > 0))
      value = 0.0;
    value = std::min(value, 1.0);
  }
  if ((flags & kRelu) && !std::isnan(value) && !(value > 0))
    value = 0.0;
  if (to == Type::F64)
    return llvm::bit_cast<uint64_t>(value);
  if ((flags & kFlush) && to == Type::F32 &&
      isBelowNormal(value, kF32, rounding))
    value = std::copysign(0.0, value);
  return encodeFloat(value, *formatOf(to), rounding, flags & kFinite);
}

uint64_t convert(uint64_t bits, Type from, Type to, Rounding rounding,
                 uint8_t flags) {
  bool fromInteger = !isFloat(from), toInteger = !isFloat(to);
  if (fromInteger) {
    uint64_t value = signOrZeroExtend(bits, from);
    if (toInteger)
      return integerToInteger(value, from, to, flags & kSaturate);
    if (to == Type::F64)
      return integerToF64(value, isSigned(from), rounding);
    return encodeResult(integerToDouble(value, isSigned(from)), to, rounding,
                        flags);
  }
  double value = loadFloat(bits, from);
  // Results in f16 need no flush of the source, and directed rounding sees it.
  if ((flags & kFlush) && from == Type::F32 && to != Type::F16 &&
      std::fabs(value) < 0x1p-126)
    value = std::copysign(0.0, value);
  if (toInteger)
    return floatToInteger(value, from, to, rounding);
  if (std::isnan(value) && !(flags & kSaturate)) {
    if (from == Type::BF16 && to == Type::F32)
      return bits << 16 & 0xffff0000;
    if (from == Type::F64 && to != Type::F64)
      return narrowNaN(bits, *formatOf(to));
    if (to == Type::F64 && from == Type::F64)
      return bits | uint64_t(1) << 51;
    if (to == Type::F64)
      return flags & kFlush ? 0x7fffffffe0000000
                            : widenNaN(bits, *formatOf(from));
  }
  if (to == Type::TF32 && rounding == Rounding::NearestAway)
    return roundAwayTF32(uint32_t(bits), flags & kFinite);
  if (flags & kToInteger)
    value = roundToIntegral(value, rounding);
  return encodeResult(value, to, rounding, flags);
}

} // namespace

/// `a` from, `d` to, `b` rounding, `c` flags.
static Step cvt(Warp &w, const Inst &i, uint32_t mask) {
  Type from = Type(i.a), to = Type(i.d);
  forLanes(mask, [&](unsigned l) {
    writeLane(w, i, 0, l,
              convert(readLane(w, i, 1, l), from, to, Rounding(i.b), i.c));
  });
  return Step::Next;
}

template <class D, class S>
static Step extend(Warp &w, const Inst &i, uint32_t mask) {
  return map1<D, S>(w, i, mask, [](S a) { return D(a); });
}

/// Two f32 into the halves of a word: the first source is the upper half.
static Step cvtPack(Warp &w, const Inst &i, uint32_t mask) {
  Type to = Type(i.d);
  auto *d = w.at<uint32_t>(i.op[0]);
  auto *a = w.at<uint32_t>(i.op[1]), *b = w.at<uint32_t>(i.op[2]);
  forLanes(mask, [&](unsigned l) {
    uint32_t high = convert(a[l], Type::F32, to, Rounding(i.b), i.c);
    uint32_t low = convert(b[l], Type::F32, to, Rounding(i.b), i.c);
    d[l] = high << 16 | low;
  });
  return Step::Next;
}

static Rounding roundingOf(InstDecoder &d, uint8_t &flags) {
  for (auto [name, rounding] :
       {std::pair("rni", Rounding::NearestEven),
        std::pair("rzi", Rounding::Zero), std::pair("rmi", Rounding::Down),
        std::pair("rpi", Rounding::Up)})
    if (d.has(name)) {
      flags |= kToInteger;
      return rounding;
    }
  return d.has("rz")    ? Rounding::Zero
         : d.has("rm")  ? Rounding::Down
         : d.has("rp")  ? Rounding::Up
         : d.has("rna") ? Rounding::NearestAway
                        : Rounding::NearestEven;
}

static ExecFn fastForm(const Inst &i, Type to, Type from) {
  if (i.c || i.wide)
    return cvt;
  if (to == Type::U64 && from == Type::U32)
    return extend<uint64_t, uint32_t>;
  if (to == Type::S64 && from == Type::S32)
    return extend<int64_t, int32_t>;
  return cvt;
}

/// f16x2 and bf16x2 of two f32, but for those with random bits: cvtPack.
static bool isTwoF32(InstDecoder &d) {
  return (d.type(0) == Type::F16x2 || d.type(0) == Type::BF16x2) &&
         d.type(1) == Type::F32;
}

static void decodeCvt(InstDecoder &d, Inst &i) {
  if (d.types().size() != 2)
    return d.fail("cvt between these types has no model");
  Type to = d.type(0), from = d.type(1);
  if (d.has("rs") || !isTwoF32(d))
    if (decodeNarrowConversion(d, i))
      return;
  i.b = uint8_t(roundingOf(d, i.c));
  i.c |= d.has("ftz") * kFlush | d.has("sat") * kSaturate |
         d.has("relu") * kRelu | d.has("satfinite") * kFinite;
  i.a = uint8_t(from);
  if (to == Type::F16x2 || to == Type::BF16x2) {
    if (from != Type::F32 || d.size() != 3)
      return d.fail("cvt between these types has no model");
    i.d = uint8_t(to == Type::F16x2 ? Type::F16 : Type::BF16);
    i.op[0] = d.dst(0, to);
    i.op[1] = d.src(1, Type::F32);
    i.op[2] = d.src(2, Type::F32);
    i.fn = cvtPack;
    return;
  }
  auto scalar = [](Type type) {
    return isInteger(type) || formatOf(type) || type == Type::F64;
  };
  if (!scalar(to) || !scalar(from))
    return d.fail("cvt between these types has no model");
  i.d = uint8_t(to);
  d.dstAny(i, 0, 0, to);
  d.srcAny(i, 1, 1, from);
  // The lane loops of the fast forms assume registers of the types' own width.
  bool exact = bool(i.wide & 1) == (bitsOf(to) == 64) &&
               bool(i.wide & 2) == (bitsOf(from) == 64);
  Inst plain = i;
  plain.wide = exact ? 0 : i.wide | 0x80;
  i.fn = fastForm(plain, to, from);
}

void tirx::sim::addConversionModels(ModelTable &table) {
  table["cvt"] = decodeCvt;
}

TIRX_SIMD_END
