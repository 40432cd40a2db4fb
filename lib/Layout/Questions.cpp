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

using namespace tirx;
using namespace tirx::detail;
using llvm::SmallVector;

bool tirx::hasThreadAxes(const Layout &layout) {
  return llvm::any_of(layout.getAxes(),
                      [](Axis axis) { return axis.isThread(); });
}

llvm::Error detail::checkMemoryOnly(const llvm::Twine &what,
                                    const TileLayout &tile) {
  std::string name = what.str();
  if (tile.hasReplica())
    return makeError("expected one copy of each element of " + name + ", got " +
                     llvm::Twine(tile.getReplicaCount()));
  for (Axis axis : tile.getAxes())
    if (axis != memoryAxis())
      return makeError("expected " + name + " on axis 'm' only, got axis '" +
                       axis.getName() + "'");
  return llvm::Error::success();
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
