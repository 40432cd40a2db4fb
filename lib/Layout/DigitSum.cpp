//===- DigitSum.cpp - a layout followed by other maps ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DigitSum.h"
#include "Affine.h"
#include "AlgebraDetail.h"
#include "TIRx/Assert.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <numeric>

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

/// Values that a table may have. Tables of layouts in use have some dozens.
static constexpr int64_t kTableLimit = int64_t(1) << 14;

/// The index of `m` among the axes.
static constexpr unsigned kMemory = 0;

//===----------------------------------------------------------------------===//
// Construction and reading
//===----------------------------------------------------------------------===//

DigitSum::DigitSum(const TileLayout &tile) {
  axes = putMemoryFirst(tile.getAxes());
  for (Axis axis : axes)
    base.push_back(tile.getOffset(axis));
  addDigits(tile.getShard(), /*isReplica=*/false);
  addDigits(tile.getReplica(), /*isReplica=*/true);
}

void DigitSum::addDigits(ArrayRef<Iter> iters, bool isReplica) {
  int64_t weight = 1;
  for (size_t i = iters.size(); i-- > 0;) {
    const Iter &iter = iters[i];
    if (iter.extent == 1)
      continue;
    Piece piece;
    piece.digits.push_back(digits.size());
    piece.count = iter.extent;
    piece.isLinear = true;
    piece.rows.assign(2 * width(), 0);
    piece.rows[width() + *findAxis(iter.axis)] = iter.stride;
    pieces.push_back(std::move(piece));
    digits.push_back({iter.extent, weight, isReplica, unsigned(i)});
    weight *= iter.extent;
  }
}

int64_t DigitSum::valueAt(const Piece &piece, int64_t entry,
                          unsigned axis) const {
  if (piece.isLinear)
    return piece.rows[axis] + entry * piece.rows[width() + axis];
  return piece.rows[entry * width() + axis];
}

std::optional<unsigned> DigitSum::findAxis(Axis axis) const {
  const auto *it = llvm::find(axes, axis);
  if (it == axes.end())
    return std::nullopt;
  return it - axes.begin();
}

Span DigitSum::getSpan(const Piece &piece, unsigned axis) const {
  if (piece.isLinear) {
    int64_t first = valueAt(piece, 0, axis);
    int64_t last = valueAt(piece, piece.count - 1, axis);
    return {std::min(first, last), std::max(first, last)};
  }
  Span span{valueAt(piece, 0, axis), valueAt(piece, 0, axis)};
  for (int64_t i = 1; i < piece.count; ++i) {
    span.min = std::min(span.min, valueAt(piece, i, axis));
    span.max = std::max(span.max, valueAt(piece, i, axis));
  }
  return span;
}

Span DigitSum::getSpan(Axis axis) const {
  std::optional<unsigned> index = findAxis(axis);
  if (!index)
    return {};
  Span span{base[*index], base[*index]};
  for (const Piece &piece : pieces) {
    Span part = getSpan(piece, *index);
    span.min += part.min;
    span.max += part.max;
  }
  return span;
}

//===----------------------------------------------------------------------===//
// Keeping apart what does not meet
//===----------------------------------------------------------------------===//

/// Moves the smallest coordinate on `m` of each piece into the base: a piece of
/// the rest has digits, as it is not negative.
void DigitSum::normalize() {
  for (Piece &piece : pieces) {
    int64_t low = getSpan(piece, kMemory).min;
    if (low == 0)
      continue;
    base[kMemory] += low;
    size_t rows = piece.isLinear ? 1 : piece.count;
    for (size_t i = 0; i < rows; ++i)
      piece.rows[i * width()] -= low;
  }
}

