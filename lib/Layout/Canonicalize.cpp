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

/// Replicas are a set of displacements: signs move into the offset, copies that
/// coincide go, and the order is free.
static SmallVector<Iter, 2>
canonicalReplica(ArrayRef<Iter> iters,
                 llvm::SmallVectorImpl<AxisOffset> &offset) {
  SmallVector<Iter, 4> positive;
  for (Iter iter : iters) {
    if (iter.extent == 1 || iter.stride == 0)
      continue;
    if (iter.stride < 0) {
      offset.push_back({iter.axis, (iter.extent - 1) * iter.stride});
      iter.stride = -iter.stride;
    }
    positive.push_back(iter);
  }
  llvm::sort(positive, [](const Iter &a, const Iter &b) {
    if (a.axis != b.axis)
      return a.axis < b.axis;
    return a.stride != b.stride ? a.stride > b.stride : a.extent > b.extent;
  });
  // {0..a-1}*s + {0..b-1}*k*s with k <= a is one run: {0..a-1+(b-1)*k}*s.
  SmallVector<Iter, 2> fused;
  for (const Iter &iter : llvm::reverse(positive)) {
    if (!fused.empty()) {
      Iter &small = fused.back();
      if (small.axis == iter.axis && iter.stride % small.stride == 0 &&
          iter.stride / small.stride <= small.extent) {
        small.extent += (iter.extent - 1) * (iter.stride / small.stride);
        continue;
      }
    }
    fused.push_back(iter);
  }
  std::reverse(fused.begin(), fused.end());
  return fused;
}

TileLayout tirx::canonicalize(const TileLayout &layout) {
  SmallVector<AxisOffset, 4> offset(layout.getOffset());
  SmallVector<Iter, 2> replica = canonicalReplica(layout.getReplica(), offset);
  return detail::makeTile(detail::fuseNeighbours(layout.getShard()), replica,
                          offset);
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
