//===- Attributes.cpp - layout attributes ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/IR/TIRxAttributes.h"
#include "TIRx/Layout/Text.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tirx;

#include "TIRx/Dialect/TIRx/IR/TIRxAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TIRx/Dialect/TIRx/IR/TIRxAttributes.cpp.inc"

void TIRxDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TIRx/Dialect/TIRx/IR/TIRxAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Reads `S[(8, 2) : (4@laneid, 1)] + R[2 : 4@warpid] + 5@warpid` token by
/// token, so that errors point into the file that holds the attribute.
class TileParser {
public:
  explicit TileParser(AsmParser &parser)
      : parser(parser),
        axes(parser.getContext()->getLoadedDialect<TIRxDialect>()->getAxes()) {}

  FailureOr<TileLayout> parse();

private:
  ParseResult parseAxis(Axis &axis);
  ParseResult parseList(function_ref<ParseResult()> parseItem);
  /// `[extents : strides]`.
  ParseResult parseIters(SmallVectorImpl<Iter> &iters);
  ParseResult parseTerm();

  AsmParser &parser;
  const AxisTable &axes;
  SmallVector<Iter> shard, replica;
  SmallVector<AxisOffset> offsets;
};
} // namespace

/// `@name`, or nothing for linear memory.
ParseResult TileParser::parseAxis(Axis &axis) {
  SMLoc loc = parser.getCurrentLocation();
  StringAttr name;
  axis = memoryAxis();
  if (failed(parser.parseOptionalSymbolName(name)))
    return success();
  // (tile_c2)
  axis = axes.lookup(name.getValue());
  if (axis)
    return success();
  return parser.emitError(loc, "expected a known axis (")
         << axes.describeNames() << "), got '" << name.getValue() << "'";
}

/// One item, or `(` items `)`.
ParseResult TileParser::parseList(function_ref<ParseResult()> parseItem) {
  if (failed(parser.parseOptionalLParen()))
    return parseItem();
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  do {
    if (parseItem())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseRParen();
}

ParseResult TileParser::parseIters(SmallVectorImpl<Iter> &iters) {
  if (parser.parseLSquare())
    return failure();
  auto parseExtent = [&]() -> ParseResult {
    return parser.parseInteger(iters.emplace_back().extent);
  };
  if (parseList(parseExtent) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Iter> strides;
  auto parseStride = [&]() -> ParseResult {
    Iter &iter = strides.emplace_back();
    return failure(parser.parseInteger(iter.stride) || parseAxis(iter.axis));
  };
  if (parseList(parseStride) || parser.parseRSquare())
    return failure();
  if (strides.size() != iters.size())
    return parser.emitError(loc, "expected ")
           << iters.size() << " strides, one for each extent, got "
           << strides.size();
  for (auto [iter, stride] : llvm::zip_equal(iters, strides)) {
    iter.stride = stride.stride;
    iter.axis = stride.axis;
  }
  return success();
}

/// What follows a `+`: replicas, once, or an offset.
ParseResult TileParser::parseTerm() {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("R"))) {
    if (!replica.empty())
      return parser.emitError(loc, "expected one R[...], got a second one");
    return parseIters(replica);
  }
  AxisOffset &offset = offsets.emplace_back();
  OptionalParseResult value = parser.parseOptionalInteger(offset.value);
  if (!value.has_value())
    return parser.emitError(loc, "expected R[...] or an offset after '+'");
  return failure(*value || parseAxis(offset.axis));
}

FailureOr<TileLayout> TileParser::parse() {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword("S", " at the start of a layout") ||
      parseIters(shard))
    return failure();
  while (succeeded(parser.parseOptionalPlus()))
    if (parseTerm())
      return failure();
  // (tile_c1)
  llvm::Expected<TileLayout> layout = TileLayout::get(shard, replica, offsets);
  if (!layout)
    return parser.emitError(loc, llvm::toString(layout.takeError()));
  return *layout;
}

Attribute TileAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<TileLayout> layout = TileParser(parser).parse();
  if (failed(layout) || parser.parseGreater())
    return {};
  return get(parser.getContext(), *layout);
}

void TileAttr::print(AsmPrinter &printer) const {
  printer << "<";
  tirx::print(printer.getStream(), getValue());
  printer << ">";
}

Attribute SwizzleAttr::parse(AsmParser &parser, Type) {
  int64_t perElement, swizzleLen, atomLen;
  SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) ||
      parser.parseInteger(perElement) || parser.parseComma() ||
      parser.parseInteger(swizzleLen) || parser.parseComma() ||
      parser.parseInteger(atomLen))
    return {};
  bool outer = succeeded(parser.parseOptionalComma());
  if ((outer && parser.parseKeyword("outer")) || parser.parseGreater())
    return {};
  // (swizzle_c1)
  llvm::Expected<SwizzleLayout> layout =
      SwizzleLayout::get(perElement, swizzleLen, atomLen, outer);
  if (!layout) {
    parser.emitError(loc, llvm::toString(layout.takeError()));
    return {};
  }
  return get(parser.getContext(), *layout);
}

void SwizzleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  tirx::print(printer.getStream(), getValue());
  printer << ">";
}

Attribute ComposeAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SwizzleAttr swizzle;
  TileAttr tile;
  if (parser.parseLess() || parser.parseAttribute(swizzle) ||
      parser.parseComma() || parser.parseAttribute(tile) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<ComposeAttr>(loc, parser.getContext(), swizzle,
                                        tile);
}

void ComposeAttr::print(AsmPrinter &printer) const {
  printer << "<" << Attribute(getSwizzle()) << ", " << Attribute(getTile())
          << ">";
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

Layout TileAttr::getLayout() const { return Layout(getValue()); }

Layout SwizzleAttr::getLayout() const { return Layout(getValue()); }

Layout ComposeAttr::getLayout() const {
  return llvm::cantFail(
      Layout::compose(getSwizzle().getValue(), getTile().getValue()));
}

LogicalResult ComposeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  SwizzleAttr swizzle, TileAttr tile) {
  // (compose_c1)
  llvm::Expected<Layout> layout =
      Layout::compose(swizzle.getValue(), tile.getValue());
  if (layout)
    return success();
  return emitError() << llvm::toString(layout.takeError());
}

LayoutAttrInterface tirx::getLayoutAttr(MLIRContext *context,
                                        const Layout &layout) {
  if (layout.isTile())
    return TileAttr::get(context, *layout.getTile());
  auto swizzle = SwizzleAttr::get(context, *layout.getSwizzle());
  if (layout.isSwizzle())
    return swizzle;
  return ComposeAttr::get(context, swizzle,
                          TileAttr::get(context, *layout.getTile()));
}
