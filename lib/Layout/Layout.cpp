//===- Layout.cpp - layouts on named axes ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Layout.h"
#include "CheckedMath.h"
#include "TIRx/Assert.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace tirx;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;

/// Points that getSpan enumerates at most.
static constexpr int64_t kSpanLimit = int64_t(1) << 24;

/// The number of copies that a layout may have: they are enumerated.
static constexpr int64_t kReplicaLimit = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

int64_t Coordinates::get(Axis axis) const {
  for (const AxisOffset &entry : entries)
    if (entry.axis == axis)
      return entry.value;
  return 0;
}

void Coordinates::add(Axis axis, int64_t value) {
  if (value == 0)
    return;
  auto *it = llvm::lower_bound(
      entries, axis,
      [](const AxisOffset &entry, Axis wanted) { return entry.axis < wanted; });
  if (it == entries.end() || it->axis != axis) {
    entries.insert(it, {axis, value});
    return;
  }
  it->value += value;
  if (it->value == 0)
    entries.erase(it);
}

bool Coordinates::operator<(const Coordinates &other) const {
  return std::lexicographical_compare(
      entries.begin(), entries.end(), other.entries.begin(),
      other.entries.end(), [](const AxisOffset &a, const AxisOffset &b) {
        return a.axis != b.axis ? a.axis < b.axis : a.value < b.value;
      });
}

//===----------------------------------------------------------------------===//
// TileLayout
//===----------------------------------------------------------------------===//

static llvm::Error checkIters(llvm::StringRef part, ArrayRef<Iter> iters,
                              int64_t &count) {
  CheckedInt product = 1;
  for (auto [i, iter] : llvm::enumerate(iters)) {
    if (!iter.axis)
      return makeError("expected an axis for iter " + llvm::Twine(i) + " of " +
                       part);
    if (iter.extent < 1)
      return makeError("expected extents of at least 1 in " + part + ", got " +
                       llvm::Twine(iter.extent) + " at iter " + llvm::Twine(i));
    product *= iter.extent;
  }
  if (product.hasOverflowed())
    return makeError("expected the extents of " + part +
                     " to have a product that fits 64 bits");
  count = product.get();
  return llvm::Error::success();
}

/// Adds the lowest and highest contribution of the iters on `axis`.
static void addRange(ArrayRef<Iter> iters, Axis axis, CheckedInt &low,
                     CheckedInt &high) {
  for (const Iter &iter : iters) {
    if (iter.axis != axis)
      continue;
    CheckedInt reach = CheckedInt(iter.extent - 1) * iter.stride;
    // An overflowed reach must poison the sum whatever its wrapped sign is.
    if (reach.get() < 0 || reach.hasOverflowed())
      low += reach;
    if (reach.get() >= 0 || reach.hasOverflowed())
      high += reach;
  }
}

Expected<TileLayout> TileLayout::get(ArrayRef<Iter> shard,
                                     ArrayRef<Iter> replica,
                                     ArrayRef<AxisOffset> offset) {
  TileLayout layout;
  layout.shard.assign(shard.begin(), shard.end());
  layout.replica.assign(replica.begin(), replica.end());
  if (llvm::Error error = checkIters("the shard", shard, layout.size))
    return std::move(error);
  if (llvm::Error error =
          checkIters("the replica", replica, layout.replicaCount))
    return std::move(error);
  if (layout.replicaCount > kReplicaLimit)
    return makeError("expected at most " + llvm::Twine(kReplicaLimit) +
                     " replicas, got " + llvm::Twine(layout.replicaCount));

  SmallVector<AxisOffset, 2> sorted(offset.begin(), offset.end());
  llvm::sort(sorted, [](const AxisOffset &a, const AxisOffset &b) {
    return a.axis < b.axis;
  });
  for (const AxisOffset &entry : sorted) {
    if (layout.offset.empty() || layout.offset.back().axis != entry.axis) {
      layout.offset.push_back(entry);
      continue;
    }
    CheckedInt sum = CheckedInt(layout.offset.back().value) + entry.value;
    if (sum.hasOverflowed())
      return makeError("expected offsets on axis '" + entry.axis.getName() +
                       "' whose sum fits 64 bits");
    layout.offset.back().value = sum.get();
  }
  llvm::erase_if(layout.offset,
                 [](const AxisOffset &entry) { return entry.value == 0; });

  for (Axis axis : layout.getAxes()) {
    CheckedInt low = layout.getOffset(axis), high = layout.getOffset(axis);
    addRange(layout.shard, axis, low, high);
    addRange(layout.replica, axis, low, high);
    // Spans are max - min + 1, so that difference has to fit too.
    CheckedInt span = high + CheckedInt(-1) * low + 1;
    if (low.hasOverflowed() || high.hasOverflowed() || span.hasOverflowed())
      return makeError("expected coordinates on axis '" + axis.getName() +
                       "' that fit 64 bits");
  }
  return layout;
}

