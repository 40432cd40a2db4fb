// RUN: tirx-opt %s | tirx-opt | FileCheck %s
// RUN: tirx-opt %s -mlir-print-op-generic | tirx-opt | FileCheck %s
// RUN: tirx-opt %s -emit-bytecode | tirx-opt | FileCheck %s

// Every op in every form that its syntax has.

#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#rows = #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>

// CHECK-LABEL: func.func @ids
func.func @ids() {
  // CHECK: tirx.id lane_id
  %0 = tirx.id lane_id
  // CHECK: tirx.id warp_id
  %1 = tirx.id warp_id
  // CHECK: tirx.id warp_id_in_wg
  %2 = tirx.id warp_id_in_wg
  // CHECK: tirx.id warpgroup_id
  %3 = tirx.id warpgroup_id
  // CHECK: tirx.id thread_id
  %4 = tirx.id thread_id
  // CHECK: tirx.id thread_id_in_wg
  %5 = tirx.id thread_id_in_wg
  // CHECK: tirx.id cta_id_x
  %6 = tirx.id cta_id_x
  // CHECK: tirx.id cta_id_y
  %7 = tirx.id cta_id_y
  // CHECK: tirx.id cta_id_z
  %8 = tirx.id cta_id_z
  // CHECK: tirx.id cta_id_in_cluster
  %9 = tirx.id cta_id_in_cluster
  // CHECK: tirx.id cluster_id_x
  %10 = tirx.id cluster_id_x
  // CHECK: tirx.id cluster_id_y
  %11 = tirx.id cluster_id_y
  // CHECK: tirx.id cluster_id_z
  %12 = tirx.id cluster_id_z
  return
}

// CHECK-LABEL: func.func @shared
func.func @shared() {
  // CHECK: %[[POOL:.*]] = tirx.smem_pool
  %pool = tirx.smem_pool
  // CHECK: tirx.pool_alloc %[[POOL]] : !tirx.buffer<1xi32, shared>
  %a = tirx.pool_alloc %pool : !tirx.buffer<1xi32, shared>
  // CHECK: tirx.pool_alloc %[[POOL]] at(8) : !tirx.buffer<2x!tirx.mbarrier, shared>
  %b = tirx.pool_alloc %pool at(8) : !tirx.buffer<2x!tirx.mbarrier, shared>
  // CHECK: tirx.pool_move_base %[[POOL]] to(2048)
  tirx.pool_move_base %pool to(2048)
  // CHECK: tirx.pool_alloc %[[POOL]] at(2048) align(2048) : !tirx.buffer<128x64xf16, shared, #{{.*}}>
  %c = tirx.pool_alloc %pool at(2048) align(2048) : !tirx.buffer<128x64xf16, shared, #ab>
  return
}

