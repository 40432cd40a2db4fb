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
using llvm::Expected;
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
                       llvm::SmallVectorImpl<AxisOffset> &offset,
                       llvm::function_ref<Runs(ArrayRef<Run>)> spell) {
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
    entry.runs = spell(entry.runs);
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
  SmallVector<Iter, 4> shard = fuseNeighbours(layout.getShard());
  auto spell = [&](llvm::function_ref<Runs(ArrayRef<Run>)> spellRuns) {
    SmallVector<AxisOffset, 4> offset(layout.getOffset());
    SmallVector<Iter, 2> replica =
        toIters(getReplicaRuns(layout.getReplica(), offset, spellRuns));
    return TileLayout::get(shard, replica, offset);
  };
  Expected<TileLayout> result = spell(canonicalRuns);
  if (result)
    return *result;
  // Runs that interleave can count copies more often than the author did, and
  // more often than a layout may.
  llvm::consumeError(result.takeError());
  return llvm::cantFail(spell(fuseRuns));
}

Layout detail::withCanonicalTile(const Layout &layout) {
  if (!layout.getTile())
    return layout;
  return llvm::cantFail(withSwizzle(layout, canonicalize(*layout.getTile())));
}

Layout tirx::canonicalize(const Layout &layout) {
  const SwizzleLayout *swizzle = layout.getSwizzle();
  if (layout.isSwizzle())
    return swizzle->getSwizzleLen() == 0
               ? Layout(llvm::cantFail(SwizzleLayout::get(0, 0, 0)))
               : layout;
  TileLayout tile = canonicalize(*layout.getTile());
  return swizzle ? detail::canonicalizeSwizzled(*swizzle, tile) : Layout(tile);
}
