//===- Json.cpp - JSON that others wrote ----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr unsigned kMaxNesting = 64;

/// The deepest nesting of brackets outside strings.
static unsigned findNesting(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth != 0) {
      --depth;
    }
  }
  return deepest;
}

/// Whether all numbers are finite: the parser reads 1e999 as infinity, which
/// cannot be written again.
static bool isFinite(const json::Value &value) {
  if (std::optional<double> number = value.getAsNumber())
    return std::isfinite(*number);
  if (const json::Array *array = value.getAsArray())
    return llvm::all_of(*array, isFinite);
  if (const json::Object *object = value.getAsObject())
    return llvm::all_of(
        *object, [](const auto &entry) { return isFinite(entry.second); });
  return true;
}

Expected<json::Value> layouttool::parseJson(StringRef text) {
  if (unsigned nesting = findNesting(text); nesting > kMaxNesting)
    return makeError("expected JSON of at most " + llvm::Twine(kMaxNesting) +
                     " levels of nesting, got " + llvm::Twine(nesting));
  Expected<json::Value> value = json::parse(text);
  if (value && !isFinite(*value))
    return makeError("expected JSON of numbers below 1.8e308");
  return value;
}

std::string layouttool::describe(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

Expected<const json::Value *> layouttool::getKey(const json::Object &object,
                                                 StringRef key) {
  if (const json::Value *value = object.get(key))
    return value;
  return makeError("expected key '" + key + "'");
}

Expected<const json::Object *> layouttool::getObject(const json::Object &object,
                                                     StringRef key) {
  if (const json::Object *value = object.getObject(key))
    return value;
  return makeError("expected an object at key '" + key + "'");
}

Expected<int64_t> layouttool::getInteger(const json::Object &object,
                                         StringRef key) {
  if (std::optional<int64_t> value = object.getInteger(key))
    return *value;
  return makeError("expected an integer at key '" + key + "'");
}

Expected<uint64_t> layouttool::getBits(const json::Object &object,
                                       StringRef key) {
  Expected<const json::Value *> value = getKey(object, key);
  if (!value)
    return value.takeError();
  if (std::optional<int64_t> number = (*value)->getAsInteger())
    return uint64_t(*number);
  uint64_t bits = 0;
  std::optional<StringRef> text = (*value)->getAsString();
  if (!text || text->getAsInteger(0, bits))
    return makeError("expected a number at key '" + key + "', got " +
                     describe(**value));
  return bits;
}

Expected<SmallVector<int64_t>> layouttool::toIntegers(const json::Value &value,
                                                      StringRef what) {
  const json::Array *array = value.getAsArray();
  if (!array)
    return makeError("expected a list of integers as " + what + ", got " +
                     describe(value));
  SmallVector<int64_t> integers;
  for (const json::Value &item : *array) {
    std::optional<int64_t> integer = item.getAsInteger();
    if (!integer)
      return makeError("expected a list of integers as " + what + ", got " +
                       describe(value));
    integers.push_back(*integer);
  }
  return integers;
}

Expected<SmallVector<int64_t>>
layouttool::getIntegers(const json::Object &object, StringRef key) {
  Expected<const json::Value *> value = getKey(object, key);
  if (!value)
    return value.takeError();
  return toIntegers(**value, key);
}

Expected<Layout> layouttool::toLayout(const json::Value &value) {
  std::optional<StringRef> text = value.getAsString();
  if (const json::Object *object = value.getAsObject())
    text = object->getString("text");
  if (!text)
    return makeError("expected a layout, got " + describe(value));
  AxisTable axes;
  Expected<Layout> layout = parseLayout(*text, axes);
  if (!layout)
    return makeError("layout '" + *text +
                     "': " + llvm::toString(layout.takeError()));
  return layout;
}

Expected<Layout> layouttool::getLayout(const json::Object &object,
                                       StringRef key) {
  Expected<const json::Value *> value = getKey(object, key);
  if (!value)
    return value.takeError();
  return toLayout(**value);
}
