//===- Show.cpp - layouts for a terminal ----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Show.h"
#include "Elements.h"
#include "Formula.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <map>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// What a terminal holds.
static constexpr size_t kWidth = 100;
static constexpr int64_t kRows = 16;
/// The last rows and columns, shown after a cut.
static constexpr int64_t kTail = 2;
/// Points that are walked to find what is in the cells of a physical grid.
static constexpr int64_t kMaxPoints = int64_t(1) << 22;

//===----------------------------------------------------------------------===//
// Grids of text
//===----------------------------------------------------------------------===//

namespace {
/// A grid whose cells are text.
struct TextGrid {
  int64_t rows, columns;
  std::function<std::string(int64_t)> rowLabel, columnLabel;
  std::function<std::string(Cell)> cell;
};
} // namespace

/// The numbers [0, count), the middle ones left out where there are more than
/// `limit`.
static SmallVector<int64_t> cut(int64_t count, int64_t limit) {
  SmallVector<int64_t> shown;
  int64_t tail = limit > 2 * kTail ? kTail : 0;
  int64_t head = count <= limit ? count : limit - tail;
  for (int64_t i = 0; i < head; ++i)
    shown.push_back(i);
  for (int64_t i = std::max(head, count - tail); i < count; ++i)
    shown.push_back(i);
  return shown;
}

/// No cell is narrower than two characters with its space.
static SmallVector<int64_t> candidateColumns(const TextGrid &grid) {
  return cut(grid.columns, kWidth / 2);
}

static SmallVector<int64_t> shownRows(const TextGrid &grid) {
  return cut(grid.rows, kRows);
}

static void pad(llvm::raw_ostream &os, size_t width, StringRef text) {
  os << std::string(width - std::min(width, text.size()), ' ') << text;
}

/// Calls `print` for each number and marks where numbers are left out.
static void printCut(llvm::raw_ostream &os, ArrayRef<int64_t> shown,
                     int64_t count, StringRef mark,
                     llvm::function_ref<void(int64_t)> print) {
  int64_t next = 0;
  for (int64_t i : shown) {
    if (i != next)
      os << mark;
    print(i);
    next = i + 1;
  }
  if (next != count)
    os << mark;
}

static void printGrid(llvm::raw_ostream &os, const TextGrid &grid) {
  SmallVector<int64_t> rows = shownRows(grid);
  std::map<Cell, std::string> cells;
  size_t width = 1, labels = 7;
  for (int64_t row : rows) {
    labels = std::max(labels, grid.rowLabel(row).size());
    for (int64_t column : candidateColumns(grid)) {
      std::string &text = cells[{row, column}] = grid.cell({row, column});
      width = std::max(width, text.size());
    }
  }
  width = std::max(width, grid.columnLabel(grid.columns - 1).size());
  size_t room = kWidth - std::min(kWidth, labels + 5);
  SmallVector<int64_t> columns =
      cut(grid.columns, std::max<int64_t>(1, room / (width + 1)));

  os << std::string(labels + 1, ' ');
  printCut(os, columns, grid.columns, " ...", [&](int64_t column) {
    os << ' ';
    pad(os, width, grid.columnLabel(column));
  });
  os << '\n';
  std::string gap = std::string(labels - 3, ' ') + "...\n";
  printCut(os, rows, grid.rows, gap, [&](int64_t row) {
    pad(os, labels, grid.rowLabel(row));
    os << ' ';
    printCut(os, columns, grid.columns, " ...", [&](int64_t column) {
      os << ' ';
      pad(os, width, cells[{row, column}]);
    });
    os << '\n';
  });
  if (int64_t(rows.size()) < grid.rows ||
      int64_t(columns.size()) < grid.columns)
    os << "  (" << rows.size() << " of " << grid.rows << " rows, "
       << columns.size() << " of " << grid.columns << " columns)\n";
}

//===----------------------------------------------------------------------===//
// Logical and physical grid
//===----------------------------------------------------------------------===//

