// RUN: tirx-opt %s -pass-pipeline='builtin.module(canonicalize,cse,loop-invariant-code-motion,sccp,control-flow-sink,canonicalize,cse)' | FileCheck %s
// RUN: tirx-opt %s -convert-scf-to-cf -canonicalize -cse -sccp | FileCheck %s --check-prefix=CF

// Upstream passes leave what synchronises, copies and allocates where it stands.

!bar = !tirx.buffer<1x!tirx.mbarrier, shared>
!s = !tirx.buffer<128x64xf16, shared>
!g = !tirx.buffer<128x64xf16, global>
!acc = !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>
!regs = !tirx.buffer<128x128xf32, local, #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>>
!mine = !tirx.buffer<128xf32, local>
!half = !tirx.buffer<128xf16, local>

// Everything that looks the same twice stays twice, in order.
// CHECK-LABEL: func.func @twice
// CF-LABEL: func.func @twice
func.func @twice(%bar: !bar, %s: !s, %g: !g, %acc: !acc, %phase: i32) {
  %c0 = arith.constant 0 : index
  // CHECK: tirx.barrier cta
  // CHECK-NEXT: tirx.barrier cta
  tirx.barrier cta
  tirx.barrier cta
  // CHECK-NEXT: tirx.fence proxy_async
  // CHECK-NEXT: tirx.fence proxy_async
  tirx.fence proxy_async
  tirx.fence proxy_async
  // CHECK-NEXT: tirx.mbarrier_wait
  // CHECK-NEXT: tirx.mbarrier_wait
  tirx.mbarrier_wait %bar[%c0] parity(%phase) : !bar
  tirx.mbarrier_wait %bar[%c0] parity(%phase) : !bar
  // CHECK-NEXT: tirx.mbarrier_arrive
  // CHECK-NEXT: tirx.mbarrier_arrive
  tirx.mbarrier_arrive %bar[%c0] : !bar
  tirx.mbarrier_arrive %bar[%c0] : !bar
  // An election is a collective: unused, it stays, and two are two.
  // CHECK-NEXT: tirx.elect
  // CHECK-NEXT: tirx.elect
  %0 = tirx.elect
  %1 = tirx.elect
  // CHECK-NEXT: tirx.copy cta
  // CHECK-NEXT: tirx.copy cta
  tirx.copy cta %s, %g : !s, !g
  tirx.copy cta %s, %g : !s, !g
  // CHECK-NEXT: tirx.gemm_async
  // CHECK-NEXT: tirx.gemm_async
  tirx.gemm_async thread %acc, %s, %s : !acc, !s, !s
  tirx.gemm_async thread %acc, %s, %s : !acc, !s, !s
  // CHECK-NEXT: tirx.commit
  // CHECK-NEXT: tirx.commit
  tirx.commit %bar[%c0] : !bar
  tirx.commit %bar[%c0] : !bar
  // CHECK-NEXT: tirx.wait tcgen05_ld
  // CHECK-NEXT: tirx.wait tcgen05_ld
  tirx.wait tcgen05_ld
  tirx.wait tcgen05_ld
  // CHECK-NEXT: tirx.mbarrier_init
  // CHECK-NEXT: tirx.mbarrier_init
  tirx.mbarrier_init %bar[%c0] count(1) : !bar
  tirx.mbarrier_init %bar[%c0] count(1) : !bar
  // CF-COUNT-2: tirx.mbarrier_init
  // CHECK-NEXT: return
  return
}

// Two allocations of one type are two buffers.
// CHECK-LABEL: func.func @allocations
func.func @allocations() -> (!s, !s, !mine, !mine) {
  // CHECK: tirx.smem_pool
  // CHECK-NEXT: %[[A:.*]] = tirx.pool_alloc
  // CHECK-NEXT: tirx.pool_move_base
  // CHECK-NEXT: %[[B:.*]] = tirx.pool_alloc
  %pool = tirx.smem_pool
  %a = tirx.pool_alloc %pool : !s
  tirx.pool_move_base %pool to(32768)
  %b = tirx.pool_alloc %pool : !s
  // CHECK-NEXT: %[[C:.*]] = tirx.alloc_local
  // CHECK-NEXT: %[[D:.*]] = tirx.alloc_local
  %c = tirx.alloc_local : !mine
  %d = tirx.alloc_local : !mine
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]]
  return %a, %b, %c, %d : !s, !s, !mine, !mine
}

