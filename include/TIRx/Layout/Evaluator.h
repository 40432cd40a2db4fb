//===- Evaluator.h - coordinates of many elements at once -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layout::apply divides once for each iter of each element. Whoever wants all
// elements (pictures, checks, conflicts of an access) counts through the digits
// instead: the innermost digits are a table that is made once, and each setting
// of the outer ones adds its base to the whole table.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_EVALUATOR_H
#define TIRX_LAYOUT_EVALUATOR_H

#include "TIRx/Layout/Layout.h"
#include <vector>

namespace tirx {

/// Evaluates the base coordinates (without replicas) of a layout on one axis.
class Evaluator {
public:
  /// Fails for a bare swizzle, which has no elements: Layout::withTile first.
  static llvm::Expected<Evaluator> get(const Layout &layout,
                                       Axis axis = memoryAxis());

  /// out[i] = layout.apply(begin + i).get(axis). `begin` is at least 0, and the
  /// range ends inside the layout.
  void evaluate(int64_t begin, llvm::MutableArrayRef<int64_t> out) const;

  /// The same for the box [offsets, offsets + sizes) of a shape, in row-major
  /// order of the box; `out` has room for it. Fails, naming the dimension, when
  /// the box leaves the shape or the shape has another size than the layout.
  llvm::Error evaluateBox(llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<int64_t> offsets,
                          llvm::ArrayRef<int64_t> sizes,
                          llvm::MutableArrayRef<int64_t> out) const;

private:
  struct Digit {
    int64_t extent;
    int64_t stride;
  };

  Evaluator() = default;
  void fillTable(llvm::ArrayRef<Digit> inner);
  template <class Swizzle>
  void run(int64_t begin, llvm::MutableArrayRef<int64_t> out,
           Swizzle swizzled) const;

  /// Outermost first.
  llvm::SmallVector<Digit, 6> outer;
  std::vector<int64_t> table;
  int64_t offset = 0;
  int64_t size = 1;
  std::optional<SwizzleLayout> swizzle;
};

} // namespace tirx

#endif // TIRX_LAYOUT_EVALUATOR_H
