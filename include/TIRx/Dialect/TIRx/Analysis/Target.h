//===- Target.h - the target of a kernel ------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TIRX_DIALECT_TIRX_ANALYSIS_TARGET_H
#define TIRX_DIALECT_TIRX_ANALYSIS_TARGET_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

namespace tirx {

/// The chip of the `#nvvm.target` of the gpu.module around `op` (the first one,
/// where it has several); empty when there is none.
llvm::StringRef getTargetChip(mlir::Operation *op);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_ANALYSIS_TARGET_H
