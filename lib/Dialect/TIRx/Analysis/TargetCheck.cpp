//===- TargetCheck.cpp - instructions against the target ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/Analysis/Checks.h"
#include "TIRx/Dialect/TIRx/IR/PtxSignature.h"
#include "TIRx/PTX/Table.h"

using namespace mlir;
using namespace tirx;

LogicalResult tirx::checkTarget(gpu::GPUFuncOp kernel, llvm::StringRef target) {
  LogicalResult result = success();
  kernel.walk([&](PtxOp op) {
    auto known = getSignature(op);
    if (!known) { // the verifier has reported it
      llvm::consumeError(known.takeError());
      return;
    }
    auto &[instruction, signature] = *known;
    // (ptx_c3) The driver writes the PTX version that the target needs.
    llvm::Error error = ptx::checkTarget(instruction, target, 0);
    if (!error)
      error = ptx::checkTarget(instruction, specsOf(signature), target, 0);
    if (error)
      result = op.emitOpError() << llvm::toString(std::move(error));
  });
  return result;
}
