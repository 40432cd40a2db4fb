//===- FunctionRequests.cpp - requests for compositions and inverses ------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
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

static Box readBox(Arguments &arguments, const Request &request,
                   StringRef key = "box") {
  return arguments.valueOr<Box>(getBox(request, key), {});
}

/// `layout` after `inner`.
static Answer runCompose(const Request &request) {
  Arguments arguments(request);
  Layout outer = arguments.layout(), inner = arguments.layout("inner");
  if (!request.has("box"))
    return arguments.answer([&] { return compose(outer, inner); });
  Box box = readBox(arguments, request);
  return arguments.answer([&] { return compose(outer, inner, box); });
}

static Answer runInverse(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  Box box = readBox(arguments, request);
  if (!request.has("domain"))
    return arguments.answer([&] { return inverse(layout, box); });
  Box domain = readBox(arguments, request, "domain");
  return arguments.answer([&] { return inverse(layout, box, domain); });
}

static Answer runLeftInverse(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  Box box = readBox(arguments, request);
  return arguments.answer([&] { return leftInverse(layout, box); });
}

static Answer runRightInverse(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  SmallVector<Axis> axes = arguments.axes("axes");
  return arguments.answer([&]() -> Answer {
    Expected<RightInverse> result = rightInverse(layout, axes);
    if (!result)
      return result.takeError();
    return json::Object{{"layout", layouttool::toJson(result->layout)},
                        {"box", toJson(result->box)}};
  });
}

static Answer runComplement(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  Box box = readBox(arguments, request);
  return arguments.answer([&]() -> Answer {
    Expected<TileLayout> result = complement(layout, box);
    if (!result)
      return result.takeError();
    return layouttool::toJson(Layout(*result));
  });
}

template <bool (*holds)(const Layout &, ArrayRef<AxisExtent>)>
static Answer runHolds(const Request &request) {
  Arguments arguments(request);
  Layout layout = arguments.layout();
  Box box = readBox(arguments, request);
  return arguments.answer([&] { return holds(layout, box); });
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
