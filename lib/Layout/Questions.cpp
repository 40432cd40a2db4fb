//===- Questions.cpp - what users ask of layouts --------------------------===//
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

bool tirx::hasThreadAxes(const Layout &layout) {
  return llvm::any_of(layout.getAxes(),
                      [](Axis axis) { return axis.isThread(); });
}

Layout tirx::getStorage(const Layout &layout) {
  if (!layout.getTile())
    return layout;
  const TileLayout &tile = *layout.getTile();
  auto onMemory = [](const auto &entry) { return !entry.axis.isThread(); };
  SmallVector<Iter> shard, replica;
  SmallVector<AxisOffset> offset;
  llvm::copy_if(tile.getShard(), std::back_inserter(shard), onMemory);
  llvm::copy_if(tile.getReplica(), std::back_inserter(replica), onMemory);
  llvm::copy_if(tile.getOffset(), std::back_inserter(offset), onMemory);
  return llvm::cantFail(withSwizzle(layout, makeTile(shard, replica, offset)));
}

int64_t tirx::getVectorWidth(const Layout &layout, ArrayRef<int64_t> shape,
                             unsigned dim, int64_t limit) {
  Expected<Layout> full = withTileOfShape(layout, shape);
  if (!full) {
    llvm::consumeError(full.takeError());
    return 1;
  }
  const TileLayout &tile = *full->getTile();
  auto groups = groupFused(tile, shape);
  if (!groups) {
    llvm::consumeError(groups.takeError());
    return 1;
  }
  if (dim >= shape.size() || (*groups)[dim].empty())
    return 1;
  Iter run = (*groups)[dim].pop_back_val();
  if (run.axis != memoryAxis() || run.stride != 1)
    return 1;

  // Every displacement of a vector's start has to be a multiple of its width.
  int64_t alignment = run.extent;
  auto require = [&](Axis axis, int64_t step) {
    if (axis == memoryAxis())
      alignment = std::gcd(alignment, step);
  };
  for (const SmallVector<Iter, 4> &iters : *groups)
    for (const Iter &iter : iters)
      require(iter.axis, iter.stride);
  for (const Iter &iter : tile.getReplica())
    if (iter.extent > 1)
      require(iter.axis, iter.stride);
  for (const AxisOffset &entry : tile.getOffset())
    require(entry.axis, entry.value);
  // A swizzle keeps runs of 2^p elements together.
  const SwizzleLayout *swizzle =
      canonicalize(*full).getSwizzle() ? full->getSwizzle() : nullptr;
  int64_t width = 1;
  while (width * 2 <= limit && alignment % (width * 2) == 0 &&
         (!swizzle || width * 2 <= (int64_t(1) << swizzle->getPerElement())))
    width *= 2;
  return width;
}
