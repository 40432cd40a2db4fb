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
/// Exact, but for replicas that interleave on an axis and have more than 2^12
/// points there, or very many ways to be taken apart. A swizzle that moves
/// nothing in the tile is dropped.
TileLayout canonicalize(const TileLayout &layout);
Layout canonicalize(const Layout &layout);

/// Whether both map every element to the same set of points. Exact, but for
/// layouts with different swizzles of more than 2^24 elements, which count as
/// different.
bool isEqual(const Layout &lhs, const Layout &rhs);

/// The first flat index whose image differs, if both have the same size and
/// differ within the first 2^24 elements.
std::optional<int64_t> findDifference(const Layout &lhs, const Layout &rhs);

/// Whether no two (element, replica) pairs share a point. Exact, but for
/// layouts whose steps interleave and which have more than 2^24 pairs or fill a
/// box of more than 2^63 points: they count as not injective.
bool isInjective(const Layout &layout);

/// The shard iters of each dimension of a shape: concatenated they are the
/// shard, with iters split where a dimension ends inside one. Fails when the
/// sizes differ or when an iter straddles a dimension's boundary, naming the
/// dimension.
llvm::Expected<llvm::SmallVector<llvm::SmallVector<Iter, 2>>>
group(const TileLayout &layout, llvm::ArrayRef<int64_t> shape);

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

/// The single step that dimension `dim` makes: an iter of the dimension's
/// extent. Fails when the dimension has several strides.
llvm::Expected<Iter> getDimStride(const Layout &layout,
                                  llvm::ArrayRef<int64_t> shape, unsigned dim);

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
