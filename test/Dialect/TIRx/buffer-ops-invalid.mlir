// RUN: tirx-opt %s -split-input-file -verify-diagnostics

#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
// pool_alloc_c1
func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{expected an offset that is a multiple of 1024, the alignment in bytes that its type asks for, got at(512)}}
  %0 = tirx.pool_alloc %pool at(512) : !tirx.buffer<128x64xf16, shared, #ab>
  return
}

// -----

// pool_alloc_c1: 16 bytes without a swizzle
func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{expected an offset that is a multiple of 16, the alignment in bytes that its type asks for, got at(8)}}
  %0 = tirx.pool_alloc %pool at(8) : !tirx.buffer<4xf32, shared>
  return
}

// -----

// pool_alloc_c1: 8 bytes for barriers
func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{expected an offset that is a multiple of 8, the alignment in bytes that its type asks for, got at(12)}}
  %0 = tirx.pool_alloc %pool at(12) : !tirx.buffer<1x!tirx.mbarrier, shared>
  return
}

// -----

// pool_alloc_c1
func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{expected an offset that is a multiple of 128, the alignment in bytes that its align asks for, got at(64)}}
  %0 = tirx.pool_alloc %pool at(64) align(128) : !tirx.buffer<4xf32, shared>
  return
}

// -----

// pool_alloc_c1
func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{expected an offset of at least 0, got at(-16)}}
  %0 = tirx.pool_alloc %pool at(-16) : !tirx.buffer<4xf32, shared>
  return
}

// -----

// pool_alloc_c2
func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{expected align to be a power of two, got 48}}
  %0 = tirx.pool_alloc %pool align(48) : !tirx.buffer<4xf32, shared>
  return
}

// -----

// pool_alloc_c2
func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{expected align to be a power of two, got 0}}
  %0 = tirx.pool_alloc %pool align(0) : !tirx.buffer<4xf32, shared>
  return
}

// -----

func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{result #0 must be buffer in shared memory}}
  %0 = tirx.pool_alloc %pool : !tirx.buffer<4xf32, global>
  return
}

// -----

// pool_move_base_c1
func.func @f(%pool: !tirx.pool) {
  // expected-error @+1 {{expected an offset of at least 0, got -1}}
  tirx.pool_move_base %pool to(-1)
  return
}

// -----

// tmem_alloc_c1
func.func @f(%slot: !tirx.buffer<1xi64, shared>, %i: index) {
  // expected-error @+1 {{expected slot to be a buffer of rank 1 of i32, got '!tirx.buffer<1xi64, shared>'}}
  tirx.tmem_alloc %slot[%i] columns(32) : !tirx.buffer<1xi64, shared>
  return
}

// -----

// tmem_alloc_c1
func.func @f(%slot: !tirx.buffer<1x1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected slot to be a buffer of rank 1 of i32}}
  tirx.tmem_alloc %slot[%i] columns(32) : !tirx.buffer<1x1xi32, shared>
  return
}

// -----

// tmem_alloc_c2
func.func @f(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected columns to be a power of two from 32 to 512, got 96}}
  tirx.tmem_alloc %slot[%i] columns(96) : !tirx.buffer<1xi32, shared>
  return
}

// -----

// tmem_alloc_c2
func.func @f(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected columns to be a power of two from 32 to 512, got 1024}}
  tirx.tmem_alloc %slot[%i] columns(1024) : !tirx.buffer<1xi32, shared>
  return
}

// -----

// tmem_alloc_c2
func.func @f(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected columns to be a power of two from 32 to 512, got -512}}
  tirx.tmem_alloc %slot[%i] columns(-512) : !tirx.buffer<1xi32, shared>
  return
}

// -----

// tmem_alloc_c3
func.func @f(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected cta_group 1 or 2, got 0}}
  tirx.tmem_alloc %slot[%i] columns(32) cta_group(0) : !tirx.buffer<1xi32, shared>
  return
}

// -----

// tmem_dealloc_c1
func.func @f(%slot: !tirx.buffer<1xf32, shared>, %i: index) {
  // expected-error @+1 {{expected slot to be a buffer of rank 1 of i32}}
  tirx.tmem_dealloc %slot[%i] columns(32) : !tirx.buffer<1xf32, shared>
  return
}

// -----

// tmem_dealloc_c2
func.func @f(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected columns to be a power of two from 32 to 512, got 16}}
  tirx.tmem_dealloc %slot[%i] columns(16) : !tirx.buffer<1xi32, shared>
  return
}

// -----

// tmem_dealloc_c3
func.func @f(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected cta_group 1 or 2, got 3}}
  tirx.tmem_dealloc %slot[%i] columns(32) cta_group(3) : !tirx.buffer<1xi32, shared>
  return
}

// -----

// tmem_relinquish_c1
func.func @f() {
  // expected-error @+1 {{expected cta_group 1 or 2, got 3}}
  tirx.tmem_relinquish cta_group(3)
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// tmem_buffer_c1
func.func @f(%slot: !tirx.buffer<1xi16, shared>, %i: index) {
  // expected-error @+1 {{expected slot to be a buffer of rank 1 of i32}}
  %0 = tirx.tmem_buffer %slot[%i] : !tirx.buffer<1xi16, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// tmem_buffer_c4
func.func @f(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected column to be at least 0, got -1}}
  %0 = tirx.tmem_buffer %slot[%i] column(-1) : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
  return
}

