//===- TieWgmma.h - accumulators through wgmma.wait_group ---------*- C++
//-*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_TIEWGMMA_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_TIEWGMMA_H

#include "mlir/IR/Operation.h"

namespace tirx {

/// Routes the registers of wgmma accumulators through each wait_group behind
/// them, so that LLVM does not move what reads them in front of it (rule R20).
/// Runs on tirx ops with constant indices into registers.
void tieWgmmaAccumulators(mlir::Operation *kernel);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_TIEWGMMA_H
