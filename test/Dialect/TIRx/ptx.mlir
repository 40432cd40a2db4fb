// RUN: tirx-opt %s | tirx-opt | FileCheck %s
// RUN: tirx-opt %s -mlir-print-op-generic | tirx-opt | FileCheck %s
// RUN: tirx-opt %s -canonicalize -cse | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: func.func @forms
func.func @forms(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %p: i1) {
  // One result for each register that is written.
  // CHECK: %{{.*}}:4 = tirx.ptx "ld.global.v4.u32"(%{{.*}}) : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
  %0:4 = tirx.ptx "ld.global.v4.u32"(%g) : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
  // A guard.
  // CHECK: tirx.ptx "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"(%{{.*}}) pred(%{{.*}}) : (!llvm.ptr<3>) -> ()
  tirx.ptx "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"(%s) pred(%p) : (!llvm.ptr<3>) -> ()
  // A guard and a result: what it keeps.
  // CHECK: tirx.ptx "add.f32"(%{{.*}}, %{{.*}}) pred(%{{.*}}) else(%{{.*}} : f32) : (f32, f32) -> f32
  %1 = tirx.ptx "add.f32"(%f, %f) pred(%p) else(%f : f32) : (f32, f32) -> f32
  // Packed types are vectors or integers.
  // CHECK: tirx.ptx "cvt.rn.f16x2.f32"(%{{.*}}, %{{.*}}) : (f32, f32) -> vector<2xf16>
  %2 = tirx.ptx "cvt.rn.f16x2.f32"(%f, %f) : (f32, f32) -> vector<2xf16>
  // CHECK: tirx.ptx "cvt.rn.f16x2.f32"(%{{.*}}, %{{.*}}) : (f32, f32) -> i32
  %3 = tirx.ptx "cvt.rn.f16x2.f32"(%f, %f) : (f32, f32) -> i32
  // A pair `d|p`; shfl may leave p out.
  // CHECK: tirx.ptx "elect.sync"(%{{.*}}) : (i32) -> (i32, i1)
  %4:2 = tirx.ptx "elect.sync"(%i) : (i32) -> (i32, i1)
  // CHECK: tirx.ptx "shfl.sync.idx.b32"(%{{.*}}) : (i32, i32, i32, i32) -> (i32, i1)
  %5:2 = tirx.ptx "shfl.sync.idx.b32"(%i, %i, %i, %i) : (i32, i32, i32, i32) -> (i32, i1)
  // CHECK: tirx.ptx "shfl.sync.idx.b32"(%{{.*}}) : (i32, i32, i32, i32) -> i32
  %7 = tirx.ptx "shfl.sync.idx.b32"(%i, %i, %i, %i) : (i32, i32, i32, i32) -> i32
  // Tensor memory by address or by descriptor.
  // CHECK: tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%{{.*}}) : (i32, i64, i64, i32, i1) -> ()
  tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%i, %l, %l, %i, %p) : (i32, i64, i64, i32, i1) -> ()
  // CHECK: tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x2.b32"(%{{.*}}) : (i32) -> (i32, i32)
  %6:2 = tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x2.b32"(%i) : (i32) -> (i32, i32)
  // No operands at all.
  // CHECK: tirx.ptx "tcgen05.wait::ld.sync.aligned"() : () -> ()
  tirx.ptx "tcgen05.wait::ld.sync.aligned"() : () -> ()
  return
}

// Arithmetic is pure, weak loads may merge, everything that orders stays.
// CSE-LABEL: func.func @effects
func.func @effects(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %f: f32) -> (f32, f32, i32, i32) {
  // CSE-NEXT: %[[A:.*]] = tirx.ptx "add.f32"
  %0 = tirx.ptx "add.f32"(%f, %f) : (f32, f32) -> f32
  %1 = tirx.ptx "add.f32"(%f, %f) : (f32, f32) -> f32
  %dead = tirx.ptx "mul.f32"(%f, %f) : (f32, f32) -> f32
  // CSE-NEXT: %[[B:.*]] = tirx.ptx "ld.global.u32"
  %2 = tirx.ptx "ld.global.u32"(%g) : (!llvm.ptr<1>) -> i32
  // CSE-NEXT: tirx.ptx "fence.proxy.async.shared::cta"
  // CSE-NEXT: tirx.ptx "fence.proxy.async.shared::cta"
  tirx.ptx "fence.proxy.async.shared::cta"() : () -> ()
  tirx.ptx "fence.proxy.async.shared::cta"() : () -> ()
  // CSE-NEXT: %[[C:.*]] = tirx.ptx "ld.global.u32"
  %3 = tirx.ptx "ld.global.u32"(%g) : (!llvm.ptr<1>) -> i32
  // CSE-NEXT: tirx.ptx "mbarrier.try_wait.parity
  // CSE-NEXT: tirx.ptx "mbarrier.try_wait.parity
  %4 = tirx.ptx "mbarrier.try_wait.parity.shared::cta.b64"(%s, %i) : (!llvm.ptr<3>, i32) -> i1
  %5 = tirx.ptx "mbarrier.try_wait.parity.shared::cta.b64"(%s, %i) : (!llvm.ptr<3>, i32) -> i1
  // CSE-NEXT: tirx.ptx "elect.sync"
  %6:2 = tirx.ptx "elect.sync"(%i) : (i32) -> (i32, i1)
  // CSE-NEXT: return %[[A]], %[[A]], %[[B]], %[[C]]
  return %0, %1, %2, %3 : f32, f32, i32, i32
}

// Result types that the instruction determines may be left out.
// CHECK-LABEL: func.func @inferred
func.func @inferred(%f: f32, %i: i32, %p: !llvm.ptr<1>, %h: vector<2xf16>, %d: f64, %b: i1) {
  // CHECK: tirx.ptx "add.f32"(%{{.*}}) : (f32, f32) -> f32
  %0 = tirx.ptx "add.f32"(%f, %f) : (f32, f32)
  // CHECK: tirx.ptx "ld.global.v4.u32"(%{{.*}}) : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
  %1:4 = tirx.ptx "ld.global.v4.u32"(%p) : (!llvm.ptr<1>)
  // CHECK: tirx.ptx "add.f16x2"(%{{.*}}) -> vector<2xf16>
  %2 = tirx.ptx "add.f16x2"(%h, %h) : (vector<2xf16>, vector<2xf16>)
  // CHECK: tirx.ptx "cvt.rn.f32.f64"(%{{.*}}) : (f64) -> f32
  %3 = tirx.ptx "cvt.rn.f32.f64"(%d) : (f64)
  // CHECK: tirx.ptx "st.global.u32"(%{{.*}}) : (!llvm.ptr<1>, i32) -> ()
  tirx.ptx "st.global.u32"(%p, %i) : (!llvm.ptr<1>, i32)
  // CHECK: tirx.ptx "mul.wide.s32"(%{{.*}}) : (i32, i32) -> i64
  %4 = tirx.ptx "mul.wide.s32"(%i, %i) : (i32, i32)
  // CHECK: tirx.ptx "selp.f32"(%{{.*}}) : (f32, f32, i1) -> f32
  %5 = tirx.ptx "selp.f32"(%f, %f, %b) : (f32, f32, i1)
  return
}
