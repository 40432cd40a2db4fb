// RUN: tirx-opt %s -tirx-lower-tiles="remarks=false" -canonicalize | FileCheck %s
// RUN: tirx-compile %s --emit=ptx -o - | FileCheck %s --check-prefix=PTX

// Two columns of blocks, two steps along K; the accumulator's old value counts
// where `accumulate` says so.

#a = #tirx.tile<S[(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)]>
#b = #tirx.tile<S[(2, 8, 2, 2, 4, 2) : (8, 4@laneid, 4, 2, 1@laneid, 1)]>
#d = #tirx.tile<S[(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)]>
!a = !tirx.buffer<16x32xf16, local, #a>
!b = !tirx.buffer<16x32xf16, local, #b>
!d = !tirx.buffer<16x16xf32, local, #d>

// CHECK-LABEL: gpu.func @products(
// CHECK-SAME: %[[MORE:[a-z0-9]*]]: i1
// CHECK: %[[OLD:.*]] = arith.select %[[MORE]], %{{.*}}, %cst : f32
// CHECK: %[[P:.*]]:4 = tirx.ptx "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"({{.*}}, %[[OLD]],
// CHECK: tirx.ptx "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"({{.*}}, %[[P]]#0, %[[P]]#1, %[[P]]#2, %[[P]]#3)
// CHECK-COUNT-2: tirx.ptx "mma.sync
// CHECK-NOT: tirx.ptx "mma.sync
// PTX-COUNT-4: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  gpu.func @products(%more: i1, %A: !tirx.buffer<16x32xf16, global>, %B: !tirx.buffer<16x32xf16, global>,
                     %D: !tirx.buffer<16x16xf32, global>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc_local : !a
    %b = tirx.alloc_local : !b
    %d = tirx.alloc_local : !d
    tirx.copy warp %a, %A : !a, !tirx.buffer<16x32xf16, global>
    tirx.copy warp %b, %B : !b, !tirx.buffer<16x32xf16, global>
    tirx.copy warp %d, %D : !d, !tirx.buffer<16x16xf32, global>
    tirx.gemm warp %d, %a, %b accumulate(%more) : !d, !a, !b
    tirx.copy warp %D, %d : !tirx.buffer<16x16xf32, global>, !d
    gpu.return
  }
}
