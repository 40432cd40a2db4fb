//===- LaunchTensorMap.cpp - tensor maps of launch files ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchJson.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::sim;
using namespace tirx::sim::launch;

namespace {

/// A word of a launch file and the driver's number.
struct Choice {
  llvm::StringRef name;
  uint8_t value;
};

constexpr Choice kTypes[] = {
    {"u8", uint8_t(TensorMapType::U8)},
    {"u16", uint8_t(TensorMapType::U16)},
    {"u32", uint8_t(TensorMapType::U32)},
    {"i32", uint8_t(TensorMapType::I32)},
    {"u64", uint8_t(TensorMapType::U64)},
    {"i64", uint8_t(TensorMapType::I64)},
    {"f16", uint8_t(TensorMapType::F16)},
    {"f32", uint8_t(TensorMapType::F32)},
    {"f64", uint8_t(TensorMapType::F64)},
    {"bf16", uint8_t(TensorMapType::BF16)},
    {"f32_ftz", uint8_t(TensorMapType::F32Ftz)},
    {"tf32", uint8_t(TensorMapType::TF32)},
    {"tf32_ftz", uint8_t(TensorMapType::TF32Ftz)},
    {"u4x16_align8", uint8_t(TensorMapType::U4x16Align8)},
    {"u4x16_align16", uint8_t(TensorMapType::U4x16Align16)},
    {"u6x16_align16", uint8_t(TensorMapType::U6x16Align16)},
    // Types of buffers that the copy engine moves as others of their size.
    {"i8", uint8_t(TensorMapType::U8)},
    {"i16", uint8_t(TensorMapType::U16)},
    {"e4m3", uint8_t(TensorMapType::U8)},
    {"e5m2", uint8_t(TensorMapType::U8)},
    {"ue8m0", uint8_t(TensorMapType::U8)},
    {"e2m1", uint8_t(TensorMapType::U4x16Align8)},
    {"e2m3", uint8_t(TensorMapType::U6x16Align16)},
    {"e3m2", uint8_t(TensorMapType::U6x16Align16)},
};
constexpr Choice kInterleaves[] = {{"none", 0}, {"16B", 1}, {"32B", 2}};
constexpr Choice kSwizzles[] = {{"none", 0},         {"32B", 1},
                                {"64B", 2},          {"128B", 3},
                                {"128B_atom32B", 4}, {"128B_atom32B_flip8B", 5},
                                {"128B_atom64B", 6}};
constexpr Choice kL2[] = {{"none", 0}, {"64B", 1}, {"128B", 2}, {"256B", 3}};
constexpr Choice kFills[] = {{"zero", 0}, {"nan", 1}};
constexpr Choice kWideModes[] = {{"w", uint8_t(TensorMapMode::Im2colW)},
                                 {"w128", uint8_t(TensorMapMode::Im2colW128)}};

std::optional<uint8_t> lookup(llvm::ArrayRef<Choice> choices,
                              llvm::StringRef name) {
  for (const Choice &choice : choices)
    if (choice.name == name)
      return choice.value;
  return std::nullopt;
}

/// Reads the keys of one map.
class Reader {
public:
  Reader(const json::Object &object, std::string where,
         TensorMapDescription &map)
      : object(object), where(std::move(where)), map(map) {}

  llvm::Error read(ArgSpec &arg);

private:
  template <typename Enum>
  llvm::Error readChoice(llvm::StringRef key, llvm::ArrayRef<Choice> choices,
                         Enum &result, bool *present = nullptr);
  template <typename List>
  llvm::Error readList(llvm::StringRef key, size_t count, int64_t low,
                       int64_t high, List &result);
  llvm::Error readCount(llvm::StringRef key, uint32_t &result);
  llvm::Error readDims();
  llvm::Error readStrides();
  llvm::Error readBox();

  const json::Object &object;
  std::string where;
  TensorMapDescription &map;
};

} // namespace

template <typename Enum>
llvm::Error Reader::readChoice(llvm::StringRef key,
                               llvm::ArrayRef<Choice> choices, Enum &result,
                               bool *present) {
  const json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  std::optional<uint8_t> found;
  if (auto text = value->getAsString())
    found = lookup(choices, *text);
  if (!found) {
    std::string names;
    for (const Choice &choice : choices)
      names += (names.empty() ? "" : ", ") + choice.name.str();
    return expected(where + key, "one of " + names, *value);
  }
  result = Enum(*found);
  if (present)
    *present = true;
  return llvm::Error::success();
}

template <typename List>
llvm::Error Reader::readList(llvm::StringRef key, size_t count, int64_t low,
                             int64_t high, List &result) {
  const json::Value *value = object.get(key);
  if (!value)
    return fail(where + key, "expected this key, got none");
  const json::Array *array = value->getAsArray();
  if (!array || array->size() != count)
    return expected(where + key,
                    "an array of " + llvm::Twine(count) + " integers", *value);
  for (size_t i = 0; i < count; ++i) {
    auto number = (*array)[i].getAsInteger();
    if (!number || *number < low || *number > high)
      return expected(
          where + key + "[" + llvm::Twine(i) + "]",
          llvm::formatv("an integer from {0} to {1}", low, high).str(),
          (*array)[i]);
    result.push_back(*number);
  }
  return llvm::Error::success();
}

llvm::Error Reader::readCount(llvm::StringRef key, uint32_t &result) {
  const json::Value *value = object.get(key);
  if (!value)
    return fail(where + key, "expected this key, got none");
  uint64_t number;
  if (auto error = readUnsigned(*value, where + key, 1, UINT32_MAX, number))
    return error;
  result = number;
  return llvm::Error::success();
}

