//===- Slots.cpp - which slot or buffer an operand names ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/Analysis/Slots.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tirx;

Value tirx::getRootBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

Slot::Slot(Value buffer, Value index)
    : buffer(getRootBuffer(buffer)), index(index) {
  // An element of a view has another number in the root.
  llvm::APInt value;
  if (this->buffer == buffer && matchPattern(index, m_ConstantInt(&value)) &&
      value.isSignedIntN(64))
    constant = value.getSExtValue();
}
