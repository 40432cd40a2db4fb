// RUN: tirx-opt %s -split-input-file -convert-tirx-to-nvvm | FileCheck %s

// An nvvm op where it means the same, inline assembly for everything else.

// CHECK-LABEL: llvm.func @nvvm_ops
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @nvvm_ops(%tmem: i32, %a: i64, %b: i64, %i: i32, %p: i1)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %n = arith.constant 128 : i32
    %all = arith.constant -1 : i32
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool at(8) : !tirx.buffer<1x!tirx.mbarrier, shared>
    %s = tirx.ptr %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared> -> !llvm.ptr<3>
    // CHECK: nvvm.barrier id = %{{.*}}
    tirx.ptx "bar.sync"(%zero) : (i32) -> ()
    // CHECK: nvvm.mbarrier.init
    tirx.ptx "mbarrier.init.shared::cta.b64"(%s, %n) : (!llvm.ptr<3>, i32) -> ()
    // CHECK: nvvm.mbarrier.try_wait
    %done = tirx.ptx "mbarrier.try_wait.parity.shared::cta.b64"(%s, %zero) : (!llvm.ptr<3>, i32) -> i1
    // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    tirx.ptx "fence.proxy.async.shared::cta"() : () -> ()
    // CHECK: nvvm.fence.mbarrier.init
    tirx.ptx "fence.mbarrier_init.release.cluster"() : () -> ()
    // CHECK: nvvm.elect.sync
    %e:2 = tirx.ptx "elect.sync"(%all) : (i32) -> (i32, i1)
    // CHECK: nvvm.tcgen05.alloc
    tirx.ptx "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"(%s, %n) : (!llvm.ptr<3>, i32) -> ()
    // CHECK: nvvm.tcgen05.mma
    tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%tmem, %a, %b, %i, %e#1) : (i32, i64, i64, i32, i1) -> ()
    // CHECK: nvvm.tcgen05.commit
    tirx.ptx "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"(%s) : (!llvm.ptr<3>) -> ()
    // CHECK: nvvm.tcgen05.fence {{.*}}<before>
    tirx.ptx "tcgen05.fence::before_thread_sync"() : () -> ()
    // CHECK: nvvm.tcgen05.relinquish_alloc_permit
    tirx.ptx "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned"() : () -> ()
    // CHECK: nvvm.tcgen05.dealloc
    tirx.ptx "tcgen05.dealloc.cta_group::1.sync.aligned.b32"(%tmem, %n) : (i32, i32) -> ()
    gpu.return
  }
}

// -----

// CHECK-LABEL: llvm.func @inline_asm
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @inline_asm(%p: !llvm.ptr<1>, %x: f32, %n: i32, %guard: i1)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // Destinations first, then sources; addresses in brackets, vectors in braces.
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"ld.global.v4.u32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,~{memory}"
    %v:4 = tirx.ptx "ld.global.v4.u32"(%p) : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"st.global.v4.u32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r,~{memory}"
    tirx.ptx "st.global.v4.u32"(%p, %v#0, %v#1, %v#2, %v#3) : (!llvm.ptr<1>, i32, i32, i32, i32) -> ()
    // A predicate travels as an integer.
    // CHECK: llvm.inline_asm {{(asm_dialect = att )?}}"{ .reg .pred p0; setp.lt.u32 p0, $1, $2; selp.b32 $0, 1, 0, p0; }", "=r,r,r"
    // CHECK: llvm.trunc %{{.*}} : i32 to i1
    %lt = tirx.ptx "setp.lt.u32"(%v#0, %n) : (i32, i32) -> i1
    // A guard without results.
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"{ .reg .pred p0; setp.ne.b32 p0, ${{[0-9]}}, 0; @p0 st.global.u32 [$0], $1; }"
    tirx.ptx "st.global.u32"(%p, %n) pred(%guard) : (!llvm.ptr<1>, i32) -> ()
    // With one, the result starts from the old value, in the same register.
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"{ .reg .pred p0; setp.ne.b32 p0, $3, 0; @p0 ld.global.f32 $0, [$2]; }", "=f,0,l,r,~{memory}"
    %y = tirx.ptx "ld.global.f32"(%p) pred(%guard) else(%x : f32) : (!llvm.ptr<1>) -> f32
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"st.global.f32 [$0], $1;"
    tirx.ptx "st.global.f32"(%p, %y) : (!llvm.ptr<1>, f32) -> ()
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"st.global.u32 [$0], $1;"
    %one = arith.extui %lt : i1 to i32
    tirx.ptx "st.global.u32"(%p, %one) : (!llvm.ptr<1>, i32) -> ()
    gpu.return
  }
}