Expected<TileLayout> TileLayout::rowMajor(ArrayRef<int64_t> shape) {
  SmallVector<Iter, 4> iters(shape.size());
  CheckedInt stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    iters[i] = {shape[i], stride.hasOverflowed() ? 0 : stride.get(),
                memoryAxis()};
    stride *= shape[i];
  }
  return get(iters);
}

int64_t TileLayout::getOffset(Axis axis) const {
  for (const AxisOffset &entry : offset)
    if (entry.axis == axis)
      return entry.value;
  return 0;
}

bool TileLayout::hasReplica() const {
  return llvm::any_of(replica, [](const Iter &iter) {
    return iter.extent > 1 && iter.stride != 0;
  });
}

SmallVector<Axis> TileLayout::getAxes() const {
  SmallVector<Axis> axes;
  for (const Iter &iter : shard)
    axes.push_back(iter.axis);
  for (const Iter &iter : replica)
    axes.push_back(iter.axis);
  for (const AxisOffset &entry : offset)
    axes.push_back(entry.axis);
  llvm::sort(axes);
  axes.erase(llvm::unique(axes), axes.end());
  return axes;
}

static void addIters(ArrayRef<Iter> iters, int64_t flat, Coordinates &point) {
  for (const Iter &iter : llvm::reverse(iters)) {
    point.add(iter.axis, flat % iter.extent * iter.stride);
    flat /= iter.extent;
  }
}

Coordinates TileLayout::apply(int64_t flat) const {
  TIRX_ASSERT(flat >= 0 && flat < size, "flat index inside the layout");
  Coordinates point;
  for (const AxisOffset &entry : offset)
    point.add(entry.axis, entry.value);
  addIters(shard, flat, point);
  return point;
}

Span TileLayout::getSpan(Axis axis) const {
  CheckedInt low = getOffset(axis), high = getOffset(axis);
  addRange(shard, axis, low, high);
  addRange(replica, axis, low, high);
  return {low.get(), high.get()};
}

Span TileLayout::getShardSpan(Axis axis) const {
  CheckedInt low = 0, high = 0;
  addRange(shard, axis, low, high);
  return {low.get(), high.get()};
}

SmallVector<Coordinates> TileLayout::getReplicaPoints() const {
  SmallVector<Coordinates> points;
  for (int64_t r = 0; r < replicaCount; ++r) {
    Coordinates point;
    for (const AxisOffset &entry : offset)
      point.add(entry.axis, entry.value);
    addIters(replica, r, point);
    points.push_back(std::move(point));
  }
  llvm::sort(points);
  points.erase(llvm::unique(points), points.end());
  return points;
}

//===----------------------------------------------------------------------===//
// SwizzleLayout
//===----------------------------------------------------------------------===//

Expected<SwizzleLayout> SwizzleLayout::get(int64_t perElement,
                                           int64_t swizzleLen, int64_t atomLen,
                                           bool outer) {
  auto inRange = [](int64_t value) { return value >= 0 && value <= 62; };
  if (!inRange(perElement) || !inRange(swizzleLen) || !inRange(atomLen))
    return makeError("expected swizzle parameters from 0 to 62, got " +
                     llvm::Twine(perElement) + ", " + llvm::Twine(swizzleLen) +
                     ", " + llvm::Twine(atomLen));
  if (atomLen < swizzleLen)
    return makeError("expected atom_len of at least swizzle_len " +
                     llvm::Twine(swizzleLen) + ", got " + llvm::Twine(atomLen));
  if (perElement + swizzleLen + atomLen > 62)
    return makeError(
        "expected swizzle parameters with a sum of at most 62, got " +
        llvm::Twine(perElement + swizzleLen + atomLen));
  SwizzleLayout layout;
  layout.perElement = perElement;
  layout.swizzleLen = swizzleLen;
  layout.atomLen = atomLen;
  layout.outer = outer;
  return layout;
}

