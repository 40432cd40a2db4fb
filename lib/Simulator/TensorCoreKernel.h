//===- TensorCoreKernel.h - inside the fast tensor-core path ----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_TENSORCOREKERNEL_H
#define TIRX_LIB_SIMULATOR_TENSORCOREKERNEL_H

#include <cstdint>

namespace tirx::sim {

/// The exponent of a zero: far below every other sum of two exponents, and two
/// of them fit 16 bits.
inline constexpr int16_t kZeroOperandExponent = -12000;

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_TENSORCOREKERNEL_H
