//===- ConvertNarrow.cpp - cvt of 8, 6 and 4 bits, and with random bits ---===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions whose values are packed, two or four in a register, the first
// source in the highest place. Rules and what is measured: docs/numerics.md
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Exec.h"
#include "TIRx/Simulator/FloatFormat.h"

using namespace tirx::sim;

TIRX_SIMD_BEGIN

namespace {

/// Modifiers as Inst::c keeps them.
enum Flags : uint8_t { kRelu = 1, kFinite = 2, kRandom = 4 };

/// How values of a type lie in a register.
struct Packing {
  const FloatFormat *format; ///< null: ue8m0
  uint8_t bits;              ///< a place
  uint8_t count;
};

} // namespace

static std::optional<Packing> packingOf(Type type) {
  switch (type) {
  case Type::F16x2:
    return Packing{&kF16, 16, 2};
  case Type::BF16x2:
    return Packing{&kBF16, 16, 2};
  case Type::E4M3x2:
    return Packing{&kE4M3, 8, 2};
  case Type::E5M2x2:
    return Packing{&kE5M2, 8, 2};
  case Type::E2M3x2:
    return Packing{&kE2M3, 8, 2};
  case Type::E3M2x2:
    return Packing{&kE3M2, 8, 2};
  case Type::E2M1x2:
    return Packing{&kE2M1, 4, 2};
  case Type::UE8M0x2:
    return Packing{nullptr, 8, 2};
  case Type::E4M3x4:
    return Packing{&kE4M3, 8, 4};
  case Type::E5M2x4:
    return Packing{&kE5M2, 8, 4};
  case Type::E2M3x4:
    return Packing{&kE2M3, 8, 4};
  case Type::E3M2x4:
    return Packing{&kE3M2, 8, 4};
  case Type::E2M1x4:
    return Packing{&kE2M1, 4, 4};
  default:
    return std::nullopt;
  }
}

/// The exponent of a magnitude, rounded to zero or up, without its sign.
static uint32_t encodeScale(double value, Rounding rounding, bool finite) {
  if (std::isnan(value))
    return 0xff;
  value = std::fabs(value);
  if (std::isinf(value))
    return finite ? 0xfe : 0xff;
  if (value <= 0x1p-127)
    return 0;
  int exponent = std::ilogb(value);
  if (rounding == Rounding::Up && std::ldexp(1.0, exponent) != value)
    ++exponent;
  exponent = std::max(exponent + 127, 0);
  return exponent > 0xfe && finite ? 0xfe : exponent;
}

static double decodeScale(uint32_t bits) {
  return bits == 0xff ? std::numeric_limits<double>::quiet_NaN()
                      : std::ldexp(1.0, int(bits) - 127);
}

/// Cut, then moved away from zero where the cut part and a random one of
/// `randomBits` bits give a carry.
static uint32_t encodeStochastic(double value, const FloatFormat &format,
                                 uint32_t random, unsigned randomBits,
                                 bool finite) {
  double magnitude = std::fabs(value);
  if (!std::isfinite(value))
    return encodeFloat(value, format, Rounding::Zero, finite);
  uint32_t cut = encodeFloat(magnitude, format, Rounding::Zero);
  double low = decodeFloat(cut, format);
  double unit = cut < format.maxFinite ? decodeFloat(cut + 1, format) - low
                                       : low - decodeFloat(cut - 1, format);
  double scaled = std::ldexp((magnitude - low) / unit, randomBits);
  if (std::floor(scaled) + random >= std::ldexp(1.0, randomBits))
    ++cut;
  if (cut > format.maxFinite)
    cut = finite ? format.maxFinite : format.infinity;
  uint32_t sign = uint32_t(std::signbit(value))
                  << (format.exponentBits + format.fractionBits);
  return sign | cut;
}

