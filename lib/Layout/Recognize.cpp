//===- Recognize.cpp - the other factor of a tiled layout ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A set of copies x + R, for x in the image of a shard, determines both: a
// finite set has only the trivial translation onto itself. So shard, replica
// and offset can be compared each by itself.
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

using Dims = SmallVector<SmallVector<Iter, 4>>;

namespace {
/// One recognition. The width of the inner layout counts for tiles, not for
/// direct sums.
struct Question {
  bool scaled;
  ArrayRef<int64_t> outerShape, innerShape;
  const Layout &known, &whole;
  /// The iters of the known factor, and of the whole where each factor is.
  Dims knownDims, outerDims, innerDims;
  TileLayout knownTile, wholeTile;
};

/// What is on one axis of a canonical tile besides the shard.
struct Copies {
  Runs runs;
  int64_t offset = 0;
};
} // namespace

static Copies getCopies(const TileLayout &canonical, Axis axis) {
  Copies copies;
  for (const Iter &iter : canonical.getReplica())
    if (iter.axis == axis)
      copies.runs.push_back({iter.extent, iter.stride});
  copies.offset = canonical.getOffset(axis);
  return copies;
}

static SmallVector<Axis> getAllAxes(const Question &question) {
  SmallVector<Axis> axes = question.wholeTile.getAxes();
  axes.append(question.knownTile.getAxes());
  llvm::sort(axes);
  axes.erase(llvm::unique(axes), axes.end());
  return axes;
}

static Expected<SmallVector<int64_t>> divideShape(ArrayRef<int64_t> whole,
                                                  ArrayRef<int64_t> part) {
  if (Error error = checkRanks(whole, part))
    return std::move(error);
  SmallVector<int64_t> rest;
  for (size_t dim = 0; dim < whole.size(); ++dim) {
    if (part[dim] < 1 || whole[dim] % part[dim] != 0)
      return makeError("expected an extent that divides " + Twine(whole[dim]) +
                       " in dimension " + Twine(dim) + ", got " +
                       Twine(part[dim]));
    rest.push_back(whole[dim] / part[dim]);
  }
  return rest;
}

/// Gives the outer and the inner factor their dimensions of the whole.
static Error splitDims(Question &question, const Layout &whole) {
  SmallVector<int64_t> interleaved;
  for (auto [outer, inner] :
       llvm::zip_equal(question.outerShape, question.innerShape)) {
    interleaved.push_back(outer);
    interleaved.push_back(inner);
  }
  auto dims = getDimIters("whole layout", whole, interleaved);
  if (!dims)
    return dims.takeError();
  for (size_t dim = 0; dim < dims->dims.size(); dim += 2) {
    question.outerDims.push_back(dims->dims[dim]);
    question.innerDims.push_back(dims->dims[dim + 1]);
  }
  question.wholeTile = canonicalize(*dims->layout.getTile());
  return Error::success();
}

static Error compareDims(StringRef factor, const Dims &want, const Dims &got) {
  for (size_t dim = 0; dim < want.size(); ++dim)
    if (want[dim] != got[dim])
      return makeError("expected the steps of the " + factor +
                       " layout in dimension " + Twine(dim) +
                       ", got others in the whole layout");
  return Error::success();
}

static Expected<Dims> scaleDims(const Dims &dims, ArrayRef<AxisOffset> widths) {
  Dims scaled = dims;
  for (SmallVector<Iter, 4> &iters : scaled)
    for (Iter &iter : iters)
      for (const AxisOffset &width : widths)
        if (iter.axis == width.axis &&
            llvm::MulOverflow(iter.stride, width.value, iter.stride))
          return makeError("expected strides on axis '" + iter.axis.getName() +
                           "' that fit 64 bits when multiplied by the inner "
                           "width " +
                           Twine(width.value));
  return scaled;
}

static SmallVector<Iter> concatenate(const Dims &dims) {
  SmallVector<Iter> iters;
  for (const SmallVector<Iter, 4> &dim : dims) {
    iters.append(dim.begin(), dim.end());
    // Keeps one iter a dimension, so that the result reads like its shape.
    if (dim.empty())
      iters.push_back({1, 1, memoryAxis()});
  }
  return iters;
}

static void addRuns(Axis axis, const Runs &runs, int64_t unit,
                    SmallVector<Iter> &replica) {
  for (const Run &run : runs)
    replica.push_back({run.extent, run.stride / unit, axis});
}

static Error makeCopiesError(Axis axis) {
  return makeError("expected replicas on axis '" + axis.getName() +
                   "' that both factors make up, got others in the whole "
                   "layout");
}

static Error makeWidthError(StringRef what, Axis axis, int64_t width,
                            const Twine &got) {
  return makeError("expected " + what + " on axis '" + axis.getName() +
                   "' that are multiples of the inner width " + Twine(width) +
                   ", got " + got);
}

//===----------------------------------------------------------------------===//
// The outer factor
//===----------------------------------------------------------------------===//

