//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Views: other names for memory that is there already. They move nothing.
//
// Where the result's layout follows from the source, the text may give the
// result as shape and element type alone, `-> 1x128xf16`.

#ifndef TIRX_VIEW_OPS
#define TIRX_VIEW_OPS

include "TIRx/Dialect/TIRx/IR/TIRxOpBase.td"
include "mlir/Interfaces/ViewLikeInterface.td"

// `inferred` declares how an op computes the type of its result, where it does.
class TIRx_ViewLikeOp<string mnemonic, string inferred = "">
    : TIRx_Op<mnemonic, [Pure, ViewLikeOpInterface]> {
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
  }] # inferred;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TIRx_ViewOp : TIRx_ViewLikeOp<"view", [{
    /// The type of the region of `sizes` at `staticOffsets` (dynamic ones count
    /// as 0). Fails, with an error, where the region leaves the source or no
    /// layout describes it.
    static ::mlir::FailureOr<::tirx::BufferType> inferType(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::tirx::BufferType source, ::llvm::ArrayRef<int64_t> staticOffsets,
        ::llvm::ArrayRef<int64_t> sizes);
  }]> {
  let summary = "a slice of a buffer";
  let description = [{
    Takes the region of `source` that starts at `offsets` and has the result's
    shape. Offsets are static (folded into the result's layout) or dynamic
    (carried by the value). The result's layout is the source's, restricted to the
    region: with static offsets in its offset, with dynamic ones as if they were 0.

    Constraints:
    - (view_c1) There is one offset for each dimension, and the result has the
      source's rank.
    - (view_c2) Element type and memory space are those of the source.
    - (view_c3) Static offsets plus extents stay inside the source, and the
      extents of the result alone do for dynamic offsets.
    - (view_c4) The result's layout equals the slice of the source's.
    - (view_c5) A dynamic offset moves the region by a constant step on memory axes
      only: the iters of its dimension form one stride. It is added before the
      swizzle, so it may point inside the swizzle's pattern.

    Example:

    ```mlir
    %row = tirx.view %D[%m, 0] : !tirx.buffer<128x128xf16, global>
        -> !tirx.buffer<1x128xf16, global, #tirx.tile<S[(1, 128) : (128, 1)]>>
    %same = tirx.view %D[%m, 0] : !tirx.buffer<128x128xf16, global> -> 1x128xf16
    ```
  }];
  let arguments = (ins TIRx_BufferType:$source, Variadic<Index>:$offsets,
                       DenseI64ArrayAttr:$static_offsets);
  let results = (outs TIRx_BufferType:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($offsets, $static_offsets)
    attr-dict `:` custom<Buffer>(type($source)) `->`
    custom<ViewResult>(ref(type($source)), ref($static_offsets), type($result))
  }];
  let hasCanonicalizer = 1;
}

def TIRx_LocalViewOp : TIRx_ViewLikeOp<"local_view"> {
  let summary = "the same registers under another shape and layout";
  let description = [{
    Between one tile spread over a scope and what each thread holds of it: register
    `i` of a thread is register `i` of the same thread in the other view.

    Constraints:
    - (local_view_c1) Both hold the same number of registers a thread, of the same
      element type.

    Example:

    ```mlir
    %mine = tirx.local_view %acc : !tirx.buffer<128x64xf32, local, #rows>
        -> !tirx.buffer<64xf32, local>
    ```
  }];
  let arguments = (ins TIRx_LocalBuffer:$source);
  let results = (outs TIRx_LocalBuffer:$result);
  let assemblyFormat = "$source attr-dict `:` custom<Buffer>(type($source)) `->` custom<Buffer>(type($result))";
}

def TIRx_PermuteOp : TIRx_ViewLikeOp<"permute", [{
    /// Fails, with an error, where `permutation` is none.
    static ::mlir::FailureOr<::tirx::BufferType> inferType(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::tirx::BufferType source, ::llvm::ArrayRef<int64_t> permutation);
  }]> {
  let summary = "a buffer with its dimensions in another order";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the source. No
    element moves: the result's layout is the source's with its dimensions
    reordered. (`tirx.permute_layout` is the op that moves.)

    Constraints:
    - (permute_c1) `permutation` names each dimension of the source once.
    - (permute_c2) The result has the source's element type and memory space, and
      its extents in the new order.
    - (permute_c3) The result's layout equals the source's, permuted.

    Example:

    ```mlir
    %t = tirx.permute %a[1, 0] : !tirx.buffer<128x64xf16, shared> -> 64x128xf16
    ```
  }];
  let arguments = (ins TIRx_BufferType:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs TIRx_BufferType:$result);
  let assemblyFormat = [{
    $source `` $permutation attr-dict `:` custom<Buffer>(type($source)) `->`
    custom<PermuteResult>(ref(type($source)), ref($permutation), type($result))
  }];
}

