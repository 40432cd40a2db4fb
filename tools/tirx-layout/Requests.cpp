//===- Requests.cpp - operations on layouts for programs ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Widest element type.
static constexpr int64_t kMaxBits = 128;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Expected<StringRef> Request::string(StringRef key) const {
  if (std::optional<StringRef> text = arguments.getString(key))
    return *text;
  return makeError("expected a string at key '" + key + "'");
}

Expected<unsigned> Request::elementBits() const {
  if (has("dtype")) {
    Expected<StringRef> name = string("dtype");
    if (!name)
      return name.takeError();
    return parseElementType(*name);
  }
  if (!has("bits"))
    return 0u;
  Expected<int64_t> bits = integer("bits");
  if (!bits)
    return bits.takeError();
  if (*bits < 1 || *bits > kMaxBits)
    return makeError("expected 'bits' from 1 to " + Twine(kMaxBits) + ", got " +
                     Twine(*bits));
  return unsigned(*bits);
}

Expected<Layout> Request::layout(StringRef key) const {
  Expected<Layout> layout = getLayout(arguments, key);
  if (!layout)
    return layout.takeError();
  if (const TileLayout *tile = layout->getTile()) {
    int64_t points;
    if (llvm::MulOverflow(tile->getSize(), tile->getReplicaCount(), points) ||
        points > limits.points)
      return makeError("key '" + key + "': expected a layout of at most " +
                       Twine(limits.points) + " points, got a size of " +
                       Twine(tile->getSize()) + " and " +
                       Twine(tile->getReplicaCount()) + " copies");
  }
  return layout;
}

Expected<TileLayout> Request::tile(StringRef key) const {
  Expected<Layout> layout = this->layout(key);
  if (!layout)
    return layout.takeError();
  if (!layout->isTile())
    return makeError("key '" + key + "': expected a tile, got " +
                     toString(*layout));
  return *layout->getTile();
}

Expected<Axis> layouttool::toAxis(StringRef name, StringRef key) {
  if (Axis axis = lookupBuiltinAxis(name))
    return axis;
  return makeError("key '" + key + "': expected one of the axes " +
                   AxisTable().describeNames() + ", got '" + name + "'");
}

Expected<Axis> Request::axis(StringRef key) const {
  if (!has(key))
    return memoryAxis();
  Expected<StringRef> name = string(key);
  if (!name)
    return name.takeError();
  return toAxis(*name, key);
}

Expected<SmallVector<Axis>> Request::axes(StringRef key) const {
  if (!has(key))
    return SmallVector<Axis>{memoryAxis()};
  const json::Array *names = arguments.getArray(key);
  if (!names)
    return makeError("expected a list of axes at key '" + key + "'");
  SmallVector<Axis> axes;
  for (const json::Value &name : *names) {
    Expected<Axis> axis = toAxis(name.getAsString().value_or(""), key);
    if (!axis)
      return axis.takeError();
    axes.push_back(*axis);
  }
  return axes;
}

Expected<ShapedLayout> layouttool::getShapedLayout(const Request &request,
                                                   StringRef key,
                                                   StringRef shapeKey) {
  Expected<Layout> layout = request.layout(key);
  if (!layout)
    return layout.takeError();
  Expected<SmallVector<int64_t>> given = request.has(shapeKey)
                                             ? request.integers(shapeKey)
                                             : getShape(*layout, /*given=*/{});
  if (!given)
    return given.takeError();
  SmallVector<int64_t> shape = *given;
  for (int64_t extent : shape)
    if (extent < 1)
      return makeError("key '" + shapeKey +
                       "': expected extents of at least 1, got " +
                       Twine(extent));
  Expected<Layout> full = fitToShape(*layout, shape);
  if (!full)
    return full.takeError();
  return ShapedLayout{*full, shape};
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

json::Value layouttool::toJson(const Layout &layout) {
  return toString(layout);
}

json::Value layouttool::toJson(const Iter &iter) {
  return json::Object{{"extent", iter.extent},
                      {"stride", iter.stride},
                      {"axis", iter.axis.getName()}};
}

Answer layouttool::toAnswer(Expected<Layout> layout) {
  if (!layout)
    return layout.takeError();
  return toJson(*layout);
}

Answer layouttool::toAnswer(Expected<std::string> text) {
  if (!text)
    return text.takeError();
  return json::Value(*text);
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static SmallVector<llvm::ArrayRef<Operation>> getOperationLists() {
  return {getPointOperations(),      getLayoutOperations(),
          getAlgebraOperations(),    getFunctionOperations(),
          getFactoryOperations(),    getExchangeOperations(),
          getDescriptorOperations(), getAccessOperations()};
}

static const Operation *findOperation(StringRef name) {
  for (llvm::ArrayRef<Operation> list : getOperationLists())
    for (const Operation &operation : list)
      if (operation.name == name)
        return &operation;
  return nullptr;
}

static json::Value listOperations() {
  json::Array names{"operations"};
  for (llvm::ArrayRef<Operation> list : getOperationLists())
    for (const Operation &operation : list)
      names.push_back(StringRef(operation.name));
  return json::Value(std::move(names));
}

Answer layouttool::runRequest(const json::Object &object,
                              const RequestLimits &limits) {
  Request request(object, limits);
  Expected<StringRef> name = request.string("op");
  if (!name)
    return name.takeError();
  if (*name == "operations")
    return listOperations();
  if (const Operation *operation = findOperation(*name))
    return operation->run(request);
  return makeError("expected an operation at key 'op', got '" + *name + "'");
}

json::Value layouttool::answerRequest(StringRef text,
                                      const RequestLimits &limits) {
  json::Object answer;
  auto fail = [&](llvm::Error error) {
    // A message may quote a piece of the request that ends inside a character.
    answer["error"] = json::fixUTF8(llvm::toString(std::move(error)));
    return json::Value(std::move(answer));
  };
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return fail(value.takeError());
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail(makeError("expected an object as request"));
  if (const json::Value *id = object->get("id"))
    answer["id"] = *id;
  Answer result = runRequest(*object, limits);
  if (!result)
    return fail(result.takeError());
  answer["result"] = std::move(*result);
  return answer;
}

llvm::Error layouttool::answerFile(llvm::raw_ostream &os, StringRef path,
                                   const RequestLimits &limits) {
  // Lines as they come, so that a program may wait for each answer.
  std::string name = path.str();
  FILE *file = path == "-" ? stdin : std::fopen(name.c_str(), "r");
  if (!file)
    return makeError("cannot read '" + path + "': " +
                     std::error_code(errno, std::generic_category()).message());
  char *line = nullptr;
  size_t capacity = 0;
  for (ssize_t length; (length = getline(&line, &capacity, file)) >= 0;) {
    StringRef text = StringRef(line, length).trim();
    if (text.empty())
      continue;
    os << answerRequest(text, limits) << '\n';
    os.flush();
  }
  bool failed = std::ferror(file);
  std::free(line);
  if (file != stdin)
    std::fclose(file);
  return failed ? makeError("cannot read '" + path + "'")
                : llvm::Error::success();
}
