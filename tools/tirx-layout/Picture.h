//===- Picture.h - layouts as grids -----------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What text, SVG and HTML have in common: the logical index as a grid of rows
// and columns, and the places of a layout as a grid of hardware.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_PICTURE_H
#define TIRX_TOOLS_TIRX_LAYOUT_PICTURE_H

#include "TIRx/Layout/Layout.h"
#include <string>
#include <vector>

namespace tirx::layouttool {

/// A cell of a grid.
struct Cell {
  int64_t row = 0, column = 0;
  bool operator<(const Cell &other) const {
    return std::pair(row, column) < std::pair(other.row, other.column);
  }
};

/// The logical index as rows and columns: dimensions [0, split) make the row,
/// the others the column. One dimension is wrapped into rows of `columns`.
class LogicalGrid {
public:
  /// Splits where rows and columns are nearest to each other in number.
  explicit LogicalGrid(llvm::ArrayRef<int64_t> shape);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  size_t getSplit() const { return split; }
  bool isWrapped() const { return wrapped; }
  int64_t getRows() const { return rows; }
  int64_t getColumns() const { return columns; }
  int64_t getSize() const { return size; }

  /// The flat index at a cell; none past the end of the last wrapped row.
  std::optional<int64_t> getFlat(Cell cell) const;
  Cell getCell(int64_t flat) const { return {flat / columns, flat % columns}; }
  /// The index of an element as text: `2,17`.
  std::string describe(int64_t flat) const;
  /// The part of the index that a row or a column stands for.
  std::string describeRow(int64_t row) const;
  std::string describeColumn(int64_t column) const;

private:
  llvm::SmallVector<int64_t> shape;
  size_t split = 0;
  bool wrapped = false;
  int64_t size = 1, rows = 1, columns = 1;
};

/// One axis of a physical grid with the coordinates that occur on it.
struct GridAxis {
  Axis axis;
  Span span;
};

/// The places of a layout as rows and columns: tensor memory as lanes and
/// columns, fragments as threads and registers, memory as rows of 128 bytes (or
/// of the swizzle's width where the element's size is not known).
class PhysicalGrid {
public:
  /// Fails when the number of rows or columns does not fit 53 bits, which
  /// is what a browser's numbers hold.
  static llvm::Expected<PhysicalGrid>
  get(const Layout &layout, const LogicalGrid &logical, unsigned elementBits);

  llvm::ArrayRef<GridAxis> getRowAxes() const { return rowAxes; }
  llvm::ArrayRef<GridAxis> getColumnAxes() const { return columnAxes; }
  /// Elements of memory in a row; 0 when `m` is not cut into rows.
  int64_t getFold() const { return fold; }
  /// Number of the first row, when `m` is cut into rows.
  int64_t getFirstRow() const { return firstRow; }
  int64_t getRows() const { return rows; }
  int64_t getColumns() const { return columns; }
  const std::string &getTitle() const { return title; }

  Cell place(const Coordinates &point) const;
  std::string describeRow(int64_t row) const;
  std::string describeColumn(int64_t column) const;

private:
  void setFold(const Layout &layout, const LogicalGrid &logical,
               unsigned elementBits);
  void balance();
  void setTitle(unsigned elementBits);

  llvm::SmallVector<GridAxis> rowAxes, columnAxes;
  size_t movedAxes = 0;
  int64_t fold = 0, firstRow = 0, rows = 1, columns = 1;
  std::string title;
};

/// A layout ready to be drawn.
struct Picture {
  Layout layout;
  LogicalGrid logical;
  PhysicalGrid physical;
  unsigned elementBits;

  /// The innermost thread axis, by which fragments are coloured; empty when
  /// there is none.
  llvm::StringRef getThreadAxisName() const;

  /// Fails where a grid does not exist, or an element has more than 4,096
  /// copies.
  static llvm::Expected<Picture> get(const Layout &layout,
                                     llvm::ArrayRef<int64_t> shape,
                                     unsigned elementBits);
};

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_PICTURE_H
