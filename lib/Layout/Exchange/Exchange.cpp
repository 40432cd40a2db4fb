//===- Exchange.cpp - what the exchange formats share ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using llvm::Expected;

Expected<TileLayout> tirx::getUnswizzled(const Layout &layout,
                                         llvm::StringRef format) {
  Layout canonical = canonicalize(layout);
  if (canonical.getSwizzle())
    return makeError("expected no swizzle, which " + format + " cannot say");
  return *canonical.getTile();
}

llvm::Error tirx::checkNoReplicas(const TileLayout &tile,
                                  llvm::StringRef format) {
  if (tile.getReplica().empty())
    return llvm::Error::success();
  return makeError("expected no replicas, since " + format +
                   " maps an element to one place, got " +
                   llvm::Twine(tile.getReplicaCount()) + " copies");
}

Expected<SingleAxis> tirx::getSingleAxis(const Layout &layout,
                                         llvm::ArrayRef<int64_t> shape,
                                         Axis axis, llvm::StringRef format) {
  CheckedInt size = 1;
  for (int64_t extent : shape)
    size *= extent;
  if (size.hasOverflowed())
    return makeError("expected a shape whose size fits 64 bits");
  Expected<Layout> full = layout.withTile(size.get());
  if (!full)
    return full.takeError();
  // As few iters as there can be, and no axis that nothing moves on.
  TileLayout tile = canonicalize(*full->getTile());
  if (llvm::Error error = checkNoReplicas(tile, format))
    return std::move(error);
  auto check = [&](Axis used, int64_t moves) -> llvm::Error {
    if (used == axis || moves == 0)
      return llvm::Error::success();
    return makeError("expected only axis '" + axis.getName() + "', since " +
                     format + " maps to one integer, got '" + used.getName() +
                     "'");
  };
  for (const Iter &iter : tile.getShard())
    if (llvm::Error error = check(iter.axis, iter.stride))
      return std::move(error);
  for (const AxisOffset &entry : tile.getOffset())
    if (llvm::Error error = check(entry.axis, entry.value))
      return std::move(error);
  auto groups = group(tile, shape);
  if (!groups)
    return groups.takeError();
  return SingleAxis{*groups, tile.getOffset(axis)};
}
