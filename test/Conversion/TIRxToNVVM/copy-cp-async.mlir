// RUN: tirx-opt %s -split-input-file -tirx-lower-tiles="remarks=false" -canonicalize -cse | FileCheck %s
// RUN: tirx-compile %s --emit=ptx -o - | FileCheck %s --check-prefix=PTX

// 16 bytes a chunk past the L1 cache, 4 bytes where no more lie side by side.

#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 64) : (64, 1)]>>

// CHECK-LABEL: gpu.func @copies(
// CHECK: %[[TID:.*]] = tirx.id thread_id
// CHECK: scf.for
// CHECK: %[[TO:.*]] = tirx.ptr %{{.*}} : !tirx.buffer<64x64xf16, shared
// CHECK: %[[FROM:.*]] = tirx.ptr %{{.*}} : !tirx.buffer<64x64xf16, global>
// CHECK: tirx.ptx "cp.async.cg.shared.global"(%[[TO]], %[[FROM]], %c16_i32)
// CHECK: tirx.ptx "cp.async.ca.shared.global"(%{{.*}}, %{{.*}}, %c4_i32)
// CHECK: tirx.ptx "cp.async.commit_group"()
// CHECK: tirx.ptx "cp.async.wait_group"(%c0_i32)
// PTX: cp.async.cg.shared.global
// PTX: cp.async.ca.shared.global
// PTX: cp.async.commit_group
// PTX: cp.async.wait_group
gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  gpu.func @copies(%A: !tirx.buffer<64x64xf16, global>, %B: !tirx.buffer<33x3xf32, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x64xf16, shared, #a>
    %t = tirx.pool_alloc %pool at(8192) : !tirx.buffer<33x3xf32, shared>
    tirx.copy_async cta %s, %A : !tirx.buffer<64x64xf16, shared, #a>, !tirx.buffer<64x64xf16, global>
    tirx.copy_async cta %t, %B : !tirx.buffer<33x3xf32, shared>, !tirx.buffer<33x3xf32, global>
    tirx.commit_group cp_async
    tirx.wait_group cp_async pending(0)
    gpu.return
  }
}
