//===- AlgebraDetail.h - what operations on layouts share -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_ALGEBRADETAIL_H
#define TIRX_LIB_LAYOUT_ALGEBRADETAIL_H

#include "CheckedMath.h"
#include "Runs.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tirx::detail {

/// Points that an operation enumerates at most where no law decides.
inline constexpr int64_t kEnumerationLimit = int64_t(1) << 24;

/// Elements whose copies may be compared one by one under that limit; at least
/// 16, as the number of copies has a limit of its own.
int64_t getEnumerableElements(const Layout &lhs, const Layout &rhs);

/// A layout made of checked parts whose coordinates stay inside those of the
/// layout that the parts come from, so construction cannot fail.
inline TileLayout makeTile(llvm::ArrayRef<Iter> shard,
                           llvm::ArrayRef<Iter> replica,
                           llvm::ArrayRef<AxisOffset> offset) {
  return llvm::cantFail(TileLayout::get(shard, replica, offset));
}

/// Fails unless the tile is on `m` alone and has one copy of each element;
/// `what` is its name in the error.
llvm::Error checkMemoryOnly(const llvm::Twine &what, const TileLayout &tile);

/// The axes, `m` first, whether or not it is among them.
llvm::SmallVector<Axis, 4> putMemoryFirst(llvm::ArrayRef<Axis> axes);

/// Rebuilds a layout around another tile, keeping the swizzle.
llvm::Expected<Layout> withSwizzle(const Layout &layout, TileLayout tile);

/// The product of a shape's extents. Fails when an extent is below 1, naming
/// the dimension, or when the product does not fit 64 bits.
llvm::Expected<int64_t> getShapeSize(llvm::ArrayRef<int64_t> shape);

/// Fails, naming the dimension, unless the region lies in the shape.
llvm::Error checkRegion(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> offsets,
                        llvm::ArrayRef<int64_t> sizes);

/// The layout with a tile, where a bare swizzle gets one of the shape's size.
/// Fails unless layout and shape have one size.
llvm::Expected<Layout> withTileOfShape(const Layout &layout,
                                       llvm::ArrayRef<int64_t> shape);

/// Drops iters of extent 1 and fuses neighbours; outermost first.
llvm::SmallVector<Iter, 4> fuseNeighbours(llvm::ArrayRef<Iter> iters);

/// The fewest iters of each dimension, whatever the spelling: neighbours are
/// fused before the shard is split and again within a dimension.
llvm::Expected<llvm::SmallVector<llvm::SmallVector<Iter, 4>>>
groupFused(const TileLayout &tile, llvm::ArrayRef<int64_t> shape);

/// The same, where the spelling allows without fusing.
llvm::Expected<llvm::SmallVector<llvm::SmallVector<Iter, 4>>>
groupAnyhow(const TileLayout &tile, llvm::ArrayRef<int64_t> shape);

/// A layout, with a tile, and the fused iters of each dimension of a shape.
struct DimIters {
  Layout layout;
  llvm::SmallVector<llvm::SmallVector<Iter, 4>> dims;
};
/// Errors begin with the name of the operand.
llvm::Expected<DimIters> getDimIters(llvm::StringRef operand,
                                     const Layout &layout,
                                     llvm::ArrayRef<int64_t> shape);
llvm::Error checkRanks(llvm::ArrayRef<int64_t> outerShape,
                       llvm::ArrayRef<int64_t> innerShape);

/// The tile with its coordinates on each axis multiplied by the width of
/// `inner` there.
llvm::Expected<TileLayout> scaleTile(const TileLayout &tile,
                                     const TileLayout &inner);
/// The swizzle that moves whole copies of `inner` as `swizzle` moves elements.
llvm::Expected<SwizzleLayout> widenSwizzle(const SwizzleLayout &swizzle,
                                           const TileLayout &inner);

/// What the replica reaches on one axis.
struct AxisRuns {
  Axis axis;
  Runs runs;
};

/// The replica by axis, sorted, as runs that `spell` chooses. A replica is a
/// set of displacements: signs move into the offset, copies that coincide go,
/// and the order is free.
llvm::SmallVector<AxisRuns, 2>
getReplicaRuns(llvm::ArrayRef<Iter> replica,
               llvm::SmallVectorImpl<AxisOffset> &offset,
               llvm::function_ref<Runs(llvm::ArrayRef<Run>)> spell);
llvm::SmallVector<Iter, 2> toIters(llvm::ArrayRef<AxisRuns> axes);

/// The layout with its tile in canonical form, under its swizzle as spelled:
/// the canonical swizzle may be shorter than the hardware's that was meant.
Layout withCanonicalTile(const Layout &layout);

/// The canonical spelling of a swizzle of a canonical tile whose coordinates on
/// `m` are not negative: one for each map, as long as no more than 2^14
/// combinations of its digits have to be looked at together.
Layout canonicalizeSwizzled(const SwizzleLayout &swizzle,
                            const TileLayout &tile);

} // namespace tirx::detail

#endif // TIRX_LIB_LAYOUT_ALGEBRADETAIL_H
