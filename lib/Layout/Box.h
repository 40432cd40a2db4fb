//===- Box.h - boxes, and the steps of a layout in them ---------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_BOX_H
#define TIRX_LIB_LAYOUT_BOX_H

#include "TIRx/Layout/Functions.h"

namespace tirx::detail {

/// The number of points. Fails when an axis is null or there twice, when an
/// extent is below 1, or when the number does not fit 64 bits.
llvm::Expected<int64_t> getBoxSize(llvm::ArrayRef<AxisExtent> box);

/// What one step on the axis adds to a point's number; 1 for other axes. The
/// box has been checked.
int64_t getWeight(llvm::ArrayRef<AxisExtent> box, Axis axis);

/// The number of a point inside the box.
int64_t getNumber(const Coordinates &point, llvm::ArrayRef<AxisExtent> box);

/// `(4@laneid, 8)`.
std::string describe(llvm::ArrayRef<AxisExtent> box);

/// The extent on an axis, 1 on those that the box does not have.
int64_t getExtent(llvm::ArrayRef<AxisExtent> box, Axis axis);

/// The box as a layout: each point's number is mapped to the point.
TileLayout getPoints(llvm::ArrayRef<AxisExtent> box);

/// Fails, naming the axis, when a coordinate of the layout is outside the box.
llvm::Error checkInside(const Layout &layout, llvm::ArrayRef<AxisExtent> box);

/// An iter seen from its axis: `weight` is what a step of `stride` adds to the
/// flat index; negative for an iter that runs against its axis, 0 for replicas.
struct Rung {
  int64_t extent;
  int64_t stride;
  int64_t weight;
};

/// The iters and replicas on one axis that move, by ascending stride, which is
/// positive.
struct Ladder {
  Axis axis;
  /// The smallest coordinate.
  int64_t min = 0;
  llvm::SmallVector<Rung, 8> rungs;
};

/// The ladders of all axes that the canonical tile names. `first` becomes the
/// flat index at which the coordinates are smallest.
llvm::SmallVector<Ladder, 4> getLadders(const TileLayout &tile, int64_t &first);

/// The ladder of an axis, empty where the tile names none.
Ladder getLadder(llvm::ArrayRef<Ladder> ladders, Axis axis);

} // namespace tirx::detail

#endif // TIRX_LIB_LAYOUT_BOX_H
