//===- Compose.cpp - one layout after another -----------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlgebraDetail.h"
#include "Box.h"
#include "Fit.h"
#include "SwizzleSearch.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Bare swizzles
//===----------------------------------------------------------------------===//

/// The image of a bit under the linear map that a swizzle is.
static uint64_t imageOfBit(const SwizzleLayout &outer,
                           const SwizzleLayout &inner, unsigned bit) {
  return outer.apply(inner.apply(int64_t(1) << bit));
}

/// The swizzle is found from the bits that the product moves to others: they
/// have to be one run, at one distance.
static Expected<Layout> composeSwizzles(const SwizzleLayout &outer,
                                        const SwizzleLayout &inner) {
  auto fail = [&] {
    return makeError("expected swizzles whose product is a swizzle, got " +
                     toString(Layout(outer)) + " after " +
                     toString(Layout(inner)));
  };
  SmallVector<unsigned, 16> from;
  int distance = 0;
  for (unsigned bit = 0; bit < 62; ++bit) {
    uint64_t self = uint64_t(1) << bit, image = imageOfBit(outer, inner, bit);
    if (image == self)
      continue;
    if (!(image & self) || llvm::popcount(image) != 2)
      return fail();
    int step = int(llvm::countr_zero(image ^ self)) - int(bit);
    if (!from.empty() && (step != distance || from.back() + 1 != bit))
      return fail();
    distance = step;
    from.push_back(bit);
  }
  if (from.empty())
    return Layout(llvm::cantFail(SwizzleLayout::get(0, 0, 0)));
  bool isOuter = distance > 0;
  Expected<SwizzleLayout> product =
      SwizzleLayout::get(isOuter ? from.front() : from.front() + distance,
                         from.size(), std::abs(distance), isOuter);
  if (product)
    return Layout(*product);
  llvm::consumeError(product.takeError());
  return fail();
}

//===----------------------------------------------------------------------===//
// Through the digits
//===----------------------------------------------------------------------===//