llvm::Error Reader::readDims() {
  const json::Value *value = object.get("dims");
  if (!value)
    return fail(where + "dims", "expected this key, got none");
  const json::Array *array = value->getAsArray();
  if (!array || array->empty() || array->size() > 5)
    return expected(where + "dims",
                    "an array of 1 to 5 integers, innermost first", *value);
  return readList("dims", array->size(), 1, int64_t(1) << 32, map.dims);
}

llvm::Error Reader::readStrides() {
  size_t count = map.rank() - 1;
  if (count == 0 && !object.get("strides"))
    return llvm::Error::success();
  return readList("strides", count, 0, (int64_t(1) << 40) - 1, map.strides);
}

llvm::Error Reader::readBox() {
  bool wide = false;
  if (auto error = readChoice("wide", kWideModes, map.mode, &wide))
    return error;
  bool im2col = wide;
  for (llvm::StringRef key : {"lower", "upper", "channels", "pixels"})
    im2col |= object.get(key) != nullptr;
  if (!im2col)
    return readList("box", map.rank(), 1, UINT32_MAX, map.box);
  if (object.get("box"))
    return fail(where + "box",
                "expected either 'box' or the keys of im2col ('lower', "
                "'upper', 'channels', 'pixels'), got both");
  if (map.rank() < 3)
    return fail(where + "dims", "expected 3 to 5 dimensions for im2col, got " +
                                    llvm::Twine(map.rank()));
  if (!wide)
    map.mode = TensorMapMode::Im2col;
  size_t corners = wide ? 1 : map.rank() - 2;
  if (auto error = readList("lower", corners, INT32_MIN, INT32_MAX, map.lower))
    return error;
  if (auto error = readList("upper", corners, INT32_MIN, INT32_MAX, map.upper))
    return error;
  if (auto error = readCount("channels", map.channels))
    return error;
  return readCount("pixels", map.pixels);
}

llvm::Error Reader::read(ArgSpec &arg) {
  if (auto error =
          checkKeys(object,
                    {"of", "offset", "dtype", "dims", "strides", "box",
                     "element_strides", "interleave", "swizzle", "l2", "oob",
                     "lower", "upper", "channels", "pixels", "wide"},
                    where))
    return error;
  if (auto error = readString(object, "of", where, arg.buffer))
    return error;
  if (arg.buffer.empty())
    return fail(where + "of", "expected the name of a buffer, got none");
  if (const json::Value *offset = object.get("offset")) {
    uint64_t bytes;
    if (auto error =
            readUnsigned(*offset, where + "offset", 0, INT64_MAX, bytes))
      return error;
    arg.offset = bytes;
  }
  arg.mapTypeFromBuffer = !object.get("dtype");
  if (auto error = readChoice("dtype", kTypes, map.type))
    return error;
  if (auto error = readDims())
    return error;
  if (auto error = readStrides())
    return error;
  if (auto error = readBox())
    return error;
  if (!object.get("element_strides"))
    map.elementStrides.assign(map.rank(), 1);
  else if (auto error = readList("element_strides", map.rank(), 1, 8,
                                 map.elementStrides))
    return error;
  if (auto error = readChoice("interleave", kInterleaves, map.interleave))
    return error;
  if (auto error = readChoice("swizzle", kSwizzles, map.swizzle))
    return error;
  if (auto error = readChoice("l2", kL2, map.l2))
    return error;
  return readChoice("oob", kFills, map.fill);
}

llvm::Error tirx::sim::launch::parseTensorMap(const json::Value &value,
                                              const std::string &where,
                                              ArgSpec &arg) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return expected(where, "an object {of, dims, strides, box, ...}", value);
  arg.kind = ArgSpec::TensorMap;
  return Reader(*object, where + ".", arg.map).read(arg);
}

llvm::Error tirx::sim::launch::completeTensorMap(const LaunchFile &file,
                                                 ArgSpec &arg) {
  if (!arg.mapTypeFromBuffer)
    return llvm::Error::success();
  llvm::StringRef name = file.find(arg.buffer)->type->name;
  auto type = lookup(kTypes, name);
  if (!type)
    return fail(arg.where + ".tensormap.dtype",
                "expected this key, since no tensor map has elements of type " +
                    name);
  arg.map.type = TensorMapType(*type);
  return llvm::Error::success();
}

llvm::Expected<std::vector<HiddenTensorMap>>
tirx::sim::parseHiddenTensorMaps(const json::Array &maps,
                                 const llvm::Twine &where) {
  std::vector<HiddenTensorMap> result;
  for (const json::Value &value : maps) {
    HiddenTensorMap hidden;
    hidden.where =
        (where + "tensor_maps[" + llvm::Twine(result.size()) + "]").str();
    const json::Object *object = value.getAsObject();
    auto of = object ? object->getInteger("of") : std::nullopt;
    if (!of || *of < 0 || *of > UINT32_MAX)
      return fail(hidden.where,
                  "expected an object with the number of a parameter as 'of'");
    json::Object named(*object);
    named["of"] = "parameter " + std::to_string(*of);
    ArgSpec arg;
    if (auto error = parseTensorMap(std::move(named), hidden.where, arg))
      return std::move(error);
    hidden.parameter = *of;
    hidden.offset = arg.offset;
    hidden.map = std::move(arg.map);
    result.push_back(std::move(hidden));
  }
  return result;
}
