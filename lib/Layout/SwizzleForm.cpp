//===- SwizzleForm.cpp - one spelling for each swizzled map ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "SwizzleSearch.h"

using namespace tirx;
using namespace tirx::detail;

/// What DigitSum::exercises says, where it is seen from the iters. False says
/// nothing.
static bool exercisesByBits(const SwizzleLayout &swizzle,
                            const TileLayout &tile) {
  std::optional<StepBits> steps = getStepBits(tile);
  return steps && (getFields(swizzle) & ~steps->toggled) == 0;
}

/// A swizzle and a tile may be replaced by others: the swizzle may read bits
/// that no index has, or change strides and offset and nothing else. Of all
/// pairs that make the map, the canonical one is that without a swizzle, or
/// with the shortest and, of several, the first that anySwizzle finds.
///
/// Let the map be S.T = S'.T', where two digits of T toggle a bit that S reads
/// and the one that it changes. T' = S'.S.T adds up over these digits, so the
/// bits toggled by one and by the other are disjoint after S'.S, which is so
/// only if S' reads and changes these bits, too. So when all bits of S are
/// toggled by digits of their own, S' has them all.
Layout detail::canonicalizeSwizzled(const SwizzleLayout &swizzle,
                                    const TileLayout &tile) {
  Layout spelled = llvm::cantFail(Layout::compose(swizzle, tile));
  if (swizzle.getSwizzleLen() == 0)
    return Layout(tile);
  if (exercisesByBits(swizzle, tile))
    return spelled;
  DigitSum function(tile);
  if (function.exercises(swizzle))
    return spelled;
  if (!function.applySwizzle(swizzle))
    return spelled;
  if (std::optional<TileLayout> affine = function.toTile())
    return Layout(canonicalize(*affine));
  std::optional<Layout> form =
      findSwizzledForm(function, swizzle.getSwizzleLen());
  if (!form)
    return spelled;
  return llvm::cantFail(
      Layout::compose(*form->getSwizzle(), canonicalize(*form->getTile())));
}
