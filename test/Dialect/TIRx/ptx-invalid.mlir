// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// ptx_c1
func.func @f() {
  // expected-error-re @+1 {{'tirx.ptx' op {{.*}}}}
  tirx.ptx "frobnicate.u32"() : () -> ()
  return
}

// -----

// ptx_c1: an illegal modifier
func.func @f(%f: f32) {
  // expected-error-re @+1 {{'tirx.ptx' op {{.*}}}}
  %0 = tirx.ptx "add.f31"(%f, %f) : (f32, f32) -> f32
  return
}

// -----

// ptx_c1: no text at all
func.func @f() {
  // expected-error-re @+1 {{'tirx.ptx' op {{.*}}}}
  tirx.ptx ""() : () -> ()
  return
}

// -----

// ptx_c2: too few operands
func.func @f(%f: f32) {
  // expected-error-re @+1 {{expected values for {{.*}}, got 1 inputs and 1 results}}
  %0 = tirx.ptx "add.f32"(%f) : (f32) -> f32
  return
}

// -----

// ptx_c2: too many operands
func.func @f(%f: f32) {
  // expected-error-re @+1 {{expected values for {{.*}}, got 3 inputs and 1 results}}
  %0 = tirx.ptx "add.f32"(%f, %f, %f) : (f32, f32, f32) -> f32
  return
}

// -----

// ptx_c2: one register of a vector is missing
func.func @f(%p: !llvm.ptr<1>) {
  // expected-error-re @+1 {{expected values for 4 x {{.*}}, got 1 inputs and 3 results}}
  %0:3 = tirx.ptx "ld.global.v4.u32"(%p) : (!llvm.ptr<1>) -> (i32, i32, i32)
  return
}

// -----

// ptx_c2: width
func.func @f(%i: i64) {
  // expected-error-re @+1 {{expected operand {{.*}} to be a value of 32 bits (.u32), got 'i64'}}
  %0 = tirx.ptx "add.u32"(%i, %i) : (i64, i64) -> i32
  return
}

// -----

// ptx_c2: a float where an integer is meant
func.func @f(%i: f32) {
  // expected-error-re @+1 {{expected operand {{.*}} to be a value of 32 bits (.u32), got 'f32'}}
  %0 = tirx.ptx "add.u32"(%i, %i) : (f32, f32) -> i32
  return
}

// -----

// ptx_c2: the type of a result
func.func @f(%f: f32) {
  // expected-error-re @+1 {{expected result {{.*}} to be a float or integer of 32 bits (.f32), got 'f16'}}
  %0 = tirx.ptx "add.f32"(%f, %f) : (f32, f32) -> f16
  return
}

// -----

// ptx_c2: types that are no registers do not bring the verifier down
func.func @f(%t: tensor<4xf32>, %v: vector<[4]xf32>, %w: vector<2x2xf16>) {
  // expected-error-re @+1 {{got 'tensor<4xf32>'}}
  %0 = tirx.ptx "add.f32"(%t, %v) : (tensor<4xf32>, vector<[4]xf32>) -> f32
  return
}

// -----

// ptx_c2: an address
func.func @f(%p: f32) {
  // expected-error-re @+1 {{to be a pointer, i32 or i64, got 'f32'}}
  %0 = tirx.ptx "ld.global.u32"(%p) : (f32) -> i32
  return
}

// -----

// ptx_c2: control flow
func.func @f() {
  // expected-error-re @+1 {{expected an instruction whose operands are values, got the label operand}}
  tirx.ptx "bra"() : () -> ()
  return
}

// -----

// ptx_c4
func.func @f(%f: f32) {
  // expected-error @+1 {{expected pred with else, got else alone}}
  %0 = tirx.ptx "add.f32"(%f, %f) else(%f : f32) : (f32, f32) -> f32
  return
}

// -----

// ptx_c4
func.func @f(%f: f32, %p: i1) {
  // expected-error @+1 {{expected 1 else values, one for each result of a guarded instruction, got 0}}
  %0 = tirx.ptx "add.f32"(%f, %f) pred(%p) : (f32, f32) -> f32
  return
}

// -----

// ptx_c4
func.func @f(%f: f32, %i: i32, %p: i1) {
  // expected-error @+1 {{expected else value 0 to have the type of its result, 'f32', got 'i32'}}
  %0 = tirx.ptx "add.f32"(%f, %f) pred(%p) else(%i : i32) : (f32, f32) -> f32
  return
}

// -----

// ptx_c5
func.func @f(%s: !llvm.ptr<3>, %i: i32, %n: i32) {
  // expected-error-re @+1 {{to be a constant: the instruction takes an immediate there}}
  tirx.ptx "cp.async.wait_group"(%n) : (i32) -> ()
  return
}

// -----

// smem_descriptor_c2: rows of 65 elements are no canonical layout
func.func @f(%s: !tirx.buffer<128x64xf16, shared, #tirx.tile<S[(128, 64) : (65, 1)]>>) {
  // expected-error @+1 {{expected a layout that a tcgen05 descriptor expresses}}
  %0 = tirx.smem_descriptor %s k_dim(1) step(0) : !tirx.buffer<128x64xf16, shared, #tirx.tile<S[(128, 64) : (65, 1)]>>
  return
}

// -----

#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
// smem_descriptor_c3
func.func @f(%s: !tirx.buffer<128x64xf16, shared, #ab>) {
  // expected-error @+1 {{expected step to be 0 to 3 (4 instructions along K), got 4}}
  %0 = tirx.smem_descriptor %s k_dim(1) step(4) : !tirx.buffer<128x64xf16, shared, #ab>
  return
}

// -----

#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
// smem_descriptor_c3
func.func @f(%s: !tirx.buffer<128x64xf16, shared, #ab>) {
  // expected-error @+1 {{expected step to be 0 to 3 (4 instructions along K), got -1}}
  %0 = tirx.smem_descriptor %s k_dim(1) step(-1) : !tirx.buffer<128x64xf16, shared, #ab>
  return
}

// -----

// ptx_c2: an election without its predicate
func.func @f(%i: i32) {
  // expected-error @+1 {{expected two results, the elected lane and the predicate, got 1}}
  %0 = tirx.ptx "elect.sync"(%i) : (i32) -> i32
  return
}

// -----

// Result types that do not follow from the name.
func.func @f(%m: i32) {
  // expected-error @+1 {{expected result types: those of 'elect.sync' do not follow from its name (operand 'd')}}
  %0:2 = tirx.ptx "elect.sync"(%m) : (i32)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected result types: 'acme.x' is no instruction of the table}}
  %0 = tirx.ptx "acme.x"() : ()
  return
}
