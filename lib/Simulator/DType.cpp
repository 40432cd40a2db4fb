//===- DType.cpp - element types of launch files --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/DType.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tirx::sim;

static const DType kTypes[] = {
    {"i8", DType::Signed, 8, nullptr},
    {"i16", DType::Signed, 16, nullptr},
    {"i32", DType::Signed, 32, nullptr},
    {"i64", DType::Signed, 64, nullptr},
    {"u8", DType::Unsigned, 8, nullptr},
    {"u16", DType::Unsigned, 16, nullptr},
    {"u32", DType::Unsigned, 32, nullptr},
    {"u64", DType::Unsigned, 64, nullptr},
    {"f16", DType::Float, 16, &kF16},
    {"bf16", DType::Float, 16, &kBF16},
    {"f32", DType::Float, 32, &kF32},
    {"f64", DType::Float, 64, nullptr},
    {"e4m3", DType::Float, 8, &kE4M3},
    {"e5m2", DType::Float, 8, &kE5M2},
    {"e2m1", DType::Float, 4, &kE2M1},
    {"e3m2", DType::Float, 6, &kE3M2},
    {"e2m3", DType::Float, 6, &kE2M3},
    {"ue8m0", DType::Exponent, 8, nullptr},
};

const DType *tirx::sim::lookupDType(llvm::StringRef name) {
  for (const DType &type : kTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

std::string tirx::sim::describeDTypes() {
  std::string text;
  for (const DType &type : kTypes)
    text += (text.empty() ? "" : ", ") + std::string(type.name);
  return text;
}

uint64_t tirx::sim::readElement(llvm::ArrayRef<uint8_t> data, const DType &type,
                                uint64_t index) {
  uint64_t bits = 0;
  if (type.bits >= 8) {
    std::memcpy(&bits, data.data() + index * (type.bits / 8), type.bits / 8);
    return bits;
  }
  for (unsigned i = 0; i < type.bits; ++i) {
    uint64_t bit = index * type.bits + i;
    bits |= uint64_t(data[bit / 8] >> (bit % 8) & 1) << i;
  }
  return bits;
}

void tirx::sim::writeElement(llvm::MutableArrayRef<uint8_t> data,
                             const DType &type, uint64_t index, uint64_t bits) {
  if (type.bits >= 8) {
    std::memcpy(data.data() + index * (type.bits / 8), &bits, type.bits / 8);
    return;
  }
  for (unsigned i = 0; i < type.bits; ++i) {
    uint64_t bit = index * type.bits + i;
    uint8_t mask = uint8_t(1) << (bit % 8);
    data[bit / 8] =
        (bits >> i & 1) ? data[bit / 8] | mask : data[bit / 8] & ~mask;
  }
}

double tirx::sim::bitsToValue(uint64_t bits, const DType &type) {
  switch (type.kind) {
  case DType::Signed:
    return double(llvm::SignExtend64(bits, type.bits));
  case DType::Unsigned:
    return double(bits);
  case DType::Exponent:
    return bits == 0xff ? std::numeric_limits<double>::quiet_NaN()
                        : std::ldexp(1.0, int(bits) - 127);
  case DType::Float:
    return type.format ? decodeFloat(bits, *type.format)
                       : llvm::bit_cast<double>(bits);
  }
  return 0;
}

uint64_t tirx::sim::valueToBits(double value, const DType &type) {
  switch (type.kind) {
  case DType::Signed:
  case DType::Unsigned: {
    double floor = std::floor(value);
    uint64_t bits = 0;
    if (floor >= -0x1p63 && floor < 0x1p63)
      bits = uint64_t(int64_t(floor));
    else if (floor >= 0x1p63 && floor < 0x1p64)
      bits = uint64_t(floor);
    return bits & llvm::maskTrailingOnes<uint64_t>(type.bits);
  }
  case DType::Exponent: {
    if (!(value > 0))
      return std::isnan(value) ? 0xff : 0;
    if (std::isinf(value))
      return 254;
    // The nearest power of two, ties upwards.
    int exponent;
    double fraction = std::frexp(value, &exponent); // in [0.5, 1)
    exponent += fraction >= 0.75 ? 0 : -1;
    return std::min(std::max(exponent + 127, 0), 254);
  }
  case DType::Float:
    return type.format ? encodeFloat(value, *type.format)
                       : llvm::bit_cast<uint64_t>(value);
  }
  return 0;
}

bool tirx::sim::isNaN(uint64_t bits, const DType &type) {
  return !type.isInteger() && std::isnan(bitsToValue(bits, type));
}
