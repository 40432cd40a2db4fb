//===- ClusterAddress.h - shared memory of another CTA ---------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_CLUSTERADDRESS_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_CLUSTERADDRESS_H

#include "mlir/IR/Builders.h"

namespace tirx {

/// The address in the CTA of rank `cta` (i32) of what `pointer`, in address
/// space 3, is in this CTA: a pointer of the same type that is good for
/// `.shared::cluster` operands.
mlir::Value mapToCta(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value pointer, mlir::Value cta);

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_CLUSTERADDRESS_H
