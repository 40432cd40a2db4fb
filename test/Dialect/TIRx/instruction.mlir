// RUN: tirx-opt %s | tirx-opt | FileCheck %s
// RUN: tirx-opt %s -mlir-print-op-generic | tirx-opt | FileCheck %s
// RUN: tirx-opt %s -cse -canonicalize | FileCheck %s --check-prefix=EFFECTS

// CHECK: tirx.instruction @fma3 "acme.fma3.rn.f32" (out d: f32, in %a: f32, in %b: f32, in %c: f32)
// CHECK-SAME: text "{ .reg .f32 t; mul.rn.f32 t, {a}, {b}; add.rn.f32 {d}, t, {c}; }" {
// CHECK-NEXT: %[[P:.*]] = arith.mulf %a, %b : f32
tirx.instruction @fma3 "acme.fma3.rn.f32" (out d: f32, in %a: f32, in %b: f32, in %c: f32)
    text "{ .reg .f32 t; mul.rn.f32 t, {a}, {b}; add.rn.f32 {d}, t, {c}; }" {
  %0 = arith.mulf %a, %b : f32
  %1 = arith.addf %0, %c : f32
  tirx.yield %1 : f32
}

// CHECK: tirx.instruction @bump "acme.bump.global.u32" (out d: i32, in %p: !llvm.ptr<1>, imm %n: i32) effects(read p 4, write p 4) {
tirx.instruction @bump "acme.bump.global.u32" (out d: i32, in %p: !llvm.ptr<1>, imm %n: i32)
    effects(read p 4, write p 4) {
  %0 = llvm.load %p : !llvm.ptr<1> -> i32
  %1 = arith.addi %0, %n : i32
  llvm.store %1, %p : i32, !llvm.ptr<1>
  tirx.yield %0 : i32
}

// CHECK: tirx.instruction @acc "acme.acc.b32" (inout %d: i32, in %a: vector<2xi32>) effects(convergent, orders) {
tirx.instruction @acc "acme.acc.b32" (inout %d: i32, in %a: vector<2xi32>) effects(convergent, orders) {
  %0 = vector.extract %a[0] : i32 from vector<2xi32>
  %1 = arith.addi %0, %d : i32
  tirx.yield %1 : i32
}

// CHECK: tirx.instruction @none "acme.none" () {
tirx.instruction @none "acme.none" () {
  tirx.yield
}

// CHECK: tirx.instruction @fetch "acme.fetch" (in %p: !llvm.ptr<3>) effects(read p 16 async) {
tirx.instruction @fetch "acme.fetch" (in %p: !llvm.ptr<3>) effects(read p 16 async) {
  tirx.yield
}

// CHECK-LABEL: func.func @uses
func.func @uses(%f: f32, %p: !llvm.ptr<1>, %i: i32) -> (f32, i32, i32) {
  %c5 = arith.constant 5 : i32
  // CHECK: tirx.ptx "acme.fma3.rn.f32"(%{{.*}}) : (f32, f32, f32) -> f32
  %0 = tirx.ptx "acme.fma3.rn.f32"(%f, %f, %f) : (f32, f32, f32) -> f32
  // CHECK: tirx.ptx "acme.bump.global.u32"(%{{.*}}) : (!llvm.ptr<1>, i32) -> i32
  %1 = tirx.ptx "acme.bump.global.u32"(%p, %c5) : (!llvm.ptr<1>, i32) -> i32
  // CHECK: tirx.ptx "acme.acc.b32"(%{{.*}}) : (i32, i32, i32) -> i32
  %2 = tirx.ptx "acme.acc.b32"(%i, %1, %i) : (i32, i32, i32) -> i32
  return %0, %1, %2 : f32, i32, i32
}

// What only computes is merged and dropped; what touches memory stays.
// EFFECTS-LABEL: func.func @effects
// EFFECTS-COUNT-1: tirx.ptx "acme.fma3
// EFFECTS-NOT: tirx.ptx "acme.fma3
// EFFECTS-COUNT-2: tirx.ptx "acme.bump
// EFFECTS-NOT: tirx.ptx "acme.none"
// EFFECTS: tirx.ptx "acme.fetch"
func.func @effects(%f: f32, %p: !llvm.ptr<1>, %s: !llvm.ptr<3>) -> (f32, f32) {
  %c5 = arith.constant 5 : i32
  %0 = tirx.ptx "acme.fma3.rn.f32"(%f, %f, %f) : (f32, f32, f32) -> f32
  %1 = tirx.ptx "acme.fma3.rn.f32"(%f, %f, %f) : (f32, f32, f32) -> f32
  %2 = tirx.ptx "acme.fma3.rn.f32"(%0, %f, %f) : (f32, f32, f32) -> f32
  %3 = tirx.ptx "acme.bump.global.u32"(%p, %c5) : (!llvm.ptr<1>, i32) -> i32
  %4 = tirx.ptx "acme.bump.global.u32"(%p, %c5) : (!llvm.ptr<1>, i32) -> i32
  tirx.ptx "acme.none"() : () -> ()
  tirx.ptx "acme.fetch"(%s) : (!llvm.ptr<3>) -> ()
  return %0, %1 : f32, f32
}
