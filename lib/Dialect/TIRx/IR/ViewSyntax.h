//===- ViewSyntax.h - result types of views in the text ---------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Custom directives of TIRxViewOps.td: a result is a buffer type in full, or
// shape and element type, with memory space and layout inferred.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_TIRX_IR_VIEWSYNTAX_H
#define LIB_DIALECT_TIRX_IR_VIEWSYNTAX_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

namespace tirx {

mlir::ParseResult parseViewResult(mlir::OpAsmParser &parser, mlir::Type source,
                                  mlir::DenseI64ArrayAttr offsets,
                                  mlir::Type &result);
void printViewResult(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::Type source, mlir::DenseI64ArrayAttr offsets,
                     mlir::Type result);

mlir::ParseResult parsePermuteResult(mlir::OpAsmParser &parser,
                                     mlir::Type source,
                                     mlir::DenseI64ArrayAttr permutation,
                                     mlir::Type &result);
void printPermuteResult(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::Type source, mlir::DenseI64ArrayAttr permutation,
                        mlir::Type result);

mlir::ParseResult parseReshapeResult(mlir::OpAsmParser &parser,
                                     mlir::Type source, mlir::Type &result);
void printReshapeResult(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::Type source, mlir::Type result);

mlir::ParseResult parseRecastResult(mlir::OpAsmParser &parser,
                                    mlir::Type source, mlir::Type &result);
void printRecastResult(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::Type source, mlir::Type result);

} // namespace tirx

#endif // LIB_DIALECT_TIRX_IR_VIEWSYNTAX_H
