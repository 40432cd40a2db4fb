// RUN: tirx-opt %s -split-input-file -tirx-allocate-shared -tirx-lower-tiles="remarks=false" -canonicalize -cse | FileCheck %s

// A load and a store of one box each share the tensor map of A; the shared
// buffer starts on 128 bytes behind the barrier though its layout has no swizzle.

!bar = !tirx.buffer<1x!tirx.mbarrier, shared>

// CHECK-LABEL: gpu.func @plain(
// CHECK-SAME: %[[A:.*]]: !tirx.buffer<256x64xf32, global>, %[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, llvm.readonly,
// CHECK-SAME: tirx.tensor_map = #tirx.tensor_map<of = 0, offset = 0, dtype = "f32", dims = [64, 256], strides = [256], box = [32, 16], swizzle = "none">})
// CHECK: at(128) : !tirx.buffer<16x32xf32, shared>
// CHECK: %[[TO:.*]] = tirx.ptr
// CHECK: %[[BAR:.*]] = tirx.ptr
// CHECK: tirx.ptx "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"(%[[TO]], %[[MAP]], %c32_i32, %[[ROW:.*]], %[[BAR]])
// CHECK: tirx.ptx "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"(%[[MAP]], %c32_i32, %[[ROW]], %[[TO]])
// CHECK: tirx.ptx "cp.async.bulk.commit_group"()
// CHECK: tirx.ptx "cp.async.bulk.wait_group.read"(%c0_i32)
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @plain(%A: !tirx.buffer<256x64xf32, global>)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %row = tirx.id cta_id_x
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool : !bar
    %s = tirx.pool_alloc %pool : !tirx.buffer<16x32xf32, shared>
    %v = tirx.view %A[%row, 32] : !tirx.buffer<256x64xf32, global> -> 16x32xf32
    tirx.copy_async thread %s, %v barrier(%bar[%c0]) : !tirx.buffer<16x32xf32, shared>, !tirx.buffer<16x32xf32, global, #tirx.tile<S[(16, 32) : (64, 1)] + 32>>, !bar
    tirx.copy_async thread %v, %s : !tirx.buffer<16x32xf32, global, #tirx.tile<S[(16, 32) : (64, 1)] + 32>>, !tirx.buffer<16x32xf32, shared>
    tirx.commit_group bulk
    tirx.wait_group bulk pending(0) read
    gpu.return
  }
}

// -----

// Two boxes of a swizzled tile, to the CTAs of a mask, for both of a pair.

!bar = !tirx.buffer<2x!tirx.mbarrier, shared>
#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 2, 64) : (64, 4096, 1)]>>

// CHECK-LABEL: gpu.func @pair(
// CHECK-SAME: box = [64, 64], swizzle = "128B"
// CHECK: %[[RANK:.*]] = tirx.id cta_id_in_cluster
// CHECK: %[[LEADER:.*]] = arith.andi %{{.*}}, %c-2_i32
// CHECK: tirx.ptx "mapa.shared::cluster.u32"(%{{.*}}, %[[LEADER]])
// CHECK: tirx.ptx "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2"(%{{.*}}, %{{.*}}, %c0_i32, %c0_i32, %{{.*}}, %[[MASK:.*]])
// CHECK: tirx.ptx "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2"(%{{.*}}, %{{.*}}, %c64_i32, %c0_i32, %{{.*}}, %[[MASK]])
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @pair(%A: !tirx.buffer<64x128xbf16, global>)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c1 = arith.constant 1 : index
    %mask = arith.constant 3 : i16
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool : !bar
    %s = tirx.pool_alloc %pool : !tirx.buffer<64x128xbf16, shared, #a>
    tirx.copy_async thread %s, %A barrier(%bar[%c1]) multicast(%mask) cta_group(2) : !tirx.buffer<64x128xbf16, shared, #a>, !tirx.buffer<64x128xbf16, global>, !bar
    gpu.return
  }
}

// -----

// More than 16 boxes become a loop.

!bar = !tirx.buffer<1x!tirx.mbarrier, shared>
#a = #tirx.compose<#tirx.swizzle<3, 1, 3>, #tirx.tile<S[(16, 64, 16) : (16, 256, 1)]>>

// CHECK-LABEL: gpu.func @loop(
// CHECK-SAME: box = [16, 16], swizzle = "32B"
// CHECK: scf.for %[[I:.*]] = %c0 to %c64 step %c1
// CHECK: %[[N:.*]] = arith.index_castui %[[I]]
// CHECK: %[[X:.*]] = arith.muli %[[N]], %c16_i32
// CHECK: %[[MOVE:.*]] = arith.muli %[[N]], %c512_i32
// CHECK: tirx.ptx "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"(%{{.*}}, %{{.*}}, %[[X]], %c0_i32, %{{.*}})
// CHECK-NOT: cp.async.bulk.tensor
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @loop(%A: !tirx.buffer<16x1024xbf16, global>)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool : !bar
    %s = tirx.pool_alloc %pool : !tirx.buffer<16x1024xbf16, shared, #a>
    tirx.copy_async thread %s, %A barrier(%bar[%c0]) : !tirx.buffer<16x1024xbf16, shared, #a>, !tirx.buffer<16x1024xbf16, global>, !bar
    gpu.return
  }
}

// -----

// A generic write of the source gets its proxy fence (rule R1).

// CHECK-LABEL: gpu.func @fenced(
// CHECK: tirx.store
// CHECK: tirx.ptx "fence.proxy.async.shared::cta"
// CHECK: cp.async.bulk.tensor.1d.global.shared::cta.bulk_group
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @fenced(%A: !tirx.buffer<64xf32, global>, %D: !tirx.buffer<64xf32, global>)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool : !tirx.buffer<64xf32, shared>
    tirx.copy thread %s, %A : !tirx.buffer<64xf32, shared>, !tirx.buffer<64xf32, global>
    tirx.copy_async thread %D, %s : !tirx.buffer<64xf32, global>, !tirx.buffer<64xf32, shared>
    gpu.return
  }
}

// -----

// Barriers and arrivals across a cluster.

!bar = !tirx.buffer<1x!tirx.mbarrier, shared>

// CHECK-LABEL: gpu.func @cluster(
// CHECK: tirx.ptx "barrier.cluster.arrive.aligned"
// CHECK: tirx.ptx "barrier.cluster.wait.aligned"
// CHECK: %[[THERE:.*]] = tirx.ptx "mapa.shared::cluster.u32"
// CHECK: %[[BAR:.*]] = llvm.inttoptr %[[THERE]]
// CHECK: tirx.ptx "mbarrier.arrive.release.cluster.shared::cluster.b64"(%[[BAR]]) : (!llvm.ptr<3>) -> ()
// CHECK: tirx.ptx "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64"(%[[BAR]], %c64_i32) : (!llvm.ptr<3>, i32) -> ()
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @cluster() kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 64 : i32
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool : !bar
    tirx.barrier cluster
    tirx.mbarrier_arrive %bar[%c0] cta(%one) : !bar
    tirx.mbarrier_arrive %bar[%c0] expect_tx(%bytes) cta(%one) : !bar
    gpu.return
  }
}
