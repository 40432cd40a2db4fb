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
#include "mlir/Interfaces/FunctionInterfaces.h"
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

LogicalResult TIRxDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned /*region*/,
                                                    unsigned argument,
                                                    NamedAttribute attribute) {
  // (tirx_attribute_c4)
  if (attribute.getName() != kTensorMapAttr)
    return op->emitOpError("expected tirx.tensor_map on a parameter, got the "
                           "attribute '")
           << attribute.getName().getValue() << "'";
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (isa<TensorMapAttr>(attribute.getValue()) && function &&
      isa<LLVM::LLVMPointerType>(function.getArgumentTypes()[argument]))
    return success();
  return op->emitOpError("expected '")
         << kTensorMapAttr << "' to be a #tirx.tensor_map on a pointer, got "
         << attribute.getValue();
}

LogicalResult TIRxDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto verifyFunction = [&]() -> LogicalResult {
    if (isa<FunctionOpInterface>(op))
      return success();
    return op->emitOpError("expected '") << name << "' on a function";
  };
  if (name == kExplicitSyncAttr) {
    // (tirx_attribute_c1)
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError("expected '")
             << name << "' to be a unit attribute, got "
             << attribute.getValue();
    return verifyFunction();
  }
  if (name == kSharedBytesAttr) {
    // (tirx_attribute_c2)
    auto bytes = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!bytes || !bytes.getType().isSignlessInteger(64) || bytes.getInt() < 0)
      return op->emitOpError("expected '")
             << name << "' to be an i64 of at least 0, got "
             << attribute.getValue();
    return verifyFunction();
  }
  // (tirx_attribute_c3)
  if (name == kOriginAttr)
    return success();
  return op->emitOpError("expected tirx.explicit_sync, tirx.shared_bytes or "
                         "tirx.origin, got the attribute '")
         << name << "'";
}
