//===- Layout.h - layouts on named axes -------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout maps a logical coordinate x to a set of coordinates on named axes:
//
//   L(x) = { D(x) + r + O | r in R }
//
// D, the shard: flatten x row-major by the logical shape, split the flat index
// by the shard's extents, innermost (last) first, and add c_k * s_k on axis
// a_k. R, the replica: physical copies. O: one offset an axis. A swizzle is not
// affine and is a layout of its own, applied to the linear address on `m`.
//
// All classes here are immutable values that keep the author's spelling.
// Whatever can be constructed has been checked: no operation on it overflows.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_LAYOUT_H
#define TIRX_LAYOUT_LAYOUT_H

#include "TIRx/Layout/Axis.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace tirx {

/// One digit of a mixed-radix number and the step that it makes on an axis.
struct Iter {
  int64_t extent = 1;
  int64_t stride = 0;
  Axis axis;

  bool operator==(const Iter &other) const {
    return extent == other.extent && stride == other.stride &&
           axis == other.axis;
  }
};

/// A displacement on one axis.
struct AxisOffset {
  Axis axis;
  int64_t value = 0;

  bool operator==(const AxisOffset &other) const {
    return axis == other.axis && value == other.value;
  }
};

/// A point on named axes: one value for each axis named, 0 on all others.
/// Sorted by axis name and without zeros, so equality of points is equality of
/// values.
class Coordinates {
public:
  int64_t get(Axis axis) const;
  void add(Axis axis, int64_t value);
  llvm::ArrayRef<AxisOffset> values() const { return entries; }
  bool operator==(const Coordinates &other) const {
    return entries == other.entries;
  }
  bool operator<(const Coordinates &other) const;

private:
  llvm::SmallVector<AxisOffset, 4> entries;
};

/// The smallest and the largest coordinate on an axis.
struct Span {
  int64_t min = 0;
  int64_t max = 0;
  int64_t size() const { return max - min + 1; }
};

/// An affine layout: shard, replica, offset.
class TileLayout {
public:
  /// Fails when an extent is below 1, or when the number of elements, of copies
  /// or a coordinate does not fit 64 bits. Offsets on one axis are summed.
  static llvm::Expected<TileLayout> get(llvm::ArrayRef<Iter> shard,
                                        llvm::ArrayRef<Iter> replica = {},
                                        llvm::ArrayRef<AxisOffset> offset = {});
  /// Row-major on `m`.
  static llvm::Expected<TileLayout> rowMajor(llvm::ArrayRef<int64_t> shape);

  llvm::ArrayRef<Iter> getShard() const { return shard; }
  llvm::ArrayRef<Iter> getReplica() const { return replica; }
  /// Sorted by axis name, none of them 0.
  llvm::ArrayRef<AxisOffset> getOffset() const { return offset; }
  int64_t getOffset(Axis axis) const;
  bool hasReplica() const;

  /// Number of logical elements: the product of the shard's extents.
  int64_t getSize() const { return size; }
  /// Number of replica combinations, coinciding ones included.
  int64_t getReplicaCount() const { return replicaCount; }
  /// All axes that shard, replica or offset name, sorted by name.
  llvm::SmallVector<Axis> getAxes() const;

  /// D(x) + O of a flat index in [0, size).
  Coordinates apply(int64_t flat) const;
  /// The smallest and largest coordinate on `axis` over elements and replicas.
  Span getSpan(Axis axis) const;
  /// The same for the shard alone.
  Span getShardSpan(Axis axis) const;
  /// The distinct points of R + O, sorted. At most `getReplicaCount()`.
  llvm::SmallVector<Coordinates> getReplicaPoints() const;

  /// Equal as spelled.
  bool operator==(const TileLayout &other) const {
    return shard == other.shard && replica == other.replica &&
           offset == other.offset;
  }

private:
  TileLayout() = default;
  llvm::SmallVector<Iter, 4> shard;
  llvm::SmallVector<Iter, 2> replica;
  llvm::SmallVector<AxisOffset, 2> offset;
  int64_t size = 1;
  int64_t replicaCount = 1;
};

