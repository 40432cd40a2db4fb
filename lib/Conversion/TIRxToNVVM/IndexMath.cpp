//===- IndexMath.cpp - integer arithmetic that folds ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexMath.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tirx {

std::optional<int64_t> constantValue(Value value) {
  while (auto cast = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(cast))
      break;
    value = cast->getOperand(0);
  }
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

template <typename Op> Value IndexMath::binary(Value a, Value b) {
  return builder.createOrFold<Op>(loc, a, b);
}

Value IndexMath::constant(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value IndexMath::add(Value a, Value b) { return binary<arith::AddIOp>(a, b); }

Value IndexMath::bitXor(Value a, Value b) {
  return binary<arith::XOrIOp>(a, b);
}

Value IndexMath::mul(Value a, int64_t factor) {
  return factor == 1 ? a : binary<arith::MulIOp>(a, constant(factor));
}

Value IndexMath::div(Value a, int64_t divisor) {
  if (llvm::isPowerOf2_64(divisor))
    return shiftRight(a, llvm::Log2_64(divisor));
  return binary<arith::DivUIOp>(a, constant(divisor));
}

Value IndexMath::rem(Value a, int64_t divisor) {
  if (llvm::isPowerOf2_64(divisor))
    return bitAnd(a, divisor - 1);
  return binary<arith::RemUIOp>(a, constant(divisor));
}

Value IndexMath::bitAnd(Value a, int64_t mask) {
  return binary<arith::AndIOp>(a, constant(mask));
}

Value IndexMath::shiftRight(Value a, int64_t bits) {
  return bits == 0 ? a : binary<arith::ShRUIOp>(a, constant(bits));
}

Value IndexMath::shiftLeft(Value a, int64_t bits) {
  return bits == 0 ? a : binary<arith::ShLIOp>(a, constant(bits));
}

Value IndexMath::cast(Value value) {
  if (value.getType() == type)
    return value;
  if (std::optional<int64_t> known = constantValue(value))
    return constant(*known);
  if (type.isIndex() || value.getType().isIndex())
    return builder.createOrFold<arith::IndexCastUIOp>(loc, type, value);
  if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return builder.createOrFold<arith::ExtUIOp>(loc, type, value);
  return builder.createOrFold<arith::TruncIOp>(loc, type, value);
}

} // namespace tirx
