//===- Algebra.cpp - what operations on layouts share ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Algebra.h"
#include "AlgebraDetail.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

SmallVector<Axis, 4> detail::putMemoryFirst(ArrayRef<Axis> axes) {
  SmallVector<Axis, 4> ordered = {memoryAxis()};
  for (Axis axis : axes)
    if (axis != memoryAxis())
      ordered.push_back(axis);
  return ordered;
}

Expected<Layout> detail::withSwizzle(const Layout &layout, TileLayout tile) {
  if (const SwizzleLayout *swizzle = layout.getSwizzle())
    return Layout::compose(*swizzle, std::move(tile));
  return Layout(std::move(tile));
}

Expected<int64_t> detail::getShapeSize(ArrayRef<int64_t> shape) {
  CheckedInt size = 1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent < 1)
      return makeError("expected dimension " + Twine(dim) +
                       " to have an extent of at least 1, got " +
                       Twine(extent));
    size *= extent;
  }
  if (size.hasOverflowed())
    return makeError("expected a shape whose size fits 64 bits");
  return size.get();
}

Expected<Layout> detail::withTileOfShape(const Layout &layout,
                                         ArrayRef<int64_t> shape) {
  Expected<int64_t> size = getShapeSize(shape);
  if (!size)
    return size.takeError();
  std::optional<int64_t> own = layout.getSize();
  if (own && *own != *size)
    return makeError("expected a shape of " + Twine(*own) + " elements, got " +
                     Twine(*size));
  return layout.withTile(*size);
}
