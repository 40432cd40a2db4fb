//===- PointRequests.cpp - requests about elements ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Formula.h"
#include "TIRx/Layout/Agreement.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

/// All axes of the layout, zeros included.
static json::Value toJson(const Coordinates &point, ArrayRef<Axis> axes) {
  json::Object object;
  for (Axis axis : axes)
    object[axis.getName()] = point.get(axis);
  return object;
}

static json::Array toJson(ArrayRef<Coordinates> points, ArrayRef<Axis> axes) {
  json::Array array;
  for (const Coordinates &point : points)
    array.push_back(toJson(point, axes));
  return array;
}

static Expected<json::Value> toJsonImage(const Layout &layout, int64_t flat) {
  if (llvm::Error error = checkCopies(layout))
    return std::move(error);
  return toJson(getSortedImage(layout, flat), layout.getAxes());
}

namespace {
struct ShapedElement {
  ShapedLayout subject;
  SmallVector<int64_t> index;
  int64_t flat;
};
} // namespace

/// `index` is a list with an entry for each dimension, or the flat index.
static Expected<ShapedElement> getElement(const Request &request) {
  Expected<ShapedLayout> subject = getShapedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<const json::Value *> value = request.value("index");
  if (!value)
    return value.takeError();
  ArrayRef<int64_t> shape = subject->shape;
  if (std::optional<int64_t> flat = (*value)->getAsInteger()) {
    if (llvm::Error error = checkIndex({*flat}, {*subject->layout.getSize()}))
      return std::move(error);
    return ShapedElement{*subject, unflatten(*flat, shape), *flat};
  }
  Expected<SmallVector<int64_t>> index = toIntegers(**value, "key 'index'");
  if (!index)
    return index.takeError();
  if (llvm::Error error = checkIndex(*index, shape))
    return std::move(error);
  return ShapedElement{*subject, *index, flatten(*index, shape)};
}

static ShapedElement readElement(Arguments &arguments, const Request &request) {
  return arguments.valueOr<ShapedElement>(getElement(request),
                                          {{arguments.layout(), {}}, {}, 0});
}

static Answer runApply(const Request &request) {
  Arguments arguments(request);
  ShapedElement element = readElement(arguments, request);
  return arguments.answer([&] {
    const Layout &layout = element.subject.layout;
    return toJson(layout.apply(element.flat), layout.getAxes());
  });
}

static Answer runImage(const Request &request) {
  Arguments arguments(request);
  ShapedElement element = readElement(arguments, request);
  return arguments.answer(
      [&] { return toJsonImage(element.subject.layout, element.flat); });
}

static Answer runExplain(const Request &request) {
  Arguments arguments(request);
  ShapedElement element = readElement(arguments, request);
  unsigned bits = arguments.elementBits(/*required=*/false);
  return arguments.answer([&]() -> Answer {
    const auto &[layout, shape] = element.subject;
    if (llvm::Error error = checkCopies(layout))
      return std::move(error);
    json::Array facts;
    for (const Fact &fact : explain(layout, shape, element.index, bits))
      facts.push_back(json::Array{fact.name, fact.text});
    return facts;
  });
}

static Answer runFormula(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  return arguments.answer([&] {
    return json::Value(
        json::Array(describeFormula(subject.layout, subject.shape)));
  });
}

static Answer runSize(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  return arguments.answer([&] {
    std::optional<int64_t> size = layout.getSize();
    return size ? json::Value(*size) : json::Value(nullptr);
  });
}

static Answer runSpans(const Request &request) {
  Arguments arguments(request);
  ShapedLayout subject = arguments.shaped();
  return arguments.answer([&] {
    json::Object spans;
    for (Axis axis : subject.layout.getAxes()) {
      Span span = subject.layout.getSpan(axis);
      spans[axis.getName()] = json::Array{span.min, span.max};
    }
    return json::Value(std::move(spans));
  });
}

static Answer runEqual(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout(), other = arguments.layout("other");
  return arguments.answer([&] { return isEqual(layout, other); });
}

static Answer runDifference(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout(), other = arguments.layout("other");
  if (layout.getSize() != other.getSize())
    arguments.note("expected layouts of one size at keys 'layout' and "
                   "'other'");
  return arguments.answer([&]() -> Answer {
    std::optional<int64_t> flat = findDifference(layout, other);
    if (!flat) {
      if (!isEqual(layout, other))
        return makeError("expected layouts whose first difference is within "
                         "2^24 elements and copies, or under one swizzle");
      return nullptr;
    }
    Expected<json::Value> image = toJsonImage(layout, *flat);
    if (!image)
      return image.takeError();
    Expected<json::Value> otherImage = toJsonImage(other, *flat);
    if (!otherImage)
      return otherImage.takeError();
    return json::Object{
        {"flat", *flat}, {"layout", *image}, {"other", *otherImage}};
  });
}

/// A tensor and where a region of it begins.
static LayoutRegion getRegion(Arguments &arguments, StringRef key,
                              StringRef prefix) {
  ShapedLayout tensor = arguments.shaped(key, (prefix + "shape").str());
  SmallVector<int64_t> offsets = arguments.integers((prefix + "offsets").str());
  LayoutRegion region{tensor.layout, {}, {}};
  region.shape.assign(tensor.shape.begin(), tensor.shape.end());
  region.offsets.assign(offsets.begin(), offsets.end());
  return region;
}

static Answer runDisagreement(const Request &request) {
  Arguments arguments(request);
  LayoutRegion lhs = getRegion(arguments, "layout", "");
  LayoutRegion rhs = getRegion(arguments, "other", "other_");
  SmallVector<int64_t> sizes = arguments.integers("sizes");
  return arguments.answer([&]() -> Answer {
    Expected<std::optional<Disagreement>> found =
        findDisagreement(lhs, rhs, sizes);
    if (!found)
      return found.takeError();
    if (!*found)
      return nullptr;
    return json::Object{{"coordinate", json::Array((*found)->coordinate)},
                        {"layout", toJson((*found)->lhs, lhs.layout.getAxes())},
                        {"other", toJson((*found)->rhs, rhs.layout.getAxes())}};
  });
}

static Answer runInjective(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  return arguments.answer([&] { return isInjective(layout); });
}

ArrayRef<Operation> layouttool::getPointOperations() {
  static const Operation operations[] = {
      {"apply", runApply},         {"image", runImage},
      {"explain", runExplain},     {"formula", runFormula},
      {"size", runSize},           {"spans", runSpans},
      {"equal", runEqual},         {"difference", runDifference},
      {"injective", runInjective}, {"disagreement", runDisagreement},
  };
  return operations;
}
