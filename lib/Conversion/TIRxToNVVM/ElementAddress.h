//===- ElementAddress.h - where an element of a buffer is -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_ELEMENTADDRESS_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_ELEMENTADDRESS_H

#include "BufferRef.h"
#include "IndexMath.h"

namespace tirx {

/// The coordinate of the element at `indices` on a memory axis, dynamic offsets
/// of views included, before any swizzle.
mlir::Value emitCoordinate(IndexMath &math, const BufferRef &ref,
                           mlir::ValueRange indices, Axis axis);

/// The element number in linear memory, counted from the root: the coordinate
/// on `m` with the swizzle applied.
mlir::Value emitLinearIndex(IndexMath &math, const BufferRef &ref,
                            mlir::ValueRange indices);

/// The address in tensor memory relative to the root: lane << 16 | column, in
/// columns of 32 bits.
mlir::Value emitTmemOffset(IndexMath &math, const BufferRef &ref,
                           mlir::ValueRange indices);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_ELEMENTADDRESS_H
