//===- Text.cpp - layouts as text -----------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Text.h"
#include "CheckedMath.h"
#include "Scanner.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printOnAxis(llvm::raw_ostream &os, int64_t value, Axis axis) {
  os << value;
  if (axis != memoryAxis())
    os << '@' << axis.getName();
}

/// `(8, 4) : (4@laneid, 1)`, or `4 : 32@TLane` for one replica iter.
static void printIters(llvm::raw_ostream &os, ArrayRef<Iter> iters,
                       bool bareSingle) {
  bool bare = bareSingle && iters.size() == 1;
  StringRef open = bare ? "" : "(", close = bare ? "" : ")";
  os << open;
  llvm::interleaveComma(iters, os, [&](const Iter &it) { os << it.extent; });
  os << close << " : " << open;
  llvm::interleaveComma(iters, os, [&](const Iter &iter) {
    printOnAxis(os, iter.stride, iter.axis);
  });
  os << close;
}

void tirx::print(llvm::raw_ostream &os, const TileLayout &layout) {
  os << "S[";
  printIters(os, layout.getShard(), /*bareSingle=*/false);
  os << ']';
  if (!layout.getReplica().empty()) {
    os << " + R[";
    printIters(os, layout.getReplica(), /*bareSingle=*/true);
    os << ']';
  }
  for (const AxisOffset &entry : layout.getOffset()) {
    os << " + ";
    printOnAxis(os, entry.value, entry.axis);
  }
}

void tirx::print(llvm::raw_ostream &os, const SwizzleLayout &layout) {
  os << layout.getPerElement() << ", " << layout.getSwizzleLen() << ", "
     << layout.getAtomLen();
  if (layout.isOuter())
    os << ", outer";
}

void tirx::print(llvm::raw_ostream &os, const Layout &layout) {
  auto printSwizzle = [&] {
    os << "#tirx.swizzle<";
    print(os, *layout.getSwizzle());
    os << '>';
  };
  auto printTile = [&] {
    os << "#tirx.tile<";
    print(os, *layout.getTile());
    os << '>';
  };
  if (layout.isTile())
    return printTile();
  if (layout.isSwizzle())
    return printSwizzle();
  os << "#tirx.compose<";
  printSwizzle();
  os << ", ";
  printTile();
  os << '>';
}

std::string tirx::toString(const Layout &layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, layout);
  return text;
}

std::string tirx::toString(const Coordinates &coordinates) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '(';
  llvm::interleaveComma(coordinates.values(), os, [&](const AxisOffset &entry) {
    os << entry.axis.getName() << ' ' << entry.value;
  });
  os << ')';
  return text;
}

/// One place, or the set of all copies.
static std::string describeImage(const Layout &layout, int64_t flat) {
  SmallVector<Coordinates> image = layout.image(flat);
  if (image.size() == 1)
    return toString(image.front());
  std::string text = "{";
  for (const Coordinates &copy : image)
    text += (text.size() > 1 ? ", " : "") + toString(copy);
  return text + "}";
}

