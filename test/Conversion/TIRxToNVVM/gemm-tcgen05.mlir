// RUN: tirx-opt %s -split-input-file -tirx-lower-tiles="remarks=false" -canonicalize -cse | FileCheck %s

// A pair of CTAs: M 256 and N 256 in the instruction descriptor (bits 24 to 28
// are M / 16, 17 to 22 N / 8), half of each operand here; the commit arrives in
// both.

#k = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(128, 256) : (1@TLane, 1@TCol)]>
!s = !tirx.buffer<128x64xf16, shared, #k>
!d = !tirx.buffer<128x256xf32, tmem, #acc>
!bar = !tirx.buffer<1x!tirx.mbarrier, shared>

// CHECK-LABEL: gpu.func @pair(
// CHECK-DAG: %[[DESC:.*]] = arith.constant 272629776 : i32
// CHECK-DAG: %[[MASK:.*]] = arith.constant 3 : i16
// CHECK-COUNT-4: tirx.ptx "tcgen05.mma.cta_group::2.kind::f16"(%{{.*}}, %{{.*}}, %{{.*}}, %[[DESC]], %{{.*}})
// CHECK-NOT: tcgen05.mma
// CHECK: tirx.ptx "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64"(%{{.*}}, %[[MASK]])
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @pair() kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %mask = arith.constant 3 : i16
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %bar = tirx.pool_alloc %pool at(8) : !bar
    %a = tirx.pool_alloc %pool at(1024) : !s
    %b = tirx.pool_alloc %pool at(17408) : !s
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !d
    tirx.gemm_async thread %d, %a, %b cta_group(2) dispatch("tcgen05") : !d, !s, !s
    tirx.commit %bar[%c0] multicast(%mask) cta_group(2) : !bar
    gpu.return
  }
}

// -----

// 256 rows are two blocks in tensor memory, 8-bit floats of two kinds.

#a = #tirx.compose<#tirx.swizzle<4, 1, 3>, #tirx.tile<S[(256, 32) : (32, 1)]>>
#b = #tirx.compose<#tirx.swizzle<4, 1, 3>, #tirx.tile<S[(64, 32) : (32, 1)]>>
#acc = #tirx.tile<S[(2, 128, 64) : (64@TCol, 1@TLane, 1@TCol)]>
!a = !tirx.buffer<256x32xf8E4M3FN, shared, #a>
!b = !tirx.buffer<64x32xf8E5M2, shared, #b>
!d = !tirx.buffer<256x64xf32, tmem, #acc>

// CHECK-LABEL: gpu.func @blocks(
// CHECK: %[[LOW:.*]] = tirx.view %{{.*}}[0, 0] {{.*}} -> !tirx.buffer<128x32xf8E4M3FN
// CHECK: %[[HIGH:.*]] = tirx.view %{{.*}}[128, 0] {{.*}} -> !tirx.buffer<128x32xf8E4M3FN
// CHECK: tirx.smem_descriptor %[[LOW]] k_dim(1) step(0)
// CHECK: tirx.ptx "tcgen05.mma.cta_group::1.kind::f8f6f4"
// CHECK: tirx.ptr %{{.*}}[%c128, %c0]
// CHECK: tirx.smem_descriptor %[[HIGH]] k_dim(1) step(0)
// CHECK: tirx.ptx "tcgen05.mma.cta_group::1.kind::f8f6f4"
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @blocks() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %a = tirx.pool_alloc %pool at(1024) : !a
    %b = tirx.pool_alloc %pool at(17408) : !b
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !d
    tirx.gemm_async thread %d, %a, %b dispatch("tcgen05") : !d, !a, !b
    gpu.return
  }
}