/// A swizzle inside that the outer tile makes a swizzle outside: the rest is a
/// composition of tiles. Nothing when it is not so or when they have none.
static std::optional<Layout> composeThrough(const TileLayout &outer,
                                            const TileLayout &inner,
                                            const SwizzleLayout &swizzle,
                                            ArrayRef<AxisExtent> box) {
  auto number = getIndexSwizzle(swizzle, box);
  if (!number)
    return std::nullopt;
  auto moved = carryThrough(*number, outer);
  if (!moved)
    return std::nullopt;
  DigitSum function(inner);
  if (llvm::Error error = function.flatten(box)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  if (!function.applyTile(outer))
    return std::nullopt;
  std::optional<TileLayout> tile = function.toTile();
  if (!tile)
    return std::nullopt;
  return llvm::cantFail(Layout::compose(*moved, *tile));
}

/// `function` is the inner layout's index. `failedIter` is set when the map is
/// known but no layout.
static std::optional<Layout>
composeDigits(const Layout &outer, DigitSum function,
              std::optional<SwizzleLayout> innerSwizzle, int64_t weight,
              std::optional<unsigned> &failedIter) {
  const TileLayout &tile = *outer.getTile();
  if (!function.applyTile(tile))
    return std::nullopt;
  unsigned failed = 0;
  if (std::optional<TileLayout> affine = function.toTile(&failed)) {
    if (!outer.getSwizzle())
      return Layout(*affine);
    return llvm::cantFail(Layout::compose(*outer.getSwizzle(), *affine));
  }
  failedIter = failed;
  if (outer.getSwizzle()) {
    if (!function.applySwizzle(*outer.getSwizzle()))
      return std::nullopt;
    if (std::optional<TileLayout> affine = function.toTile())
      return Layout(*affine);
  }
  if (innerSwizzle)
    if (auto moved = carryOver(*innerSwizzle, weight, tile))
      if (auto layout = findForm(function, *moved))
        return layout;
  return findSwizzledForm(function);
}

//===----------------------------------------------------------------------===//
// Through the points
//===----------------------------------------------------------------------===//

/// Whether the composition has few enough points to look at.
static bool isSmall(const TileLayout &outer, const TileLayout &inner) {
  CheckedInt count = CheckedInt(inner.getSize()) * inner.getReplicaCount() *
                     outer.getReplicaCount();
  return !count.hasOverflowed() && count.get() <= kFitLimit;
}

static std::optional<Layout> composePoints(const Layout &outer,
                                           const Layout &inner,
                                           ArrayRef<AxisExtent> box) {
  Images images;
  for (int64_t x = 0, e = *inner.getSize(); x < e; ++x) {
    SmallVector<Coordinates> &image = images.emplace_back();
    for (const Coordinates &point : inner.image(x))
      llvm::append_range(image, outer.image(getNumber(point, box)));
    llvm::sort(image);
    image.erase(llvm::unique(image), image.end());
  }
  return fitLayout(images);
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

static llvm::Error noLayout(const Layout &inner,
                            std::optional<unsigned> failedIter) {
  if (!failedIter)
    return makeError("expected at most 2^14 elements and copies where the "
                     "iters of the outer layout divide those of the inner "
                     "one in no way, got " +
                     Twine(*inner.getSize()));
  const TileLayout &tile = *inner.getTile();
  ArrayRef<Iter> shard = tile.getShard();
  if (*failedIter >= shard.size())
    return makeError("expected a composition that is a layout, got one whose "
                     "copies are not displaced alike");
  const Iter &iter = shard[*failedIter];
  return makeError("expected steps of the inner layout that add up in the "
                   "outer one, got iter " +
                   Twine(*failedIter) + " of extent " + Twine(iter.extent) +
                   " and stride " + Twine(iter.stride) + " on '" +
                   iter.axis.getName() + "', which does not");
}

Expected<Layout> tirx::compose(const Layout &outer, const Layout &inner,
                               ArrayRef<AxisExtent> box) {
  Expected<int64_t> size = getBoxSize(box);
  if (!size)
    return size.takeError();
  if (outer.getSize().value_or(*size) != *size)
    return makeError("expected a box of the outer layout's " +
                     Twine(*outer.getSize()) + " elements, got " +
                     Twine(*size));
  Expected<Layout> full = outer.withTile(*size);
  if (!full)
    return full.takeError();
  if (inner.isSwizzle() &&
      (box.size() != 1 || box.front().axis != memoryAxis()))
    return makeError("expected a box on 'm' alone for a bare swizzle, got " +
                     Twine(box.size()) + " axes");
  if (inner.isSwizzle() && !preservesPrefix(*inner.getSwizzle(), *size))
    return makeError("expected a swizzle that maps the indices below " +
                     Twine(*size) + " to themselves, got " + toString(inner));
  Expected<Layout> index = inner.withTile(*size);
  if (!index)
    return index.takeError();

  std::optional<SwizzleLayout> swizzle;
  if (index->getSwizzle())
    swizzle = *index->getSwizzle();
  if (swizzle && full->isTile())
    if (auto layout =
            composeThrough(*full->getTile(), *index->getTile(), *swizzle, box))
      return *layout;
  DigitSum function(*index->getTile());
  std::optional<unsigned> failedIter;
  if (!swizzle || function.applySwizzle(*swizzle)) {
    if (llvm::Error error = function.flatten(box))
      return std::move(error);
    if (auto layout = composeDigits(*full, std::move(function), swizzle,
                                    getWeight(box, memoryAxis()), failedIter))
      return *layout;
  } else if (llvm::Error error = checkInside(*index, box)) {
    return std::move(error);
  }
  if (isSmall(*full->getTile(), *index->getTile()))
    if (auto layout = composePoints(*full, *index, box))
      return *layout;
  return noLayout(*index, failedIter);
}

Expected<Layout> tirx::compose(const Layout &outer, const Layout &inner) {
  if (std::optional<int64_t> size = outer.getSize())
    return compose(outer, inner, {{memoryAxis(), *size}});
  const SwizzleLayout &swizzle = *outer.getSwizzle();
  if (inner.isSwizzle())
    return composeSwizzles(swizzle, *inner.getSwizzle());
  if (inner.isTile())
    return Layout::compose(swizzle, *inner.getTile());

  DigitSum function(*inner.getTile());
  if (*inner.getSwizzle() == swizzle)
    return Layout(*inner.getTile());
  if (function.applySwizzle(*inner.getSwizzle()) &&
      function.applySwizzle(swizzle)) {
    if (std::optional<TileLayout> tile = function.toTile())
      return Layout(*tile);
    // The product of the swizzles keeps the author's tile.
    Expected<Layout> product = composeSwizzles(swizzle, *inner.getSwizzle());
    if (product)
      return Layout::compose(*product->getSwizzle(), *inner.getTile());
    llvm::consumeError(product.takeError());
    if (auto layout = findSwizzledForm(function))
      return *layout;
  }
  return makeError("expected swizzles whose product on these elements is a "
                   "swizzle, got " +
                   toString(Layout(swizzle)) + " after " +
                   toString(Layout(*inner.getSwizzle())));
}
