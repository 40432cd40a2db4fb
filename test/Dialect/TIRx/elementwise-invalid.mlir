// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// elementwise_c1
func.func @f(%d: !tirx.buffer<64xf32, local>, %a: !tirx.buffer<32xf32, local>) {
  // expected-error @+1 {{expected operand 1 to have the shape of dst, 64, once extents of 1 are dropped, got 32}}
  tirx.add thread %d, %a, %d : !tirx.buffer<64xf32, local>, !tirx.buffer<32xf32, local>, !tirx.buffer<64xf32, local>
  return
}

// -----

// elementwise_c1
func.func @f(%d: !tirx.buffer<64xf32, local>) {
  // expected-error @+1 {{expected value to be a scalar, got '!tirx.buffer<64xf32, local>'}}
  tirx.fill thread %d, %d : !tirx.buffer<64xf32, local>, !tirx.buffer<64xf32, local>
  return
}

// -----

// elementwise_c2
func.func @f(%d: !tirx.buffer<64xf32, local>, %x: f16) {
  // expected-error @+1 {{expected operand 2 to have the element type of dst, 'f32', got 'f16'}}
  tirx.mul thread %d, %d, %x : !tirx.buffer<64xf32, local>, !tirx.buffer<64xf32, local>, f16
  return
}

// -----

// elementwise_c3
func.func @f(%d: !tirx.buffer<64xi32, local>) {
  // expected-error @+1 {{expected elements that are floats, got 'i32'}}
  tirx.exp2 thread %d, %d : !tirx.buffer<64xi32, local>, !tirx.buffer<64xi32, local>
  return
}

// -----

// elementwise_c3
func.func @f(%d: !tirx.buffer<2x!tirx.mbarrier, shared>) {
  // expected-error @+1 {{expected elements that are floats or signless integers, got '!tirx.mbarrier'}}
  tirx.add thread %d, %d, %d : !tirx.buffer<2x!tirx.mbarrier, shared>, !tirx.buffer<2x!tirx.mbarrier, shared>, !tirx.buffer<2x!tirx.mbarrier, shared>
  return
}
