//===- Show.cpp - layouts for a terminal ----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Show.h"
#include "Elements.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// What a terminal holds.
static constexpr size_t kWidth = 100;
static constexpr int64_t kRows = 16;

//===----------------------------------------------------------------------===//
// Formula
//===----------------------------------------------------------------------===//

/// The digit of `variable` that an iter takes: `(x0 / 8) % 4`.
static std::string describeDigit(StringRef variable, int64_t inner,
                                 int64_t extent, bool outermost) {
  std::string text = variable.str();
  if (inner != 1)
    text = "(" + text + " / " + std::to_string(inner) + ")";
  if (!outermost)
    text = text + " % " + std::to_string(extent);
  return text;
}

using Terms = std::map<Axis, SmallVector<std::string>>;

static void addTerms(Terms &terms, ArrayRef<Iter> iters, StringRef variable) {
  int64_t inner = 1;
  SmallVector<std::pair<Axis, std::string>> reversed;
  for (size_t i = iters.size(); i-- > 0;) {
    const Iter &iter = iters[i];
    if (iter.stride != 0 && iter.extent > 1) {
      std::string digit = describeDigit(variable, inner, iter.extent, i == 0);
      bool plain = digit == variable;
      if (iter.stride != 1)
        digit = std::to_string(iter.stride) + "*" +
                (plain ? digit : "(" + digit + ")");
      reversed.push_back({iter.axis, digit});
    }
    inner *= iter.extent;
  }
  for (auto &[axis, term] : llvm::reverse(reversed))
    terms[axis].push_back(term);
}

