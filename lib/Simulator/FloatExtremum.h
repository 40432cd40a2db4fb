//===- FloatExtremum.h - minimum and maximum of many floats -----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_FLOATEXTREMUM_H
#define TIRX_LIB_SIMULATOR_FLOATEXTREMUM_H

#include "TIRx/Simulator/FloatFormat.h"
#include <cmath>

namespace tirx::sim {

/// The least or greatest of some f32, as redux.f32 and tcgen05.ld.red find it:
/// -0 is less than +0, and a NaN counts only if `keepsNaN` or if there is
/// nothing else.
class FloatExtremum {
public:
  FloatExtremum(bool isMinimum, bool ofMagnitudes, bool keepsNaN)
      : isMinimum(isMinimum), ofMagnitudes(ofMagnitudes), keepsNaN(keepsNaN) {}

  void add(uint32_t bits) {
    float value = bitsToFloat(ofMagnitudes ? bits & 0x7fffffff : bits);
    if (std::isnan(value)) {
      hasNaN = true;
      return;
    }
    bool isBetter = value == result ? std::signbit(value) == isMinimum
                                    : (value < result) == isMinimum;
    if (!hasNumber || isBetter)
      result = value;
    hasNumber = true;
  }

  uint32_t bits() const {
    return !hasNumber || (hasNaN && keepsNaN) ? kF32.nan : floatToBits(result);
  }

private:
  bool isMinimum, ofMagnitudes, keepsNaN;
  bool hasNaN = false, hasNumber = false;
  float result = 0;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_FLOATEXTREMUM_H