// A loop's waits, copies and loads stay inside, whatever is invariant.
// CHECK-LABEL: func.func @loop
func.func @loop(%bar: !bar, %s: !s, %g: !g, %n: index, %phase: i32, %sink: !half) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // Views and ids have no effects and may leave.
  // CHECK: tirx.view
  // CHECK: scf.for
  // CHECK-NEXT: tirx.mbarrier_wait
  // CHECK-NEXT: tirx.copy cta
  // CHECK-NEXT: tirx.barrier cta
  // CHECK-NEXT: %[[V:.*]] = tirx.load
  // CHECK-NEXT: tirx.store %[[V]]
  // CHECK-NEXT: tirx.copy cta
  // CHECK-NEXT: %[[W:.*]] = tirx.load
  // CHECK-NEXT: tirx.store %[[W]]
  // CHECK-NEXT: }
  scf.for %i = %c0 to %n step %c1 {
    %row = tirx.view %s[0, 0] : !s -> !tirx.buffer<64x64xf16, shared>
    tirx.mbarrier_wait %bar[%c0] parity(%phase) : !bar
    tirx.copy cta %s, %g : !s, !g
    tirx.barrier cta
    %v = tirx.load %row[%c0, %c0] : !tirx.buffer<64x64xf16, shared> -> f16
    tirx.store %v, %sink[%c0] : f16, !half
    tirx.copy cta %s, %g : !s, !g
    %w = tirx.load %row[%c0, %c0] : !tirx.buffer<64x64xf16, shared> -> f16
    tirx.store %w, %sink[%c0] : f16, !half
  }
  return
}

// A value that is read once and used in one branch is not read later, behind the
// barrier: control-flow-sink leaves it.
// CHECK-LABEL: func.func @sink
func.func @sink(%s: !s, %flag: i1, %slot: !tirx.buffer<1xi32, shared>) -> f16 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  // CHECK: %[[V:.*]] = tirx.load
  // CHECK-NEXT: tirx.tmem_buffer
  // CHECK-NEXT: tirx.barrier cta
  %v = tirx.load %s[%c0, %c0] : !s -> f16
  %t = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !acc
  tirx.barrier cta
  // CHECK: scf.if
  %r = scf.if %flag -> f16 {
    tirx.gemm_async thread %t, %s, %s : !acc, !s, !s
    scf.yield %v : f16
  } else {
    scf.yield %zero : f16
  }
  return %r : f16
}

// A register tile: the asynchronous copy, its wait and the uses keep their order.
// CHECK-LABEL: func.func @registers
func.func @registers(%acc: !acc, %out: !tirx.buffer<128xf16, global>) {
  // CHECK: %[[R:.*]] = tirx.alloc_local
  // CHECK: %[[M:.*]] = tirx.local_view %[[R]]
  // CHECK: tirx.copy_async warpgroup %[[R]]
  // CHECK: tirx.wait tcgen05_ld
  // CHECK: tirx.cast thread %{{.*}}, %[[M]]
  // CHECK: tirx.copy thread
  %regs = tirx.alloc_local : !regs
  %half = tirx.alloc_local : !half
  %mine = tirx.local_view %regs : !regs -> !mine
  tirx.copy_async warpgroup %regs, %acc : !regs, !acc
  tirx.wait tcgen05_ld
  tirx.cast thread %half, %mine : !half, !mine
  tirx.copy thread %out, %half : !tirx.buffer<128xf16, global>, !half
  return
}

// What nobody uses and nobody sees goes.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%s: !s) {
  %c0 = arith.constant 0 : index
  %0 = tirx.id lane_id
  %1 = tirx.view %s[0, 0] : !s -> !s
  %2 = tirx.load %s[%0, %0] : !s -> f16
  %3 = tirx.alloc_local : !mine
  %4 = tirx.ptr %s[%0, %0] : !s -> !llvm.ptr<3>
  return
}
