// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Why tcgen05.ld declines.

#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#rows = #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @target() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %s = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    %r = tirx.alloc_local : !tirx.buffer<128x128xf32, local, #rows>
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{variant 'tcgen05.ld': sm_90a has no tensor memory: expected sm_100a or sm_103a}}
    tirx.copy_async warpgroup %r, %s dispatch("tcgen05.ld") : !tirx.buffer<128x128xf32, local, #rows>, !tirx.buffer<128x128xf32, tmem, #acc>
    gpu.return
  }
}

// -----

#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#rows = #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @scope() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %s = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    %r = tirx.alloc_local : !tirx.buffer<128x128xf32, local, #rows>
    // expected-error @+2 {{served by no dispatch variant}}
    // expected-note @+1 {{reach the 128 lanes of tensor memory, got warp}}
    tirx.copy_async warp %r, %s dispatch("tcgen05.ld") : !tirx.buffer<128x128xf32, local, #rows>, !tirx.buffer<128x128xf32, tmem, #acc>
    gpu.return
  }
}

// -----

#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

#cols = #tirx.tile<S[(128, 128) : (1, 1@tid_in_wg)]>
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @registers() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %s = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    // expected-note @+1 {{expected dst to hold lane t in thread t and column c in register c, which is #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>, got #tirx.tile<S[(128, 128) : (1, 1@tid_in_wg)]>}}
    %r = tirx.alloc_local : !tirx.buffer<128x128xf32, local, #cols>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async warpgroup %r, %s dispatch("tcgen05.ld") : !tirx.buffer<128x128xf32, local, #cols>, !tirx.buffer<128x128xf32, tmem, #acc>
    gpu.return
  }
}

// -----

#rows = #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>

#high = #tirx.tile<S[(64, 128) : (1@TLane, 1@TCol)] + 64@TLane>
#rows64 = #tirx.tile<S[(64, 128) : (1@tid_in_wg, 1)]>
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @lanes() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    // expected-note @+1 {{expected src from lane 0 on, since warp w of a warpgroup reads lanes 32w to 32w+31 (rule R27), got lane 64}}
    %s = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<64x128xf32, tmem, #high>
    %r = tirx.alloc_local : !tirx.buffer<64x128xf32, local, #rows64>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async warpgroup %r, %s dispatch("tcgen05.ld") : !tirx.buffer<64x128xf32, local, #rows64>, !tirx.buffer<64x128xf32, tmem, #high>
    gpu.return
  }
}

// -----

#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#rows = #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @packed() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    // expected-note @+1 {{expected each 16-bit element of src in a column of 32 bits of its own}}
    %s = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf16, tmem, #acc>
    %r = tirx.alloc_local : !tirx.buffer<128x128xf16, local, #rows>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async warpgroup %r, %s dispatch("tcgen05.ld") : !tirx.buffer<128x128xf16, local, #rows>, !tirx.buffer<128x128xf16, tmem, #acc>
    gpu.return
  }
}

// -----

#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#rows = #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @bits() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    // expected-note @+1 {{expected src elements of 16 or 32 bits, got 8}}
    %s = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xi8, tmem, #acc>
    %r = tirx.alloc_local : !tirx.buffer<128x128xi8, local, #rows>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.copy_async warpgroup %r, %s dispatch("tcgen05.ld") : !tirx.buffer<128x128xi8, local, #rows>, !tirx.buffer<128x128xi8, tmem, #acc>
    gpu.return
  }
}
