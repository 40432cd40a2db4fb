//===- ElementAddress.cpp - where an element of a buffer is ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementAddress.h"
#include "TIRx/Layout/Algebra.h"

using namespace mlir;

namespace tirx {

/// The affine part; a bare swizzle permutes the row-major index.
static TileLayout tileOf(const BufferRef &ref) {
  Layout layout = ref.type.getLayout();
  if (const TileLayout *tile = layout.getTile())
    return *tile;
  return llvm::cantFail(TileLayout::rowMajor(ref.type.getShape()));
}

/// The part of a coordinate that one dimension contributes: its index, split by
/// the iters from the innermost.
static Value emitDimension(IndexMath &math, Value index, ArrayRef<Iter> iters,
                           Axis axis, Value sum) {
  int64_t inner = 1;
  for (auto [i, iter] : llvm::enumerate(llvm::reverse(iters))) {
    int64_t below = inner;
    inner *= iter.extent;
    if (iter.axis != axis || iter.extent == 1 || iter.stride == 0)
      continue;
    Value digit = math.div(index, below);
    if (i + 1 != iters.size()) // the index is inside the outermost
      digit = math.rem(digit, iter.extent);
    sum = math.add(sum, math.mul(digit, iter.stride));
  }
  return sum;
}

Value emitCoordinate(IndexMath &math, const BufferRef &ref, ValueRange indices,
                     Axis axis) {
  TileLayout tile = tileOf(ref);
  ArrayRef<int64_t> shape = ref.type.getShape();
  Value sum = math.constant(tile.getOffset(axis));
  auto groups = group(tile, shape);
  if (groups) {
    for (auto [index, iters] : llvm::zip(indices, *groups))
      sum = emitDimension(math, math.cast(index), iters, axis, sum);
  } else {
    // Dimensions that share an iter: split the flat index instead.
    llvm::consumeError(groups.takeError());
    Value flat = math.constant(0);
    for (auto [index, extent] : llvm::zip(indices, shape))
      flat = math.add(math.mul(flat, extent), math.cast(index));
    sum = emitDimension(math, flat, tile.getShard(), axis, sum);
  }
  for (const DynamicOffset &offset : ref.offsets)
    if (offset.axis == axis)
      sum = math.add(sum, math.mul(math.cast(offset.index), offset.stride));
  return sum;
}

Value emitLinearIndex(IndexMath &math, const BufferRef &ref,
                      ValueRange indices) {
  Value index = emitCoordinate(math, ref, indices, memoryAxis());
  Layout layout = ref.type.getLayout();
  const SwizzleLayout *swizzle = layout.getSwizzle();
  if (!swizzle || swizzle->getSwizzleLen() == 0)
    return index;
  int64_t low = swizzle->getPerElement();
  int64_t distance = swizzle->getAtomLen();
  int64_t field = ((int64_t(1) << swizzle->getSwizzleLen()) - 1) << low;
  Value pattern = swizzle->isOuter()
                      ? math.shiftLeft(math.bitAnd(index, field), distance)
                      : math.bitAnd(math.shiftRight(index, distance), field);
  return math.bitXor(index, pattern);
}

Value emitTmemOffset(IndexMath &math, const BufferRef &ref,
                     ValueRange indices) {
  Value lane = emitCoordinate(math, ref, indices, lookupBuiltinAxis("TLane"));
  Value column = emitCoordinate(math, ref, indices, lookupBuiltinAxis("TCol"));
  int64_t bits = ref.type.getElementBits();
  if (bits < 32)
    column = math.div(math.mul(column, bits), 32);
  return math.add(math.shiftLeft(lane, 16), column);
}

} // namespace tirx
