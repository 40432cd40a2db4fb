//===- TileIndex.h - walking the elements of a tile -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_TILEINDEX_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_TILEINDEX_H

#include "IndexMath.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tirx {

/// The dimensions of a shape that have more than one element, in order.
llvm::SmallVector<unsigned> realDims(llvm::ArrayRef<int64_t> shape);

/// A tile cut into chunks of neighbouring elements.
struct Chunking {
  /// Extents without those of 1; {1} for a single element.
  llvm::SmallVector<int64_t> shape;
  /// The dimension, of `shape`, along which chunk numbers run first.
  unsigned fastDim = 0;
  /// Elements of a chunk, along `fastDim`; divides its extent.
  int64_t vector = 1;

  /// Single elements of a tile, the last dimension fastest.
  static Chunking of(llvm::ArrayRef<int64_t> shape);
  int64_t numChunks() const;
  /// The index along each dimension of `shape` of a chunk's first element.
  llvm::SmallVector<mlir::Value> indices(IndexMath &math,
                                         mlir::Value chunk) const;
};

/// Indices for a buffer of `shape` from indices for its real dimensions:
/// extents of 1 get index 0.
llvm::SmallVector<mlir::Value> spreadIndices(IndexMath &math,
                                             llvm::ArrayRef<int64_t> shape,
                                             mlir::ValueRange real);

/// Emits a loop from 0 to `trips`, or just its body for a single trip. The body
/// gets the counter.
void emitLoop(mlir::OpBuilder &builder, mlir::Location loc, int64_t trips,
              llvm::function_ref<void(mlir::OpBuilder &, mlir::Value)> body);

/// The type of an access to `count` elements: the element, or a vector of them.
mlir::Type accessOf(mlir::Type element, int64_t count);

/// "128x64", for messages.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_TILEINDEX_H