/// Splits linear pieces where their values pass a multiple of `place`.
void DigitSum::split(int64_t place) {
  for (size_t i = 0, e = pieces.size(); i < e; ++i) {
    Piece &outer = pieces[i];
    int64_t step = outer.isLinear ? std::abs(outer.rows[width()]) : 0;
    if (step == 0 || step >= place || outer.count <= 2 ||
        (outer.count - 1) * step < place)
      continue;
    int64_t cycle = place / std::gcd(place, step);
    int64_t part = std::gcd(outer.count, cycle);
    if (part == 1 || part == outer.count)
      continue;
    Piece inner = outer;
    Digit &digit = digits[outer.digits.front()];
    inner.digits.front() = digits.size();
    inner.count = part;
    outer.count /= part;
    for (unsigned axis = 0; axis < width(); ++axis) {
      int64_t &innerFirst = inner.rows[axis], &outerFirst = outer.rows[axis];
      int64_t innerStep = inner.rows[width() + axis];
      outer.rows[width() + axis] = innerStep * part;
      // On `m` both begin so that their smallest value is 0.
      innerFirst =
          axis == kMemory && innerStep < 0 ? (1 - part) * innerStep : 0;
      outerFirst -= innerFirst;
    }
    Digit low = digit;
    low.extent = part;
    digit.extent /= part;
    digit.weight *= part;
    digits.push_back(low);
    pieces.push_back(std::move(inner));
  }
}

/// The largest digit at each place over all values. For long linear pieces an
/// upper bound.
void DigitSum::measure(Piece &piece, ArrayRef<Place> places) {
  piece.highest.assign(places.size(), 0);
  if (!piece.isLinear) {
    for (int64_t i = 0; i < piece.count; ++i)
      for (auto [place, highest] : llvm::zip_equal(places, piece.highest))
        highest = std::max(highest, place.digitOf(piece.rows[i * width()]));
    return;
  }
  int64_t step = std::abs(piece.rows[width()]);
  int64_t top = step * (piece.count - 1);
  for (auto [place, highest] : llvm::zip_equal(places, piece.highest)) {
    if (top < place.place)
      break;
    if (!place.extent || piece.count == 2) {
      highest = place.digitOf(top);
      continue;
    }
    int64_t digit = place.digitOf(step);
    bool isClean = step % place.place == 0;
    if (isClean && step / place.place % place.extent == 0)
      continue;
    bool isSmall = isClean && step / place.place < place.extent &&
                   digit <= (place.extent - 1) / (piece.count - 1);
    highest = isSmall ? digit * (piece.count - 1) : place.extent - 1;
    if (!isClean)
      highest = std::min(highest, top / place.place);
  }
}

/// Finds pieces (and the base) whose digits at one place may add up to a carry,
/// or of which one changes a place of the other.
bool DigitSum::findMeeting(ArrayRef<Place> places, ArrayRef<Flow> flows,
                           llvm::SmallVectorImpl<unsigned> &group,
                           bool &withBase) {
  for (auto [k, place] : llvm::enumerate(places)) {
    int64_t start = place.digitOf(base[kMemory]);
    CheckedInt sum = start;
    for (const Piece &piece : pieces)
      sum += piece.highest[k];
    if (!sum.hasOverflowed() && place.holds(sum.get()))
      continue;
    withBase = start != 0;
    for (auto [i, piece] : llvm::enumerate(pieces))
      if (piece.highest[k] > 0)
        group.push_back(i);
    return true;
  }
  withBase = false;
  for (auto [from, to] : flows) {
    group.clear();
    bool reads = false, writes = false;
    for (auto [i, piece] : llvm::enumerate(pieces)) {
      if (piece.highest[from] == 0 && piece.highest[to] == 0)
        continue;
      reads |= piece.highest[from] > 0;
      writes |= piece.highest[to] > 0;
      group.push_back(i);
    }
    if (reads && writes && group.size() > 1)
      return true;
  }
  return false;
}

/// Writes a linear piece as a table.
bool DigitSum::tabulate(Piece &piece) {
  if (!piece.isLinear)
    return true;
  if (piece.count > kTableLimit)
    return false;
  SmallVector<int64_t, 4> rows;
  rows.reserve(piece.count * width());
  for (int64_t i = 0; i < piece.count; ++i)
    for (unsigned axis = 0; axis < width(); ++axis)
      rows.push_back(valueAt(piece, i, axis));
  piece.rows = std::move(rows);
  piece.isLinear = false;
  return true;
}

