// RUN: tirx-opt %s -split-input-file -verify-diagnostics -tirx-lower-tiles="remarks=false"

// Why tcgen05.mma declines: each reason at the operand at fault.

#k128 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @target() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #k128>
    %b = tirx.pool_alloc %pool at(65536) : !tirx.buffer<128x64xf16, shared, #k128>
    // expected-error @+2 {{served by no dispatch variant on sm_90a}}
    // expected-note @+1 {{variant 'tcgen05': sm_90a has no tcgen05.mma: expected sm_100a or sm_103a}}
    tirx.gemm_async thread %d, %a, %b  dispatch("tcgen05") : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #k128>, !tirx.buffer<128x64xf16, shared, #k128>
    gpu.return
  }
}

// -----

#k128 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @scope() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #k128>
    %b = tirx.pool_alloc %pool at(65536) : !tirx.buffer<128x64xf16, shared, #k128>
    // expected-error @+2 {{served by no dispatch variant on sm_100a}}
    // expected-note @+1 {{got warp}}
    tirx.gemm_async warp %d, %a, %b  dispatch("tcgen05") : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #k128>, !tirx.buffer<128x64xf16, shared, #k128>
    gpu.return
  }
}

// -----

#k128 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc24  = #tirx.tile<S[(128, 24) : (1@TLane, 1@TCol)]>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @group() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    // expected-note @+1 {{cta_group::2 and K-major B to be a multiple of 16 from 16 to 256, got 24}}
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x24xf32, tmem, #acc24>
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #k128>
    %b = tirx.pool_alloc %pool at(65536) : !tirx.buffer<12x64xf16, shared>
    // expected-error @+1 {{served by no dispatch variant on sm_100a}}
    tirx.gemm_async thread %d, %a, %b cta_group(2) dispatch("tcgen05") : !tirx.buffer<128x24xf32, tmem, #acc24>, !tirx.buffer<128x64xf16, shared, #k128>, !tirx.buffer<12x64xf16, shared>
    gpu.return
  }
}

// -----

#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

#plain32 = #tirx.tile<S[(128, 64) : (64, 1)]>
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @input() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    // expected-note @+1 {{expected a and b of f16, bf16, f32 (as tf32), f8E4M3FN, f8E5M2 or i8, got f64}}
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf64, shared, #plain32>
    %b = tirx.pool_alloc %pool at(131072) : !tirx.buffer<128x64xf64, shared, #plain32>
    // expected-error @+1 {{served by no dispatch variant on sm_100a}}
    tirx.gemm_async thread %d, %a, %b  dispatch("tcgen05") : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf64, shared, #plain32>, !tirx.buffer<128x64xf64, shared, #plain32>
    gpu.return
  }
}

// -----

#k128 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @accumulator_type() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    // expected-note @+1 {{expected D of kind::f16 with f16 operands to be f16 or f32, got s32}}
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xi32, tmem, #acc>
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #k128>
    %b = tirx.pool_alloc %pool at(65536) : !tirx.buffer<128x64xf16, shared, #k128>
    // expected-error @+1 {{served by no dispatch variant on sm_100a}}
    tirx.gemm_async thread %d, %a, %b  dispatch("tcgen05") : !tirx.buffer<128x128xi32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #k128>, !tirx.buffer<128x64xf16, shared, #k128>
    gpu.return
  }
}

// -----

#k128 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

#acc96 = #tirx.tile<S[(96, 128) : (1@TLane, 1@TCol)]>
#k96 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(96, 64) : (64, 1)]>>
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @shape_m() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    // expected-note @+1 {{96}}
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<96x128xf32, tmem, #acc96>
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<96x64xf16, shared, #k96>
    %b = tirx.pool_alloc %pool at(65536) : !tirx.buffer<128x64xf16, shared, #k128>
    // expected-error @+1 {{served by no dispatch variant on sm_100a}}
    tirx.gemm_async thread %d, %a, %b  dispatch("tcgen05") : !tirx.buffer<96x128xf32, tmem, #acc96>, !tirx.buffer<96x64xf16, shared, #k96>, !tirx.buffer<128x64xf16, shared, #k128>
    gpu.return
  }
}

// -----

#k128 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#k64  = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 64) : (64, 1)]>>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

#acc64 = #tirx.tile<S[(64, 128) : (1@TLane, 1@TCol)]>
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @accumulator_layout() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    // expected-note @+1 {{tcgen05.mma with M 64 writes d as #tirx.tile<S[(4, 16, 128) : (32@TLane, 1@TLane, 1@TCol)]>: expected this layout, got #tirx.tile<S[(64, 128) : (1@TLane, 1@TCol)]>}}
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<64x128xf32, tmem, #acc64>
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<64x64xf16, shared, #k64>
    %b = tirx.pool_alloc %pool at(65536) : !tirx.buffer<128x64xf16, shared, #k128>
    // expected-error @+1 {{served by no dispatch variant on sm_100a}}
    tirx.gemm_async thread %d, %a, %b  dispatch("tcgen05") : !tirx.buffer<64x128xf32, tmem, #acc64>, !tirx.buffer<64x64xf16, shared, #k64>, !tirx.buffer<128x64xf16, shared, #k128>
    gpu.return
  }
}

// -----

#k128 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

#padded = #tirx.tile<S[(128, 64) : (72, 1)]>
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @operand_layout() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    // expected-note @+1 {{a: }}
    %a = tirx.pool_alloc %pool at(1024) : !tirx.buffer<128x64xf16, shared, #padded>
    %b = tirx.pool_alloc %pool at(65536) : !tirx.buffer<128x64xf16, shared, #k128>
    // expected-error @+1 {{served by no dispatch variant on sm_100a}}
    tirx.gemm_async thread %d, %a, %b  dispatch("tcgen05") : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #padded>, !tirx.buffer<128x64xf16, shared, #k128>
    gpu.return
  }
}

// -----

#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#k256 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(256, 64) : (64, 1)]>>
#k128 = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>

gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @moved(%i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool at(0) : !tirx.buffer<1xi32, shared>
    %s = tirx.pool_alloc %pool at(1024) : !tirx.buffer<256x64xf16, shared, #k256>
    %d = tirx.tmem_buffer %slot[%c0] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
    // Whole stages are fine.
    %stage = arith.muli %i, %c128 : index
    %a = tirx.view %s[%stage, 0] : !tirx.buffer<256x64xf16, shared, #k256> -> !tirx.buffer<128x64xf16, shared, #k128>
    tirx.gemm_async thread %d, %a, %a dispatch("tcgen05") : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #k128>, !tirx.buffer<128x64xf16, shared, #k128>
    // Half a pattern is not.
    %half = arith.muli %i, %c4 : index
    // expected-note @+1 {{expected dynamic offsets of a in multiples of 512 elements (1024 bytes, where the pattern of its layout repeats), got multiples of 256}}
    %b = tirx.view %s[%half, 0] : !tirx.buffer<256x64xf16, shared, #k256> -> !tirx.buffer<128x64xf16, shared, #k128>
    // expected-error @+1 {{served by no dispatch variant}}
    tirx.gemm_async thread %d, %b, %a dispatch("tcgen05") : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #k128>, !tirx.buffer<128x64xf16, shared, #k128>
    gpu.return
  }
}
