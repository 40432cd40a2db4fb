//===- SwizzleSearch.cpp - the swizzle of a map ---------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwizzleSearch.h"
#include "AlgebraDetail.h"
#include "Box.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Bits from `low` on, `count` of them.
static uint64_t bitsFrom(unsigned low, unsigned count) {
  return count == 0 ? 0 : llvm::maskTrailingOnes<uint64_t>(count) << low;
}

uint64_t detail::getFields(const SwizzleLayout &swizzle) {
  unsigned p = swizzle.getPerElement(), b = swizzle.getSwizzleLen();
  return bitsFrom(p, b) | bitsFrom(p + swizzle.getAtomLen(), b);
}

std::optional<StepBits> detail::getStepBits(const TileLayout &tile) {
  int64_t min = tile.getSpan(memoryAxis()).min;
  if (min < 0)
    return std::nullopt;
  StepBits steps;
  steps.used = min;
  auto add = [&](const Iter &iter) {
    if (iter.axis != memoryAxis() || iter.extent == 1)
      return true;
    uint64_t stride = std::abs(iter.stride);
    if (!llvm::isPowerOf2_64(stride))
      return false;
    unsigned low = llvm::Log2_64(stride);
    uint64_t bits = bitsFrom(low, llvm::Log2_64(iter.extent - 1) + 1);
    if (steps.used & bits)
      return false;
    steps.used |= bits;
    // The odd factor of an extent steps by one more bit.
    unsigned whole = llvm::countr_zero(uint64_t(iter.extent));
    steps.toggled |= bits & bitsFrom(low, whole + 1);
    return true;
  };
  if (!llvm::all_of(tile.getShard(), add) ||
      !llvm::all_of(tile.getReplica(), add))
    return std::nullopt;
  return steps;
}

//===----------------------------------------------------------------------===//
// Swizzles of the index as swizzles of coordinates
//===----------------------------------------------------------------------===//

/// Two fields as a swizzle, if it is one: `from` changes `to`.
static std::optional<SwizzleLayout> makeSwizzle(int64_t from, int64_t to,
                                                int64_t length) {
  llvm::Expected<SwizzleLayout> swizzle = SwizzleLayout::get(
      std::min(from, to), length, std::abs(from - to), from < to);
  if (swizzle)
    return *swizzle;
  llvm::consumeError(swizzle.takeError());
  return std::nullopt;
}

static int64_t getSource(const SwizzleLayout &swizzle) {
  return swizzle.getPerElement() +
         (swizzle.isOuter() ? 0 : swizzle.getAtomLen());
}

static int64_t getTarget(const SwizzleLayout &swizzle) {
  return swizzle.getPerElement() +
         (swizzle.isOuter() ? swizzle.getAtomLen() : 0);
}

/// The bit of `m` that a bit of the index is; nothing when the bit is no step
/// of its own, or on another axis.
static std::optional<int64_t> moveBit(const TileLayout &tile, int64_t bit) {
  int64_t place = 0;
  for (const Iter &iter : llvm::reverse(tile.getShard())) {
    int64_t whole = llvm::countr_zero(uint64_t(iter.extent));
    if (bit < place + whole)
      return iter.axis == memoryAxis() && iter.stride != 0
                 ? std::optional<int64_t>(llvm::Log2_64(std::abs(iter.stride)) +
                                          bit - place)
                 : std::nullopt;
    if (!llvm::isPowerOf2_64(iter.extent))
      return std::nullopt;
    place += whole;
  }
  return std::nullopt;
}

std::optional<SwizzleLayout>
detail::getIndexSwizzle(const SwizzleLayout &swizzle,
                        ArrayRef<AxisExtent> box) {
  int64_t extent = getExtent(box, memoryAxis());
  int64_t weight = getWeight(box, memoryAxis());
  // The bits of `m` are bits of the number if no other axis is in the way: for
  // the first axis of the box, and below a multiple of the period.
  bool isFirst = !box.empty() && box.front().axis == memoryAxis();
  if (!llvm::isPowerOf2_64(weight) || !preservesPrefix(swizzle, extent) ||
      (!isFirst && extent % swizzle.getPeriod() != 0))
    return std::nullopt;
  llvm::Expected<SwizzleLayout> moved = SwizzleLayout::get(
      swizzle.getPerElement() + llvm::Log2_64(weight), swizzle.getSwizzleLen(),
      swizzle.getAtomLen(), swizzle.isOuter());
  if (moved)
    return *moved;
  llvm::consumeError(moved.takeError());
  return std::nullopt;
}

