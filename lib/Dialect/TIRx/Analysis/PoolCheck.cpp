//===- PoolCheck.cpp - where the shared-memory pool stands ----------------===//
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

LogicalResult tirx::checkPool(gpu::GPUFuncOp kernel) {
  LogicalResult result = success();
  SmemPoolOp first;
  kernel.walk([&](SmemPoolOp pool) {
    // (smem_pool_c1)
    if (pool->getBlock() != &kernel.getBody().front()) {
      result = pool.emitOpError(
          "expected the pool in the entry block of a kernel, got a nested one");
      return;
    }
    if (first) {
      InFlightDiagnostic diagnostic =
          pool.emitOpError("expected one pool in a kernel, got a second one");
      diagnostic.attachNote(first.getLoc()) << "this is the first";
      result = diagnostic;
      return;
    }
    first = pool;
  });
  return result;
}
