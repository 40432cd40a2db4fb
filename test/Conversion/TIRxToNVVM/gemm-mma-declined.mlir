// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Why mma.sync declines.

#a = #tirx.tile<S[(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)]>
#b = #tirx.tile<S[(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)]>
#d = #tirx.tile<S[(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)]>
!a = !tirx.buffer<16x16xf16, local, #a>
!b = !tirx.buffer<8x16xf16, local, #b>
!d = !tirx.buffer<16x8xf32, local, #d>

gpu.module @m [#nvvm.target<chip = "sm_75", verifyTarget = false>] {
  gpu.func @target() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc_local : !a
    %b = tirx.alloc_local : !b
    %d = tirx.alloc_local : !d
    // expected-error @+2 {{served by no dispatch variant on sm_75}}
    // expected-note @+1 {{variant 'mma.sync': sm_75 has no mma.sync of m16n8k16: expected sm_80 or later}}
    tirx.gemm warp %d, %a, %b : !d, !a, !b
    gpu.return
  }
}

// -----

#a = #tirx.tile<S[(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)]>
#b = #tirx.tile<S[(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)]>
#d = #tirx.tile<S[(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)]>
#wrong = #tirx.tile<S[(2, 8, 4, 2) : (1, 4@laneid, 1@laneid, 2)]>
#half = #tirx.tile<S[(8, 4, 2) : (4@laneid, 1@laneid, 1)]>
#ahalf = #tirx.tile<S[(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)]>
!a = !tirx.buffer<16x16xf16, local, #a>
!b = !tirx.buffer<8x16xf16, local, #b>
!d = !tirx.buffer<16x8xf32, local, #d>

gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  gpu.func @scope() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tirx.alloc_local : !a
    %b = tirx.alloc_local : !b
    %d = tirx.alloc_local : !d
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'mma.sync': expected scope warp, got warpgroup}}
    tirx.gemm warpgroup %d, %a, %b : !d, !a, !b
    gpu.return
  }
  gpu.func @types() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc_local : !a
    %b = tirx.alloc_local : !b
    // expected-note @+1 {{variant 'mma.sync': expected d of f32 or f16 with a of f16, got bf16}}
    %d = tirx.alloc_local : !tirx.buffer<16x8xbf16, local, #d>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm warp %d, %a, %b : !tirx.buffer<16x8xbf16, local, #d>, !a, !b
    gpu.return
  }
  gpu.func @layout() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc_local : !a
    %b = tirx.alloc_local : !b
    // expected-note @+1 {{variant 'mma.sync': mma.sync has d as #tirx.tile<S[(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)]>: expected this layout in each 16x8 elements, got #tirx.tile<S[(2, 8, 4, 2) : (1, 4@laneid, 1@laneid, 2)]>}}
    %d = tirx.alloc_local : !tirx.buffer<16x8xf32, local, #wrong>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm warp %d, %a, %b : !tirx.buffer<16x8xf32, local, #wrong>, !a, !b
    gpu.return
  }
  gpu.func @extents() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tirx.alloc_local : !tirx.buffer<8x16xf16, local, #ahalf>
    %b = tirx.alloc_local : !b
    // expected-note @+1 {{variant 'mma.sync': expected extents of d in multiples of 16 and 8, got 8 and 8}}
    %d = tirx.alloc_local : !tirx.buffer<8x8xf32, local, #half>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm warp %d, %a, %b : !tirx.buffer<8x8xf32, local, #half>, !tirx.buffer<8x16xf16, local, #ahalf>, !b
    gpu.return
  }
}
