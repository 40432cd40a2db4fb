//===- CuTe.cpp - layouts to and from CuTe --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Layout/Exchange/CuTe.h"
#include "Exchange.h"
#include "TIRx/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// Modes that `mode` has at the top: itself when it is a leaf.
static ArrayRef<CuTeMode> getTopModes(const CuTeMode &mode) {
  return mode.isTuple ? ArrayRef<CuTeMode>(mode.modes)
                      : ArrayRef<CuTeMode>(mode);
}

/// Appends the leaves, fastest first.
static void appendLeaves(const CuTeMode &mode, Axis axis,
                         SmallVector<Iter> &leaves) {
  if (!mode.isTuple)
    return leaves.push_back({mode.extent, mode.stride, axis});
  for (const CuTeMode &inner : mode.modes)
    appendLeaves(inner, axis, leaves);
}

/// The mode with `leaves`, fastest first, fused where CuTe's coalesce would.
static CuTeMode makeMode(ArrayRef<Iter> leaves) {
  std::vector<CuTeMode> modes;
  for (const Iter &leaf : leaves) {
    if (leaf.extent == 1)
      continue;
    if (!modes.empty()) {
      CuTeMode &last = modes.back();
      CheckedInt next = CheckedInt(last.stride) * last.extent;
      if (!next.hasOverflowed() && next.get() == leaf.stride) {
        last.extent *= leaf.extent;
        continue;
      }
    }
    CuTeMode &mode = modes.emplace_back();
    mode.extent = leaf.extent;
    mode.stride = leaf.stride;
  }
  if (modes.empty())
    return CuTeMode();
  if (modes.size() == 1)
    return modes.front();
  CuTeMode tuple;
  tuple.isTuple = true;
  tuple.modes = std::move(modes);
  return tuple;
}

/// The swizzle with its bits moved up by `shift`.
static Expected<SwizzleLayout> shiftSwizzle(const SwizzleLayout &swizzle,
                                            int64_t shift) {
  return SwizzleLayout::get(swizzle.getPerElement() + shift,
                            swizzle.getSwizzleLen(), swizzle.getAtomLen(),
                            swizzle.isOuter());
}

/// How far element indices of `elementBits` lie above (or, below 8 bits, below)
/// byte addresses, in bits of the address.
static int64_t getByteShift(unsigned elementBits) {
  return int64_t(llvm::Log2_32(elementBits)) - 3;
}

//===----------------------------------------------------------------------===//
// Layouts of memory
//===----------------------------------------------------------------------===//

/// The swizzle on element indices.
static Expected<SwizzleLayout> getElementSwizzle(const CuTeLayout &layout) {
  const SwizzleLayout &swizzle = *layout.swizzle;
  if (!layout.elementBits || swizzle.getSwizzleLen() == 0)
    return swizzle;
  int64_t shift = getByteShift(layout.elementBits);
  if (swizzle.getPerElement() < shift)
    return makeError(
        "expected a swizzle that keeps the bytes of an element of " +
        Twine(layout.elementBits) + " bits together, got one that moves bit " +
        Twine(swizzle.getPerElement()) + " of the byte address");
  return shiftSwizzle(swizzle, -shift);
}

Expected<ShapedLayout> tirx::fromCuTe(const CuTeLayout &layout, Axis axis) {
  if (layout.swizzle && axis != memoryAxis())
    return makeError("expected axis 'm' under a swizzle, got '" +
                     axis.getName() + "'");
  if (!layout.mode) {
    if (!layout.swizzle)
      return makeError("expected a shape and strides, or a swizzle");
    return ShapedLayout{*layout.swizzle, {}};
  }
  SmallVector<int64_t> shape;
  SmallVector<Iter> shard;
  for (const CuTeMode &mode : getTopModes(*layout.mode)) {
    SmallVector<Iter> leaves;
    appendLeaves(mode, axis, leaves);
    CheckedInt extent = 1;
    for (const Iter &leaf : leaves)
      extent *= leaf.extent;
    if (extent.hasOverflowed())
      return makeError("expected the extents of mode " + Twine(shape.size()) +
                       " to have a product that fits 64 bits");
    shape.push_back(extent.get());
    shard.append(leaves.rbegin(), leaves.rend());
  }
  Expected<TileLayout> tile =
      TileLayout::get(shard, {}, AxisOffset{axis, layout.offset});
  if (!tile)
    return tile.takeError();
  if (!layout.swizzle)
    return ShapedLayout{*tile, shape};
  Expected<SwizzleLayout> swizzle = getElementSwizzle(layout);
  if (!swizzle)
    return swizzle.takeError();
  Expected<Layout> composed = Layout::compose(*swizzle, *tile);
  if (!composed)
    return composed.takeError();
  return ShapedLayout{*composed, shape};
}

