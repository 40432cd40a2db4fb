// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// buffer_c1
// expected-error @+1 {{expected extents of at least 1, got 0 in dimension 1}}
func.func private @f(!tirx.buffer<4x0xf32, local>)

// -----

// buffer_c1
// expected-error @+1 {{expected a number of elements that fits 64 bits, got more in dimension 1}}
func.func private @f(!tirx.buffer<4294967296x4294967296xf32, global>)

// -----

// buffer_c1: 2^62 elements are countable, their bits are not
// expected-error @+1 {{expected a layout that stores less than 2^63 bits}}
func.func private @f(!tirx.buffer<4611686018427387904xf32, global>)

// -----

// buffer_c1: the same for the period of a swizzle
// expected-error @+1 {{expected a layout that stores less than 2^63 bits}}
func.func private @f(!tirx.buffer<16xf32, shared, #tirx.compose<#tirx.swizzle<20, 20, 22>, #tirx.tile<S[16 : 1]>>>)

// -----

// buffer_c1: extents are static
// expected-error @+1 {{expected static shape}}
func.func private @f(!tirx.buffer<?x4xf32, global>)

// -----

// buffer_c2
// expected-error @+1 {{expected a layout of 8192 elements, as many as the shape has, got 4096}}
func.func private @f(!tirx.buffer<128x64xf16, shared, #tirx.tile<S[(64, 64) : (64, 1)]>>)

// -----

// buffer_c3
// expected-error @+1 {{expected a shared layout on the axis m, got the axis TLane}}
func.func private @f(!tirx.buffer<128x64xf16, shared, #tirx.tile<S[(128, 64) : (1@TLane, 1)]>>)

// -----

// buffer_c3
// expected-error @+1 {{expected a global layout on the axis m, got the axis laneid}}
func.func private @f(!tirx.buffer<32xf16, global, #tirx.tile<S[32 : 1@laneid]>>)

// -----

// buffer_c3
// expected-error @+1 {{expected a tmem layout on the axes TLane and TCol, got the axis m}}
func.func private @f(!tirx.buffer<128x64xf32, tmem>)

// -----

// buffer_c3
// expected-error @+1 {{expected a local layout on thread axes and m, got the axis TCol}}
func.func private @f(!tirx.buffer<128x64xf32, local, #tirx.tile<S[(128, 64) : (1@laneid, 1@TCol)]>>)

// -----

// buffer_c3
// expected-error @+1 {{expected TLane below 128, got 255}}
func.func private @f(!tirx.buffer<256x64xf32, tmem, #tirx.tile<S[(256, 64) : (1@TLane, 1@TCol)]>>)

// -----

// buffer_c3: 512 columns of 32 bits
// expected-error @+1 {{expected TCol below 512 (512 columns of 32 bits, elements of 32), got 512}}
func.func private @f(!tirx.buffer<128x513xf32, tmem, #tirx.tile<S[(128, 513) : (1@TLane, 1@TCol)]>>)

// -----

// buffer_c3: 1024 elements of 16 bits
// expected-error @+1 {{expected TCol below 1024 (512 columns of 32 bits, elements of 16), got 1024}}
func.func private @f(!tirx.buffer<128x1025xf16, tmem, #tirx.tile<S[(128, 1025) : (1@TLane, 1@TCol)]>>)

// -----

// buffer_c4
// expected-error @+1 {{expected replicas in a local or tmem layout only, got them in shared}}
func.func private @f(!tirx.buffer<16xf16, shared, #tirx.tile<S[16 : 1] + R[2 : 16]>>)

// -----

// buffer_c5
// expected-error @+1 {{expected an element type of 8, 16, 32 or 64 bits (a signless integer or a float) or !tirx.mbarrier, got 'index'}}
func.func private @f(!tirx.buffer<16xindex, shared>)

// -----

// buffer_c5
// expected-error @+1 {{expected an element type of 8, 16, 32 or 64 bits}}
func.func private @f(!tirx.buffer<16xi4, shared>)

// -----

// buffer_c5
// expected-error @+1 {{expected an element type of 8, 16, 32 or 64 bits}}
func.func private @f(!tirx.buffer<16xui8, shared>)

// -----

// buffer_c5
// expected-error @+1 {{expected an element type of 8, 16, 32 or 64 bits}}
func.func private @f(!tirx.buffer<16xi128, global>)

// -----

// buffer_c5
// expected-error @+1 {{expected mbarriers in shared memory, got global}}
func.func private @f(!tirx.buffer<1x!tirx.mbarrier, global>)

// -----

// buffer_c5
// expected-error @+1 {{expected elements of 8, 16 or 32 bits in tensor memory, got 'f64'}}
func.func private @f(!tirx.buffer<128x64xf64, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>)

// -----

// buffer_c6
// expected-error @+1 {{expected coordinates of at least 0, got -15 on m}}
func.func private @f(!tirx.buffer<16xf16, shared, #tirx.tile<S[16 : -1]>>)

// -----

// buffer_c6
// expected-error @+1 {{expected coordinates below 32 on laneid, got 63}}
func.func private @f(!tirx.buffer<64xf16, local, #tirx.tile<S[64 : 1@laneid]>>)

// -----

// buffer_c6
// expected-error @+1 {{expected coordinates below 4 on wid_in_wg, got 4}}
func.func private @f(!tirx.buffer<4xf16, local, #tirx.tile<S[4 : 1@wid_in_wg] + 1@wid_in_wg>>)

// -----

// buffer_c6
// expected-error @+1 {{expected coordinates below 1024 on tx, got 1024}}
func.func private @f(!tirx.buffer<4xf16, local, #tirx.tile<S[4 : 1] + R[2 : 1024@tx]>>)

// -----

// expected-error @+1 {{expected global, shared, tmem or local, got 'register'}}
func.func private @f(!tirx.buffer<16xf16, register>)

// -----

// expected-error @+1 {{expected a layout, got}}
func.func private @f(!tirx.buffer<16xf16, shared, 4>)

// -----

// expected-error @+1 {{expected ','}}
func.func private @f(!tirx.buffer<16xf16>)
