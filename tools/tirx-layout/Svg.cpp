//===- Svg.cpp - layouts as a picture -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "Difference.h"
#include "Formula.h"
#include "Page.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <map>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// Rows and columns that are drawn, and points that are walked to find what is
/// in them.
static constexpr int64_t kMaxCells = 512, kMaxPoints = int64_t(1) << 22;
/// Cells that get a text.
static constexpr int64_t kMaxTexts = 4096;
static constexpr int64_t kColours = 32;

// In pixels.
static constexpr double kMargin = 24, kRuler = 46, kLine = 17, kHeading = 54;
static constexpr double kMaxPanel = 640, kMaxCell = 26;
/// A character of the 9.5 pixel text of cells.
static constexpr double kCharacter = 5.8;

std::string layouttool::escapeMarkup(StringRef text) {
  std::string escaped;
  for (char c : text)
    if (c == '<')
      escaped += "&lt;";
    else if (c == '&')
      escaped += "&amp;";
    else
      escaped += c;
  return escaped;
}

/// A length with one digit after the point and none where it is 0.
static std::string px(double length) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", length);
  if (StringRef(text).ends_with(".0"))
    text.resize(text.size() - 2);
  return text;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {
/// How strong the colour of a cell is: a further copy is pale, and where two
/// layouts agree it is faded.
enum class Shade { Full, Copy, Same };

struct DrawnCell {
  int64_t colour = 0;
  Shade shade = Shade::Full;
  /// Of the worst bank conflict.
  bool outlined = false;
  std::string text, title;
};

/// A grid with its contents.
struct Sheet {
  std::string heading, note;
  int64_t rows = 0, columns = 0;
  std::vector<std::string> rowLabels, columnLabels;
  std::map<Cell, DrawnCell> cells;
};

/// Fills the sheets of one or two pictures.
class Drawer {
public:
  Drawer(ArrayRef<Picture> pictures, ArrayRef<AccessView> accesses)
      : pictures(pictures), accesses(accesses) {}
  Sheet drawLogical() const;
  Sheet drawPhysical(size_t which, StringRef name) const;

private:
  int64_t getColour(const Picture &picture, int64_t flat,
                    const Coordinates &point) const;
  DrawnCell drawElement(size_t which, int64_t flat,
                        const Coordinates &point) const;

  ArrayRef<Picture> pictures;
  ArrayRef<AccessView> accesses;
};
} // namespace

/// By thread, else by the chunks that a swizzle moves, else by logical row, as
/// the page does.
int64_t Drawer::getColour(const Picture &picture, int64_t flat,
                          const Coordinates &point) const {
  int64_t number = picture.logical.getCell(flat).row;
  const auto *swizzled = llvm::find_if(pictures, [](const Picture &other) {
    return other.layout.getSwizzle() != nullptr;
  });
  if (StringRef name = pictures[0].getThreadAxisName(); !name.empty())
    number = point.get(lookupBuiltinAxis(name));
  else if (swizzled != pictures.end()) {
    const SwizzleLayout &swizzle = *swizzled->layout.getSwizzle();
    if (!swizzle.isOuter() && swizzle.getPerElement() > 0)
      number = swizzled->layout.getTile()->apply(flat).get(memoryAxis()) >>
               swizzle.getPerElement();
  }
  return ((number % kColours) + kColours) % kColours;
}

DrawnCell Drawer::drawElement(size_t which, int64_t flat,
                              const Coordinates &point) const {
  const Picture &picture = pictures[which];
  DrawnCell cell;
  cell.colour = getColour(picture, flat, point);
  if (pictures.size() > 1 &&
      !differsAt(pictures[0].layout, pictures[1].layout, flat))
    cell.shade = Shade::Same;
  // In order of elements.
  cell.outlined = which < accesses.size() &&
                  llvm::binary_search(accesses[which].worst, flat);
  cell.title =
      "(" + picture.logical.describe(flat) + "): " +
      describePoint(point, picture.layout.getAxes(), picture.elementBits);
  return cell;
}

static Sheet makeSheet(int64_t rows, int64_t columns,
                       llvm::function_ref<std::string(int64_t)> rowLabel,
                       llvm::function_ref<std::string(int64_t)> columnLabel) {
  Sheet sheet;
  sheet.rows = std::min(rows, kMaxCells);
  sheet.columns = std::min(columns, kMaxCells);
  for (int64_t row = 0; row < sheet.rows; ++row)
    sheet.rowLabels.push_back(rowLabel(row));
  for (int64_t column = 0; column < sheet.columns; ++column)
    sheet.columnLabels.push_back(columnLabel(column));
  if (sheet.rows < rows || sheet.columns < columns)
    sheet.note =
        ("first " + Twine(sheet.rows) + " of " + Twine(rows) + " rows, " +
         Twine(sheet.columns) + " of " + Twine(columns) + " columns")
            .str();
  return sheet;
}

