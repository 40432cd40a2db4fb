//===- LaunchFile.cpp - launch files --------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/LaunchFile.h"
#include "LaunchJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tirx::sim;
using namespace tirx::sim::launch;
namespace json = llvm::json;

static constexpr uint64_t kMaxBufferBytes = uint64_t(8) << 30;
static constexpr unsigned kMaxDevices = 8;
static constexpr unsigned kMaxStructDepth = 16;

/// The bits of a JSON number, or of "nan", "inf" and "-inf", as `type`.
static llvm::Error readNumber(const json::Value &value, const DType &type,
                              const llvm::Twine &where, uint64_t &bits) {
  if (type.isInteger()) {
    if (type.kind == DType::Signed || value.getAsInteger()) {
      auto number = value.getAsInteger();
      bool fits =
          number && (type.kind == DType::Signed
                         ? llvm::isIntN(type.bits, *number)
                         : *number >= 0 && llvm::isUIntN(type.bits, *number));
      // i32 0xffffffff is written by people who think in bits: accept it.
      fits |= number && *number >= 0 && llvm::isUIntN(type.bits, *number);
      if (!fits)
        return expected(where, "an integer that fits " + llvm::Twine(type.name),
                        value);
      bits = uint64_t(*number) & llvm::maskTrailingOnes<uint64_t>(type.bits);
      return llvm::Error::success();
    }
    auto number = value.getAsUINT64();
    if (!number || !llvm::isUIntN(type.bits, *number))
      return expected(where, "an integer that fits " + llvm::Twine(type.name),
                      value);
    bits = *number;
    return llvm::Error::success();
  }
  if (auto number = value.getAsNumber()) {
    bits = valueToBits(*number, type);
    return llvm::Error::success();
  }
  auto text = value.getAsString();
  if (text && (*text == "nan" || *text == "inf" || *text == "-inf")) {
    double special = *text == "nan" ? std::numeric_limits<double>::quiet_NaN()
                     : *text == "inf"
                         ? std::numeric_limits<double>::infinity()
                         : -std::numeric_limits<double>::infinity();
    bits = valueToBits(special, type);
    return llvm::Error::success();
  }
  return expected(where, "a number, \"nan\", \"inf\" or \"-inf\"", value);
}

static llvm::Error parseRandom(const json::Value &value, const DType &type,
                               const std::string &where, RandomFill &random) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return expected(where, "an object {seed, low, high, integer}", value);
  if (auto error =
          checkKeys(*object, {"seed", "low", "high", "integer"}, where + "."))
    return error;
  if (const json::Value *seed = object->get("seed")) {
    auto number = seed->getAsUINT64();
    auto negative = seed->getAsInteger();
    if (!number && !negative)
      return expected(where + ".seed", "an integer", *seed);
    random.seed = number ? *number : uint64_t(*negative);
  }
  for (auto [key, target] :
       {std::pair("low", &random.low), std::pair("high", &random.high)})
    if (const json::Value *bound = object->get(key)) {
      auto number = bound->getAsNumber();
      if (!number || !std::isfinite(*number))
        return expected(where + "." + key, "a finite number", *bound);
      *target = *number;
    }
  if (random.low > random.high)
    return fail(where, llvm::formatv("expected low <= high, got {0} and {1}",
                                     random.low, random.high)
                           .str());
  random.integer = type.isInteger();
  if (const json::Value *integer = object->get("integer")) {
    auto flag = integer->getAsBoolean();
    if (!flag)
      return expected(where + ".integer", "true or false", *integer);
    random.integer = *flag;
  }
  return llvm::Error::success();
}

