//===- Functions.h - layouts as functions -----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composition, inverses, complements, and whether a layout fills a box. To
// compose layouts, coordinates have to become an index again: a box says how.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LAYOUT_FUNCTIONS_H
#define TIRX_LAYOUT_FUNCTIONS_H

#include "TIRx/Layout/Layout.h"

namespace tirx {

/// One dimension of a box: the coordinates 0 to extent - 1 on an axis. The
/// points of a box, a list of dimensions on different axes, are numbered
/// row-major: the last axis runs fastest.
struct AxisExtent {
  Axis axis;
  int64_t extent = 1;
};

/// `outer` after `inner`: result(x) is the union of outer(y) over the indices y
/// in inner(x), where the index of a point is its number in `box`.
///
/// Needs a box of outer's size (of any size if `outer` is a bare swizzle) which
/// holds all of inner's image. Fails, naming the axis, when that is not so; and
/// when no layout is this map, naming the iter of `inner` whose steps do not
/// add up. A tile is found whenever there is one, up to 2^14 (element, copy)
/// pairs; a swizzled tile as long as pairs and swizzles of as many bits as the
/// coordinates have multiply to 2^20. Beyond, a result is found when its iters
/// follow those of `inner`.
llvm::Expected<Layout> compose(const Layout &outer, const Layout &inner,
                               llvm::ArrayRef<AxisExtent> box);

/// The same where `inner` is on `m` alone: its coordinate is the index. After a
/// bare swizzle the coordinates of `inner` on other axes stay as they are. Two
/// bare swizzles make a bare swizzle, or fail; a bare swizzle inside is one of
/// outer's size, and fails when it leads out of it.
llvm::Expected<Layout> compose(const Layout &outer, const Layout &inner);

/// The map from box to index of a layout that fills the box exactly once:
/// inverse(y) is the index x with layout(x) = y. The domain of the result is
/// the box, row-major; the result gives the number's coordinates in `domain`.
///
///   inverse(inverse(L, box, domain), domain, box) = L
///   inverse(compose(A, B, b), c, a)
///     = compose(inverse(B, b, a), inverse(A, c, b), b)
///
/// Fails, naming the axis, when the layout does not fill the box exactly once,
/// when the domain has another size, and when the inverse is not a layout,
/// which happens only to a swizzle or to a domain that cuts iters.
llvm::Expected<Layout> inverse(const Layout &layout,
                               llvm::ArrayRef<AxisExtent> box,
                               llvm::ArrayRef<AxisExtent> domain);
/// The same with the index itself, on `m`.
llvm::Expected<Layout> inverse(const Layout &layout,
                               llvm::ArrayRef<AxisExtent> box);

/// A map from the box to indices on `m` that undoes an injective layout whose
/// image lies in the box: compose(result, layout, box) is the identity. What it
/// gives for points that the layout does not reach is some index of an element.
/// Needs the steps on each axis to divide each other and the box, and a
/// smallest coordinate that the steps do not carry into.
llvm::Expected<Layout> leftInverse(const Layout &layout,
                                   llvm::ArrayRef<AxisExtent> box);

/// A right inverse and the box that is its domain.
struct RightInverse {
  Layout layout;
  llvm::SmallVector<AxisExtent, 4> box;
};

/// R with y in layout(R(y)) for all y of a box: on each of `axes` the longest
/// run from 0 whose steps follow each other (1, then the extent of that step,
/// and so on). A swizzle may shorten the run on `m`. The order of `axes` is
/// that of the box. Fails when the smallest coordinate of the layout on any
/// axis is not 0.
llvm::Expected<RightInverse> rightInverse(const Layout &layout,
                                          llvm::ArrayRef<Axis> axes);

/// The layout C such that the direct sum with `layout` fills the box exactly
/// once: every point of the box is layout(x) + C(y) + r for one x, one y and
/// one copy r, where copies that coincide count once. Its iters go row-major
/// through the box. The complement of a swizzled layout is that of its tile, as
/// sums are taken under the swizzle.
///
/// Fails, naming the axis, when two (element, copy) pairs meet, when the steps
/// on an axis do not divide each other or the box, and when the swizzle leads
/// out of the box.
llvm::Expected<TileLayout> complement(const Layout &layout,
                                      llvm::ArrayRef<AxisExtent> box);

/// Whether the image of the layout, copies included, is the box: all of it and
/// nothing else. Exact, but for swizzles with `outer` on a box of more than
/// 2^24 on `m` which they lead out of: those count as not surjective.
bool isSurjective(const Layout &layout, llvm::ArrayRef<AxisExtent> box);

/// Whether each point of the box is a point of exactly one element and no image
/// lies elsewhere. As exact as isSurjective and isInjective.
bool isBijective(const Layout &layout, llvm::ArrayRef<AxisExtent> box);

/// Whether the swizzle maps [0, size) to itself.
bool preservesPrefix(const SwizzleLayout &swizzle, int64_t size);

} // namespace tirx

#endif // TIRX_LAYOUT_FUNCTIONS_H
