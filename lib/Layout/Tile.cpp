//===- Tile.cpp - layouts of layouts ------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

Expected<DimIters> detail::getDimIters(StringRef operand, const Layout &layout,
                                       ArrayRef<int64_t> shape) {
  auto prefix = [&](Error error) {
    return makeError(operand + ": " + llvm::toString(std::move(error)));
  };
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return prefix(full.takeError());
  auto dims = groupFused(*full->getTile(), shape);
  if (!dims)
    return prefix(dims.takeError());
  return DimIters{std::move(*full), std::move(*dims)};
}

Error detail::checkRanks(ArrayRef<int64_t> outerShape,
                         ArrayRef<int64_t> innerShape) {
  if (outerShape.size() == innerShape.size())
    return Error::success();
  return makeError("expected shapes of as many dimensions, got " +
                   Twine(outerShape.size()) + " and " +
                   Twine(innerShape.size()));
}

Expected<TileLayout> detail::scaleTile(const TileLayout &tile,
                                       const TileLayout &inner) {
  SmallVector<Iter> shard(tile.getShard()), replica(tile.getReplica());
  SmallVector<AxisOffset> offset(tile.getOffset());
  Axis overflow;
  auto scale = [&](Axis axis, int64_t &value) {
    if (llvm::MulOverflow(value, inner.getSpan(axis).size(), value))
      overflow = axis;
  };
  // The stride of an extent of 1 is no step, however long.
  for (Iter &iter : shard)
    if (iter.extent > 1)
      scale(iter.axis, iter.stride);
  for (Iter &iter : replica)
    if (iter.extent > 1)
      scale(iter.axis, iter.stride);
  for (AxisOffset &entry : offset)
    scale(entry.axis, entry.value);
  if (overflow)
    return makeError("expected outer coordinates on axis '" +
                     overflow.getName() +
                     "' that fit 64 bits when multiplied by the inner width " +
                     Twine(inner.getSpan(overflow).size()));
  return TileLayout::get(shard, replica, offset);
}

/// Dimension i has the iters of dimension i of both, the outer ones first. The
/// points are added.
static Expected<TileLayout>
interleave(const TileLayout &outer, ArrayRef<SmallVector<Iter, 4>> outerDims,
           const TileLayout &inner, ArrayRef<SmallVector<Iter, 4>> innerDims) {
  SmallVector<Iter> shard;
  for (auto [outerIters, innerIters] : llvm::zip_equal(outerDims, innerDims)) {
    size_t before = shard.size();
    shard.append(outerIters.begin(), outerIters.end());
    shard.append(innerIters.begin(), innerIters.end());
    // Keeps one iter a dimension, so that the result reads like its shape.
    if (shard.size() == before)
      shard.push_back({1, 1, memoryAxis()});
  }
  SmallVector<Iter> replica(outer.getReplica());
  replica.append(inner.getReplica().begin(), inner.getReplica().end());
  SmallVector<AxisOffset> offset(outer.getOffset());
  offset.append(inner.getOffset().begin(), inner.getOffset().end());
  return TileLayout::get(shard, replica, offset);
}

Expected<SwizzleLayout> detail::widenSwizzle(const SwizzleLayout &swizzle,
                                             const TileLayout &inner) {
  Span span = inner.getSpan(memoryAxis());
  if (span.min != 0)
    return makeError("expected an inner layout that begins at 0 on axis 'm' "
                     "under a swizzled outer layout, got " +
                     Twine(span.min));
  if (!llvm::isPowerOf2_64(span.size()))
    return makeError("expected an inner layout whose width on axis 'm' is a "
                     "power of 2 under a swizzled outer layout, got " +
                     Twine(span.size()));
  return SwizzleLayout::get(
      swizzle.getPerElement() + llvm::Log2_64(span.size()),
      swizzle.getSwizzleLen(), swizzle.getAtomLen(), swizzle.isOuter());
}

Expected<Layout> tirx::tile(const Layout &outer, ArrayRef<int64_t> outerShape,
                            const Layout &inner, ArrayRef<int64_t> innerShape) {
  if (Error error = checkRanks(outerShape, innerShape))
    return std::move(error);
  if (outer.getSwizzle() && inner.getSwizzle())
    return makeError("expected a swizzle on the outer or the inner layout, got "
                     "one on each");
  auto innerDims = getDimIters("inner layout", inner, innerShape);
  if (!innerDims)
    return innerDims.takeError();
  auto outerDims = getDimIters("outer layout", outer, outerShape);
  if (!outerDims)
    return outerDims.takeError();
  const TileLayout &innerTile = *innerDims->layout.getTile();
  Expected<TileLayout> scaled =
      scaleTile(*outerDims->layout.getTile(), innerTile);
  if (!scaled)
    return scaled.takeError();
  auto scaledDims = groupFused(*scaled, outerShape);
  if (!scaledDims)
    return scaledDims.takeError();
  Expected<TileLayout> result =
      interleave(*scaled, *scaledDims, innerTile, innerDims->dims);
  if (!result)
    return result.takeError();
  if (!outer.getSwizzle())
    return withSwizzle(innerDims->layout, std::move(*result));
  auto swizzle = widenSwizzle(*outer.getSwizzle(), innerTile);
  if (!swizzle)
    return swizzle.takeError();
  return Layout::compose(*swizzle, std::move(*result));
}

Expected<Layout> tirx::directSum(const Layout &left,
                                 ArrayRef<int64_t> leftShape,
                                 const Layout &right,
                                 ArrayRef<int64_t> rightShape) {
  if (Error error = checkRanks(leftShape, rightShape))
    return std::move(error);
  if (left.getSwizzle())
    return makeError("expected a left layout without a swizzle");
  auto rightDims = getDimIters("right layout", right, rightShape);
  if (!rightDims)
    return rightDims.takeError();
  auto leftDims = getDimIters("left layout", left, leftShape);
  if (!leftDims)
    return leftDims.takeError();
  Expected<TileLayout> result =
      interleave(*leftDims->layout.getTile(), leftDims->dims,
                 *rightDims->layout.getTile(), rightDims->dims);
  if (!result)
    return result.takeError();
  return withSwizzle(rightDims->layout, std::move(*result));
}
