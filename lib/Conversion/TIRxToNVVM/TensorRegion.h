//===- TensorRegion.h - a region of a tensor in global memory -*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy by tensor map needs coordinates in a tensor, where the rest of the
// lowering is content with addresses: views of a kernel parameter are followed
// dimension by dimension.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_TENSORREGION_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_TENSORREGION_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

namespace tirx {

/// Where a region begins along one dimension: the sum of all of these.
struct RegionOffset {
  int64_t constant = 0;
  llvm::SmallVector<mlir::Value, 1> indices;
};

/// A region of a tensor that a kernel parameter is.
struct TensorRegion {
  /// The number of the parameter.
  unsigned parameter = 0;
  /// Shape, element type and layout of the tensor; its layout may be offset
  /// from the parameter.
  BufferType tensor;
  /// For each dimension of the tensor.
  llvm::SmallVector<RegionOffset> offsets;
  llvm::SmallVector<int64_t> sizes;
  /// Dimension i of the operand is dimension order[i] of the tensor.
  llvm::SmallVector<int64_t> order;
};

/// Follows slices and permutations of `buffer` to the tensor that they view.
/// Fails, and `why` says it, where the tensor is no parameter of the kernel or
/// is itself at an offset that is known only at run time.
mlir::FailureOr<TensorRegion> traceTensor(mlir::Value buffer, std::string &why);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_TENSORREGION_H
