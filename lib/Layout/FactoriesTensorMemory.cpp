//===- FactoriesTensorMemory.cpp - operands in tensor memory --------------===//
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

static Axis lanes() { return lookupBuiltinAxis("TLane"); }
static Axis columnAxis() { return lookupBuiltinAxis("TCol"); }

/// Tensor memory has 512 columns of 32 bits; `TCol` counts `unitBits`.
static Expected<Layout> checkCapacity(Expected<Layout> layout,
                                      unsigned unitBits) {
  if (!layout)
    return layout;
  int64_t units = layout->getSpan(columnAxis()).max + 1;
  int64_t perColumn = 32 / unitBits;
  if (units <= 512 * perColumn)
    return layout;
  return makeError("expected at most 512 columns of 32 bits, got " +
                   Twine(units / perColumn + (units % perColumn != 0)));
}

//===----------------------------------------------------------------------===//
// Data paths
//===----------------------------------------------------------------------===//

static int64_t getRows(TmemDatapath datapath) {
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

/// Whether the rows are in 16 of each 32 lanes.
static bool hasHalfLanes(TmemDatapath datapath) {
  return datapath == TmemDatapath::C || datapath == TmemDatapath::F;
}

static Error checkUpperLanes(TmemDatapath datapath, bool upperLanes) {
  if (!upperLanes || hasHalfLanes(datapath))
    return Error::success();
  return makeError("expected the upper lanes to be asked of data path "
                   "layouts C and F only");
}

Expected<TmemDatapath> tirx::getTmemDatapath(const TmemMma &mma) {
  if (mma.ctaGroup != 1 && mma.ctaGroup != 2)
    return makeError("expected a cta_group of 1 or 2, got " +
                     Twine(mma.ctaGroup));
  if (mma.ctaGroup == 2) {
    if (mma.weightStationary)
      return makeError("expected .ws to have a cta_group of 1, got 2");
    if (mma.m == 256)
      return TmemDatapath::A;
    if (mma.m == 128)
      return mma.sparse ? TmemDatapath::C : TmemDatapath::B;
    return makeError("expected M to be 128 or 256 with a cta_group of 2, got " +
                     Twine(mma.m));
  }
  if (mma.m == 128)
    return TmemDatapath::D;
  if (mma.m == 64)
    return mma.weightStationary ? TmemDatapath::E : TmemDatapath::F;
  if (mma.m == 32 && mma.weightStationary)
    return TmemDatapath::G;
  if (mma.weightStationary)
    return makeError("expected M to be 32, 64 or 128 with .ws, got " +
                     Twine(mma.m));
  return makeError("expected M to be 64 or 128 with a cta_group of 1, got " +
                   Twine(mma.m));
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// The accumulator with `lane` and `column` for the two axes.
static Expected<Layout> makeAccumulator(TmemDatapath datapath, int64_t rows,
                                        int64_t columns, bool upperLanes,
                                        Axis lane, Axis column, int64_t step) {
  int64_t expected = getRows(datapath);
  if (rows != expected)
    return makeError("expected " + Twine(expected) +
                     " rows in this data path layout, got " + Twine(rows));
  if (Error error = checkUpperLanes(datapath, upperLanes))
    return std::move(error);
  if (Error error = expectPositive("the number of columns", columns))
    return std::move(error);
  if (hasHalfLanes(datapath))
    return makeFactoryLayout(
        {{4, 32, lane}, {16, 1, lane}, {columns, step, column}}, {},
        {{lane, upperLanes ? 16 : 0}});
  // The columns stand in parts, each in the lanes behind the one before.
  int64_t parts = 128 / rows;
  if (Error error = expectMultiple("the number of columns", columns, parts))
    return std::move(error);
  return makeFactoryLayout(
      {{rows, 1, lane}, {parts, rows, lane}, {columns / parts, step, column}});
}

Expected<Layout> tirx::tmemAccumulatorLayout(TmemDatapath datapath,
                                             int64_t rows, int64_t columns,
                                             bool upperLanes,
                                             unsigned elementBits) {
  if (elementBits != 16 && elementBits != 32)
    return makeError("expected accumulators of 16 or 32 bits, got " +
                     Twine(elementBits));
  return checkCapacity(makeAccumulator(datapath, rows, columns, upperLanes,
                                       lanes(), columnAxis(), 32 / elementBits),
                       elementBits);
}

static Error checkN(const TmemMma &mma, int64_t n) {
  if (mma.weightStationary) {
    if (n == 64 || n == 128 || (n == 256 && !mma.sparse))
      return Error::success();
    return makeError(
        Twine("expected N to be 64") +
        (mma.sparse ? " or 128 with .ws.sp" : ", 128 or 256 with .ws") +
        ", got " + Twine(n));
  }
  int64_t step = mma.ctaGroup == 2 ? 16 : 8;
  if (n >= step && n <= 256 && n % step == 0)
    return Error::success();
  return makeError("expected N to be a multiple of " + Twine(step) +
                   " up to 256 with a cta_group of " + Twine(mma.ctaGroup) +
                   ", got " + Twine(n));
}

Expected<Layout> tirx::tmemAccumulatorLayout(const TmemMma &mma, int64_t n,
                                             bool upperLanes,
                                             unsigned elementBits) {
  Expected<TmemDatapath> datapath = getTmemDatapath(mma);
  if (!datapath)
    return datapath.takeError();
  if (Error error = checkN(mma, n))
    return std::move(error);
  return tmemAccumulatorLayout(*datapath, getRows(*datapath), n, upperLanes,
                               elementBits);
}

Expected<Layout> tirx::tmemRowFragmentLayout(TmemDatapath datapath,
                                             int64_t rows, int64_t columns,
                                             bool upperLanes) {
  return makeAccumulator(datapath, rows, columns, upperLanes,
                         lookupBuiltinAxis("tid_in_wg"), memoryAxis(), 1);
}

//===----------------------------------------------------------------------===//
// A
//===----------------------------------------------------------------------===//

Expected<Layout> tirx::tmemOperandLayout(const TmemMma &mma, int64_t columns,
                                         unsigned containerBits,
                                         bool upperLanes) {
  Expected<TmemDatapath> datapath = getTmemDatapath(mma);
  if (!datapath)
    return datapath.takeError();
  if (Error error = checkUpperLanes(*datapath, upperLanes))
    return std::move(error);
  if (containerBits != 4 && containerBits != 8 && containerBits != 16 &&
      containerBits != 32)
    return makeError("expected containers of 4, 8, 16 or 32 bits, got " +
                     Twine(containerBits));
  if (Error error = expectMultiple("the number of columns of A", columns,
                                   32 / containerBits))
    return std::move(error);
  Axis lane = lanes(), column = columnAxis();
  int64_t rows = getRows(*datapath);
  if (hasHalfLanes(*datapath))
    return checkCapacity(
        makeFactoryLayout({{4, 32, lane}, {16, 1, lane}, {columns, 1, column}},
                          {}, {{lane, upperLanes ? 16 : 0}}),
        containerBits);
  SmallVector<Iter, 1> copies;
  if (rows != 128)
    copies.push_back({128 / rows, rows, lane});
  return checkCapacity(
      makeFactoryLayout({{rows, 1, lane}, {columns, 1, column}}, copies),
      containerBits);
}

//===----------------------------------------------------------------------===//
// Scale factors
//===----------------------------------------------------------------------===//

static Error checkScales(int64_t rows, int64_t scales, int64_t scalesPerMma) {
  bool k96 = scalesPerMma == 3 || scalesPerMma == 6;
  if (!k96 && scalesPerMma != 1 && scalesPerMma != 2 && scalesPerMma != 4)
    return makeError("expected an instruction to read 1, 2 or 4 scales of a "
                     "row, or 3 or 6 with K 96, got " +
                     Twine(scalesPerMma));
  if (Error error =
          expectMultiple("the number of scales of a row", scales, scalesPerMma))
    return error;
  if (!k96)
    return Error::success();
  if (rows > 128)
    return makeError("expected up to 128 rows of scales with K 96, got " +
                     Twine(rows));
  return expectMultiple("the number of scales of a row with K 96", scales, 4);
}

Expected<Layout> tirx::tmemScaleFactorLayout(int64_t rows, int64_t scales,
                                             int64_t scalesPerMma,
                                             int64_t reuse,
                                             ScaleFactorCopies copies) {
  if (Error error = checkScales(rows, scales, scalesPerMma))
    return std::move(error);
  if (Error error = expectPositive("the reuse of a scale", reuse))
    return std::move(error);
  if (Error error = expectPositive("the number of rows", rows))
    return std::move(error);
  int64_t halves = copies == ScaleFactorCopies::Halves ? 2 : 1;
  if (rows % halves != 0)
    return makeError("expected an even number of rows, got " + Twine(rows));
  int64_t held = rows / halves;
  if (held > 32 && held % 32 != 0)
    return makeError("expected up to 32 rows in a group of lanes or a multiple "
                     "of 32, got " +
                     Twine(held));

  Axis lane = lanes(), column = columnAxis();
  int64_t words = held > 32 ? held / 32 : 1;
  int64_t shared = scales % 4 == 0 ? 4 : scales % 2 == 0 ? 2 : 1;
  return checkCapacity(makeFactoryLayout({{halves, 64, lane},
                                          {words, 4, column},
                                          {held / words, 1, lane},
                                          {scales / shared, 4 * words, column},
                                          {shared, 1, column},
                                          {reuse, 0, column}},
                                         {{4 / halves, 32, lane}}),
                       8);
}
