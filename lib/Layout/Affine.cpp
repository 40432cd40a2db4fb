//===- Affine.cpp - regions of dimensions ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both functions find the iters from the innermost one. Its stride is the first
// step. Its extent is the number of elements before the first step that is
// another: a longer iter would not be linear there, and a shorter one would be
// fused. What remains is the same question for the first elements of each run.
//
//===----------------------------------------------------------------------===//

#include "Affine.h"
#include "CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <tuple>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// A step as one stride on one axis.
static Expected<Iter> toStep(const Coordinates &step) {
  ArrayRef<AxisOffset> values = step.values();
  if (values.empty())
    return Iter{1, 0, memoryAxis()};
  if (values.size() > 1)
    return makeError("expected steps along one axis each, got a step along '" +
                     values[0].axis.getName() + "' and '" +
                     values[1].axis.getName() + "'");
  return Iter{1, values[0].value, values[0].axis};
}

static Error makeBreakError(int64_t first, int64_t next) {
  return makeError("expected steps that repeat, got a break after element " +
                   Twine(first - 1) + " and one after element " +
                   Twine(next - 1));
}

static Error makeLengthError(int64_t first, int64_t count) {
  return makeError("expected steps that repeat, got a break after " +
                   Twine(first) + " elements, which do not divide " +
                   Twine(count));
}

//===----------------------------------------------------------------------===//
// Restricted iters
//===----------------------------------------------------------------------===//

namespace {
/// The steps z, from element z-1 to element z of the region, at which at least
/// so many digits begin anew: all z congruent to `remainder`. Levels are
/// nested: a step of one is a step of all before it.
struct Level {
  int64_t remainder, modulus;
  /// The step where no higher level has it.
  Coordinates step;
};
using Levels = SmallVector<Level, 4>;
} // namespace

/// The first steps of a level that no higher level has, at most `limit` of
/// those in [1, count).
static SmallVector<int64_t, 3> getOwnSteps(ArrayRef<Level> levels, size_t index,
                                           int64_t count, size_t limit) {
  const Level &level = levels[index];
  const Level *higher =
      index + 1 < levels.size() ? &levels[index + 1] : nullptr;
  SmallVector<int64_t, 3> own;
  if (higher && higher->modulus == level.modulus)
    return own;
  int64_t at = level.remainder ? level.remainder : level.modulus;
  while (at < count && own.size() < limit) {
    if (!higher || at % higher->modulus != higher->remainder)
      own.push_back(at);
    if (level.modulus >= count - at)
      break;
    at += level.modulus;
  }
  return own;
}

/// Drops levels that no step of [1, count) is on the top of.
static void dropEmpty(Levels &levels, int64_t count) {
  for (size_t i = levels.size(); i-- > 0;)
    if (getOwnSteps(levels, i, count, 1).empty())
      levels.erase(levels.begin() + i);
}

static Levels getLevels(ArrayRef<Iter> iters, int64_t start, int64_t count) {
  Levels levels;
  int64_t block = 1;
  Coordinates back;
  for (const Iter &iter : llvm::reverse(iters)) {
    // The digit goes up by one and all digits inside it go back to 0.
    Coordinates step;
    step.add(iter.axis, iter.stride);
    for (const AxisOffset &entry : back.values())
      step.add(entry.axis, -entry.value);
    levels.push_back({(block - start % block) % block, block, step});
    back.add(iter.axis, (iter.extent - 1) * iter.stride);
    block *= iter.extent;
  }
  dropEmpty(levels, count);
  return levels;
}

/// The inverse of `value` for a modulus that it has no factor in common with.
static int64_t invert(int64_t value, int64_t modulus) {
  int64_t r = modulus, next = value % modulus, t = 0, nextT = 1;
  while (next != 0) {
    int64_t quotient = r / next;
    std::tie(r, next) = std::pair(next, r - quotient * next);
    std::tie(t, nextT) = std::pair(nextT, t - quotient * nextT);
  }
  return t < 0 ? t + modulus : t;
}

