//===- Ops.cpp - generated code of the ops --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tirx;

#include "TIRx/Dialect/TIRx/IR/TIRxOpInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "TIRx/Dialect/TIRx/IR/TIRxOps.cpp.inc"