Sheet Drawer::drawLogical() const {
  const Picture &picture = pictures[0];
  const LogicalGrid &grid = picture.logical;
  Sheet sheet = makeSheet(
      grid.getRows(), grid.getColumns(),
      [&](int64_t row) { return grid.describeRow(row); },
      [&](int64_t column) { return grid.describeColumn(column); });
  sheet.heading = "Logical";
  SmallVector<Axis> axes = picture.layout.getAxes();
  for (int64_t row = 0; row < sheet.rows; ++row)
    for (int64_t column = 0; column < sheet.columns; ++column) {
      std::optional<int64_t> flat = grid.getFlat({row, column});
      if (!flat)
        continue;
      Coordinates point = picture.layout.apply(*flat);
      DrawnCell cell = drawElement(0, *flat, point);
      for (Axis axis : axes)
        cell.text +=
            (cell.text.empty() ? "" : ",") + std::to_string(point.get(axis));
      sheet.cells[{row, column}] = std::move(cell);
    }
  return sheet;
}

Sheet Drawer::drawPhysical(size_t which, StringRef name) const {
  const Picture &picture = pictures[which];
  const PhysicalGrid &grid = picture.physical;
  Sheet sheet = makeSheet(
      grid.getRows(), grid.getColumns(),
      [&](int64_t row) { return grid.describeRow(row); },
      [&](int64_t column) { return grid.describeColumn(column); });
  sheet.heading = ("Physical" + Twine(name.empty() ? "" : ", ") + name + ": " +
                   grid.getTitle())
                      .str();
  int64_t copies = picture.layout.getTile()->getReplicaCount();
  int64_t walked = std::min(picture.logical.getSize(), kMaxPoints / copies);
  for (int64_t flat = 0; flat < walked; ++flat) {
    Coordinates base = picture.layout.apply(flat);
    for (const Coordinates &point : picture.layout.image(flat)) {
      Cell at = grid.place(point);
      if (at.row >= sheet.rows || at.column >= sheet.columns)
        continue;
      auto [it, isNew] = sheet.cells.try_emplace(at);
      if (!isNew) {
        // Several elements at one place: the first names it.
        if (!StringRef(it->second.text).ends_with("+"))
          it->second.text += "+";
        continue;
      }
      it->second = drawElement(which, flat, point);
      if (!(point == base) && it->second.shade == Shade::Full)
        it->second.shade = Shade::Copy;
      it->second.text = picture.logical.describe(flat);
    }
  }
  if (walked < picture.logical.getSize())
    sheet.note += (sheet.note.empty() ? "" : ", ") + std::string("first ") +
                  std::to_string(walked) + " elements";
  return sheet;
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

namespace {
/// Where a sheet is on the picture.
struct Frame {
  double left = 0, top = 0, cellWidth = 0, cellHeight = 0;
  bool texts = false;
  double x(int64_t column) const { return left + column * cellWidth; }
  double y(int64_t row) const { return top + row * cellHeight; }
};
} // namespace

/// Square cells that fill a panel, or as wide as their texts where there are
/// few.
static Frame measure(const Sheet &sheet) {
  Frame frame;
  frame.cellHeight = std::min(
      {kMaxCell, kMaxPanel / sheet.rows, 2 * kMaxPanel / sheet.columns});
  frame.cellWidth = frame.cellHeight;
  if (int64_t(sheet.cells.size()) > kMaxTexts)
    return frame;
  size_t longest = 1;
  for (const auto &[at, cell] : sheet.cells)
    longest = std::max(longest, cell.text.size());
  frame.texts = true;
  frame.cellHeight = std::max(frame.cellHeight, 15.0);
  frame.cellWidth = std::max(frame.cellHeight, longest * kCharacter + 6);
  return frame;
}

static void drawRects(llvm::raw_ostream &os, const Sheet &sheet,
                      const Frame &frame) {
  // One path for each colour, one rectangle for each run of cells in a row.
  std::map<std::pair<int64_t, Shade>, std::string> paths;
  double gap = frame.cellHeight >= 5 ? 1 : 0;
  auto add = [&](Cell at, int64_t length, const DrawnCell &cell) {
    double width = length * frame.cellWidth - gap;
    std::string &path = paths[{cell.colour, cell.shade}];
    path += "M" + px(frame.x(at.column)) + " " + px(frame.y(at.row)) + "h" +
            px(width) + "v" + px(frame.cellHeight - gap) + "h-" + px(width) +
            "z";
  };
  std::optional<Cell> start;
  int64_t length = 0;
  const DrawnCell *cell = nullptr;
  for (const auto &[at, drawn] : sheet.cells) {
    bool joins = start && gap == 0 && at.row == start->row &&
                 at.column == start->column + length &&
                 drawn.colour == cell->colour && drawn.shade == cell->shade;
    if (!joins) {
      if (start)
        add(*start, length, *cell);
      start = at;
      length = 0;
    }
    cell = &drawn;
    ++length;
  }
  if (start)
    add(*start, length, *cell);
  static constexpr StringRef opacity[] = {"", " opacity=\".5\"",
                                          " opacity=\".25\""};
  for (const auto &[key, path] : paths)
    os << "<path style=\"fill:var(--c" << key.first << ")\""
       << opacity[int(key.second)] << " d=\"" << path << "\"/>\n";
}

static void drawOutlines(llvm::raw_ostream &os, const Sheet &sheet,
                         const Frame &frame) {
  std::string path;
  for (const auto &[at, cell] : sheet.cells)
    if (cell.outlined)
      path += "M" + px(frame.x(at.column)) + " " + px(frame.y(at.row)) + "h" +
              px(frame.cellWidth) + "v" + px(frame.cellHeight) + "h-" +
              px(frame.cellWidth) + "z";
  if (!path.empty())
    os << "<path class=\"outline\" d=\"" << path << "\"/>\n";
}

static void drawTexts(llvm::raw_ostream &os, const Sheet &sheet,
                      const Frame &frame) {
  if (!frame.texts)
    return;
  os << "<g class=\"cell\">\n";
  for (const auto &[at, cell] : sheet.cells) {
    double x = frame.x(at.column), y = frame.y(at.row);
    os << "<g><title>" << escapeMarkup(cell.title) << "</title><rect x=\""
       << px(x) << "\" y=\"" << px(y) << "\" width=\"" << px(frame.cellWidth)
       << "\" height=\"" << px(frame.cellHeight) << "\"/><text x=\""
       << px(x + frame.cellWidth / 2 - 0.5) << "\" y=\""
       << px(y + frame.cellHeight / 2 + 3) << "\">" << cell.text
       << "</text></g>\n";
  }
  os << "</g>\n";
}

/// The least power of two of cells that leaves room for a label.
static int64_t labelStep(double cell, double room) {
  int64_t step = 1;
  while (step * cell < room)
    step *= 2;
  return step;
}

static void drawRulers(llvm::raw_ostream &os, const Sheet &sheet,
                       const Frame &frame) {
  os << "<g class=\"ruler\">\n";
  for (int64_t row = 0; row < sheet.rows;
       row += labelStep(frame.cellHeight, 13))
    os << "<text class=\"end\" x=\"" << px(frame.left - 6) << "\" y=\""
       << px(frame.y(row) + frame.cellHeight / 2 + 3.5) << "\">"
       << sheet.rowLabels[row] << "</text>\n";
  double room = sheet.columnLabels.back().size() * 6.2 + 6;
  for (int64_t column = 0; column < sheet.columns;
       column += labelStep(frame.cellWidth, room))
    os << "<text x=\"" << px(frame.x(column) + frame.cellWidth / 2) << "\" y=\""
       << px(frame.top - 7) << "\">" << sheet.columnLabels[column]
       << "</text>\n";
  os << "</g>\n";
}

static void drawSheet(llvm::raw_ostream &os, const Sheet &sheet,
                      const Frame &frame) {
  os << "<text class=\"heading\" x=\"" << px(frame.left) << "\" y=\""
     << px(frame.top - 26) << "\">" << escapeMarkup(sheet.heading);
  if (!sheet.note.empty())
    os << "<tspan class=\"quiet\" dx=\"10\">" << sheet.note << "</tspan>";
  os << "</text>\n<rect class=\"void\" x=\"" << px(frame.left) << "\" y=\""
     << px(frame.top) << "\" width=\"" << px(sheet.columns * frame.cellWidth)
     << "\" height=\"" << px(sheet.rows * frame.cellHeight) << "\"/>\n";
  drawRects(os, sheet, frame);
  drawTexts(os, sheet, frame);
  drawOutlines(os, sheet, frame);
  drawRulers(os, sheet, frame);
}

static const char style[] = R"(
.outline { fill: none; stroke: var(--accent); pointer-events: none; }
.paper { fill: var(--paper); } .void { fill: var(--void); }
text { fill: var(--ink); font-family: system-ui, "DejaVu Sans", sans-serif; }
.heading { font-size: 13px; font-weight: 600; }
.quiet { fill: var(--quiet); font-weight: 400; font-size: 12px; }
.mono, .cell text, .ruler text {
  font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
.mono { font-size: 12px; white-space: pre; }
.cell text { font-size: 9.5px; text-anchor: middle; pointer-events: none; }
.cell rect { fill: transparent; }
.cell g:hover rect { stroke: var(--accent); stroke-width: 1.5; }
.ruler text { font-size: 10px; fill: var(--quiet); text-anchor: middle; }
.ruler .end { text-anchor: end; }
)";

/// The lines above the grids with their classes.
static std::vector<std::pair<std::string, StringRef>>
makeCaption(ArrayRef<Picture> pictures, StringRef verdict) {
  std::vector<std::pair<std::string, StringRef>> lines;
  for (auto [i, picture] : llvm::enumerate(pictures)) {
    std::string name = pictures.size() == 1 ? "" : i == 0 ? "A  " : "B  ";
    lines.push_back({name + toString(picture.layout), "mono"});
    for (const std::string &formula :
         describeFormula(picture.layout, picture.logical.getShape()))
      lines.push_back({(name.empty() ? "" : "   ") + formula, "mono quiet"});
  }
  while (!verdict.empty()) {
    auto [line, rest] = verdict.split('\n');
    lines.push_back({line.str(), "heading"});
    verdict = rest;
  }
  return lines;
}

/// Places the sheets below `top`, side by side, or one below the other where
/// they are wide; gives the size of the whole.
static std::vector<Frame> arrange(ArrayRef<Sheet> sheets, double top,
                                  double &width, double &height) {
  bool stacked = llvm::all_of(sheets, [](const Sheet &sheet) {
    Frame frame = measure(sheet);
    return frame.x(sheet.columns) > 2 * frame.y(sheet.rows);
  });
  double left = kMargin;
  std::vector<Frame> frames;
  for (const Sheet &sheet : sheets) {
    Frame frame = measure(sheet);
    frame.left = left + kRuler;
    frame.top = top + kHeading;
    // A heading may be wider than its grid.
    double heading = (sheet.heading.size() + sheet.note.size()) * 7.2;
    double right =
        frame.left + std::max(sheet.columns * frame.cellWidth, heading);
    double bottom = frame.y(sheet.rows);
    width = std::max(width, right + kMargin);
    height = std::max(height, bottom + kMargin);
    frames.push_back(frame);
    if (stacked)
      top = bottom;
    else
      left = right + kMargin;
  }
  return frames;
}

void layouttool::writeSvg(llvm::raw_ostream &os, ArrayRef<Picture> pictures,
                          ArrayRef<AccessView> accesses, StringRef verdict) {
  Drawer drawer(pictures, accesses);
  std::vector<Sheet> sheets = {drawer.drawLogical()};
  for (size_t i = 0; i < pictures.size(); ++i)
    sheets.push_back(drawer.drawPhysical(i, pictures.size() == 1 ? ""
                                            : i == 0             ? "A"
                                                                 : "B"));
  auto caption = makeCaption(pictures, verdict);

  double width = 0, height = 0;
  std::vector<Frame> frames =
      arrange(sheets, kMargin + caption.size() * kLine, width, height);
  for (const auto &[line, kind] : caption)
    width = std::max(width, line.size() * 7.4 + 2 * kMargin);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << px(width)
     << ' ' << px(height) << "\" width=\"" << px(width) << "\" height=\""
     << px(height) << "\">\n<style>\n"
     << page::palette << style << "</style>\n"
     << "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  for (auto [i, line] : llvm::enumerate(caption))
    os << "<text class=\"" << line.second << "\" x=\"" << px(kMargin)
       << "\" y=\"" << px(kMargin + (i + 0.7) * kLine) << "\">"
       << escapeMarkup(line.first) << "</text>\n";
  for (auto [sheet, frame] : llvm::zip(sheets, frames))
    drawSheet(os, sheet, frame);
  os << "</svg>\n";
}