static llvm::Error parseShape(const json::Object &object,
                              const std::string &where, BufferSpec &buffer) {
  const json::Value *shape = object.get("shape");
  if (!shape)
    return fail(where + "shape", "expected this key, got none");
  const json::Array *array = shape->getAsArray();
  if (!array)
    return expected(where + "shape", "an array of integers", *shape);
  uint64_t count = 1;
  for (const json::Value &value : *array) {
    uint64_t extent;
    if (auto error =
            readUnsigned(value, where + "shape", 0, uint64_t(1) << 40, extent))
      return error;
    buffer.shape.push_back(extent);
    auto product = llvm::checkedMulUnsigned(count, extent);
    if (!product || *product > kMaxBufferBytes)
      return fail(where + "shape", "expected a buffer of at most 8 GiB");
    count = *product;
  }
  if (buffer.type->byteSize(count) > kMaxBufferBytes)
    return fail(where + "shape", "expected a buffer of at most 8 GiB");
  return llvm::Error::success();
}

/// The number of a device; parseLaunchFile compares it with their count.
static llvm::Error readDevice(const json::Object &object,
                              const llvm::Twine &where, unsigned &result) {
  const json::Value *device = object.get("device");
  if (!device)
    return llvm::Error::success();
  uint64_t number;
  if (auto error =
          readUnsigned(*device, where + "device", 0, kMaxDevices - 1, number))
    return error;
  result = number;
  return llvm::Error::success();
}

static llvm::Expected<BufferSpec> parseBuffer(llvm::StringRef name,
                                              const json::Value &value) {
  BufferSpec buffer;
  buffer.name = name.str();
  std::string where = ("buffers." + name + ".").str();
  const json::Object *object = value.getAsObject();
  if (!object)
    return expected("buffers." + name, "an object", value);
  if (auto error = checkKeys(*object,
                             {"dtype", "shape", "file", "fill", "random", "out",
                              "expect", "rtol", "atol", "device"},
                             where))
    return std::move(error);
  const json::Value *dtype = object->get("dtype");
  if (!dtype)
    return fail(where + "dtype", "expected this key, got none");
  if (auto text = dtype->getAsString())
    buffer.type = lookupDType(*text);
  if (!buffer.type)
    return expected(where + "dtype", "one of " + describeDTypes(), *dtype);
  if (auto error = parseShape(*object, where, buffer))
    return std::move(error);

  std::string file;
  if (auto error = readString(*object, "file", where, file))
    return std::move(error);
  unsigned sources = 0;
  for (llvm::StringRef key : {"file", "fill", "random"})
    sources += object->get(key) != nullptr;
  if (sources > 1)
    return fail(where.substr(0, where.size() - 1),
                "expected at most one of 'file', 'fill' and 'random', got " +
                    llvm::Twine(sources));
  if (!file.empty())
    buffer.data = FileFill{file};
  if (const json::Value *fill = object->get("fill")) {
    ConstantFill constant;
    if (auto error =
            readNumber(*fill, *buffer.type, where + "fill", constant.bits))
      return std::move(error);
    buffer.data = constant;
  }
  if (const json::Value *random = object->get("random")) {
    RandomFill fill;
    if (auto error = parseRandom(*random, *buffer.type, where + "random", fill))
      return std::move(error);
    buffer.data = fill;
  }
  if (auto error = readString(*object, "out", where, buffer.out))
    return std::move(error);
  if (auto error = readString(*object, "expect", where, buffer.expect))
    return std::move(error);
  if (auto error =
          readTolerance(*object, "rtol", where, buffer.relativeTolerance))
    return std::move(error);
  if (auto error =
          readTolerance(*object, "atol", where, buffer.absoluteTolerance))
    return std::move(error);
  if (auto error = readDevice(*object, where, buffer.device))
    return std::move(error);
  return buffer;
}

static llvm::Expected<ArgSpec>
parseArg(const json::Value &value, const std::string &where, unsigned depth);

static llvm::Error parseAlign(const json::Object &object,
                              const std::string &where, ArgSpec &arg) {
  const json::Value *value = object.get("align");
  if (!value)
    return llvm::Error::success();
  if (auto error = readUnsigned(*value, where + ".align", 1, 128, arg.align))
    return error;
  if (!llvm::isPowerOf2_64(arg.align))
    return expected(where + ".align", "a power of two", *value);
  return llvm::Error::success();
}

