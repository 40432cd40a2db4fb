//===- Dialect.cpp - the tirx dialect -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/TIRxDialect.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tirx;

#include "TIRx/Dialect/TIRx/IR/TIRxDialect.cpp.inc"
#include "TIRx/Dialect/TIRx/IR/TIRxEnums.cpp.inc"

namespace {
/// Gives layouts short names, so that a printed kernel stays readable.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<TileAttr, ComposeAttr>(attr))
      return AliasResult::NoAlias;
    os << "layout";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void TIRxDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "TIRx/Dialect/TIRx/IR/TIRxOps.cpp.inc"
      >();
  addInterfaces<LayoutAliases>();
}
