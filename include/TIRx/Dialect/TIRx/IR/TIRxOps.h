//===- TIRxOps.h - the ops of the tirx dialect ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_TIRXOPS_H
#define TIRX_DIALECT_TIRX_IR_TIRXOPS_H

#include "TIRx/Dialect/TIRx/IR/TIRxTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "TIRx/Dialect/TIRx/IR/TIRxOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h.inc"

#endif // TIRX_DIALECT_TIRX_IR_TIRXOPS_H