int64_t SwizzleLayout::apply(int64_t index) const {
  TIRX_ASSERT(index >= 0, "swizzled index not negative");
  int64_t mask = (int64_t(1) << swizzleLen) - 1;
  int64_t low = perElement, high = perElement + atomLen;
  int64_t from = outer ? low : high, to = outer ? high : low;
  return index ^ (((index >> from) & mask) << to);
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

Expected<Layout> Layout::compose(SwizzleLayout swizzle, TileLayout tile) {
  int64_t low = tile.getSpan(memoryAxis()).min;
  if (low < 0)
    return makeError("expected coordinates on 'm' of at least 0 under a "
                     "swizzle, got " +
                     llvm::Twine(low));
  Layout layout{std::move(tile)};
  layout.swizzle = swizzle;
  return layout;
}

Expected<Layout> Layout::withTile(int64_t size) const {
  if (tile)
    return *this;
  Expected<TileLayout> linear = TileLayout::rowMajor({size});
  if (!linear)
    return linear.takeError();
  return compose(*swizzle, *linear);
}

std::optional<int64_t> Layout::getSize() const {
  return tile ? std::optional<int64_t>(tile->getSize()) : std::nullopt;
}

SmallVector<Axis> Layout::getAxes() const {
  SmallVector<Axis> axes = tile ? tile->getAxes() : SmallVector<Axis>();
  if (swizzle && !llvm::is_contained(axes, memoryAxis())) {
    axes.push_back(memoryAxis());
    llvm::sort(axes);
  }
  return axes;
}

/// Replaces the `m` coordinate by its swizzled value.
static void swizzlePoint(const SwizzleLayout &swizzle, Coordinates &point) {
  int64_t index = point.get(memoryAxis());
  point.add(memoryAxis(), swizzle.apply(index) - index);
}

Coordinates Layout::apply(int64_t flat) const {
  Coordinates point;
  if (tile)
    point = tile->apply(flat);
  else
    point.add(memoryAxis(), flat);
  if (swizzle)
    swizzlePoint(*swizzle, point);
  return point;
}

Coordinates Layout::apply(ArrayRef<int64_t> coordinate,
                          ArrayRef<int64_t> shape) const {
  return apply(flatten(coordinate, shape));
}

SmallVector<Coordinates> Layout::image(int64_t flat) const {
  if (!tile || !tile->hasReplica())
    return {apply(flat)};
  SmallVector<Coordinates> points = tile->getReplicaPoints();
  for (Coordinates &point : points) {
    addIters(tile->getShard(), flat, point);
    if (swizzle)
      swizzlePoint(*swizzle, point);
  }
  llvm::sort(points);
  points.erase(llvm::unique(points), points.end());
  return points;
}

Span Layout::getSpan(Axis axis) const {
  if (!tile)
    return {0, std::numeric_limits<int64_t>::max() - 1};
  Span affine = tile->getSpan(axis);
  if (!swizzle || axis != memoryAxis())
    return affine;
  if (CheckedInt points = CheckedInt(tile->getSize()) * tile->getReplicaCount();
      points.hasOverflowed() || points.get() > kSpanLimit) {
    int64_t period = swizzle->getPeriod();
    int64_t low = affine.min / period * period;
    CheckedInt high = CheckedInt(affine.max / period + 1) * period;
    return {low, high.hasOverflowed() ? std::numeric_limits<int64_t>::max() - 1
                                      : high.get() - 1};
  }

  // Only `m` matters: walk its digits without building points.
  SmallVector<int64_t> starts = {tile->getOffset(axis)};
  for (const Iter &iter : tile->getReplica()) {
    if (iter.axis != axis || iter.stride == 0)
      continue;
    size_t count = starts.size();
    for (int64_t i = 1; i < iter.extent; ++i)
      for (size_t j = 0; j < count; ++j)
        starts.push_back(starts[j] + i * iter.stride);
  }
  SmallVector<Iter> digits;
  llvm::copy_if(
      tile->getShard(), std::back_inserter(digits),
      [&](const Iter &iter) { return iter.axis == axis && iter.stride != 0; });
  int64_t count = 1;
  for (const Iter &iter : digits)
    count *= iter.extent;
  Span span{std::numeric_limits<int64_t>::max(), 0};
  for (int64_t flat = 0; flat < count; ++flat) {
    int64_t index = 0, rest = flat;
    for (const Iter &iter : digits) {
      index += rest % iter.extent * iter.stride;
      rest /= iter.extent;
    }
    for (int64_t start : starts) {
      int64_t value = swizzle->apply(start + index);
      span.min = std::min(span.min, value);
      span.max = std::max(span.max, value);
    }
  }
  return span;
}

//===----------------------------------------------------------------------===//
// Free functions
//===----------------------------------------------------------------------===//

static llvm::hash_code hashIters(ArrayRef<Iter> iters) {
  llvm::hash_code code = llvm::hash_value(iters.size());
  for (const Iter &iter : iters)
    code =
        llvm::hash_combine(code, iter.extent, iter.stride, iter.axis.getInfo());
  return code;
}

llvm::hash_code tirx::hash_value(const TileLayout &layout) {
  llvm::hash_code code = llvm::hash_combine(hashIters(layout.getShard()),
                                            hashIters(layout.getReplica()));
  for (const AxisOffset &entry : layout.getOffset())
    code = llvm::hash_combine(code, entry.axis.getInfo(), entry.value);
  return code;
}

llvm::hash_code tirx::hash_value(const SwizzleLayout &layout) {
  return llvm::hash_combine(layout.getPerElement(), layout.getSwizzleLen(),
                            layout.getAtomLen(), layout.isOuter());
}

int64_t tirx::flatten(ArrayRef<int64_t> coordinate, ArrayRef<int64_t> shape) {
  TIRX_ASSERT(coordinate.size() == shape.size(), "one index a dimension");
  int64_t flat = 0;
  for (auto [index, extent] : llvm::zip_equal(coordinate, shape))
    flat = flat * extent + index;
  return flat;
}

SmallVector<int64_t> tirx::unflatten(int64_t flat, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> coordinate(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; flat /= shape[dim])
    coordinate[dim] = flat % shape[dim];
  return coordinate;
}
