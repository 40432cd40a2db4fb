//===- Atomic.h - what reductions compute -----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_ATOMIC_H
#define TIRX_LIB_SIMULATOR_ATOMIC_H

#include "Types.h"

namespace tirx::sim {

enum class AtomicOp : uint8_t {
  Add,
  Min,
  Max,
  Inc,
  Dec,
  And,
  Or,
  Xor,
  Exch,
  Cas,
};

/// The new value of a location that holds `old`; `c` is cas's second operand.
/// `global`: the rules of scalar atomics on global memory for f32 (subnormals
/// are flushed) and NaNs of f64.
uint64_t combineAtomic(AtomicOp op, Type type, uint64_t old, uint64_t b,
                       uint64_t c, bool global);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_ATOMIC_H
