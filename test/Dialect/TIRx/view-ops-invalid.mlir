// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// view_c2: shape and element type alone
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the source's element type 'f16', got 'bf16'}}
  %0 = tirx.view %g[0, 0] : !tirx.buffer<128x64xf16, global> -> 64x64xbf16
  return
}

// -----

// view_c3
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the region to stay inside extent 128 of dimension 0, got offset 100 and extent 64}}
  %0 = tirx.view %g[100, 0] : !tirx.buffer<128x64xf16, global> -> 64x64xf16
  return
}

// -----

// view_c3: an empty region
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected}}
  %0 = tirx.view %g[0, 0] : !tirx.buffer<128x64xf16, global> -> 0x64xf16
  return
}

// -----

// view_c4: the first element on which the layouts differ
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{got #tirx.tile<S[(8, 32) : (32, 1)]>; element (1, 0) is at (m 64), not at (m 32)}}
  %0 = tirx.view %g[0, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<8x32xf16, global, #tirx.tile<S[(8, 32) : (32, 1)]>>
  return
}

// -----

// permute_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected each of 2 dimensions once in a permutation}}
  %0 = tirx.permute %g[0, 0] : !tirx.buffer<128x64xf16, global> -> 128x128xf16
  return
}

// -----

// permute_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected each of 2 dimensions once in a permutation}}
  %0 = tirx.permute %g[1] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64xf16, global>
  return
}

// -----

// permute_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a result of 'f16' in global, got 'f16' in shared}}
  %0 = tirx.permute %g[0, 1] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xf16, shared>
  return
}

// -----

// permute_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a result of shape 64x128, got 128x64}}
  %0 = tirx.permute %g[1, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xf16, global>
  return
}

// -----

// permute_c2: shape and element type alone
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the shape 64x128, got 128x64}}
  %0 = tirx.permute %g[1, 0] : !tirx.buffer<128x64xf16, global> -> 128x64xf16
  return
}

// -----

// permute_c3
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the result to have the permutation of the source's layout, #tirx.tile<S[(64, 128) : (1, 64)]>, got #tirx.tile<S[(64, 128) : (128, 1)]>; element (0, 1) is at (m 64), not at (m 1)}}
  %0 = tirx.permute %g[1, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64x128xf16, global>
  return
}

// -----

// reshape_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a shape of 8192 elements, got 128x63 of 8064}}
  %0 = tirx.reshape %g : !tirx.buffer<128x64xf16, global> -> 128x63xf16
  return
}

// -----

// reshape_c1: no overflow
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a shape of 8192 elements, got 4294967296x4294967296}}
  %0 = tirx.reshape %g : !tirx.buffer<128x64xf16, global> -> 4294967296x4294967296xf16
  return
}

// -----

// reshape_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a result of 'f16' in global, got 'f32' in global}}
  %0 = tirx.reshape %g : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xf32, global>
  return
}

// -----

// reshape_c2
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected the result to have the source's layout, #tirx.tile<S[(128, 64) : (64, 1)]>, got #tirx.tile<S[(64, 128) : (1, 64)]>; element (0, 1) is at (m 1), not at (m 64)}}
  %0 = tirx.reshape %g : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64x128xf16, global, #tirx.tile<S[(64, 128) : (1, 64)]>>
  return
}

// -----

// layout_cast_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a result of shape 128x64, got 64x128}}
  %0 = tirx.layout_cast %g : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64x128xf16, global>
  return
}

// -----

// layout_cast_c1
func.func @f(%g: !tirx.buffer<128x64xf16, global>) {
  // expected-error @+1 {{expected a result of 'f16' in global, got 'bf16' in global}}
  %0 = tirx.layout_cast %g : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<128x64xbf16, global>
  return
}

// -----

// layout_cast_c2: replicas are part of the map
func.func @f(%r: !tirx.buffer<8x4xf16, local, #tirx.tile<S[(8, 4) : (4@laneid, 1@laneid)]>>) {
  // expected-error @+1 {{element (0, 0) is at (), not at {(), (warpid 1)}}}
  %0 = tirx.layout_cast %r : !tirx.buffer<8x4xf16, local, #tirx.tile<S[(8, 4) : (4@laneid, 1@laneid)]>>
      -> !tirx.buffer<8x4xf16, local, #tirx.tile<S[(8, 4) : (4@laneid, 1@laneid)] + R[2 : 1@warpid]>>
  return
}

// -----

// recast_c1
func.func @f(%r: !tirx.buffer<8xf16, local>) {
  // expected-error @+1 {{expected numbers in global, shared or tensor memory, got 'f16' in local and 'i32'}}
  %0 = tirx.recast %r : !tirx.buffer<8xf16, local> -> 4xi32
  return
}

// -----

// recast_c1
func.func @f(%b: !tirx.buffer<8x!tirx.mbarrier, shared>) {
  // expected-error @+1 {{expected numbers in global, shared or tensor memory, got '!tirx.mbarrier' in shared and 'i32'}}
  %0 = tirx.recast %b : !tirx.buffer<8x!tirx.mbarrier, shared> -> 16xi32
  return
}

// -----

// recast_c2
func.func @f(%g: !tirx.buffer<4x7xf16, global>) {
  // expected-error @+1 {{expected a last extent of whole elements of 32 bits, got 7 elements of 16}}
  %0 = tirx.recast %g : !tirx.buffer<4x7xf16, global> -> 4x3xi32
  return
}

// -----

// recast_c2
func.func @f(%g: !tirx.buffer<4x8xf16, global>) {
  // expected-error @+1 {{expected the shape 4x4, got 2x8}}
  %0 = tirx.recast %g : !tirx.buffer<4x8xf16, global> -> 2x8xi32
  return
}

// -----

// recast_c2
func.func @f(%g: !tirx.buffer<4x8xf16, global>) {
  // expected-error @+1 {{expected a result of shape 4x4 in global, got 4x4 in shared}}
  %0 = tirx.recast %g : !tirx.buffer<4x8xf16, global> -> !tirx.buffer<4x4xi32, shared>
  return
}

// -----

// recast_c3: neighbours of a row are far apart
func.func @f(%g: !tirx.buffer<4x8xf16, global, #tirx.tile<S[(4, 8) : (1, 4)]>>) {
  // expected-error @+1 {{expected a layout that elements of 32 bits have: }}
  %0 = tirx.recast %g : !tirx.buffer<4x8xf16, global, #tirx.tile<S[(4, 8) : (1, 4)]>> -> 4x4xi32
  return
}

// -----

// recast_c3
func.func @f(%g: !tirx.buffer<4x8xf16, global>) {
  // expected-error @+1 {{expected the result to have the source's layout for the new elements, #tirx.tile<S[(4, 4) : (4, 1)]>, got #tirx.tile<S[(4, 4) : (1, 4)]>; element (0, 1) is at (m 1), not at (m 4)}}
  %0 = tirx.recast %g : !tirx.buffer<4x8xf16, global> -> !tirx.buffer<4x4xi32, global, #tirx.tile<S[(4, 4) : (1, 4)]>>
  return
}
