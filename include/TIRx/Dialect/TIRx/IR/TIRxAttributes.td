//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Layout attributes. Their meaning is in lib/Layout; here is only how the IR
// carries them.

#ifndef TIRX_ATTRIBUTES
#define TIRX_ATTRIBUTES

include "TIRx/Dialect/TIRx/IR/TIRxDialect.td"
include "TIRx/Dialect/TIRx/IR/TIRxEnums.td"
include "TIRx/Dialect/TIRx/IR/TIRxInterfaces.td"

class TIRx_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TIRx_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TIRx_LayoutAttr<string name, string attrMnemonic>
    : TIRx_Attr<name, attrMnemonic,
        [DeclareAttrInterfaceMethods<TIRx_LayoutAttrInterface>]>;

def TIRx_TileAttr : TIRx_LayoutAttr<"Tile", "tile"> {
  let summary = "an affine layout on named axes, with replicas and an offset";
  let description = [{
    `L(x) = { D(x) + r + O | r in R }`: the shard `S` maps a logical coordinate to
    coordinates on named axes, the replica `R` adds physical copies, and the
    offset moves all of it. A stride that names no axis is on `m`, linear memory
    counted in elements.

    Constraints:
    - (tile_c1) Every extent is at least 1, and the number of elements, of copies
      and every coordinate fit 64-bit signed integers.
    - (tile_c2) Every axis is a known one.

    Example:

    ```mlir
    #acc  = #tirx.tile<S[(128, 512) : (1@TLane, 1@TCol)]>
    #sf   = #tirx.tile<S[(32, 4) : (1@TLane, 1@TCol)] + R[4 : 32@TLane]>
    #frag = #tirx.tile<S[(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1)] + R[2 : 4@warpid] + 5@warpid>
    ```
  }];
  let parameters = (ins AttrParameter<"::tirx::TileLayout", "the layout">:$value);
  let hasCustomAssemblyFormat = 1;
}

def TIRx_SwizzleAttr : TIRx_LayoutAttr<"Swizzle", "swizzle"> {
  let summary = "an exclusive-or permutation of linear memory";
  let description = [{
    `#tirx.swizzle<p, b, s>` on the element index: bits [p, p+b) are XORed with
    bits [p+s, p+s+b). `outer` swaps the two roles.

    Constraints:
    - (swizzle_c1) `p`, `b` and `s` are not negative, `s` is at least `b`, and
      `p + b + s` is at most 62.

    Example:

    ```mlir
    #sw128 = #tirx.swizzle<3, 3, 3>  // the 128-byte mode for 16-bit elements
    ```
  }];
  let parameters = (ins AttrParameter<"::tirx::SwizzleLayout", "the layout">:$value);
  let hasCustomAssemblyFormat = 1;
}

def TIRx_ComposeAttr : TIRx_LayoutAttr<"Compose", "compose"> {
  let summary = "a swizzle applied to the memory address of a tile layout";
  let description = [{
    The tile gives an element index on `m`, the swizzle permutes it.

    Constraints:
    - (compose_c1) Every coordinate of the tile on `m` is at least 0.

    Example:

    ```mlir
    #a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
    ```
  }];
  let parameters = (ins "::tirx::SwizzleAttr":$swizzle, "::tirx::TileAttr":$tile);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TIRx_OperandAttr : TIRx_Attr<"Operand", "operand"> {
  let summary = "an operand of a registered instruction";
  let parameters = (ins EnumParameter<TIRx_OperandRole>:$role,
                        StringRefParameter<>:$name, "::mlir::Type":$type);
  let assemblyFormat = "`<` $role `,` $name `,` $type `>`";
  let extraClassDeclaration = [{
    bool isRead() const { return getRole() != OperandRole::Out; }
    bool isWritten() const {
      return getRole() == OperandRole::Out || getRole() == OperandRole::InOut;
    }
    /// Registers: the elements of a vector, else 1.
    unsigned getNumRegisters() const;
    /// The type of one register.
    ::mlir::Type getRegisterType() const;
  }];
}

def TIRx_EffectAttr : TIRx_Attr<"Effect", "effect"> {
  let summary = "what a registered instruction does to the memory at an operand";
  let parameters = (ins EnumParameter<TIRx_AccessKind>:$access,
                        StringRefParameter<>:$operand, "int64_t":$bytes,
                        EnumParameter<TIRx_EffectProxy>:$proxy);
  let assemblyFormat = "`<` $access `,` $operand `,` $bytes `,` $proxy `>`";
}

def TIRx_TensorMapAttr : TIRx_Attr<"TensorMap", "tensor_map"> {
  let summary = "the tensor map that a kernel parameter is";
  let description = [{
    What the host encodes before a launch: the map describes the tensor at
    `offset` bytes into the buffer that is parameter `of`. Dimensions are in the
    driver's order, innermost first; `strides`, in bytes, are those of the outer
    ones. Stands as `tirx.tensor_map` on a parameter.

    Example:

    ```mlir
    #tirx.tensor_map<of = 0, offset = 0, dtype = "f16", dims = [64, 128], strides = [128],
                     box = [64, 128], swizzle = "128B">
    ```
  }];
  let parameters = (ins "int64_t":$of, "int64_t":$offset, StringRefParameter<>:$dtype,
                        "::mlir::DenseI64ArrayAttr":$dims, "::mlir::DenseI64ArrayAttr":$strides,
                        "::mlir::DenseI64ArrayAttr":$box, StringRefParameter<>:$swizzle);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TIRX_ATTRIBUTES