std::optional<SwizzleLayout> detail::carryThrough(const SwizzleLayout &swizzle,
                                                  const TileLayout &tile) {
  // No carry anywhere: the bits of the coordinate are those of the index, and
  // of the offset. A negative stride would turn a bit over.
  if (!getStepBits(tile) || llvm::any_of(tile.getShard(), [](const Iter &iter) {
        return iter.extent > 1 && iter.stride < 0;
      }))
    return std::nullopt;
  int64_t length = swizzle.getSwizzleLen();
  std::optional<int64_t> from, to;
  for (int64_t k = 0; k < length; ++k) {
    auto source = moveBit(tile, getSource(swizzle) + k);
    auto target = moveBit(tile, getTarget(swizzle) + k);
    if (!source || !target)
      return std::nullopt;
    if (k == 0) {
      from = source;
      to = target;
    }
    if (*source != *from + k || *target != *to + k)
      return std::nullopt;
  }
  if (!from)
    return std::nullopt;
  return makeSwizzle(*from, *to, length);
}

std::optional<SwizzleLayout> detail::carryOver(const SwizzleLayout &swizzle,
                                               int64_t weight,
                                               const TileLayout &tile) {
  auto positionOf = [&](int64_t bit) -> std::optional<int64_t> {
    CheckedInt index = CheckedInt(int64_t(1) << bit) * weight;
    if (index.hasOverflowed() || index.get() >= tile.getSize())
      return std::nullopt;
    int64_t step = tile.apply(index.get()).get(memoryAxis()) -
                   tile.getOffset(memoryAxis());
    if (step <= 0 || !llvm::isPowerOf2_64(step))
      return std::nullopt;
    return llvm::Log2_64(step);
  };
  auto from = positionOf(getSource(swizzle)),
       to = positionOf(getTarget(swizzle));
  if (!from || !to)
    return std::nullopt;
  return makeSwizzle(*from, *to, swizzle.getSwizzleLen());
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

bool detail::anySwizzle(unsigned bits, unsigned maxLength,
                        llvm::function_ref<bool(const SwizzleLayout &)> visit) {
  bits = std::min(bits, 62u);
  for (unsigned b = 1; b <= maxLength && 2 * b <= bits; ++b)
    for (bool outer : {false, true})
      for (unsigned p = 0; p + 2 * b <= bits; ++p)
        for (unsigned s = b; p + s + b <= bits; ++s)
          if (visit(llvm::cantFail(SwizzleLayout::get(p, b, s, outer))))
            return true;
  return false;
}

std::optional<Layout> detail::findForm(const DigitSum &function,
                                       const SwizzleLayout &swizzle) {
  DigitSum unswizzled = function;
  if (!unswizzled.applySwizzle(swizzle))
    return std::nullopt;
  std::optional<TileLayout> tile = unswizzled.toTile();
  if (!tile)
    return std::nullopt;
  return llvm::cantFail(Layout::compose(swizzle, *tile));
}

std::optional<Layout> detail::findSwizzledForm(const DigitSum &function,
                                               unsigned maxLength) {
  Span span = function.getSpan(memoryAxis());
  if (span.min < 0)
    return std::nullopt;
  auto toggles = function.getToggles();
  // Rows of tables that the search may write: milliseconds.
  int64_t budget = int64_t(1) << 18, cost = 64 + function.getRowCount();
  std::optional<Layout> form;
  anySwizzle(llvm::bit_width(uint64_t(span.max)), maxLength,
             [&](const SwizzleLayout &swizzle) {
               for (auto [a, b] : toggles)
                 if (swizzle.apply(a) & swizzle.apply(b))
                   return false;
               budget -= cost;
               if (budget < 0)
                 return true;
               form = findForm(function, swizzle);
               return form.has_value();
             });
  return form;
}
