//===- LayoutConversion.h - layouts to and from MLIR's ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts as MLIR writes them: strided layouts, affine maps and memrefs. What
// they cannot say (swizzles, replicas, and other axes than those asked for) is
// refused with the reason; nothing is lost on the way.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_LAYOUTCONVERSION_H
#define TIRX_DIALECT_TIRX_IR_LAYOUTCONVERSION_H

#include "TIRx/Layout/Layout.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tirx {

/// `strided<[64, 1], offset: 5>`. Fails when a dimension has several strides.
llvm::Expected<mlir::StridedLayoutAttr>
toStridedLayout(mlir::MLIRContext *context, const Layout &layout,
                llvm::ArrayRef<int64_t> shape);
/// Fails for strides or an offset that are dynamic.
llvm::Expected<Layout> fromStridedLayout(mlir::StridedLayoutAttr attr,
                                         llvm::ArrayRef<int64_t> shape);

/// A map from the coordinates of `shape` to those on `axes`, with `floordiv`
/// and `mod` where a dimension has several strides.
llvm::Expected<mlir::AffineMap> toAffineMap(mlir::MLIRContext *context,
                                            const Layout &layout,
                                            llvm::ArrayRef<int64_t> shape,
                                            llvm::ArrayRef<Axis> axes);
/// The layout whose coordinate on axes[i] is the map's result i. Any spelling
/// is read; fails for symbols, `ceildiv`, and what no layout computes.
llvm::Expected<Layout> fromAffineMap(mlir::AffineMap map,
                                     llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<Axis> axes);

/// The memref of a layout on `m`: without a layout when it is row-major, with
/// strides when each dimension has one, else with an affine map.
llvm::Expected<mlir::MemRefType> toMemRef(const Layout &layout,
                                          llvm::ArrayRef<int64_t> shape,
                                          mlir::Type elementType,
                                          mlir::Attribute memorySpace = {});
/// Fails for a dynamic shape or layout, and for a map of several results.
llvm::Expected<Layout> fromMemRef(mlir::MemRefType type);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_IR_LAYOUTCONVERSION_H
