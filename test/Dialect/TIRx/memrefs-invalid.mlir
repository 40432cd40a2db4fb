// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// to_memref_c1
func.func @f(%r: !tirx.buffer<8xf32, local>) {
  // expected-error @+1 {{expected a buffer in global or shared memory, got local}}
  %0 = tirx.to_memref %r : !tirx.buffer<8xf32, local> -> memref<8xf32, 5>
  return
}

// -----

// to_memref_c2: shape
func.func @f(%s: !tirx.buffer<8x4xf32, shared>) {
  // expected-error @+1 {{expected a memref of 8x4 'f32', got 'memref<4x8xf32, 3>'}}
  %0 = tirx.to_memref %s : !tirx.buffer<8x4xf32, shared> -> memref<4x8xf32, 3>
  return
}

// -----

// to_memref_c2: memory space
func.func @f(%s: !tirx.buffer<8x4xf32, shared>) {
  // expected-error @+1 {{expected memory space 3 for shared memory, got 'memref<8x4xf32, 1>'}}
  %0 = tirx.to_memref %s : !tirx.buffer<8x4xf32, shared> -> memref<8x4xf32, 1>
  return
}

// -----

// to_memref_c2: layout
func.func @f(%s: !tirx.buffer<8x4xf32, shared>) {
  // expected-error @+1 {{element (0, 1) is at (m 1), not at (m 8)}}
  %0 = tirx.to_memref %s : !tirx.buffer<8x4xf32, shared> -> memref<8x4xf32, strided<[1, 8]>, 3>
  return
}

// -----

// to_memref_c2: a swizzle has no strides
func.func @f(%s: !tirx.buffer<128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>>) {
  // expected-error @+1 {{expected a memref with the buffer's layout, #tirx.compose<}}
  %0 = tirx.to_memref %s : !tirx.buffer<128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>>
      -> memref<128x64xf16, 3>
  return
}

// -----

// to_memref_c2: dynamic strides
func.func @f(%s: !tirx.buffer<8x4xf32, shared>) {
  // expected-error @+1 {{expected a memref whose layout is known}}
  %0 = tirx.to_memref %s : !tirx.buffer<8x4xf32, shared> -> memref<8x4xf32, strided<[?, 1]>, 3>
  return
}

// -----

// from_memref_c1
func.func @f(%m: memref<8xf32, 5>) {
  // expected-error @+1 {{expected a buffer in global or shared memory, got local}}
  %0 = tirx.from_memref %m : memref<8xf32, 5> -> !tirx.buffer<8xf32, local>
  return
}

// -----

// from_memref_c2: dynamic extents
func.func @f(%m: memref<?xf32, 1>) {
  // expected-error @+1 {{expected a memref of 8 'f32', got 'memref<?xf32, 1>'}}
  %0 = tirx.from_memref %m : memref<?xf32, 1> -> !tirx.buffer<8xf32, global>
  return
}

// -----

// from_memref_c2: no memory space at all
func.func @f(%m: memref<8xf32>) {
  // expected-error @+1 {{expected memory space 1 for global memory, got 'memref<8xf32>'}}
  %0 = tirx.from_memref %m : memref<8xf32> -> !tirx.buffer<8xf32, global>
  return
}
