// RUN: tirx-opt %s -split-input-file -tirx-lower-tiles="remarks=false" | FileCheck %s

// Spread over a warpgroup, both operands alike: registers, two at a time.

#acc = #tirx.tile<S[(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>
!r = !tirx.buffer<64x16xf32, local, #acc>

// CHECK-LABEL: gpu.func @arithmetic(
// CHECK-SAME: %[[X:[a-z0-9]*]]: f32
// CHECK: scf.for
// CHECK: %[[S:.*]] = vector.broadcast %[[X]] : f32 to vector<2xf32>
// CHECK: tirx.store %[[S]]
// CHECK: scf.for
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK: scf.for
// CHECK: llvm.intr.fma(%{{.*}}) : (vector<2xf32>, vector<2xf32>, vector<2xf32>)
// CHECK: scf.for
// CHECK: arith.maximumf
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @arithmetic(%x: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tirx.alloc_local : !r
    %b = tirx.alloc_local : !r
    tirx.fill warpgroup %a, %x : !r, f32
    tirx.add warpgroup %b, %a, %a : !r, !r, !r
    tirx.fma warpgroup %b, %a, %x, %b : !r, !r, f32, !r
    tirx.maximum warpgroup %b, %a, %b : !r, !r, !r
    gpu.return
  }
}

// -----

// One input, computed as f32; the argument is scaled first.

!h = !tirx.buffer<4xf16, local>

// CHECK-LABEL: gpu.func @unary(
// CHECK: %[[SRC:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: %[[ARG:.*]] = arith.mulf %[[SRC]]
// CHECK: %[[E:.*]] = tirx.ptx "ex2.approx.f32"(%[[ARG]])
// CHECK: arith.truncf %[[E]] : f32 to f16
// CHECK: tirx.ptx "lg2.approx.f32"
// CHECK: tirx.ptx "sqrt.rn.f32"
// CHECK: arith.divf
// CHECK: arith.negf
// CHECK: tirx.ptx "ex2.approx.f32"
// CHECK: arith.divf
gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  gpu.func @unary(%s: f16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc_local : !h
    tirx.exp2 thread %a, %a scale(%s : f16) : !h, !h
    tirx.log2 thread %a, %a : !h, !h
    tirx.sqrt thread %a, %a : !h, !h
    tirx.reciprocal thread %a, %a : !h, !h
    tirx.silu thread %a, %a : !h, !h
    gpu.return
  }
}

// -----

// Shared memory is filled by vector stores, and fenced for asynchronous readers.

#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 64) : (64, 1)]>>

// CHECK-LABEL: gpu.func @memory(
// CHECK: tirx.store %{{.*}} : vector<8xf16>, !tirx.buffer<64x64xf16, shared
// CHECK: tirx.ptx "fence.proxy.async.shared::cta"
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @memory(%D: !tirx.buffer<64x64xf16, global>, %x: f16)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x64xf16, shared, #a>
    tirx.fill cta %s, %x : !tirx.buffer<64x64xf16, shared, #a>, f16
    tirx.copy_async thread %D, %s : !tirx.buffer<64x64xf16, global>, !tirx.buffer<64x64xf16, shared, #a>
    gpu.return
  }
}

// -----

// 8-bit floats in pairs; a spread tile is cast where it is.

#acc = #tirx.tile<S[(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>

// CHECK-LABEL: gpu.func @casts(
// CHECK: tirx.ptx "cvt.rn.satfinite.e4m3x2.f32"(%{{.*}}, %{{.*}}) : (f32, f32) -> i16
// CHECK: tirx.ptx "cvt.rn.f16x2.e4m3x2"(%{{.*}}) : (i16) -> i32
// CHECK: arith.fptosi %{{.*}} : vector<2xf32> to vector<2xi32>
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @casts() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %f = tirx.alloc_local : !tirx.buffer<64x16xf32, local, #acc>
    %e = tirx.alloc_local : !tirx.buffer<64x16xf8E4M3FN, local, #acc>
    %i = tirx.alloc_local : !tirx.buffer<64x16xi32, local, #acc>
    tirx.cast warpgroup %e, %f : !tirx.buffer<64x16xf8E4M3FN, local, #acc>, !tirx.buffer<64x16xf32, local, #acc>
    tirx.cast warpgroup %f, %e : !tirx.buffer<64x16xf32, local, #acc>, !tirx.buffer<64x16xf8E4M3FN, local, #acc>
    tirx.cast warpgroup %i, %f : !tirx.buffer<64x16xi32, local, #acc>, !tirx.buffer<64x16xf32, local, #acc>
    gpu.return
  }
}
