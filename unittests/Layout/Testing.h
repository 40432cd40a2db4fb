//===- Testing.h - helpers of the layout tests ------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A second evaluator of layouts, written from the definition and sharing no
// code with the library, and random layouts to compare the two on.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_LAYOUT_TESTING_H
#define TIRX_UNITTESTS_LAYOUT_TESTING_H

#include "TIRx/Layout/Layout.h"
#include "TIRx/Layout/Text.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

namespace tirx::testing {

/// Coordinates by axis name, without zeros.
using Point = std::map<std::string, int64_t>;
using Points = std::set<Point>;
using Random = std::mt19937_64;

inline int64_t pick(Random &random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

template <class T, size_t N>
const T &choose(Random &random, const T (&values)[N]) {
  return values[pick(random, 0, N - 1)];
}

template <class T> std::string messageOf(llvm::Expected<T> result) {
  return result ? std::string() : llvm::toString(result.takeError());
}

inline std::string messageOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : std::string();
}

/// Whether the error has the form that all errors have.
inline bool isReason(llvm::StringRef message) {
  return message.contains("expected ") && !message.contains('\n');
}

inline Layout parse(llvm::StringRef text) {
  llvm::Expected<Layout> layout = parseLayout(text, AxisTable());
  if (!layout) {
    ADD_FAILURE() << text.str() << ": " << llvm::toString(layout.takeError());
    return llvm::cantFail(TileLayout::get({}));
  }
  return *layout;
}

/// A layout that the test needs to go on; an error fails the test.
inline Layout expectLayout(llvm::Expected<Layout> layout) {
  if (!layout) {
    ADD_FAILURE() << llvm::toString(layout.takeError());
    return llvm::cantFail(TileLayout::get({}));
  }
  return *layout;
}

inline Point toPoint(const Coordinates &coordinates) {
  Point point;
  for (const AxisOffset &entry : coordinates.values())
    point[entry.axis.getName().str()] = entry.value;
  return point;
}

inline Points toPoints(llvm::ArrayRef<Coordinates> image) {
  Points points;
  for (const Coordinates &coordinates : image)
    points.insert(toPoint(coordinates));
  return points;
}

/// Counts through the digits of `iters` like an odometer and calls `visit` with
/// the point of each setting, in row-major order.
template <class Visit>
void odometer(llvm::ArrayRef<Iter> iters, const Point &start, Visit visit) {
  std::vector<int64_t> digits(iters.size(), 0);
  while (true) {
    Point point = start;
    for (size_t i = 0; i < iters.size(); ++i)
      point[iters[i].axis.getName().str()] += digits[i] * iters[i].stride;
    visit(point);
    size_t i = iters.size();
    while (i > 0 && ++digits[i - 1] == iters[i - 1].extent)
      digits[--i] = 0;
    if (i == 0)
      return;
  }
}

/// Swaps in the swizzle of the definition, bit by bit, and drops zeros.
inline Point finish(Point point, const SwizzleLayout *swizzle) {
  if (swizzle) {
    int64_t m = point["m"], result = m;
    for (int64_t bit = 0; bit < swizzle->getSwizzleLen(); ++bit) {
      int64_t low = swizzle->getPerElement() + bit;
      int64_t high = low + swizzle->getAtomLen();
      int64_t from = swizzle->isOuter() ? low : high;
      int64_t to = swizzle->isOuter() ? high : low;
      if ((m >> from) % 2 == 1)
        result = (result >> to) % 2 == 1 ? result - (int64_t(1) << to)
                                         : result + (int64_t(1) << to);
    }
    point["m"] = result;
  }
  for (auto it = point.begin(); it != point.end();)
    it = it->second == 0 ? point.erase(it) : std::next(it);
  return point;
}

/// The image of every element, in row-major order.
inline std::vector<Points> enumerate(const Layout &layout) {
  const TileLayout &tile = *layout.getTile();
  Point offset;
  for (const AxisOffset &entry : tile.getOffset())
    offset[entry.axis.getName().str()] = entry.value;
  std::vector<Points> images;
  odometer(tile.getShard(), offset, [&](const Point &base) {
    images.emplace_back();
    odometer(tile.getReplica(), base, [&](const Point &point) {
      images.back().insert(finish(point, layout.getSwizzle()));
    });
  });
  return images;
}

/// Extents of real layouts are mostly powers of two, but not all of them.
inline int64_t randomExtent(Random &random, int64_t limit) {
  static const int64_t extents[] = {1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 16};
  static const int64_t wide[] = {24, 32, 48, 96, 112};
  int64_t extent =
      pick(random, 0, 24) == 0 ? choose(random, wide) : choose(random, extents);
  return extent <= limit ? extent : pick(random, 1, limit);
}

inline int64_t randomStride(Random &random, bool negative) {
  int64_t stride = int64_t(1) << pick(random, 0, 6);
  if (pick(random, 0, 3) == 0)
    stride = pick(random, 0, 40);
  return negative && pick(random, 0, 5) == 0 ? -stride : stride;
}

inline Axis randomAxis(Random &random) {
  static const char *const axes[] = {"m",      "m",    "m",        "laneid",
                                     "warpid", "TCol", "tid_in_wg"};
  return lookupBuiltinAxis(choose(random, axes));
}

inline Iter randomIter(Random &random, int64_t limit, bool negative) {
  return {randomExtent(random, limit), randomStride(random, negative),
          randomAxis(random)};
}

/// Iters of any kind, at most `limit` elements in all.
inline llvm::SmallVector<Iter> randomIters(Random &random, int64_t limit,
                                           bool negative) {
  llvm::SmallVector<Iter> iters;
  for (int64_t i = pick(random, 0, 4); i > 0; --i) {
    iters.push_back(randomIter(random, limit, negative));
    limit /= iters.back().extent;
  }
  // Now and then an iter that continues its neighbour, for fusion to find.
  if (!iters.empty() && limit >= 3 && pick(random, 0, 1)) {
    Iter last = iters.back();
    iters.back().stride = last.stride * 3;
    iters.push_back({3, last.stride, last.axis});
  }
  return iters;
}

/// Iters that fill each axis without gaps, in any order: what hardware uses.
inline llvm::SmallVector<Iter> randomCompactIters(Random &random,
                                                  int64_t limit) {
  llvm::SmallVector<Iter> iters;
  std::map<std::string, int64_t> filled;
  for (int64_t i = pick(random, 1, 5); i > 0; --i) {
    Iter iter = {randomExtent(random, limit), 1, randomAxis(random)};
    int64_t &size =
        filled.try_emplace(iter.axis.getName().str(), 1).first->second;
    iter.stride = size;
    size *= iter.extent;
    limit /= iter.extent;
    iters.push_back(iter);
  }
  std::shuffle(iters.begin(), iters.end(), random);
  return iters;
}

/// About `limit` elements at most; replicas, offsets.
inline TileLayout randomTile(Random &random, bool negative, int64_t limit) {
  llvm::SmallVector<Iter> shard = pick(random, 0, 2) == 0
                                      ? randomCompactIters(random, limit)
                                      : randomIters(random, limit, negative);
  llvm::SmallVector<Iter> replica;
  llvm::SmallVector<AxisOffset> offset;
  if (pick(random, 0, 2) == 0)
    for (int64_t i = pick(random, 1, 2); i > 0; --i)
      replica.push_back(randomIter(random, 4, negative));
  if (pick(random, 0, 1)) {
    Iter iter = randomIter(random, 1, negative);
    offset.push_back({iter.axis, iter.stride});
  }
  return llvm::cantFail(TileLayout::get(shard, replica, offset));
}

inline SwizzleLayout randomSwizzle(Random &random) {
  int64_t b = pick(random, 0, 3);
  return llvm::cantFail(SwizzleLayout::get(
      pick(random, 0, 3), b, pick(random, b, 4), pick(random, 0, 3) == 0));
}

inline Layout randomLayoutUpTo(Random &random, int64_t limit) {
  bool swizzled = pick(random, 0, 2) == 0;
  TileLayout tile = randomTile(random, !swizzled, limit);
  if (!swizzled)
    return tile;
  return llvm::cantFail(Layout::compose(randomSwizzle(random), tile));
}

/// Mostly some dozens of elements, at most about 300.
inline Layout randomLayout(Random &random) {
  return randomLayoutUpTo(random, pick(random, 0, 7) ? 48 : 240);
}

/// For operations that make more elements of each.
inline Layout randomSmallLayout(Random &random) {
  return randomLayoutUpTo(random, 12);
}

using Shape = llvm::SmallVector<int64_t>;

/// All coordinates of a shape in row-major order.
inline std::vector<Shape> coordinatesOf(llvm::ArrayRef<int64_t> shape) {
  std::vector<Shape> all = {{}};
  for (int64_t extent : shape) {
    std::vector<Shape> next;
    for (const Shape &prefix : all)
      for (int64_t i = 0; i < extent; ++i) {
        next.push_back(prefix);
        next.back().push_back(i);
      }
    all = std::move(next);
  }
  return all;
}

/// A shape with the layout's number of elements: random cuts of its iters.
inline Shape randomShape(Random &random, const Layout &layout) {
  Shape shape = {1};
  for (const Iter &iter : layout.getTile()->getShard()) {
    if (pick(random, 0, 1))
      shape.push_back(1);
    shape.back() *= iter.extent;
  }
  return shape;
}

/// A shape of `size` elements that knows no layout.
inline Shape randomFactors(Random &random, int64_t size) {
  Shape shape;
  while (size > 1) {
    int64_t factor = pick(random, 2, size);
    while (size % factor)
      --factor;
    shape.push_back(factor == 1 ? size : factor);
    size /= shape.back();
  }
  std::shuffle(shape.begin(), shape.end(), random);
  return shape;
}

/// The difference of two points, on all axes of either.
inline Point subtract(Point a, const Point &b) {
  for (const auto &[axis, value] : b)
    a[axis] -= value;
  return finish(a, nullptr);
}

/// Whether some iters map 0, 1, ... to the points, by trying all products of
/// extents; the strides follow from the points.
inline bool fitsIters(const std::vector<Point> &points, size_t block = 1) {
  if (block == points.size())
    return true;
  for (size_t next = 2 * block; next <= points.size(); next += block) {
    if (points.size() % next != 0)
      continue;
    // All of [0, next) in steps of `block` is one iter, each block like the
    // first.
    Point step = finish(subtract(points[block], points[0]), nullptr);
    bool fits = step.size() <= 1;
    for (size_t i = block; fits && i < next; ++i)
      fits = subtract(points[i], points[i - block]) ==
             subtract(points[block], points[0]);
    for (size_t i = next; fits && i < points.size(); ++i)
      fits = subtract(points[i], points[i - i % next]) ==
             subtract(points[i % next], points[0]);
    if (fits && fitsIters(points, next))
      return true;
  }
  return false;
}

} // namespace tirx::testing

#endif // TIRX_UNITTESTS_LAYOUT_TESTING_H
