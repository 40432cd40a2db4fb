//===- Affine.cpp - layouts to and from affine maps -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Exchange/Strided.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;
using Digit = AffineValue::Digit;

//===----------------------------------------------------------------------===//
// To affine maps
//===----------------------------------------------------------------------===//

Expected<SmallVector<AffineResult>> tirx::toAffine(const Layout &layout,
                                                   ArrayRef<int64_t> shape,
                                                   ArrayRef<Axis> axes) {
  Expected<TileLayout> unswizzled = getUnswizzled(layout, "an affine map");
  if (!unswizzled)
    return unswizzled.takeError();
  const TileLayout &tile = *unswizzled;
  if (Error error = checkNoReplicas(tile, "an affine map"))
    return std::move(error);
  auto groups = group(tile, shape);
  if (!groups)
    return groups.takeError();

  SmallVector<AffineResult> results(axes.size());
  auto find = [&](Axis axis) -> Expected<AffineResult *> {
    const Axis *it = llvm::find(axes, axis);
    if (it != axes.end())
      return &results[it - axes.begin()];
    return makeError("expected no axis besides those of the map's results, got "
                     "'" +
                     axis.getName() + "'");
  };
  for (auto [dim, iters] : llvm::enumerate(*groups)) {
    int64_t weight = 1;
    for (const Iter &iter : llvm::reverse(iters)) {
      int64_t divisor = weight;
      weight *= iter.extent;
      if (iter.stride == 0)
        continue;
      Expected<AffineResult *> result = find(iter.axis);
      if (!result)
        return result.takeError();
      // Nothing is above the outermost iter to be cut off.
      int64_t modulus = weight == shape[dim] ? 0 : iter.extent;
      (*result)->terms.push_back(
          {unsigned(dim), divisor, modulus, iter.stride});
    }
  }
  for (const AxisOffset &entry : tile.getOffset()) {
    Expected<AffineResult *> result = find(entry.axis);
    if (!result)
      return result.takeError();
    (*result)->constant = entry.value;
  }
  return results;
}

static void printResult(llvm::raw_ostream &os, const AffineResult &result) {
  llvm::interleave(
      result.terms, os,
      [&](const AffineTerm &term) {
        bool cut = term.modulus != 0 && term.divisor != 1;
        os << (cut ? "((" : term.modulus || term.divisor != 1 ? "(" : "");
        os << 'd' << term.dim;
        if (term.divisor != 1)
          os << " floordiv " << term.divisor << ')';
        if (term.modulus)
          os << " mod " << term.modulus << ')';
        if (term.stride != 1)
          os << " * " << term.stride;
      },
      " + ");
  if (result.terms.empty())
    os << result.constant;
  else if (result.constant)
    os << " + " << result.constant;
}

