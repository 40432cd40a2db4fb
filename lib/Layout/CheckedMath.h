//===- CheckedMath.h - 64-bit arithmetic that notices overflow --*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_CHECKEDMATH_H
#define TIRX_LIB_LAYOUT_CHECKEDMATH_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"

namespace tirx {

inline llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// "3 bytes", or bits where they make no whole byte.
inline std::string describeBits(int64_t bits) {
  return bits % 8 == 0 ? (llvm::Twine(bits / 8) + " bytes").str()
                       : (llvm::Twine(bits) + " bits").str();
}

/// An integer that remembers whether a computation left the 64-bit range.
class CheckedInt {
public:
  CheckedInt(int64_t value) : value(value) {}
  CheckedInt &operator+=(CheckedInt other) {
    overflow |= other.overflow | llvm::AddOverflow(value, other.value, value);
    return *this;
  }
  CheckedInt &operator*=(CheckedInt other) {
    overflow |= other.overflow | llvm::MulOverflow(value, other.value, value);
    return *this;
  }
  friend CheckedInt operator+(CheckedInt a, CheckedInt b) { return a += b; }
  friend CheckedInt operator*(CheckedInt a, CheckedInt b) { return a *= b; }

  bool hasOverflowed() const { return overflow; }
  int64_t get() const { return value; }

private:
  int64_t value;
  bool overflow = false;
};

} // namespace tirx

#endif // TIRX_LIB_LAYOUT_CHECKEDMATH_H