/// Writes the swizzle, for bytes when the width of elements is given.
static llvm::Error setSwizzle(CuTeLayout &cute, const SwizzleLayout &swizzle,
                              unsigned elementBits) {
  cute.swizzle = swizzle;
  if (!elementBits)
    return llvm::Error::success();
  if (elementBits > 128 || !llvm::isPowerOf2_32(elementBits))
    return makeError(
        "expected elements of 1 to 128 bits, a power of two, got " +
        Twine(elementBits));
  int64_t shift = getByteShift(elementBits);
  if (swizzle.getPerElement() + shift < 0)
    return makeError("expected a swizzle that keeps the elements of a byte "
                     "together, got one that moves bit " +
                     Twine(swizzle.getPerElement()) +
                     " of the index of elements of " + Twine(elementBits) +
                     " bits");
  Expected<SwizzleLayout> bytes = shiftSwizzle(swizzle, shift);
  if (!bytes)
    return bytes.takeError();
  cute.swizzle = *bytes;
  cute.elementBits = elementBits;
  return llvm::Error::success();
}

Expected<CuTeLayout> tirx::toCuTe(const Layout &layout, ArrayRef<int64_t> shape,
                                  unsigned elementBits, Axis axis) {
  Expected<SingleAxis> parts = getSingleAxis(layout, shape, axis, "CuTe");
  if (!parts)
    return parts.takeError();
  CuTeLayout cute;
  cute.offset = parts->offset;
  if (const SwizzleLayout *swizzle = layout.getSwizzle()) {
    if (llvm::Error error = setSwizzle(cute, *swizzle, elementBits))
      return std::move(error);
    if (cute.elementBits && cute.offset)
      return makeError("expected no offset beside a swizzle of bytes, got " +
                       Twine(cute.offset) + ": the pointer takes its place");
  } else if (cute.offset) {
    return makeError("expected no offset, since a CuTe layout maps 0 to 0 and "
                     "the pointer takes the rest, got " +
                     Twine(cute.offset));
  }
  CuTeMode &top = cute.mode.emplace();
  top.isTuple = true;
  for (SmallVector<Iter, 2> &iters : parts->groups) {
    std::reverse(iters.begin(), iters.end());
    top.modes.push_back(makeMode(iters));
  }
  return cute;
}

//===----------------------------------------------------------------------===//
// Threads and values
//===----------------------------------------------------------------------===//

namespace {
/// A digit of the number of a thread or value: its weight there, and the step
/// that it makes in the tile's colexicographic index.
struct PlaceDigit {
  int64_t weight;
  int64_t extent;
  int64_t step;
};
} // namespace

/// The mode of one axis: its digits in order of their weight, no number left
/// out and none used twice.
static Expected<CuTeMode> makePlaceMode(SmallVector<PlaceDigit> digits,
                                        Axis axis) {
  llvm::sort(digits, [](const PlaceDigit &a, const PlaceDigit &b) {
    return a.weight < b.weight;
  });
  int64_t count = 1;
  SmallVector<Iter> leaves;
  for (const PlaceDigit &digit : digits) {
    if (digit.weight != count)
      return makeError("expected a step of " + Twine(count) + " on axis '" +
                       axis.getName() +
                       "', so that every number from 0 has one element, got " +
                       Twine(digit.weight));
    CheckedInt next = CheckedInt(count) * digit.extent;
    if (next.hasOverflowed())
      return makeError("expected numbers on axis '" + axis.getName() +
                       "' that fit 64 bits");
    count = next.get();
    leaves.push_back({digit.extent, digit.step, axis});
  }
  return makeMode(leaves);
}

