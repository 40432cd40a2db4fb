//===- Complement.cpp - what a layout leaves of a box ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "Box.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// The rungs, in ascending order, that make a ladder one of steps that follow
/// each other from 1 to `extent`. No others do: the smallest number that the
/// steps below reach no more has to be a step.
static llvm::Error addGaps(const Ladder &ladder, int64_t extent,
                           SmallVector<Iter> &gaps) {
  llvm::StringRef name = ladder.axis.getName();
  CheckedInt reached = 1;
  auto addGap = [&](int64_t next) {
    if (next != reached.get())
      gaps.push_back({next / reached.get(), reached.get(), ladder.axis});
  };
  for (const Rung &rung : ladder.rungs) {
    if (rung.stride % reached.get() != 0)
      return makeError("expected strides on '" + name +
                       "' that are multiples of what smaller ones span, got " +
                       Twine(rung.stride) + " after " + Twine(reached.get()));
    addGap(rung.stride);
    reached = CheckedInt(rung.stride) * rung.extent;
    if (reached.hasOverflowed() || reached.get() > extent)
      break;
  }
  if (reached.hasOverflowed() || extent % reached.get() != 0)
    return makeError(
        "expected an extent on '" + name +
        "' that is a multiple of what the strides span, got " + Twine(extent) +
        (reached.hasOverflowed() ? Twine(" for more than 2^63")
                                 : " for " + Twine(reached.get())));
  addGap(extent);
  return llvm::Error::success();
}

Expected<TileLayout> tirx::complement(const Layout &layout,
                                      ArrayRef<AxisExtent> box) {
  Expected<int64_t> size = getBoxSize(box);
  if (!size)
    return size.takeError();
  if (layout.isSwizzle())
    return makeError("expected a layout with a size, got a bare swizzle");
  if (const SwizzleLayout *swizzle = layout.getSwizzle();
      swizzle && !preservesPrefix(*swizzle, getExtent(box, memoryAxis())))
    return makeError("expected an extent on 'm' that the swizzle maps to "
                     "itself, got " +
                     Twine(getExtent(box, memoryAxis())));
  TileLayout tile = canonicalize(*layout.getTile());
  for (const Iter &iter : tile.getShard())
    if (iter.stride == 0)
      return makeError("expected elements that do not share a point, got an "
                       "iter of extent " +
                       Twine(iter.extent) + " and stride 0");
  int64_t first;
  auto ladders = getLadders(tile, first);
  for (const Ladder &ladder : ladders)
    if (!ladder.rungs.empty() && getExtent(box, ladder.axis) == 1)
      return makeError("expected a box with all axes of the layout, got none "
                       "of more than one point on '" +
                       ladder.axis.getName() + "'");

  SmallVector<Iter> shard;
  SmallVector<AxisOffset> offset;
  for (const AxisExtent &dim : box) {
    SmallVector<Iter> gaps;
    if (llvm::Error error =
            addGaps(getLadder(ladders, dim.axis), dim.extent, gaps))
      return std::move(error);
    shard.append(gaps.rbegin(), gaps.rend());
  }
  // The sum begins at the origin, wherever the layout does.
  for (const Ladder &ladder : ladders) {
    CheckedInt shift = CheckedInt(-1) * ladder.min;
    if (shift.hasOverflowed())
      return makeError("expected offsets on '" + ladder.axis.getName() +
                       "' whose negation fits 64 bits");
    offset.push_back({ladder.axis, shift.get()});
  }
  return TileLayout::get(shard, {}, offset);
}
