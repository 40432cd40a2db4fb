//===- MeasuredArrays.h - measured cases with arrays ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads files of measured cases in two parts: NAME.json lists cases and arrays,
// NAME.bin has the arrays.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_LAYOUT_MEASUREDARRAYS_H
#define TIRX_UNITTESTS_LAYOUT_MEASUREDARRAYS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <vector>

namespace tirx::testing {

/// Integers in row-major order, sign-extended where signed.
struct MeasuredArray {
  std::vector<int64_t> shape, values;

  int64_t at(int64_t i, int64_t j) const { return values[i * shape[1] + j]; }
  /// Elements of `bits` bits of a row of 32- or 64-bit registers, or of a row
  /// of bytes: element `e`, lowest bits first.
  uint64_t element(int64_t row, int64_t e, unsigned bits) const;
  /// Bits of a value of the array.
  unsigned width = 0;
};

class MeasuredFile {
public:
  /// Reads `name`.json and `name`.bin of test/data/h200. No cases, and a failed
  /// test, when they cannot be read.
  explicit MeasuredFile(llvm::StringRef name);

  const llvm::json::Array &cases() const { return list; }
  /// The array `key` of a case, called `name`_`key`.
  const MeasuredArray &get(const llvm::json::Object &test,
                           llvm::StringRef key) const;

private:
  llvm::json::Array list;
  llvm::StringMap<MeasuredArray> arrays;
};

/// The value of an element of A, B, C or D by the name of its type: f64, f32,
/// tf32, f16, bf16, e4m3, e5m2, s32, s16, u16, s8, u8, s4, u4, b1.
double decode(llvm::StringRef type, uint64_t bits);
/// Bits of a type in registers.
unsigned bitsOf(llvm::StringRef type);

} // namespace tirx::testing

#endif // TIRX_UNITTESTS_LAYOUT_MEASUREDARRAYS_H
