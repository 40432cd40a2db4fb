// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Why the copy of a spread tile declines.

#rows = #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>
#gap = #tirx.tile<S[(128, 8) : (1@tid_in_wg, 2)]>
#cross = #tirx.tile<S[(6, 4, 8) : (1@laneid, 8@laneid, 1)]>
#mixed = #tirx.tile<S[(4, 4, 8) : (6@laneid, 1@laneid, 1)]>
!g = !tirx.buffer<128x8xf32, global>
!r = !tirx.buffer<128x8xf32, local, #rows>

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @none(%A: !g) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'fragment': expected one operand spread over the registers of several threads, got none}}
    tirx.copy warpgroup %A, %A dispatch("fragment") : !g, !g
    gpu.return
  }
  gpu.func @both() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tirx.alloc_local : !r
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'fragment': expected one operand in memory, got both in registers}}
    tirx.copy warpgroup %r, %r dispatch("fragment") : !r, !r
    gpu.return
  }
  gpu.func @local() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tirx.alloc_local : !r
    // expected-note @+1 {{variant 'fragment': expected the other operand in global or shared memory, got local}}
    %s = tirx.alloc_local : !tirx.buffer<128x8xf32, local>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy warpgroup %s, %r dispatch("fragment") : !tirx.buffer<128x8xf32, local>, !r
    gpu.return
  }
  gpu.func @scope(%A: !g) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @+1 {{variant 'fragment': expected src spread over the threads of a warp, the scope, got #tirx.tile<S[(128, 8) : (1@tid_in_wg, 1)]>}}
    %r = tirx.alloc_local : !r
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy warp %A, %r dispatch("fragment") : !g, !r
    gpu.return
  }
  gpu.func @gaps(%A: !g) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @+1 {{variant 'fragment': expected the registers of src side by side, got}}
    %r = tirx.alloc_local : !tirx.buffer<128x8xf32, local, #gap>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy warpgroup %A, %r dispatch("fragment") : !g, !tirx.buffer<128x8xf32, local, #gap>
    gpu.return
  }
  gpu.func @digits(%A: !tirx.buffer<16x8xf32, global>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note @+1 {{variant 'fragment': expected steps of src on 'laneid' that are multiples of the ones below, got 6 above 4}}
    %r = tirx.alloc_local : !tirx.buffer<16x8xf32, local, #mixed>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy warp %A, %r dispatch("fragment") : !tirx.buffer<16x8xf32, global>, !tirx.buffer<16x8xf32, local, #mixed>
    gpu.return
  }
  gpu.func @swizzled(%A: !tirx.buffer<24x8xf32, global>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-note @+1 {{variant 'fragment': expected dst spread over the threads of a cta, the scope, got}}
    %r = tirx.alloc_local : !tirx.buffer<24x8xf32, local, #cross>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy cta %r, %A dispatch("fragment") : !tirx.buffer<24x8xf32, local, #cross>, !tirx.buffer<24x8xf32, global>
    gpu.return
  }
}
