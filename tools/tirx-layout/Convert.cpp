//===- Convert.cpp - layouts in the notations of others -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Elements.h"
#include "TIRx/Layout/Exchange/CuTe.h"
#include "TIRx/Layout/Exchange/LinearLayout.h"
#include "TIRx/Layout/Exchange/Strided.h"
#include "TIRx/Layout/Text.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

/// A layout under a shape, which may be empty: then its own extents.
static Expected<ShapedLayout> withShape(Expected<Layout> layout,
                                        ArrayRef<int64_t> shape) {
  if (!layout)
    return layout.takeError();
  Expected<SmallVector<int64_t>> full = getShape(*layout, shape);
  if (!full)
    return full.takeError();
  Expected<Layout> fitted = fitToShape(*layout, *full);
  if (!fitted)
    return fitted.takeError();
  return ShapedLayout{*fitted, *full};
}

static llvm::Error needShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return makeError("expected --shape: this notation has none");
  return llvm::Error::success();
}

static Expected<ShapedLayout> parse(StringRef text, Notation from,
                                    ArrayRef<int64_t> shape) {
  switch (from) {
  case Notation::TIRx:
    return withShape(parseLayout(text, AxisTable()), shape);
  case Notation::CuTe: {
    Expected<CuTeLayout> layout = parseCuTe(text);
    if (!layout)
      return layout.takeError();
    Expected<ShapedLayout> shaped = fromCuTe(*layout);
    if (!shaped || shape.empty())
      return shaped;
    return withShape(shaped->layout, shape);
  }
  case Notation::Triton: {
    Expected<LinearLayout> layout = parseLinear(text, shape);
    if (!layout)
      return layout.takeError();
    return fromLinear(*layout);
  }
  case Notation::Strided: {
    Expected<StridedForm> form = parseStrided(text);
    if (!form)
      return form.takeError();
    if (llvm::Error error = needShape(shape))
      return std::move(error);
    return withShape(fromStrided(*form, shape), shape);
  }
  case Notation::Affine:
    if (llvm::Error error = needShape(shape))
      return std::move(error);
    return withShape(parseAffine(text, shape, {memoryAxis()}), shape);
  }
  llvm_unreachable("all notations handled");
}

template <class Print> static std::string toText(Print print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

static Expected<std::string> printAs(const ShapedLayout &shaped, Notation to,
                                     unsigned elementBits) {
  const Layout &layout = shaped.layout;
  ArrayRef<int64_t> shape = shaped.shape;
  switch (to) {
  case Notation::TIRx:
    return toString(layout);
  case Notation::CuTe: {
    Expected<CuTeLayout> result = toCuTe(layout, shape, elementBits);
    if (!result)
      return result.takeError();
    return toString(*result);
  }
  case Notation::Triton: {
    Expected<LinearLayout> result = toLinear(layout, shape);
    if (!result)
      return result.takeError();
    return toString(*result);
  }
  case Notation::Strided: {
    Expected<StridedForm> result = toStrided(layout, shape);
    if (!result)
      return result.takeError();
    return toText([&](llvm::raw_ostream &os) { tirx::print(os, *result); });
  }
  case Notation::Affine: {
    auto results = toAffine(layout, shape, layout.getAxes());
    if (!results)
      return results.takeError();
    return toText([&](llvm::raw_ostream &os) {
      printAffine(os, shape.size(), *results);
    });
  }
  }
  llvm_unreachable("all notations handled");
}

Expected<std::string> layouttool::convert(StringRef text, Notation from,
                                          Notation to, ArrayRef<int64_t> shape,
                                          unsigned elementBits) {
  Expected<ShapedLayout> shaped = parse(text, from, shape);
  if (!shaped)
    return shaped.takeError();
  return printAs(*shaped, to, elementBits);
}