static std::string describeCell(const Coordinates &at, ArrayRef<Axis> axes) {
  std::string text;
  for (Axis axis : axes)
    text += (text.empty() ? "" : ",") + std::to_string(at.get(axis));
  return text.empty() ? "-" : text;
}

static void printLogical(llvm::raw_ostream &os, const Picture &picture) {
  const LogicalGrid &grid = picture.logical;
  SmallVector<Axis> axes = picture.layout.getAxes();
  os << "logical grid, each cell ";
  llvm::interleave(axes, os, [&](Axis axis) { os << axis.getName(); }, ",");
  os << '\n';
  printGrid(os, {grid.getRows(), grid.getColumns(),
                 [&](int64_t row) { return grid.describeRow(row); },
                 [&](int64_t column) { return grid.describeColumn(column); },
                 [&](Cell cell) -> std::string {
                   std::optional<int64_t> flat = grid.getFlat(cell);
                   return flat ? describeCell(picture.layout.apply(*flat), axes)
                               : "";
                 }});
}

/// What the cells of a physical grid hold: the first element and how many.
using Contents = std::map<Cell, std::pair<int64_t, int64_t>>;

static Contents findContents(const Picture &picture, ArrayRef<int64_t> rows,
                             ArrayRef<int64_t> columns) {
  Contents contents;
  for (int64_t flat = 0; flat < picture.logical.getSize(); ++flat)
    for (const Coordinates &copy : picture.layout.image(flat)) {
      Cell cell = picture.physical.place(copy);
      if (llvm::binary_search(rows, cell.row) &&
          llvm::binary_search(columns, cell.column))
        ++contents.try_emplace(cell, flat, 0).first->second.second;
    }
  return contents;
}

static void printPhysical(llvm::raw_ostream &os, const Picture &picture) {
  const PhysicalGrid &physical = picture.physical;
  int64_t points;
  if (llvm::MulOverflow(picture.logical.getSize(),
                        picture.layout.getTile()->getReplicaCount(), points) ||
      points > kMaxPoints)
    return;
  TextGrid grid{physical.getRows(), physical.getColumns(),
                [&](int64_t row) { return physical.describeRow(row); },
                [&](int64_t column) { return physical.describeColumn(column); },
                nullptr};
  Contents contents =
      findContents(picture, shownRows(grid), candidateColumns(grid));
  grid.cell = [&](Cell cell) -> std::string {
    auto it = contents.find(cell);
    if (it == contents.end())
      return ".";
    auto [flat, count] = it->second;
    return picture.logical.describe(flat) +
           (count > 1 ? "+" + std::to_string(count - 1) : "");
  };
  os << "physical grid (" << physical.getTitle() << "), each cell an index\n";
  printGrid(os, grid);
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

void layouttool::show(llvm::raw_ostream &os, const Picture &picture) {
  const Layout &layout = picture.layout;
  os << "layout  " << toString(layout) << '\n';
  Layout canonical = canonicalize(layout);
  if (!(canonical == layout))
    os << "same as " << toString(canonical) << '\n';
  os << "shape   ";
  llvm::interleave(picture.logical.getShape(), os, "x");
  os << "\nformula\n";
  for (const std::string &line :
       describeFormula(layout, picture.logical.getShape()))
    os << "  " << line << '\n';
  for (const Fact &fact : describeFacts(layout, picture.elementBits))
    os << llvm::left_justify(fact.name, 8) << fact.text << '\n';
  printLogical(os, picture);
  printPhysical(os, picture);
}

void layouttool::showElement(llvm::raw_ostream &os, const Layout &layout,
                             ArrayRef<int64_t> shape, ArrayRef<int64_t> index,
                             unsigned elementBits) {
  SmallVector<Axis> axes = layout.getAxes();
  for (const Coordinates &copy : getSortedImage(layout, flatten(index, shape)))
    os << describePoint(copy, axes, elementBits) << '\n';
}

void layouttool::showExplanation(llvm::raw_ostream &os, const Layout &layout,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> index,
                                 unsigned elementBits) {
  for (const Fact &fact : explain(layout, shape, index, elementBits))
    os << llvm::left_justify(fact.name, 7) << ' ' << fact.text << '\n';
}
