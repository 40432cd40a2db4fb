//===- TIRxTypes.h - buffers, pools and barriers ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_TIRXTYPES_H
#define TIRX_DIALECT_TIRX_IR_TIRXTYPES_H

#include "TIRx/Dialect/TIRx/IR/TIRxAttributes.h"
#include "mlir/IR/Types.h"

#define GET_TYPEDEF_CLASSES
#include "TIRx/Dialect/TIRx/IR/TIRxTypes.h.inc"

#endif // TIRX_DIALECT_TIRX_IR_TIRXTYPES_H
