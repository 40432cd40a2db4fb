//===- Layouts.cpp - operations on layouts through the C API --------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include "Difference.h"
#include "Elements.h"
#include "Requests.h"
#include "Show.h"
#include "Svg.h"
#include "TIRx/Layout/Text.h"

using namespace llvm;
using namespace tirx;
using namespace tirx::capi;
using namespace tirx::layouttool;

/// Requests come from programs of the user's own, but a slip in an extent must
/// not take minutes.
static constexpr int64_t kMaxPoints = int64_t(1) << 28;

TirxResult *tirxAnswerLayoutRequest(TirxString request) {
  RequestLimits limits;
  limits.points = kMaxPoints;
  auto *result = new TirxResult;
  json::Value answer = answerRequest(toRef(request), limits);
  if (const json::Object *object = answer.getAsObject())
    result->succeeded = !object->get("error");
  result->setJson("answer", answer);
  return result;
}

namespace {
/// A request to show something, checked.
struct Subject {
  std::vector<Layout> layouts; ///< one or two of one shape
  SmallVector<int64_t> shape;
  unsigned elementBits = 0;
  std::optional<SmallVector<int64_t>> at;
  bool explain = false, svg = false;
};
} // namespace

static Expected<SmallVector<int64_t>> getList(const json::Object &object,
                                              StringRef key) {
  SmallVector<int64_t> list;
  const json::Array *array = object.getArray(key);
  if (!array)
    return createStringError(key + ": expected a list of integers");
  for (const json::Value &entry : *array) {
    auto value = entry.getAsInteger();
    if (!value)
      return createStringError(key + ": expected a list of integers");
    list.push_back(*value);
  }
  return list;
}

/// Appends the layout of a key, under the shape of those before it.
static Error addLayout(Subject &subject, StringRef text) {
  Expected<Layout> layout = parseLayout(text, AxisTable());
  if (!layout)
    return layout.takeError();
  Expected<SmallVector<int64_t>> shape = getShape(*layout, subject.shape);
  if (!shape)
    return shape.takeError();
  Expected<Layout> full = fitToShape(*layout, *shape);
  if (!full)
    return full.takeError();
  subject.shape = *shape;
  subject.layouts.push_back(*full);
  return Error::success();
}

static Expected<Subject> parseSubject(const json::Object &object) {
  Subject subject;
  if (object.get("shape")) {
    auto shape = getList(object, "shape");
    if (!shape)
      return shape.takeError();
    for (int64_t extent : *shape)
      if (extent < 1)
        return createStringError("shape: expected positive extents");
    subject.shape = *shape;
  }
  if (auto name = object.getString("dtype")) {
    auto bits = parseElementType(*name);
    if (!bits)
      return bits.takeError();
    subject.elementBits = *bits;
  }
  auto layout = object.getString("layout");
  if (!layout || layout->empty())
    return createStringError("layout: expected the text of a layout");
  if (Error error = addLayout(subject, *layout))
    return std::move(error);
  if (auto other = object.getString("other"))
    if (Error error = addLayout(subject, *other))
      return std::move(error);
  if (object.get("at")) {
    auto index = getList(object, "at");
    if (!index)
      return index.takeError();
    subject.at = *index;
  }
  subject.explain = object.getBoolean("explain").value_or(false);
  StringRef format = object.getString("format").value_or("text");
  if (format != "text" && format != "svg")
    return createStringError("format: expected text or svg, got '" + format +
                             "'");
  subject.svg = format == "svg";
  return subject;
}

static Error showGrids(raw_ostream &os, const Subject &subject) {
  std::vector<Picture> pictures;
  for (const Layout &layout : subject.layouts) {
    auto picture = Picture::get(layout, subject.shape, subject.elementBits);
    if (!picture)
      return picture.takeError();
    pictures.push_back(std::move(*picture));
  }
  std::string verdict =
      pictures.size() == 2 ? describeDifference(pictures[0], pictures[1]) : "";
  if (subject.svg) {
    writeSvg(os, pictures, {}, verdict);
    return Error::success();
  }
  for (const Picture &picture : pictures)
    show(os, picture);
  if (!verdict.empty())
    os << verdict << '\n';
  return Error::success();
}

static Error showAt(raw_ostream &os, const Subject &subject) {
  if (Error error = checkIndex(*subject.at, subject.shape))
    return error;
  for (const Layout &layout : subject.layouts) {
    if (Error error = checkCopies(layout))
      return error;
    auto print = subject.explain ? showExplanation : showElement;
    print(os, layout, subject.shape, *subject.at, subject.elementBits);
  }
  return Error::success();
}

TirxResult *tirxShowLayout(TirxString request) {
  auto object = parseOptions(request);
  if (!object)
    return fail(object.takeError());
  auto subject = parseSubject(*object);
  if (!subject)
    return fail(subject.takeError());
  std::string text;
  raw_string_ostream os(text);
  if (Error error =
          subject->at ? showAt(os, *subject) : showGrids(os, *subject))
    return fail(std::move(error));
  auto *result = new TirxResult;
  result->set("text", std::move(text));
  return result;
}