/// The outer tile, where the inner one is known.
static Expected<TileLayout> findOuter(const Question &question) {
  if (Error error =
          compareDims("inner", question.knownDims, question.innerDims))
    return std::move(error);
  const TileLayout &inner = question.knownTile;
  auto getWidth = [&](Axis axis) {
    return question.scaled ? inner.getSpan(axis).size() : 1;
  };
  SmallVector<Iter> shard = concatenate(question.outerDims), replica;
  for (Iter &iter : shard) {
    int64_t width = getWidth(iter.axis);
    if (iter.extent > 1 && iter.stride % width != 0)
      return makeWidthError("strides", iter.axis, width, Twine(iter.stride));
    if (iter.extent > 1)
      iter.stride /= width;
  }
  SmallVector<AxisOffset> offset;
  for (Axis axis : getAllAxes(question)) {
    int64_t width = getWidth(axis);
    Copies whole = getCopies(question.wholeTile, axis),
           part = getCopies(inner, axis);
    auto rest = divideRuns(whole.runs, part.runs, width);
    if (!rest)
      return makeCopiesError(axis);
    addRuns(axis, *rest, width, replica);
    int64_t distance = 0;
    if (llvm::SubOverflow(whole.offset, part.offset, distance) ||
        distance % width != 0)
      return makeWidthError("offsets", axis, width,
                            Twine(whole.offset) + " over an inner offset of " +
                                Twine(part.offset));
    offset.push_back({axis, distance / width});
  }
  return TileLayout::get(shard, replica, offset);
}

//===----------------------------------------------------------------------===//
// The inner factor
//===----------------------------------------------------------------------===//

/// The width of the inner tile on an axis. Its replicas are not known, but how
/// far they reach is: with S the width of its shard, i the reach of its
/// replicas and o that of the outer ones, the whole reaches i + (S + i) * o.
static std::optional<int64_t>
getInnerWidth(const Question &question, const TileLayout &shard, Axis axis) {
  if (!question.scaled)
    return 1;
  int64_t width = shard.getSpan(axis).size();
  int64_t outer = getReach(getCopies(question.knownTile, axis).runs);
  CheckedInt rest =
      CheckedInt(getReach(getCopies(question.wholeTile, axis).runs)) +
      CheckedInt(-1) * width * outer;
  CheckedInt parts = CheckedInt(1) + outer;
  if (rest.hasOverflowed() || parts.hasOverflowed() || rest.get() < 0 ||
      rest.get() % parts.get() != 0)
    return std::nullopt;
  CheckedInt total = rest.get() / parts.get() + CheckedInt(width);
  return total.hasOverflowed() ? std::nullopt
                               : std::optional<int64_t>(total.get());
}

/// Adds what the inner tile has on one axis besides the shard.
static Error findInnerCopies(const Question &question, Axis axis, int64_t width,
                             SmallVector<Iter> &replica,
                             SmallVector<AxisOffset> &offset) {
  Copies whole = getCopies(question.wholeTile, axis),
         part = getCopies(question.knownTile, axis);
  for (Run &run : part.runs)
    if (llvm::MulOverflow(run.stride, width, run.stride))
      return makeCopiesError(axis);
  auto rest = divideRuns(whole.runs, part.runs, /*unit=*/1);
  if (!rest)
    return makeCopiesError(axis);
  addRuns(axis, *rest, /*unit=*/1, replica);
  CheckedInt distance = CheckedInt(whole.offset) +
                        CheckedInt(-1) * (CheckedInt(width) * part.offset);
  if (distance.hasOverflowed())
    return makeError("expected an inner offset on axis '" + axis.getName() +
                     "' that fits 64 bits");
  offset.push_back({axis, distance.get()});
  return Error::success();
}