static uint32_t encode(const Inst &i, const Packing &to, double value,
                       uint32_t random) {
  if ((i.c & kRelu) && !std::isnan(value) && !(value > 0))
    value = 0.0;
  if (!to.format)
    return encodeScale(value, Rounding(i.b), i.c & kFinite);
  // The formats without NaN have their greatest number instead.
  if (std::isnan(value) && !to.format->nan)
    return to.format->maxFinite;
  if (!(i.c & kRandom))
    return encodeFloat(value, *to.format, Rounding(i.b), i.c & kFinite);
  // f16 drops 13 bits of f32, the others at least 16.
  unsigned randomBits = to.format == &kF16 ? 13 : 16;
  return encodeStochastic(value, *to.format, random & ((1u << randomBits) - 1),
                          randomBits, i.c & kFinite);
}

/// From f32 registers, the vector; `d` the type, op[2] random bits: the upper
/// half is for the upper places.
static Step fromSingles(Warp &w, const Inst &i, uint32_t mask) {
  Packing to = *packingOf(Type(i.d));
  const Slot *sources = w.cta.grid.kernel.slots.data() + i.vector;
  auto *d = w.at<uint32_t>(i.op[0]);
  auto *rbits = i.c & kRandom ? w.at<uint32_t>(i.op[2]) : nullptr;
  forLanes(mask, [&](unsigned l) {
    uint32_t result = 0;
    for (unsigned n = 0; n < to.count; ++n) {
      uint32_t random = rbits ? rbits[l] >> (n < to.count / 2u ? 16 : 0) : 0;
      double value = decodeFloat(w.at<uint32_t>(sources[n])[l], kF32);
      result = result << to.bits | encode(i, to, value, random);
    }
    d[l] = result;
  });
  return Step::Next;
}

/// From two places of one register, types `a` and `d`.
static Step fromPair(Warp &w, const Inst &i, uint32_t mask) {
  Packing from = *packingOf(Type(i.a)), to = *packingOf(Type(i.d));
  auto decodePlace = [&](uint32_t bits) {
    bits &= (1u << from.bits) - 1;
    return from.format ? decodeFloat(bits, *from.format) : decodeScale(bits);
  };
  return map1<uint32_t, uint32_t>(w, i, mask, [&](uint32_t a) {
    return encode(i, to, decodePlace(a >> from.bits), 0) << to.bits |
           encode(i, to, decodePlace(a), 0);
  });
}

bool tirx::sim::decodeNarrowConversion(InstDecoder &d, Inst &i) {
  Type to = d.type(0), from = d.type(1);
  auto target = packingOf(to), source = packingOf(from);
  if (!target || d.types().size() != 2)
    return source.has_value() && (d.fail("cvt between these types has no "
                                         "model"),
                                  true);
  i.a = uint8_t(from);
  i.b = uint8_t(d.has("rz")   ? Rounding::Zero
                : d.has("rp") ? Rounding::Up
                              : Rounding::NearestEven);
  // What goes beyond these formats is always the greatest number.
  bool always = target->format && target->bits < 16;
  i.c = d.has("relu") * kRelu | (d.has("satfinite") || always) * kFinite |
        d.has("rs") * kRandom;
  i.d = uint8_t(to);
  i.op[0] = d.dst(0, to);
  if (source) {
    i.op[1] = d.src(1, from);
    i.fn = fromPair;
    return true;
  }
  unsigned operands = target->count == 4 ? 1 : 2;
  if (from != Type::F32 || d.size() != 1 + operands + bool(i.c & kRandom) ||
      (operands == 1 && d.vectorSize(1) != 4)) {
    d.fail("cvt between these types has no model");
    return true;
  }
  if (operands == 1)
    d.vector(i, 1, Type::F32, /*isDst=*/false);
  else
    d.sources(i, 1, 2, Type::F32);
  if (i.c & kRandom)
    i.op[2] = d.src(1 + operands, Type::B32);
  i.fn = fromSingles;
  return true;
}

TIRX_SIMD_END
