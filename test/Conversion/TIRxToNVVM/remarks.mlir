// RUN: tirx-opt %s -verify-diagnostics -tirx-lower-tiles > /dev/null

// The chosen variant is a remark that says what the op expands to.

#a   = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(128, 96) : (1@TLane, 1@TCol)]>
#b   = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(96, 64) : (64, 1)]>>
#r   = #tirx.tile<S[(128, 96) : (1@tid_in_wg, 1)]>

gpu.module @m [#nvvm.target<chip = "sm_103a", verifyTarget = false>] {
  gpu.func @k(%A: !tirx.buffer<128x64xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %s = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #a>
    %t = tirx.pool_alloc %pool at(17408) : !tirx.buffer<96x64xf16, shared, #b>
    // expected-remark @+1 {{dispatch: vectorized: 1024 chunks of 16 bytes over 128 threads}}
    tirx.copy cta %s, %A dispatch("vectorized") : !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<128x64xf16, global>
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x96xf32, tmem, #acc>
    // expected-remark @+1 {{dispatch: tcgen05: 4 tcgen05.mma of M 128, N 96, K 16}}
    tirx.gemm_async thread %d, %s, %t dispatch("tcgen05") : !tirx.buffer<128x96xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #a>, !tirx.buffer<96x64xf16, shared, #b>
    %r = tirx.alloc_local : !tirx.buffer<128x96xf32, local, #r>
    // expected-remark @+1 {{dispatch: tcgen05.ld: 96 columns by tcgen05.ld.32x32b x64 + x32}}
    tirx.copy_async warpgroup %r, %d dispatch("tcgen05.ld") : !tirx.buffer<128x96xf32, local, #r>, !tirx.buffer<128x96xf32, tmem, #acc>
    tirx.wait tcgen05_ld
    %mine = tirx.local_view %r : !tirx.buffer<128x96xf32, local, #r> -> !tirx.buffer<96xf32, local>
    %h = tirx.alloc_local : !tirx.buffer<96xbf16, local>
    // expected-remark @+1 {{dispatch: registers: 48 conversions of 2 elements}}
    tirx.cast thread %h, %mine : !tirx.buffer<96xbf16, local>, !tirx.buffer<96xf32, local>
    gpu.return
  }
}
