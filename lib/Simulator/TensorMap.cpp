//===- TensorMap.cpp - tensor maps: rules and encoding --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits are those that the CUDA driver API states for
// cuTensorMapEncodeTiled and -Im2col. The driver's own bits are not documented;
// here the 128 bytes are a plain record behind a mark.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/TensorMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace tirx::sim;

namespace {
/// The encoding. Unused entries are zero.
struct Record {
  std::array<char, 8> mark;
  uint64_t address;
  std::array<uint64_t, 4> strides;
  std::array<uint32_t, 5> dims; ///< minus one
  std::array<uint16_t, 5> box;
  std::array<uint8_t, 5> elementStrides;
  uint8_t rank;
  std::array<int16_t, 3> lower, upper;
  uint16_t channels, pixels;
  uint8_t mode, type, interleave, swizzle, l2, fill;
};
static_assert(sizeof(Record) <= kTensorMapBytes);
constexpr std::array<char, 8> kMark = {'T', 'I', 'R', 'X', 't', 'm', 'a', 'p'};
} // namespace

TensorMapPacking tirx::sim::packingOf(TensorMapType type) {
  switch (type) {
  case TensorMapType::U8:
    return {1, 1, 1};
  case TensorMapType::U16:
  case TensorMapType::F16:
  case TensorMapType::BF16:
    return {1, 2, 2};
  case TensorMapType::U64:
  case TensorMapType::I64:
  case TensorMapType::F64:
    return {1, 8, 8};
  case TensorMapType::U4x16Align8:
    return {2, 1, 1};
  case TensorMapType::U4x16Align16:
    return {16, 8, 16};
  case TensorMapType::U6x16Align16:
    return {16, 12, 16};
  default:
    return {1, 4, 4};
  }
}

