//===- TIRxAttributes.h - layout attributes ---------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_TIRXATTRIBUTES_H
#define TIRX_DIALECT_TIRX_IR_TIRXATTRIBUTES_H

#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/Layout/Layout.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectImplementation.h"

#include "TIRx/Dialect/TIRx/IR/TIRxAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TIRx/Dialect/TIRx/IR/TIRxAttributes.h.inc"

namespace tirx {

/// The attribute that spells `layout`.
LayoutAttrInterface getLayoutAttr(::mlir::MLIRContext *context,
                                  const Layout &layout);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_IR_TIRXATTRIBUTES_H