/// Makes one table of the pieces in `group`, in ascending order.
bool DigitSum::merge(ArrayRef<unsigned> group, bool withBase,
                     ArrayRef<Place> places) {
  int64_t count = 1;
  for (unsigned i : group) {
    if (pieces[i].count > kTableLimit / count)
      return false;
    count *= pieces[i].count;
  }
  Piece merged;
  merged.count = 1;
  merged.isLinear = false;
  merged.rows.assign(width(), 0);
  if (withBase)
    std::swap(merged.rows[kMemory], base[kMemory]);
  for (unsigned i : group) {
    const Piece &piece = pieces[i];
    SmallVector<int64_t, 4> rows;
    rows.reserve(merged.count * piece.count * width());
    for (int64_t a = 0; a < merged.count; ++a)
      for (int64_t b = 0; b < piece.count; ++b)
        for (unsigned axis = 0; axis < width(); ++axis)
          rows.push_back(merged.rows[a * width() + axis] +
                         valueAt(piece, b, axis));
    merged.rows = std::move(rows);
    merged.count *= piece.count;
    merged.digits.append(piece.digits.begin(), piece.digits.end());
  }
  for (unsigned i : llvm::reverse(group))
    pieces.erase(pieces.begin() + i);
  measure(merged, places);
  pieces.push_back(std::move(merged));
  return true;
}

/// Merges pieces until the digits of what is left add up without a carry.
bool DigitSum::separate(ArrayRef<Place> places, ArrayRef<Flow> flows) {
  for (Piece &piece : pieces)
    measure(piece, places);
  SmallVector<unsigned, 16> group;
  bool withBase = false;
  while (findMeeting(places, flows, group, withBase)) {
    if (!merge(group, withBase, places))
      return false;
    group.clear();
  }
  return true;
}

/// Replaces the coordinate on `m` by the vector on `newAxes` that `function`
/// gives it; the other axes stay. Pieces are separate with respect to `places`:
/// the function's difference from its value at the base adds up over them.
bool DigitSum::map(ArrayRef<Place> places, ArrayRef<Axis> newAxes,
                   llvm::function_ref<void(int64_t, int64_t *)> function) {
  unsigned newWidth = newAxes.size();
  int64_t start = base[kMemory];
  SmallVector<int64_t, 4> origin(newWidth);
  llvm::copy(base, origin.begin());
  function(start, origin.data());

  for (Piece &piece : pieces) {
    int64_t count = piece.count;
    if (piece.isLinear) {
      // Stays linear when no multiple of the step carries.
      int64_t step = std::abs(piece.rows[width()]);
      bool carries =
          count > 2 && llvm::any_of(places, [&](const Place &place) {
            return place.extent &&
                   place.digitOf(step) > (place.extent - 1) / (count - 1);
          });
      if (carries && !tabulate(piece))
        return false;
    }
    int64_t numRows = piece.isLinear ? 2 : count;
    SmallVector<int64_t, 4> rows(numRows * newWidth, 0);
    for (int64_t i = 0; i < numRows; ++i) {
      int64_t *row = &rows[i * newWidth];
      for (unsigned axis = 0; axis < width(); ++axis)
        row[axis] = valueAt(piece, i, axis) + base[axis];
      function(start + valueAt(piece, i, kMemory), row);
      for (unsigned axis = 0; axis < newWidth; ++axis)
        row[axis] -= origin[axis];
    }
    if (piece.isLinear)
      for (unsigned axis = 0; axis < newWidth; ++axis)
        rows[newWidth + axis] -= rows[axis];
    piece.rows = std::move(rows);
  }
  axes.assign(newAxes.begin(), newAxes.end());
  base = std::move(origin);
  return true;
}

//===----------------------------------------------------------------------===//
// Maps that follow
//===----------------------------------------------------------------------===//