static llvm::Error parseStruct(const json::Object &object,
                               const std::string &where, unsigned depth,
                               ArgSpec &arg) {
  if (auto error = checkKeys(object, {"struct", "align"}, where + "."))
    return error;
  const json::Array *fields = object.getArray("struct");
  if (!fields || fields->empty())
    return expected(where + ".struct", "an array of arguments",
                    *object.get("struct"));
  if (depth >= kMaxStructDepth)
    return fail(where, "expected structs nested at most " +
                           llvm::Twine(kMaxStructDepth) + " deep");
  arg.kind = ArgSpec::Struct;
  for (size_t i = 0; i < fields->size(); ++i) {
    auto field = parseArg(
        (*fields)[i], where + ".struct[" + std::to_string(i) + "]", depth + 1);
    if (!field)
      return field.takeError();
    arg.fields.push_back(std::move(*field));
  }
  return parseAlign(object, where, arg);
}

static llvm::Expected<ArgSpec>
parseArg(const json::Value &value, const std::string &where, unsigned depth) {
  ArgSpec arg;
  arg.where = where;
  const json::Object *object = value.getAsObject();
  if (!object || object->empty())
    return expected(where,
                    "an object such as {\"buffer\": \"A\"} or "
                    "{\"i32\": 1}",
                    value);
  if (object->get("buffer")) {
    if (auto error = checkKeys(*object, {"buffer", "offset"}, where + "."))
      return std::move(error);
    arg.kind = ArgSpec::Buffer;
    if (auto error = readString(*object, "buffer", where + ".", arg.buffer))
      return std::move(error);
    if (const json::Value *offset = object->get("offset")) {
      auto number = offset->getAsInteger();
      if (!number)
        return expected(where + ".offset", "a number of bytes", *offset);
      arg.offset = *number;
    }
    return arg;
  }
  if (object->get("struct")) {
    if (auto error = parseStruct(*object, where, depth, arg))
      return std::move(error);
    return arg;
  }
  if (object->get("bytes")) {
    if (auto error = checkKeys(*object, {"bytes", "align"}, where + "."))
      return std::move(error);
    arg.kind = ArgSpec::Bytes;
    if (auto error = readString(*object, "bytes", where + ".", arg.path))
      return std::move(error);
    if (auto error = parseAlign(*object, where, arg))
      return std::move(error);
    return arg;
  }
  if (const json::Value *null = object->get("null")) {
    if (auto error = checkKeys(*object, {"null"}, where + "."))
      return std::move(error);
    if (null->getAsBoolean() != true)
      return expected(where + ".null", "true", *null);
    return arg;
  }
  if (const json::Value *map = object->get("tensormap")) {
    if (auto error = checkKeys(*object, {"tensormap"}, where + "."))
      return std::move(error);
    if (auto error = parseTensorMap(*map, where + ".tensormap", arg))
      return std::move(error);
    return arg;
  }
  llvm::StringRef key = object->begin()->first;
  const DType *type = lookupDType(key);
  static const llvm::StringRef known[] = {
      "buffer", "struct", "bytes", "null", "tensormap", "i8",
      "i16",    "i32",    "i64",   "u8",   "u16",       "u32",
      "u64",    "f16",    "bf16",  "f32",  "f64"};
  if (auto error = checkKeys(*object, known, where + "."))
    return std::move(error);
  if (object->size() != 1)
    return expected(where, "one key for a scalar", value);
  arg.kind = ArgSpec::Scalar;
  arg.type = type;
  if (auto error = readNumber(object->begin()->second, *type, where + "." + key,
                              arg.bits))
    return std::move(error);
  return arg;
}

static const llvm::StringRef kLaunchKeys[] = {
    "kernel", "entry",       "target", "grid",   "block", "cluster",
    "shared", "cooperative", "pdl",    "models", "args",  "device"};

