//===- FunctionTesting.h - layouts as lists of points -----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composition by points, and whether any layout goes through given points: all
// of them are tried. Shares no code with the library.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_LAYOUT_FUNCTIONTESTING_H
#define TIRX_UNITTESTS_LAYOUT_FUNCTIONTESTING_H

#include "TIRx/Layout/Functions.h"
#include "Testing.h"

namespace tirx::testing {

using Box = llvm::SmallVector<AxisExtent>;
using Map = std::vector<Points>;

inline AxisExtent onAxis(llvm::StringRef name, int64_t extent) {
  return {lookupBuiltinAxis(name), extent};
}

inline Box memoryBox(int64_t extent) { return {onAxis("m", extent)}; }

/// The smallest box from 0 on around a layout.
inline Box boxAround(const Layout &layout) {
  Box box;
  for (Axis axis : layout.getAxes())
    box.push_back({axis, std::max<int64_t>(layout.getSpan(axis).max, 0) + 1});
  return box;
}

inline std::string toString(const Box &box) {
  std::string text = "{";
  for (const AxisExtent &dim : box)
    text += std::to_string(dim.extent) + "@" + dim.axis.getName().str() + " ";
  return text + "}";
}

inline int64_t valueOf(const Point &point, const std::string &axis) {
  auto it = point.find(axis);
  return it == point.end() ? 0 : it->second;
}

/// The number of a point in a box, or -1 when it is outside.
inline int64_t numberOf(const Point &point, const Box &box) {
  int64_t number = 0;
  size_t found = 0;
  for (const AxisExtent &dim : box) {
    std::string name = dim.axis.getName().str();
    int64_t value = valueOf(point, name);
    if (value < 0 || value >= dim.extent)
      return -1;
    found += point.count(name);
    number = number * dim.extent + value;
  }
  return found == point.size() ? number : -1;
}

/// The point of a number.
inline Point pointOf(int64_t number, const Box &box) {
  Point point;
  for (size_t i = box.size(); i-- > 0;) {
    if (number % box[i].extent != 0)
      point[box[i].axis.getName().str()] = number % box[i].extent;
    number /= box[i].extent;
  }
  return point;
}

inline int64_t sizeOf(const Box &box) {
  int64_t size = 1;
  for (const AxisExtent &dim : box)
    size *= dim.extent;
  return size;
}

/// Nothing when a point of the inner map is not in the box.
inline std::optional<Map> composeMaps(const Map &outer, const Map &inner,
                                      const Box &box) {
  Map result;
  for (const Points &points : inner) {
    result.emplace_back();
    for (const Point &point : points) {
      int64_t number = numberOf(point, box);
      if (number < 0)
        return std::nullopt;
      result.back().insert(outer[number].begin(), outer[number].end());
    }
  }
  return result;
}

/// The difference of two points; zeros are dropped.
inline Point minus(const Point &a, const Point &b) {
  Point difference = a;
  for (const auto &[axis, value] : b)
    difference[axis] -= value;
  return finish(difference, nullptr);
}

/// Whether any iters over [0, f.size()) make f: every way to write the size as
/// a product is tried, from the innermost factor on.
inline bool isTileMap(const std::vector<Point> &f, size_t unit = 1) {
  if (unit == f.size()) {
    return true;
  }
  for (size_t extent = 2; unit * extent <= f.size(); ++extent) {
    if ((f.size() / unit) % extent != 0)
      continue;
    Point step = minus(f[unit], f[0]);
    if (step.size() > 1)
      return false;
    // All elements up to here are the sum of this digit and those below.
    bool fits = true;
    for (size_t x = unit; fits && x < unit * extent; ++x) {
      Point expected = f[x % unit];
      for (const auto &[axis, value] : step)
        expected[axis] += int64_t(x / unit) * value;
      fits = finish(expected, nullptr) == f[x];
    }
    if (fits && isTileMap(f, unit * extent))
      return true;
  }
  return false;
}

/// Whether a tile, swizzled by any swizzle of the lowest `bits` bits or not,
/// makes the single-valued map.
inline bool isLayoutMap(const std::vector<Point> &f, int64_t bits) {
  if (isTileMap(f))
    return true;
  for (const Point &point : f)
    if (valueOf(point, "m") < 0)
      return false;
  for (bool outer : {false, true})
    for (int64_t p = 0; p <= bits; ++p)
      for (int64_t b = 1; p + 2 * b <= bits; ++b)
        for (int64_t s = b; p + s + b <= bits; ++s) {
          SwizzleLayout swizzle =
              llvm::cantFail(SwizzleLayout::get(p, b, s, outer));
          std::vector<Point> tile;
          for (const Point &point : f)
            tile.push_back(finish(point, &swizzle));
          if (isTileMap(tile))
            return true;
        }
  return false;
}

/// The largest coordinate on `m` has fewer bits.
inline int64_t bitsOf(const std::vector<Point> &function) {
  int64_t max = 0, bits = 0;
  for (const Point &point : function)
    max = std::max(max, valueOf(point, "m"));
  while (max >> bits != 0)
    ++bits;
  return bits;
}

/// A box of the size on some of three axes, in any order.
inline Box randomBox(Random &random, int64_t size) {
  llvm::SmallVector<std::string> names = {"m", "laneid", "warpid"};
  std::shuffle(names.begin(), names.end(), random);
  Box box;
  for (int i = 0; i < 2; ++i) {
    int64_t extent = pick(random, 1, size);
    while (size % extent != 0)
      --extent;
    if (pick(random, 0, 1) == 0)
      continue;
    box.push_back(onAxis(names[i], extent));
    size /= extent;
  }
  box.push_back(onAxis(names[2], size));
  return box;
}

/// The only point of each element; nothing when one has several.
inline std::optional<std::vector<Point>> toFunction(const Map &map) {
  std::vector<Point> function;
  for (const Points &points : map) {
    if (points.size() != 1)
      return std::nullopt;
    function.push_back(*points.begin());
  }
  return function;
}

} // namespace tirx::testing

#endif // TIRX_UNITTESTS_LAYOUT_FUNCTIONTESTING_H
