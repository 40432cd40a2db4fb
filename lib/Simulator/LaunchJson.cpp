//===- LaunchJson.cpp - reads keys of launch files ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tirx::sim;

llvm::Error tirx::sim::launch::fail(const llvm::Twine &where,
                                    const llvm::Twine &message) {
  return llvm::createStringError(where + ": " + message);
}

std::string tirx::sim::launch::describe(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value;
  if (text.size() > 60)
    text = text.substr(0, 57) + "...";
  return text;
}

llvm::Error tirx::sim::launch::expected(const llvm::Twine &where,
                                        const llvm::Twine &what,
                                        const json::Value &got) {
  return fail(where, "expected " + what + ", got " + describe(got));
}

llvm::Error tirx::sim::launch::checkKeys(const json::Object &object,
                                         llvm::ArrayRef<llvm::StringRef> known,
                                         const llvm::Twine &where) {
  for (const auto &entry : object) {
    llvm::StringRef key = entry.first;
    if (llvm::is_contained(known, key))
      continue;
    llvm::StringRef nearest;
    unsigned best = ~0u;
    for (llvm::StringRef candidate : known) {
      unsigned distance = key.edit_distance(candidate);
      if (distance < best) {
        best = distance;
        nearest = candidate;
      }
    }
    return fail(where + key,
                "unknown key; the nearest known key is '" + nearest + "'");
  }
  return llvm::Error::success();
}

llvm::Error tirx::sim::launch::readString(const json::Object &object,
                                          llvm::StringRef key,
                                          const llvm::Twine &where,
                                          std::string &result) {
  const json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  auto text = value->getAsString();
  if (!text || text->empty())
    return expected(where + key, "a string that is not empty", *value);
  result = text->str();
  return llvm::Error::success();
}

llvm::Error tirx::sim::launch::readUnsigned(const json::Value &value,
                                            const llvm::Twine &where,
                                            uint64_t low, uint64_t high,
                                            uint64_t &result) {
  auto number = value.getAsUINT64();
  if (!number || *number < low || *number > high)
    return expected(
        where, llvm::formatv("an integer from {0} to {1}", low, high).str(),
        value);
  result = *number;
  return llvm::Error::success();
}

llvm::Error tirx::sim::launch::readTolerance(const json::Object &object,
                                             llvm::StringRef key,
                                             const llvm::Twine &where,
                                             std::optional<double> &result) {
  const json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  auto number = value->getAsNumber();
  if (!number || !(*number >= 0))
    return expected(where + key, "a number that is not negative", *value);
  result = number;
  return llvm::Error::success();
}

llvm::Error
tirx::sim::launch::readExtents(const json::Object &object, llvm::StringRef key,
                               const llvm::Twine &where,
                               std::array<uint64_t, 3> limits,
                               std::optional<std::array<unsigned, 3>> &result) {
  const json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  const json::Array *array = value->getAsArray();
  if (!array || array->empty() || array->size() > 3)
    return expected(where + key, "an array of 1 to 3 integers", *value);
  result = {1, 1, 1};
  for (size_t i = 0; i < array->size(); ++i) {
    uint64_t extent;
    if (auto error =
            readUnsigned((*array)[i], where + key, 1, limits[i], extent))
      return error;
    (*result)[i] = extent;
  }
  return llvm::Error::success();
}

llvm::Error tirx::sim::launch::readFlag(const json::Object &object,
                                        llvm::StringRef key,
                                        const llvm::Twine &where,
                                        bool &result) {
  const json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  auto flag = value->getAsBoolean();
  if (!flag)
    return expected(where + key, "true or false", *value);
  result = *flag;
  return llvm::Error::success();
}
