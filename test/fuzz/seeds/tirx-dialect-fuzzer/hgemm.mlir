#ab   = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#tmem = #tirx.tile<S[(128, 512) : (1@TLane, 1@TCol)]>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#rows = #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>
#drow = #tirx.tile<S[(1, 128) : (128, 1)]>

gpu.module @hgemm_module {
  gpu.func @hgemm(%A: !tirx.buffer<128x64xf16, global>,
                  %B: !tirx.buffer<128x64xf16, global>,
                  %D: !tirx.buffer<128x128xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %phase = arith.constant 0 : i32
    %warp = tirx.id warp_id_in_wg
    %lane = tirx.id lane_id

    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool : !tirx.buffer<1xi32, shared>
    %bar = tirx.pool_alloc %pool : !tirx.buffer<1x!tirx.mbarrier, shared>
    tirx.pool_move_base %pool to(1024)
    %As = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>
    %Bs = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>

    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_warp0 {
      %is_lane0 = arith.cmpi eq, %lane, %c0 : index
      scf.if %is_lane0 {
        tirx.mbarrier_init %bar[%c0] count(1) : !tirx.buffer<1x!tirx.mbarrier, shared>
      }
      tirx.tmem_alloc %slot[%c0] columns(512) : !tirx.buffer<1xi32, shared>
    }
    tirx.barrier cta
    %tmem = tirx.tmem_buffer %slot[%c0]
        : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x512xf32, tmem, #tmem>
    %acc = tirx.view %tmem[0, 0]
        : !tirx.buffer<128x512xf32, tmem, #tmem> -> !tirx.buffer<128x128xf32, tmem, #acc>

    tirx.copy cta %As, %A : !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, global>
    tirx.copy cta %Bs, %B : !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, global>
    tirx.barrier cta

    scf.if %is_warp0 {
      %leader = tirx.elect
      scf.if %leader {
        tirx.gemm_async thread %acc, %As, %Bs dispatch("tcgen05")
            : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #ab>,
              !tirx.buffer<128x64xf16, shared, #ab>
        tirx.commit %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared>
      }
    }
    tirx.mbarrier_wait %bar[%c0] parity(%phase) : !tirx.buffer<1x!tirx.mbarrier, shared>

    %regs = tirx.alloc_local : !tirx.buffer<128x128xf32, local, #rows>
    tirx.copy_async warpgroup %regs, %acc
        : !tirx.buffer<128x128xf32, local, #rows>, !tirx.buffer<128x128xf32, tmem, #acc>
    tirx.wait tcgen05_ld
    %mine = tirx.local_view %regs
        : !tirx.buffer<128x128xf32, local, #rows> -> !tirx.buffer<128xf32, local>
    %half = tirx.alloc_local : !tirx.buffer<128xf16, local>
    tirx.cast thread %half, %mine : !tirx.buffer<128xf16, local>, !tirx.buffer<128xf32, local>
    %warp_row = arith.muli %warp, %c32 : index
    %row = arith.addi %warp_row, %lane : index
    %drow = tirx.view %D[%row, 0]
        : !tirx.buffer<128x128xf16, global> -> !tirx.buffer<1x128xf16, global, #drow>
    tirx.copy thread %drow, %half : !tirx.buffer<1x128xf16, global, #drow>, !tirx.buffer<128xf16, local>

    tirx.barrier cta
    scf.if %is_warp0 {
      tirx.tmem_relinquish
      tirx.tmem_dealloc %slot[%c0] columns(512) : !tirx.buffer<1xi32, shared>
    }
    gpu.return
  }
}
