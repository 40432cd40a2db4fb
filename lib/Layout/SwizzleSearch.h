//===- SwizzleSearch.h - the swizzle of a map -------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_SWIZZLESEARCH_H
#define TIRX_LIB_LAYOUT_SWIZZLESEARCH_H

#include "DigitSum.h"

namespace tirx::detail {

/// The bits that steps of a tile change on `m`, where all are powers of two and
/// no two change one bit.
struct StepBits {
  /// Bits that any coordinate has.
  uint64_t used = 0;
  /// Of these, those that a step of its own toggles.
  uint64_t toggled = 0;
};
std::optional<StepBits> getStepBits(const TileLayout &tile);

/// The bits of both fields of a swizzle.
uint64_t getFields(const SwizzleLayout &swizzle);

/// Calls `visit` on swizzles of 1 to `maxLength` bits that change and read only
/// the lowest `bits` bits, shortest first, until it returns true; returns
/// whether it did.
bool anySwizzle(unsigned bits, unsigned maxLength,
                llvm::function_ref<bool(const SwizzleLayout &)> visit);

/// The swizzle that makes of the tile's coordinates what `swizzle` makes of its
/// index, where an index has steps of `weight`: a guess from where the tile
/// moves the lowest bits of the two fields, if it moves both on `m`.
std::optional<SwizzleLayout> carryOver(const SwizzleLayout &swizzle,
                                       int64_t weight, const TileLayout &tile);

/// The swizzle of a point's number in the box that a swizzle of its coordinate
/// on `m` is, if both stay inside and it is one.
std::optional<SwizzleLayout> getIndexSwizzle(const SwizzleLayout &swizzle,
                                             llvm::ArrayRef<AxisExtent> box);

/// The swizzle S' with tile(S(x)) = S'(tile(x)) for all indices x that S keeps
/// inside the tile, read from the steps of the tile: all those on `m` are
/// powers of two that share no bit. Nothing when they are not, or when the
/// fields of S do not move as they are; there may still be such a swizzle.
std::optional<SwizzleLayout> carryThrough(const SwizzleLayout &swizzle,
                                          const TileLayout &tile);

/// The function as a tile under the given swizzle.
std::optional<Layout> findForm(const DigitSum &function,
                               const SwizzleLayout &swizzle);

/// The function as a tile under the first swizzle of at most `maxLength` bits
/// with which it is one. Gives up after some milliseconds' work, which only
/// large tables and wide coordinates need.
std::optional<Layout> findSwizzledForm(const DigitSum &function,
                                       unsigned maxLength = 31);

} // namespace tirx::detail

#endif // TIRX_LIB_LAYOUT_SWIZZLESEARCH_H
