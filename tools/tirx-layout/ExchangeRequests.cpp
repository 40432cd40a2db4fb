//===- ExchangeRequests.cpp - requests in the notations of others ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "TIRx/Layout/Exchange/CuTe.h"
#include "TIRx/Layout/Exchange/LinearLayout.h"
#include "TIRx/Layout/Exchange/Strided.h"
#include "TIRx/Layout/Text.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
namespace json = llvm::json;

/// A layout with its shape, of a text that was parsed, or not.
template <class T, class Convert>
static Answer readText(Expected<T> text, Convert convert) {
  if (!text)
    return text.takeError();
  Expected<ShapedLayout> result = convert(*text);
  if (!result)
    return result.takeError();
  return json::Object{{"layout", toString(result->layout)},
                      {"shape", json::Array(result->shape)}};
}

template <class T> static Expected<std::string> toText(Expected<T> result) {
  if (!result)
    return result.takeError();
  return toString(*result);
}

//===----------------------------------------------------------------------===//
// CuTe
//===----------------------------------------------------------------------===//

static Answer runFromCuTe(const Request &request) {
  Arguments arguments(request);
  std::string text = arguments.string("text");
  Axis axis = arguments.axis("axis");
  return arguments.answer([&] {
    return readText(parseCuTe(text), [&](const CuTeLayout &layout) {
      return fromCuTe(layout, axis);
    });
  });
}

static Answer runToCuTe(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  Axis axis = arguments.axis("axis");
  unsigned bits = arguments.elementBits(/*required=*/false);
  return arguments.answer([&] {
    return toText(toCuTe(subject.layout, subject.shape, bits, axis));
  });
}

static Answer runFromCuTeThreadValue(const Request &request) {
  Arguments arguments(request);
  std::string text = arguments.string("text");
  SmallVector<int64_t> shape = arguments.integers("shape");
  Axis thread = arguments.axis("thread"), value = arguments.axis("value");
  return arguments.answer([&]() -> Answer {
    Expected<CuTeLayout> layout = parseCuTe(text);
    if (!layout)
      return layout.takeError();
    return layouttool::toAnswer(
        fromCuTeThreadValue(*layout, shape, thread, value));
  });
}

static Answer runToCuTeThreadValue(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  Axis thread = arguments.axis("thread"), value = arguments.axis("value");
  return arguments.answer([&] {
    return toText(
        toCuTeThreadValue(subject.layout, subject.shape, thread, value));
  });
}

//===----------------------------------------------------------------------===//
// Triton
//===----------------------------------------------------------------------===//

static Answer runFromLinear(const Request &request) {
  Arguments arguments(request);
  std::string text = arguments.string("text");
  SmallVector<int64_t> shape;
  if (request.has("shape"))
    shape = arguments.integers("shape");
  return arguments.answer([&] {
    return readText(parseLinear(text, shape), [](const LinearLayout &layout) {
      return fromLinear(layout);
    });
  });
}

static Answer runToLinear(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  return arguments.answer(
      [&] { return toText(toLinear(subject.layout, subject.shape)); });
}

//===----------------------------------------------------------------------===//
// Strides and affine maps
//===----------------------------------------------------------------------===//

static Answer runFromStrided(const Request &request) {
  Arguments arguments(request);
  std::string text = arguments.string("text");
  SmallVector<int64_t> shape = arguments.integers("shape");
  Axis axis = arguments.axis("axis");
  return arguments.answer([&]() -> Answer {
    Expected<StridedForm> form = parseStrided(text);
    if (!form)
      return form.takeError();
    return layouttool::toAnswer(fromStrided(*form, shape, axis));
  });
}

static Answer runToStrided(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  Axis axis = arguments.axis("axis");
  return arguments.answer([&]() -> Answer {
    Expected<StridedForm> form = toStrided(subject.layout, subject.shape, axis);
    if (!form)
      return form.takeError();
    std::string text;
    llvm::raw_string_ostream os(text);
    print(os, *form);
    return text;
  });
}

static Answer runFromAffine(const Request &request) {
  Arguments arguments(request);
  std::string text = arguments.string("text");
  SmallVector<int64_t> shape = arguments.integers("shape");
  SmallVector<Axis> axes = arguments.axes("axes");
  return arguments.answer([&] { return parseAffine(text, shape, axes); });
}

static Answer runToAffine(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  SmallVector<Axis> axes = arguments.axes("axes");
  return arguments.answer([&]() -> Answer {
    auto results = toAffine(subject.layout, subject.shape, axes);
    if (!results)
      return results.takeError();
    std::string text;
    llvm::raw_string_ostream os(text);
    printAffine(os, subject.shape.size(), *results);
    return text;
  });
}

llvm::ArrayRef<Operation> layouttool::getExchangeOperations() {
  static const Operation operations[] = {
      {"from_cute", runFromCuTe},
      {"to_cute", runToCuTe},
      {"from_cute_tv", runFromCuTeThreadValue},
      {"to_cute_tv", runToCuTeThreadValue},
      {"from_triton", runFromLinear},
      {"to_triton", runToLinear},
      {"from_strided", runFromStrided},
      {"to_strided", runToStrided},
      {"from_affine", runFromAffine},
      {"to_affine", runToAffine},
  };
  return operations;
}