/// Counts steps in units of `length`: what was step length*z is step z.
static void subsample(Levels &levels, int64_t length) {
  for (size_t i = 0; i < levels.size(); ++i) {
    Level &level = levels[i];
    int64_t divisor = std::gcd(length, level.modulus);
    if (level.remainder % divisor != 0) {
      levels.truncate(i);
      return;
    }
    level.modulus /= divisor;
    __int128 product = __int128(level.remainder / divisor) *
                       invert(length / divisor, level.modulus);
    level.remainder = int64_t(product % level.modulus);
  }
}

/// The first step of a level that is no multiple of `length`, if there is one.
static std::optional<int64_t> findOtherStep(ArrayRef<Level> levels,
                                            size_t index, int64_t count,
                                            int64_t length) {
  // Steps are one or two moduli apart, and which of these occur shows in the
  // first three.
  for (int64_t step : getOwnSteps(levels, index, count, 3))
    if (step % length != 0)
      return step;
  return std::nullopt;
}

Expected<SmallVector<Iter, 4>>
detail::restrictIters(ArrayRef<Iter> iters, int64_t start, int64_t count) {
  Levels levels = getLevels(iters, start, count);
  SmallVector<Iter, 4> result;
  while (count > 1) {
    // The lowest level that is left has step 1, or all its steps would be
    // higher ones.
    size_t first = 0;
    while (getOwnSteps(levels, first, count, 1).front() != 1)
      ++first;
    const Coordinates step = levels[first].step;
    Expected<Iter> iter = toStep(step);
    if (!iter)
      return iter.takeError();

    int64_t length = count;
    for (size_t i = 0; i < levels.size(); ++i)
      if (!(levels[i].step == step))
        length = std::min(length, getOwnSteps(levels, i, count, 1).front());
    if (count % length != 0)
      return makeLengthError(length, count);
    for (size_t i = 0; i < levels.size(); ++i)
      if (!(levels[i].step == step))
        if (auto other = findOtherStep(levels, i, count, length))
          return makeBreakError(length, *other);

    iter->extent = length;
    result.push_back(*iter);
    count /= length;
    subsample(levels, length);
    dropEmpty(levels, count);
    for (Level &level : levels)
      level.step.add(iter->axis, (length - 1) * iter->stride);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<unsigned> detail::getSingleAxis(ArrayRef<int64_t> vector) {
  std::optional<unsigned> single;
  for (auto [axis, value] : llvm::enumerate(vector)) {
    if (value == 0)
      continue;
    if (single)
      return std::nullopt;
    single = axis;
  }
  return single.value_or(0);
}

std::optional<SmallVector<Iter, 2>>
detail::fitIters(int64_t extent, ArrayRef<Axis> axes,
                 llvm::function_ref<ArrayRef<int64_t>(int64_t)> row) {
  SmallVector<Iter, 2> iters;
  SmallVector<unsigned, 4> columns;
  // The innermost iter of the fused spelling ends where the step breaks off.
  for (int64_t unit = 1; unit < extent;) {
    std::optional<unsigned> axis = getSingleAxis(row(unit));
    if (!axis)
      return std::nullopt;
    int64_t step = row(unit)[*axis], count = 1, expected = step;
    while (unit <= (extent - 1) / (count + 1)) {
      ArrayRef<int64_t> next = row(unit * (count + 1));
      if (llvm::AddOverflow(expected, step, expected) ||
          getSingleAxis(next) != axis || next[*axis] != expected)
        break;
      ++count;
    }
    ++count;
    if (extent / unit % count != 0)
      return std::nullopt;
    iters.push_back({count, step, axes[*axis]});
    columns.push_back(*axis);
    unit *= count;
  }

  SmallVector<int64_t, 4> value(axes.size());
  for (int64_t c = 0; c < extent; ++c) {
    std::fill(value.begin(), value.end(), 0);
    int64_t rest = c;
    for (auto [iter, column] : llvm::zip_equal(iters, columns)) {
      if (llvm::AddOverflow(value[column], rest % iter.extent * iter.stride,
                            value[column]))
        return std::nullopt;
      rest /= iter.extent;
    }
    if (row(c) != ArrayRef(value))
      return std::nullopt;
  }
  std::reverse(iters.begin(), iters.end());
  return iters;
}
