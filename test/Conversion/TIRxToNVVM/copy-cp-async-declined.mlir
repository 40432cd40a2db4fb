// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Why cp.async declines.

!g = !tirx.buffer<64x64xf16, global>
!s = !tirx.buffer<64x64xf16, shared>
!bar = !tirx.buffer<1x!tirx.mbarrier, shared>

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @direction(%A: !g) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !s
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'cp.async': expected a copy from global to shared memory, got shared to global}}
    tirx.copy_async thread %A, %s dispatch("cp.async") : !g, !s
    gpu.return
  }
  gpu.func @barrier(%A: !g) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool at(0) : !bar
    %s = tirx.pool_alloc %pool at(128) : !s
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'cp.async': expected no barrier: cp.async completes in a group}}
    tirx.copy_async cta %s, %A barrier(%bar[%c0]) dispatch("cp.async") : !s, !g, !bar
    gpu.return
  }
  gpu.func @scope(%A: !g) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !s
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'cp.async': expected scope thread, warp, warpgroup or cta, got cluster}}
    tirx.copy_async cluster %s, %A dispatch("cp.async") : !s, !g
    gpu.return
  }
  gpu.func @runs(%A: !tirx.buffer<64x63xf16, global>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !tirx.buffer<64x63xf16, shared>
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'cp.async': expected runs of 4, 8 or 16 bytes that lie side by side and aligned in both, got 2}}
    tirx.copy_async cta %s, %A dispatch("cp.async") : !tirx.buffer<64x63xf16, shared>, !tirx.buffer<64x63xf16, global>
    gpu.return
  }
}

// -----

!g = !tirx.buffer<64x64xf16, global>
!s = !tirx.buffer<64x64xf16, shared>
gpu.module @m [#nvvm.target<chip = "sm_75", verifyTarget = false>] {
  gpu.func @target(%A: !g) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool at(0) : !s
    // expected-error @+2 {{served by no dispatch variant on sm_75}}
    // expected-note @+1 {{variant 'cp.async': sm_75 has no cp.async: expected sm_80 or later}}
    tirx.copy_async cta %s, %A dispatch("cp.async") : !s, !g
    gpu.return
  }
}
