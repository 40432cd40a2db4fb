// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// load_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>, %i: index) {
  // expected-error @+1 {{expected 2 indices, one for each dimension of 128x64, got 1}}
  %0 = tirx.load %g[%i] : !tirx.buffer<128x64xf16, global> -> f16
  return
}

// -----

// load_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>, %i: index) {
  // expected-error @+1 {{expected the result to be 'f16' or a vector of it of rank 1, got 'f32'}}
  %0 = tirx.load %g[%i, %i] : !tirx.buffer<128x64xf16, global> -> f32
  return
}

// -----

// load_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>, %i: index) {
  // expected-error @+1 {{expected the result to be 'f16' or a vector of it of rank 1, got 'vector<2x2xf16>'}}
  %0 = tirx.load %g[%i, %i] : !tirx.buffer<128x64xf16, global> -> vector<2x2xf16>
  return
}

// -----

// load_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>, %i: index) {
  // expected-error @+1 {{expected the result to be 'f16' or a vector of it of rank 1, got 'vector<[8]xf16>'}}
  %0 = tirx.load %g[%i, %i] : !tirx.buffer<128x64xf16, global> -> vector<[8]xf16>
  return
}

// -----

// load_c3: the swizzle keeps runs of 8
func.func @f(%s: !tirx.buffer<128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>>, %i: index) {
  // expected-error @+1 {{expected 16 elements along the last dimension to lie side by side at their natural alignment, got a layout with runs of 8}}
  %0 = tirx.load %s[%i, %i] : !tirx.buffer<128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>> -> vector<16xf16>
  return
}

// -----

// load_c3: column-major
func.func @f(%g: !tirx.buffer<128x64xf16, global, #tirx.tile<S[(128, 64) : (1, 128)]>>, %i: index) {
  // expected-error @+1 {{got a layout with runs of 1}}
  %0 = tirx.load %g[%i, %i] : !tirx.buffer<128x64xf16, global, #tirx.tile<S[(128, 64) : (1, 128)]>> -> vector<2xf16>
  return
}

// -----

// load_c3: neighbours, but rows start at odd places
func.func @f(%g: !tirx.buffer<128x64xf16, global, #tirx.tile<S[(128, 64) : (65, 1)]>>, %i: index) {
  // expected-error @+1 {{got a layout with runs of 1}}
  %0 = tirx.load %g[%i, %i] : !tirx.buffer<128x64xf16, global, #tirx.tile<S[(128, 64) : (65, 1)]>> -> vector<2xf16>
  return
}

// -----

// load_c3
func.func @f(%g: !tirx.buffer<128x63xf16, global>, %i: index) {
  // expected-error @+1 {{expected a vector whose length is a power of two, got 3}}
  %0 = tirx.load %g[%i, %i] : !tirx.buffer<128x63xf16, global> -> vector<3xf16>
  return
}

// -----

// load_c3
func.func @f(%g: !tirx.buffer<f16, global>) {
  // expected-error @+1 {{expected a buffer with a dimension to read or write a vector along, got rank 0}}
  %0 = tirx.load %g[] : !tirx.buffer<f16, global> -> vector<2xf16>
  return
}

// -----

// load_c4
func.func @f(%t: !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>, %i: index) {
  // expected-error @+1 {{expected a buffer in global, shared or local memory, got tmem}}
  %0 = tirx.load %t[%i, %i] : !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>> -> f32
  return
}

// -----

// load_c4
func.func @f(%t: !tirx.buffer<32x8xf32, local, #tirx.tile<S[(32, 8) : (1@laneid, 1)]>>, %i: index) {
  // expected-error @+1 {{expected a buffer without thread axes}}
  %0 = tirx.load %t[%i, %i] : !tirx.buffer<32x8xf32, local, #tirx.tile<S[(32, 8) : (1@laneid, 1)]>> -> f32
  return
}

// -----

// store_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>, %v: f16, %i: index) {
  // expected-error @+1 {{expected 2 indices, one for each dimension of 128x64, got 3}}
  tirx.store %v, %g[%i, %i, %i] : f16, !tirx.buffer<128x64xf16, global>
  return
}

// -----

// store_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>, %v: i16, %i: index) {
  // expected-error @+1 {{expected the value to be 'f16' or a vector of it of rank 1, got 'i16'}}
  tirx.store %v, %g[%i, %i] : i16, !tirx.buffer<128x64xf16, global>
  return
}

// -----

// store_c3
func.func @f(%g: !tirx.buffer<64x4xf16, global>, %v: vector<8xf16>, %i: index) {
  // expected-error @+1 {{expected 8 elements along the last dimension to lie side by side at their natural alignment, got a layout with runs of 4}}
  tirx.store %v, %g[%i, %i] : vector<8xf16>, !tirx.buffer<64x4xf16, global>
  return
}

// -----

// store_c4
func.func @f(%t: !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>, %v: f32, %i: index) {
  // expected-error @+1 {{expected a buffer in global, shared or local memory, got tmem}}
  tirx.store %v, %t[%i, %i] : f32, !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>
  return
}

// -----

// ptr_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected 2 indices, one for each dimension of 128x64, got 0}}
  %0 = tirx.ptr %g[] : !tirx.buffer<128x64xf16, global> -> !llvm.ptr<1>
  return
}

// -----

// ptr_c2
func.func @f(%g: !tirx.buffer<128xf16, shared>, %i: index) {
  // expected-error @+1 {{expected a pointer in address space 3, that of shared, got 1}}
  %0 = tirx.ptr %g[%i] : !tirx.buffer<128xf16, shared> -> !llvm.ptr<1>
  return
}

// -----

// ptr_c2
func.func @f(%g: !tirx.buffer<128xf16, local>, %i: index) {
  // expected-error @+1 {{expected a buffer in global, shared or tensor memory, got local: registers have no address}}
  %0 = tirx.ptr %g[%i] : !tirx.buffer<128xf16, local> -> !llvm.ptr<5>
  return
}

// -----

// smem_descriptor_c1
func.func @f(%s: !tirx.buffer<2x128x64xf16, shared>) {
  // expected-error @+1 {{expected a buffer of rank 2, got rank 3}}
  %0 = tirx.smem_descriptor %s k_dim(1) step(0) : !tirx.buffer<2x128x64xf16, shared>
  return
}

// -----

// smem_descriptor_c1
func.func @f(%s: !tirx.buffer<128x64xf16, shared>) {
  // expected-error @+1 {{expected k_dim 0 or 1, got 2}}
  %0 = tirx.smem_descriptor %s k_dim(2) step(0) : !tirx.buffer<128x64xf16, shared>
  return
}

// -----

// load_c5
func.func @load_c5(%A: !tirx.buffer<8x8xf32, global>, %i: index) {
  // expected-error @+1 {{expected dim below the rank 2, got 2}}
  %v = tirx.load %A[%i, %i] dim(2) : !tirx.buffer<8x8xf32, global> -> vector<2xf32>
  return
}

// -----

// store_c5
func.func @store_c5(%A: !tirx.buffer<8x8xf32, global>, %i: index, %v: vector<2xf32>) {
  // expected-error @+1 {{expected dim below the rank 2, got -1}}
  tirx.store %v, %A[%i, %i] dim(-1) : vector<2xf32>, !tirx.buffer<8x8xf32, global>
  return
}