static llvm::Expected<LaunchSpec> parseLaunch(const json::Object &object,
                                              const std::string &where) {
  LaunchSpec launch;
  launch.where = where;
  for (auto [key, target] :
       {std::pair("kernel", &launch.kernel), std::pair("entry", &launch.entry),
        std::pair("target", &launch.target),
        std::pair("models", &launch.models)})
    if (auto error = readString(object, key, where, *target))
      return std::move(error);
  if (launch.kernel.empty())
    return fail(where + "kernel", "expected this key, got none");
  constexpr uint64_t kMaxX = 0x7fffffff;
  if (auto error = readExtents(object, "grid", where, {kMaxX, 65535, 65535},
                               launch.grid))
    return std::move(error);
  if (auto error =
          readExtents(object, "block", where, {1024, 1024, 64}, launch.block))
    return std::move(error);
  if (auto error =
          readExtents(object, "cluster", where, {16, 16, 16}, launch.cluster))
    return std::move(error);
  if (const json::Value *shared = object.get("shared")) {
    uint64_t bytes;
    if (auto error =
            readUnsigned(*shared, where + "shared", 0, 0xffffffff, bytes))
      return std::move(error);
    launch.shared = bytes;
  }
  if (auto error = readFlag(object, "cooperative", where, launch.cooperative))
    return std::move(error);
  if (auto error = readFlag(object, "pdl", where, launch.pdl))
    return std::move(error);
  if (auto error = readDevice(object, where, launch.device))
    return std::move(error);
  if (const json::Value *args = object.get("args")) {
    const json::Array *array = args->getAsArray();
    if (!array)
      return expected(where + "args", "an array", *args);
    for (size_t i = 0; i < array->size(); ++i) {
      auto arg =
          parseArg((*array)[i], where + "args[" + std::to_string(i) + "]", 0);
      if (!arg)
        return arg.takeError();
      launch.args.push_back(std::move(*arg));
    }
  }
  return launch;
}

/// What the file cannot say before all of it is known: names of buffers.
static llvm::Error checkBuffers(const LaunchFile &file, ArgSpec &arg) {
  if (arg.kind == ArgSpec::Buffer || arg.kind == ArgSpec::TensorMap) {
    bool isMap = arg.kind == ArgSpec::TensorMap;
    std::string where = arg.where + (isMap ? ".tensormap" : "");
    const BufferSpec *buffer = file.find(arg.buffer);
    if (!buffer)
      return fail(where + (isMap ? ".of" : ".buffer"),
                  "expected the name of a buffer, got '" + arg.buffer + "'");
    uint64_t size = buffer->type->byteSize(buffer->count());
    if (arg.offset < 0 || uint64_t(arg.offset) > size)
      return fail(
          where + ".offset",
          llvm::formatv("expected 0 to {0} bytes, got {1}", size, arg.offset)
              .str());
    if (isMap)
      if (auto error = completeTensorMap(file, arg))
        return error;
  }
  for (ArgSpec &field : arg.fields)
    if (auto error = checkBuffers(file, field))
      return error;
  return llvm::Error::success();
}

static llvm::Error checkDevices(const LaunchFile &file) {
  auto check = [&](const llvm::Twine &where, unsigned device) -> llvm::Error {
    if (device < file.devices)
      return llvm::Error::success();
    return fail(where + "device",
                llvm::formatv("expected a device below 'devices' ({0}), got "
                              "{1}",
                              file.devices, device)
                    .str());
  };
  for (const BufferSpec &buffer : file.buffers)
    if (auto error = check("buffers." + buffer.name + ".", buffer.device))
      return error;
  for (const LaunchSpec &launch : file.launches)
    if (auto error = check(launch.where, launch.device))
      return error;
  return llvm::Error::success();
}

