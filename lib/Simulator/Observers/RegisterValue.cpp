//===- RegisterValue.cpp - registers for people ---------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/RegisterValue.h"
#include "TIRx/Simulator/DType.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace tirx::sim;
using llvm::StringRef;

std::array<uint64_t, 2> tirx::sim::readRegister(const uint8_t *registers,
                                                const NamedRegister &reg,
                                                unsigned lane) {
  const uint8_t *data = registers + reg.slot;
  uint32_t word = 0;
  std::array<uint64_t, 2> bits = {};
  switch (reg.bits) {
  case 1:
    std::memcpy(&word, data, 4);
    return {word >> lane & 1, 0};
  case 128:
    std::memcpy(&bits[1], data + (lane + 32) * 8, 8);
    [[fallthrough]];
  case 64:
    std::memcpy(&bits[0], data + lane * 8, 8);
    return bits;
  default:
    std::memcpy(&word, data + lane * 4, 4);
    return {word & llvm::maskTrailingOnes<uint64_t>(reg.bits), 0};
  }
}

/// The fewest digits that give the same number again, with an exponent only for
/// what is very large or very small.
static std::string formatFloat(double value, int digits) {
  char text[40];
  auto print = [&](int count) {
    std::snprintf(text, sizeof text, "%.*g", count, value);
    return std::strtod(text, nullptr);
  };
  int count = 1;
  while (count < digits && print(count) != value &&
         (digits != 9 || float(print(count)) != float(value)))
    ++count;
  double magnitude = std::fabs(value);
  if (magnitude >= 1 && magnitude < 1e16)
    count = std::max(count, int(std::log10(magnitude)) + 1);
  print(count);
  return text;
}

std::string tirx::sim::formatValue(std::array<uint64_t, 2> bits, StringRef type,
                                   unsigned width) {
  if (width == 1)
    return bits[0] ? "1" : "0";
  StringRef half = type;
  if (half.consume_back("x2") && (half == "f16" || half == "bf16"))
    return "(" + formatValue({bits[0] & 0xffff, 0}, half, 16) + " " +
           formatValue({bits[0] >> 16 & 0xffff, 0}, half, 16) + ")";
  // PTX says s32 where launch files say i32.
  std::string name = type == "tf32"          ? "f32"
                     : type.starts_with("s") ? "i" + type.substr(1).str()
                                             : type.str();
  const DType *dtype = lookupDType(name);
  if (!dtype || dtype->bits > width) {
    std::string low = llvm::utohexstr(bits[0], /*LowerCase=*/true);
    if (!bits[1])
      return "0x" + low;
    return "0x" + llvm::utohexstr(bits[1], /*LowerCase=*/true) +
           std::string(16 - low.size(), '0') + low;
  }
  uint64_t value = bits[0] & llvm::maskTrailingOnes<uint64_t>(dtype->bits);
  if (dtype->kind == DType::Signed)
    return std::to_string(llvm::SignExtend64(value, dtype->bits));
  if (dtype->kind == DType::Unsigned)
    return std::to_string(value);
  int digits = dtype->bits == 64 ? 17 : dtype->bits == 32 ? 9 : 5;
  return formatFloat(bitsToValue(value, *dtype), digits);
}

std::string tirx::sim::formatRegister(const uint8_t *registers,
                                      const NamedRegister &reg,
                                      uint32_t lanes) {
  if (!lanes)
    return "-";
  auto first = readRegister(registers, reg, llvm::countr_zero(lanes));
  bool same = true;
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    same &= readRegister(registers, reg, llvm::countr_zero(rest)) == first;
  if (same)
    return formatValue(first, reg.type, reg.bits);
  std::string text = "[";
  for (unsigned lane = 0; lane < 32; ++lane) {
    text += lane ? " " : "";
    text += lanes >> lane & 1 ? formatValue(readRegister(registers, reg, lane),
                                            reg.type, reg.bits)
                              : "-";
  }
  return text + "]";
}