/// The places between which a swizzle cuts: what lies below the lower field,
/// its bits, what lies between, the bits of the upper field, what lies above.
SmallVector<DigitSum::Place, 8>
DigitSum::getPlaces(const SwizzleLayout &swizzle) {
  SmallVector<Place, 8> places;
  auto bit = [](int64_t position) { return int64_t(1) << position; };
  int64_t p = swizzle.getPerElement(), b = swizzle.getSwizzleLen(),
          s = swizzle.getAtomLen();
  places.push_back({1, bit(p)});
  for (int64_t k = 0; k < b; ++k)
    places.push_back({bit(p + k), 2});
  places.push_back({bit(p + b), bit(s - b)});
  for (int64_t k = 0; k < b; ++k)
    places.push_back({bit(p + s + k), 2});
  places.push_back({bit(p + s + b), 0});
  return places;
}

SmallVector<DigitSum::Flow, 4>
DigitSum::getFlows(const SwizzleLayout &swizzle) {
  SmallVector<Flow, 4> flows;
  unsigned b = swizzle.getSwizzleLen();
  for (unsigned k = 0; k < b; ++k) {
    unsigned low = 1 + k, high = 2 + b + k;
    flows.push_back(swizzle.isOuter() ? Flow(low, high) : Flow(high, low));
  }
  return flows;
}

bool DigitSum::applySwizzle(const SwizzleLayout &swizzle) {
  normalize();
  if (base[kMemory] < 0)
    return false;
  SmallVector<Place, 8> places = getPlaces(swizzle);
  for (const Place &place : places)
    split(place.place);
  return separate(places, getFlows(swizzle)) &&
         map(places, SmallVector<Axis, 4>(axes),
             [&](int64_t index, int64_t *row) {
               row[kMemory] = swizzle.apply(index);
             });
}

llvm::Error DigitSum::flatten(ArrayRef<AxisExtent> box) {
  SmallVector<int64_t, 4> weights(width(), 0);
  for (unsigned axis = 0; axis < width(); ++axis) {
    Span span = getSpan(axes[axis]);
    const auto *it = llvm::find_if(
        box, [&](const AxisExtent &dim) { return dim.axis == axes[axis]; });
    if (it == box.end()) {
      if (span.min == 0 && span.max == 0)
        continue;
      return makeError("expected coordinates on the axes of the outer layout's "
                       "index, got '" +
                       axes[axis].getName() + "'");
    }
    if (span.min < 0 || span.max >= it->extent)
      return makeError("expected coordinates on '" + axes[axis].getName() +
                       "' from 0 to " + Twine(it->extent - 1) + ", got " +
                       Twine(span.min) + " to " + Twine(span.max));
    int64_t weight = 1;
    for (const AxisExtent &inner : ArrayRef(it + 1, box.end()))
      weight *= inner.extent;
    weights[axis] = weight;
  }
  auto fold = [&](const int64_t *row) {
    int64_t flat = 0;
    for (unsigned axis = 0; axis < width(); ++axis)
      flat += row[axis] * weights[axis];
    return flat;
  };
  for (Piece &piece : pieces) {
    size_t numRows = piece.isLinear ? 2 : piece.count;
    for (size_t i = 0; i < numRows; ++i)
      piece.rows[i] = fold(&piece.rows[i * width()]);
    piece.rows.truncate(numRows);
  }
  base = {fold(base.data())};
  axes = {memoryAxis()};
  return llvm::Error::success();
}

