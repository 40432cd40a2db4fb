//===- Fit.h - a layout through given points --------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where no law decides whether a map is a layout, its points do.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_FIT_H
#define TIRX_LIB_LAYOUT_FIT_H

#include "TIRx/Layout/Layout.h"
#include <vector>

namespace tirx::detail {

/// (element, copy) pairs up to which a layout is sought through its points.
inline constexpr int64_t kFitLimit = int64_t(1) << 14;

/// All points of each element, in order of elements.
using Images = std::vector<llvm::SmallVector<Coordinates>>;

/// The tile, or else the swizzled tile with the shortest swizzle, that has
/// these images. There is at least one element, and each has a point.
std::optional<Layout> fitLayout(const Images &images);

} // namespace tirx::detail

#endif // TIRX_LIB_LAYOUT_FIT_H
