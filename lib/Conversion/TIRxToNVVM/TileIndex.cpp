//===- TileIndex.cpp - walking the elements of a tile ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileIndex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tirx {

SmallVector<unsigned> realDims(ArrayRef<int64_t> shape) {
  SmallVector<unsigned> dims;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent != 1)
      dims.push_back(dim);
  return dims;
}

Chunking Chunking::of(ArrayRef<int64_t> shape) {
  Chunking chunking;
  for (unsigned dim : realDims(shape))
    chunking.shape.push_back(shape[dim]);
  if (chunking.shape.empty())
    chunking.shape.push_back(1);
  chunking.fastDim = chunking.shape.size() - 1;
  return chunking;
}

int64_t Chunking::numChunks() const {
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  return elements / vector;
}

SmallVector<Value> Chunking::indices(IndexMath &math, Value chunk) const {
  SmallVector<Value> result(shape.size());
  SmallVector<unsigned> order{fastDim};
  for (unsigned dim = shape.size(); dim-- > 0;)
    if (dim != fastDim)
      order.push_back(dim);
  for (unsigned dim : order) {
    int64_t extent = dim == fastDim ? shape[dim] / vector : shape[dim];
    bool outermost = dim == order.back();
    Value index = outermost ? chunk : math.rem(chunk, extent);
    result[dim] = dim == fastDim ? math.mul(index, vector) : index;
    if (!outermost)
      chunk = math.div(chunk, extent);
  }
  return result;
}

SmallVector<Value> spreadIndices(IndexMath &math, ArrayRef<int64_t> shape,
                                 ValueRange real) {
  SmallVector<Value> indices;
  for (int64_t extent : shape) {
    if (extent == 1) {
      indices.push_back(math.constant(0));
      continue;
    }
    indices.push_back(real.front());
    real = real.drop_front();
  }
  return indices;
}

void emitLoop(OpBuilder &builder, Location loc, int64_t trips,
              llvm::function_ref<void(OpBuilder &, Value)> body) {
  IndexMath math(builder, loc, builder.getIndexType());
  Value zero = math.constant(0);
  if (trips == 1)
    return body(builder, zero);
  scf::ForOp::create(
      builder, loc, zero, math.constant(trips), math.constant(1), ValueRange(),
      [&](OpBuilder &inside, Location, Value counter, ValueRange) {
        body(inside, counter);
        scf::YieldOp::create(inside, loc);
      });
}

Type accessOf(Type element, int64_t count) {
  return count == 1 ? element : Type(VectorType::get({count}, element));
}

std::string shapeText(ArrayRef<int64_t> shape) {
  return llvm::join(
      llvm::map_range(shape,
                      [](int64_t extent) { return std::to_string(extent); }),
      "x");
}

} // namespace tirx
