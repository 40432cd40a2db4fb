//===- TensorMapParameter.h - tensor maps that a kernel takes -*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_TENSORMAPPARAMETER_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_TENSORMAPPARAMETER_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Layout/TensorMap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tirx {

/// What the host encodes for a copy; `tensor` is in parameter `parameter`, from
/// byte `offset` on.
TensorMapAttr describeTensorMap(BufferType tensor, unsigned parameter,
                                int64_t offset, const TensorCopyPlan &plan);

/// The pointer to a tensor map: a by-value parameter of the kernel, appended
/// where it has none with this map yet.
mlir::Value getTensorMapParameter(mlir::gpu::GPUFuncOp kernel,
                                  TensorMapAttr map);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_TENSORMAPPARAMETER_H
