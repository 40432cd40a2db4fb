//===- TIRxDialect.h - the tirx dialect -------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_TIRXDIALECT_H
#define TIRX_DIALECT_TIRX_IR_TIRXDIALECT_H

#include "TIRx/Layout/Axis.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h.inc"

#include "TIRx/Dialect/TIRx/IR/TIRxEnums.h.inc"

#endif // TIRX_DIALECT_TIRX_IR_TIRXDIALECT_H
