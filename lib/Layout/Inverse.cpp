//===- Inverse.cpp - layouts that lead back -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "Box.h"
#include "Fit.h"
#include "SwizzleSearch.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// A layout of the box before whose index the swizzle acts.
static Expected<Layout> afterSwizzle(const TileLayout &tile,
                                     const SwizzleLayout *swizzle,
                                     ArrayRef<AxisExtent> box) {
  if (!swizzle)
    return Layout(tile);
  Expected<Layout> swizzled = Layout::compose(*swizzle, getPoints(box));
  if (!swizzled)
    return swizzled.takeError();
  return compose(tile, *swizzled, box);
}

//===----------------------------------------------------------------------===//
// Inverse
//===----------------------------------------------------------------------===//

static llvm::Error checkInvertible(const Layout &canonical) {
  if (canonical.isSwizzle())
    return makeError("expected a layout with a size, got a bare swizzle");
  if (canonical.getTile()->hasReplica())
    return makeError("expected a layout without copies, got " +
                     Twine(canonical.getTile()->getReplicaCount()) +
                     " of each element");
  return llvm::Error::success();
}

/// Why a layout does not fill the box exactly once.
static llvm::Error notBijective(const Layout &layout,
                                ArrayRef<AxisExtent> box) {
  if (llvm::Error error = checkInside(layout, box))
    return error;
  int64_t size = llvm::cantFail(getBoxSize(box));
  if (*layout.getSize() != size)
    return makeError("expected a layout of as many elements as the box has "
                     "points, " +
                     Twine(size) + ", got " + Twine(*layout.getSize()));
  return makeError("expected a layout that fills the box exactly once, got "
                   "points that two elements share");
}

/// The iters of the inverse of a tile that fills the box exactly once: the
/// steps on each axis, largest first, lead back to the index.
static TileLayout invertTile(const TileLayout &tile, ArrayRef<AxisExtent> box) {
  int64_t first;
  auto ladders = getLadders(tile, first);
  SmallVector<Iter> shard;
  for (const AxisExtent &dim : box) {
    // Named, as a range over a temporary's reverse outlives it.
    Ladder ladder = getLadder(ladders, dim.axis);
    for (const Rung &rung : llvm::reverse(ladder.rungs))
      shard.push_back({rung.extent, rung.weight, memoryAxis()});
  }
  return makeTile(fuseNeighbours(shard), {}, {{memoryAxis(), first}});
}

/// The points of the domain at the points of the box.
static Images invertPoints(const Layout &layout, ArrayRef<AxisExtent> box,
                           ArrayRef<AxisExtent> domain) {
  int64_t size = *layout.getSize();
  TileLayout elements = getPoints(domain);
  Images images(size);
  for (int64_t x = 0; x < size; ++x)
    images[getNumber(layout.apply(x), box)].push_back(elements.apply(x));
  return images;
}

/// From a point of the box through the swizzle to the index, and to its point
/// in the domain.
static std::optional<Layout> invertDigits(const TileLayout &tile,
                                          const SwizzleLayout *swizzle,
                                          ArrayRef<AxisExtent> box,
                                          ArrayRef<AxisExtent> domain) {
  TileLayout inverted = invertTile(tile, box);
  if (domain.size() == 1 && domain.front().axis == memoryAxis()) {
    if (!swizzle)
      return Layout(inverted);
    if (auto number = getIndexSwizzle(*swizzle, box))
      if (auto moved = carryThrough(*number, inverted))
        return llvm::cantFail(Layout::compose(*moved, inverted));
  }
  DigitSum function(getPoints(box));
  if (swizzle && !function.applySwizzle(*swizzle))
    return std::nullopt;
  llvm::cantFail(function.flatten(box));
  if (!function.applyTile(inverted))
    return std::nullopt;
  llvm::cantFail(function.flatten({{memoryAxis(), tile.getSize()}}));
  if (!function.applyTile(getPoints(domain)))
    return std::nullopt;
  if (std::optional<TileLayout> affine = function.toTile())
    return Layout(*affine);
  if (swizzle)
    if (auto moved =
            carryOver(*swizzle, getWeight(box, memoryAxis()), inverted))
      if (auto layout = findForm(function, *moved))
        return layout;
  return findSwizzledForm(function);
}