Expected<CuTeLayout> tirx::toCuTeThreadValue(const Layout &layout,
                                             ArrayRef<int64_t> shape,
                                             Axis thread, Axis value) {
  if (!layout.isTile())
    return makeError("expected a layout without a swizzle");
  TileLayout tile = canonicalize(*layout.getTile());
  if (!tile.getOffset().empty())
    return makeError("expected no offset, since CuTe numbers threads and "
                     "values from 0, got " +
                     Twine(tile.getOffset().front().value) + " on axis '" +
                     tile.getOffset().front().axis.getName() + "'");
  if (thread == value)
    return makeError("expected different axes for threads and values, got '" +
                     thread.getName() + "' twice");
  for (Axis axis : tile.getAxes())
    if (axis != thread && axis != value)
      return makeError("expected only axes '" + thread.getName() + "' and '" +
                       value.getName() + "', got '" + axis.getName() + "'");
  auto groups = group(tile, shape);
  if (!groups)
    return groups.takeError();

  SmallVector<PlaceDigit> digits[2];
  auto add = [&](const Iter &iter, int64_t step) {
    digits[iter.axis == value].push_back({iter.stride, iter.extent, step});
  };
  int64_t step = 1;
  for (const SmallVector<Iter, 2> &iters : *groups)
    for (const Iter &iter : llvm::reverse(iters)) {
      add(iter, step);
      step *= iter.extent;
    }
  for (const Iter &iter : tile.getReplica())
    add(iter, 0);

  CuTeLayout cute;
  cute.mode.emplace().isTuple = true;
  for (bool isValue : {false, true}) {
    Expected<CuTeMode> mode =
        makePlaceMode(digits[isValue], isValue ? value : thread);
    if (!mode)
      return mode.takeError();
    cute.mode->modes.push_back(*mode);
  }
  return cute;
}

/// Sorts the leaves of (thread, value) modes into the digits of the tile index,
/// fastest first, and replicas. The iter's stride becomes its place's weight.
static llvm::Error sortPlaces(const CuTeLayout &layout, Axis thread, Axis value,
                              SmallVector<std::pair<int64_t, Iter>> &steps,
                              SmallVector<Iter> &replica) {
  for (bool isValue : {false, true}) {
    Axis axis = isValue ? value : thread;
    SmallVector<Iter> leaves;
    appendLeaves(layout.mode->modes[isValue], axis, leaves);
    CheckedInt weight = 1;
    for (const Iter &leaf : leaves) {
      if (leaf.extent == 1)
        continue;
      if (leaf.stride < 0)
        return makeError("expected steps of at least 0 in the tile, got " +
                         Twine(leaf.stride));
      Iter place = {leaf.extent, weight.get(), axis};
      weight *= leaf.extent;
      if (weight.hasOverflowed())
        return makeError("expected numbers on axis '" + axis.getName() +
                         "' that fit 64 bits");
      if (leaf.stride == 0)
        replica.push_back(place);
      else
        steps.push_back({leaf.stride, place});
    }
  }
  llvm::sort(steps,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  return llvm::Error::success();
}

Expected<Layout> tirx::fromCuTeThreadValue(const CuTeLayout &layout,
                                           ArrayRef<int64_t> shape, Axis thread,
                                           Axis value) {
  if (layout.swizzle || !layout.mode)
    return makeError("expected a thread-value layout without a swizzle");
  if (!layout.mode->isTuple || layout.mode->modes.size() != 2)
    return makeError("expected the two modes (thread, value), got " +
                     Twine(getTopModes(*layout.mode).size()));
  if (thread == value)
    return makeError("expected different axes for threads and values, got '" +
                     thread.getName() + "' twice");
  SmallVector<std::pair<int64_t, Iter>> steps;
  SmallVector<Iter> replica;
  if (llvm::Error error = sortPlaces(layout, thread, value, steps, replica))
    return std::move(error);
  CheckedInt count = 1;
  SmallVector<Iter> digits;
  for (const auto &[step, place] : steps) {
    if (count.hasOverflowed() || step != count.get())
      return makeError("expected a step of " + Twine(count.get()) +
                       " in the tile, so that every element has one place, "
                       "got " +
                       Twine(step));
    count *= place.extent;
    digits.push_back(place);
  }

  // CuTe's index is the row-major index of the reversed shape.
  std::reverse(digits.begin(), digits.end());
  Expected<TileLayout> places = TileLayout::get(digits, replica);
  if (!places)
    return places.takeError();
  SmallVector<int64_t> reversed(llvm::reverse(shape));
  SmallVector<int64_t> order;
  for (size_t dim = shape.size(); dim-- > 0;)
    order.push_back(dim);
  return permute(*places, reversed, order);
}
