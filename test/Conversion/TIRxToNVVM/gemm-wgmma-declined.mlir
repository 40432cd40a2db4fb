// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Why wgmma declines.

#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>
!s = !tirx.buffer<64x64xf16, shared, #a>
!d = !tirx.buffer<64x64xf32, local, #acc>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @target() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !s
    %d = tirx.alloc_local : !d
    // expected-error @+2 {{served by no dispatch variant on sm_100a}}
    // expected-note @+1 {{variant 'wgmma': sm_100a has no wgmma: expected sm_90a}}
    tirx.gemm_async warpgroup %d, %a, %a dispatch("wgmma") : !d, !s, !s
    gpu.return
  }
}

// -----

#a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 64) : (64, 1)]>>
#a96 = #tirx.tile<S[(96, 8, 8) : (8, 768, 1)]>
#acc = #tirx.tile<S[(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>
#acc96 = #tirx.tile<S[(4, 24, 64) : (1@wid_in_wg, 1@laneid, 1)]>
#rows = #tirx.tile<S[(64, 64) : (1@tid_in_wg, 1)]>
#acc8 = #tirx.tile<S[(4, 2, 8, 4) : (1@wid_in_wg, 4, 4@laneid, 1)]>
#row = #tirx.tile<S[(64, 64) : (64, 1)]>
!s = !tirx.buffer<64x64xf16, shared, #a>
!d = !tirx.buffer<64x64xf32, local, #acc>
!r = !tirx.buffer<64x64xf16, local, #acc>

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @scope() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !s
    %d = tirx.alloc_local : !d
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'wgmma': expected scope warpgroup, whose four warps issue wgmma together, got cta}}
    tirx.gemm_async cta %d, %a, %a dispatch("wgmma") : !d, !s, !s
    gpu.return
  }
  gpu.func @pair() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !s
    %b = tirx.pool_alloc %pool at(8192) : !tirx.buffer<32x64xf16, shared>
    %d = tirx.alloc_local : !d
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'wgmma': expected cta_group 1, got 2}}
    tirx.gemm_async warpgroup %d, %a, %b cta_group(2) dispatch("wgmma") : !d, !s, !tirx.buffer<32x64xf16, shared>
    gpu.return
  }
  gpu.func @places(%g: !tirx.buffer<64x64xf16, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !s
    %d = tirx.alloc_local : !d
    // expected-note @+1 {{variant 'wgmma': expected b in shared memory, got local}}
    %r = tirx.alloc_local : !r
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %r dispatch("wgmma") : !d, !s, !r
    gpu.return
  }
  gpu.func @types() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    // expected-note @+1 {{variant 'wgmma': expected a and b of f16, bf16, f32 (as tf32), f8E4M3FN, f8E5M2 or i8, got f64}}
    %a = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x64xf64, shared>
    %d = tirx.alloc_local : !d
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %a dispatch("wgmma") : !d, !tirx.buffer<64x64xf64, shared>, !tirx.buffer<64x64xf64, shared>
    gpu.return
  }
  gpu.func @result_type() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x64xbf16, shared, #a>
    // expected-note @+1 {{variant 'wgmma': expected d of f32 with a of bf16, got bf16}}
    %d = tirx.alloc_local : !tirx.buffer<64x64xbf16, local, #acc>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %a dispatch("wgmma") : !tirx.buffer<64x64xbf16, local, #acc>, !tirx.buffer<64x64xbf16, shared, #a>, !tirx.buffer<64x64xbf16, shared, #a>
    gpu.return
  }
  gpu.func @accumulator() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !s
    // expected-note @+1 {{variant 'wgmma': wgmma of M 64 and N 64 has d as #tirx.tile<S[(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>: expected this layout in each block of d, got #tirx.tile<S[(64, 64) : (1@tid_in_wg, 1)]>}}
    %d = tirx.alloc_local : !tirx.buffer<64x64xf32, local, #rows>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %a dispatch("wgmma") : !tirx.buffer<64x64xf32, local, #rows>, !s, !s
    gpu.return
  }
  gpu.func @rows() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !tirx.buffer<96x64xf16, shared, #a96>
    %b = tirx.pool_alloc %pool at(16384) : !s
    // expected-note @+1 {{variant 'wgmma': expected M in multiples of 64, got 96}}
    %d = tirx.alloc_local : !tirx.buffer<96x64xf32, local, #acc96>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %b dispatch("wgmma") : !tirx.buffer<96x64xf32, local, #acc96>, !tirx.buffer<96x64xf16, shared, #a96>, !s
    gpu.return
  }
  gpu.func @columns() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !s
    %b = tirx.pool_alloc %pool at(16384) : !tirx.buffer<4x64xf16, shared>
    // expected-note @+1 {{variant 'wgmma': expected N in multiples of 8, got 4}}
    %d = tirx.alloc_local : !tirx.buffer<64x4xf32, local, #acc8>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %b dispatch("wgmma") : !tirx.buffer<64x4xf32, local, #acc8>, !s, !tirx.buffer<4x64xf16, shared>
    gpu.return
  }
  gpu.func @depth() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %a = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x24xf16, shared>
    // expected-note @+1 {{variant 'wgmma': expected K in multiples of 16, got 24}}
    %b = tirx.pool_alloc %pool at(16384) : !tirx.buffer<64x24xf16, shared>
    %d = tirx.alloc_local : !d
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %b dispatch("wgmma") : !d, !tirx.buffer<64x24xf16, shared>, !tirx.buffer<64x24xf16, shared>
    gpu.return
  }
  gpu.func @no_descriptor() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    // expected-note @+1 {{variant 'wgmma': a: expected}}
    %a = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x64xf16, shared>
    %d = tirx.alloc_local : !d
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %a dispatch("wgmma") : !d, !tirx.buffer<64x64xf16, shared>, !tirx.buffer<64x64xf16, shared>
    gpu.return
  }
  gpu.func @register_layout() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    // expected-note @+1 {{variant 'wgmma': wgmma reads 64 rows of a from registers as #tirx.tile<S[(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]>: expected this layout in each 64 rows, got #tirx.tile<S[(64, 64) : (64, 1)]>}}
    %a = tirx.alloc_local : !tirx.buffer<64x64xf16, local, #row>
    %b = tirx.pool_alloc %pool at(0) : !s
    %d = tirx.alloc_local : !d
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %a, %b dispatch("wgmma") : !d, !tirx.buffer<64x64xf16, local, #row>, !s
    gpu.return
  }
  gpu.func @transposed_registers() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    // expected-note @+1 {{variant 'wgmma': expected a in registers as (M, K), got trans_a}}
    %r = tirx.alloc_local : !r
    %b = tirx.pool_alloc %pool at(0) : !s
    %d = tirx.alloc_local : !d
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async warpgroup %d, %r, %b trans_a dispatch("wgmma") : !d, !r, !s
    gpu.return
  }
}
