//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Tile ops: whole tiles in, whole tiles out. Destination first.

#ifndef TIRX_TILE_OPS
#define TIRX_TILE_OPS

include "TIRx/Dialect/TIRx/IR/TIRxOpBase.td"

class TIRx_TileOp<string mnemonic, list<Trait> traits = []>
    : TIRx_Op<mnemonic, [TIRx_HasEffects,
        DeclareOpInterfaceMethods<TIRx_TileOpInterface>] # traits>;

def TIRx_CopyOp : TIRx_TileOp<"copy", [TIRx_Scoped]> {
  let summary = "dst[x] = src[x] for all x";
  let description = [{
    The threads of one scope copy the tile together; when the op returns, the copy
    is complete for their own reads. Shapes are compared without extents of 1.

    Constraints:
    - (copy_c1) Both shapes are equal once extents of 1 are dropped.
    - (copy_c2) Both element types are equal.
    - (copy_c3) No operand is in `tmem`: that is `copy_async`.

    Example:

    ```mlir
    tirx.copy cta %As, %A : !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, global>
    ```
  }];
  let arguments = (ins TIRx_ScopeAttr:$scope, TIRx_BufferType:$dst,
                       TIRx_BufferType:$src, OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    `` $scope $dst `,` $src (`dispatch` `(` $dispatch^ `)`)? attr-dict
    `:` custom<Buffer>(type($dst)) `,` custom<Buffer>(type($src))
  }];
  let hasVerifier = 1;
}

def TIRx_CopyAsyncOp : TIRx_TileOp<"copy_async", [TIRx_ScopedSingleIssue,
    AttrSizedOperandSegments]> {
  let summary = "start dst[x] = src[x] for all x";
  let description = [{
    How it completes follows from where the operands are:

    | from, to | completes |
    |---|---|
    | `global`, `shared` with `barrier` | its bytes arrive at the mbarrier, which some `mbarrier_arrive` has to expect |
    | `global`, `shared` without | in a group: `commit_group cp_async` of the same threads |
    | `shared`, `global` | in a group: `commit_group bulk` of the same thread |
    | `tmem`, `local` | at a `wait tcgen05_ld` of the same threads |

    A copy by TMA moves boxes of a tensor that a tensor map describes. The map
    follows from both layouts, and the host encodes it: the kernel gets a further
    parameter, which `K.meta.json` lists under `tensor_maps`. `tirx-run` and Python
    pass it by themselves. Elements outside the tensor are read as zero and not
    written. With `multicast`, a mask by rank, the tile goes to the same place in
    each of these CTAs of the cluster and its bytes to the barrier of each. With
    `cta_group(2)` they go to the barrier of the pair's even CTA.

    Constraints:
    - (copy_async_c1) Both shapes are equal once extents of 1 are dropped.
    - (copy_async_c2) Both element types are equal.
    - (copy_async_c3) A `barrier` is for copies from global to shared memory.
    - (copy_async_c4) `multicast` and `cta_group(2)` come with a `barrier`.
    - (copy_async_c5) `cta_group` is 1 or 2.

    Example:

    ```mlir
    tirx.copy_async warpgroup %regs, %acc
        : !tirx.buffer<128x64xf32, local, #rows>, !tirx.buffer<128x64xf32, tmem, #acc>
    tirx.copy_async thread %As, %A barrier(%full[%stage]) dispatch("tma")
        : !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, global>, !tirx.buffer<4x!tirx.mbarrier, shared>
    ```
  }];
  let arguments = (ins TIRx_ScopeAttr:$scope, TIRx_BufferType:$dst,
                       TIRx_BufferType:$src, Optional<TIRx_BarrierBuffer>:$barrier,
                       Optional<Index>:$index, Optional<I16>:$multicast,
                       DefaultValuedAttr<I32Attr, "1">:$cta_group,
                       OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    `` $scope $dst `,` $src (`barrier` `(` $barrier^ `[` $index `]` `)`)?
    (`multicast` `(` $multicast^ `)`)? (`cta_group` `(` $cta_group^ `)`)?
    (`dispatch` `(` $dispatch^ `)`)? attr-dict
    `:` custom<Buffer>(type($dst)) `,` custom<Buffer>(type($src)) (`,` type($barrier)^)?
  }];
  let builders = [
    OpBuilder<(ins "::tirx::ScopeAttr":$scope, "::mlir::Value":$dst,
                   "::mlir::Value":$src, "::mlir::StringAttr":$dispatch), [{
      build($_builder, $_state, scope, dst, src, /*barrier=*/nullptr,
            /*index=*/nullptr, /*multicast=*/nullptr,
            $_builder.getI32IntegerAttr(1), dispatch);
    }]>
  ];
  let hasVerifier = 1;
}

