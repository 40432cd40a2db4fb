//===- TieTmemLoads.h - registers through tcgen05.wait::ld ------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_TIETMEMLOADS_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_TIETMEMLOADS_H

#include "mlir/IR/Operation.h"

namespace tirx {

/// Passes the registers of `tcgen05.ld` through the `tcgen05.wait::ld` that
/// follows in the same block (rule R17): LLVM knows no dependency between the
/// two and would move uses of the registers ahead of the wait.
void tieTmemLoads(mlir::Operation *kernel);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_TIETMEMLOADS_H
