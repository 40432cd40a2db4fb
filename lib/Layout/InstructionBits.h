//===- InstructionBits.h - fields of instruction descriptors ----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the two forms of tcgen05 instruction descriptors share.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_INSTRUCTIONBITS_H
#define TIRX_LIB_LAYOUT_INSTRUCTIONBITS_H

#include "CheckedMath.h"

namespace tirx {

/// A size that its field counts in `unit`s.
inline llvm::Expected<uint32_t> encodeSize(const char *name, int64_t size,
                                           int64_t unit, int64_t limit) {
  if (size > 0 && size <= limit && size % unit == 0)
    return size / unit;
  return makeError("expected " + llvm::Twine(name) + " to be a multiple of " +
                   llvm::Twine(unit) + " from " + llvm::Twine(unit) + " to " +
                   llvm::Twine(limit) + ", got " + llvm::Twine(size));
}

/// Bits [first, end).
inline uint32_t getField(uint32_t bits, unsigned first, unsigned end) {
  return bits >> first & llvm::maskTrailingOnes<uint32_t>(end - first);
}

} // namespace tirx

#endif // TIRX_LIB_LAYOUT_INSTRUCTIONBITS_H
