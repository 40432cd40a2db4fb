//===- Picture.cpp - layouts as grids -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Picture.h"
#include "Elements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// Columns of a logical grid that wraps one dimension.
static constexpr int64_t kWrap = 64;
/// A row of shared memory: 32 banks of 4 bytes.
static constexpr int64_t kRowBits = 128 * 8;
/// Integers that a browser's numbers hold exactly.
static constexpr int64_t kExact = int64_t(1) << 53;
static constexpr int64_t kMaxCopies = 4096;

static std::string joinIndex(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(values, os, ",");
  return text;
}

/// The mixed-radix digits of `value`, outermost first.
static SmallVector<int64_t> split(int64_t value, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> digits(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    digits[i] = value % extents[i];
    value /= extents[i];
  }
  return digits;
}

static int64_t product(ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

//===----------------------------------------------------------------------===//
// Logical grid
//===----------------------------------------------------------------------===//

LogicalGrid::LogicalGrid(ArrayRef<int64_t> shape) : shape(shape) {
  size = product(shape);
  wrapped = shape.size() <= 1;
  if (wrapped) {
    columns = std::min(size, kWrap);
    rows = llvm::divideCeil(size, columns);
    return;
  }
  double best = 0;
  for (size_t at = 1; at < shape.size(); ++at) {
    int64_t above = product(shape.take_front(at)), below = size / above;
    double ratio = std::fabs(std::log(double(above)) - std::log(double(below)));
    if (split != 0 && ratio >= best)
      continue;
    best = ratio;
    split = at;
    rows = above;
    columns = below;
  }
}

std::optional<int64_t> LogicalGrid::getFlat(Cell cell) const {
  // The last row of a wrapped dimension may be short; the product of the full
  // grid may not fit 64 bits, the cells in front of it do.
  int64_t flat;
  if (llvm::MulOverflow(cell.row, columns, flat) ||
      llvm::AddOverflow(flat, cell.column, flat) || flat >= size)
    return std::nullopt;
  return flat;
}

std::string LogicalGrid::describe(int64_t flat) const {
  return joinIndex(::split(flat, shape));
}

std::string LogicalGrid::describeRow(int64_t row) const {
  if (wrapped)
    return std::to_string(row * columns);
  return joinIndex(::split(row, ArrayRef(shape).take_front(split)));
}

std::string LogicalGrid::describeColumn(int64_t column) const {
  if (wrapped)
    return std::to_string(column);
  return joinIndex(::split(column, ArrayRef(shape).drop_front(split)));
}

//===----------------------------------------------------------------------===//
// Physical grid
//===----------------------------------------------------------------------===//

/// Axes that make columns, outermost first; all others make rows, in this
/// order.
static constexpr StringRef columnOrder[] = {"F", "bank", "reg", "TCol", "m"};
static constexpr StringRef rowOrder[] = {
    "gpuid_y", "gpuid_x",   "pid",       "bz",          "by",   "bx",
    "cbz",     "cby",       "cbx",       "cta_in_pair", "wgid", "tx",
    "warpid",  "wid_in_wg", "tid_in_wg", "laneid",      "P",    "TLane"};

static Expected<int64_t> countCells(ArrayRef<GridAxis> axes, StringRef what,
                                    unsigned elementBits) {
  // Coordinates are also counted in bits.
  int64_t limit = kExact / std::max(1u, elementBits), count = 1;
  for (const GridAxis &entry : axes)
    if (entry.span.min < -limit || entry.span.max > limit ||
        llvm::MulOverflow(count, entry.span.size(), count) || count > kExact)
      return makeError("expected coordinates and " + what +
                       " of a picture to fit 53 bits, got " +
                       Twine(entry.span.min) + " to " + Twine(entry.span.max) +
                       " on axis '" + entry.axis.getName() + "'");
  return count;
}

/// Adds the axes of the layout that `names` lists, in its order.
static void collectAxes(SmallVector<GridAxis> &into, const Layout &layout,
                        ArrayRef<StringRef> names) {
  for (StringRef name : names) {
    Axis axis = lookupBuiltinAxis(name);
    if (llvm::is_contained(layout.getAxes(), axis))
      into.push_back({axis, layout.getSpan(axis)});
  }
}

Expected<PhysicalGrid> PhysicalGrid::get(const Layout &layout,
                                         const LogicalGrid &logical,
                                         unsigned elementBits) {
  PhysicalGrid grid;
  collectAxes(grid.rowAxes, layout, rowOrder);
  collectAxes(grid.columnAxes, layout, columnOrder);
  Expected<int64_t> rows = countCells(grid.rowAxes, "rows", elementBits);
  if (!rows)
    return rows.takeError();
  Expected<int64_t> columns =
      countCells(grid.columnAxes, "columns", elementBits);
  if (!columns)
    return columns.takeError();
  grid.rows = *rows;
  grid.columns = *columns;
  grid.balance();
  if (grid.rowAxes.empty() && grid.columnAxes.size() == 1 &&
      grid.columnAxes[0].axis == memoryAxis())
    grid.setFold(layout, logical, elementBits);
  grid.setTitle(elementBits);
  return grid;
}

/// Moves outer row axes to the columns while the grid is long and narrow: warps
/// side by side, each with its lanes as rows.
void PhysicalGrid::balance() {
  while (rowAxes.size() > 1 && rows / 2 > columns) {
    GridAxis outer = rowAxes.front();
    rowAxes.erase(rowAxes.begin());
    columnAxes.insert(columnAxes.begin() + movedAxes++, outer);
    rows /= outer.span.size();
    columns *= outer.span.size();
  }
}

static int64_t floorDiv(int64_t value, int64_t by) {
  return value / by - (value % by < 0);
}

void PhysicalGrid::setFold(const Layout &layout, const LogicalGrid &logical,
                           unsigned elementBits) {
  if (elementBits != 0)
    fold = std::lcm(kRowBits, int64_t(elementBits)) / elementBits;
  else if (const SwizzleLayout *swizzle = layout.getSwizzle())
    fold = int64_t(1) << (swizzle->getPerElement() + swizzle->getAtomLen());
  else
    fold = logical.getColumns();
  // Wider rows than this say nothing that the column's number does not.
  fold = std::min(fold, kExact);
  Span span = columnAxes[0].span;
  firstRow = floorDiv(span.min, fold);
  rows = floorDiv(span.max, fold) - firstRow + 1;
  columns = fold;
}

void PhysicalGrid::setTitle(unsigned elementBits) {
  auto name = [](ArrayRef<GridAxis> axes) {
    std::string text;
    for (const GridAxis &entry : axes)
      text += (text.empty() ? "" : ", ") + entry.axis.getName().str();
    return text.empty() ? std::string("one") : text;
  };
  if (fold == 0) {
    title = name(rowAxes) + " by " + name(columnAxes);
    return;
  }
  title = "memory, rows of ";
  if (elementBits != 0)
    title += std::to_string(fold * elementBits / 8) + " bytes";
  else
    title += std::to_string(fold) + " elements";
}

static int64_t join(const Coordinates &point, ArrayRef<GridAxis> axes) {
  int64_t value = 0;
  for (const GridAxis &entry : axes)
    value = value * entry.span.size() + point.get(entry.axis) - entry.span.min;
  return value;
}

Cell PhysicalGrid::place(const Coordinates &point) const {
  if (fold == 0)
    return {join(point, rowAxes), join(point, columnAxes)};
  int64_t m = point.get(memoryAxis()), row = floorDiv(m, fold);
  return {row - firstRow, m - row * fold};
}

static std::string describeDigits(int64_t value, ArrayRef<GridAxis> axes) {
  SmallVector<int64_t> extents;
  for (const GridAxis &entry : axes)
    extents.push_back(entry.span.size());
  SmallVector<int64_t> digits = split(value, extents);
  for (auto [digit, entry] : llvm::zip(digits, axes))
    digit += entry.span.min;
  return joinIndex(digits);
}

std::string PhysicalGrid::describeRow(int64_t row) const {
  return fold ? std::to_string((row + firstRow) * fold)
              : describeDigits(row, rowAxes);
}

std::string PhysicalGrid::describeColumn(int64_t column) const {
  return fold ? std::to_string(column) : describeDigits(column, columnAxes);
}

//===----------------------------------------------------------------------===//
// Picture
//===----------------------------------------------------------------------===//

Expected<Picture> Picture::get(const Layout &layout, ArrayRef<int64_t> shape,
                               unsigned elementBits) {
  int64_t copies = layout.getTile()->getReplicaCount();
  if (copies > kMaxCopies)
    return makeError("expected at most " + Twine(kMaxCopies) +
                     " copies of an element in a picture, got " +
                     Twine(copies));
  LogicalGrid logical(shape);
  if (logical.getSize() > kExact)
    return makeError("expected a size of a picture to fit 53 bits, got " +
                     Twine(logical.getSize()));
  Expected<PhysicalGrid> physical =
      PhysicalGrid::get(layout, logical, elementBits);
  if (!physical)
    return physical.takeError();
  return Picture{layout, std::move(logical), std::move(*physical), elementBits};
}

StringRef Picture::getThreadAxisName() const {
  for (const GridAxis &entry : llvm::reverse(physical.getRowAxes()))
    if (entry.axis.isThread())
      return entry.axis.getName();
  return "";
}
