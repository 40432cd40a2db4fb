//===- IndexMath.h - integer arithmetic that folds --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_INDEXMATH_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_INDEXMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tirx {

/// Builds unsigned index arithmetic of one type, with constants folded and
/// powers of two as shifts and masks.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t factor);
  mlir::Value div(mlir::Value a, int64_t divisor);
  mlir::Value rem(mlir::Value a, int64_t divisor);
  mlir::Value bitXor(mlir::Value a, mlir::Value b);
  mlir::Value bitAnd(mlir::Value a, int64_t mask);
  mlir::Value shiftRight(mlir::Value a, int64_t bits);
  mlir::Value shiftLeft(mlir::Value a, int64_t bits);

  /// `value`, an integer or index, as this arithmetic's type.
  mlir::Value cast(mlir::Value value);

private:
  template <typename Op> mlir::Value binary(mlir::Value a, mlir::Value b);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

/// The constant that `value` is, looking through index casts.
std::optional<int64_t> constantValue(mlir::Value value);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_INDEXMATH_H
