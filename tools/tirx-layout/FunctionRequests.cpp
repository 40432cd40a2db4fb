//===- FunctionRequests.cpp - requests for compositions and inverses ------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include "TIRx/Layout/Functions.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

using Box = SmallVector<AxisExtent, 4>;

/// `[["laneid", 32], ["m", 2]]`.
static Expected<Box> getBox(const Request &request, StringRef key) {
  Expected<const json::Value *> value = request.value(key);
  if (!value)
    return value.takeError();
  auto malformed = [&] {
    return makeError("expected a list of axes with extents, "
                     "[[\"laneid\", 32], ...], at key '" +
                     key + "'");
  };
  const json::Array *array = (*value)->getAsArray();
  if (!array)
    return malformed();
  Box box;
  for (const json::Value &item : *array) {
    const json::Array *pair = item.getAsArray();
    if (!pair || pair->size() != 2)
      return malformed();
    std::optional<StringRef> name = (*pair)[0].getAsString();
    std::optional<int64_t> extent = (*pair)[1].getAsInteger();
    if (!name || !extent)
      return malformed();
    Expected<Axis> axis = toAxis(*name, key);
    if (!axis)
      return axis.takeError();
    box.push_back({*axis, *extent});
  }
  return box;
}

static json::Value toJson(ArrayRef<AxisExtent> box) {
  json::Array array;
  for (const AxisExtent &entry : box)
    array.push_back(json::Array{entry.axis.getName(), entry.extent});
  return array;
}

/// `layout` after `inner`.
static Answer runCompose(const Request &request) {
  Expected<Layout> outer = request.layout();
  if (!outer)
    return outer.takeError();
  Expected<Layout> inner = request.layout("inner");
  if (!inner)
    return inner.takeError();
  if (!request.has("box"))
    return toAnswer(compose(*outer, *inner));
  Expected<Box> box = getBox(request, "box");
  if (!box)
    return box.takeError();
  return toAnswer(compose(*outer, *inner, *box));
}

namespace {
struct BoxedLayout {
  Layout layout;
  Box box;
};
} // namespace

static Expected<BoxedLayout> getBoxedLayout(const Request &request) {
  Expected<Layout> layout = request.layout();
  if (!layout)
    return layout.takeError();
  Expected<Box> box = getBox(request, "box");
  if (!box)
    return box.takeError();
  return BoxedLayout{*layout, *box};
}

static Answer runInverse(const Request &request) {
  Expected<BoxedLayout> subject = getBoxedLayout(request);
  if (!subject)
    return subject.takeError();
  if (!request.has("domain"))
    return toAnswer(inverse(subject->layout, subject->box));
  Expected<Box> domain = getBox(request, "domain");
  if (!domain)
    return domain.takeError();
  return toAnswer(inverse(subject->layout, subject->box, *domain));
}

static Answer runLeftInverse(const Request &request) {
  Expected<BoxedLayout> subject = getBoxedLayout(request);
  if (!subject)
    return subject.takeError();
  return toAnswer(leftInverse(subject->layout, subject->box));
}

static Answer runRightInverse(const Request &request) {
  Expected<Layout> layout = request.layout();
  if (!layout)
    return layout.takeError();
  Expected<SmallVector<Axis>> axes = request.axes("axes");
  if (!axes)
    return axes.takeError();
  Expected<RightInverse> result = rightInverse(*layout, *axes);
  if (!result)
    return result.takeError();
  return json::Object{{"layout", layouttool::toJson(result->layout)},
                      {"box", toJson(result->box)}};
}

static Answer runComplement(const Request &request) {
  Expected<BoxedLayout> subject = getBoxedLayout(request);
  if (!subject)
    return subject.takeError();
  Expected<TileLayout> result = complement(subject->layout, subject->box);
  if (!result)
    return result.takeError();
  return layouttool::toJson(Layout(*result));
}

template <bool (*holds)(const Layout &, ArrayRef<AxisExtent>)>
static Answer runHolds(const Request &request) {
  Expected<BoxedLayout> subject = getBoxedLayout(request);
  if (!subject)
    return subject.takeError();
  return holds(subject->layout, subject->box);
}

ArrayRef<Operation> layouttool::getFunctionOperations() {
  static const Operation operations[] = {
      {"compose", runCompose},
      {"inverse", runInverse},
      {"left_inverse", runLeftInverse},
      {"right_inverse", runRightInverse},
      {"complement", runComplement},
      {"surjective", runHolds<isSurjective>},
      {"bijective", runHolds<isBijective>},
  };
  return operations;
}
