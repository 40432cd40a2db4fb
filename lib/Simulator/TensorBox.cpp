//===- TensorBox.cpp - the elements of a tensor copy ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBox.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

TensorBox::TensorBox(TensorMapDescription description, BoxMode mode,
                     llvm::ArrayRef<int32_t> coordinates,
                     llvm::ArrayRef<uint16_t> im2colOffsets, bool isLoad)
    : map(std::move(description)), packing(packingOf(map.type)), mode(mode),
      start(coordinates.begin(), coordinates.end()),
      offsets(im2colOffsets.begin(), im2colOffsets.end()) {
  bool isTiled = map.mode == TensorMapMode::Tiled;
  if (isTiled != (mode != BoxMode::Im2col)) {
    problem = isTiled ? "expected a tensor map of im2col, got a tiled one"
                      : "expected a tiled tensor map, got one of im2col";
    return;
  }
  if (map.mode == TensorMapMode::Im2colW ||
      map.mode == TensorMapMode::Im2colW128 ||
      map.interleave != TensorMapInterleave::None) {
    problem = "interleaved maps and the wide im2col modes have no model";
    return;
  }
  unsigned expected = mode == BoxMode::Rows4 ? 2 : start.size();
  if (map.rank() != expected) {
    problem = llvm::formatv("expected a tensor map of {0} dimensions, got one "
                            "of {1}",
                            expected, map.rank());
    return;
  }
  unsigned elements = isTiled ? map.box[0] : map.channels;
  units = elements / packing.elements;
  rowCount = 1;
  if (mode == BoxMode::Im2col) {
    rowCount = map.pixels;
  } else if (mode == BoxMode::Rows4) {
    rowCount = 4;
  } else {
    // The first element stride is ignored without interleave.
    counts.push_back(elements);
    for (unsigned d = 1; d < map.rank(); ++d) {
      counts.push_back(llvm::divideCeil(map.box[d], map.elementStrides[d]));
      rowCount *= counts[d];
    }
  }
  unsigned span = swizzleSpan(map.swizzle);
  pitch = span ? span : rowBytes();
  checkCoordinates(isLoad);
}

void TensorBox::checkCoordinates(bool isLoad) {
  int64_t bytes = start[0] * packing.globalBytes;
  unsigned multiple = packing.sharedBytes != packing.globalBytes ? 128 : 0;
  if (multiple ? start[0] % multiple != 0
               : bytes % (16 * int64_t(packing.elements)) != 0) {
    problem = llvm::formatv(
        "expected a first coordinate that is a multiple of {0} elements, got "
        "{1}",
        multiple ? multiple : 16 * packing.elements / packing.globalBytes,
        start[0]);
    return;
  }
  firstUnit = start[0] / int64_t(packing.elements);
  limitUnits = map.dims[0] / packing.elements;
  if (isLoad)
    return;
  for (int64_t coordinate : start)
    if (coordinate < 0)
      problem = llvm::formatv("expected no negative coordinate in a store or "
                              "reduction, got {0}",
                              coordinate);
  // Stores write whole blocks of 16 bytes.
  limitUnits =
      llvm::alignTo(limitUnits * packing.globalBytes, 16) / packing.globalBytes;
}

/// The coordinates of dimension 1 and up of a row of a tile.
bool TensorBox::tileRow(unsigned r, llvm::SmallVectorImpl<int64_t> &at) const {
  if (mode == BoxMode::Rows4) {
    at[1] = start[1 + r];
    return true;
  }
  for (unsigned d = 1; d < map.rank(); ++d) {
    at[d] = start[d] + int64_t(r % counts[d]) * map.elementStrides[d];
    r /= counts[d];
  }
  return true;
}

/// Pixels run through the box between the corners, the first spatial dimension
/// fastest, and on into the next image.
void TensorBox::pixelRow(unsigned r, llvm::SmallVectorImpl<int64_t> &at) const {
  int64_t carry = r;
  unsigned last = map.rank() - 1;
  for (unsigned d = 1; d < last; ++d) {
    int64_t low = map.lower[d - 1];
    int64_t high = int64_t(map.dims[d]) - 1 + map.upper[d - 1];
    int64_t step = map.elementStrides[d];
    // Positions from where a row of the box begins; the first one starts at the
    // given coordinate.
    int64_t begin = start[d];
    int64_t rest = high < begin ? 1 : (high - begin) / step + 1;
    if (carry < rest) {
      at[d] = begin + carry * step;
      carry = 0;
    } else {
      int64_t whole = high < low ? 1 : (high - low) / step + 1;
      int64_t behind = carry - rest;
      at[d] = low + behind % whole * step;
      carry = 1 + behind / whole;
    }
  }
  at[last] = start[last] + carry;
  for (unsigned d = 1; d < last && d - 1 < offsets.size(); ++d)
    at[d] += offsets[d - 1];
}

TensorBox::Row TensorBox::row(unsigned r) const {
  llvm::SmallVector<int64_t, 5> at(map.rank(), 0);
  if (mode == BoxMode::Im2col)
    pixelRow(r, at);
  else
    tileRow(r, at);
  Row row;
  uint64_t base = map.address;
  for (unsigned d = 1; d < map.rank(); ++d) {
    if (at[d] < 0 || at[d] >= int64_t(map.dims[d]))
      return row;
    base += uint64_t(at[d]) * map.strides[d - 1];
  }
  int64_t first = std::max<int64_t>(0, -firstUnit);
  int64_t last = std::min<int64_t>(units, limitUnits - firstUnit);
  if (first >= last)
    return row;
  row.first = first;
  row.last = last;
  row.address = base + uint64_t(firstUnit + first) * packing.globalBytes;
  return row;
}

uint32_t TensorBox::sharedAddress(uint32_t base, unsigned r,
                                  unsigned byte) const {
  uint32_t address = base + r * pitch + byte;
  uint32_t line = address >> 7;
  switch (map.swizzle) {
  case TensorMapSwizzle::None:
    return address;
  case TensorMapSwizzle::B32:
    return address ^ (line & 1) << 4;
  case TensorMapSwizzle::B64:
    return address ^ (line & 3) << 4;
  case TensorMapSwizzle::B128:
    return address ^ (line & 7) << 4;
  case TensorMapSwizzle::B128Atom32:
  case TensorMapSwizzle::B128Atom32Flip8:
    return address ^ (line & 3) << 5;
  case TensorMapSwizzle::B128Atom64:
    return address ^ (line & 1) << 6;
  }
  return address;
}
