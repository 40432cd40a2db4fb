//===- ClusterAddress.cpp - shared memory of another CTA
//--------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClusterAddress.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tirx {

Value mapToCta(OpBuilder &builder, Location loc, Value pointer, Value cta) {
  Type i32 = builder.getI32Type();
  Value address = LLVM::PtrToIntOp::create(builder, loc, i32, pointer);
  auto mapped = PtxOp::create(builder, loc, TypeRange(i32),
                              builder.getStringAttr("mapa.shared::cluster.u32"),
                              ValueRange{address, cta}, /*predicate=*/Value(),
                              ValueRange());
  return LLVM::IntToPtrOp::create(builder, loc, pointer.getType(),
                                  mapped.getResult(0));
}

} // namespace tirx