/// The inner tile, where the outer one is known.
static Expected<TileLayout> findInner(const Question &question) {
  Expected<TileLayout> shard = TileLayout::get(concatenate(question.innerDims));
  if (!shard)
    return shard.takeError();
  SmallVector<AxisOffset> widths, offset;
  SmallVector<Iter> replica;
  for (Axis axis : getAllAxes(question)) {
    std::optional<int64_t> width = getInnerWidth(question, *shard, axis);
    if (!width)
      return makeCopiesError(axis);
    widths.push_back({axis, *width});
    if (Error error = findInnerCopies(question, axis, *width, replica, offset))
      return std::move(error);
  }
  Expected<Dims> scaled = scaleDims(question.knownDims, widths);
  if (!scaled)
    return scaled.takeError();
  if (Error error = compareDims("outer", *scaled, question.outerDims))
    return std::move(error);
  return TileLayout::get(shard->getShard(), replica, offset);
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

static bool haveSameSwizzle(const Layout &a, const Layout &b) {
  if (!a.getSwizzle() || !b.getSwizzle())
    return !a.getSwizzle() && !b.getSwizzle();
  return *a.getSwizzle() == *b.getSwizzle();
}

static Expected<Layout> combine(bool scaled, const Layout &outer,
                                ArrayRef<int64_t> outerShape,
                                const Layout &inner,
                                ArrayRef<int64_t> innerShape) {
  return scaled ? tile(outer, outerShape, inner, innerShape)
                : directSum(outer, outerShape, inner, innerShape);
}

/// Takes the answer if it is one. Where swizzles are spelled alike the tiles
/// decide; elsewhere their effect on these tiles does.
static Expected<Layout> verify(const Question &question, bool knowsInner,
                               Expected<Layout> answer) {
  if (!answer)
    return answer.takeError();
  const Layout &outer = knowsInner ? *answer : question.known;
  const Layout &inner = knowsInner ? question.known : *answer;
  Expected<Layout> whole = combine(question.scaled, outer, question.outerShape,
                                   inner, question.innerShape);
  if (!whole)
    return whole.takeError();
  if (isEqual(*whole, question.whole))
    return answer;
  return makeError("expected a swizzle that a factor has, got another in the "
                   "whole layout");
}

/// The swizzle of an outer layout that moves copies of `inner` as `whole` moves
/// elements.
static Expected<Layout> narrowSwizzle(const SwizzleLayout &whole,
                                      const TileLayout &inner,
                                      TileLayout outer) {
  Expected<SwizzleLayout> none =
      widenSwizzle(llvm::cantFail(SwizzleLayout::get(0, 0, 0)), inner);
  if (!none)
    return none.takeError();
  Expected<SwizzleLayout> swizzle = SwizzleLayout::get(
      whole.getPerElement() - none->getPerElement(), whole.getSwizzleLen(),
      whole.getAtomLen(), whole.isOuter());
  if (!swizzle)
    return swizzle.takeError();
  return Layout::compose(*swizzle, std::move(outer));
}

static Expected<Layout> giveOuter(const Question &question) {
  Expected<TileLayout> outer = findOuter(question);
  if (!outer)
    return outer.takeError();
  const SwizzleLayout *swizzle = question.whole.getSwizzle();
  if (haveSameSwizzle(question.known, question.whole))
    return Layout(std::move(*outer));
  if (swizzle && !question.known.getSwizzle() && question.scaled) {
    Expected<Layout> swizzled =
        narrowSwizzle(*swizzle, question.knownTile, *outer);
    if (swizzled)
      return verify(question, /*knowsInner=*/true, std::move(swizzled));
    llvm::consumeError(swizzled.takeError());
  }
  return verify(question, /*knowsInner=*/true, Layout(std::move(*outer)));
}

static Expected<Layout> giveInner(const Question &question) {
  Expected<TileLayout> inner = findInner(question);
  if (!inner)
    return inner.takeError();
  if (question.known.getSwizzle())
    return verify(question, /*knowsInner=*/false, Layout(std::move(*inner)));
  return withSwizzle(question.whole, std::move(*inner));
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static Expected<Layout> ask(bool scaled, bool knowsInner, StringRef operand,
                            const Layout &known, ArrayRef<int64_t> knownShape,
                            const Layout &whole, ArrayRef<int64_t> wholeShape) {
  auto otherShape = divideShape(wholeShape, knownShape);
  if (!otherShape)
    return otherShape.takeError();
  auto dims = getDimIters(operand, known, knownShape);
  if (!dims)
    return dims.takeError();
  TileLayout tile = canonicalize(*dims->layout.getTile());
  Question question{scaled,
                    knowsInner ? ArrayRef<int64_t>(*otherShape) : knownShape,
                    knowsInner ? knownShape : ArrayRef<int64_t>(*otherShape),
                    known,
                    whole,
                    std::move(dims->dims),
                    {},
                    {},
                    tile,
                    tile};
  if (Error error = splitDims(question, whole))
    return std::move(error);
  return knowsInner ? giveOuter(question) : giveInner(question);
}

Expected<Layout> tirx::isTileInner(const Layout &inner,
                                   ArrayRef<int64_t> innerShape,
                                   const Layout &tiled,
                                   ArrayRef<int64_t> tiledShape) {
  return ask(/*scaled=*/true, /*knowsInner=*/true, "inner layout", inner,
             innerShape, tiled, tiledShape);
}

Expected<Layout> tirx::isTileOuter(const Layout &outer,
                                   ArrayRef<int64_t> outerShape,
                                   const Layout &tiled,
                                   ArrayRef<int64_t> tiledShape) {
  return ask(/*scaled=*/true, /*knowsInner=*/false, "outer layout", outer,
             outerShape, tiled, tiledShape);
}

Expected<Layout> tirx::isDirectSumLeft(const Layout &left,
                                       ArrayRef<int64_t> leftShape,
                                       const Layout &sum,
                                       ArrayRef<int64_t> sumShape) {
  return ask(/*scaled=*/false, /*knowsInner=*/false, "left layout", left,
             leftShape, sum, sumShape);
}

Expected<Layout> tirx::isDirectSumRight(const Layout &right,
                                        ArrayRef<int64_t> rightShape,
                                        const Layout &sum,
                                        ArrayRef<int64_t> sumShape) {
  return ask(/*scaled=*/false, /*knowsInner=*/true, "right layout", right,
             rightShape, sum, sumShape);
}