def TIRx_GemmAsyncOp : TIRx_TileOp<"gemm_async", [TIRx_ScopedSingleIssue]> {
  let summary = "start D (+)= A B^T";
  let description = [{
    D is (M, N). A is (M, K) or, with `trans_a`, (K, M); B is (N, K) or, with
    `trans_b`, (K, N). D starts from zero unless `accumulate` is true.

    On tcgen05 D is in tensor memory, one thread issues the product, and it is
    complete when a `tirx.commit` of the same thread has arrived. On wgmma D is in
    the registers of a warpgroup, which issues it together; it is complete behind a
    `tirx.wait_group wgmma` that covers its `tirx.commit_group wgmma`, and its
    registers are not touched before. f32 operands are read as tf32: the low 13 bits
    do not count.

    With `cta_group(2)` a pair of CTAs computes one product, which the even one
    issues. Each holds half of M, its rows of D and A, and half of N, its rows of B:
    D is (M / 2, N), A (M / 2, K), B (N / 2, K) there.

    Constraints:
    - (gemm_async_c1) D, A and B have rank 2.
    - (gemm_async_c2) M, N and K agree between the operands.
    - (gemm_async_c3) A and B have the same element type, or are both floats of 8
      bits.
    - (gemm_async_c4) `cta_group` is 1 or 2.

    Example:

    ```mlir
    tirx.gemm_async thread %acc, %As, %Bs accumulate(%more) dispatch("tcgen05")
        : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #a>,
          !tirx.buffer<128x64xf16, shared, #a>
    tirx.gemm_async warpgroup %d, %As, %Bs accumulate(%more) dispatch("wgmma")
        : !tirx.buffer<64x128xf32, local, #frag>, !tirx.buffer<64x64xf16, shared, #a>,
          !tirx.buffer<128x64xf16, shared, #a>
    ```
  }];
  let arguments = (ins TIRx_ScopeAttr:$scope, TIRx_BufferType:$d,
                       TIRx_BufferType:$a, TIRx_BufferType:$b,
                       Optional<I1>:$accumulate, UnitAttr:$trans_a,
                       UnitAttr:$trans_b, DefaultValuedAttr<I32Attr, "1">:$cta_group,
                       OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    `` $scope $d `,` $a `,` $b (`accumulate` `(` $accumulate^ `)`)?
    (`trans_a` $trans_a^)? (`trans_b` $trans_b^)?
    (`cta_group` `(` $cta_group^ `)`)? (`dispatch` `(` $dispatch^ `)`)?
    attr-dict `:` custom<Buffer>(type($d)) `,` custom<Buffer>(type($a)) `,` custom<Buffer>(type($b))
  }];
  let hasVerifier = 1;
}

def TIRx_GemmOp : TIRx_TileOp<"gemm", [TIRx_Scoped]> {
  let summary = "D (+)= A B^T";
  let description = [{
    The product of fragments in registers, complete when the op returns. Shapes are
    those of `gemm_async`: D is (M, N), A is (M, K), B is (N, K). D starts from zero
    unless `accumulate` is true. f32 operands are read as tf32.

    Constraints:
    - (gemm_c1) D, A and B have rank 2.
    - (gemm_c2) M, N and K agree between the operands.
    - (gemm_c3) A and B have the same element type.

    Example:

    ```mlir
    tirx.gemm warp %d, %a, %b accumulate(%more)
        : !tirx.buffer<16x8xf32, local, #d>, !tirx.buffer<16x16xf16, local, #a>,
          !tirx.buffer<8x16xf16, local, #b>
    ```
  }];
  let arguments = (ins TIRx_ScopeAttr:$scope, TIRx_BufferType:$d,
                       TIRx_BufferType:$a, TIRx_BufferType:$b,
                       Optional<I1>:$accumulate, OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    `` $scope $d `,` $a `,` $b (`accumulate` `(` $accumulate^ `)`)?
    (`dispatch` `(` $dispatch^ `)`)?
    attr-dict `:` custom<Buffer>(type($d)) `,` custom<Buffer>(type($a)) `,` custom<Buffer>(type($b))
  }];
  let hasVerifier = 1;
}

def TIRx_CastOp : TIRx_TileOp<"cast", [TIRx_Scoped]> {
  let summary = "dst[x] = src[x] converted to dst's element type";
  let description = [{
    Rounds to nearest, ties to even; a float becomes an integer toward zero. f8E4M3FN
    and f8E5M2 saturate at their largest value.

    Constraints:
    - (cast_c1) Both shapes are equal once extents of 1 are dropped.
    - (cast_c2) Both element types are floats or signless integers.
    - (cast_c3) Both operands are in `local` memory.

    Example:

    ```mlir
    tirx.cast thread %half, %mine : !tirx.buffer<128xf16, local>, !tirx.buffer<128xf32, local>
    ```
  }];
  let arguments = (ins TIRx_ScopeAttr:$scope, TIRx_BufferType:$dst,
                       TIRx_BufferType:$src, OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    `` $scope $dst `,` $src (`dispatch` `(` $dispatch^ `)`)? attr-dict
    `:` custom<Buffer>(type($dst)) `,` custom<Buffer>(type($src))
  }];
  let hasVerifier = 1;
}

#endif // TIRX_TILE_OPS
