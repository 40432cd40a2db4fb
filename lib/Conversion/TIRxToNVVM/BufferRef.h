//===- BufferRef.h - where a buffer value comes from ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_BUFFERREF_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_BUFFERREF_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

namespace tirx {

/// A dynamic offset of a view: `index * stride` on a memory axis, added before
/// any swizzle. Static offsets are in the layout already.
struct DynamicOffset {
  mlir::Value index;
  int64_t stride;
  Axis axis;
};

/// A buffer value, traced to where its memory is.
struct BufferRef {
  /// A kernel argument, or the result of pool_alloc, tmem_buffer or
  /// alloc_local.
  mlir::Value root;
  /// The type of the traced value; its layout places elements relative to the
  /// root.
  BufferType type;
  llvm::SmallVector<DynamicOffset> offsets;
  /// For local buffers: what `local_view` of a slice adds to a register number.
  int64_t firstRegister = 0;

  BufferType rootType() const { return mlir::cast<BufferType>(root.getType()); }
};

/// Traces `buffer` through views. Fails when it comes from elsewhere, such as a
/// block argument or the result of a loop: `why` then says so.
mlir::FailureOr<BufferRef> traceBuffer(mlir::Value buffer, std::string &why);

/// A number that divides `value` for certain; 0 for the constant 0, 1 if
/// nothing is known.
int64_t knownDivisor(mlir::Value value);

/// Elements by which a dynamic offset moves, modulo `period`, as far as known:
/// 0 when it moves by whole periods, else a number whose gcd with `period`
/// divides every move.
int64_t knownMove(const DynamicOffset &offset, int64_t period);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_BUFFERREF_H
