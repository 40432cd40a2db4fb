//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Interfaces by which analyses and passes see ops and attributes.

#ifndef TIRX_INTERFACES
#define TIRX_INTERFACES

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def TIRx_LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::tirx";
  let description = "An attribute that is a layout in the sense of lib/Layout.";
  let methods = [
    InterfaceMethod<"The layout, in the author's spelling.",
      "::tirx::Layout", "getLayout">
  ];
}

def TIRx_ScopedOpInterface : OpInterface<"ScopedOpInterface"> {
  let cppNamespace = "::tirx";
  let description = [{
    An op that a group of threads executes together. `tirx-check` holds the scope
    against the threads that reach the op.
  }];
  let methods = [
    InterfaceMethod<"The group that executes one instance of the op.",
      "::tirx::Scope", "getExecutionScope">,
    InterfaceMethod<[{
        Whether exactly one group may reach the op: one elected thread for an
        MMA and its commit, one warp for a TMEM allocation. Otherwise every group
        that arrives executes an instance of its own.
      }], "bool", "isSingleIssue", (ins), [{}], "return false;">
  ];
}

def TIRx_TileOpInterface : OpInterface<"TileOpInterface", [TIRx_ScopedOpInterface]> {
  let cppNamespace = "::tirx";
  let description = [{
    A tile op: it works on whole buffers and is lowered by a dispatch variant.
    The destination comes first.
  }];
  let methods = [
    InterfaceMethod<"The variant that the author asked for, or empty.",
      "::llvm::StringRef", "getDispatchName", (ins), [{}], [{
        return $_op.getDispatch().value_or(::llvm::StringRef());
      }]>
  ];
}

def TIRx_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface", [TIRx_TileOpInterface]> {
  let cppNamespace = "::tirx";
  let description = [{
    A tile op that computes each element of its first operand from the elements at
    the same place of the others, which are buffers or scalars.
  }];
  let methods = [
    InterfaceMethod<"The buffer that is written.", "::mlir::Value", "getDestination",
      (ins), [{}], "return $_op->getOperand(0);">,
    InterfaceMethod<"The buffers and scalars that are read.", "::mlir::OperandRange",
      "getInputs", (ins), [{}], "return $_op->getOperands().drop_front();">
  ];
}

#endif // TIRX_INTERFACES
