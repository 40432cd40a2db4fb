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
using llvm::StringRef;
namespace json = llvm::json;

static Answer toAnswer(Expected<ShapedLayout> result) {
  if (!result)
    return result.takeError();
  return json::Object{{"layout", toString(result->layout)},
                      {"shape", json::Array(result->shape)}};
}

template <class T> static Answer toTextAnswer(Expected<T> result) {
  if (!result)
    return result.takeError();
  return toString(*result);
}

static Answer runFromCuTe(const Request &request) {
  Expected<StringRef> text = request.string("text");
  if (!text)
    return text.takeError();
  Expected<Axis> axis = request.axis("axis");
  if (!axis)
    return axis.takeError();
  Expected<CuTeLayout> layout = parseCuTe(*text);
  if (!layout)
    return layout.takeError();
  return toAnswer(fromCuTe(*layout, *axis));
}

static Answer runToCuTe(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<Axis> axis = request.axis("axis");
  if (!axis)
    return axis.takeError();
  Expected<unsigned> bits = request.elementBits();
  if (!bits)
    return bits.takeError();
  return toTextAnswer(toCuTe(subject->layout, subject->shape, *bits, *axis));
}

static Answer runFromCuTeThreadValue(const Request &request) {
  Expected<StringRef> text = request.string("text");
  if (!text)
    return text.takeError();
  Expected<SmallVector<int64_t>> shape = request.integers("shape");
  if (!shape)
    return shape.takeError();
  Expected<Axis> thread = request.axis("thread");
  if (!thread)
    return thread.takeError();
  Expected<Axis> value = request.axis("value");
  if (!value)
    return value.takeError();
  Expected<CuTeLayout> layout = parseCuTe(*text);
  if (!layout)
    return layout.takeError();
  return toAnswer(fromCuTeThreadValue(*layout, *shape, *thread, *value));
}

static Answer runToCuTeThreadValue(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<Axis> thread = request.axis("thread");
  if (!thread)
    return thread.takeError();
  Expected<Axis> value = request.axis("value");
  if (!value)
    return value.takeError();
  return toTextAnswer(
      toCuTeThreadValue(subject->layout, subject->shape, *thread, *value));
}

static Answer runFromLinear(const Request &request) {
  Expected<StringRef> text = request.string("text");
  if (!text)
    return text.takeError();
  SmallVector<int64_t> shape;
  if (request.has("shape")) {
    Expected<SmallVector<int64_t>> given = request.integers("shape");
    if (!given)
      return given.takeError();
    shape = *given;
  }
  Expected<LinearLayout> layout = parseLinear(*text, shape);
  if (!layout)
    return layout.takeError();
  return toAnswer(fromLinear(*layout));
}

static Answer runToLinear(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  return toTextAnswer(toLinear(subject->layout, subject->shape));
}

//===----------------------------------------------------------------------===//
// Strides and affine maps
//===----------------------------------------------------------------------===//

static Answer runFromStrided(const Request &request) {
  Expected<StringRef> text = request.string("text");
  if (!text)
    return text.takeError();
  Expected<SmallVector<int64_t>> shape = request.integers("shape");
  if (!shape)
    return shape.takeError();
  Expected<Axis> axis = request.axis("axis");
  if (!axis)
    return axis.takeError();
  Expected<StridedForm> form = parseStrided(*text);
  if (!form)
    return form.takeError();
  return layouttool::toAnswer(fromStrided(*form, *shape, *axis));
}

static Answer runToStrided(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<Axis> axis = request.axis("axis");
  if (!axis)
    return axis.takeError();
  Expected<StridedForm> form =
      toStrided(subject->layout, subject->shape, *axis);
  if (!form)
    return form.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, *form);
  return text;
}

static Answer runFromAffine(const Request &request) {
  Expected<StringRef> text = request.string("text");
  if (!text)
    return text.takeError();
  Expected<SmallVector<int64_t>> shape = request.integers("shape");
  if (!shape)
    return shape.takeError();
  Expected<SmallVector<Axis>> axes = request.axes("axes");
  if (!axes)
    return axes.takeError();
  return layouttool::toAnswer(parseAffine(*text, *shape, *axes));
}

static Answer runToAffine(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<SmallVector<Axis>> axes = request.axes("axes");
  if (!axes)
    return axes.takeError();
  auto results = toAffine(subject->layout, subject->shape, *axes);
  if (!results)
    return results.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  printAffine(os, subject->shape.size(), *results);
  return text;
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