bool DigitSum::applyTile(const TileLayout &tile) {
  TIRX_ASSERT(width() == 1, "a flat index to apply a tile to");
  SmallVector<Iter, 4> iters = fuseNeighbours(tile.getShard());
  SmallVector<Place, 8> places;
  int64_t next = 1;
  for (const Iter &iter : llvm::reverse(iters)) {
    places.push_back({next, iter.extent});
    next *= iter.extent;
  }
  normalize();
  for (const Place &place : places)
    split(place.place);
  if (!separate(places, {}))
    return false;

  SmallVector<Axis, 4> newAxes = putMemoryFirst(tile.getAxes());
  SmallVector<unsigned, 8> columns;
  for (const Iter &iter : llvm::reverse(iters))
    columns.push_back(llvm::find(newAxes, iter.axis) - newAxes.begin());
  auto apply = [&](int64_t index, int64_t *row) {
    for (auto [axis, value] :
         llvm::zip_equal(newAxes, llvm::MutableArrayRef(row, newAxes.size())))
      value = tile.getOffset(axis);
    for (auto [iter, column] : llvm::zip_equal(llvm::reverse(iters), columns)) {
      row[column] += index % iter.extent * iter.stride;
      index /= iter.extent;
    }
  };
  if (!map(places, newAxes, apply))
    return false;
  addDigits(tile.getReplica(), /*isReplica=*/true);
  return true;
}

bool DigitSum::exercises(const SwizzleLayout &swizzle) {
  normalize();
  SmallVector<Place, 8> places = getPlaces(swizzle);
  for (const Place &place : places)
    split(place.place);
  for (Piece &piece : pieces)
    measure(piece, places);
  for (auto [k, place] : llvm::enumerate(places)) {
    if (place.extent != 2 || k == 0 || k == 1 + size_t(swizzle.getSwizzleLen()))
      continue;
    // One digit, of this step, and nothing else has the bit.
    int64_t sum = place.digitOf(base[kMemory]);
    bool found = false;
    for (const Piece &piece : pieces) {
      sum += piece.highest[k];
      found |= piece.isLinear && std::abs(piece.rows[width()]) == place.place;
    }
    if (!found || sum != 1)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Back to a tile
//===----------------------------------------------------------------------===//

/// The digits of a table, innermost first, in runs that are one digit of the
/// flat index: an iter need not end where a digit does.
SmallVector<DigitSum::DigitRun, 4> DigitSum::getRuns(const Piece &piece) const {
  SmallVector<DigitRun, 4> runs;
  int64_t rowWeight = 1;
  for (unsigned digit : llvm::reverse(piece.digits)) {
    runs.push_back({digits[digit].extent, {{digit, rowWeight}}});
    rowWeight *= digits[digit].extent;
  }
  auto weightOf = [&](const DigitRun &run) -> const Digit & {
    return digits[run.digits.front().first];
  };
  llvm::sort(runs, [&](const DigitRun &a, const DigitRun &b) {
    return weightOf(a).weight < weightOf(b).weight;
  });
  SmallVector<DigitRun, 4> joined;
  for (DigitRun &run : runs) {
    const Digit &digit = weightOf(run);
    if (!joined.empty() && !digit.isReplica) {
      DigitRun &inner = joined.back();
      const Digit &first = weightOf(inner);
      if (!first.isReplica && first.weight * inner.extent == digit.weight) {
        inner.extent *= run.extent;
        inner.digits.push_back(run.digits.front());
        continue;
      }
    }
    joined.push_back(std::move(run));
  }
  return joined;
}

int64_t DigitSum::DigitRun::rowOf(int64_t value,
                                  ArrayRef<DigitSum::Digit> all) const {
  int64_t row = 0;
  for (auto [digit, rowWeight] : digits) {
    row += value % all[digit].extent * rowWeight;
    value /= all[digit].extent;
  }
  return row;
}

int64_t DigitSum::DigitRun::valueOf(int64_t row,
                                    ArrayRef<DigitSum::Digit> all) const {
  int64_t value = 0;
  for (auto [digit, rowWeight] : llvm::reverse(digits))
    value = value * all[digit].extent + row / rowWeight % all[digit].extent;
  return value;
}

/// Adds the iters of each digit of a piece, if the piece is their sum.
bool DigitSum::addIters(
    const Piece &piece,
    llvm::SmallVectorImpl<SmallVector<Iter, 2>> &iters) const {
  if (piece.isLinear) {
    ArrayRef<int64_t> step = ArrayRef(piece.rows).drop_front(width());
    std::optional<unsigned> axis = getSingleAxis(step);
    if (!axis)
      return false;
    iters[piece.digits.front()] = {{piece.count, step[*axis], axes[*axis]}};
    return true;
  }
  SmallVector<int64_t, 4> difference(width());
  auto rowAt = [&](int64_t row) -> ArrayRef<int64_t> {
    for (unsigned axis = 0; axis < width(); ++axis)
      difference[axis] = piece.rows[row * width() + axis] - piece.rows[axis];
    return difference;
  };
  SmallVector<DigitRun, 4> runs = getRuns(piece);
  for (const DigitRun &run : runs) {
    auto fitted = fitIters(run.extent, axes, [&](int64_t value) {
      return rowAt(run.rowOf(value, digits));
    });
    if (!fitted)
      return false;
    iters[run.digits.back().first] = std::move(*fitted);
  }
  if (runs.size() == 1)
    return true;
  for (int64_t row = 0; row < piece.count; ++row) {
    SmallVector<int64_t, 4> sum(width(), 0);
    for (const DigitRun &run : runs) {
      ArrayRef<int64_t> part =
          rowAt(run.rowOf(run.valueOf(row, digits), digits));
      for (unsigned axis = 0; axis < width(); ++axis)
        sum[axis] += part[axis];
    }
    if (rowAt(row) != ArrayRef(sum))
      return false;
  }
  return true;
}

std::optional<TileLayout> DigitSum::toTile(unsigned *failedIter) const {
  SmallVector<SmallVector<Iter, 2>, 16> iters(digits.size());
  SmallVector<AxisOffset, 4> offset;
  for (auto [axis, value] : llvm::zip_equal(axes, base))
    offset.push_back({axis, value});
  for (const Piece &piece : pieces) {
    if (!addIters(piece, iters)) {
      if (failedIter)
        *failedIter = digits[piece.digits.front()].iter;
      return std::nullopt;
    }
    for (unsigned axis = 0; axis < width(); ++axis)
      offset.push_back({axes[axis], piece.rows[axis]});
  }

  SmallVector<unsigned, 16> order;
  SmallVector<Iter, 8> shard, replica;
  for (unsigned i = 0; i < digits.size(); ++i)
    if (digits[i].isReplica)
      replica.append(iters[i].begin(), iters[i].end());
    else
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return digits[a].weight > digits[b].weight;
  });
  for (unsigned i : order)
    shard.append(iters[i].begin(), iters[i].end());
  // Fails when the copies are too many: then there is no such tile.
  llvm::Expected<TileLayout> tile =
      TileLayout::get(fuseNeighbours(shard), replica, offset);
  if (!tile) {
    llvm::consumeError(tile.takeError());
    return std::nullopt;
  }
  return *tile;
}

