// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// copy_c1
func.func @f(%d: !tirx.buffer<128x64xf16, shared>, %s: !tirx.buffer<64x128xf16, global>) {
  // expected-error @+1 {{expected dst and src to have the same shape once extents of 1 are dropped, got 128x64 and 64x128}}
  tirx.copy cta %d, %s : !tirx.buffer<128x64xf16, shared>, !tirx.buffer<64x128xf16, global>
  return
}

// -----

// copy_c1
func.func @f(%d: !tirx.buffer<2xf16, shared>, %s: !tirx.buffer<f16, global>) {
  // expected-error @+1 {{got 2 and scalar}}
  tirx.copy cta %d, %s : !tirx.buffer<2xf16, shared>, !tirx.buffer<f16, global>
  return
}

// -----

// copy_c2
func.func @f(%d: !tirx.buffer<128x64xf16, shared>, %s: !tirx.buffer<128x64xbf16, global>) {
  // expected-error @+1 {{expected dst and src to have the same element type, got 'f16' and 'bf16'}}
  tirx.copy cta %d, %s : !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xbf16, global>
  return
}

// -----

#acc = #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>
// copy_c3
func.func @f(%d: !tirx.buffer<128x64xf32, tmem, #acc>, %s: !tirx.buffer<128x64xf32, global>) {
  // expected-error @+1 {{expected dst in global, shared or local memory, got tmem}}
  tirx.copy cta %d, %s : !tirx.buffer<128x64xf32, tmem, #acc>, !tirx.buffer<128x64xf32, global>
  return
}

// -----

#acc = #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>
// copy_c3
func.func @f(%s: !tirx.buffer<128x64xf32, tmem, #acc>, %d: !tirx.buffer<128x64xf32, global>) {
  // expected-error @+1 {{expected src in global, shared or local memory, got tmem}}
  tirx.copy cta %d, %s : !tirx.buffer<128x64xf32, global>, !tirx.buffer<128x64xf32, tmem, #acc>
  return
}

// -----

// copy_async_c1
func.func @f(%d: !tirx.buffer<128x64xf16, shared>, %s: !tirx.buffer<128x65xf16, global>) {
  // expected-error @+1 {{got 128x64 and 128x65}}
  tirx.copy_async cta %d, %s : !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x65xf16, global>
  return
}

// -----

