//===- FactoryUtils.h - what the factories of layouts share -----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_FACTORYUTILS_H
#define TIRX_LIB_LAYOUT_FACTORYUTILS_H

#include "CheckedMath.h"
#include "TIRx/Layout/Layout.h"

namespace tirx {

/// A layout of the iters, without those of extent 1.
inline llvm::Expected<Layout>
makeFactoryLayout(llvm::ArrayRef<Iter> shard, llvm::ArrayRef<Iter> replica = {},
                  llvm::ArrayRef<AxisOffset> offset = {}) {
  llvm::SmallVector<Iter> kept;
  for (const Iter &iter : shard)
    if (iter.extent != 1)
      kept.push_back(iter);
  llvm::Expected<TileLayout> tile = TileLayout::get(kept, replica, offset);
  if (!tile)
    return tile.takeError();
  return Layout(std::move(*tile));
}

inline llvm::Error expectMultiple(const llvm::Twine &what, int64_t value,
                                  int64_t unit) {
  if (value >= unit && value % unit == 0)
    return llvm::Error::success();
  return makeError("expected " + what + " to be a multiple of " +
                   llvm::Twine(unit) + ", got " + llvm::Twine(value));
}

inline llvm::Error expectPositive(const llvm::Twine &what, int64_t value) {
  if (value >= 1)
    return llvm::Error::success();
  return makeError("expected " + what + " to be 1 or more, got " +
                   llvm::Twine(value));
}

} // namespace tirx

#endif // TIRX_LIB_LAYOUT_FACTORYUTILS_H
