//===- Ops.cpp - generated code of the ops --------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "ViewSyntax.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tirx;

#include "TIRx/Dialect/TIRx/IR/TIRxOpInterfaces.cpp.inc"

/// Types of buffers are written in full, `!tirx.buffer<...>`, everywhere.
static ParseResult parseBuffer(OpAsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  if (isa<BufferType>(type))
    return success();
  return parser.emitError(loc, "expected a buffer type, got ") << type;
}

static void printBuffer(OpAsmPrinter &printer, Operation *, Type type) {
  printer << type;
}

/// The same for pointers, `!llvm.ptr<3>`.
static ParseResult parsePointer(OpAsmParser &parser, Type &type) {
  return parser.parseType(type);
}

static void printPointer(OpAsmPrinter &printer, Operation *, Type type) {
  printer << type;
}

/// `(inputs) -> results`, or the inputs alone where the results follow.
static ParseResult parsePtxTypes(OpAsmParser &parser, StringAttr instruction,
                                 SmallVectorImpl<Type> &inputs,
                                 SmallVectorImpl<Type> &outputs) {
  auto parseInput = [&] { return parser.parseType(inputs.emplace_back()); };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseInput))
    return failure();
  if (succeeded(parser.parseOptionalArrow())) {
    if (failed(parser.parseOptionalLParen()))
      return parser.parseType(outputs.emplace_back());
    if (succeeded(parser.parseOptionalRParen()))
      return success();
    auto parseOutput = [&] { return parser.parseType(outputs.emplace_back()); };
    return failure(parser.parseCommaSeparatedList(parseOutput) ||
                   parser.parseRParen());
  }
  auto inferred =
      PtxOp::inferResultTypes(parser.getContext(), instruction.getValue());
  if (!inferred)
    return parser.emitError(loc, llvm::toString(inferred.takeError()));
  outputs.append(*inferred);
  return success();
}

static void printPtxTypes(OpAsmPrinter &printer, Operation *, StringAttr,
                          TypeRange inputs, TypeRange outputs) {
  printer.printFunctionalType(inputs, outputs);
}

#define GET_OP_CLASSES
#include "TIRx/Dialect/TIRx/IR/TIRxOps.cpp.inc"
