// RUN: tirx-opt %s -split-input-file -tirx-lower-tiles="remarks=false" | FileCheck %s

// The whole CTA copies; each chunk is 16 bytes, 1024 chunks over 128 threads.

#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>

// CHECK-LABEL: gpu.func @swizzled
// CHECK: %[[TID:.*]] = tirx.id thread_id
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[TRIPS:.*]] step
// CHECK: arith.muli %[[I]]
// CHECK: %[[C:.*]] = arith.addi %{{.*}}, %[[TID]]
// CHECK: arith.andi %[[C]]
// CHECK: %[[V:.*]] = tirx.load {{.*}} -> vector<8xf16>
// CHECK: tirx.store %[[V]], {{.*}} : vector<8xf16>, !tirx.buffer<128x64xf16, shared
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @swizzled(%A: !tirx.buffer<128x64xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<128x64xf16, shared, #a>
    tirx.copy cta %s, %A : !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, global>
    gpu.return
  }
}

// -----

// 105 single elements over 32 lanes: the last round is guarded, none is lost.

// CHECK-LABEL: gpu.func @guarded
// CHECK: %[[LANE:.*]] = tirx.id lane_id
// CHECK: scf.for
// CHECK: %[[CHUNK:.*]] = arith.addi %{{.*}}, %[[LANE]]
// CHECK: %[[END:.*]] = arith.constant 105 : index
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[CHUNK]], %[[END]] : index
// CHECK: scf.if %[[IN]]
// CHECK: tirx.load {{.*}} -> f32
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @guarded(%A: !tirx.buffer<7x15xf32, global>, %B: !tirx.buffer<7x15xf32, global>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    tirx.copy warp %B, %A : !tirx.buffer<7x15xf32, global>, !tirx.buffer<7x15xf32, global>
    gpu.return
  }
}

// -----

// Row-major to column-major: no common vector; neighbouring threads read
// neighbouring elements of global memory.

#col = #tirx.tile<S[(64, 32) : (1, 64)]>

// CHECK-LABEL: gpu.func @transposed
// CHECK: tirx.load {{.*}} -> f16
// CHECK: tirx.store {{.*}} : f16
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @transposed(%A: !tirx.buffer<64x32xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x32xf16, shared, #col>
    tirx.copy cta %s, %A : !tirx.buffer<64x32xf16, shared, #col>, !tirx.buffer<64x32xf16, global>
    gpu.return
  }
}

// -----

// What divides a dynamic offset bounds the vector: nothing is known of %n, so the
// elements go one by one; 4 * %n keeps 8 bytes together.

#row = #tirx.tile<S[(1, 64) : (256, 1)]>

// CHECK-LABEL: gpu.func @offsets
// CHECK: tirx.load {{.*}} -> f16
// CHECK: tirx.load {{.*}} -> vector<4xf16>
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @offsets(%A: !tirx.buffer<8x256xf16, global>, %n: index)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %n4 = arith.muli %n, %c4 : index
    %r = tirx.alloc_local : !tirx.buffer<64xf16, local>
    %v = tirx.view %A[0, %n] : !tirx.buffer<8x256xf16, global> -> !tirx.buffer<1x64xf16, global, #row>
    tirx.copy thread %r, %v : !tirx.buffer<64xf16, local>, !tirx.buffer<1x64xf16, global, #row>
    %w = tirx.view %A[0, %n4] : !tirx.buffer<8x256xf16, global> -> !tirx.buffer<1x64xf16, global, #row>
    tirx.copy thread %w, %r : !tirx.buffer<1x64xf16, global, #row>, !tirx.buffer<64xf16, local>
    gpu.return
  }
}

// -----

// Column-major on both sides: vectors along the first dimension.

#col = #tirx.tile<S[(64, 32) : (1, 64)]>

// CHECK-LABEL: gpu.func @columns
// CHECK: tirx.load %{{.*}} dim(0) {{.*}} -> vector<8xf16>
// CHECK: tirx.store %{{.*}} dim(0) : vector<8xf16>
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @columns(%A: !tirx.buffer<64x32xf16, global, #col>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x32xf16, shared, #col>
    tirx.copy cta %s, %A : !tirx.buffer<64x32xf16, shared, #col>, !tirx.buffer<64x32xf16, global, #col>
    gpu.return
  }
}