// -----

#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
// tmem_buffer_c4
func.func @f(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // expected-error @+1 {{expected the buffer to end at column 512 or before, got column 513}}
  %0 = tirx.tmem_buffer %slot[%i] column(385) : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
  return
}

// -----

// view_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected as many offsets and result dimensions as the source has, 2, got 1 offsets and 2 dimensions}}
  %0 = tirx.view %g[0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64x64xf16, global>
  return
}

// -----

// view_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{got 2 offsets and 1 dimensions}}
  %0 = tirx.view %g[0, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64xf16, global>
  return
}

// -----

// view_c1: a generic form that disagrees with itself
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected one operand for each dynamic offset, 2, got 0}}
  %0 = "tirx.view"(%g) <{static_offsets = array<i64: -9223372036854775808, -9223372036854775808>}> : (!tirx.buffer<128x64xf16, global>) -> !tirx.buffer<128x64xf16, global>
  return
}

// -----

// view_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a result of 'f16' in global, got 'bf16' in global}}
  %0 = tirx.view %g[0, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xbf16, global>
  return
}

// -----

// view_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a result of 'f16' in global, got 'f16' in shared}}
  %0 = tirx.view %g[0, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xf16, shared>
  return
}

// -----

// view_c3
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the region to stay inside extent 128 of dimension 0, got offset 65 and extent 64}}
  %0 = tirx.view %g[65, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64x64xf16, global>
  return
}

// -----

// view_c3
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the region to stay inside extent 64 of dimension 1, got offset -1 and extent 64}}
  %0 = tirx.view %g[0, -1] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xf16, global>
  return
}

// -----

// view_c3: a dynamic offset counts as 0
func.func @f(%g: !tirx.buffer<128x64xf16, global>, %i: index) {
  // expected-error @+1 {{expected the region to stay inside extent 128 of dimension 0, got offset 0 and extent 129}}
  %0 = tirx.view %g[%i, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<129x64xf16, global>
  return
}

// -----

// view_c3: no overflow
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the region to stay inside extent 128 of dimension 0}}
  %0 = tirx.view %g[9223372036854775807, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xf16, global>
  return
}

// -----

// view_c4: row-major of the result is not the slice of the source
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the result to have the slice of the source's layout}}
  %0 = tirx.view %g[0, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x32xf16, global>
  return
}

// -----

// view_c4: a static offset belongs to the layout
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the result to have the slice of the source's layout}}
  %0 = tirx.view %g[64, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64x64xf16, global>
  return
}

// -----

// view_c4: no swizzle in the result
func.func @f(%s: !tirx.buffer<128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>>) {
  // expected-error @+1 {{expected the result to have the slice of the source's layout}}
  %0 = tirx.view %s[0, 0] : !tirx.buffer<128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>>
      -> !tirx.buffer<128x64xf16, shared>
  return
}

// -----

// view_c5: two strides
func.func @f(%g: !tirx.buffer<64x8xf16, global, #tirx.tile<S[(8, 8, 8) : (1024, 8, 1)]>>, %i: index) {
  // expected-error @+1 {{expected dimension 0, which has a dynamic offset, to have one stride}}
  %0 = tirx.view %g[%i, 0] : !tirx.buffer<64x8xf16, global, #tirx.tile<S[(8, 8, 8) : (1024, 8, 1)]>>
      -> !tirx.buffer<8x8xf16, global>
  return
}

// -----

// view_c5: thread axes
func.func @f(%r: !tirx.buffer<32x8xf16, local, #tirx.tile<S[(32, 8) : (1@laneid, 1)]>>, %i: index) {
  // expected-error @+1 {{expected dimension 0, which has a dynamic offset, on a memory axis, got laneid}}
  %0 = tirx.view %r[%i, 0] : !tirx.buffer<32x8xf16, local, #tirx.tile<S[(32, 8) : (1@laneid, 1)]>>
      -> !tirx.buffer<1x8xf16, local, #tirx.tile<S[(1, 8) : (1@laneid, 1)]>>
  return
}

// -----

// local_view_c1
func.func @f(%r: !tirx.buffer<128x64xf32, local, #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>>) {
  // expected-error @+1 {{expected a result with as many registers of the same type in each thread, 64 of 'f32', got 128 of 'f32'}}
  %0 = tirx.local_view %r : !tirx.buffer<128x64xf32, local, #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>> -> !tirx.buffer<128xf32, local>
  return
}

// -----

// local_view_c1
func.func @f(%r: !tirx.buffer<64xf32, local>) {
  // expected-error @+1 {{expected a result with as many registers of the same type in each thread, 64 of 'f32', got 64 of 'i32'}}
  %0 = tirx.local_view %r : !tirx.buffer<64xf32, local> -> !tirx.buffer<64xi32, local>
  return
}
