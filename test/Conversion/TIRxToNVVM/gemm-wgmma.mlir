// RUN: tirx-opt %s -split-input-file -tirx-lower-tiles="remarks=false" -canonicalize -cse | FileCheck %s
// RUN: tirx-opt %s -split-input-file -tirx-to-nvvm | FileCheck %s --check-prefix=TIE

// A and B in shared memory, both K-major: four steps of 16 along K; the first
// starts from zero unless `accumulate`, and the accumulator's 32 registers go
// from one instruction to the next.

#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>
!s = !tirx.buffer<64x64xf16, shared, #a>
!d = !tirx.buffer<64x64xf32, local, #acc>

// CHECK-LABEL: gpu.func @shared(
// CHECK-SAME: %[[MORE:[a-z0-9]*]]: i1
// CHECK: tirx.ptx "wgmma.fence.sync.aligned"()
// CHECK: %[[A:.*]] = tirx.smem_descriptor %[[AS:.*]] k_dim(1) step(0) wgmma
// CHECK: %[[B:.*]] = tirx.smem_descriptor %[[BS:.*]] k_dim(1) step(0) wgmma
// CHECK: %[[P:.*]]:32 = tirx.ptx "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"({{.*}}, %[[A]], %[[B]], %[[MORE]], %c1_i32, %c1_i32, %c0_i32, %c0_i32)
// CHECK: %[[A3:.*]] = tirx.smem_descriptor %[[AS]] k_dim(1) step(1) wgmma
// CHECK: tirx.ptx "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"(%[[P]]#0, %[[P]]#1, {{.*}}, %true, %c1_i32, %c1_i32, %c0_i32, %c0_i32)
// CHECK-COUNT-2: wgmma.mma_async
// CHECK-NOT: wgmma.mma_async
// CHECK: tirx.ptx "wgmma.commit_group.sync.aligned"()
// CHECK: tirx.ptx "wgmma.wait_group.sync.aligned"(%c1_i32)

// The registers pass through the wait.
// TIE-LABEL: llvm.func @shared(
// TIE: "wgmma.commit_group.sync.aligned;"
// TIE: "wgmma.wait_group.sync.aligned 1;", "=f,=f,{{.*}},0,1,2,
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @shared(%more: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !s
    %b = tirx.pool_alloc %pool at(8192) : !s
    %d = tirx.alloc_local : !d
    tirx.gemm_async warpgroup %d, %a, %b accumulate(%more) : !d, !s, !s
    tirx.commit_group wgmma
    tirx.wait_group wgmma pending(1)
    gpu.return
  }
}

// -----

// 128 x 512 with A in registers: two blocks of rows, two of columns.

#b = #tirx.compose<#tirx.swizzle<3, 1, 3>, #tirx.tile<S[(512, 16) : (16, 1)]>>
#acc = #tirx.tile<S[(2, 4, 2, 8, 64, 4, 2) : (256, 1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>
#ar = #tirx.tile<S[(2, 4, 2, 8, 2, 4, 2) : (8, 1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>
!a = !tirx.buffer<128x16xbf16, local, #ar>
!b = !tirx.buffer<512x16xbf16, shared, #b>
!d = !tirx.buffer<128x512xf32, local, #acc>

// CHECK-LABEL: gpu.func @registers(
// CHECK: %[[HIGH:.*]] = tirx.view %{{.*}}[256, 0]
// CHECK: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16"({{.*}}, %false, %c1_i32, %c1_i32, %c0_i32)
// CHECK: tirx.smem_descriptor %[[HIGH]]
// CHECK: wgmma.mma_async.sync.aligned.m64n256k16
// CHECK: wgmma.mma_async.sync.aligned.m64n256k16
// CHECK: wgmma.mma_async.sync.aligned.m64n256k16
// CHECK-NOT: wgmma.mma_async
// TIE-LABEL: llvm.func @registers(
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @registers() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.alloc_local : !a
    %b = tirx.pool_alloc %pool at(0) : !b
    %d = tirx.alloc_local : !d
    tirx.gemm_async warpgroup %d, %a, %b : !d, !a, !b
    gpu.return
  }
}

// -----

// MN-major operands as (K, M) and (K, N), an f16 accumulator of packed registers.

#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(16, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>
!s = !tirx.buffer<16x64xf16, shared, #a>
!d = !tirx.buffer<64x64xf16, local, #acc>

// CHECK-LABEL: gpu.func @mn_major(
// CHECK: tirx.ptx "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16"({{.*}}, %false, %c1_i32, %c1_i32, %c1_i32, %c1_i32) : (i32, i32,
// TIE-LABEL: llvm.func @mn_major(
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @mn_major() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !s
    %b = tirx.pool_alloc %pool at(2048) : !s
    %d = tirx.alloc_local : !d
    tirx.gemm_async warpgroup %d, %a, %b trans_a trans_b : !d, !s, !s
    gpu.return
  }
}

// -----

// Integers have no signs to give, two kinds of 8-bit floats mix.

#a = #tirx.compose<#tirx.swizzle<4, 1, 3>, #tirx.tile<S[(64, 32) : (32, 1)]>>
#acc = #tirx.tile<S[(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>
!i = !tirx.buffer<64x32xi8, shared, #a>
!x = !tirx.buffer<64x32xf8E4M3FN, shared, #a>
!y = !tirx.buffer<64x32xf8E5M2, shared, #a>
!di = !tirx.buffer<64x64xi32, local, #acc>
!df = !tirx.buffer<64x64xf32, local, #acc>

// CHECK-LABEL: gpu.func @bytes(
// CHECK: tirx.ptx "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8"({{.*}}, %{{.*}}, %{{.*}}, %false) :
// CHECK: tirx.ptx "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e5m2"({{.*}}, %false, %c1_i32, %c1_i32) :
// TIE-LABEL: llvm.func @bytes(
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @bytes() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %i = tirx.pool_alloc %pool at(0) : !i
    %x = tirx.pool_alloc %pool at(2048) : !x
    %y = tirx.pool_alloc %pool at(4096) : !y
    %di = tirx.alloc_local : !di
    %df = tirx.alloc_local : !df
    tirx.gemm_async warpgroup %di, %i, %i : !di, !i, !i
    tirx.gemm_async warpgroup %df, %x, %y : !df, !x, !y
    gpu.return
  }
}
