func.func @forms(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %p: i1) {
  %0:4 = tirx.ptx "ld.global.v4.u32"(%g) : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
  tirx.ptx "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"(%s) pred(%p) : (!llvm.ptr<3>) -> ()
  %1 = tirx.ptx "add.f32"(%f, %f) pred(%p) else(%f : f32) : (f32, f32) -> f32
  %2 = tirx.ptx "cvt.rn.f16x2.f32"(%f, %f) : (f32, f32) -> vector<2xf16>
  %3 = tirx.ptx "cvt.rn.f16x2.f32"(%f, %f) : (f32, f32) -> i32
  %4:2 = tirx.ptx "elect.sync"(%i) : (i32) -> (i32, i1)
  %5 = tirx.ptx "elect.sync"(%i) : (i32) -> i1
  tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%i, %l, %l, %i, %p) : (i32, i64, i64, i32, i1) -> ()
  %6:2 = tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x2.b32"(%i) : (i32) -> (i32, i32)
  tirx.ptx "tcgen05.wait::ld.sync.aligned"() : () -> ()
  return
}

func.func @effects(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %f: f32) -> (f32, f32, i32, i32) {
  %0 = tirx.ptx "add.f32"(%f, %f) : (f32, f32) -> f32
  %1 = tirx.ptx "add.f32"(%f, %f) : (f32, f32) -> f32
  %dead = tirx.ptx "mul.f32"(%f, %f) : (f32, f32) -> f32
  %2 = tirx.ptx "ld.global.u32"(%g) : (!llvm.ptr<1>) -> i32
  tirx.ptx "fence.proxy.async.shared::cta"() : () -> ()
  tirx.ptx "fence.proxy.async.shared::cta"() : () -> ()
  %3 = tirx.ptx "ld.global.u32"(%g) : (!llvm.ptr<1>) -> i32
  %4 = tirx.ptx "mbarrier.try_wait.parity.shared::cta.b64"(%s, %i) : (!llvm.ptr<3>, i32) -> i1
  %5 = tirx.ptx "mbarrier.try_wait.parity.shared::cta.b64"(%s, %i) : (!llvm.ptr<3>, i32) -> i1
  %6 = tirx.ptx "elect.sync"(%i) : (i32) -> i1
  return %0, %1, %2, %3 : f32, f32, i32, i32
}
