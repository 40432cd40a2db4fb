//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Passes that stay inside the dialect.

#ifndef TIRX_PASSES
#define TIRX_PASSES

include "mlir/Pass/PassBase.td"

def TIRxCheck : Pass<"tirx-check"> {
  let summary = "check what the surroundings of an op decide";
  let description = [{
    Verifiers look at one op. This pass looks at kernels (`gpu.func kernel` with
    `known_block_size`), changes nothing, and reports with a note at the other
    party:

    - **scope**: an op is reached by whole groups of its scope (warps of 32,
      warpgroups of 128, the whole CTA), or by exactly one group where the
      hardware wants one. Guards are evaluated for every thread of the block, so
      `else` branches, `or` conditions and arithmetic on ids all count;
    - **structure**: one `tirx.smem_pool` in the entry block (smem_pool_c1);
    - **tensor memory**: allocations fit 512 columns (tmem_alloc_c4) and are freed
      (tmem_alloc_c5, tmem_dealloc_c4), buffers lie inside their allocation
      (tmem_buffer_c2), do not overlap (tmem_buffer_c3), and aliases of the same
      columns agree on the layout;
    - **layouts**: a register tile is read under the layout under which it was
      written (R43);
    - **target**: each `tirx.ptx` is an instruction of the module's target
      (ptx_c3);
    - **fences** of kernels with `tirx.explicit_sync`: generic writes of shared
      memory before asynchronous reads (R1), tensor memory behind an mbarrier
      wait (R15), and a note where barriers are initialised without a fence (R6).

    Example:

    ```mlir
    %is_lane0 = arith.cmpi eq, %lane, %c0 : index   // note: this guard
    scf.if %is_lane0 {
      // error: 'tirx.barrier' op expected whole warps ... got lane 0 of each of
      // warps 0 to 3
      tirx.barrier warp
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "the target, such as sm_100a, where the module has no #nvvm.target">
  ];
  let statistics = [
    Statistic<"numScopedOps", "scoped-ops", "Number of scoped ops checked">
  ];
}

def TIRxAllocateShared : Pass<"tirx-allocate-shared"> {
  let summary = "place the buffers of the shared-memory pool";
  let description = [{
    Writes the byte offset, `at(...)`, of each `tirx.pool_alloc`: one after the
    other in program order, each at the alignment of its layout, of `align` and of
    copies by TMA (128 bytes),
    from where `tirx.pool_move_base` moved the base. Buffers that already say `at`
    stay. Reports buffers that overlap (pool_alloc_c3), bases that move backwards
    (pool_move_base_c1), and more shared memory than the target has
    (pool_alloc_c4). The kernel gets `tirx.shared_bytes`, the size of the pool.

    Running it again changes nothing.

    Example:

    ```mlir
    %bar = tirx.pool_alloc %pool : !tirx.buffer<1x!tirx.mbarrier, shared>
    %a = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #a>
    // becomes
    %bar = tirx.pool_alloc %pool at(0) : !tirx.buffer<1x!tirx.mbarrier, shared>
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #a>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"0",
           "bytes of shared memory a block may use; 0: what the target has "
           "(232448 on sm_90 and sm_100, 166912 on sm_80)">
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Number of buffers placed">,
    Statistic<"numPaddingBytes", "padding-bytes", "Bytes lost to alignment">
  ];
}

#endif // TIRX_PASSES