// CHECK-LABEL: func.func @tmem
func.func @tmem(%slot: !tirx.buffer<1xi32, shared>, %i: index) {
  // CHECK: tirx.tmem_alloc %{{.*}}[%{{.*}}] columns(512) : !tirx.buffer<1xi32, shared>
  tirx.tmem_alloc %slot[%i] columns(512) : !tirx.buffer<1xi32, shared>
  // CHECK: tirx.tmem_alloc %{{.*}}[%{{.*}}] columns(32) cta_group(2) : !tirx.buffer<1xi32, shared>
  tirx.tmem_alloc %slot[%i] columns(32) cta_group(2) : !tirx.buffer<1xi32, shared>
  // CHECK: tirx.tmem_buffer %{{.*}}[%{{.*}}] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #{{.*}}>
  %0 = tirx.tmem_buffer %slot[%i] : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
  // CHECK: tirx.tmem_buffer %{{.*}}[%{{.*}}] column(384) alias : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #{{.*}}>
  %1 = tirx.tmem_buffer %slot[%i] column(384) alias : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>
  // 256 columns of 16 bits are 128 hardware columns.
  // CHECK: tirx.tmem_buffer %{{.*}}[%{{.*}}] column(384) : {{.*}} -> !tirx.buffer<128x256xf16, tmem, #{{.*}}>
  %2 = tirx.tmem_buffer %slot[%i] column(384) : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x256xf16, tmem, #tirx.tile<S[(128, 256) : (1@TLane, 1@TCol)]>>
  // CHECK: tirx.tmem_relinquish{{$}}
  tirx.tmem_relinquish
  // CHECK: tirx.tmem_relinquish cta_group(2)
  tirx.tmem_relinquish cta_group(2)
  // CHECK: tirx.tmem_dealloc %{{.*}}[%{{.*}}] columns(512) : !tirx.buffer<1xi32, shared>
  tirx.tmem_dealloc %slot[%i] columns(512) : !tirx.buffer<1xi32, shared>
  // CHECK: tirx.tmem_dealloc %{{.*}}[%{{.*}}] columns(32) cta_group(2) : !tirx.buffer<1xi32, shared>
  tirx.tmem_dealloc %slot[%i] columns(32) cta_group(2) : !tirx.buffer<1xi32, shared>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%g: !tirx.buffer<4x128x64xf16, global>, %s: !tirx.buffer<128x64xf16, shared, #ab>, %i: index) {
  // Static offsets are part of the result's layout, dynamic ones are not.
  // CHECK: tirx.view %{{.*}}[1, 64, 0] : !tirx.buffer<4x128x64xf16, global> -> !tirx.buffer<1x64x64xf16, global, #{{.*}}>
  %0 = tirx.view %g[1, 64, 0] : !tirx.buffer<4x128x64xf16, global>
      -> !tirx.buffer<1x64x64xf16, global, #tirx.tile<S[(64, 64) : (64, 1)] + 12288>>
  // CHECK: tirx.view %{{.*}}[%{{.*}}, 64, %{{.*}}] : !tirx.buffer<4x128x64xf16, global> -> !tirx.buffer<1x64x16xf16, global, #{{.*}}>
  %1 = tirx.view %g[%i, 64, %i] : !tirx.buffer<4x128x64xf16, global>
      -> !tirx.buffer<1x64x16xf16, global, #tirx.tile<S[(1, 64, 16) : (8192, 64, 1)] + 4096>>
  // The same layout in another spelling.
  // CHECK: tirx.view %{{.*}}[0, 0, 0]
  %2 = tirx.view %g[0, 0, 0] : !tirx.buffer<4x128x64xf16, global>
      -> !tirx.buffer<4x128x64xf16, global, #tirx.tile<S[(512, 8, 8) : (64, 8, 1)]>>
  // A swizzle stays as it is.
  // CHECK: tirx.view %{{.*}}[64, 0] : !tirx.buffer<128x64xf16, shared, #{{.*}}> -> !tirx.buffer<64x64xf16, shared, #{{.*}}>
  %3 = tirx.view %s[64, 0] : !tirx.buffer<128x64xf16, shared, #ab>
      -> !tirx.buffer<64x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 64) : (64, 1)] + 4096>>>
  // CHECK: %[[R:.*]] = tirx.alloc_local : !tirx.buffer<128x64xf32, local, #{{.*}}>
  %r = tirx.alloc_local : !tirx.buffer<128x64xf32, local, #rows>
  // CHECK: tirx.local_view %[[R]] : !tirx.buffer<128x64xf32, local, #{{.*}}> -> !tirx.buffer<64xf32, local>
  %4 = tirx.local_view %r : !tirx.buffer<128x64xf32, local, #rows> -> !tirx.buffer<64xf32, local>
  return
}

