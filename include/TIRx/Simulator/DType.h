//===- DType.h - element types of launch files ------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_DTYPE_H
#define TIRX_SIMULATOR_DTYPE_H

#include "TIRx/Simulator/FloatFormat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tirx::sim {

/// An element type: an integer, f64, or a small float. Elements below 8 bits
/// are packed, the first in the low bits.
struct DType {
  enum Kind : uint8_t { Signed, Unsigned, Float, Exponent };
  const char *name;
  Kind kind;
  unsigned bits;
  /// For floats other than f64.
  const FloatFormat *format;

  bool isInteger() const { return kind == Signed || kind == Unsigned; }
  /// Bytes that `count` packed elements take.
  uint64_t byteSize(uint64_t count) const { return (count * bits + 7) / 8; }
};

/// The type called `name` (i8..i64, u8..u64, f16, bf16, f32, f64, e4m3, e5m2,
/// ue8m0, e2m1, e3m2, e2m3), or null.
const DType *lookupDType(llvm::StringRef name);
/// All names, for messages.
std::string describeDTypes();

/// Element `index` of packed little-endian data, as raw bits.
uint64_t readElement(llvm::ArrayRef<uint8_t> data, const DType &type,
                     uint64_t index);
void writeElement(llvm::MutableArrayRef<uint8_t> data, const DType &type,
                  uint64_t index, uint64_t bits);

/// The value of raw bits; 64-bit integers beyond 2^53 are rounded.
double bitsToValue(uint64_t bits, const DType &type);
/// A value rounded to nearest even (floats) or floored (integers, modulo the
/// width).
uint64_t valueToBits(double value, const DType &type);
bool isNaN(uint64_t bits, const DType &type);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_DTYPE_H