// copy_async_c2
func.func @f(%d: !tirx.buffer<128x64xf16, shared>, %s: !tirx.buffer<128x64xi16, global>) {
  // expected-error @+1 {{expected dst and src to have the same element type, got 'f16' and 'i16'}}
  tirx.copy_async cta %d, %s : !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xi16, global>
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// gemm_async_c1
func.func @f(%d: !tirx.buffer<128x128xf32, tmem, #acc>, %a: !tirx.buffer<1x128x64xf16, shared>, %b: !tirx.buffer<128x64xf16, shared>) {
  // expected-error @+1 {{expected A to have rank 2, got rank 3}}
  tirx.gemm_async thread %d, %a, %b : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<1x128x64xf16, shared>, !tirx.buffer<128x64xf16, shared>
  return
}

// -----

// gemm_async_c1: rank 0 does not bring the verifier down
func.func @f(%d: !tirx.buffer<f32, local>) {
  // expected-error @+1 {{expected D to have rank 2, got rank 0}}
  tirx.gemm_async thread %d, %d, %d : !tirx.buffer<f32, local>, !tirx.buffer<f32, local>, !tirx.buffer<f32, local>
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// gemm_async_c2
func.func @f(%d: !tirx.buffer<128x128xf32, tmem, #acc>, %a: !tirx.buffer<64x64xf16, shared>, %b: !tirx.buffer<128x64xf16, shared>) {
  // expected-error @+1 {{expected M to agree, got 128 from D and 64 from A (D is (M, N), A is (M, K), B is (N, K))}}
  tirx.gemm_async thread %d, %a, %b : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<64x64xf16, shared>, !tirx.buffer<128x64xf16, shared>
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// gemm_async_c2
func.func @f(%d: !tirx.buffer<128x128xf32, tmem, #acc>, %a: !tirx.buffer<128x64xf16, shared>, %b: !tirx.buffer<128x64xf16, shared>) {
  // expected-error @+1 {{expected N to agree, got 128 from D and 64 from B (D is (M, N), A is (M, K), B is (K, N))}}
  tirx.gemm_async thread %d, %a, %b trans_b : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xf16, shared>
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// gemm_async_c2
func.func @f(%d: !tirx.buffer<128x128xf32, tmem, #acc>, %a: !tirx.buffer<32x128xf16, shared>, %b: !tirx.buffer<128x64xf16, shared>) {
  // expected-error @+1 {{expected K to agree, got 32 from A and 64 from B (D is (M, N), A is (K, M), B is (N, K))}}
  tirx.gemm_async thread %d, %a, %b trans_a : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<32x128xf16, shared>, !tirx.buffer<128x64xf16, shared>
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// gemm_async_c3
func.func @f(%d: !tirx.buffer<128x128xf32, tmem, #acc>, %a: !tirx.buffer<128x64xf16, shared>, %b: !tirx.buffer<128x64xbf16, shared>) {
  // expected-error @+1 {{expected A and B to have the same element type, got 'f16' and 'bf16'}}
  tirx.gemm_async thread %d, %a, %b : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xbf16, shared>
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// gemm_async_c4
func.func @f(%d: !tirx.buffer<128x128xf32, tmem, #acc>, %a: !tirx.buffer<128x64xf16, shared>) {
  // expected-error @+1 {{expected cta_group 1 or 2, got 4}}
  tirx.gemm_async thread %d, %a, %a cta_group(4) : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xf16, shared>
  return
}

// -----

// cast_c1
func.func @f(%d: !tirx.buffer<64xf16, local>, %s: !tirx.buffer<32xf32, local>) {
  // expected-error @+1 {{got 64 and 32}}
  tirx.cast thread %d, %s : !tirx.buffer<64xf16, local>, !tirx.buffer<32xf32, local>
  return
}

// -----

// cast_c2
func.func @f(%d: !tirx.buffer<2xf16, local>, %s: !tirx.buffer<2x!tirx.mbarrier, shared>) {
  // expected-error @+1 {{expected dst and src to hold floats or signless integers, got 'f16' and '!tirx.mbarrier'}}
  tirx.cast thread %d, %s : !tirx.buffer<2xf16, local>, !tirx.buffer<2x!tirx.mbarrier, shared>
  return
}

// -----

// cast_c3
func.func @f(%d: !tirx.buffer<64xf16, shared>, %s: !tirx.buffer<64xf32, local>) {
  // expected-error @+1 {{expected dst in local memory, got shared}}
  tirx.cast thread %d, %s : !tirx.buffer<64xf16, shared>, !tirx.buffer<64xf32, local>
  return
}

// -----

func.func @f(%d: i32, %s: !tirx.buffer<64xf32, local>) {
  // expected-error @+1 {{expected a buffer type, got 'i32'}}
  tirx.cast thread %d, %s : i32, !tirx.buffer<64xf32, local>
  return
}

// -----

func.func @f(%s: !tirx.buffer<64xf32, local>) {
  // expected-error @+2 {{one of: thread, warp, warpgroup, cta, cluster}}
  // expected-error @+1 {{failed to parse TIRx_ScopeAttr}}
  tirx.copy block %s, %s : !tirx.buffer<64xf32, local>, !tirx.buffer<64xf32, local>
  return
}

// -----

// copy_async_c3
func.func @f(%d: !tirx.buffer<64x64xf16, global>, %s: !tirx.buffer<64x64xf16, shared>,
             %b: !tirx.buffer<1x!tirx.mbarrier, shared>, %i: index) {
  // expected-error @+1 {{expected a barrier on a copy from global to shared memory only, got one from shared to global}}
  tirx.copy_async thread %d, %s barrier(%b[%i]) : !tirx.buffer<64x64xf16, global>, !tirx.buffer<64x64xf16, shared>, !tirx.buffer<1x!tirx.mbarrier, shared>
  return
}

// -----

// copy_async_c4
func.func @f(%d: !tirx.buffer<64x64xf16, shared>, %s: !tirx.buffer<64x64xf16, global>, %m: i16) {
  // expected-error @+1 {{expected a barrier with multicast: each CTA's bytes arrive at an mbarrier, got none}}
  tirx.copy_async thread %d, %s multicast(%m) : !tirx.buffer<64x64xf16, shared>, !tirx.buffer<64x64xf16, global>
  return
}

// -----

// copy_async_c4
func.func @f(%d: !tirx.buffer<64x64xf16, shared>, %s: !tirx.buffer<64x64xf16, global>) {
  // expected-error @+1 {{expected a barrier with cta_group(2)}}
  tirx.copy_async thread %d, %s cta_group(2) : !tirx.buffer<64x64xf16, shared>, !tirx.buffer<64x64xf16, global>
  return
}

// -----

// copy_async_c5
func.func @f(%d: !tirx.buffer<64x64xf16, shared>, %s: !tirx.buffer<64x64xf16, global>) {
  // expected-error @+1 {{expected cta_group 1 or 2, got 3}}
  tirx.copy_async thread %d, %s cta_group(3) : !tirx.buffer<64x64xf16, shared>, !tirx.buffer<64x64xf16, global>
  return
}

// -----

// gemm_c1
func.func @f(%d: !tirx.buffer<128xf32, local>, %a: !tirx.buffer<16x8xf32, local>) {
  // expected-error @+1 {{expected D to have rank 2, got rank 1}}
  tirx.gemm warp %d, %a, %a : !tirx.buffer<128xf32, local>, !tirx.buffer<16x8xf32, local>, !tirx.buffer<16x8xf32, local>
  return
}

// -----

// gemm_c2
func.func @f(%d: !tirx.buffer<16x8xf32, local>, %a: !tirx.buffer<16x8xf32, local>) {
  // expected-error @+1 {{expected N to agree, got 8 from D and 16 from B}}
  tirx.gemm warp %d, %a, %a : !tirx.buffer<16x8xf32, local>, !tirx.buffer<16x8xf32, local>, !tirx.buffer<16x8xf32, local>
  return
}

// -----

// gemm_c3
func.func @f(%d: !tirx.buffer<16x16xf32, local>, %a: !tirx.buffer<16x8xf32, local>, %b: !tirx.buffer<16x8xi32, local>) {
  // expected-error @+1 {{expected A and B to have the same element type, got 'f32' and 'i32'}}
  tirx.gemm warp %d, %a, %b : !tirx.buffer<16x16xf32, local>, !tirx.buffer<16x8xf32, local>, !tirx.buffer<16x8xi32, local>
  return
}

// -----

// gemm_async_c2: a pair of CTAs holds half of B each
func.func @f(%d: !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>, %a: !tirx.buffer<128x64xf16, shared>) {
  // expected-error @+1 {{expected N / 2 to agree, got 64 from D and 128 from B}}
  tirx.gemm_async thread %d, %a, %a cta_group(2) : !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>, !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xf16, shared>
  return
}
