// RUN: tirx-opt %s -split-input-file -tirx-lower-tiles="remarks=false" | FileCheck %s

// Each fence that the ordering rules ask for, and none where the author places
// them.

#a   = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

// CHECK-LABEL: gpu.func @inserted
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @inserted(%A: !tirx.buffer<128x64xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %parity = arith.constant 0 : i32
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %bar = tirx.pool_alloc %pool at(8) : !tirx.buffer<2x!tirx.mbarrier, shared>
    %s = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #a>
    %t = tirx.pool_alloc %pool at(17408) : !tirx.buffer<128x64xf16, shared, #a>
    %c1 = arith.constant 1 : index

    // One fence behind a group of initialisations (R6).
    // CHECK: mbarrier.init
    // CHECK-NOT: fence
    // CHECK: mbarrier.init
    // CHECK-NEXT: tirx.ptx "fence.mbarrier_init.release.cluster"
    tirx.mbarrier_init %bar[%c0] count(1) : !tirx.buffer<2x!tirx.mbarrier, shared>
    tirx.mbarrier_init %bar[%c1] count(1) : !tirx.buffer<2x!tirx.mbarrier, shared>

    // One fence behind a group of copies (R1).
    // CHECK: tirx.store
    // CHECK-NOT: fence
    // CHECK: tirx.store
    // CHECK: }
    // CHECK-NEXT: tirx.ptx "fence.proxy.async.shared::cta"
    tirx.copy cta %s, %A : !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, global>
    tirx.copy cta %t, %A : !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, global>

    // R14 around a barrier.
    // CHECK-NEXT: tirx.ptx "tcgen05.fence::before_thread_sync"
    // CHECK: tirx.ptx "bar.sync"
    // CHECK-NEXT: tirx.ptx "tcgen05.fence::after_thread_sync"
    tirx.barrier cta

    // CHECK: tirx.ptx "bar.sync"({{.*}}) : (i32, i32) -> ()
    tirx.barrier warpgroup id(3)
    // CHECK: tirx.ptx "bar.warp.sync"
    tirx.barrier warp

    %acc = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    // CHECK-COUNT-4: tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"
    tirx.gemm_async thread %acc, %s, %t : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, shared, #a>

    // R15 behind a wait.
    // CHECK: scf.while
    // CHECK: tirx.ptx "mbarrier.try_wait.parity.shared::cta.b64"
    // CHECK: scf.yield
    // CHECK: tirx.ptx "tcgen05.fence::after_thread_sync"
    tirx.mbarrier_wait %bar[%c0] parity(%parity) : !tirx.buffer<2x!tirx.mbarrier, shared>

    // R14 before an arrival.
    // CHECK-NEXT: tirx.ptx "tcgen05.fence::before_thread_sync"
    // CHECK: tirx.ptx "mbarrier.arrive.shared::cta.b64"
    tirx.mbarrier_arrive %bar[%c1] : !tirx.buffer<2x!tirx.mbarrier, shared>
    gpu.return
  }
}

// -----

#a   = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

// CHECK-LABEL: gpu.func @by_hand
// CHECK-NOT: fence
// CHECK: gpu.return
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @by_hand(%A: !tirx.buffer<128x64xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, tirx.explicit_sync} {
    %c0 = arith.constant 0 : index
    %parity = arith.constant 0 : i32
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %bar = tirx.pool_alloc %pool at(8) : !tirx.buffer<2x!tirx.mbarrier, shared>
    %s = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #a>
    tirx.mbarrier_init %bar[%c0] count(1) : !tirx.buffer<2x!tirx.mbarrier, shared>
    tirx.copy cta %s, %A : !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, global>
    tirx.barrier cta
    %acc = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    tirx.gemm_async thread %acc, %s, %s : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, shared, #a>
    tirx.mbarrier_wait %bar[%c0] parity(%parity) : !tirx.buffer<2x!tirx.mbarrier, shared>
    tirx.mbarrier_arrive %bar[%c0] : !tirx.buffer<2x!tirx.mbarrier, shared>
    gpu.return
  }
}

// -----

// Nothing reads shared memory asynchronously, nothing uses tensor memory: plain
// copies and barriers, also for a target that has neither.

// CHECK-LABEL: gpu.func @plain
// CHECK-NOT: fence
// CHECK: gpu.return
gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  gpu.func @plain(%A: !tirx.buffer<128x64xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<128x64xf16, shared>
    tirx.copy cta %s, %A : !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xf16, global>
    tirx.barrier cta
    tirx.copy cta %A, %s : !tirx.buffer<128x64xf16, global>, !tirx.buffer<128x64xf16, shared>
    gpu.return
  }
}

// -----

// What an author writes by hand becomes itself.

// CHECK-LABEL: gpu.func @explicit_ops
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @explicit_ops() kernel attributes {known_block_size = array<i32: 32, 1, 1>, tirx.explicit_sync} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    // CHECK: tirx.ptx "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"
    tirx.tmem_alloc %slot[%c0] columns(64) : !tirx.buffer<1xi32, shared>
    // CHECK: tirx.ptx "fence.proxy.async.shared::cta"
    tirx.fence proxy_async_shared
    // CHECK: tirx.ptx "fence.proxy.async.global"
    tirx.fence proxy_async_global
    // CHECK: tirx.ptx "fence.proxy.async"
    tirx.fence proxy_async
    // CHECK: tirx.ptx "fence.mbarrier_init.release.cluster"
    tirx.fence mbarrier_init
    // CHECK: tirx.ptx "tcgen05.fence::before_thread_sync"
    tirx.fence tcgen05_before
    // CHECK: tirx.ptx "tcgen05.fence::after_thread_sync"
    tirx.fence tcgen05_after
    // CHECK: tirx.ptx "tcgen05.wait::ld.sync.aligned"
    tirx.wait tcgen05_ld
    // CHECK: tirx.ptx "tcgen05.wait::st.sync.aligned"
    tirx.wait tcgen05_st
    // CHECK: %[[E:.*]]:2 = tirx.ptx "elect.sync"
    // CHECK: scf.if %[[E]]#1
    %leader = tirx.elect
    scf.if %leader {
      tirx.fence proxy_async
    }
    // CHECK: tirx.ptx "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned"
    tirx.tmem_relinquish
    // CHECK: %[[T:.*]] = tirx.load
    // CHECK: tirx.ptx "tcgen05.dealloc.cta_group::1.sync.aligned.b32"(%[[T]]
    tirx.tmem_dealloc %slot[%c0] columns(64) : !tirx.buffer<1xi32, shared>
    gpu.return
  }
}
