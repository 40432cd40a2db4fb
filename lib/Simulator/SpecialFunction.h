//===- SpecialFunction.h - approximate functions ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sm_90 computes for the approximate instructions, bit for bit: its unit
// for special functions, and what PTX instructions are made of it. Values are
// bit patterns; f32 unless said.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_SPECIALFUNCTION_H
#define TIRX_LIB_SIMULATOR_SPECIALFUNCTION_H

#include <cstdint>

namespace tirx::sim {

enum class SpecialFunction : uint8_t {
  Rcp,
  Sqrt,
  Rsqrt,
  Ex2,
  Lg2,
  Sin,
  Cos,
  Tanh
};

/// The unit itself. Subnormal operands count as zero (but for Tanh), results
/// below 2^-126 are zero; Sin and Cos take turns, not radians.
uint32_t specialUnit(SpecialFunction function, uint32_t x);

/// FUNCTION.approx{.ftz}.f32
uint32_t approximateF32(SpecialFunction function, uint32_t x, bool flush);
/// ex2 and tanh of f16 and bf16.
uint32_t approximateF16(SpecialFunction function, uint32_t x);
uint32_t approximateBF16(SpecialFunction function, uint32_t x);
/// rcp and rsqrt.approx.ftz.f64
uint64_t approximateF64(SpecialFunction function, uint64_t x);
/// rsqrt.approx.f64
uint64_t approximateRsqrtF64(uint64_t x);
/// div.approx{.ftz}.f32 and div.full{.ftz}.f32
uint32_t approximateDivision(uint32_t a, uint32_t b, bool full, bool flush);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_SPECIALFUNCTION_H
