//===- Algebra.h - operations on layouts ------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that make layouts of layouts or answer questions about them. Each
// states its law; where a precondition fails, the error says in words which
// one.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_ALGEBRA_H
#define TIRX_LAYOUT_ALGEBRA_H

#include "TIRx/Layout/Layout.h"

namespace tirx {

/// The canonical spelling: iters of extent 1 are dropped, neighbours that form
/// one stride are fused, and replicas, which are a set of displacements, are
/// sorted, positive and fused. Idempotent; the map is unchanged; equal maps of
/// tiles, and of tiles under one swizzle, have the same canonical spelling.
/// Exact, but for replicas that interleave in more than 2^10 points or very
/// many ways, and for swizzles that only a long search among all others would
/// decide. A swizzle that moves nothing in the tile is dropped.
TileLayout canonicalize(const TileLayout &layout);
Layout canonicalize(const Layout &layout);

/// Whether both map every element to the same set of points. Exact, but for
/// layouts of more than 2^24 (element, copy) pairs with different swizzles:
/// they count as different when no tile under the second swizzle is found to be
/// the first.
bool isEqual(const Layout &lhs, const Layout &rhs);

/// The first flat index whose image differs, if both have the same size and are
/// different. As exact as isEqual.
std::optional<int64_t> findDifference(const Layout &lhs, const Layout &rhs);

/// Whether no two elements share a point. Exact, but for three or more steps,
/// or copies that meet, that interleave on one axis and make more than 2^24
/// sums: they count as not injective.
bool isInjective(const Layout &layout);

/// The shard iters of each dimension of a shape: concatenated they are the
/// shard, with iters split where a dimension ends inside one. Fails when the
/// sizes differ or when an iter straddles a dimension's boundary, naming the
/// dimension.
llvm::Expected<llvm::SmallVector<llvm::SmallVector<Iter, 2>>>
group(const TileLayout &layout, llvm::ArrayRef<int64_t> shape);

/// A tile whose iters serve several shapes, and for each shape where its
/// dimensions begin and end: dimension d of shape k has the iters from
/// bounds[k][d] to bounds[k][d + 1].
struct GroupedTile {
  TileLayout tile;
  llvm::SmallVector<llvm::SmallVector<size_t>> bounds;
};

/// The coarsest refinement of the shard whose iters can be grouped by each of
/// the shapes; the map is unchanged. Iters of extent 1 stay, and dimensions of
/// extent 1 get an iter of their own. Fails when a size differs, naming the
/// shape, or when a boundary of one shape lies inside an element of another's
/// split, naming both.
llvm::Expected<GroupedTile>
groupMany(const TileLayout &layout,
          llvm::ArrayRef<llvm::SmallVector<int64_t>> shapes);

/// The layout of the region [offsets, offsets + sizes): result(y) =
/// layout(offsets + y). It may begin or end inside an iter. Static offsets go
/// into the tile's offset, so a swizzle stays as it is; where no tile under it
/// has the region, but a plain tile does, the result is that. Fails when the
/// region leaves the shape, naming the dimension, and when no affine layout has
/// it, naming the dimension and why. Exact, but for regions of more than 2^14
/// elements of a shape that `group` refuses or that only the swizzle makes
/// affine: they are refused.
llvm::Expected<Layout> slice(const Layout &layout,
                             llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<int64_t> offsets,
                             llvm::ArrayRef<int64_t> sizes);

/// The layout with dimensions reordered: dimension i of the result is dimension
/// permutation[i] of the shape.
llvm::Expected<Layout> permute(const Layout &layout,
                               llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> permutation);

/// The layout as one of another shape of as many elements: the map of the flat
/// index stays, and each dimension gets iters of its own where it can have
/// them. A bare swizzle gets a tile. Fails when the sizes differ.
llvm::Expected<Layout> reshape(const Layout &layout,
                               llvm::ArrayRef<int64_t> shape);

/// The layout with a dimension of `extent` put in before dimension `position`
/// (or behind the last), along which nothing moves: result(.., i, ..) =
/// layout(..). Fails when an iter straddles that place.
llvm::Expected<Layout> broadcast(const Layout &layout,
                                 llvm::ArrayRef<int64_t> shape,
                                 unsigned position, int64_t extent);

/// The single step that dimension `dim` makes, in front of a swizzle: an iter
/// of the dimension's extent. Fails when the dimension has several strides.
llvm::Expected<Iter> getDimStride(const Layout &layout,
                                  llvm::ArrayRef<int64_t> shape, unsigned dim);

//===----------------------------------------------------------------------===//
// Layouts of layouts
//===----------------------------------------------------------------------===//

/// The layout of outerShape x innerShape copies of `inner`, placed by `outer`.
/// Dimension d has outerShape[d] * innerShape[d] elements; with w(a) the width
/// of `inner` on axis a, over elements and replicas,
///
///   result(o * innerShape + i) = { w * q + p | q in outer(o), p in inner(i) }
///
/// so the replica and the offset of `outer` are scaled like its strides. The
/// swizzle of a swizzled `inner` is applied to the whole: the result is
/// swizzle(tile(outer, tile of inner)). Under a swizzled `outer` the width on
/// `m` has to be a power of 2 and `inner` has to begin at 0 there. Fails when
/// ranks or sizes differ, when an iter straddles a dimension, when both are
/// swizzled, and when a coordinate does not fit 64 bits.
llvm::Expected<Layout> tile(const Layout &outer,
                            llvm::ArrayRef<int64_t> outerShape,
                            const Layout &inner,
                            llvm::ArrayRef<int64_t> innerShape);

/// The same without the width: result(l * rightShape + r) =
/// { p + q | p in left(l), q in right(r) }. The swizzle of `right` is applied
/// to the sum; `left` must not have one.
llvm::Expected<Layout> directSum(const Layout &left,
                                 llvm::ArrayRef<int64_t> leftShape,
                                 const Layout &right,
                                 llvm::ArrayRef<int64_t> rightShape);

/// The layout `outer` for which `tiled` is tile(outer, inner). `tiledShape` has
/// the products of the extents. Fails when there is none, saying what is in the
/// way. Exact, but for replicas as far as `canonicalize` is, and for swizzles
/// that differ in spelling but not in effect: these can be refused.
llvm::Expected<Layout> isTileInner(const Layout &inner,
                                   llvm::ArrayRef<int64_t> innerShape,
                                   const Layout &tiled,
                                   llvm::ArrayRef<int64_t> tiledShape);
/// The layout `inner` for which `tiled` is tile(outer, inner); as above.
llvm::Expected<Layout> isTileOuter(const Layout &outer,
                                   llvm::ArrayRef<int64_t> outerShape,
                                   const Layout &tiled,
                                   llvm::ArrayRef<int64_t> tiledShape);
/// The layout `right` for which `sum` is directSum(left, right); as above.
llvm::Expected<Layout> isDirectSumLeft(const Layout &left,
                                       llvm::ArrayRef<int64_t> leftShape,
                                       const Layout &sum,
                                       llvm::ArrayRef<int64_t> sumShape);
/// The layout `left` for which `sum` is directSum(left, right); as above.
llvm::Expected<Layout> isDirectSumRight(const Layout &right,
                                        llvm::ArrayRef<int64_t> rightShape,
                                        const Layout &sum,
                                        llvm::ArrayRef<int64_t> sumShape);

//===----------------------------------------------------------------------===//
// Elements of another width
//===----------------------------------------------------------------------===//

/// Each element as `count` elements beside each other on `axis`, which counts
/// elements (`m`, or `TCol` in tensor memory): result(x * count + i) =
/// { count * p + i | p in layout(x) } on `axis`, and p on all others. A swizzle
/// moves up by log2(count). Fails when `count` is below 1 or, under a swizzle
/// on that axis, no power of 2, and when a coordinate does not fit 64 bits.
llvm::Expected<Layout> unpack(const Layout &layout, int64_t count,
                              Axis axis = memoryAxis());

/// The inverse: each `count` elements, which have to be neighbours on `axis` in
/// order and to begin at a multiple of `count`, as one. Fails, saying why, when
/// they are not, or when a swizzle moves them apart: per_element has to be
/// log2(count) at least.
llvm::Expected<Layout> pack(const Layout &layout, int64_t count,
                            Axis axis = memoryAxis());

/// The same bits as elements of another width: unpacked to the greatest width
/// that divides both, then packed: 6-bit elements as 4-bit ones are unpacked by
/// 3 and packed by 2.
llvm::Expected<Layout> recast(const Layout &layout, int64_t fromBits,
                              int64_t toBits, Axis axis = memoryAxis());

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Which threads of what: `unit` are counted ("thread", "warp", "warpgroup",
/// "cta") inside one `scope` ("warp", "warpgroup", "cta", "cluster", "grid").
struct ThreadScope {
  llvm::StringRef unit, scope;

  bool operator==(const ThreadScope &other) const {
    return unit == other.unit && scope == other.scope;
  }
};

/// What the thread axes on which anything moves index together; nothing when
/// there are none. The scope of one has to be the unit of the next, as for
/// `laneid` (threads of a warp) and `warpid` (warps of a CTA): threads of a
/// CTA. Fails when one unit is counted in two scopes, `laneid` beside `tx`, or
/// when the chain has a gap, `laneid` beside `wgid`.
llvm::Expected<std::optional<ThreadScope>> getScope(const Layout &layout);

/// The layout with its thread axes fused to the one that counts their unit in
/// `scope`, by the relations that hold for every thread:
///
///   tid_in_wg = 32 * wid_in_wg + laneid     tx = 32 * warpid + laneid
///   warpid = 4 * wgid + wid_in_wg           tx = 128 * wgid + tid_in_wg
///
/// Strides, replicas and offsets move. Fails unless getScope has that scope,
/// and when a coordinate is outside its axis (`laneid` from 0 to 31,
/// `wid_in_wg` from 0 to 3, `tid_in_wg` from 0 to 127). Unchanged without
/// thread axes.
llvm::Expected<Layout> fuseThreadAxes(const Layout &layout,
                                      llvm::StringRef scope);

/// The inverse: thread axes that count across `scope` ("warp" or "warpgroup")
/// are split into one that counts scopes and one that counts inside. Fails,
/// naming the axis, where a step would move on both or carry.
llvm::Expected<Layout> splitThreadAxes(const Layout &layout,
                                       llvm::StringRef scope);

/// The canonical form of the layout with its thread axes fused for `scope`,
/// where they can be.
Layout canonicalize(const Layout &layout, llvm::StringRef scope);

/// What one thread holds: the layout without its thread axes. Its size is the
/// number of elements of one thread.
Layout getStorage(const Layout &layout);

/// Whether any iter, replica or offset is on a thread axis.
bool hasThreadAxes(const Layout &layout);

/// The largest power of two v, up to `limit`, such that along `dim` the
/// elements i*v .. i*v+v-1 are neighbours on `m`, in order, and start at a
/// multiple of v.
int64_t getVectorWidth(const Layout &layout, llvm::ArrayRef<int64_t> shape,
                       unsigned dim, int64_t limit);

} // namespace tirx

#endif // TIRX_LAYOUT_ALGEBRA_H
