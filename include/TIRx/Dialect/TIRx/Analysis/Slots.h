//===- Slots.h - which slot or buffer an operand names ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TIRX_DIALECT_TIRX_ANALYSIS_SLOTS_H
#define TIRX_DIALECT_TIRX_ANALYSIS_SLOTS_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include <optional>

namespace tirx {

/// The buffer that `buffer` is a view of, through `view` and `local_view`.
mlir::Value getRootBuffer(mlir::Value buffer);

/// One element of a buffer of rank 1: equal when buffer and index are the same
/// value or the same constant.
struct Slot {
  mlir::Value buffer;
  std::optional<int64_t> constant;
  mlir::Value index;

  Slot(mlir::Value buffer, mlir::Value index);
  bool operator==(const Slot &other) const {
    return buffer == other.buffer && constant == other.constant &&
           (constant || index == other.index);
  }
  /// Whether both may be the same element: a dynamic index may be any.
  bool mayEqual(const Slot &other) const {
    return buffer == other.buffer &&
           (!constant || !other.constant || *constant == *other.constant);
  }
};

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_ANALYSIS_SLOTS_H