// A stage of a ring: the step is a multiple of the swizzle's period.
// CHECK-LABEL: func.func @stage
func.func @stage(%ring: !tirx.buffer<4x128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(4, 128, 64) : (8192, 64, 1)]>>>, %stage: index) {
  // CHECK: tirx.view %{{.*}}[%{{.*}}, 0, 0]
  %0 = tirx.view %ring[%stage, 0, 0]
      : !tirx.buffer<4x128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(4, 128, 64) : (8192, 64, 1)]>>>
      -> !tirx.buffer<1x128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(1, 128, 64) : (8192, 64, 1)]>>>
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%g: !tirx.buffer<128x64xf16, global>, %s: !tirx.buffer<128x64xf16, shared, #ab>,
                 %t: !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>,
                 %d: !tirx.buffer<128x128xf32, tmem, #acc>, %r: !tirx.buffer<128x64xf32, local, #rows>,
                 %km: !tirx.buffer<64x128xf16, shared>, %kn: !tirx.buffer<64x64xf16, shared>, %more: i1,
                 %f: !tirx.buffer<64xf32, local>, %h: !tirx.buffer<1x64xf16, local>) {
  // CHECK: tirx.copy cta %{{.*}}, %{{.*}} : !tirx.buffer<128x64xf16, shared, #{{.*}}>, !tirx.buffer<128x64xf16, global>
  tirx.copy cta %s, %g : !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, global>
  // CHECK: tirx.copy warp %{{.*}}, %{{.*}} dispatch("vectorized")
  tirx.copy warp %s, %g dispatch("vectorized") : !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, global>
  // CHECK: tirx.copy_async warpgroup %{{.*}}, %{{.*}} :
  tirx.copy_async warpgroup %r, %t
      : !tirx.buffer<128x64xf32, local, #rows>, !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>
  // CHECK: tirx.copy_async cluster %{{.*}}, %{{.*}} dispatch("tcgen05.ld")
  tirx.copy_async cluster %r, %t dispatch("tcgen05.ld")
      : !tirx.buffer<128x64xf32, local, #rows>, !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>
  // CHECK: tirx.gemm_async thread %{{.*}}, %{{.*}}, %{{.*}} :
  tirx.gemm_async thread %d, %s, %s
      : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, shared, #ab>
  // CHECK: tirx.gemm_async thread %{{.*}}, %{{.*}}, %{{.*}} accumulate(%{{.*}}) trans_a trans_b cta_group(2) dispatch("tcgen05")
  tirx.gemm_async thread %d, %km, %kn accumulate(%more) trans_a trans_b cta_group(2) dispatch("tcgen05")
      : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<64x128xf16, shared>, !tirx.buffer<64x64xf16, shared>
  // Extents of 1 do not count.
  // CHECK: tirx.cast thread %{{.*}}, %{{.*}} : !tirx.buffer<1x64xf16, local>, !tirx.buffer<64xf32, local>
  tirx.cast thread %h, %f : !tirx.buffer<1x64xf16, local>, !tirx.buffer<64xf32, local>
  // CHECK: tirx.cast thread %{{.*}}, %{{.*}} dispatch("registers")
  tirx.cast thread %h, %f dispatch("registers") : !tirx.buffer<1x64xf16, local>, !tirx.buffer<64xf32, local>
  return
}

// CHECK-LABEL: func.func @sync
func.func @sync(%bar: !tirx.buffer<4x!tirx.mbarrier, shared>, %i: index, %phase: i32) {
  // CHECK: tirx.barrier warp
  tirx.barrier warp
  // CHECK: tirx.barrier warpgroup id(15)
  tirx.barrier warpgroup id(15)
  // CHECK: tirx.barrier cta
  tirx.barrier cta
  // CHECK: tirx.elect
  %0 = tirx.elect
  // CHECK: tirx.mbarrier_init %{{.*}}[%{{.*}}] count(1048575) : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.mbarrier_init %bar[%i] count(1048575) : !tirx.buffer<4x!tirx.mbarrier, shared>
  // CHECK: tirx.mbarrier_wait %{{.*}}[%{{.*}}] parity(%{{.*}}) : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.mbarrier_wait %bar[%i] parity(%phase) : !tirx.buffer<4x!tirx.mbarrier, shared>
  // CHECK: tirx.mbarrier_arrive %{{.*}}[%{{.*}}] : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.mbarrier_arrive %bar[%i] : !tirx.buffer<4x!tirx.mbarrier, shared>
  // CHECK: tirx.commit %{{.*}}[%{{.*}}] : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.commit %bar[%i] : !tirx.buffer<4x!tirx.mbarrier, shared>
  // CHECK: tirx.commit %{{.*}}[%{{.*}}] cta_group(2) : !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.commit %bar[%i] cta_group(2) : !tirx.buffer<4x!tirx.mbarrier, shared>
  // CHECK: tirx.fence proxy_async_shared
  tirx.fence proxy_async_shared
  // CHECK: tirx.fence proxy_async_global
  tirx.fence proxy_async_global
  // CHECK: tirx.fence proxy_async{{$}}
  tirx.fence proxy_async
  // CHECK: tirx.fence mbarrier_init
  tirx.fence mbarrier_init
  // CHECK: tirx.fence tcgen05_before
  tirx.fence tcgen05_before
  // CHECK: tirx.fence tcgen05_after
  tirx.fence tcgen05_after
  // CHECK: tirx.wait tcgen05_ld
  tirx.wait tcgen05_ld
  // CHECK: tirx.wait tcgen05_st
  tirx.wait tcgen05_st
  // CHECK: tirx.commit_group bulk
  tirx.commit_group bulk
  // CHECK: tirx.commit_group cp_async
  tirx.commit_group cp_async
  // CHECK: tirx.commit_group wgmma
  tirx.commit_group wgmma
  // CHECK: tirx.wait_group bulk pending(3) read
  tirx.wait_group bulk pending(3) read
  // CHECK: tirx.wait_group wgmma pending(1){{$}}
  tirx.wait_group wgmma pending(1)
  return
}