int64_t DigitSum::getRowCount() const {
  int64_t rows = 0;
  for (const Piece &piece : pieces)
    rows += piece.isLinear ? 2 : piece.count;
  return rows;
}

SmallVector<DigitSum::Toggles, 16> DigitSum::getToggles() const {
  constexpr size_t kLimit = 64;
  SmallVector<Toggles, 16> toggles;
  for (const Piece &piece : pieces) {
    if (piece.isLinear)
      continue;
    // Steps of the bits of each digit, where it has whole bits.
    SmallVector<int64_t, 16> steps;
    int64_t weight = 1;
    for (unsigned digit : llvm::reverse(piece.digits)) {
      int64_t extent = digits[digit].extent;
      for (int64_t part = 1; part == 1 || extent % (2 * part) == 0; part *= 2)
        steps.push_back(part * weight);
      weight *= extent;
    }
    auto at = [&](int64_t entry) -> uint64_t {
      return base[kMemory] + valueAt(piece, entry, kMemory);
    };
    for (size_t i = 0; i < steps.size(); ++i)
      for (size_t j = 0; j < i && toggles.size() < kLimit; ++j) {
        uint64_t a = at(0) ^ at(steps[i]), b = at(0) ^ at(steps[j]);
        if ((at(0) ^ at(steps[i] + steps[j])) == (a ^ b))
          toggles.push_back({a, b});
      }
  }
  return toggles;
}
