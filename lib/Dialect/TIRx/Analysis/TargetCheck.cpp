//===- TargetCheck.cpp - instructions against the target ------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TIRx/Dialect/TIRx/Analysis/Checks.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

using namespace mlir;
using namespace tirx;

LogicalResult tirx::checkTarget(gpu::GPUFuncOp kernel, llvm::StringRef target) {
  return success();
}
