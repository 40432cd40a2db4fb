// RUN: tirx-opt %s -tirx-allocate-shared | FileCheck %s
// RUN: tirx-opt %s -tirx-allocate-shared -tirx-allocate-shared | FileCheck %s

#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#b64 = #tirx.compose<#tirx.swizzle<3, 2, 3>, #tirx.tile<S[(8, 32) : (32, 1)]>>
#b32 = #tirx.compose<#tirx.swizzle<3, 1, 3>, #tirx.tile<S[(8, 16) : (16, 1)]>>

gpu.module @m {
  // CHECK: gpu.func @placed
  // CHECK-SAME: tirx.shared_bytes = 18944 : i64
  gpu.func @placed(%flag: i1) kernel {
    %pool = tirx.smem_pool
    // CHECK: pool_alloc %{{.*}} at(0) : !tirx.buffer<1xi32, shared>
    %slot = tirx.pool_alloc %pool : !tirx.buffer<1xi32, shared>
    // Barriers want 8 bytes.
    // CHECK: pool_alloc %{{.*}} at(8) : !tirx.buffer<3x!tirx.mbarrier, shared>
    %bar = tirx.pool_alloc %pool : !tirx.buffer<3x!tirx.mbarrier, shared>
    // The period of each swizzle: 256, 512 and 1024 bytes.
    // CHECK: pool_alloc %{{.*}} at(256) : !tirx.buffer<8x16xf16
    %s32 = tirx.pool_alloc %pool : !tirx.buffer<8x16xf16, shared, #b32>
    // CHECK: pool_alloc %{{.*}} at(512) : !tirx.buffer<8x32xf16
    %s64 = tirx.pool_alloc %pool : !tirx.buffer<8x32xf16, shared, #b64>
    scf.if %flag {
      // CHECK: pool_alloc %{{.*}} at(1024) : !tirx.buffer<128x64xf16
      %s128 = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>
    }
    // A stride counts, not the number of elements: 2 rows of 100 bytes in 200.
    // CHECK: pool_alloc %{{.*}} at(17408) : !tirx.buffer<2x25xi8
    %sparse = tirx.pool_alloc %pool : !tirx.buffer<2x25xi8, shared, #tirx.tile<S[(2, 25) : (100, 4)]>>
    // CHECK: pool_alloc %{{.*}} at(17664) align(256)
    %aligned = tirx.pool_alloc %pool align(256) : !tirx.buffer<4xf32, shared>
    tirx.pool_move_base %pool to(18000)
    // CHECK: pool_alloc %{{.*}} at(18000) : !tirx.buffer<4xf32, shared>
    %moved = tirx.pool_alloc %pool : !tirx.buffer<4xf32, shared>
    // CHECK: pool_alloc %{{.*}} at(18928) : !tirx.buffer<4xf32, shared>
    %fixed = tirx.pool_alloc %pool at(18928) : !tirx.buffer<4xf32, shared>
    gpu.return
  }

  // A kernel without a pool gets no attribute.
  // CHECK: gpu.func @no_pool() kernel {
  gpu.func @no_pool() kernel {
    gpu.return
  }
}
