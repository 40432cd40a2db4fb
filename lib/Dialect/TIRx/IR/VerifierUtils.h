//===- VerifierUtils.h - checks that several ops share ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_TIRX_IR_VERIFIERUTILS_H
#define LIB_DIALECT_TIRX_IR_VERIFIERUTILS_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

namespace tirx::verifier {

/// `shape` without its extents of 1, as tile ops compare shapes.
llvm::SmallVector<int64_t> dropUnitExtents(llvm::ArrayRef<int64_t> shape);

/// "128x64"; "scalar" for rank 0.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// `dst` and `src` have the same shape once extents of 1 are dropped.
mlir::LogicalResult verifySameShape(mlir::Operation *op, BufferType dst,
                                    BufferType src);

/// `dst` and `src` have the same element type.
mlir::LogicalResult verifySameElementType(mlir::Operation *op, BufferType dst,
                                          BufferType src);

/// `cta_group` is 1 or 2.
mlir::LogicalResult verifyCtaGroup(mlir::Operation *op, int64_t group);

/// `columns` is a power of two from 32 to 512.
mlir::LogicalResult verifyColumns(mlir::Operation *op, int64_t columns);

/// `slot` has rank 1 and holds 32-bit integers.
mlir::LogicalResult verifySlot(mlir::Operation *op, BufferType slot);

/// One index for each dimension of `buffer`.
mlir::LogicalResult verifyIndexCount(mlir::Operation *op, BufferType buffer,
                                     size_t indices);

} // namespace tirx::verifier

#endif // LIB_DIALECT_TIRX_IR_VERIFIERUTILS_H
