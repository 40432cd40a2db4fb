//===- MeasuredArrays.cpp - measured cases with arrays --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasuredArrays.h"
#include "Measured.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace tirx::testing;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

uint64_t MeasuredArray::element(int64_t row, int64_t e, unsigned bits) const {
  if (bits > width) {
    // An element of two registers, the low one first.
    uint64_t low = uint32_t(at(row, 2 * e)),
             high = uint32_t(at(row, 2 * e + 1));
    return low | high << 32;
  }
  int64_t perValue = width / bits;
  uint64_t value = uint64_t(at(row, e / perValue)) >> (e % perValue * bits);
  return value & llvm::maskTrailingOnes<uint64_t>(bits);
}

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static int64_t readValue(StringRef type, const char *from) {
  using namespace llvm::support;
  if (type == "int16")
    return endian::read16le(from) | (*(from + 1) & 0x80 ? ~int64_t(0xffff) : 0);
  if (type == "uint32")
    return endian::read32le(from);
  return uint8_t(*from);
}

static Expected<MeasuredArray> readArray(const json::Object &entry,
                                         StringRef data) {
  StringRef type = entry.getString("dtype").value_or("");
  int64_t bytes = llvm::StringSwitch<int64_t>(type)
                      .Case("uint8", 1)
                      .Case("int16", 2)
                      .Case("uint32", 4)
                      .Default(0);
  const json::Array *shape = entry.getArray("shape");
  std::optional<int64_t> offset = entry.getInteger("offset");
  if (!bytes || !shape || !offset)
    return makeError("expected dtype, shape and offset of an array");
  MeasuredArray array;
  array.width = bytes * 8;
  int64_t size = 1;
  for (const json::Value &extent : *shape) {
    array.shape.push_back(extent.getAsInteger().value_or(0));
    size *= array.shape.back();
  }
  if (*offset < 0 || size <= 0 || *offset + size * bytes > int64_t(data.size()))
    return makeError("expected an array inside the file");
  for (int64_t i = 0; i < size; ++i)
    array.values.push_back(readValue(type, data.data() + *offset + i * bytes));
  return array;
}

MeasuredFile::MeasuredFile(StringRef name) {
  json::Object file = readMeasured((name + ".json").str());
  std::string path = (TIRX_TEST_DATA "/h200/" + name + ".bin").str();
  auto data = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  const json::Object *entries = file.getObject("arrays");
  if (!data || !entries) {
    ADD_FAILURE() << "expected arrays in " << path;
    return;
  }
  for (const auto &[key, value] : *entries) {
    const json::Object *entry = value.getAsObject();
    Expected<MeasuredArray> array =
        entry ? readArray(*entry, (*data)->getBuffer())
              : makeError("expected an object for each array");
    if (!array) {
      ADD_FAILURE() << path << ": " << llvm::toString(array.takeError());
      return;
    }
    arrays[StringRef(key)] = std::move(*array);
  }
  list = *file.getArray("cases");
}

const MeasuredArray &MeasuredFile::get(const json::Object &test,
                                       StringRef key) const {
  std::string name = (*test.getString("name") + "_" + key).str();
  auto it = arrays.find(name);
  if (it == arrays.end()) {
    ADD_FAILURE() << "no array " << name;
    static const MeasuredArray none;
    return none;
  }
  return it->second;
}

unsigned tirx::testing::bitsOf(StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Case("b1", 1)
      .Cases({"s16", "u16"}, 16)
      .Cases({"s4", "u4"}, 4)
      .Cases({"s8", "u8", "e4m3", "e5m2"}, 8)
      .Cases({"f16", "bf16"}, 16)
      .Cases({"f32", "tf32", "s32"}, 32)
      .Case("f64", 64)
      .Default(0);
}

double tirx::testing::decode(StringRef type, uint64_t bits) {
  unsigned width = bitsOf(type);
  if (type[0] == 's')
    return double(llvm::SignExtend64(bits, width));
  if (type[0] == 'u' || type == "b1")
    return double(bits);
  using llvm::APFloat;
  const llvm::fltSemantics &semantics =
      type == "f64"    ? APFloat::IEEEdouble()
      : type == "f16"  ? APFloat::IEEEhalf()
      : type == "bf16" ? APFloat::BFloat()
      : type == "e4m3" ? APFloat::Float8E4M3FN()
      : type == "e5m2" ? APFloat::Float8E5M2()
                       : APFloat::IEEEsingle();
  // The tensor cores do not read the low 13 bits of a tf32.
  if (type == "tf32")
    bits &= ~uint64_t(0x1fff);
  APFloat value(semantics, llvm::APInt(width, bits));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}
