//===- PtxOp.cpp - verifier and effects of tirx.ptx -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/IR/TIRxEffects.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

using namespace mlir;
using namespace tirx;

LogicalResult PtxOp::verify() {
  // (ptx_c4)
  if (!getOtherwise().empty() && !getPredicate())
    return emitOpError("expected pred with else, got else alone");
  return success();
}

void PtxOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addAllMemoryEffects(effects);
}