/// An exclusive-or permutation of the element index: bits [p, p+b) are XORed
/// with bits [p+s, p+s+b), where p is perElement, b swizzleLen and s atomLen.
/// With `outer` the two fields swap roles: bits [p+s, p+s+b) are XORed with
/// bits [p, p+b).
class SwizzleLayout {
public:
  /// Fails unless p, b, s >= 0, s >= b and p + b + s <= 62.
  static llvm::Expected<SwizzleLayout> get(int64_t perElement,
                                           int64_t swizzleLen, int64_t atomLen,
                                           bool outer = false);

  int64_t getPerElement() const { return perElement; }
  int64_t getSwizzleLen() const { return swizzleLen; }
  int64_t getAtomLen() const { return atomLen; }
  bool isOuter() const { return outer; }

  /// `index` must not be negative. Its own inverse.
  int64_t apply(int64_t index) const;
  /// Elements after which the pattern repeats: 2^(p + s + b).
  int64_t getPeriod() const {
    return int64_t(1) << (perElement + swizzleLen + atomLen);
  }

  bool operator==(const SwizzleLayout &other) const {
    return perElement == other.perElement && swizzleLen == other.swizzleLen &&
           atomLen == other.atomLen && outer == other.outer;
  }

private:
  SwizzleLayout() = default;
  int64_t perElement = 0, swizzleLen = 0, atomLen = 0;
  bool outer = false;
};

/// Any layout: a tile, a swizzle, or a swizzle of a tile's `m` coordinate.
class Layout {
public:
  Layout(TileLayout tile) : tile(std::move(tile)) {}
  Layout(SwizzleLayout swizzle) : swizzle(swizzle) {}
  /// Fails when a coordinate of the tile on `m` is negative.
  static llvm::Expected<Layout> compose(SwizzleLayout swizzle, TileLayout tile);

  bool isTile() const { return tile && !swizzle; }
  bool isSwizzle() const { return swizzle && !tile; }
  bool isCompose() const { return tile && swizzle; }
  /// The affine part; null for a bare swizzle.
  const TileLayout *getTile() const { return tile ? &*tile : nullptr; }
  /// The swizzle; null for a tile.
  const SwizzleLayout *getSwizzle() const {
    return swizzle ? &*swizzle : nullptr;
  }
  /// The same layout with a tile of `size` elements where it has none.
  llvm::Expected<Layout> withTile(int64_t size) const;

  /// Number of logical elements; none for a bare swizzle, which takes any
  /// index.
  std::optional<int64_t> getSize() const;
  llvm::SmallVector<Axis> getAxes() const;

  /// The base coordinates of a flat index (no replicas).
  Coordinates apply(int64_t flat) const;
  /// The base coordinates of a logical coordinate under a shape.
  Coordinates apply(llvm::ArrayRef<int64_t> coordinate,
                    llvm::ArrayRef<int64_t> shape) const;
  /// All copies of an element: distinct and sorted.
  llvm::SmallVector<Coordinates> image(int64_t flat) const;
  /// Smallest and largest coordinate over elements and replicas. Exact, but for
  /// a swizzled tile of more than 2^24 points, where `max` is rounded up to the
  /// end of its swizzle period. A bare swizzle has no span: withTile first.
  Span getSpan(Axis axis) const;

  /// Equal as spelled.
  bool operator==(const Layout &other) const {
    return tile == other.tile && swizzle == other.swizzle;
  }

private:
  Layout() = default;
  std::optional<TileLayout> tile;
  std::optional<SwizzleLayout> swizzle;
};

llvm::hash_code hash_value(const TileLayout &layout);
llvm::hash_code hash_value(const SwizzleLayout &layout);

/// The row-major flat index of a coordinate under a shape.
int64_t flatten(llvm::ArrayRef<int64_t> coordinate,
                llvm::ArrayRef<int64_t> shape);
/// The coordinate under a shape that a flat index is. Extents are 1 at least.
llvm::SmallVector<int64_t> unflatten(int64_t flat,
                                     llvm::ArrayRef<int64_t> shape);

} // namespace tirx

#endif // TIRX_LAYOUT_LAYOUT_H
