//===- Reshape.cpp - other dimensions for the same elements -------------===//
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
using llvm::Twine;

static SmallVector<Iter> concatenate(ArrayRef<SmallVector<Iter, 4>> groups) {
  SmallVector<Iter> iters;
  for (const SmallVector<Iter, 4> &dim : groups)
    iters.append(dim.begin(), dim.end());
  return iters;
}

Expected<Layout> tirx::permute(const Layout &layout, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (sorted.size() != shape.size() ||
      llvm::any_of(llvm::enumerate(sorted), [](auto entry) {
        return int64_t(entry.index()) != entry.value();
      }))
    return makeError("expected each of " + Twine(shape.size()) +
                     " dimensions once in a permutation");
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  auto groups = groupAnyhow(tile, shape);
  if (!groups)
    return groups.takeError();
  SmallVector<SmallVector<Iter, 4>> reordered;
  for (int64_t dim : permutation)
    reordered.push_back((*groups)[dim]);
  return withSwizzle(*full, makeTile(concatenate(reordered), tile.getReplica(),
                                     tile.getOffset()));
}

Expected<Layout> tirx::reshape(const Layout &layout, ArrayRef<int64_t> shape) {
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  auto groups = groupAnyhow(tile, shape);
  // The map does not need the dimensions to have iters of their own.
  if (!groups) {
    llvm::consumeError(groups.takeError());
    return full;
  }
  return withSwizzle(*full, makeTile(concatenate(*groups), tile.getReplica(),
                                     tile.getOffset()));
}

Expected<Layout> tirx::broadcast(const Layout &layout, ArrayRef<int64_t> shape,
                                 unsigned position, int64_t extent) {
  if (position > shape.size())
    return makeError("expected a position of at most " + Twine(shape.size()) +
                     ", got " + Twine(position));
  if (extent < 1)
    return makeError("expected an extent of at least 1, got " + Twine(extent));
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full)
    return full.takeError();
  const TileLayout &tile = *full->getTile();
  // Only where the new dimension goes in do iters have to end.
  int64_t outer = 1;
  for (int64_t size : shape.take_front(position))
    outer *= size;
  auto groups = groupAnyhow(tile, {outer, tile.getSize() / outer});
  if (!groups)
    return makeError("expected iters that end before dimension " +
                     Twine(position) + ": " +
                     llvm::toString(groups.takeError()));
  SmallVector<Iter, 4> shard = (*groups)[0];
  shard.push_back({extent, 0, memoryAxis()});
  shard.append((*groups)[1].begin(), (*groups)[1].end());
  Expected<TileLayout> result =
      TileLayout::get(shard, tile.getReplica(), tile.getOffset());
  if (!result)
    return result.takeError();
  return withSwizzle(*full, std::move(*result));
}
