//===- GroupMany.cpp - iters for several shapes at once -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// The products of leading extents: 1, e0, e0*e1, ... Dimensions of extent 1
/// repeat a boundary.
using Boundaries = SmallVector<int64_t>;

static Boundaries getBoundaries(ArrayRef<int64_t> extents) {
  Boundaries boundaries = {1};
  for (int64_t extent : extents)
    boundaries.push_back(boundaries.back() * extent);
  return boundaries;
}

namespace {
/// The boundaries of all shapes and of the shard, each as often as the one that
/// has it most often.
struct Refinement {
  Boundaries merged;
  /// Where the boundaries of one value begin in `merged`, and how many.
  std::map<int64_t, std::pair<size_t, size_t>> places;

  /// The place of each boundary of one sequence: its first is the first of all
  /// and its last the last of all, so that no iter is left out.
  SmallVector<size_t> locate(ArrayRef<int64_t> boundaries) const {
    SmallVector<size_t> located;
    size_t repeated = 0;
    for (size_t i = 0; i < boundaries.size(); ++i) {
      repeated = i > 0 && boundaries[i] == boundaries[i - 1] ? repeated + 1 : 0;
      auto [begin, count] = places.at(boundaries[i]);
      bool isLast = i > 0 && i + 1 == boundaries.size();
      located.push_back(isLast ? begin + count - 1 : begin + repeated);
    }
    return located;
  }
};
} // namespace

static Expected<Refinement> refine(ArrayRef<Boundaries> sequences) {
  Refinement result;
  for (const Boundaries &boundaries : sequences) {
    std::map<int64_t, size_t> counts;
    for (int64_t boundary : boundaries)
      result.places[boundary].second =
          std::max(result.places[boundary].second, ++counts[boundary]);
  }
  int64_t previous = 1;
  for (auto &[boundary, place] : result.places) {
    if (boundary % previous != 0)
      return makeError("expected boundaries between dimensions that divide "
                       "each other, got one after " +
                       Twine(previous) + " and one after " + Twine(boundary) +
                       " leading elements");
    previous = boundary;
    place.first = result.merged.size();
    result.merged.append(place.second, boundary);
  }
  return result;
}

/// Splits each iter at the boundaries inside it.
static SmallVector<Iter> splitIters(ArrayRef<Iter> shard,
                                    const Refinement &refinement,
                                    ArrayRef<size_t> places) {
  ArrayRef<int64_t> merged = refinement.merged;
  SmallVector<Iter> result;
  for (auto [i, iter] : llvm::enumerate(shard))
    for (size_t at = places[i]; at < places[i + 1]; ++at)
      result.push_back({merged[at + 1] / merged[at],
                        merged[places[i + 1]] / merged[at + 1] * iter.stride,
                        iter.axis});
  // A shard of no iters has none to split for dimensions of extent 1.
  if (shard.empty())
    result.assign(merged.size() - 1, Iter{1, 0, memoryAxis()});
  return result;
}

Expected<GroupedTile> tirx::groupMany(const TileLayout &layout,
                                      ArrayRef<SmallVector<int64_t>> shapes) {
  SmallVector<Boundaries> sequences;
  for (auto [i, shape] : llvm::enumerate(shapes)) {
    Expected<int64_t> size = getShapeSize(shape);
    if (!size)
      return makeError("shape " + Twine(i) + ": " +
                       llvm::toString(size.takeError()));
    if (*size != layout.getSize())
      return makeError("shape " + Twine(i) + ": expected " +
                       Twine(layout.getSize()) + " elements, got " +
                       Twine(*size));
    sequences.push_back(getBoundaries(shape));
  }
  SmallVector<int64_t> extents;
  for (const Iter &iter : layout.getShard())
    extents.push_back(iter.extent);
  sequences.push_back(getBoundaries(extents));
  Expected<Refinement> refinement = refine(sequences);
  if (!refinement)
    return refinement.takeError();

  SmallVector<size_t> own = refinement->locate(sequences.pop_back_val());
  GroupedTile result{makeTile(splitIters(layout.getShard(), *refinement, own),
                              layout.getReplica(), layout.getOffset()),
                     {}};
  for (const Boundaries &boundaries : sequences)
    result.bounds.push_back(refinement->locate(boundaries));
  return result;
}