std::string tirx::describeDifference(const Layout &expected, const Layout &got,
                                     ArrayRef<int64_t> shape) {
  std::optional<int64_t> flat = findDifference(expected, got);
  if (!flat)
    return "";
  SmallVector<int64_t> index = unflatten(*flat, shape);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "; element (";
  llvm::interleaveComma(index, os);
  os << ") is at " << describeImage(expected, *flat) << ", not at "
     << describeImage(got, *flat);
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// A recursive-descent parser over the text. Nesting is bounded by the grammar:
/// a compose holds a swizzle and a tile, nothing holds a compose.
class Parser : Scanner {
public:
  Parser(StringRef text, const AxisTable &axes) : Scanner(text), axes(axes) {}

  Expected<Layout> parseAll() {
    Expected<Layout> layout = parseAny();
    if (!layout)
      return layout;
    skipSpace();
    if (position != text.size())
      return unexpected("the end of the layout");
    return layout;
  }

private:
  // Layouts.
  Expected<AxisOffset> parseOnAxis() {
    Expected<int64_t> value = parseInteger();
    if (!value)
      return value.takeError();
    if (!consume("@"))
      return AxisOffset{memoryAxis(), *value};
    skipSpace();
    size_t start = position;
    StringRef name = takeName();
    if (name.empty())
      return unexpected("the name of an axis");
    Axis axis = axes.lookup(name);
    if (!axis)
      return errorAt(start, "expected one of the axes " + axes.describeNames() +
                                ", got '" + name + "'");
    return AxisOffset{axis, *value};
  }

  /// `(a, b, ...)`, `()` or a single bare element.
  template <typename Element>
  Error parseTuple(llvm::SmallVectorImpl<Element> &elements,
                   llvm::function_ref<Expected<Element>()> parseElement) {
    bool tuple = consume("(");
    if (tuple && consume(")"))
      return Error::success();
    do {
      // Python's trailing comma of a 1-tuple.
      if (tuple && !elements.empty() && consume(")"))
        return Error::success();
      Expected<Element> element = parseElement();
      if (!element)
        return element.takeError();
      elements.push_back(*element);
    } while (consume(","));
    return tuple ? expect(")") : Error::success();
  }

  /// `[extents : strides]` behind `S` or `R`.
  Error parseIters(llvm::SmallVectorImpl<Iter> &iters) {
    if (Error error = expect("["))
      return error;
    SmallVector<int64_t> extents;
    SmallVector<AxisOffset> strides;
    if (Error error =
            parseTuple<int64_t>(extents, [&] { return parseInteger(); }))
      return error;
    if (Error error = expect(":"))
      return error;
    size_t start = position;
    if (Error error =
            parseTuple<AxisOffset>(strides, [&] { return parseOnAxis(); }))
      return error;
    if (extents.size() != strides.size())
      return errorAt(start, "expected " + Twine(extents.size()) +
                                " strides, one for each extent, got " +
                                Twine(strides.size()));
    for (auto [extent, stride] : llvm::zip_equal(extents, strides))
      iters.push_back({extent, stride.value, stride.axis});
    return expect("]");
  }

  /// `S[...]`, then any of `+ R[...]` and `+ offset`.
  Expected<TileLayout> parseTileBody() {
    skipSpace();
    size_t start = position;
    if (!consume("S"))
      return unexpected("'S'");
    SmallVector<Iter> shard, replica;
    SmallVector<AxisOffset> offset;
    if (Error error = parseIters(shard))
      return std::move(error);
    while (consume("+")) {
      if (consume("R")) {
        if (Error error = parseIters(replica))
          return std::move(error);
        continue;
      }
      Expected<AxisOffset> entry = parseOnAxis();
      if (!entry)
        return entry.takeError();
      offset.push_back(*entry);
    }
    Expected<TileLayout> tile = TileLayout::get(shard, replica, offset);
    if (!tile)
      return errorAt(start, llvm::toString(tile.takeError()));
    return tile;
  }

  /// A tile, bare or wrapped.
  Expected<TileLayout> parseTile() {
    StringRef close = consume("#tirx.tile<")   ? ">"
                      : consume("TileLayout(") ? ")"
                                               : "";
    Expected<TileLayout> tile = parseTileBody();
    if (!tile || close.empty())
      return tile;
    if (Error error = expect(close))
      return std::move(error);
    return tile;
  }

  /// `, outer` or `, swizzle_inner=False`; nothing when no such flag follows.
  Expected<std::optional<bool>> parseOuter() {
    size_t start = position;
    if (!consume(","))
      return std::nullopt;
    if (consume("outer"))
      return true;
    if (!consume("swizzle_inner")) {
      position = start; // the comma belongs to whoever called
      return std::nullopt;
    }
    if (Error error = expect("="))
      return std::move(error);
    if (consume("False"))
      return true;
    if (consume("True"))
      return false;
    return unexpected("'True' or 'False'");
  }

  /// `p, b, s` with optional keywords and flags, up to but without the closing
  /// token.
  Expected<SwizzleLayout> parseSwizzleBody() {
    skipSpace();
    size_t start = position;
    int64_t values[3];
    static const StringRef names[] = {"per_element", "swizzle_len", "atom_len"};
    for (int i = 0; i < 3; ++i) {
      if (i > 0)
        if (Error error = expect(","))
          return std::move(error);
      if (consume(names[i]))
        if (Error error = expect("="))
          return std::move(error);
      Expected<int64_t> value = parseInteger();
      if (!value)
        return value.takeError();
      values[i] = *value;
    }
    Expected<std::optional<bool>> outer = parseOuter();
    if (!outer)
      return outer.takeError();
    Expected<SwizzleLayout> swizzle = SwizzleLayout::get(
        values[0], values[1], values[2], outer->value_or(false));
    if (!swizzle)
      return errorAt(start, llvm::toString(swizzle.takeError()));
    return swizzle;
  }

  Expected<SwizzleLayout> parseSwizzle() {
    StringRef close = consume("#tirx.swizzle<")   ? ">"
                      : consume("SwizzleLayout(") ? ")"
                                                  : "";
    if (close.empty())
      return unexpected("a swizzle");
    Expected<SwizzleLayout> swizzle = parseSwizzleBody();
    if (!swizzle)
      return swizzle;
    if (Error error = expect(close))
      return std::move(error);
    return swizzle;
  }

  /// What stands between the delimiters of a compose: a swizzle or its three
  /// numbers, a comma, a tile. The flag of the numbers may follow the tile.
  Expected<Layout> parseCompose(StringRef close) {
    skipSpace();
    size_t start = position;
    StringRef rest = text.substr(position);
    bool wrapped = rest.starts_with("#") || rest.starts_with("SwizzleLayout");
    Expected<SwizzleLayout> swizzle =
        wrapped ? parseSwizzle() : parseSwizzleBody();
    if (!swizzle)
      return swizzle.takeError();
    if (Error error = expect(","))
      return std::move(error);
    if (consume("tile_layout") || consume("tile"))
      if (Error error = expect("="))
        return std::move(error);
    Expected<TileLayout> tile = parseTile();
    if (!tile)
      return tile.takeError();
    Expected<std::optional<bool>> outer =
        wrapped ? std::optional<bool>() : parseOuter();
    if (!outer)
      return outer.takeError();
    if (*outer)
      swizzle = llvm::cantFail(
          SwizzleLayout::get(swizzle->getPerElement(), swizzle->getSwizzleLen(),
                             swizzle->getAtomLen(), **outer));
    if (Error error = expect(close))
      return std::move(error);
    Expected<Layout> layout = Layout::compose(*swizzle, *tile);
    if (!layout)
      return errorAt(start, llvm::toString(layout.takeError()));
    return layout;
  }

  Expected<Layout> parseAny() {
    if (consume("#tirx.compose<"))
      return parseCompose(">");
    if (consume("ComposeLayout(") || consume("Compose("))
      return parseCompose(")");
    skipSpace();
    StringRef rest = text.substr(position);
    if (rest.starts_with("#tirx.swizzle") ||
        rest.starts_with("SwizzleLayout")) {
      Expected<SwizzleLayout> swizzle = parseSwizzle();
      if (!swizzle)
        return swizzle.takeError();
      return Layout(*swizzle);
    }
    Expected<TileLayout> tile = parseTile();
    if (!tile)
      return tile.takeError();
    return Layout(*tile);
  }

  const AxisTable &axes;
};
} // namespace

Expected<Layout> tirx::parseLayout(StringRef text, const AxisTable &axes) {
  return Parser(text, axes).parseAll();
}
