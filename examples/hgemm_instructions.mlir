// D = A B^T with A and B 128x64, D 128x128, f16, written at instruction level: each
// `tirx.ptx` is one PTX instruction, destinations are results. Layouts still stand in
// the types; `tirx.ptr` and `tirx.smem_descriptor` derive addresses and descriptors
// from them, and the swizzle with them.
//
// `explicit_sync`: every fence is the author's.

#ab   = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>

gpu.module @hgemm_module {
  gpu.func @hgemm(%A: !tirx.buffer<128x64xf16, global>,
                  %B: !tirx.buffer<128x64xf16, global>,
                  %D: !tirx.buffer<128x128xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, tirx.explicit_sync} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %columns = arith.constant 128 : i32
    %false = arith.constant false
    %true = arith.constant true
    %warp = tirx.id warp_id
    %thread = tirx.id thread_id

    // Shared memory: TMEM address slot, one mbarrier, swizzled A and B tiles.
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool : !tirx.buffer<1xi32, shared>
    %bar = tirx.pool_alloc %pool : !tirx.buffer<1x!tirx.mbarrier, shared>
    %As = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>
    %Bs = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>
    %slot_p = tirx.ptr %slot[%c0] : !tirx.buffer<1xi32, shared> -> !llvm.ptr<3>
    %bar_p = tirx.ptr %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared> -> !llvm.ptr<3>

    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    %is_thread0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp0 {
      tirx.ptx "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"(%slot_p, %columns)
          : (!llvm.ptr<3>, i32) -> ()
    }
    scf.if %is_thread0 {
      tirx.ptx "mbarrier.init.shared::cta.b64"(%bar_p, %one) : (!llvm.ptr<3>, i32) -> ()
    }

    // Load: thread t copies row t of A and of B, 16 bytes at a time.
    scf.for %j = %c0 to %c64 step %c8 {
      %a = tirx.ptr %A[%thread, %j] : !tirx.buffer<128x64xf16, global> -> !llvm.ptr<1>
      %b = tirx.ptr %B[%thread, %j] : !tirx.buffer<128x64xf16, global> -> !llvm.ptr<1>
      %as = tirx.ptr %As[%thread, %j] : !tirx.buffer<128x64xf16, shared, #ab> -> !llvm.ptr<3>
      %bs = tirx.ptr %Bs[%thread, %j] : !tirx.buffer<128x64xf16, shared, #ab> -> !llvm.ptr<3>
      %ra:4 = tirx.ptx "ld.global.v4.u32"(%a) : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
      tirx.ptx "st.shared.v4.u32"(%as, %ra#0, %ra#1, %ra#2, %ra#3)
          : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
      %rb:4 = tirx.ptx "ld.global.v4.u32"(%b) : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
      tirx.ptx "st.shared.v4.u32"(%bs, %rb#0, %rb#1, %rb#2, %rb#3)
          : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
    }
    tirx.ptx "fence.proxy.async.shared::cta"() : () -> ()
    tirx.ptx "fence.mbarrier_init.release.cluster"() : () -> ()
    tirx.ptx "tcgen05.fence::before_thread_sync"() : () -> ()
    tirx.ptx "bar.sync"(%zero) : (i32) -> ()
    tirx.ptx "tcgen05.fence::after_thread_sync"() : () -> ()
    %acc = tirx.tmem_buffer %slot[%c0]
        : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>

    // Compute: one thread issues an MMA for each 16 of K and signals the barrier.
    // f16 x f16 -> f32, M 128, N 128, A and B K-major:
    %idesc = arith.constant 0x08200010 : i32
    %d = tirx.ptr %acc[%c0, %c0] : !tirx.buffer<128x128xf32, tmem, #acc> -> !llvm.ptr<6>
    scf.if %is_thread0 {
      %a0 = tirx.smem_descriptor %As k_dim(1) step(0) : !tirx.buffer<128x64xf16, shared, #ab>
      %b0 = tirx.smem_descriptor %Bs k_dim(1) step(0) : !tirx.buffer<128x64xf16, shared, #ab>
      tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%d, %a0, %b0, %idesc, %false)
          : (!llvm.ptr<6>, i64, i64, i32, i1) -> ()
      %a1 = tirx.smem_descriptor %As k_dim(1) step(1) : !tirx.buffer<128x64xf16, shared, #ab>
      %b1 = tirx.smem_descriptor %Bs k_dim(1) step(1) : !tirx.buffer<128x64xf16, shared, #ab>
      tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%d, %a1, %b1, %idesc, %true)
          : (!llvm.ptr<6>, i64, i64, i32, i1) -> ()
      %a2 = tirx.smem_descriptor %As k_dim(1) step(2) : !tirx.buffer<128x64xf16, shared, #ab>
      %b2 = tirx.smem_descriptor %Bs k_dim(1) step(2) : !tirx.buffer<128x64xf16, shared, #ab>
      tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%d, %a2, %b2, %idesc, %true)
          : (!llvm.ptr<6>, i64, i64, i32, i1) -> ()
      %a3 = tirx.smem_descriptor %As k_dim(1) step(3) : !tirx.buffer<128x64xf16, shared, #ab>
      %b3 = tirx.smem_descriptor %Bs k_dim(1) step(3) : !tirx.buffer<128x64xf16, shared, #ab>
      tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%d, %a3, %b3, %idesc, %true)
          : (!llvm.ptr<6>, i64, i64, i32, i1) -> ()
      tirx.ptx "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"(%bar_p)
          : (!llvm.ptr<3>) -> ()
    }
    scf.while : () -> () {
      %done = tirx.ptx "mbarrier.try_wait.parity.shared::cta.b64"(%bar_p, %zero)
          : (!llvm.ptr<3>, i32) -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tirx.ptx "tcgen05.fence::after_thread_sync"() : () -> ()

    // Write back: warp w reads rows 32w to 32w+31, 32 columns at a time.
    %row0 = arith.muli %warp, %c32 : index
    scf.for %c = %c0 to %c128 step %c32 {
      %t = tirx.ptr %acc[%row0, %c] : !tirx.buffer<128x128xf32, tmem, #acc> -> !llvm.ptr<6>
      %v:32 = tirx.ptx "tcgen05.ld.sync.aligned.32x32b.x32.b32"(%t)
          : (!llvm.ptr<6>) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
      tirx.ptx "tcgen05.wait::ld.sync.aligned"() : () -> ()
      %h0 = tirx.ptx "cvt.rn.f16x2.f32"(%v#1, %v#0) : (f32, f32) -> i32
      %h1 = tirx.ptx "cvt.rn.f16x2.f32"(%v#3, %v#2) : (f32, f32) -> i32
      %h2 = tirx.ptx "cvt.rn.f16x2.f32"(%v#5, %v#4) : (f32, f32) -> i32
      %h3 = tirx.ptx "cvt.rn.f16x2.f32"(%v#7, %v#6) : (f32, f32) -> i32
      %h4 = tirx.ptx "cvt.rn.f16x2.f32"(%v#9, %v#8) : (f32, f32) -> i32
      %h5 = tirx.ptx "cvt.rn.f16x2.f32"(%v#11, %v#10) : (f32, f32) -> i32
      %h6 = tirx.ptx "cvt.rn.f16x2.f32"(%v#13, %v#12) : (f32, f32) -> i32
      %h7 = tirx.ptx "cvt.rn.f16x2.f32"(%v#15, %v#14) : (f32, f32) -> i32
      %h8 = tirx.ptx "cvt.rn.f16x2.f32"(%v#17, %v#16) : (f32, f32) -> i32
      %h9 = tirx.ptx "cvt.rn.f16x2.f32"(%v#19, %v#18) : (f32, f32) -> i32
      %h10 = tirx.ptx "cvt.rn.f16x2.f32"(%v#21, %v#20) : (f32, f32) -> i32
      %h11 = tirx.ptx "cvt.rn.f16x2.f32"(%v#23, %v#22) : (f32, f32) -> i32
      %h12 = tirx.ptx "cvt.rn.f16x2.f32"(%v#25, %v#24) : (f32, f32) -> i32
      %h13 = tirx.ptx "cvt.rn.f16x2.f32"(%v#27, %v#26) : (f32, f32) -> i32
      %h14 = tirx.ptx "cvt.rn.f16x2.f32"(%v#29, %v#28) : (f32, f32) -> i32
      %h15 = tirx.ptx "cvt.rn.f16x2.f32"(%v#31, %v#30) : (f32, f32) -> i32
      %p0 = tirx.ptr %D[%thread, %c] : !tirx.buffer<128x128xf16, global> -> !llvm.ptr<1>
      tirx.ptx "st.global.v4.u32"(%p0, %h0, %h1, %h2, %h3)
          : (!llvm.ptr<1>, i32, i32, i32, i32) -> ()
      %k1 = arith.constant 8 : index
      %n1 = arith.addi %c, %k1 : index
      %p1 = tirx.ptr %D[%thread, %n1] : !tirx.buffer<128x128xf16, global> -> !llvm.ptr<1>
      tirx.ptx "st.global.v4.u32"(%p1, %h4, %h5, %h6, %h7)
          : (!llvm.ptr<1>, i32, i32, i32, i32) -> ()
      %k2 = arith.constant 16 : index
      %n2 = arith.addi %c, %k2 : index
      %p2 = tirx.ptr %D[%thread, %n2] : !tirx.buffer<128x128xf16, global> -> !llvm.ptr<1>
      tirx.ptx "st.global.v4.u32"(%p2, %h8, %h9, %h10, %h11)
          : (!llvm.ptr<1>, i32, i32, i32, i32) -> ()
      %k3 = arith.constant 24 : index
      %n3 = arith.addi %c, %k3 : index
      %p3 = tirx.ptr %D[%thread, %n3] : !tirx.buffer<128x128xf16, global> -> !llvm.ptr<1>
      tirx.ptx "st.global.v4.u32"(%p3, %h12, %h13, %h14, %h15)
          : (!llvm.ptr<1>, i32, i32, i32, i32) -> ()
    }
    tirx.ptx "tcgen05.fence::before_thread_sync"() : () -> ()
    tirx.ptx "bar.sync"(%zero) : (i32) -> ()
    scf.if %is_warp0 {
      tirx.ptx "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned"() : () -> ()
      %address = tirx.load %slot[%c0] : !tirx.buffer<1xi32, shared> -> i32
      tirx.ptx "tcgen05.dealloc.cta_group::1.sync.aligned.b32"(%address, %columns)
          : (i32, i32) -> ()
    }
    gpu.return
  }
}
