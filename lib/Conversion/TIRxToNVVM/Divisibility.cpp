//===- Divisibility.cpp - what divides an index ---------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a vector access is aligned depends on what divides the dynamic
// offsets of views: tile numbers times tile sizes, and loop counters that step
// by a tile.
//
//===----------------------------------------------------------------------===//

#include "BufferRef.h"
#include "IndexMath.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tirx {

/// Bounds the work on chains that fork.
static constexpr unsigned kMaxDepth = 12;

static int64_t divisor(Value value, unsigned depth);

/// std::gcd takes 0, the constant that everything divides, as we need it.
static int64_t common(int64_t a, int64_t b) { return std::gcd(a, b); }

/// Where the product overflows, either factor still divides it.
static int64_t product(int64_t a, int64_t b) {
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? std::max(a, b) : result;
}

static int64_t divisorOfOp(Operation *op, unsigned depth) {
  auto of = [&](unsigned i) { return divisor(op->getOperand(i), depth + 1); };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MinUIOp,
            arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto) { return common(of(0), of(1)); })
      .Case([&](arith::MulIOp) { return product(of(0), of(1)); })
      .Case([&](arith::ShLIOp) {
        std::optional<int64_t> bits = constantValue(op->getOperand(1));
        if (!bits || *bits < 0 || *bits > 20)
          return of(0);
        return product(of(0), int64_t(1) << *bits);
      })
      .Case([&](arith::SelectOp) { return common(of(1), of(2)); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
            arith::ExtSIOp>([&](auto) { return of(0); })
      .Default([](Operation *) { return 1; });
}

static int64_t divisorOfArgument(BlockArgument argument, unsigned depth) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return 1;
  return common(divisor(loop.getLowerBound(), depth + 1),
                divisor(loop.getStep(), depth + 1));
}

static int64_t divisor(Value value, unsigned depth) {
  if (std::optional<int64_t> known = constantValue(value))
    return *known == INT64_MIN ? 1 : std::abs(*known);
  if (depth > kMaxDepth)
    return 1;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return divisorOfArgument(argument, depth);
  return divisorOfOp(value.getDefiningOp(), depth);
}

int64_t knownDivisor(Value value) { return divisor(value, 0); }

int64_t knownMove(const DynamicOffset &offset, int64_t period) {
  // Reduced first, so that the product fits.
  return knownDivisor(offset.index) % period * (offset.stride % period) %
         period;
}

} // namespace tirx