Expected<Layout> tirx::inverse(const Layout &layout, ArrayRef<AxisExtent> box,
                               ArrayRef<AxisExtent> domain) {
  for (ArrayRef<AxisExtent> checked : {box, domain})
    if (Expected<int64_t> size = getBoxSize(checked); !size)
      return size.takeError();
  Layout canonical = canonicalize(layout);
  if (llvm::Error error = checkInvertible(canonical))
    return std::move(error);
  int64_t size = *canonical.getSize();
  if (int64_t points = llvm::cantFail(getBoxSize(domain)); points != size)
    return makeError("expected a domain of the layout's " + Twine(size) +
                     " elements, got " + Twine(points));
  if (!isBijective(canonical, box))
    return notBijective(canonical, box);
  // Else the swizzle leads out of the box, and the tile is as far off.
  const TileLayout &tile = *canonical.getTile();
  if (isBijective(tile, box))
    if (auto inverted = invertDigits(tile, canonical.getSwizzle(), box, domain))
      return *inverted;
  if (size <= kFitLimit)
    if (auto inverted = fitLayout(invertPoints(canonical, box, domain)))
      return *inverted;
  return makeError("expected a domain in whose axes the inverse is a layout, "
                   "got " +
                   describe(domain));
}

Expected<Layout> tirx::inverse(const Layout &layout, ArrayRef<AxisExtent> box) {
  return inverse(layout, box, {{memoryAxis(), layout.getSize().value_or(1)}});
}

//===----------------------------------------------------------------------===//
// Left inverse
//===----------------------------------------------------------------------===//

/// The complement's steps are ignored, the layout's lead back.
static Expected<TileLayout> leftInverseOfTile(const TileLayout &tile,
                                              ArrayRef<AxisExtent> box) {
  Expected<TileLayout> rest = complement(tile, box);
  if (!rest)
    return rest.takeError();
  int64_t first, ignored;
  auto ladders = getLadders(tile, first);
  auto gaps = getLadders(*rest, ignored);
  SmallVector<Iter> shard;
  for (const AxisExtent &dim : box) {
    Ladder ladder = getLadder(ladders, dim.axis);
    for (const Rung &rung : ladder.rungs)
      if (ladder.min / rung.stride % rung.extent != 0)
        return makeError(
            "expected a smallest coordinate on '" + dim.axis.getName() +
            "' that no stride carries into, got " + Twine(ladder.min) +
            " and stride " + Twine(rung.stride));
    Ladder gap = getLadder(gaps, dim.axis);
    for (Rung &rung : gap.rungs) {
      rung.weight = 0;
      ladder.rungs.push_back(rung);
    }
    llvm::sort(ladder.rungs, [](const Rung &a, const Rung &b) {
      return a.stride > b.stride;
    });
    for (const Rung &rung : ladder.rungs)
      shard.push_back({rung.extent, rung.weight, memoryAxis()});
  }
  return makeTile(fuseNeighbours(shard), {}, {{memoryAxis(), first}});
}

Expected<Layout> tirx::leftInverse(const Layout &layout,
                                   ArrayRef<AxisExtent> box) {
  Expected<int64_t> size = getBoxSize(box);
  if (!size)
    return size.takeError();
  Layout canonical = canonicalize(layout);
  if (llvm::Error error = checkInvertible(canonical))
    return std::move(error);
  if (const SwizzleLayout *swizzle = canonical.getSwizzle();
      swizzle && !preservesPrefix(*swizzle, getExtent(box, memoryAxis())))
    return makeError("expected an extent on 'm' that the swizzle maps to "
                     "itself, got " +
                     Twine(getExtent(box, memoryAxis())));
  // The swizzle permutes the box: the tile is inside when the layout is.
  if (llvm::Error error = checkInside(*canonical.getTile(), box))
    return std::move(error);
  Expected<TileLayout> back = leftInverseOfTile(*canonical.getTile(), box);
  if (!back)
    return back.takeError();
  return afterSwizzle(*back, canonical.getSwizzle(), box);
}

