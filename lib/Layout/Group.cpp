//===- Group.cpp - the iters of each dimension ----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

Expected<SmallVector<SmallVector<Iter, 2>>>
tirx::group(const TileLayout &layout, ArrayRef<int64_t> shape) {
  Expected<int64_t> size = getShapeSize(shape);
  if (!size)
    return size.takeError();
  if (*size != layout.getSize())
    return makeError("expected a shape of " + Twine(layout.getSize()) +
                     " elements, got " + Twine(*size));
  SmallVector<SmallVector<Iter, 2>> groups(shape.size());
  SmallVector<Iter> rest(layout.getShard());
  for (size_t dim = shape.size(); dim-- > 0;) {
    int64_t need = shape[dim];
    while (need > 1) {
      Iter iter = rest.pop_back_val();
      int64_t part = std::gcd(iter.extent, need);
      if (part != iter.extent && part != need)
        return makeError("expected the iters of dimension " + Twine(dim) +
                         " to multiply to its extent " + Twine(shape[dim]) +
                         ", got an iter of extent " + Twine(iter.extent) +
                         " that straddles its boundary");
      groups[dim].insert(groups[dim].begin(), {part, iter.stride, iter.axis});
      need /= part;
      if (part != iter.extent)
        rest.push_back({iter.extent / part, iter.stride * part, iter.axis});
    }
  }
  return groups;
}

Expected<SmallVector<SmallVector<Iter, 4>>>
detail::groupFused(const TileLayout &tile, ArrayRef<int64_t> shape) {
  auto groups = group(makeTile(fuseNeighbours(tile.getShard()),
                               tile.getReplica(), tile.getOffset()),
                      shape);
  if (!groups)
    return groups.takeError();
  SmallVector<SmallVector<Iter, 4>> fused;
  for (const SmallVector<Iter, 2> &iters : *groups)
    fused.push_back(fuseNeighbours(iters));
  return fused;
}

Expected<SmallVector<SmallVector<Iter, 4>>>
detail::groupAnyhow(const TileLayout &tile, ArrayRef<int64_t> shape) {
  auto spelled = group(tile, shape);
  if (!spelled) {
    llvm::consumeError(spelled.takeError());
    return groupFused(tile, shape);
  }
  SmallVector<SmallVector<Iter, 4>> groups;
  for (const SmallVector<Iter, 2> &iters : *spelled)
    groups.emplace_back(iters.begin(), iters.end());
  return groups;
}

Expected<Iter> tirx::getDimStride(const Layout &layout, ArrayRef<int64_t> shape,
                                  unsigned dim) {
  if (dim >= shape.size())
    return makeError("expected a dimension below " + Twine(shape.size()) +
                     ", got " + Twine(dim));
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  auto groups = groupFused(tile, shape);
  if (!groups)
    return groups.takeError();
  const SmallVector<Iter, 4> &iters = (*groups)[dim];
  if (iters.empty())
    return Iter{1, 0, memoryAxis()};
  if (iters.size() > 1)
    return makeError("expected one stride along dimension " + Twine(dim) +
                     ", got " + Twine(iters.size()));
  return iters.front();
}
