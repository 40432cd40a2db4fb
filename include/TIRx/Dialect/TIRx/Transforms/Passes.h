//===- Passes.h - passes inside the tirx dialect ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TIRX_DIALECT_TIRX_TRANSFORMS_PASSES_H
#define TIRX_DIALECT_TIRX_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tirx {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "TIRx/Dialect/TIRx/Transforms/Passes.h.inc"

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_TRANSFORMS_PASSES_H
