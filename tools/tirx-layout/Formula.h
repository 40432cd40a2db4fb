//===- Formula.h - layouts and elements in words ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_FORMULA_H
#define TIRX_TOOLS_TIRX_LAYOUT_FORMULA_H

#include "TIRx/Layout/Layout.h"
#include <string>
#include <vector>

namespace tirx::layouttool {

/// The map as formulas of the coordinates x0, x1, ... of a shape: one line for
/// each axis, then one for the swizzle. Where an iter straddles dimensions, the
/// formulas are of the flat index x.
std::vector<std::string> describeFormula(const Layout &layout,
                                         llvm::ArrayRef<int64_t> shape);

/// `m 72, byte 144, bank 4`: a point on the axes of a layout and, when the
/// element's size is known (`elementBits` is not 0), what it is in hardware.
std::string describePoint(const Coordinates &point, llvm::ArrayRef<Axis> axes,
                          unsigned elementBits);

/// All copies of an element, sorted by their coordinates on the first axis,
/// then the second, ...
llvm::SmallVector<Coordinates> getSortedImage(const Layout &layout,
                                              int64_t flat);

/// One line of an explanation: `digits`, `0, 1, 0, 1 of 8, 2, 4, 2`.
struct Fact {
  std::string name, text;
};

/// Size, copies and the span on each axis: `m 0..511 (512), 1024 bytes`.
std::vector<Fact> describeFacts(const Layout &layout, unsigned elementBits);

/// How an element comes to its places, step by step: index, flat index, digits,
/// terms, the linear address in front of a swizzle, base, copies. The layout
/// must have a tile.
std::vector<Fact> explain(const Layout &layout, llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<int64_t> index, unsigned elementBits);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_FORMULA_H
