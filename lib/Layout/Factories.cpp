//===- Factories.cpp - layouts that the hardware prescribes ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Factories.h"
#include "CheckedMath.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

static Axis axis(llvm::StringRef name) { return lookupBuiltinAxis(name); }

static Expected<Layout> makeLayout(ArrayRef<Iter> shard,
                                   ArrayRef<AxisOffset> offset = {}) {
  Expected<TileLayout> tile = TileLayout::get(shard, {}, offset);
  if (!tile)
    return tile.takeError();
  return Layout(std::move(*tile));
}

static llvm::Error expectMultiple(const Twine &what, int64_t value,
                                  int64_t unit) {
  if (value >= unit && value % unit == 0)
    return llvm::Error::success();
  return makeError("expected " + what + " to be a multiple of " + Twine(unit) +
                   ", got " + Twine(value));
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Iters of the stages in front of the tile, outermost first.
static Expected<SmallVector<Iter>> makeStages(ArrayRef<int64_t> extents,
                                              CheckedInt stride) {
  SmallVector<Iter> stages(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    if (stride.hasOverflowed())
      return makeError("expected a shape whose size fits 64 bits");
    stages[i] = {extents[i], stride.get(), memoryAxis()};
    stride *= extents[i];
  }
  return stages;
}

Expected<Layout> tirx::mmaSharedLayout(unsigned elementBits, SwizzleMode mode,
                                       Major major, ArrayRef<int64_t> shape) {
  if (!llvm::isPowerOf2_32(elementBits) || elementBits < 4 || elementBits > 32)
    return makeError("expected MMA elements of 4, 8, 16 or 32 bits, got " +
                     Twine(elementBits));
  if (shape.size() < 2)
    return makeError(
        "expected an MMA operand of at least two dimensions, got " +
        Twine(shape.size()));
  int64_t width = getRowBytes(mode) * 8 / elementBits;
  int64_t mn = shape[shape.size() - 2], k = shape.back();
  int64_t along = major == Major::K ? k : mn;
  int64_t across = major == Major::K ? mn : k;
  if (llvm::Error error = expectMultiple(
          "the extent along " + getName(major) + " of a swizzle of " +
              Twine(getRowBytes(mode)) + " bytes",
          along, width))
    return std::move(error);
  if (llvm::Error error =
          expectMultiple("the extent across the rows", across, 8))
    return std::move(error);
  CheckedInt slab = CheckedInt(across) * width;
  CheckedInt size = slab * (along / width);
  if (slab.hasOverflowed() || size.hasOverflowed())
    return makeError("expected a shape whose size fits 64 bits");

  Expected<SmallVector<Iter>> shard = makeStages(shape.drop_back(2), size);
  if (!shard)
    return shard.takeError();
  Iter rows = {across, width, memoryAxis()};
  Iter slabs = {along / width, slab.get(), memoryAxis()};
  Iter row = {width, 1, memoryAxis()};
  if (major == Major::K)
    shard->append({rows, slabs, row});
  else
    shard->append({slabs, row, rows});
  Expected<TileLayout> tile = TileLayout::get(*shard);
  if (!tile)
    return tile.takeError();
  if (std::optional<SwizzleLayout> swizzle =
          getElementSwizzle(mode, elementBits))
    return Layout::compose(*swizzle, std::move(*tile));
  return Layout(std::move(*tile));
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

static int64_t getDatapathRows(TmemDatapath datapath) {
  switch (datapath) {
  case TmemDatapath::A:
  case TmemDatapath::D:
    return 128;
  case TmemDatapath::G:
    return 32;
  default:
    return 64;
  }
}

Expected<Layout> tirx::tmemAccumulatorLayout(TmemDatapath datapath,
                                             int64_t rows, int64_t columns,
                                             bool upperLanes,
                                             unsigned elementBits) {
  int64_t expected = getDatapathRows(datapath);
  if (rows != expected)
    return makeError("expected " + Twine(expected) +
                     " rows in this data path layout, got " + Twine(rows));
  bool halfLanes = datapath == TmemDatapath::C || datapath == TmemDatapath::F;
  if (upperLanes && !halfLanes)
    return makeError("expected the upper lanes to be asked of data path "
                     "layouts C and F only");
  if (elementBits != 16 && elementBits != 32)
    return makeError("expected accumulators of 16 or 32 bits, got " +
                     Twine(elementBits));
  Axis lane = axis("TLane"), column = axis("TCol");
  int64_t step = 32 / elementBits;
  if (expected == 128)
    return makeLayout({{rows, 1, lane}, {columns, step, column}});
  if (halfLanes)
    return makeLayout({{4, 32, lane}, {16, 1, lane}, {columns, step, column}},
                      {{lane, upperLanes ? 16 : 0}});
  // The columns stand in parts, each in the lanes behind the one before.
  int64_t parts = 128 / rows;
  if (llvm::Error error =
          expectMultiple("the number of columns", columns, parts))
    return std::move(error);
  return makeLayout(
      {{rows, 1, lane}, {parts, rows, lane}, {columns / parts, step, column}});
}

/// One row a thread.
static Expected<Layout> makeRowFragment(int64_t rows, int64_t columns) {
  Axis thread = axis("tid_in_wg");
  if (rows == 64)
    return makeLayout(
        {{4, 32, thread}, {16, 1, thread}, {columns, 1, memoryAxis()}});
  return makeLayout({{rows, 1, thread}, {columns, 1, memoryAxis()}});
}

namespace {
/// How a 16-row access spreads its 32-bit cells. Row r of 16 is (r / 8, r % 8):
/// the second is 4 lanes each, the first moves by `half`. Cells of a row are
/// digits of `cells`; strides on `m` count registers.
struct AccessShape {
  int64_t cellsPerRow;
  int64_t registers;
  Iter half;
  SmallVector<Iter, 2> cells;
};
} // namespace

static AccessShape getAccessShape(TmemAccess access) {
  Axis lane = axis("laneid"), m = memoryAxis();
  switch (access) {
  case TmemAccess::B16x64:
    return {2, 1, {2, 1, lane}, {{2, 2, lane}}};
  case TmemAccess::B16x128:
    return {4, 2, {2, 1, m}, {{4, 1, lane}}};
  default:
    return {8, 4, {2, 2, m}, {{4, 1, lane}, {2, 1, m}}};
  }
}

Expected<Layout> tirx::tmemFragmentLayout(TmemAccess access, int64_t rows,
                                          int64_t columns,
                                          unsigned elementBits) {
  if (elementBits != 8 && elementBits != 16 && elementBits != 32)
    return makeError("expected elements of 8, 16 or 32 bits, got " +
                     Twine(elementBits));
  if (rows != 64 && rows != 128)
    return makeError("expected 64 or 128 rows for a warpgroup, got " +
                     Twine(rows));
  int64_t packed = 32 / elementBits;
  if (access == TmemAccess::B32x32) {
    if (llvm::Error error =
            expectMultiple("the number of columns", columns, packed))
      return std::move(error);
    return makeRowFragment(rows, columns);
  }
  AccessShape shape = getAccessShape(access);
  int64_t width = shape.cellsPerRow * packed;
  if (llvm::Error error =
          expectMultiple("the number of columns", columns, width))
    return std::move(error);
  // An access repeats along the columns, then for the upper 16 rows of 32.
  int64_t repeats = columns / width, perRepeat = shape.registers * packed;
  CheckedInt upper = CheckedInt(repeats) * perRepeat;
  auto scale = [&](Iter iter) {
    if (iter.axis == memoryAxis())
      iter.stride *= packed;
    return iter;
  };
  SmallVector<Iter> shard = {{4, 1, axis("wid_in_wg")}};
  if (rows == 128)
    shard.push_back({2, upper.get(), memoryAxis()});
  shard.push_back(scale(shape.half));
  shard.push_back({8, 4, axis("laneid")});
  shard.push_back({repeats, perRepeat, memoryAxis()});
  for (const Iter &iter : shape.cells)
    shard.push_back(scale(iter));
  if (packed > 1)
    shard.push_back({packed, 1, memoryAxis()});
  if (upper.hasOverflowed())
    return makeError("expected a number of columns that fits 64 bits, got " +
                     Twine(columns));
  return makeLayout(shard);
}
