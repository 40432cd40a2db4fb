//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// All ops of the dialect, for one run of mlir-tblgen.

#ifndef TIRX_OPS
#define TIRX_OPS

include "TIRx/Dialect/TIRx/IR/TIRxBufferOps.td"
include "TIRx/Dialect/TIRx/IR/TIRxViewOps.td"
include "TIRx/Dialect/TIRx/IR/TIRxTileOps.td"
include "TIRx/Dialect/TIRx/IR/TIRxElementwiseOps.td"
include "TIRx/Dialect/TIRx/IR/TIRxSyncOps.td"
include "TIRx/Dialect/TIRx/IR/TIRxInstructionOps.td"
include "TIRx/Dialect/TIRx/IR/TIRxRegistrationOps.td"

#endif // TIRX_OPS
