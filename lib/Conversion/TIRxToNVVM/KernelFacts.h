//===- KernelFacts.h - what a kernel uses, for its fences -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_KERNELFACTS_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_KERNELFACTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tirx {

/// Facts about a whole kernel that decide which fences its ops need.
struct KernelFacts {
  /// The author places all fences by hand.
  bool explicitSync = false;
  /// Some tcgen05 operation: rules R13 to R15 apply.
  bool usesTensorMemory = false;
  /// Something reads shared memory through the async proxy: rule R1 applies.
  bool hasAsyncReaders = false;

  static KernelFacts of(mlir::gpu::GPUFuncOp kernel);
};

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_KERNELFACTS_H
