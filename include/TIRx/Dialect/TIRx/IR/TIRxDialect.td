//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The dialect itself and the base classes of its attributes, types and ops.

#ifndef TIRX_DIALECT
#define TIRX_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TIRx_Dialect : Dialect {
  let name = "tirx";
  let cppNamespace = "::tirx";
  let summary = "GPU kernels by scope, layout and dispatch";
  let description = [{
    A kernel is defined by three decisions, and here all three are in the IR:
    **scope** (which threads take part), **layout** (where each logical element
    lives) and **dispatch** (which hardware path does the work).

    Tile ops work on buffers whose type carries a layout. `tirx-lower-tiles`
    expands them into instruction-level ops (`tirx.ptx` over the PTX instruction
    table, addresses and descriptors of views), and `convert-tirx-to-nvvm` takes
    those to the `nvvm` and `llvm` dialects. Both levels mix in one function,
    and both mix with `arith`, `scf` and `gpu`.

    Attributes of the dialect on ops of others:
    - (tirx_attribute_c1) `tirx.explicit_sync` is a unit attribute of a function: its
      author places all fences by hand.
    - (tirx_attribute_c2) `tirx.shared_bytes` is an i64 attribute of a function, not
      negative: the size of its shared-memory pool.
    - (tirx_attribute_c3) `tirx.origin`, of any kind, keeps what an op was lowered
      from. There are no others, so that a misspelt one is not ignored.
    - (tirx_attribute_c4) `tirx.tensor_map` is a `#tirx.tensor_map` on a parameter of a
      function that is a pointer.
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"
  ];
  let extraClassDeclaration = [{
    /// The axes that layouts of this context may name. An embedder declares its
    /// own when it loads the dialect.
    ::tirx::AxisTable &getAxes() { return axes; }

    /// Unit attribute of a kernel whose author places all fences by hand.
    static constexpr ::llvm::StringLiteral kExplicitSyncAttr = "tirx.explicit_sync";

    /// i64 attribute of a kernel: bytes of its shared-memory pool, written by
    /// `tirx-allocate-shared`.
    static constexpr ::llvm::StringLiteral kSharedBytesAttr = "tirx.shared_bytes";

    /// Attribute of a lowered op: what it was lowered from.
    static constexpr ::llvm::StringLiteral kOriginAttr = "tirx.origin";

    /// Attribute of a kernel parameter: the tensor map that it is.
    static constexpr ::llvm::StringLiteral kTensorMapAttr = "tirx.tensor_map";

  private:
    void registerAttributes();
    void registerTypes();
    ::tirx::AxisTable axes;

  public:
  }];
}

#endif // TIRX_DIALECT
