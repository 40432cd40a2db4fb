//===- HostileQuestionsTest.cpp - questions about extreme layouts ---------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts whose extents, strides and offsets are anything that 64 bits hold,
// shapes and numbers that need not fit them: each question must answer or
// refuse, soon, and without arithmetic that overflows (run with UBSan).
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Accesses.h"
#include "TIRx/Layout/Agreement.h"
#include "TIRx/Layout/MatrixAccess.h"
#include "TIRx/Layout/TensorMap.h"
#include "TIRx/Layout/Vectorize.h"
#include "Testing.h"

using namespace tirx;
using namespace tirx::testing;
using llvm::SmallVector;

/// Small, near a power of two, or anything.
static int64_t extreme(Random &random) {
  int64_t power = int64_t(1) << pick(random, 0, 62);
  switch (pick(random, 0, 5)) {
  case 0:
    return pick(random, -2, 9);
  case 1:
    return power + pick(random, -1, 1);
  case 2:
    return -power;
  case 3:
    return INT64_MIN;
  case 4:
    return INT64_MAX;
  default:
    return pick(random, 1, 64);
  }
}

static Layout extremeLayout(Random &random) {
  static const char *const axes[] = {"m",  "m",      "m",   "laneid",
                                     "tx", "warpid", "TCol"};
  while (true) {
    auto iter = [&]() -> Iter {
      int64_t extent =
          pick(random, 0, 2) ? pick(random, 1, 8) : extreme(random);
      int64_t stride =
          pick(random, 0, 2) ? pick(random, 0, 8) : extreme(random);
      return {extent, stride, lookupBuiltinAxis(choose(random, axes))};
    };
    SmallVector<Iter> shard, replica;
    for (int64_t i = pick(random, 0, 4); i > 0; --i)
      shard.push_back(iter());
    for (int64_t i = pick(random, 0, 3) - 2; i > 0; --i)
      replica.push_back(iter());
    SmallVector<AxisOffset> offset;
    if (pick(random, 0, 3) == 0)
      offset.push_back({memoryAxis(), extreme(random)});
    auto tile = TileLayout::get(shard, replica, offset);
    if (!tile) {
      llvm::consumeError(tile.takeError());
      continue;
    }
    if (pick(random, 0, 2))
      return *tile;
    int64_t b = pick(random, 0, 3);
    SwizzleLayout swizzle = llvm::cantFail(
        SwizzleLayout::get(pick(random, 0, 5), b, pick(random, b, 4)));
    if (pick(random, 0, 5) == 0)
      return swizzle;
    auto composed = Layout::compose(swizzle, *tile);
    if (composed)
      return *composed;
    llvm::consumeError(composed.takeError());
  }
}

/// Usually the layout's own extents, whole.
static SmallVector<int64_t> extremeShape(Random &random, const Layout &layout) {
  SmallVector<int64_t> shape;
  if (layout.getTile())
    for (const Iter &iter : layout.getTile()->getShard())
      shape.push_back(iter.extent);
  if (pick(random, 0, 3) == 0)
    shape.push_back(extreme(random));
  if (!shape.empty() && pick(random, 0, 4) == 0)
    shape.pop_back();
  return shape;
}

template <class T>
static void settle(llvm::Expected<T> result, int64_t &count) {
  std::string message = messageOf(std::move(result));
  ASSERT_TRUE(message.empty() || isReason(message)) << message;
  count += message.empty();
}

TEST(HostileQuestions, AnswerOrRefuse) {
  Random random(99);
  int64_t answered = 0;
  for (int i = 0; i < 8000; ++i) {
    Layout a = extremeLayout(random), b = extremeLayout(random);
    auto shape = extremeShape(random, a), other = extremeShape(random, b);
    unsigned dim = pick(random, 0, 4);
    unsigned bits = pick(random, 0, 3) ? 16 : pick(random, 0, 70);
    AccessLimits limits;
    limits.elementBits = bits;
    limits.baseAlignment = extreme(random);
    limits.maxBytes = pick(random, 0, 1) ? 16 : extreme(random);
    settle(getContiguousRun(a, shape, dim), answered);
    settle(getAccessWidth(a, shape, dim, limits), answered);
    settle(partitionRegion(a, shape, lookupBuiltinAxis("tx"), extreme(random),
                           limits),
           answered);
    if (a.getSize().value_or(0) <= 4096) {
      int64_t vector = pick(random, 0, 3) ? 1 : extreme(random);
      settle(countBankConflicts(SharedAccess::Load, a, b, bits, vector),
             answered);
      settle(getCoalescing(a, b, bits, vector), answered);
      settle(fitMatrixLoad(a, b, bits, true), answered);
      settle(fitMatrixStore(a, b, bits, true), answered);
      SmallVector<int64_t> sizes;
      LayoutRegion lhs = {a, {}, {}}, rhs = {b, {}, {}};
      for (int64_t extent : shape) {
        lhs.shape.push_back(extent);
        lhs.offsets.push_back(pick(random, 0, 4) ? 0 : extreme(random));
        sizes.push_back(pick(random, 0, 4) ? 1 : extreme(random));
      }
      rhs.shape.assign(other.begin(), other.end());
      rhs.offsets.resize(other.size());
      settle(findDisagreement(lhs, rhs, sizes), answered);
      settle(findDisagreement(lhs, lhs, sizes), answered);
    }
    SmemOperand operand = {a, {}, dim, bits};
    operand.shape.assign(shape.begin(), shape.end());
    operand.padded = pick(random, 0, 4) == 0;
    operand.basePhase = pick(random, 0, 2) ? 0 : extreme(random);
    operand.stepBytes = pick(random, 0, 2) ? 32 : extreme(random);
    settle(deriveTcgen05Descriptor(operand), answered);
    settle(deriveWgmmaDescriptor(operand), answered);
  }
  EXPECT_GT(answered, 4000);
}

TEST(HostileQuestions, TensorMaps) {
  Random random(100);
  int64_t answered = 0;
  for (int i = 0; i < 8000; ++i) {
    TensorCopyRequest request = {{}, extremeLayout(random), {}};
    auto shape = extremeShape(random, request.shared);
    request.region.assign(shape.begin(), shape.end());
    request.padded = pick(random, 0, 4) == 0;
    GlobalTensor &global = request.global;
    global.elementBits = pick(random, 0, 3) ? 16 : pick(random, 0, 70);
    global.baseAlignment = pick(random, 0, 3) ? 32 : extreme(random);
    for (size_t d = 0; d < shape.size() + (pick(random, 0, 9) == 0); ++d) {
      auto &iters = global.dims.emplace_back();
      for (int64_t n = pick(random, 0, 3); n >= 0; --n) {
        GlobalIter iter;
        if (pick(random, 0, 5))
          iter.extent =
              pick(random, 0, 1) ? pick(random, 1, 64) : extreme(random);
        if (pick(random, 0, 5))
          iter.stride = pick(random, 0, 1) ? int64_t(1) << pick(random, 0, 9)
                                           : extreme(random);
        iters.push_back(iter);
        if (pick(random, 0, 2))
          break;
      }
    }
    settle(planTensorCopy(request), answered);
    Layout layout = extremeLayout(random);
    settle(GlobalTensor::get(layout, extremeShape(random, layout), 16),
           answered);
  }
  EXPECT_GT(answered, 400);
}
