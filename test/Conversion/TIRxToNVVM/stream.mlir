// RUN: tirx-opt %s -split-input-file -tirx-lower-tiles="remarks=false" | FileCheck %s

// An accumulator of 160 columns is converted and stored in parts of 64, 64 and 32
// columns, so that no thread holds all of it. The guarded store is cut too; the
// loads, which the whole warp executes, stay outside of the guard.

#acc = #tirx.tile<S[(4, 16, 160) : (32@TLane, 1@TLane, 1@TCol)]>
#regs = #tirx.tile<S[(4, 16, 160) : (32@tid_in_wg, 1@tid_in_wg, 1)]>
#row = #tirx.tile<S[(1, 160) : (160, 1)]>

// CHECK-LABEL: gpu.func @parts
// CHECK: tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x64.b32"
// CHECK: tirx.ptx "tcgen05.wait::ld.sync.aligned"
// CHECK: scf.if
// CHECK: arith.truncf
// CHECK: tirx.view %{{.*}}[0, 0] {{.*}} -> !tirx.buffer<1x64xf16, global
// CHECK: tirx.store
// CHECK: tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x64.b32"
// CHECK: tirx.ptx "tcgen05.wait::ld.sync.aligned"
// CHECK: scf.if
// CHECK: tirx.view %{{.*}}[0, 64] {{.*}} -> !tirx.buffer<1x64xf16, global
// CHECK: tirx.store
// CHECK: tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x32.b32"
// CHECK: tirx.ptx "tcgen05.wait::ld.sync.aligned"
// CHECK: scf.if
// CHECK: tirx.view %{{.*}}[0, 128] {{.*}} -> !tirx.buffer<1x32xf16, global
// CHECK: tirx.store
// CHECK-NOT: tcgen05.ld
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @parts(%D: !tirx.buffer<64x160xf16, global>, %row: index)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %lane = tirx.id lane_id
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %acc = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<64x160xf32, tmem, #acc>
    %regs = tirx.alloc_local : !tirx.buffer<64x160xf32, local, #regs>
    tirx.copy_async warpgroup %regs, %acc : !tirx.buffer<64x160xf32, local, #regs>, !tirx.buffer<64x160xf32, tmem, #acc>
    tirx.wait tcgen05_ld
    %mine = tirx.local_view %regs : !tirx.buffer<64x160xf32, local, #regs> -> !tirx.buffer<160xf32, local>
    %has_row = arith.cmpi ult, %lane, %c16 : index
    scf.if %has_row {
      %h = tirx.alloc_local : !tirx.buffer<160xf16, local>
      tirx.cast thread %h, %mine : !tirx.buffer<160xf16, local>, !tirx.buffer<160xf32, local>
      %d = tirx.view %D[%row, 0] : !tirx.buffer<64x160xf16, global> -> !tirx.buffer<1x160xf16, global, #row>
      tirx.copy thread %d, %h : !tirx.buffer<1x160xf16, global, #row>, !tirx.buffer<160xf16, local>
    }
    gpu.return
  }
}

// -----

// A barrier between the wait and the store orders memory: nothing moves across it.

#acc = #tirx.tile<S[(128, 160) : (1@TLane, 1@TCol)]>
#regs = #tirx.tile<S[(128, 160) : (1@tid_in_wg, 1)]>
#row = #tirx.tile<S[(1, 160) : (160, 1)]>

// CHECK-LABEL: gpu.func @barrier_between
// CHECK: tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x64.b32"
// CHECK: tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x64.b32"
// CHECK: tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x32.b32"
// CHECK: tirx.ptx "tcgen05.wait::ld.sync.aligned"
// CHECK: tirx.ptx "bar.sync"
// CHECK: scf.for
// CHECK: tirx.store
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @barrier_between(%D: !tirx.buffer<128x160xf32, global>, %row: index)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %acc = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x160xf32, tmem, #acc>
    %regs = tirx.alloc_local : !tirx.buffer<128x160xf32, local, #regs>
    tirx.copy_async warpgroup %regs, %acc : !tirx.buffer<128x160xf32, local, #regs>, !tirx.buffer<128x160xf32, tmem, #acc>
    tirx.wait tcgen05_ld
    tirx.barrier cta
    %mine = tirx.local_view %regs : !tirx.buffer<128x160xf32, local, #regs> -> !tirx.buffer<160xf32, local>
    %d = tirx.view %D[%row, 0] : !tirx.buffer<128x160xf32, global> -> !tirx.buffer<1x160xf32, global, #row>
    tirx.copy thread %d, %mine : !tirx.buffer<1x160xf32, global, #row>, !tirx.buffer<160xf32, local>
    gpu.return
  }
}
