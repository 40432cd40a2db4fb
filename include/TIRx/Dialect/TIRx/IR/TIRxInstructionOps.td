//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The instruction level: addresses, elements, descriptors, and any PTX
// instruction of the table.

#ifndef TIRX_INSTRUCTION_OPS
#define TIRX_INSTRUCTION_OPS

include "TIRx/Dialect/TIRx/IR/TIRxOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def TIRx_LoadOp : TIRx_Op<"load", [TIRx_HasEffects]> {
  let summary = "read one element, or a vector along one dimension";
  let description = [{
    A vector lies along the last dimension, or along `dim`.

    Constraints:
    - (load_c1) There is one index for each dimension.
    - (load_c2) The result is the buffer's element type or a vector of it of rank 1.
    - (load_c3) A vector's elements lie side by side, and at its natural alignment
      whenever the index is a multiple of its length.
    - (load_c4) The buffer is in global, shared or local memory and has no thread
      axes.
    - (load_c5) `dim` is a dimension of the buffer.

    Example:

    ```mlir
    %v = tirx.load %A[%row, %col] : !tirx.buffer<128x64xf16, global> -> vector<8xf16>
    ```
  }];
  let arguments = (ins TIRx_BufferType:$buffer, Variadic<Index>:$indices,
                       OptionalAttr<I32Attr>:$dim);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $buffer `[` $indices `]` (`dim` `(` $dim^ `)`)? attr-dict
    `:` custom<Buffer>(type($buffer)) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$buffer,
                   "::mlir::ValueRange":$indices), [{
      build($_builder, $_state, result, buffer, indices, ::mlir::IntegerAttr());
    }]>
  ];
  let hasVerifier = 1;
}

def TIRx_StoreOp : TIRx_Op<"store", [TIRx_HasEffects]> {
  let summary = "write one element, or a vector along one dimension";
  let description = [{
    A vector lies along the last dimension, or along `dim`.

    Constraints:
    - (store_c1) There is one index for each dimension.
    - (store_c2) The value is the buffer's element type or a vector of it of rank 1.
    - (store_c3) A vector's elements lie side by side, and at its natural alignment
      whenever the index is a multiple of its length.
    - (store_c4) The buffer is in global, shared or local memory and has no thread
      axes.
    - (store_c5) `dim` is a dimension of the buffer.

    Example:

    ```mlir
    tirx.store %v, %As[%row, %col] : vector<8xf16>, !tirx.buffer<128x64xf16, shared, #a>
    ```
  }];
  let arguments = (ins AnyType:$value, TIRx_BufferType:$buffer, Variadic<Index>:$indices,
                       OptionalAttr<I32Attr>:$dim);
  let assemblyFormat = [{
    $value `,` $buffer `[` $indices `]` (`dim` `(` $dim^ `)`)? attr-dict
    `:` type($value) `,` custom<Buffer>(type($buffer))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$buffer,
                   "::mlir::ValueRange":$indices), [{
      build($_builder, $_state, value, buffer, indices, ::mlir::IntegerAttr());
    }]>
  ];
  let hasVerifier = 1;
}

def TIRx_PtrOp : TIRx_Op<"ptr", [Pure]> {
  let summary = "the address of an element";
  let description = [{
    A pointer in the address space of the buffer: 1 for global, 3 for shared, 6
    for tensor memory (`lane << 16 | column`).

    Constraints:
    - (ptr_c1) There is one index for each dimension.
    - (ptr_c2) The result's address space is 1, 3 or 6 and is that of the buffer.

    Example:

    ```mlir
    %p = tirx.ptr %As[%row, %col] : !tirx.buffer<128x64xf16, shared, #a> -> !llvm.ptr<3>
    ```
  }];
  let arguments = (ins TIRx_BufferType:$buffer, Variadic<Index>:$indices);
  let results = (outs LLVM_AnyPointer:$result);
  let assemblyFormat = [{
    $buffer `[` $indices `]` attr-dict `:` custom<Buffer>(type($buffer)) `->` custom<Pointer>(type($result))
  }];
  let hasVerifier = 1;
}

def TIRx_SmemDescriptorOp : TIRx_Op<"smem_descriptor", [Pure]> {
  let summary = "the matrix descriptor of a shared-memory operand";
  let description = [{
    Derived from the view's layout, for tcgen05 or, with `wgmma`, for that. `k_dim`
    says which dimension is K; `step` counts MMA instructions along K (32 bytes
    each: 16 elements of 16 bits).

    Constraints:
    - (smem_descriptor_c1) The buffer has rank 2, and `k_dim` is 0 or 1.
    - (smem_descriptor_c2) A descriptor of that kind expresses its layout.
    - (smem_descriptor_c3) `step` lies inside K.

    Example:

    ```mlir
    %d = tirx.smem_descriptor %As k_dim(1) step(2) : !tirx.buffer<128x64xf16, shared, #a>
    ```
  }];
  let arguments = (ins TIRx_SharedBuffer:$buffer, I32Attr:$k_dim, I32Attr:$step,
                       UnitAttr:$wgmma);
  let results = (outs I64:$descriptor);
  let assemblyFormat = [{
    $buffer `k_dim` `(` $k_dim `)` `step` `(` $step `)` (`wgmma` $wgmma^)? attr-dict `:` custom<Buffer>(type($buffer))
  }];
  let hasVerifier = 1;
}

def TIRx_PtxOp : TIRx_Op<"ptx", [TIRx_HasEffects, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one PTX instruction";
  let description = [{
    Any instruction of the table in `include/TIRx/PTX`, or one that a
    `tirx.instruction` of the module registers. Operands that the
    instruction writes are results, in the order of PTX text; an operand that it
    reads and writes is an operand and a result. `pred` guards the instruction;
    with results it needs `else`, the values they keep when the guard is false.
    Result types may be left out where the instruction determines their number.

    Constraints:
    - (ptx_c1) The text names an instruction of the table with legal modifiers, or a
      registered one.
    - (ptx_c2) Number and types of operands and results are the instruction's.
    - (ptx_c3) The target of the module has the instruction (`tirx-check`).
    - (ptx_c4) A guarded instruction with results has as many `else` values, of the
      results' types.
    - (ptx_c5) An operand that must be an immediate is a constant.

    Example:

    ```mlir
    %r:4 = tirx.ptx "ld.global.v4.u32"(%p) : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
    %s:4 = tirx.ptx "ld.global.v4.u32"(%p) : (!llvm.ptr<1>)
    tirx.ptx "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"(%bar) pred(%leader)
        : (!llvm.ptr<3>) -> ()
    ```
  }];
  let arguments = (ins StrAttr:$instruction, Variadic<AnyType>:$inputs,
                       Optional<I1>:$predicate, Variadic<AnyType>:$otherwise);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $instruction `(` $inputs `)` (`pred` `(` $predicate^ `)`)?
    (`else` `(` $otherwise^ `:` type($otherwise) `)`)?
    attr-dict `:` custom<PtxTypes>(ref($instruction), type($inputs), type($outputs))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The types that the results of an instruction of the table have where
    /// nothing else is said: i1 for a predicate, iN for integers and bits, the
    /// float type, or a vector of it where several share a register. Fails where
    /// the text leaves their number open.
    static ::llvm::Expected<::llvm::SmallVector<::mlir::Type>>
    inferResultTypes(::mlir::MLIRContext *context, ::llvm::StringRef instruction);
  }];
}

#endif // TIRX_INSTRUCTION_OPS