//===----------------------------------------------------------------------===//
// Right inverse
//===----------------------------------------------------------------------===//

/// The rungs that follow each other from stride 1, ascending.
static SmallVector<Rung, 8> getRun(const Ladder &ladder) {
  SmallVector<Rung, 8> run;
  int64_t reached = 1;
  for (size_t i = 0; i < ladder.rungs.size(); ++i) {
    const Rung &rung = ladder.rungs[i];
    // Of several with one stride the longest is the last.
    bool isLast = i + 1 == ladder.rungs.size() ||
                  ladder.rungs[i + 1].stride != rung.stride;
    if (rung.stride != reached || !isLast)
      continue;
    run.push_back(rung);
    CheckedInt next = CheckedInt(reached) * rung.extent;
    if (next.hasOverflowed())
      break;
    reached = next.get();
  }
  return run;
}

static int64_t getLength(ArrayRef<Rung> run) {
  int64_t length = 1;
  for (const Rung &rung : run)
    length *= rung.extent;
  return length;
}

/// The largest divisor of `extent` below `current`. Looks at the first 2^16
/// candidates; 1 when it is not among them.
static int64_t getNextDivisor(int64_t extent, int64_t current) {
  int64_t first = extent / current + 1;
  for (int64_t i = 0; i < (1 << 16) && first + i <= extent; ++i)
    if (extent % (first + i) == 0)
      return extent / (first + i);
  return 1;
}

/// Ends the last step of a run sooner. `whole` are the extents it began with.
static void shorten(SmallVector<Rung, 8> &run, ArrayRef<Rung> whole) {
  int64_t &extent = run.back().extent;
  extent = getNextDivisor(whole[run.size() - 1].extent, extent);
  if (extent == 1)
    run.pop_back();
}

Expected<RightInverse> tirx::rightInverse(const Layout &layout,
                                          ArrayRef<Axis> axes) {
  if (layout.isSwizzle())
    return makeError("expected a layout with a size, got a bare swizzle");
  SmallVector<AxisExtent, 4> box;
  for (Axis axis : axes)
    box.push_back({axis, 1});
  if (Expected<int64_t> size = getBoxSize(box); !size)
    return size.takeError();
  Layout canonical = canonicalize(layout);
  const SwizzleLayout *swizzle = canonical.getSwizzle();
  int64_t first;
  auto ladders = getLadders(*canonical.getTile(), first);
  for (const Ladder &ladder : ladders)
    if (ladder.min != 0)
      return makeError("expected a smallest coordinate of 0 on '" +
                       ladder.axis.getName() + "', got " + Twine(ladder.min));

  SmallVector<SmallVector<Rung, 8>, 4> runs;
  for (Axis axis : axes)
    runs.push_back(getRun(getLadder(ladders, axis)));
  const SmallVector<SmallVector<Rung, 8>, 4> whole = runs;
  auto attempt = [&]() -> Expected<RightInverse> {
    SmallVector<Iter> shard;
    for (auto [dim, run] : llvm::zip_equal(box, runs)) {
      dim.extent = getLength(run);
      for (const Rung &rung : llvm::reverse(run))
        shard.push_back({rung.extent, rung.weight, memoryAxis()});
    }
    // Runs through copies may make a box of any size.
    Expected<TileLayout> tile =
        TileLayout::get(fuseNeighbours(shard), {}, {{memoryAxis(), first}});
    if (!tile)
      return tile.takeError();
    if (swizzle && !preservesPrefix(*swizzle, getExtent(box, memoryAxis())))
      return makeError("expected a run that the swizzle maps to itself");
    Expected<Layout> result = afterSwizzle(*tile, swizzle, box);
    if (!result)
      return result.takeError();
    return RightInverse{*result, box};
  };
  // A run of one point is a result, so the search ends.
  while (true) {
    Expected<RightInverse> result = attempt();
    const auto *it = llvm::find(axes, memoryAxis());
    if (result || it == axes.end())
      return result;
    size_t memory = it - axes.begin();
    SmallVector<Rung, 8> &run = runs[memory];
    if (run.empty())
      return result;
    llvm::consumeError(result.takeError());
    shorten(run, whole[memory]);
  }
}
