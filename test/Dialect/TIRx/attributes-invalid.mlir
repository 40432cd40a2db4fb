// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// tile_c1
// expected-error @+1 {{extent}}
func.func private @f() attributes { a = #tirx.tile<S[(128, 0) : (1, 1)]> }

// -----

// tile_c1: the number of elements
// expected-error @+1 {{64}}
func.func private @f() attributes { a = #tirx.tile<S[(4294967296, 4294967296) : (1, 1)]> }

// -----

// tile_c1: a coordinate
// expected-error @+1 {{64}}
func.func private @f() attributes { a = #tirx.tile<S[(4, 9223372036854775807) : (4611686018427387904, 1)]> }

// -----

// tile_c1: a number that is too long for an integer
// expected-error @+1 {{integer value too large}}
func.func private @f() attributes { a = #tirx.tile<S[99999999999999999999 : 1]> }

// -----

// tile_c2
// expected-error @+1 {{expected a known axis (m, reg, TLane, TCol,}}
func.func private @f() attributes { a = #tirx.tile<S[(128, 64) : (1@TRow, 1)]> }

// -----

// expected-error @+1 {{expected 2 strides, one for each extent, got 1}}
func.func private @f() attributes { a = #tirx.tile<S[(128, 64) : 1]> }

// -----

// expected-error @+1 {{expected 1 strides, one for each extent, got 3}}
func.func private @f() attributes { a = #tirx.tile<S[128 : (1, 2, 3)]> }

// -----

// expected-error @+1 {{expected 'S' at the start of a layout}}
func.func private @f() attributes { a = #tirx.tile<R[2 : 1]> }

// -----

// expected-error @+1 {{expected one R[...], got a second one}}
func.func private @f() attributes { a = #tirx.tile<S[4 : 1] + R[2 : 1@laneid] + R[2 : 1@warpid]> }

// -----

// expected-error @+1 {{expected R[...] or an offset after '+'}}
func.func private @f() attributes { a = #tirx.tile<S[4 : 1] + S[4 : 1]> }

// -----

// expected-error @+1 {{expected '['}}
func.func private @f() attributes { a = #tirx.tile<S(4 : 1)> }

// -----

// expected-error @+1 {{expected ':'}}
func.func private @f() attributes { a = #tirx.tile<S[4]> }

// -----

// swizzle_c1: s is at least b
// expected-error @+1 {{expected}}
func.func private @f() attributes { a = #tirx.swizzle<3, 3, 2> }

// -----

// swizzle_c1: not negative
// expected-error @+1 {{expected}}
func.func private @f() attributes { a = #tirx.swizzle<-1, 3, 3> }

// -----

// swizzle_c1: at most 62 bits
// expected-error @+1 {{expected}}
func.func private @f() attributes { a = #tirx.swizzle<30, 16, 17> }

// -----

// expected-error @+1 {{expected 'outer'}}
func.func private @f() attributes { a = #tirx.swizzle<3, 3, 3, inner> }

// -----

// compose_c1
// expected-error @+1 {{expected}}
func.func private @f() attributes { a = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(8, 8) : (-8, 1)]>> }

// -----

// expected-error @+1 {{invalid kind of attribute specified}}
func.func private @f() attributes { a = #tirx.compose<#tirx.tile<S[8 : 1]>, #tirx.tile<S[8 : 1]>> }

// -----

// tirx_attribute_c1
// expected-error @+1 {{expected 'tirx.explicit_sync' to be a unit attribute, got false}}
func.func private @f() attributes { tirx.explicit_sync = false }

// -----

// tirx_attribute_c1
// expected-error @+1 {{expected 'tirx.explicit_sync' on a function}}
module attributes { tirx.explicit_sync } {}

// -----

// tirx_attribute_c2
// expected-error @+1 {{expected 'tirx.shared_bytes' to be an i64 of at least 0, got -1 : i64}}
func.func private @f() attributes { tirx.shared_bytes = -1 : i64 }

// -----

// tirx_attribute_c2
// expected-error @+1 {{expected 'tirx.shared_bytes' to be an i64 of at least 0, got 4 : i32}}
func.func private @f() attributes { tirx.shared_bytes = 4 : i32 }

// -----

// tirx_attribute_c3: a misspelt name is not ignored
// expected-error @+1 {{expected tirx.explicit_sync, tirx.shared_bytes or tirx.origin, got the attribute 'tirx.explicitsync'}}
func.func private @f() attributes { tirx.explicitsync }

// -----

// tirx_attribute_c4
// expected-error @+1 {{expected 'tirx.tensor_map' to be a #tirx.tensor_map on a pointer, got 1 : i64}}
func.func private @f(!llvm.ptr {tirx.tensor_map = 1 : i64})

// -----

// tirx_attribute_c4
// expected-error @+1 {{expected 'tirx.tensor_map' to be a #tirx.tensor_map on a pointer}}
func.func private @f(i64 {tirx.tensor_map = #tirx.tensor_map<of = 0, offset = 0, dtype = "f16", dims = [64], strides = [], box = [64], swizzle = "none">})

// -----

// tirx_attribute_c4
// expected-error @+1 {{expected tirx.tensor_map on a parameter, got the attribute 'tirx.tensormap'}}
func.func private @f(!llvm.ptr {tirx.tensormap})