static llvm::Error parseLaunches(const json::Object &object, LaunchFile &file) {
  llvm::SmallVector<llvm::StringRef> known(std::begin(kLaunchKeys),
                                           std::end(kLaunchKeys));
  known.append({"buffers", "launches", "devices"});
  const json::Value *launches = object.get("launches");
  if (auto error = checkKeys(object, known, ""))
    return error;
  if (const json::Value *devices = object.get("devices")) {
    uint64_t count;
    if (auto error = readUnsigned(*devices, "devices", 1, kMaxDevices, count))
      return error;
    file.devices = count;
  }
  if (!launches) {
    auto launch = parseLaunch(object, "");
    if (!launch)
      return launch.takeError();
    file.launches.push_back(std::move(*launch));
    return llvm::Error::success();
  }
  for (llvm::StringRef key : kLaunchKeys)
    if (object.get(key))
      return fail(key, "expected this key inside 'launches', got both");
  const json::Array *array = launches->getAsArray();
  if (!array || array->empty())
    return expected("launches", "an array of objects", *launches);
  for (size_t i = 0; i < array->size(); ++i) {
    std::string where = "launches[" + std::to_string(i) + "]";
    const json::Object *entry = (*array)[i].getAsObject();
    if (!entry)
      return expected(where, "an object", (*array)[i]);
    if (auto error = checkKeys(*entry, kLaunchKeys, where + "."))
      return error;
    auto launch = parseLaunch(*entry, where + ".");
    if (!launch)
      return launch.takeError();
    file.launches.push_back(std::move(*launch));
  }
  return llvm::Error::success();
}

uint64_t BufferSpec::count() const {
  uint64_t n = 1;
  for (uint64_t extent : shape)
    n *= extent;
  return n;
}

const BufferSpec *LaunchFile::find(llvm::StringRef name) const {
  for (const BufferSpec &buffer : buffers)
    if (buffer.name == name)
      return &buffer;
  return nullptr;
}

llvm::Expected<LaunchFile> tirx::sim::parseLaunchFile(llvm::StringRef text) {
  if (!json::isUTF8(text))
    return llvm::createStringError("expected JSON in UTF-8");
  // The JSON parser is recursive: bound the nesting before it sees the text.
  unsigned depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted) {
      i += c == '\\';
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > 64)
        return llvm::createStringError("expected JSON nested at most 64 deep");
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  auto value = json::parse(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError("expected a JSON object, got " +
                                   describe(*value));
  LaunchFile file;
  if (const json::Value *buffers = object->get("buffers")) {
    const json::Object *entries = buffers->getAsObject();
    if (!entries)
      return expected("buffers", "an object", *buffers);
    for (const auto &entry : *entries) {
      auto buffer = parseBuffer(entry.first, entry.second);
      if (!buffer)
        return buffer.takeError();
      file.buffers.push_back(std::move(*buffer));
    }
    // Objects of the JSON library have no order: sort them by name, so
    // that the same file always gives the same addresses.
    llvm::sort(file.buffers, [](const BufferSpec &a, const BufferSpec &b) {
      return a.name < b.name;
    });
  }
  if (auto error = parseLaunches(*object, file))
    return std::move(error);
  if (auto error = checkDevices(file))
    return std::move(error);
  for (LaunchSpec &launch : file.launches)
    for (ArgSpec &arg : launch.args)
      if (auto error = checkBuffers(file, arg))
        return std::move(error);
  return file;
}

uint64_t tirx::sim::splitmix64(uint64_t x) {
  uint64_t z = x + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<uint8_t> tirx::sim::fillBuffer(const BufferSpec &buffer) {
  uint64_t count = buffer.count();
  std::vector<uint8_t> data(buffer.type->byteSize(count));
  if (auto *constant = std::get_if<ConstantFill>(&buffer.data))
    for (uint64_t i = 0; i < count; ++i)
      writeElement(data, *buffer.type, i, constant->bits);
  if (auto *random = std::get_if<RandomFill>(&buffer.data))
    for (uint64_t i = 0; i < count; ++i) {
      double unit = double(splitmix64(random->seed + i) >> 40) * 0x1p-24;
      double value = random->low + unit * (random->high - random->low);
      if (random->integer)
        value = std::floor(value);
      writeElement(data, *buffer.type, i, valueToBits(value, *buffer.type));
    }
  return data;
}
