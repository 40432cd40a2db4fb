//===- Slice.cpp - regions of layouts -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

static bool sliceDim(ArrayRef<Iter> iters, int64_t start, int64_t count,
                     llvm::SmallVectorImpl<Iter> &result,
                     llvm::SmallVectorImpl<AxisOffset> &offset);

/// A region that begins h elements before the end of an outer step is affine
/// when it goes on for h elements of the next one: the two halves are one step
/// apart. It may repeat when a step is two halves.
static bool sliceAcross(ArrayRef<Iter> iters, int64_t inner, int64_t start,
                        int64_t count, llvm::SmallVectorImpl<Iter> &result,
                        llvm::SmallVectorImpl<AxisOffset> &offset) {
  const Iter &outer = iters.front();
  int64_t half = inner - start % inner;
  if (half > count / 2 || count % (2 * half) != 0 ||
      (count != 2 * half && inner != 2 * half))
    return false;
  SmallVector<Iter> low, high;
  SmallVector<AxisOffset> lowOffset, highOffset;
  ArrayRef<Iter> rest = iters.drop_front();
  if (!sliceDim(rest, inner - half, half, low, lowOffset) ||
      !sliceDim(rest, 0, half, high, highOffset) ||
      fuseNeighbours(low) != fuseNeighbours(high))
    return false;

  Coordinates step;
  step.add(outer.axis, outer.stride);
  for (const AxisOffset &entry : highOffset)
    step.add(entry.axis, entry.value);
  for (const AxisOffset &entry : lowOffset)
    step.add(entry.axis, -entry.value);
  if (step.values().size() > 1)
    return false;
  AxisOffset single = step.values().empty() ? AxisOffset{memoryAxis(), 0}
                                            : step.values().front();
  offset.push_back({outer.axis, start / inner * outer.stride});
  offset.append(lowOffset.begin(), lowOffset.end());
  result.push_back({count / (2 * half), outer.stride, outer.axis});
  result.push_back({2, single.value, single.axis});
  result.append(low.begin(), low.end());
  return true;
}

/// Restricts the iters of one dimension to [start, start + count). Returns
/// false when the region is not affine: it begins or ends inside an outer step.
static bool sliceDim(ArrayRef<Iter> iters, int64_t start, int64_t count,
                     llvm::SmallVectorImpl<Iter> &result,
                     llvm::SmallVectorImpl<AxisOffset> &offset) {
  if (iters.empty())
    return true;
  int64_t inner = 1;
  for (const Iter &iter : iters.drop_front())
    inner *= iter.extent;
  const Iter &outer = iters.front();
  int64_t first = start / inner, last = (start + count - 1) / inner;
  if (first != last && start % inner != 0)
    return sliceAcross(iters, inner, start, count, result, offset);
  offset.push_back({outer.axis, first * outer.stride});
  if (first == last)
    return sliceDim(iters.drop_front(), start % inner, count, result, offset);
  if (count % inner != 0)
    return false;
  result.push_back({count / inner, outer.stride, outer.axis});
  result.append(iters.begin() + 1, iters.end());
  return true;
}

Expected<Layout> tirx::slice(const Layout &layout, ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> offsets,
                             ArrayRef<int64_t> sizes) {
  if (offsets.size() != shape.size() || sizes.size() != shape.size())
    return makeError("expected one offset and one size for each of " +
                     Twine(shape.size()) + " dimensions");
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (sizes[dim] < 1 || offsets[dim] < 0 || sizes[dim] > shape[dim] ||
        offsets[dim] > shape[dim] - sizes[dim])
      return makeError("expected a region inside dimension " + Twine(dim) +
                       " of extent " + Twine(shape[dim]) + ", got offset " +
                       Twine(offsets[dim]) + " and size " + Twine(sizes[dim]));
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  auto groups = groupFused(tile, shape);
  if (!groups)
    return groups.takeError();

  SmallVector<Iter> shard;
  SmallVector<AxisOffset> offset(tile.getOffset());
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    size_t before = shard.size();
    const SmallVector<Iter, 4> &iters = (*groups)[dim];
    if (!sliceDim(iters, offsets[dim], sizes[dim], shard, offset))
      return makeError("expected the region of dimension " + Twine(dim) +
                       " to cover whole steps of its iters, got offset " +
                       Twine(offsets[dim]) + " and size " + Twine(sizes[dim]) +
                       " over an inner extent of " +
                       Twine(shape[dim] / iters.front().extent));
    // Keeps one iter a dimension, so that the result reads like its shape.
    if (shard.size() == before)
      shard.push_back({1, 1, memoryAxis()});
  }
  return withSwizzle(*full, makeTile(shard, tile.getReplica(), offset));
}
