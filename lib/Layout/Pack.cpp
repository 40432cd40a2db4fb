//===- Pack.cpp - elements of another width -----------------------------===//
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
#include <numeric>

using namespace tirx;
using namespace tirx::detail;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

static Error checkFactor(int64_t count) {
  if (count >= 1)
    return Error::success();
  return makeError("expected at least 1 element for each, got " + Twine(count));
}

/// The swizzle of indices that are `count` times as large, or with `divide` as
/// small. Its bits move by the logarithm.
static Expected<SwizzleLayout> scaleSwizzle(const SwizzleLayout &swizzle,
                                            int64_t count, bool divide) {
  if (!llvm::isPowerOf2_64(count))
    return makeError("expected a power of 2 through a swizzle, got " +
                     Twine(count));
  int64_t shift = llvm::Log2_64(count);
  if (divide && swizzle.getPerElement() < shift)
    return makeError("expected a swizzle that keeps " + Twine(count) +
                     " elements together, got per_element " +
                     Twine(swizzle.getPerElement()));
  return SwizzleLayout::get(swizzle.getPerElement() + (divide ? -shift : shift),
                            swizzle.getSwizzleLen(), swizzle.getAtomLen(),
                            swizzle.isOuter());
}

/// Puts the swizzle of `layout` on a tile whose coordinates on `axis` have been
/// scaled.
static Expected<Layout> withScaledSwizzle(const Layout &layout, TileLayout tile,
                                          Axis axis, int64_t count,
                                          bool divide) {
  if (!layout.getSwizzle() || axis != memoryAxis())
    return withSwizzle(layout, std::move(tile));
  Expected<SwizzleLayout> swizzle =
      scaleSwizzle(*layout.getSwizzle(), count, divide);
  if (!swizzle)
    return swizzle.takeError();
  return Layout::compose(*swizzle, std::move(tile));
}

//===----------------------------------------------------------------------===//
// Unpack
//===----------------------------------------------------------------------===//

static Expected<TileLayout> unpackTile(const TileLayout &tile, int64_t count,
                                       Axis axis) {
  bool overflow = false;
  auto scale = [&](Axis on, int64_t &value) {
    if (on == axis)
      overflow |= llvm::MulOverflow(value, count, value);
  };
  SmallVector<Iter> shard(tile.getShard()), replica(tile.getReplica());
  SmallVector<AxisOffset> offset(tile.getOffset());
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
    return makeError("expected coordinates on axis '" + axis.getName() +
                     "' that fit 64 bits when multiplied by " + Twine(count));
  shard.push_back({count, 1, axis});
  return TileLayout::get(shard, replica, offset);
}

Expected<Layout> tirx::unpack(const Layout &layout, int64_t count, Axis axis) {
  if (Error error = checkFactor(count))
    return std::move(error);
  if (layout.isSwizzle() && axis == memoryAxis()) {
    auto swizzle = scaleSwizzle(*layout.getSwizzle(), count, /*divide=*/false);
    if (!swizzle)
      return swizzle.takeError();
    return Layout(*swizzle);
  }
  if (layout.isSwizzle())
    return makeError("expected axis 'm' for a swizzle, got '" + axis.getName() +
                     "'");
  Expected<TileLayout> tile = unpackTile(*layout.getTile(), count, axis);
  if (!tile)
    return tile.takeError();
  return withScaledSwizzle(layout, std::move(*tile), axis, count,
                           /*divide=*/false);
}

//===----------------------------------------------------------------------===//
// Pack
//===----------------------------------------------------------------------===//

/// The shard of the packed elements, in units of the unpacked ones: what is
/// left when the innermost `count` elements are a run on `axis`.
static Expected<SmallVector<Iter, 4>> getPackedShard(const TileLayout &tile,
                                                     int64_t count, Axis axis) {
  if (tile.getSize() % count != 0)
    return makeError("expected a multiple of " + Twine(count) +
                     " elements, got " + Twine(tile.getSize()));
  auto groups = groupFused(tile, {tile.getSize() / count, count});
  const Iter run = {count, 1, axis};
  bool isRun =
      groups &&
      (count == 1 || ((*groups)[1].size() == 1 && (*groups)[1].front() == run));
  if (isRun)
    return (*groups)[0];
  if (!groups)
    llvm::consumeError(groups.takeError());
  return makeError("expected each " + Twine(count) +
                   " elements to be neighbours on axis '" + axis.getName() +
                   "', in order, got iters that are not");
}

/// A multiple of `count`, divided by it.
static Error divide(llvm::StringRef what, int64_t &value, int64_t count,
                    Axis axis) {
  if (value % count != 0)
    return makeError("expected " + what + " on axis '" + axis.getName() +
                     "' that are multiples of " + Twine(count) + ", got " +
                     Twine(value));
  value /= count;
  return Error::success();
}

static Expected<TileLayout> packTile(const TileLayout &spelled, int64_t count,
                                     Axis axis) {
  // The canonical replica has its first copy in the offset.
  TileLayout tile = canonicalize(spelled);
  auto shard = getPackedShard(tile, count, axis);
  if (!shard)
    return shard.takeError();
  SmallVector<Iter> replica(tile.getReplica());
  SmallVector<AxisOffset> offset(tile.getOffset());
  for (Iter &iter : *shard)
    if (iter.axis == axis)
      if (Error error = divide("strides", iter.stride, count, axis))
        return std::move(error);
  for (Iter &iter : replica)
    if (iter.axis == axis)
      if (Error error = divide("replica strides", iter.stride, count, axis))
        return std::move(error);
  for (AxisOffset &entry : offset)
    if (entry.axis == axis)
      if (Error error = divide("offsets", entry.value, count, axis))
        return std::move(error);
  return makeTile(*shard, replica, offset);
}

Expected<Layout> tirx::pack(const Layout &layout, int64_t count, Axis axis) {
  if (Error error = checkFactor(count))
    return std::move(error);
  if (layout.isSwizzle() && axis == memoryAxis()) {
    auto swizzle = scaleSwizzle(*layout.getSwizzle(), count, /*divide=*/true);
    if (!swizzle)
      return swizzle.takeError();
    return Layout(*swizzle);
  }
  if (layout.isSwizzle())
    return makeError("expected axis 'm' for a swizzle, got '" + axis.getName() +
                     "'");
  // A swizzle that moves nothing is none.
  Layout canonical = canonicalize(layout);
  Expected<TileLayout> tile = packTile(*canonical.getTile(), count, axis);
  if (!tile)
    return tile.takeError();
  return withScaledSwizzle(canonical, std::move(*tile), axis, count,
                           /*divide=*/true);
}

Expected<Layout> tirx::recast(const Layout &layout, int64_t fromBits,
                              int64_t toBits, Axis axis) {
  if (fromBits < 1 || toBits < 1)
    return makeError("expected element widths of at least 1 bit, got " +
                     Twine(fromBits) + " and " + Twine(toBits));
  int64_t common = std::gcd(fromBits, toBits);
  Expected<Layout> pieces = unpack(layout, fromBits / common, axis);
  if (!pieces)
    return pieces.takeError();
  return pack(*pieces, toBits / common, axis);
}
