//===- PtxToNVVM.h - instructions that nvvm has -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_PTXTONVVM_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_PTXTONVVM_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/PTX/Table.h"

namespace tirx {

/// Replaces the results of `op` by those of an nvvm op that means exactly the
/// same; false if there is none, and inline assembly must do. The op stays for
/// the caller to erase.
bool emitAsNVVM(PtxOp op, const ptx::ResolvedInstruction &instruction);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_PTXTONVVM_H
