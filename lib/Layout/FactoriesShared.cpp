//===- FactoriesShared.cpp - operands in shared memory --------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactoryUtils.h"
#include "TIRx/Layout/Factories.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Bits from one element to the next in a layout that counts elements; slots of
/// padded elements are bytes.
static Expected<unsigned> getSlotBits(unsigned elementBits, Packing packing,
                                      unsigned widest) {
  if (packing == Packing::Padded) {
    if (elementBits != 4 && elementBits != 6)
      return makeError("expected padded elements of 4 or 6 bits, got " +
                       Twine(elementBits));
    return 8;
  }
  if (elementBits == 4 || elementBits == 8 || elementBits == 16 ||
      elementBits == 32 || (elementBits == 64 && widest == 64))
    return elementBits;
  return makeError(Twine("expected elements of 4, 8, 16") +
                   (widest == 64 ? ", 32 or 64" : " or 32") +
                   " bits, or padded ones of 4 or 6, got " +
                   Twine(elementBits));
}

/// Table 54 of 9.7.16.10.3.
static Error checkMajor(unsigned elementBits, SwizzleMode mode, Major major) {
  if (major == Major::K)
    return Error::success();
  bool atom32 = mode == SwizzleMode::B128Atom32;
  if (elementBits < 8)
    return makeError("expected MN-major elements of 8, 16 or 32 bits, got " +
                     Twine(elementBits));
  if (elementBits == 32 && !atom32)
    return makeError("expected MN-major elements of 32 bits to have the "
                     "swizzle 128B with 32B atoms, got " +
                     getName(mode));
  if (elementBits < 32 && atom32)
    return makeError("expected MN-major elements of " + Twine(elementBits) +
                     " bits to have no swizzle or 32B, 64B or 128B, got " +
                     getName(mode));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Iters of the stages in front of a tile of `size` elements, outermost first.
static Expected<SmallVector<Iter>> makeStages(ArrayRef<int64_t> extents,
                                              CheckedInt size) {
  SmallVector<Iter> stages(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    if (size.hasOverflowed())
      return makeError("expected a shape whose size fits 64 bits");
    stages[i] = {extents[i], size.get(), memoryAxis()};
    size *= extents[i];
  }
  return stages;
}

static Error checkDimensions(ArrayRef<int64_t> shape, size_t least) {
  if (shape.size() < least)
    return makeError("expected at least " + Twine(least) + " dimensions, got " +
                     Twine(shape.size()));
  for (auto [i, extent] : llvm::enumerate(shape))
    if (Error error = expectPositive("extent " + Twine(i), extent))
      return error;
  return Error::success();
}

/// Slabs as wide as a row of the swizzle pattern, each with all lines of the
/// other dimension.
static Expected<Layout> makeSlabs(unsigned slotBits, SwizzleMode mode,
                                  Major major, ArrayRef<int64_t> shape) {
  if (Error error = checkDimensions(shape, 2))
    return std::move(error);
  int64_t width = getRowBytes(mode) * 8 / slotBits;
  int64_t mn = shape[shape.size() - 2], k = shape.back();
  int64_t along = major == Major::K ? k : mn;
  int64_t across = major == Major::K ? mn : k;
  if (Error error = expectMultiple("the extent along " + getName(major) +
                                       " of a swizzle of " +
                                       Twine(getRowBytes(mode)) + " bytes",
                                   along, width))
    return std::move(error);
  if (Error error = expectMultiple("the extent across the rows", across, 8))
    return std::move(error);
  CheckedInt slab = CheckedInt(across) * width;
  CheckedInt size = slab * (along / width);
  Expected<SmallVector<Iter>> shard = makeStages(shape.drop_back(2), size);
  if (!shard)
    return shard.takeError();
  if (size.hasOverflowed())
    return makeError("expected a shape whose size fits 64 bits");

  Iter rows = {across, width, memoryAxis()};
  Iter slabs = {along / width, slab.get(), memoryAxis()};
  Iter row = {width, 1, memoryAxis()};
  if (major == Major::K)
    shard->append({rows, slabs, row});
  else
    shard->append({slabs, row, rows});
  Expected<Layout> tile = makeFactoryLayout(*shard);
  if (!tile)
    return tile.takeError();
  if (std::optional<SwizzleLayout> swizzle = getElementSwizzle(mode, slotBits))
    return Layout::compose(*swizzle, *tile->getTile());
  return tile;
}

Expected<Layout> tirx::mmaSharedLayout(unsigned elementBits, SwizzleMode mode,
                                       Major major, ArrayRef<int64_t> shape,
                                       Packing packing) {
  Expected<unsigned> slotBits = getSlotBits(elementBits, packing, 32);
  if (!slotBits)
    return slotBits.takeError();
  if (Error error = checkMajor(elementBits, mode, major))
    return std::move(error);
  return makeSlabs(*slotBits, mode, major, shape);
}

Expected<Layout> tirx::tmaSharedLayout(unsigned elementBits, SwizzleMode mode,
                                       ArrayRef<int64_t> shape,
                                       Packing packing) {
  Expected<unsigned> slotBits = getSlotBits(elementBits, packing, 64);
  if (!slotBits)
    return slotBits.takeError();
  if (packing == Packing::Padded &&
      (mode == SwizzleMode::B32 || mode == SwizzleMode::B64))
    return makeError("expected padded elements to have no swizzle, 128B or "
                     "128B with 32B atoms, got " +
                     getName(mode));
  if (mode != SwizzleMode::None)
    return makeSlabs(*slotBits, mode, Major::K, shape);
  if (Error error = checkDimensions(shape, 1))
    return std::move(error);
  if (Error error = expectMultiple("the elements of a row, 16 bytes or more,",
                                   shape.back(), 128 / *slotBits))
    return std::move(error);
  Expected<TileLayout> tile = TileLayout::rowMajor(shape);
  if (!tile)
    return tile.takeError();
  return Layout(std::move(*tile));
}

Expected<Layout> tirx::sharedScaleFactorLayout(int64_t rows, int64_t scales,
                                               int64_t reuse) {
  if (Error error = expectMultiple("the number of rows", rows, 128))
    return std::move(error);
  if (Error error = expectMultiple("the number of scales of a row", scales, 4))
    return std::move(error);
  if (Error error = expectPositive("the reuse of a scale", reuse))
    return std::move(error);
  Axis m = memoryAxis();
  CheckedInt block = CheckedInt(scales) * 128;
  if (block.hasOverflowed())
    return makeError("expected a number of scales that fits 64 bits, got " +
                     Twine(scales));
  return makeFactoryLayout({{rows / 128, block.get(), m},
                            {4, 4, m},
                            {32, 16, m},
                            {scales / 4, 512, m},
                            {4, 1, m},
                            {reuse, 0, m}});
}