void tirx::printAffine(llvm::raw_ostream &os, unsigned rank,
                       ArrayRef<AffineResult> results) {
  os << '(';
  llvm::interleaveComma(llvm::seq(rank), os,
                        [&](unsigned dim) { os << 'd' << dim; });
  os << ") -> (";
  llvm::interleaveComma(results, os, [&](const AffineResult &result) {
    printResult(os, result);
  });
  os << ')';
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

static Error overflow() {
  return makeError("expected an affine expression whose coefficients fit 64 "
                   "bits");
}

AffineValue AffineValue::getConstant(int64_t value) {
  AffineValue result;
  result.constant = value;
  return result;
}

AffineValue AffineValue::getDim(unsigned dim, int64_t extent) {
  AffineValue result;
  if (extent > 1)
    result.digits.push_back({dim, 1, extent, 1});
  return result;
}

Expected<AffineValue> AffineValue::add(const AffineValue &lhs,
                                       const AffineValue &rhs) {
  AffineValue result = lhs;
  for (const Digit &digit : rhs.digits) {
    auto *same = llvm::find_if(result.digits, [&](const Digit &other) {
      return other.dim == digit.dim && other.weight == digit.weight &&
             other.extent == digit.extent;
    });
    if (same == result.digits.end()) {
      result.digits.push_back(digit);
      continue;
    }
    CheckedInt factor = CheckedInt(same->factor) + digit.factor;
    if (factor.hasOverflowed())
      return overflow();
    same->factor = factor.get();
  }
  CheckedInt constant = CheckedInt(lhs.constant) + rhs.constant;
  if (constant.hasOverflowed())
    return overflow();
  result.constant = constant.get();
  llvm::erase_if(result.digits, [](const Digit &d) { return d.factor == 0; });
  return result;
}

Expected<AffineValue> AffineValue::multiply(const AffineValue &lhs,
                                            const AffineValue &rhs) {
  if (!lhs.isConstant() && !rhs.isConstant())
    return makeError("expected a constant as a factor of a product");
  AffineValue result = lhs.isConstant() ? rhs : lhs;
  int64_t factor = lhs.isConstant() ? lhs.constant : rhs.constant;
  for (Digit &digit : result.digits) {
    CheckedInt product = CheckedInt(digit.factor) * factor;
    if (product.hasOverflowed())
      return overflow();
    digit.factor = product.get();
  }
  CheckedInt constant = CheckedInt(result.constant) * factor;
  if (constant.hasOverflowed())
    return overflow();
  result.constant = constant.get();
  llvm::erase_if(result.digits, [](const Digit &d) { return d.factor == 0; });
  return result;
}

/// The part of `digit` that the divisor keeps below itself, whose multiples of
/// the divisor are left in `digit`; nothing where the digit cannot be cut.
static std::optional<Digit> cutDigit(Digit &digit, int64_t divisor) {
  Digit low = digit;
  if (digit.factor % divisor == 0) {
    low.factor = 0;
    return low;
  }
  // Too small to reach the divisor: whole.
  CheckedInt reach = CheckedInt(digit.extent - 1) * digit.factor;
  if (digit.factor < 0 || reach.hasOverflowed())
    return std::nullopt;
  if (reach.get() < divisor) {
    digit.factor = 0;
    return low;
  }
  int64_t count = divisor / digit.factor;
  if (divisor % digit.factor != 0 || digit.extent % count != 0)
    return std::nullopt;
  low.extent = count;
  digit.weight *= count;
  digit.extent /= count;
  digit.factor = divisor;
  return low;
}

Expected<std::pair<AffineValue, AffineValue>>
AffineValue::divide(const AffineValue &lhs, const AffineValue &rhs) {
  if (!rhs.isConstant() || rhs.constant < 1)
    return makeError("expected a constant of at least 1 as divisor");
  int64_t divisor = rhs.constant;
  AffineValue quotient, remainder;
  quotient.constant = lhs.constant / divisor;
  remainder.constant = lhs.constant % divisor;
  if (remainder.constant < 0) {
    remainder.constant += divisor;
    --quotient.constant;
  }
  CheckedInt reach = remainder.constant;
  for (Digit high : lhs.digits) {
    std::optional<Digit> low = cutDigit(high, divisor);
    if (!low)
      return makeError("expected the divisor " + Twine(divisor) +
                       " to cut the steps of dimension " + Twine(high.dim) +
                       " where its extent is divided, got " +
                       Twine(high.extent) + " steps of " + Twine(high.factor));
    reach += (low->extent - 1) * low->factor;
    if (low->factor)
      remainder.digits.push_back(*low);
    high.factor /= divisor;
    if (high.factor)
      quotient.digits.push_back(high);
  }
  if (reach.hasOverflowed() || reach.get() >= divisor)
    return makeError("expected terms below the divisor " + Twine(divisor) +
                     " whose sum stays below it");
  return std::pair(quotient, remainder);
}

Expected<AffineValue> AffineValue::floorDiv(const AffineValue &lhs,
                                            const AffineValue &rhs) {
  auto parts = divide(lhs, rhs);
  if (!parts)
    return parts.takeError();
  return parts->first;
}

Expected<AffineValue> AffineValue::mod(const AffineValue &lhs,
                                       const AffineValue &rhs) {
  auto parts = divide(lhs, rhs);
  if (!parts)
    return parts.takeError();
  return parts->second;
}

//===----------------------------------------------------------------------===//
// From affine maps
//===----------------------------------------------------------------------===//

/// Where the digits of a dimension begin and end, from 1 to its extent: each
/// divides the next.
static Expected<SmallVector<int64_t>> getCuts(ArrayRef<AffineValue> results,
                                              unsigned dim, int64_t extent) {
  SmallVector<int64_t> cuts = {1, extent};
  for (const AffineValue &result : results)
    for (const Digit &digit : result.getDigits())
      if (digit.dim == dim) {
        cuts.push_back(digit.weight);
        cuts.push_back(digit.weight * digit.extent);
      }
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  for (size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i] % cuts[i - 1] != 0)
      return makeError("expected the cuts of dimension " + Twine(dim) +
                       " to divide each other, got " + Twine(cuts[i - 1]) +
                       " and " + Twine(cuts[i]));
  return cuts;
}

/// The iter of the digit of `dim` between two cuts.
static Expected<Iter> getIter(ArrayRef<AffineValue> results, unsigned dim,
                              int64_t low, int64_t high, ArrayRef<Axis> axes) {
  Iter iter = {high / low, 0, memoryAxis()};
  for (auto [result, axis] : llvm::zip_equal(results, axes)) {
    CheckedInt stride = 0;
    for (const Digit &digit : result.getDigits())
      if (digit.dim == dim && digit.weight <= low &&
          low < digit.weight * digit.extent)
        stride += CheckedInt(digit.factor) * (low / digit.weight);
    if (stride.hasOverflowed())
      return overflow();
    if (stride.get() == 0)
      continue;
    if (iter.stride != 0)
      return makeError("expected each step of dimension " + Twine(dim) +
                       " to move on one axis, got '" + iter.axis.getName() +
                       "' and '" + axis.getName() + "'");
    iter.stride = stride.get();
    iter.axis = axis;
  }
  return iter;
}

Expected<Layout> tirx::fromAffine(ArrayRef<AffineValue> results,
                                  ArrayRef<int64_t> shape,
                                  ArrayRef<Axis> axes) {
  if (results.size() != axes.size())
    return makeError("expected " + Twine(axes.size()) +
                     " results, one for each axis, got " +
                     Twine(results.size()));
  SmallVector<Iter> shard;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent < 1)
      return makeError("expected an extent of at least 1 in dimension " +
                       Twine(dim) + ", got " + Twine(extent));
    Expected<SmallVector<int64_t>> cuts = getCuts(results, dim, extent);
    if (!cuts)
      return cuts.takeError();
    for (size_t i = cuts->size(); i-- > 1;) {
      Expected<Iter> iter =
          getIter(results, dim, (*cuts)[i - 1], (*cuts)[i], axes);
      if (!iter)
        return iter.takeError();
      shard.push_back(*iter);
    }
    if (extent == 1)
      shard.push_back({1, 1, memoryAxis()});
  }
  SmallVector<AxisOffset> offset;
  for (auto [result, axis] : llvm::zip_equal(results, axes))
    offset.push_back({axis, result.getConstant()});
  Expected<TileLayout> tile = TileLayout::get(shard, {}, offset);
  if (!tile)
    return tile.takeError();
  return Layout(*tile);
}
