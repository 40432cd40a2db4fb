//===- Html.cpp - layouts as a page for a browser -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Html.h"
#include "Formula.h"
#include "Page.h"
#include "Svg.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Data of the page: page/evaluate.js and page/grids.js read it
//===----------------------------------------------------------------------===//

static int64_t indexOf(ArrayRef<Axis> axes, Axis axis) {
  auto it = llvm::find(axes, axis);
  return it == axes.end() ? -1 : it - axes.begin();
}

static json::Array toJson(ArrayRef<Iter> iters, ArrayRef<Axis> axes) {
  json::Array array;
  for (const Iter &iter : iters)
    array.push_back(
        json::Array{iter.extent, iter.stride, indexOf(axes, iter.axis)});
  return array;
}

static json::Array toJson(ArrayRef<GridAxis> gridAxes, ArrayRef<Axis> axes) {
  json::Array array;
  for (const GridAxis &entry : gridAxes)
    array.push_back(
        json::Array{indexOf(axes, entry.axis), entry.span.min, entry.span.max});
  return array;
}

static json::Object toJson(const PhysicalGrid &grid, ArrayRef<Axis> axes) {
  return json::Object{{"title", grid.getTitle()},
                      {"rows", grid.getRows()},
                      {"columns", grid.getColumns()},
                      {"fold", grid.getFold()},
                      {"firstRow", grid.getFirstRow()},
                      {"rowAxes", toJson(grid.getRowAxes(), axes)},
                      {"columnAxes", toJson(grid.getColumnAxes(), axes)}};
}

static json::Value toJson(const SwizzleLayout *swizzle) {
  if (!swizzle)
    return nullptr;
  return json::Object{{"perElement", swizzle->getPerElement()},
                      {"swizzleLen", swizzle->getSwizzleLen()},
                      {"atomLen", swizzle->getAtomLen()},
                      {"outer", swizzle->isOuter()}};
}

/// What page/evaluate.js needs of a layout.
static json::Object toJson(const Layout &layout) {
  const TileLayout &tile = *layout.getTile();
  SmallVector<Axis> axes = layout.getAxes();
  json::Array names, offset;
  for (Axis axis : axes)
    names.push_back(axis.getName());
  for (const AxisOffset &entry : tile.getOffset())
    offset.push_back(json::Array{entry.value, indexOf(axes, entry.axis)});
  return json::Object{{"text", toString(layout)},
                      {"axes", std::move(names)},
                      {"memory", indexOf(axes, memoryAxis())},
                      {"shard", toJson(tile.getShard(), axes)},
                      {"replica", toJson(tile.getReplica(), axes)},
                      {"offset", std::move(offset)},
                      {"swizzle", toJson(layout.getSwizzle())}};
}

static json::Object toJson(const Picture &picture, StringRef name) {
  json::Object object = toJson(picture.layout);
  json::Array facts;
  for (const Fact &fact : describeFacts(picture.layout, picture.elementBits))
    facts.push_back(fact.text);
  object["name"] = name;
  object["formula"] =
      json::Array(describeFormula(picture.layout, picture.logical.getShape()));
  object["facts"] = std::move(facts);
  object["physical"] = toJson(picture.physical, picture.layout.getAxes());
  return object;
}

static json::Value toJson(const AccessView &view) {
  return json::Object{{"threads", toJson(view.access.threads)},
                      {"vector", view.access.vector},
                      {"worst", json::Array(view.worst)}};
}

static json::Object toJson(ArrayRef<Picture> pictures,
                           ArrayRef<AccessView> accesses, StringRef verdict) {
  const LogicalGrid &logical = pictures[0].logical;
  json::Array layouts, views;
  for (const AccessView &view : accesses)
    views.push_back(toJson(view));
  for (auto [i, picture] : llvm::enumerate(pictures))
    layouts.push_back(toJson(picture, i == 0 ? "A" : "B"));
  return json::Object{
      {"shape", json::Array(logical.getShape())},
      {"bits", int64_t(pictures[0].elementBits)},
      {"logical", json::Object{{"rows", logical.getRows()},
                               {"columns", logical.getColumns()},
                               {"split", int64_t(logical.getSplit())},
                               {"wrapped", logical.isWrapped()}}},
      {"colourBy", pictures[0].getThreadAxisName()},
      {"layouts", std::move(layouts)},
      {"accesses", std::move(views)},
      {"verdict", verdict}};
}

//===----------------------------------------------------------------------===//
// Page
//===----------------------------------------------------------------------===//

/// JSON inside a script element, which only `</script` would end.
static std::string escapeScript(StringRef text) {
  std::string escaped;
  for (char c : text)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  return escaped;
}

void layouttool::writeHtml(llvm::raw_ostream &os, ArrayRef<Picture> pictures,
                           ArrayRef<AccessView> accesses, StringRef verdict) {
  std::string data;
  llvm::raw_string_ostream(data)
      << json::Value(toJson(pictures, accesses, verdict));
  StringRef page = page::html;
  while (!page.empty()) {
    auto [text, rest] = page.split('@');
    auto [key, after] = rest.split('@');
    os << text;
    if (key == "TITLE")
      os << escapeMarkup(toString(pictures[0].layout));
    else if (key == "STYLE")
      os << page::palette << page::style;
    else if (key == "DATA")
      os << escapeScript(data);
    else if (key == "SCRIPT")
      os << page::script;
    page = after;
  }
}
