//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Ids of the executing thread and memory.

#ifndef TIRX_BUFFER_OPS
#define TIRX_BUFFER_OPS

include "TIRx/Dialect/TIRx/IR/TIRxOpBase.td"

def TIRx_IdOp : TIRx_Op<"id", [Pure]> {
  let summary = "a coordinate of the executing thread";
  let description = [{
    `warp_id` counts warps in the CTA, `warp_id_in_wg` warps in the warpgroup of
    four, `thread_id` threads in the CTA (x fastest), `thread_id_in_wg` threads in
    the warpgroup, `lane_id` threads in the warp.

    Example:

    ```mlir
    %warp = tirx.id warp_id_in_wg
    %bx = tirx.id cta_id_x
    ```
  }];
  let arguments = (ins TIRx_IdKindAttr:$kind);
  let results = (outs Index:$result);
  let assemblyFormat = "`` $kind attr-dict";
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

def TIRx_SmemPoolOp : TIRx_Op<"smem_pool", [TIRx_HasEffects]> {
  let summary = "the kernel's pool of dynamic shared memory";
  let description = [{
    Allocations are placed one after the other in program order, each at the
    alignment that its layout asks for. `tirx-allocate-shared` writes the offsets.

    Constraints:
    - (smem_pool_c1) It stands in the entry block of a kernel, once (`tirx-check`).

    Example:

    ```mlir
    %pool = tirx.smem_pool
    ```
  }];
  let results = (outs TIRx_PoolType:$pool);
  let assemblyFormat = "attr-dict";
}

def TIRx_PoolAllocOp : TIRx_Op<"pool_alloc", [TIRx_HasEffects]> {
  let summary = "a buffer in the shared-memory pool";
  let description = [{
    `at` places the buffer at a byte offset of the pool; without it, the buffer
    follows the one before. `align` asks for more alignment, in bytes, than the
    layout does.

    Constraints:
    - (pool_alloc_c1) `at` is not negative and a multiple of the alignment that the layout asks for
      (1024, 512 or 256 bytes with a 128B, 64B or 32B swizzle; 16 otherwise, 8
      for barriers) and of `align`.
    - (pool_alloc_c2) `align` is a power of two.
    - (pool_alloc_c3) Buffers of one pool do not overlap (`tirx-allocate-shared`).
    - (pool_alloc_c4) All buffers fit the shared memory of the target
      (`tirx-allocate-shared`).

    Example:

    ```mlir
    %bar = tirx.pool_alloc %pool : !tirx.buffer<1x!tirx.mbarrier, shared>
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #a>
    ```
  }];
  let arguments = (ins TIRx_PoolType:$pool, OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<I64Attr>:$align);
  let results = (outs TIRx_SharedBuffer:$buffer);
  let assemblyFormat = [{
    $pool (`at` `(` $offset^ `)`)? (`align` `(` $align^ `)`)? attr-dict `:` custom<Buffer>(type($buffer))
  }];
  let hasVerifier = 1;
}

def TIRx_PoolMoveBaseOp : TIRx_Op<"pool_move_base", [TIRx_HasEffects]> {
  let summary = "move the place of the next allocation forward";
  let description = [{
    Constraints:
    - (pool_move_base_c1) The offset is not negative and not below the end of an
      earlier allocation (`tirx-allocate-shared`).

    Example:

    ```mlir
    tirx.pool_move_base %pool to(1024)
    ```
  }];
  let arguments = (ins TIRx_PoolType:$pool, I64Attr:$offset);
  let assemblyFormat = "$pool `to` `(` $offset `)` attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

def TIRx_TmemAllocOp : TIRx_Op<"tmem_alloc", [TIRx_OrdersAllMemory, TIRx_ScopedSingleIssue]> {
  let summary = "allocate columns of tensor memory";
  let description = [{
    One warp asks for columns; the hardware writes their address into `slot`. Other
    warps may read the slot after a barrier.

    Constraints:
    - (tmem_alloc_c1) `slot` has rank 1 and holds 32-bit integers.
    - (tmem_alloc_c2) `columns` is a power of two from 32 to 512.
    - (tmem_alloc_c3) `cta_group` is 1 or 2.
    - (tmem_alloc_c4) The allocations of a kernel that are alive together have at
      most 512 columns (`tirx-check`).
    - (tmem_alloc_c5) Each allocation is freed (`tirx-check`).

    Example:

    ```mlir
    tirx.tmem_alloc %slot[%c0] columns(512) : !tirx.buffer<1xi32, shared>
    ```
  }];
  let arguments = (ins TIRx_SharedBuffer:$slot, Index:$index, I32Attr:$columns,
                       DefaultValuedAttr<I32Attr, "1">:$cta_group);
  let assemblyFormat = [{
    $slot `[` $index `]` `columns` `(` $columns `)`
    (`cta_group` `(` $cta_group^ `)`)? attr-dict `:` custom<Buffer>(type($slot))
  }];
  let hasVerifier = 1;
}

def TIRx_TmemDeallocOp : TIRx_Op<"tmem_dealloc", [TIRx_OrdersAllMemory, TIRx_ScopedSingleIssue]> {
  let summary = "free columns of tensor memory";
  let description = [{
    Constraints:
    - (tmem_dealloc_c1) `slot` has rank 1 and holds 32-bit integers.
    - (tmem_dealloc_c2) `columns` is a power of two from 32 to 512.
    - (tmem_dealloc_c3) `cta_group` is 1 or 2.
    - (tmem_dealloc_c4) It frees what a `tmem_alloc` of the same slot, columns and
      cta_group has allocated (`tirx-check`).

    Example:

    ```mlir
    tirx.tmem_dealloc %slot[%c0] columns(512) : !tirx.buffer<1xi32, shared>
    ```
  }];
  let arguments = (ins TIRx_SharedBuffer:$slot, Index:$index, I32Attr:$columns,
                       DefaultValuedAttr<I32Attr, "1">:$cta_group);
  let assemblyFormat = [{
    $slot `[` $index `]` `columns` `(` $columns `)`
    (`cta_group` `(` $cta_group^ `)`)? attr-dict `:` custom<Buffer>(type($slot))
  }];
  let hasVerifier = 1;
}

def TIRx_TmemRelinquishOp : TIRx_Op<"tmem_relinquish", [TIRx_OrdersAllMemory, TIRx_ScopedSingleIssue]> {
  let summary = "give up the right to allocate tensor memory";
  let description = [{
    Constraints:
    - (tmem_relinquish_c1) `cta_group` is 1 or 2.

    Example:

    ```mlir
    tirx.tmem_relinquish
    ```
  }];
  let arguments = (ins DefaultValuedAttr<I32Attr, "1">:$cta_group);
  let assemblyFormat = "(`cta_group` `(` $cta_group^ `)`)? attr-dict";
  let hasVerifier = 1;
}

def TIRx_TmemBufferOp : TIRx_Op<"tmem_buffer", [TIRx_HasEffects]> {
  let summary = "a buffer in allocated tensor memory";
  let description = [{
    Reads the address of an allocation from its slot. The layout places the buffer
    in `TLane` and `TCol` relative to it; `column` counts hardware columns of 32
    bits and is added.

    Constraints:
    - (tmem_buffer_c1) `slot` has rank 1 and holds 32-bit integers.
    - (tmem_buffer_c2) The buffer's columns lie inside the allocation
      (`tirx-check`).
    - (tmem_buffer_c3) Buffers of one allocation do not overlap, unless one says
      `alias` (`tirx-check`).
    - (tmem_buffer_c4) `column` is not negative, and the buffer ends at column 512
      or before.

    Example:

    ```mlir
    %t = tirx.tmem_buffer %slot[%c0] column(128)
        : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    ```
  }];
  let arguments = (ins TIRx_SharedBuffer:$slot, Index:$index,
                       DefaultValuedAttr<I32Attr, "0">:$column, UnitAttr:$alias);
  let results = (outs TIRx_TmemBuffer:$buffer);
  let assemblyFormat = [{
    $slot `[` $index `]` (`column` `(` $column^ `)`)? (`alias` $alias^)?
    attr-dict `:` custom<Buffer>(type($slot)) `->` custom<Buffer>(type($buffer))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

def TIRx_AllocLocalOp : TIRx_Op<"alloc_local", [TIRx_HasEffects]> {
  let summary = "a buffer in registers";
  let description = [{
    With thread axes in its layout, the buffer is one tile spread over a scope;
    without, each thread has one of its own. All accesses must have static indices
    once loops are unrolled, so that it becomes registers.

    Example:

    ```mlir
    #rows = #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>
    %acc = tirx.alloc_local : !tirx.buffer<128x64xf32, local, #rows>
    ```
  }];
  let results = (outs TIRx_LocalBuffer:$buffer);
  let assemblyFormat = "attr-dict `:` custom<Buffer>(type($buffer))";
}

#endif // TIRX_BUFFER_OPS
