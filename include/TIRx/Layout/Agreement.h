//===- Agreement.h - where two layouts differ -------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_AGREEMENT_H
#define TIRX_LAYOUT_AGREEMENT_H

#include "TIRx/Layout/Layout.h"

namespace tirx {

/// A tensor of a shape and where a region of it begins.
struct LayoutRegion {
  Layout layout;
  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<int64_t, 4> offsets;
};

/// An element that two regions place differently.
struct Disagreement {
  /// Its coordinate in the regions.
  llvm::SmallVector<int64_t, 4> coordinate;
  /// All copies of it in each: distinct and sorted.
  llvm::SmallVector<Coordinates> lhs, rhs;
};

/// The first element, in row-major order, of two regions of `sizes` whose
/// images differ; nullopt when the regions agree. Works also where a region
/// cuts iters so that no layout of its own is left. Fails, naming the
/// dimension, when a region leaves its tensor, and when the first 2^24
/// (element, copy) pairs agree but the layouts of the whole regions cannot be
/// compared.
llvm::Expected<std::optional<Disagreement>>
findDisagreement(const LayoutRegion &lhs, const LayoutRegion &rhs,
                 llvm::ArrayRef<int64_t> sizes);

} // namespace tirx

#endif // TIRX_LAYOUT_AGREEMENT_H
