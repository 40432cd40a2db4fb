//===- Canonicalize.cpp - one spelling for each map -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Whether `outer` continues the stride of `inner`.
static bool continues(const Iter &outer, const Iter &inner) {
  if (outer.axis != inner.axis)
    return false;
  CheckedInt next = CheckedInt(inner.extent) * inner.stride;
  return !next.hasOverflowed() && outer.stride == next.get();
}

SmallVector<Iter, 4> detail::fuseNeighbours(ArrayRef<Iter> iters) {
  SmallVector<Iter, 4> fused;
  for (Iter iter : iters) {
    if (iter.extent == 1)
      continue;
    // A stride of 0 moves nowhere, whatever its axis.
    if (iter.stride == 0)
      iter.axis = memoryAxis();
    if (!fused.empty() && continues(fused.back(), iter)) {
      fused.back() = {fused.back().extent * iter.extent, iter.stride,
                      iter.axis};
      continue;
    }
    fused.push_back(iter);
  }
  return fused;
}

SmallVector<detail::AxisRuns, 2>
detail::getReplicaRuns(ArrayRef<Iter> replica,
                       llvm::SmallVectorImpl<AxisOffset> &offset) {
  SmallVector<AxisRuns, 2> axes;
  for (const Iter &iter : replica) {
    if (iter.extent == 1 || iter.stride == 0)
      continue;
    auto *it = llvm::find_if(
        axes, [&](const AxisRuns &entry) { return entry.axis == iter.axis; });
    if (it == axes.end())
      it = axes.insert(it, {iter.axis, {}});
    it->runs.push_back({iter.extent, std::abs(iter.stride)});
    if (iter.stride < 0)
      offset.push_back({iter.axis, (iter.extent - 1) * iter.stride});
  }
  llvm::sort(axes, [](const AxisRuns &a, const AxisRuns &b) {
    return a.axis < b.axis;
  });
  for (AxisRuns &entry : axes)
    entry.runs = canonicalRuns(entry.runs);
  return axes;
}

SmallVector<Iter, 2> detail::toIters(ArrayRef<AxisRuns> axes) {
  SmallVector<Iter, 2> iters;
  for (const AxisRuns &entry : axes)
    for (const Run &run : entry.runs)
      iters.push_back({run.extent, run.stride, entry.axis});
  return iters;
}

TileLayout tirx::canonicalize(const TileLayout &layout) {
  SmallVector<AxisOffset, 4> offset(layout.getOffset());
  SmallVector<Iter, 2> replica =
      toIters(getReplicaRuns(layout.getReplica(), offset));
  return makeTile(fuseNeighbours(layout.getShard()), replica, offset);
}

Layout tirx::canonicalize(const Layout &layout) {
  if (layout.isSwizzle())
    return layout;
  TileLayout tile = canonicalize(*layout.getTile());
  const SwizzleLayout *swizzle = layout.getSwizzle();
  // A swizzle of no bits, or of bits that no address has, is the identity.
  if (!swizzle || swizzle->getSwizzleLen() == 0)
    return tile;
  int64_t source = swizzle->isOuter()
                       ? swizzle->getPerElement()
                       : swizzle->getPerElement() + swizzle->getAtomLen();
  if (tile.getSpan(memoryAxis()).max < (int64_t(1) << source))
    return tile;
  return llvm::cantFail(Layout::compose(*swizzle, std::move(tile)));
}