// CHECK-LABEL: func.func @tensor_copies
func.func @tensor_copies(%g: !tirx.buffer<128x64xf16, global>, %s: !tirx.buffer<128x64xf16, shared>,
                         %b: !tirx.buffer<4x!tirx.mbarrier, shared>, %i: index, %n: i32, %mask: i16) {
  // CHECK: tirx.mbarrier_arrive %{{.*}}[%{{.*}}] expect_tx(%{{.*}}) :
  tirx.mbarrier_arrive %b[%i] expect_tx(%n) : !tirx.buffer<4x!tirx.mbarrier, shared>
  // CHECK: tirx.mbarrier_arrive %{{.*}}[%{{.*}}] cta(%{{.*}}) :
  tirx.mbarrier_arrive %b[%i] cta(%n) : !tirx.buffer<4x!tirx.mbarrier, shared>
  // CHECK: tirx.copy_async thread %{{.*}}, %{{.*}} barrier(%{{.*}}[%{{.*}}]) multicast(%{{.*}}) cta_group(2) dispatch("tma") : !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xf16, global>, !tirx.buffer<4x!tirx.mbarrier, shared>
  tirx.copy_async thread %s, %g barrier(%b[%i]) multicast(%mask) cta_group(2) dispatch("tma") : !tirx.buffer<128x64xf16, shared>, !tirx.buffer<128x64xf16, global>, !tirx.buffer<4x!tirx.mbarrier, shared>
  // CHECK: tirx.copy_async thread %{{.*}}, %{{.*}} : !tirx.buffer<128x64xf16, global>, !tirx.buffer<128x64xf16, shared>
  tirx.copy_async thread %g, %s : !tirx.buffer<128x64xf16, global>, !tirx.buffer<128x64xf16, shared>
  // CHECK: tirx.barrier cluster
  tirx.barrier cluster
  return
}

// CHECK-LABEL: func.func @instructions
func.func @instructions(%g: !tirx.buffer<128x64xf16, global>, %s: !tirx.buffer<128x64xf16, shared, #ab>,
                        %t: !tirx.buffer<128x128xf32, tmem, #acc>, %l: !tirx.buffer<8xf16, local>,
                        %scalar: !tirx.buffer<f32, global>, %i: index) {
  // CHECK: tirx.load %{{.*}}[%{{.*}}, %{{.*}}] : !tirx.buffer<128x64xf16, global> -> f16
  %0 = tirx.load %g[%i, %i] : !tirx.buffer<128x64xf16, global> -> f16
  // CHECK: tirx.load %{{.*}}[%{{.*}}, %{{.*}}] : !tirx.buffer<128x64xf16, shared, #{{.*}}> -> vector<8xf16>
  %1 = tirx.load %s[%i, %i] : !tirx.buffer<128x64xf16, shared, #ab> -> vector<8xf16>
  // CHECK: tirx.load %{{.*}}[] : !tirx.buffer<f32, global> -> f32
  %2 = tirx.load %scalar[] : !tirx.buffer<f32, global> -> f32
  // CHECK: tirx.store %{{.*}}, %{{.*}}[%{{.*}}] : vector<8xf16>, !tirx.buffer<8xf16, local>
  tirx.store %1, %l[%i] : vector<8xf16>, !tirx.buffer<8xf16, local>
  // CHECK: tirx.ptr %{{.*}}[%{{.*}}, %{{.*}}] : !tirx.buffer<128x64xf16, global> -> !llvm.ptr<1>
  %3 = tirx.ptr %g[%i, %i] : !tirx.buffer<128x64xf16, global> -> !llvm.ptr<1>
  // CHECK: tirx.ptr %{{.*}}[%{{.*}}, %{{.*}}] : !tirx.buffer<128x64xf16, shared, #{{.*}}> -> !llvm.ptr<3>
  %4 = tirx.ptr %s[%i, %i] : !tirx.buffer<128x64xf16, shared, #ab> -> !llvm.ptr<3>
  // CHECK: tirx.ptr %{{.*}}[%{{.*}}, %{{.*}}] : !tirx.buffer<128x128xf32, tmem, #{{.*}}> -> !llvm.ptr<6>
  %5 = tirx.ptr %t[%i, %i] : !tirx.buffer<128x128xf32, tmem, #acc> -> !llvm.ptr<6>
  // CHECK: tirx.smem_descriptor %{{.*}} k_dim(1) step(3) : !tirx.buffer<128x64xf16, shared, #{{.*}}>
  %6 = tirx.smem_descriptor %s k_dim(1) step(3) : !tirx.buffer<128x64xf16, shared, #ab>
  return
}
