//===- FactoriesWarpgroup.cpp - fragments of a warpgroup ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactoryUtils.h"
#include "TIRx/Layout/Factories.h"

using namespace tirx;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

static Axis lanes() { return lookupBuiltinAxis("laneid"); }
static Axis warps() { return lookupBuiltinAxis("wid_in_wg"); }

//===----------------------------------------------------------------------===//
// tcgen05.ld and tcgen05.st
//===----------------------------------------------------------------------===//

/// One row a thread.
static Expected<Layout> makeRowFragment(int64_t rows, int64_t columns) {
  return tmemRowFragmentLayout(rows == 64 ? TmemDatapath::F : TmemDatapath::D,
                               rows, columns);
}

namespace {
/// How a 16-row access spreads its 32-bit cells; strides on `m` count
/// registers.
struct AccessShape {
  int64_t cellsPerRow;
  int64_t registers;
  /// Digits of the row in 16, of the half of all columns, of the cell in a row.
  SmallVector<Iter, 2> rows, halves, cells;
};
} // namespace

static AccessShape getAccessShape(TmemAccess access) {
  Axis lane = lanes(), m = memoryAxis();
  switch (access) {
  case TmemAccess::B16x64:
    return {2, 1, {{2, 1, lane}, {8, 4, lane}}, {}, {{2, 2, lane}}};
  case TmemAccess::B16x128:
    return {4, 2, {{2, 1, m}, {8, 4, lane}}, {}, {{4, 1, lane}}};
  case TmemAccess::B16x32x2:
    return {1, 1, {{16, 1, lane}}, {{2, 16, lane}}, {}};
  default:
    return {8, 4, {{2, 2, m}, {8, 4, lane}}, {}, {{4, 1, lane}, {2, 1, m}}};
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
    if (Error error = expectMultiple("the number of columns", columns, packed))
      return std::move(error);
    return makeRowFragment(rows, columns);
  }
  AccessShape shape = getAccessShape(access);
  int64_t halves = shape.halves.empty() ? 1 : 2;
  int64_t width = shape.cellsPerRow * packed;
  if (Error error =
          expectMultiple("the number of columns", columns, width * halves))
    return std::move(error);
  // An access repeats along the columns, then for the upper 16 rows of 32.
  int64_t repeats = columns / width / halves;
  int64_t perRepeat = shape.registers * packed;
  CheckedInt upper = CheckedInt(repeats) * perRepeat;
  if (upper.hasOverflowed())
    return makeError("expected a number of columns that fits 64 bits, got " +
                     Twine(columns));
  SmallVector<Iter> shard = {{4, 1, warps()}};
  auto append = [&](llvm::ArrayRef<Iter> iters) {
    for (Iter iter : iters) {
      if (iter.axis == memoryAxis())
        iter.stride *= packed;
      shard.push_back(iter);
    }
  };
  if (rows == 128)
    shard.push_back({2, upper.get(), memoryAxis()});
  append(shape.rows);
  append(shape.halves);
  shard.push_back({repeats, perRepeat, memoryAxis()});
  append(shape.cells);
  shard.push_back({packed, 1, memoryAxis()});
  return makeFactoryLayout(shard);
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// Rows of a warp are 8 * half + lane / 4; of each `width` columns a lane has
/// `width` / 4 neighbours; halves follow each other first.
static Expected<Layout> makeWgmmaFragment(int64_t columns, int64_t width) {
  Axis lane = lanes(), m = memoryAxis();
  int64_t packed = width / 4;
  return makeFactoryLayout({{4, 1, warps()},
                            {2, packed, m},
                            {8, 4, lane},
                            {columns / width, 2 * packed, m},
                            {4, 1, lane},
                            {packed, 1, m}});
}

Expected<Layout> tirx::wgmmaAccumulatorLayout(int64_t n, bool integer) {
  if (n < 8 || n > 256 || n % 8 != 0)
    return makeError(
        "expected N of wgmma to be a multiple of 8 up to 256, got " + Twine(n));
  if (integer && n != 8 && n != 24 && n % 16 != 0)
    return makeError("expected N of an integer wgmma to be 8, 24 or a multiple "
                     "of 16 up to 256, got " +
                     Twine(n));
  return makeWgmmaFragment(n, 8);
}

Expected<Layout> tirx::wgmmaOperandLayout(int64_t k, unsigned elementBits) {
  if (elementBits != 1 && elementBits != 8 && elementBits != 16 &&
      elementBits != 32)
    return makeError("expected elements of A in registers of 1, 8, 16 or 32 "
                     "bits, got " +
                     Twine(elementBits));
  if (Error error =
          expectMultiple("K of A with " + Twine(elementBits) + "-bit elements",
                         k, 256 / elementBits))
    return std::move(error);
  return makeWgmmaFragment(k, 128 / elementBits);
}
