//===- Elements.cpp - elements, shapes and hardware places ----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

llvm::Error layouttool::makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

Expected<unsigned> layouttool::parseElementType(StringRef name) {
  unsigned bits =
      llvm::StringSwitch<unsigned>(name)
          .Cases({"i8", "u8", "e4m3", "e5m2", "ue8m0", "int8", "uint8"}, 8)
          .Cases({"float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"}, 8)
          .Cases({"i16", "u16", "f16", "bf16"}, 16)
          .Cases({"int16", "uint16", "float16", "bfloat16"}, 16)
          .Cases({"i32", "u32", "f32", "tf32"}, 32)
          .Cases({"int32", "uint32", "float32"}, 32)
          .Cases({"i64", "u64", "f64", "int64", "uint64", "float64"}, 64)
          .Cases({"e2m1", "float4_e2m1fn"}, 4)
          .Cases({"e2m3", "e3m2", "float6_e2m3fn", "float6_e3m2fn"}, 6)
          .Default(0);
  if (bits == 0)
    return makeError("expected an element type such as f16, bf16, f32, i8, "
                     "e4m3 or e2m1, got '" +
                     name + "'");
  return bits;
}

Expected<SmallVector<int64_t>>
layouttool::parseIntegers(StringRef what, StringRef text, int64_t least) {
  SmallVector<int64_t> values;
  while (true) {
    StringRef item =
        text.take_until([](char c) { return c == 'x' || c == ','; });
    int64_t value;
    if (item.trim().getAsInteger(10, value) || value < least)
      return makeError("expected " + what + " as integers of at least " +
                       Twine(least) + " joined by 'x' or ',', got '" + item +
                       "'");
    values.push_back(value);
    if (item.size() == text.size())
      return values;
    text = text.drop_front(item.size() + 1);
  }
}

Expected<SmallVector<int64_t>> layouttool::getShape(const Layout &layout,
                                                    ArrayRef<int64_t> given) {
  if (!given.empty())
    return SmallVector<int64_t>(given);
  if (!layout.getTile())
    return makeError("expected a shape for a layout without extents");
  SmallVector<int64_t> shape;
  for (const Iter &iter : layout.getTile()->getShard())
    shape.push_back(iter.extent);
  return shape;
}

Expected<Layout> layouttool::fitToShape(const Layout &layout,
                                        ArrayRef<int64_t> shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    if (llvm::MulOverflow(size, extent, size))
      return makeError("expected a shape whose size fits 64 bits");
  if (std::optional<int64_t> own = layout.getSize(); own && *own != size)
    return makeError("expected a shape of " + Twine(*own) +
                     " elements, as many as the layout has, got " +
                     Twine(size));
  return layout.withTile(size);
}

llvm::Error layouttool::checkIndex(ArrayRef<int64_t> index,
                                   ArrayRef<int64_t> shape) {
  if (index.size() != shape.size())
    return makeError("expected an index of " + Twine(shape.size()) +
                     " dimensions, got " + Twine(index.size()));
  for (auto [dim, pair] : llvm::enumerate(llvm::zip(index, shape))) {
    auto [at, extent] = pair;
    if (at < 0 || at >= extent)
      return makeError("expected index " + Twine(dim) + " to be in [0, " +
                       Twine(extent) + "), got " + Twine(at));
  }
  return llvm::Error::success();
}

llvm::Error layouttool::checkCopies(const Layout &layout) {
  static constexpr int64_t kMaxCopies = int64_t(1) << 16;
  const TileLayout *tile = layout.getTile();
  if (tile && tile->getReplicaCount() > kMaxCopies)
    return makeError("expected at most " + Twine(kMaxCopies) +
                     " copies of an element, got " +
                     Twine(tile->getReplicaCount()));
  return llvm::Error::success();
}

layouttool::HardwarePlace layouttool::getHardwarePlace(const Coordinates &at,
                                                       unsigned elementBits) {
  // Shared memory has 32 banks of 4 bytes, TMEM columns of 32 bits.
  auto bitsOf = [&](StringRef axis) {
    int64_t bits = at.get(lookupBuiltinAxis(axis)), product = 0;
    // A coordinate so large that its bits overflow names no hardware place.
    return llvm::MulOverflow(bits, int64_t(elementBits), product) ? -1
                                                                  : product;
  };
  HardwarePlace place;
  place.byte = bitsOf("m") / 8;
  place.bank = place.byte / 4 % 32;
  place.column = bitsOf("TCol") / 32;
  place.bit = bitsOf("TCol") % 32;
  return place;
}
