//===- Box.cpp - boxes, and the steps of a layout in them -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"
#include "AlgebraDetail.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tirx;
using namespace tirx::detail;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

llvm::Expected<int64_t> detail::getBoxSize(ArrayRef<AxisExtent> box) {
  CheckedInt size = 1;
  for (auto [i, dim] : llvm::enumerate(box)) {
    if (!dim.axis)
      return makeError("expected an axis for dimension " + Twine(i) +
                       " of the box");
    for (const AxisExtent &before : box.take_front(i))
      if (before.axis == dim.axis)
        return makeError("expected a box with different axes, got '" +
                         dim.axis.getName() + "' twice");
    if (dim.extent < 1)
      return makeError("expected a box with an extent of at least 1 on '" +
                       dim.axis.getName() + "', got " + Twine(dim.extent));
    size *= dim.extent;
  }
  if (size.hasOverflowed())
    return makeError("expected a box whose size fits 64 bits");
  return size.get();
}

int64_t detail::getWeight(ArrayRef<AxisExtent> box, Axis axis) {
  int64_t weight = 1;
  for (const AxisExtent &dim : llvm::reverse(box)) {
    if (dim.axis == axis)
      return weight;
    weight *= dim.extent;
  }
  return 1;
}

int64_t detail::getNumber(const Coordinates &point, ArrayRef<AxisExtent> box) {
  int64_t number = 0;
  for (const AxisExtent &dim : box)
    number = number * dim.extent + point.get(dim.axis);
  return number;
}

std::string detail::describe(ArrayRef<AxisExtent> box) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(box, os << '(', [&](const AxisExtent &dim) {
    os << dim.extent;
    if (dim.axis != memoryAxis())
      os << '@' << dim.axis.getName();
  });
  os << ')';
  return text;
}

int64_t detail::getExtent(ArrayRef<AxisExtent> box, Axis axis) {
  for (const AxisExtent &dim : box)
    if (dim.axis == axis)
      return dim.extent;
  return 1;
}

TileLayout detail::getPoints(ArrayRef<AxisExtent> box) {
  SmallVector<Iter> shard;
  for (const AxisExtent &dim : box)
    shard.push_back({dim.extent, 1, dim.axis});
  return makeTile(shard, {}, {});
}

llvm::Error detail::checkInside(const Layout &layout,
                                ArrayRef<AxisExtent> box) {
  for (Axis axis : layout.getAxes()) {
    Span span = layout.getSpan(axis);
    int64_t extent = getExtent(box, axis);
    if (span.min < 0 || span.max >= extent)
      return makeError("expected coordinates on '" + axis.getName() +
                       "' from 0 to " + Twine(extent - 1) + ", got " +
                       Twine(span.min) + " to " + Twine(span.max));
  }
  return llvm::Error::success();
}

SmallVector<Ladder, 4> detail::getLadders(const TileLayout &tile,
                                          int64_t &first) {
  SmallVector<Ladder, 4> ladders;
  for (Axis axis : tile.getAxes())
    ladders.push_back({axis, tile.getSpan(axis).min, {}});
  auto add = [&](const Iter &iter, int64_t weight) {
    if (iter.extent == 1 || iter.stride == 0)
      return;
    Rung rung = {iter.extent, std::abs(iter.stride),
                 iter.stride < 0 ? -weight : weight};
    if (iter.stride < 0)
      first += (iter.extent - 1) * weight;
    llvm::find_if(ladders, [&](const Ladder &ladder) {
      return ladder.axis == iter.axis;
    })->rungs.push_back(rung);
  };
  first = 0;
  int64_t weight = 1;
  for (const Iter &iter : llvm::reverse(tile.getShard())) {
    add(iter, weight);
    weight *= iter.extent;
  }
  for (const Iter &iter : tile.getReplica())
    add(iter, 0);
  for (Ladder &ladder : ladders)
    llvm::sort(ladder.rungs, [](const Rung &a, const Rung &b) {
      return a.stride != b.stride ? a.stride < b.stride : a.extent < b.extent;
    });
  return ladders;
}

Ladder detail::getLadder(ArrayRef<Ladder> ladders, Axis axis) {
  for (const Ladder &ladder : ladders)
    if (ladder.axis == axis)
      return ladder;
  return {axis, 0, {}};
}
