//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Synchronisation: barriers, mbarriers, fences, waits and elections.

#ifndef TIRX_SYNC_OPS
#define TIRX_SYNC_OPS

include "TIRx/Dialect/TIRx/IR/TIRxOpBase.td"

def TIRx_BarrierOp : TIRx_Op<"barrier", [TIRx_OrdersAllMemory, TIRx_Scoped]> {
  let summary = "all threads of the scope wait for each other";
  let description = [{
    Unless the kernel has `tirx.explicit_sync`, the lowering adds the tcgen05 fences
    that hand tensor-memory work over (rule R14).

    Constraints:
    - (barrier_c1) `scope` is warp, warpgroup, cta or cluster.
    - (barrier_c2) A warpgroup barrier names a hardware barrier, `id` 1 to 15; the
      others name none (a cta barrier is number 0).

    Example:

    ```mlir
    tirx.barrier cta
    tirx.barrier warpgroup id(1)
    ```
  }];
  let arguments = (ins TIRx_ScopeAttr:$scope, OptionalAttr<I32Attr>:$id);
  let assemblyFormat = "`` $scope (`id` `(` $id^ `)`)? attr-dict";
  let hasVerifier = 1;
}

def TIRx_ElectOp : TIRx_Op<"elect", [TIRx_OrdersAllMemory, TIRx_Scoped]> {
  let summary = "true for one thread of the warp";
  let description = [{
    All threads of the warp take part; the same one is chosen each time
    (PTX ISA, elect.sync).

    Example:

    ```mlir
    %leader = tirx.elect
    ```
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

def TIRx_MbarrierInitOp : TIRx_Op<"mbarrier_init", [TIRx_OrdersAllMemory, TIRx_ScopedSingleIssue]> {
  let summary = "initialise an mbarrier";
  let description = [{
    Unless the kernel has `tirx.explicit_sync`, the lowering adds
    `fence.mbarrier_init` (rule R6); a barrier must follow before other threads use
    it.

    Constraints:
    - (mbarrier_init_c1) `count`, the arrivals that complete a phase, is 1 to
      1048575 (2^20 - 1).

    Example:

    ```mlir
    tirx.mbarrier_init %bar[%c0] count(1) : !tirx.buffer<1x!tirx.mbarrier, shared>
    ```
  }];
  let arguments = (ins TIRx_BarrierBuffer:$barrier, Index:$index, I32Attr:$count);
  let assemblyFormat = [{
    $barrier `[` $index `]` `count` `(` $count `)` attr-dict `:` custom<Buffer>(type($barrier))
  }];
  let hasVerifier = 1;
}

def TIRx_MbarrierWaitOp : TIRx_Op<"mbarrier_wait", [TIRx_OrdersAllMemory, TIRx_Scoped]> {
  let summary = "wait until the phase of this parity has completed";
  let description = [{
    Each thread waits for itself. Unless the kernel has `tirx.explicit_sync`, the
    lowering adds `tcgen05.fence::after_thread_sync` behind it in a kernel that
    uses tensor memory (rule R15).

    Example:

    ```mlir
    tirx.mbarrier_wait %bar[%c0] parity(%phase) : !tirx.buffer<1x!tirx.mbarrier, shared>
    ```
  }];
  let arguments = (ins TIRx_BarrierBuffer:$barrier, Index:$index, I32:$parity);
  let assemblyFormat = [{
    $barrier `[` $index `]` `parity` `(` $parity `)` attr-dict `:` custom<Buffer>(type($barrier))
  }];
}

def TIRx_MbarrierArriveOp : TIRx_Op<"mbarrier_arrive", [TIRx_OrdersAllMemory, TIRx_Scoped,
    AttrSizedOperandSegments]> {
  let summary = "each thread that reaches it arrives once";
  let description = [{
    With `expect_tx` the phase also waits for that many bytes of asynchronous
    copies (rule R32). With `cta` the barrier is that of another CTA of the cluster,
    by its rank, at the same place of its shared memory.

    Example:

    ```mlir
    tirx.mbarrier_arrive %empty[%stage] : !tirx.buffer<4x!tirx.mbarrier, shared>
    tirx.mbarrier_arrive %full[%stage] expect_tx(%bytes) : !tirx.buffer<4x!tirx.mbarrier, shared>
    tirx.mbarrier_arrive %empty[%stage] cta(%leader) : !tirx.buffer<4x!tirx.mbarrier, shared>
    ```
  }];
  let arguments = (ins TIRx_BarrierBuffer:$barrier, Index:$index,
                       Optional<I32>:$expect_tx, Optional<I32>:$cta);
  let assemblyFormat = [{
    $barrier `[` $index `]` (`expect_tx` `(` $expect_tx^ `)`)? (`cta` `(` $cta^ `)`)?
    attr-dict `:` custom<Buffer>(type($barrier))
  }];
}

def TIRx_CommitOp : TIRx_Op<"commit", [TIRx_OrdersAllMemory, TIRx_ScopedSingleIssue]> {
  let summary = "arrive on an mbarrier when this thread's earlier MMAs are complete";
  let description = [{
    Counts the `gemm_async` ops that the same thread has issued (rules R16, R19).
    With `multicast`, a mask by rank, it arrives on the barrier at the same place in
    each of these CTAs of the cluster.

    Constraints:
    - (commit_c1) `cta_group` is 1 or 2.

    Example:

    ```mlir
    tirx.commit %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared>
    ```
  }];
  let arguments = (ins TIRx_BarrierBuffer:$barrier, Index:$index,
                       Optional<I16>:$multicast,
                       DefaultValuedAttr<I32Attr, "1">:$cta_group);
  let assemblyFormat = [{
    $barrier `[` $index `]` (`multicast` `(` $multicast^ `)`)?
    (`cta_group` `(` $cta_group^ `)`)? attr-dict `:` custom<Buffer>(type($barrier))
  }];
  let hasVerifier = 1;
}

def TIRx_FenceOp : TIRx_Op<"fence", [TIRx_OrdersAllMemory]> {
  let summary = "order memory accesses across proxies or threads";
  let description = [{
    For authors who place fences by hand. `proxy_async_shared` stands between
    generic writes to shared memory and asynchronous reads of them (rule R1),
    `mbarrier_init` behind the initialisation of barriers (R6), `tcgen05_before` and
    `tcgen05_after` around a hand-over of tensor-memory work (R14).

    Example:

    ```mlir
    tirx.fence proxy_async_shared
    ```
  }];
  let arguments = (ins TIRx_FenceKindAttr:$kind);
  let assemblyFormat = "`` $kind attr-dict";
}

def TIRx_WaitOp : TIRx_Op<"wait", [TIRx_OrdersAllMemory, TIRx_Scoped]> {
  let summary = "wait for asynchronous work of the executing threads";
  let description = [{
    A warp waits together for its own `tcgen05.ld` or `tcgen05.st` (rules R17, R18).

    Example:

    ```mlir
    tirx.wait tcgen05_ld
    ```
  }];
  let arguments = (ins TIRx_WaitKindAttr:$kind);
  let assemblyFormat = "`` $kind attr-dict";
}

def TIRx_CommitGroupOp : TIRx_Op<"commit_group", [TIRx_OrdersAllMemory, TIRx_Scoped]> {
  let summary = "close a group of the executing threads' asynchronous work";
  let description = [{
    `bulk`: copies of this thread from shared to global memory by TMA. `cp_async`:
    copies of this thread by cp.async. `wgmma`: products of this warpgroup.

    Example:

    ```mlir
    tirx.copy_async thread %D, %Ds dispatch("tma")
        : !tirx.buffer<128x64xf16, global>, !tirx.buffer<128x64xf16, shared, #a>
    tirx.commit_group bulk
    ```
  }];
  let arguments = (ins TIRx_GroupKindAttr:$kind);
  let assemblyFormat = "`` $kind attr-dict";
}

def TIRx_WaitGroupOp : TIRx_Op<"wait_group", [TIRx_OrdersAllMemory, TIRx_Scoped]> {
  let summary = "wait until at most so many groups are pending";
  let description = [{
    Groups are counted in the order in which they were closed, empty ones too (rule
    R10). With `read`, copies from shared memory count as complete once they have
    read it. Behind a wait for `wgmma` the accumulators of complete groups may be
    used (rule R20).

    Constraints:
    - (wait_group_c1) `pending` is 0 to 63; of `wgmma` 0 to 7.
    - (wait_group_c2) Only a wait for `bulk` says `read`.

    Example:

    ```mlir
    tirx.wait_group bulk pending(0) read
    tirx.wait_group wgmma pending(1)
    ```
  }];
  let arguments = (ins TIRx_GroupKindAttr:$kind, I32Attr:$pending, UnitAttr:$read);
  let assemblyFormat = "`` $kind `pending` `(` $pending `)` (`read` $read^)? attr-dict";
  let hasVerifier = 1;
}

#endif // TIRX_SYNC_OPS
