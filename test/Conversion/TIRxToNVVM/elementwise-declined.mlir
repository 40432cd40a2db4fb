// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Why elementwise ops decline.

#rows = #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>
#cols = #tirx.tile<S[(16, 8, 8) : (8@tid_in_wg, 1, 1@tid_in_wg)]>
#gap = #tirx.tile<S[8 : 2]>
#swizzled = #tirx.compose<#tirx.swizzle<0, 1, 1>, #tirx.tile<S[8 : 1]>>
!r = !tirx.buffer<128x8xf32, local, #rows>

gpu.module @m [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  gpu.func @place(%A: !tirx.buffer<8xf32, global>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @-2 {{variant 'registers': expected dst in local memory, got global}}
    tirx.add thread %A, %A, %A : !tirx.buffer<8xf32, global>, !tirx.buffer<8xf32, global>, !tirx.buffer<8xf32, global>
    gpu.return
  }
  gpu.func @scope() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @+1 {{variant 'registers': expected dst spread over the threads of a warp, the scope, got #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>}}
    %r = tirx.alloc_local : !r
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.add warp %r, %r, %r : !r, !r, !r
    gpu.return
  }
  gpu.func @thread() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @+1 {{variant 'registers': expected dst in the registers of one thread, the scope, got}}
    %r = tirx.alloc_local : !r
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.sqrt thread %r, %r : !r, !r
    gpu.return
  }
  gpu.func @layouts() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tirx.alloc_local : !r
    // expected-note @+1 {{variant 'registers': expected input 0 laid out as dst, #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>, got}}
    %c = tirx.alloc_local : !tirx.buffer<128x8xf32, local, #cols>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.add warpgroup %r, %c, %r : !r, !tirx.buffer<128x8xf32, local, #cols>, !r
    gpu.return
  }
  gpu.func @gaps() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-note @+1 {{variant 'registers': expected the registers of dst side by side, got #tirx.tile<S[(8) : (2)]>}}
    %r = tirx.alloc_local : !tirx.buffer<8xf32, local, #gap>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.exp thread %r, %r : !tirx.buffer<8xf32, local, #gap>, !tirx.buffer<8xf32, local, #gap>
    gpu.return
  }
  gpu.func @types() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    // expected-note @+1 {{variant 'registers': expected elements of f16, bf16 or f32, got f64}}
    %r = tirx.alloc_local : !tirx.buffer<8xf64, local>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.exp thread %r, %r : !tirx.buffer<8xf64, local>, !tirx.buffer<8xf64, local>
    gpu.return
  }
  gpu.func @fill(%x: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @+1 {{variant 'vectorized': expected dst in global or shared memory, got local}}
    %r = tirx.alloc_local : !r
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.fill warpgroup %r, %x dispatch("vectorized") : !r, f32
    gpu.return
  }
  gpu.func @fill_scope(%A: !tirx.buffer<8xf32, global>, %x: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'vectorized': expected scope thread, warp, warpgroup or cta, got cluster}}
    tirx.fill cluster %A, %x dispatch("vectorized") : !tirx.buffer<8xf32, global>, f32
    gpu.return
  }
  gpu.func @float8() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %r = tirx.alloc_local : !tirx.buffer<8xf32, local>
    %e = tirx.alloc_local : !tirx.buffer<8xf8E5M2, local>
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'registers': sm_80 does not convert 8-bit floats: expected sm_89 or later}}
    tirx.cast thread %e, %r : !tirx.buffer<8xf8E5M2, local>, !tirx.buffer<8xf32, local>
    gpu.return
  }
}

// -----

#rows = #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>
#cols = #tirx.tile<S[(16, 8, 8) : (8@tid_in_wg, 1, 1@tid_in_wg)]>
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @float8() kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %r = tirx.alloc_local : !tirx.buffer<8xi32, local>
    %e = tirx.alloc_local : !tirx.buffer<8xf8E5M2, local>
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'registers': expected the other element of a conversion of 8-bit floats to be f8E4M3FN, f8E5M2, f16, bf16 or f32, got i32}}
    tirx.cast thread %e, %r : !tirx.buffer<8xf8E5M2, local>, !tirx.buffer<8xi32, local>
    gpu.return
  }
  gpu.func @cast_layouts() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tirx.alloc_local : !tirx.buffer<128x8xf32, local, #rows>
    // expected-note @+1 {{variant 'registers': expected src laid out as dst, #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>, got}}
    %c = tirx.alloc_local : !tirx.buffer<128x8xf16, local, #cols>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.cast warpgroup %r, %c : !tirx.buffer<128x8xf32, local, #rows>, !tirx.buffer<128x8xf16, local, #cols>
    gpu.return
  }
}