def TIRx_ReshapeOp : TIRx_ViewLikeOp<"reshape", [{
    /// Fails, with an error, where `shape` has another number of elements.
    static ::mlir::FailureOr<::tirx::BufferType> inferType(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::tirx::BufferType source, ::llvm::ArrayRef<int64_t> shape);
  }]> {
  let summary = "a buffer under another shape";
  let description = [{
    Elements keep their row-major number, and a layout maps that number, so the
    layout stays what it is.

    Constraints:
    - (reshape_c1) The result has the source's element type and memory space, and
      as many elements.
    - (reshape_c2) The result's layout equals the source's.

    Example:

    ```mlir
    %r = tirx.reshape %a : !tirx.buffer<128x64xf16, shared, #a> -> 2x64x64xf16
    ```
  }];
  let arguments = (ins TIRx_BufferType:$source);
  let results = (outs TIRx_BufferType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<Buffer>(type($source)) `->`
    custom<ReshapeResult>(ref(type($source)), type($result))
  }];
}

def TIRx_RecastOp : TIRx_ViewLikeOp<"recast", [{
    /// Fails, with an error, where neighbours of the last dimension do not make
    /// whole elements of the new type.
    static ::mlir::FailureOr<::tirx::BufferType> inferType(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::tirx::BufferType source, ::mlir::Type elementType);
  }]> {
  let summary = "the bits of a buffer as elements of another type";
  let description = [{
    Along the last dimension, several narrow elements are one wide one or the other
    way round; little-endian. The bytes stay where they are.

    Constraints:
    - (recast_c1) The buffer is in global, shared or tensor memory and holds no
      barriers; registers have no addresses.
    - (recast_c2) The result has the source's memory space and shape, but for the
      last extent, which times the bits of an element stays what it is.
    - (recast_c3) The result's layout equals the source's, packed or unpacked:
      elements that become one are neighbours and begin at a multiple of their
      number.

    Example:

    ```mlir
    %w = tirx.recast %a : !tirx.buffer<128x64xf16, shared, #a> -> 128x32xi32
    ```
  }];
  let arguments = (ins TIRx_BufferType:$source);
  let results = (outs TIRx_BufferType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<Buffer>(type($source)) `->`
    custom<RecastResult>(ref(type($source)), type($result))
  }];
}

def TIRx_LayoutCastOp : TIRx_ViewLikeOp<"layout_cast"> {
  let summary = "a buffer under another spelling of its layout";
  let description = [{
    Types are equal when they are spelled alike; layouts are equal when they map
    alike. Where control flow or a call wants the one spelling and there is the
    other, this op turns it over. It never moves an element.

    Constraints:
    - (layout_cast_c1) Shape, element type and memory space stay.
    - (layout_cast_c2) Both layouts map every element to the same places.

    Example:

    ```mlir
    %b = tirx.layout_cast %a
        : !tirx.buffer<8x64xf16, shared, #tirx.tile<S[(8, 2, 32) : (64, 32, 1)]>>
        -> !tirx.buffer<8x64xf16, shared>
    ```
  }];
  let arguments = (ins TIRx_BufferType:$source);
  let results = (outs TIRx_BufferType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<Buffer>(type($source)) `->` custom<Buffer>(type($result))
  }];
}

def TIRx_ToMemrefOp : TIRx_Op<"to_memref", [Pure, ViewLikeOpInterface]> {
  let summary = "a buffer as a memref";
  let description = [{
    The same memory for ops of other dialects. Its memory space is 1 for global
    and 3 for shared memory.

    Constraints:
    - (to_memref_c1) The buffer is in global or shared memory.
    - (to_memref_c2) The memref has the buffer's shape, element type and memory
      space, and a layout that equals the buffer's: strides or an affine map,
      which cannot say a swizzle.

    Example:

    ```mlir
    %m = tirx.to_memref %a : !tirx.buffer<128x64xf16, shared> -> memref<128x64xf16, 3>
    %v = vector.load %m[%i, %j] : memref<128x64xf16, 3>, vector<8xf16>
    ```
  }];
  let arguments = (ins TIRx_BufferType:$source);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` custom<Buffer>(type($source)) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
  }];
}

def TIRx_FromMemrefOp : TIRx_Op<"from_memref", [Pure]> {
  let summary = "a memref as a buffer";
  let description = [{
    The same memory for tile ops. The memref's shape, strides and offset are
    static; its memory space is 1 or `#gpu.address_space<global>` for a global
    buffer, 3 or `#gpu.address_space<workgroup>` for a shared one.

    Constraints:
    - (from_memref_c1) The buffer is in global or shared memory.
    - (from_memref_c2) The buffer has the memref's shape, element type and memory
      space, and a layout that equals the memref's.

    Example:

    ```mlir
    %a = tirx.from_memref %m : memref<128x64xf16, 1> -> !tirx.buffer<128x64xf16, global>
    ```
  }];
  let arguments = (ins AnyMemRef:$source);
  let results = (outs TIRx_BufferType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` custom<Buffer>(type($result))";
  let hasVerifier = 1;
}

#endif // TIRX_VIEW_OPS