static void printFormula(llvm::raw_ostream &os, const Layout &layout,
                         ArrayRef<int64_t> shape) {
  TileLayout tile = canonicalize(*layout.getTile());
  Terms terms;
  auto groups = group(tile, shape);
  if (groups) {
    for (auto [dim, iters] : llvm::enumerate(*groups))
      addTerms(terms, iters, "x" + std::to_string(dim));
  } else {
    // An iter straddles dimensions: write it of the flat index.
    llvm::consumeError(groups.takeError());
    addTerms(terms, tile.getShard(), "x");
    os << "  x = row-major flat index\n";
  }
  for (const Iter &iter : tile.getReplica())
    terms[iter.axis].push_back("{0.." + std::to_string(iter.extent - 1) + "}*" +
                               std::to_string(iter.stride));
  for (const AxisOffset &entry : tile.getOffset())
    terms[entry.axis].push_back(std::to_string(entry.value));
  if (layout.getSwizzle())
    terms[memoryAxis()];
  for (Axis axis : layout.getAxes()) {
    const auto &sum = terms[axis];
    bool swizzled = layout.getSwizzle() && axis == memoryAxis();
    os << "  " << axis.getName() << " = " << (swizzled ? "swizzle(" : "");
    if (sum.empty())
      os << "0";
    llvm::interleave(sum, os, " + ");
    os << (swizzled ? ")" : "") << '\n';
  }
  if (const SwizzleLayout *swizzle = layout.getSwizzle()) {
    int64_t p = swizzle->getPerElement(), b = swizzle->getSwizzleLen(),
            s = swizzle->getAtomLen();
    bool outer = swizzle->isOuter();
    os << "  swizzle(i) = i ^ ((i >> " << (outer ? p : p + s) << " & "
       << (int64_t(1) << b) - 1 << ") << " << (outer ? p + s : p) << ")\n";
  }
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

static std::string describeCell(const Coordinates &at, ArrayRef<Axis> axes) {
  std::string text;
  for (Axis axis : axes)
    text += (text.empty() ? "" : ",") + std::to_string(at.get(axis));
  return text.empty() ? "-" : text;
}

/// Prints the last two dimensions at index 0 of all others.
static void printGrid(llvm::raw_ostream &os, const Layout &layout,
                      ArrayRef<int64_t> shape) {
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  SmallVector<Axis> axes = layout.getAxes();
  int64_t shownRows = std::min(rows, kRows);
  // No cell is narrower than two characters with its space.
  int64_t shownColumns = std::min<int64_t>(columns, kWidth / 2);

  SmallVector<SmallVector<std::string>> cells(shownRows);
  size_t width = 1;
  for (int64_t row = 0; row < shownRows; ++row)
    for (int64_t column = 0; column < shownColumns; ++column) {
      cells[row].push_back(
          describeCell(layout.apply(row * columns + column), axes));
      width = std::max(width, cells[row].back().size());
    }
  width = std::max(width, std::to_string(shownColumns - 1).size());
  shownColumns = std::max<int64_t>(
      1, std::min<int64_t>(shownColumns, (kWidth - 12) / (width + 1)));

  os << "grid";
  if (shape.size() > 2)
    os << " of the last two dimensions, all others at 0";
  os << ", each cell ";
  llvm::interleave(axes, os, [&](Axis axis) { os << axis.getName(); }, ",");
  os << '\n' << std::string(8, ' ');
  auto right = [&](StringRef text) {
    os << ' ' << std::string(width - std::min(width, text.size()), ' ') << text;
  };
  for (int64_t column = 0; column < shownColumns; ++column)
    right(std::to_string(column));
  os << '\n';
  for (int64_t row = 0; row < shownRows; ++row) {
    os << llvm::format("%7lld ", static_cast<long long>(row));
    for (int64_t column = 0; column < shownColumns; ++column)
      right(cells[row][column]);
    os << (shownColumns < columns ? " ..." : "") << '\n';
  }
  if (shownRows < rows)
    os << "    ...\n";
  if (shownRows < rows || shownColumns < columns)
    os << "  (" << shownRows << " of " << rows << " rows, " << shownColumns
       << " of " << columns << " columns)\n";
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

void layouttool::show(llvm::raw_ostream &os, const Layout &layout,
                      ArrayRef<int64_t> shape, unsigned elementBits) {
  os << "layout  " << toString(layout) << '\n';
  Layout canonical = canonicalize(layout);
  if (!(canonical == layout))
    os << "same as " << toString(canonical) << '\n';
  os << "shape   ";
  llvm::interleave(shape, os, "x");
  os << '\n';
  os << "formula\n";
  printFormula(os, layout, shape);
  os << "size    " << *layout.getSize() << " elements";
  if (int64_t copies = layout.image(0).size(); copies > 1)
    os << ", " << copies << " copies of each";
  os << '\n';
  for (Axis axis : layout.getAxes()) {
    Span span = layout.getSpan(axis);
    os << "span    " << axis.getName() << ' ' << span.min << ".." << span.max
       << " (" << span.size() << ")";
    int64_t bits;
    if (elementBits != 0 && axis == memoryAxis() &&
        !llvm::MulOverflow(span.size(), int64_t(elementBits), bits))
      os << ", " << bits / 8 + (bits % 8 != 0) << " bytes";
    os << '\n';
  }
  printGrid(os, layout, shape);
}

void layouttool::showElement(llvm::raw_ostream &os, const Layout &layout,
                             ArrayRef<int64_t> shape, ArrayRef<int64_t> index,
                             unsigned elementBits) {
  SmallVector<Axis> axes = layout.getAxes();
  for (const Coordinates &copy : layout.image(flatten(index, shape))) {
    llvm::interleave(
        axes, os,
        [&](Axis axis) { os << axis.getName() << ' ' << copy.get(axis); },
        ", ");
    if (elementBits != 0) {
      HardwarePlace place = getHardwarePlace(copy, elementBits);
      if (llvm::is_contained(axes, memoryAxis()))
        os << ", byte " << place.byte << ", bank " << place.bank;
      if (llvm::is_contained(axes, lookupBuiltinAxis("TCol")))
        os << ", column " << place.column << ", bit " << place.bit;
    }
    os << '\n';
  }
}