unsigned tirx::sim::swizzleSpan(TensorMapSwizzle swizzle) {
  switch (swizzle) {
  case TensorMapSwizzle::None:
    return 0;
  case TensorMapSwizzle::B32:
    return 32;
  case TensorMapSwizzle::B64:
    return 64;
  default:
    return 128;
  }
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static bool isFloat(TensorMapType type) {
  return type >= TensorMapType::F16 && type <= TensorMapType::TF32Ftz;
}

static bool isPadded(TensorMapType type) {
  return type == TensorMapType::U4x16Align16 ||
         type == TensorMapType::U6x16Align16;
}

static std::string checkChoices(const TensorMapDescription &map) {
  if (map.type > TensorMapType::U6x16Align16)
    return llvm::formatv("expected an element type from 0 to 15, got {0}",
                         unsigned(map.type));
  if (map.swizzle > TensorMapSwizzle::B128Atom64)
    return llvm::formatv("expected a swizzle from 0 to 6, got {0}",
                         unsigned(map.swizzle));
  if (map.interleave > TensorMapInterleave::B32)
    return llvm::formatv("expected an interleave from 0 to 2, got {0}",
                         unsigned(map.interleave));
  if (map.mode > TensorMapMode::Im2colW128)
    return llvm::formatv("expected a mode from 0 to 3, got {0}",
                         unsigned(map.mode));
  if (map.fill > TensorMapFill::NaN)
    return llvm::formatv("expected a fill of 0 or 1, got {0}",
                         unsigned(map.fill));
  if (map.fill == TensorMapFill::NaN && !isFloat(map.type))
    return "expected a floating-point element type for the NaN fill, got an "
           "integer type";
  if (map.interleave == TensorMapInterleave::B32 &&
      map.swizzle != TensorMapSwizzle::B32)
    return "expected the 32B swizzle for the 32B interleave, got another one";
  if (isPadded(map.type) && map.swizzle != TensorMapSwizzle::None &&
      swizzleSpan(map.swizzle) != 128)
    return "expected no swizzle or one of 128B for an element type that is "
           "padded to 16 bytes, got a narrower one";
  return "";
}

static std::string checkExtents(const TensorMapDescription &map) {
  unsigned rank = map.rank();
  bool isTiled = map.mode == TensorMapMode::Tiled;
  unsigned least =
      !isTiled || map.interleave != TensorMapInterleave::None ? 3 : 1;
  if (rank < least || rank > 5)
    return llvm::formatv("expected {0} to 5 dimensions, got {1}", least, rank);
  if (map.strides.size() != rank - 1 || map.elementStrides.size() != rank ||
      (isTiled && map.box.size() != rank))
    return llvm::formatv("expected {0} strides, {1} element strides and a box "
                         "of {1} dimensions",
                         rank - 1, rank);
  for (unsigned d = 0; d < rank; ++d) {
    if (map.dims[d] == 0 || map.dims[d] > uint64_t(1) << 32)
      return llvm::formatv("expected 1 to 2^32 elements in dimension {0}, got "
                           "{1}",
                           d, map.dims[d]);
    if (map.elementStrides[d] == 0 || map.elementStrides[d] > 8)
      return llvm::formatv("expected an element stride of 1 to 8 in dimension "
                           "{0}, got {1}",
                           d, map.elementStrides[d]);
    if (isTiled && (map.box[d] == 0 || map.box[d] > 256))
      return llvm::formatv("expected 1 to 256 elements of the box in dimension "
                           "{0}, got {1}",
                           d, map.box[d]);
  }
  return "";
}

static std::string checkAlignment(const TensorMapDescription &map) {
  bool wide = map.interleave == TensorMapInterleave::B32 || isPadded(map.type);
  unsigned align = wide ? 32 : 16;
  if (map.address % align)
    return llvm::formatv("expected a global address that is a multiple of {0}, "
                         "got {1:x}",
                         align, map.address);
  for (unsigned d = 0; d < map.strides.size(); ++d)
    if (map.strides[d] % align || map.strides[d] >> 40)
      return llvm::formatv("expected a stride of dimension {0} that is a "
                           "multiple of {1} bytes below 2^40, got {2}",
                           d + 1, align, map.strides[d]);
  unsigned multiple = isPadded(map.type)                       ? 128
                      : map.type == TensorMapType::U4x16Align8 ? 2
                                                               : 1;
  if (map.dims[0] % multiple)
    return llvm::formatv("expected a multiple of {0} elements in dimension 0, "
                         "got {1}",
                         multiple, map.dims[0]);
  return "";
}

static std::string checkRow(const TensorMapDescription &map) {
  bool isTiled = map.mode == TensorMapMode::Tiled;
  uint64_t elements = isTiled ? map.box[0] : map.channels;
  if (isPadded(map.type) && elements != 128)
    return llvm::formatv("expected 128 elements in a row of the box, since "
                         "they are padded to 16 bytes, got {0}",
                         elements);
  TensorMapPacking packing = packingOf(map.type);
  if (elements % packing.elements)
    return llvm::formatv("expected a multiple of {0} elements in a row of the "
                         "box, got {1}",
                         packing.elements, elements);
  uint64_t bytes = elements / packing.elements * packing.sharedBytes;
  if (map.interleave != TensorMapInterleave::None)
    return "";
  if (bytes % 16)
    return llvm::formatv("expected rows of the box of a multiple of 16 bytes, "
                         "got {0}",
                         bytes);
  unsigned span = swizzleSpan(map.swizzle);
  if (span && bytes > span)
    return llvm::formatv("expected rows of the box of at most the {0} bytes of "
                         "the swizzle, got {1}",
                         span, bytes);
  return "";
}

static std::string checkPixels(const TensorMapDescription &map) {
  if (map.mode == TensorMapMode::Tiled)
    return "";
  bool wide = map.mode != TensorMapMode::Im2col;
  unsigned corners = wide ? 1 : map.rank() - 2;
  if (map.lower.size() != corners || map.upper.size() != corners)
    return llvm::formatv("expected {0} lower and upper corners", corners);
  int64_t bits = wide || corners == 1 ? 15 : corners == 2 ? 7 : 4;
  int64_t limit = int64_t(1) << bits;
  for (unsigned d = 0; d < corners; ++d)
    for (int64_t corner : {map.lower[d], map.upper[d]})
      if (corner < -limit || corner >= limit)
        return llvm::formatv("expected corners from {0} to {1} for {2} "
                             "dimensions, got {3}",
                             -limit, limit - 1, map.rank(), corner);
  if (map.channels == 0 || map.channels > 256)
    return llvm::formatv("expected 1 to 256 channels for each pixel, got {0}",
                         map.channels);
  if (map.pixels == 0 || map.pixels > 1024)
    return llvm::formatv("expected 1 to 1024 pixels, got {0}", map.pixels);
  return "";
}

std::string tirx::sim::checkTensorMap(const TensorMapDescription &map) {
  for (auto *check :
       {checkChoices, checkExtents, checkAlignment, checkPixels, checkRow}) {
    std::string problem = check(map);
    if (!problem.empty())
      return problem;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

template <class From, class To>
static void fill(const From &from, To &to, int64_t offset = 0) {
  for (size_t n = 0; n < from.size() && n < to.size(); ++n)
    to[n] = from[n] + offset;
}

llvm::Expected<std::array<uint8_t, kTensorMapBytes>>
tirx::sim::encodeTensorMap(const TensorMapDescription &map) {
  std::string problem = checkTensorMap(map);
  if (!problem.empty())
    return llvm::createStringError(problem);
  Record record = {};
  record.mark = kMark;
  record.address = map.address;
  fill(map.strides, record.strides);
  fill(map.dims, record.dims, -1);
  fill(map.box, record.box);
  fill(map.elementStrides, record.elementStrides);
  record.rank = map.rank();
  fill(map.lower, record.lower);
  fill(map.upper, record.upper);
  record.channels = map.channels;
  record.pixels = map.pixels;
  record.mode = uint8_t(map.mode);
  record.type = uint8_t(map.type);
  record.interleave = uint8_t(map.interleave);
  record.swizzle = uint8_t(map.swizzle);
  record.l2 = uint8_t(map.l2);
  record.fill = uint8_t(map.fill);
  std::array<uint8_t, kTensorMapBytes> bytes = {};
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

static bool readRecord(const uint8_t *bytes, Record &record) {
  std::memcpy(&record, bytes, sizeof record);
  return record.mark == kMark;
}

/// Kernels that make a map themselves fill 128 bytes with zeros and then set
/// the fields one by one: zeros are a map in which nothing is set.
static bool readOrBegin(const uint8_t *bytes, Record &record) {
  if (std::any_of(bytes, bytes + kTensorMapBytes, [](uint8_t b) { return b; }))
    return readRecord(bytes, record);
  record = {};
  record.mark = kMark;
  return true;
}

llvm::Expected<TensorMapDescription>
tirx::sim::decodeTensorMap(const uint8_t *bytes) {
  Record record;
  if (!readRecord(bytes, record))
    return llvm::createStringError(
        "expected 128 bytes that the launcher encoded as a tensor map, got "
        "others");
  if (record.rank == 0 || record.rank > 5)
    return llvm::createStringError(llvm::formatv(
        "expected 1 to 5 dimensions, got {0}", unsigned(record.rank)));
  TensorMapDescription map;
  unsigned rank = record.rank;
  map.mode = TensorMapMode(record.mode);
  map.type = TensorMapType(record.type);
  map.address = record.address;
  for (unsigned d = 0; d < rank; ++d) {
    map.dims.push_back(uint64_t(record.dims[d]) + 1);
    map.elementStrides.push_back(record.elementStrides[d]);
    if (map.mode == TensorMapMode::Tiled)
      map.box.push_back(record.box[d]);
    if (d)
      map.strides.push_back(record.strides[d - 1]);
  }
  unsigned corners = map.mode == TensorMapMode::Tiled    ? 0
                     : map.mode != TensorMapMode::Im2col ? 1
                     : rank > 2                          ? rank - 2
                                                         : 0;
  map.lower.append(record.lower.begin(), record.lower.begin() + corners);
  map.upper.append(record.upper.begin(), record.upper.begin() + corners);
  map.channels = record.channels;
  map.pixels = record.pixels;
  map.interleave = TensorMapInterleave(record.interleave);
  map.swizzle = TensorMapSwizzle(record.swizzle);
  map.l2 = TensorMapL2(record.l2);
  map.fill = TensorMapFill(record.fill);
  std::string problem = checkTensorMap(map);
  if (!problem.empty())
    return llvm::createStringError("tensor map: " + problem);
  return map;
}

//===----------------------------------------------------------------------===//
// tensormap.replace
//===----------------------------------------------------------------------===//

/// Swizzle of the instruction's two fields, mode and atomicity, or nothing.
static int swizzleOf(unsigned mode, unsigned atom) {
  if (mode < 3)
    return atom == 0 ? int(mode) : -1;
  return mode == 3 ? 3 + int(atom) : -1;
}

std::string tirx::sim::replaceTensorMapField(uint8_t *bytes,
                                             TensorMapField field,
                                             unsigned index, uint64_t value) {
  // The instruction numbers types in an order of its own.
  static const TensorMapType types[] = {
      TensorMapType::U8,           TensorMapType::U16,
      TensorMapType::U32,          TensorMapType::I32,
      TensorMapType::U64,          TensorMapType::I64,
      TensorMapType::F16,          TensorMapType::F32,
      TensorMapType::F32Ftz,       TensorMapType::F64,
      TensorMapType::BF16,         TensorMapType::TF32,
      TensorMapType::TF32Ftz,      TensorMapType::U4x16Align8,
      TensorMapType::U4x16Align16, TensorMapType::U6x16Align16};
  Record record;
  if (!readOrBegin(bytes, record))
    return "expected a tensor map that the launcher encoded, or 128 bytes of "
           "zero to make one in, got other bytes";
  unsigned limit = field == TensorMapField::Stride ? 4 : 5;
  if (index >= limit)
    return llvm::formatv("expected an index from 0 to {0}, got {1}", limit - 1,
                         index);
  auto tooLarge = [&](uint64_t most) -> std::string {
    return value <= most ? ""
                         : llvm::formatv("expected a value up to {0}, got {1}",
                                         most, value)
                               .str();
  };
  std::string problem;
  unsigned mode = std::min<unsigned>(record.swizzle, 3);
  unsigned atom = record.swizzle - mode;
  switch (field) {
  case TensorMapField::Address:
    record.address = value;
    break;
  case TensorMapField::Rank:
    // The instruction gives the rank minus one.
    problem = tooLarge(4);
    record.rank = value + 1;
    break;
  case TensorMapField::Box:
    problem = tooLarge(256);
    record.box[index] = value;
    break;
  case TensorMapField::Dim:
    if (value == 0)
      problem = "expected at least 1 element, got 0";
    record.dims[index] = value - 1;
    break;
  case TensorMapField::Stride:
    record.strides[index] = value;
    break;
  case TensorMapField::ElementStride:
    problem = tooLarge(8);
    record.elementStrides[index] = value;
    break;
  case TensorMapField::Type:
    problem = tooLarge(15);
    record.type = uint8_t(types[value & 15]);
    break;
  case TensorMapField::Interleave:
    problem = tooLarge(2);
    record.interleave = value;
    break;
  case TensorMapField::Swizzle:
  case TensorMapField::SwizzleAtom: {
    int swizzle = field == TensorMapField::Swizzle
                      ? swizzleOf(value, value == 3 ? atom : 0)
                      : swizzleOf(mode, value);
    if (value > 3 || swizzle < 0)
      problem = "expected a swizzle mode from 0 to 3 and an atomicity other "
                "than 0 for the 128B mode only";
    record.swizzle = swizzle;
    break;
  }
  case TensorMapField::Fill:
    problem = tooLarge(1);
    record.fill = value;
    break;
  }
  if (problem.empty())
    std::memcpy(bytes, &record, sizeof record);
  return problem;
}
