//===- Slice.cpp - regions of layouts -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affine.h"
#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// Elements of a region whose images are compared one by one, where no law
/// finds its layout.
static constexpr int64_t kRegionLimit = int64_t(1) << 14;

Error detail::checkRegion(ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets,
                          ArrayRef<int64_t> sizes) {
  if (offsets.size() != shape.size() || sizes.size() != shape.size())
    return makeError("expected one offset and one size for each of " +
                     Twine(shape.size()) + " dimensions, got " +
                     Twine(offsets.size()) + " and " + Twine(sizes.size()));
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (sizes[dim] < 1 || offsets[dim] < 0 || sizes[dim] > shape[dim] ||
        offsets[dim] > shape[dim] - sizes[dim])
      return makeError("expected a region inside dimension " + Twine(dim) +
                       " of extent " + Twine(shape[dim]) + ", got offset " +
                       Twine(offsets[dim]) + " and size " + Twine(sizes[dim]));
  return Error::success();
}

/// The region of a shape whose dimensions have iters of their own: each is
/// restricted by itself. That loses nothing: a sum of functions of the
/// coordinates is affine in the flat index only if each of them is.
static Expected<TileLayout> sliceDims(const TileLayout &tile,
                                      ArrayRef<SmallVector<Iter, 4>> dims,
                                      ArrayRef<int64_t> offsets,
                                      ArrayRef<int64_t> sizes) {
  SmallVector<Iter> shard;
  SmallVector<AxisOffset> offset(tile.getOffset());
  for (auto [dim, iters] : llvm::enumerate(dims)) {
    auto restricted = restrictIters(iters, offsets[dim], sizes[dim]);
    if (!restricted)
      return makeError("expected an affine region of dimension " + Twine(dim) +
                       ", got offset " + Twine(offsets[dim]) + " and size " +
                       Twine(sizes[dim]) + ": " +
                       llvm::toString(restricted.takeError()));
    llvm::append_range(offset,
                       makeTile(iters, {}, {}).apply(offsets[dim]).values());
    shard.append(restricted->begin(), restricted->end());
    // Keeps one iter a dimension, so that the result reads like its shape.
    if (restricted->empty())
      shard.push_back({1, 1, memoryAxis()});
  }
  return makeTile(shard, tile.getReplica(), offset);
}

/// Calls `visit` with the flat index of each element of the region.
template <class Visit>
static void forRegion(ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets,
                      ArrayRef<int64_t> sizes, Visit visit) {
  SmallVector<int64_t> at(offsets);
  while (true) {
    visit(flatten(at, shape));
    size_t dim = shape.size();
    while (dim > 0 && ++at[dim - 1] == offsets[dim - 1] + sizes[dim - 1]) {
      --dim;
      at[dim] = offsets[dim];
    }
    if (dim == 0)
      return;
  }
}

/// The region by the points of its elements: the base coordinates of `layout`,
/// with `replica` beside them. Nothing when it is not affine.
static std::optional<TileLayout> sliceByValues(const Layout &layout,
                                               ArrayRef<Iter> replica,
                                               ArrayRef<int64_t> shape,
                                               ArrayRef<int64_t> offsets,
                                               ArrayRef<int64_t> sizes) {
  SmallVector<Coordinates> values;
  forRegion(shape, offsets, sizes,
            [&](int64_t flat) { values.push_back(layout.apply(flat)); });
  SmallVector<Axis, 4> axes = putMemoryFirst(layout.getAxes());
  SmallVector<int64_t> difference(axes.size());
  auto shard = fitIters(values.size(), axes, [&](int64_t y) {
    for (auto [axis, value] : llvm::zip_equal(axes, difference))
      value = values[y].get(axis) - values.front().get(axis);
    return ArrayRef(difference);
  });
  if (!shard)
    return std::nullopt;
  return makeTile(*shard, replica, values.front().values());
}

static bool isSmallRegion(ArrayRef<int64_t> sizes) {
  CheckedInt count = 1;
  for (int64_t size : sizes)
    count *= size;
  return !count.hasOverflowed() && count.get() <= kRegionLimit;
}

static Expected<TileLayout> sliceTile(const TileLayout &tile,
                                      ArrayRef<int64_t> shape,
                                      ArrayRef<int64_t> offsets,
                                      ArrayRef<int64_t> sizes) {
  auto dims = groupFused(tile, shape);
  if (dims)
    return sliceDims(tile, *dims, offsets, sizes);
  // An iter straddles dimensions, but may not do so inside the region.
  if (!isSmallRegion(sizes))
    return dims.takeError();
  auto result = sliceByValues(tile, tile.getReplica(), shape, offsets, sizes);
  if (!result)
    return dims.takeError();
  llvm::consumeError(dims.takeError());
  return std::move(*result);
}

Expected<Layout> tirx::slice(const Layout &layout, ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> offsets,
                             ArrayRef<int64_t> sizes) {
  if (Error error = checkRegion(shape, offsets, sizes))
    return std::move(error);
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  Expected<TileLayout> part = sliceTile(tile, shape, offsets, sizes);
  if (part)
    return withSwizzle(*full, std::move(*part));
  // The swizzle may undo what keeps the region from being affine. It moves
  // copies apart, so there must be one.
  if (!full->getSwizzle() || tile.hasReplica() || !isSmallRegion(sizes))
    return part.takeError();
  auto plain = sliceByValues(*full, {}, shape, offsets, sizes);
  if (!plain)
    return part.takeError();
  llvm::consumeError(part.takeError());
  return Layout(std::move(*plain));
}