// -----

// CHECK-LABEL: llvm.func @registers
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {
  gpu.func @registers(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %x: f32, %n: i32, %d: i64,
                      %i: i16, %b: i8, %guard: i1)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // Some instructions want bytes in registers of 8 bits, which inline assembly
    // cannot pass.
    // CHECK: llvm.inline_asm {{(asm_dialect = att )?}}"{ .reg .b8 pb0; cvt.rn.satfinite.e2m1x2.f32 pb0, $1, $2; cvt.u16.u8 $0, pb0; }", "=h,f,f"
    %f4 = tirx.ptx "cvt.rn.satfinite.e2m1x2.f32"(%x, %x) : (f32, f32) -> i8
    // CHECK: llvm.inline_asm {{(asm_dialect = att )?}}"{ .reg .b8 pb0; cvt.u8.u16 pb0, $1; cvt.rn.f16x2.e2m1x2 $0, pb0; }", "=r,h"
    %h2 = tirx.ptx "cvt.rn.f16x2.e2m1x2"(%f4) : (i8) -> i32
    // So do the bytes that mov packs and unpacks.
    // CHECK: llvm.inline_asm {{(asm_dialect = att )?}}"{ .reg .b8 pb0; .reg .b8 pb1; cvt.u8.u16 pb0, $1; cvt.u8.u16 pb1, $2; mov.b16 $0, {pb0, pb1}; }", "=h,h,h"
    %pk = tirx.ptx "mov.b16"(%f4, %b) : (i8, i8) -> i16
    tirx.ptx "st.global.u16"(%p, %pk) : (!llvm.ptr<1>, i16) -> ()
    // Under a guard the byte starts from the old value.
    // CHECK: llvm.inline_asm {{(asm_dialect = att )?}}"{ .reg .b8 pb0; .reg .pred p0; cvt.u8.u16 pb0, $0; setp.ne.b32 p0, $4, 0; @p0 cvt.rn.satfinite.e2m1x2.f32 pb0, $2, $3; cvt.u16.u8 $0, pb0; }", "=h,0,f,f,r"
    %g4 = tirx.ptx "cvt.rn.satfinite.e2m1x2.f32"(%x, %x) pred(%guard) else(%b : i8) : (f32, f32) -> i8
    tirx.ptx "st.global.u32"(%p, %h2) : (!llvm.ptr<1>, i32) -> ()
    tirx.ptx "st.global.u8"(%p, %g4) : (!llvm.ptr<1>, i8) -> ()
    // What is always thrown away is no result.
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];", "r,~{memory}"
    tirx.ptx "mbarrier.arrive.release.cluster.shared::cluster.b64"(%n) : (i32) -> ()
    // A tensor's map, then its coordinates; the offsets stand in braces.
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [$0, {$1, $2, $3}], {$4};", "l,r,r,r,h,~{memory}"
    tirx.ptx "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col"(%d, %n, %n, %n, %i) : (i64, i32, i32, i32, i16) -> ()
    // One register of a matrix stands in braces too.
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];"
    %m = tirx.ptx "ldmatrix.sync.aligned.m8n8.x1.shared.b16"(%s) : (!llvm.ptr<3>) -> i32
    tirx.ptx "st.global.u32"(%p, %m) : (!llvm.ptr<1>, i32) -> ()
    gpu.return
  }
}

// -----

// A of wgmma is a descriptor with two immediates that transpose, or four registers
// with one.

// CHECK-LABEL: llvm.func @wgmma
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {
  gpu.func @wgmma(%p: !llvm.ptr<1>, %n: i32, %d: i64, %guard: i1)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $4, $5, p0, 1, 1, 0, 1;
    %a:2 = tirx.ptx "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16"(%n, %n, %d, %d, %guard, %c1, %c1, %c0, %c1) : (i32, i32, i64, i64, i1, i32, i32, i32, i32) -> (i32, i32)
    // CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, {$4, $5, $6, $7}, $8, p0, 1, 1, 1;
    %b:2 = tirx.ptx "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16"(%a#0, %a#1, %n, %n, %n, %n, %d, %guard, %c1, %c1, %c1) : (i32, i32, i32, i32, i32, i32, i64, i1, i32, i32, i32) -> (i32, i32)
    tirx.ptx "st.global.u32"(%p, %b#0) : (!llvm.ptr<1>, i32) -> ()
    gpu.return
  }
}
