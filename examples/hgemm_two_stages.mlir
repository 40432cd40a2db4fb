// D = A B^T with A and B 128x512, D 128x128, f16: the kernel of hgemm_kloop.mlir with
// two stages of shared memory, so that copies of one block of K overlap the MMAs of
// the block before; and two warpgroups, each of which writes half of the columns.
//
// A stage is 128 rows of one buffer: a view at a dynamic row. Its mbarrier completes
// a phase each time that the MMAs which read the stage are done.

#ab2  = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(256, 64) : (64, 1)]>>
#ab   = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#kblk = #tirx.tile<S[(128, 64) : (512, 1)]>
#full = #tirx.tile<S[(128, 512) : (1@TLane, 1@TCol)]>
#acc1 = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)] + 256@TCol>
#part = #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)] + 256@TCol>
#rowsx = #tirx.tile<S[(4, 32, 64) : (1@wid_in_wg, 1@laneid, 1)]>
#drow = #tirx.tile<S[(1, 64) : (128, 1)]>
!A = !tirx.buffer<128x512xf16, global>
!K = !tirx.buffer<128x64xf16, global, #kblk>
!S2 = !tirx.buffer<256x64xf16, shared, #ab2>
!S = !tirx.buffer<128x64xf16, shared, #ab>
!T = !tirx.buffer<128x512xf32, tmem, #full>
!acc = !tirx.buffer<128x128xf32, tmem, #acc1>
!part = !tirx.buffer<128x64xf32, tmem, #part>
!R = !tirx.buffer<128x64xf32, local, #rowsx>
!bar = !tirx.buffer<2x!tirx.mbarrier, shared>
!slot = !tirx.buffer<1xi32, shared>
!D = !tirx.buffer<128x128xf16, global>
!drow = !tirx.buffer<1x64xf16, global, #drow>
gpu.module @m {
  gpu.func @hgemm(%A: !A, %B: !A, %D: !D)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c8 = arith.constant 8 : index
    %one = arith.constant 1 : i32
    %warp = tirx.id warp_id
    %wg = tirx.id warpgroup_id
    %lane = tirx.id lane_id
    %tw = tirx.id thread_id_in_wg
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool : !slot
    %bar = tirx.pool_alloc %pool : !bar
    %As = tirx.pool_alloc %pool : !S2
    %Bs = tirx.pool_alloc %pool : !S2
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_warp0 {
      %is_lane0 = arith.cmpi eq, %lane, %c0 : index
      scf.if %is_lane0 {
        tirx.mbarrier_init %bar[%c0] count(1) : !bar
        tirx.mbarrier_init %bar[%c1] count(1) : !bar
      }
      tirx.tmem_alloc %slot[%c0] columns(512) : !slot
    }
    tirx.barrier cta
    %tm = tirx.tmem_buffer %slot[%c0] : !slot -> !T
    %acc = tirx.view %tm[0, 256] : !T -> !acc
    scf.for %k = %c0 to %c8 step %c1 {
      // Block k is use k / 2 of stage k % 2. It may overwrite the stage once use
      // k / 2 - 1 is complete, which has the other parity.
      %stage = arith.remui %k, %c2 : index
      %use = arith.divui %k, %c2 : index
      %u32 = arith.index_cast %use : index to i32
      %odd = arith.andi %u32, %one : i32
      %prev = arith.xori %odd, %one : i32
      %k0 = arith.muli %k, %c64 : index
      %s0 = arith.muli %stage, %c128 : index
      %again = arith.cmpi uge, %k, %c2 : index
      scf.if %again {
        tirx.mbarrier_wait %bar[%stage] parity(%prev) : !bar
      }
      %Ak = tirx.view %A[0, %k0] : !A -> !K
      %Bk = tirx.view %B[0, %k0] : !A -> !K
      %a = tirx.view %As[%s0, 0] : !S2 -> !S
      %b = tirx.view %Bs[%s0, 0] : !S2 -> !S
      tirx.copy cta %a, %Ak : !S, !K
      tirx.copy cta %b, %Bk : !S, !K
      tirx.barrier cta
      scf.if %is_warp0 {
        %leader = tirx.elect
        scf.if %leader {
          %more = arith.cmpi ne, %k, %c0 : index
          tirx.gemm_async thread %acc, %a, %b accumulate(%more) : !acc, !S, !S
          tirx.commit %bar[%stage] : !bar
        }
      }
    }
    // The last use of each stage is number 3.
    tirx.mbarrier_wait %bar[%c0] parity(%one) : !bar
    tirx.mbarrier_wait %bar[%c1] parity(%one) : !bar

    // Each warpgroup takes 64 columns, each thread one row of them.
    %n0 = arith.muli %wg, %c64 : index
    %mine_t = tirx.view %acc[0, %n0] : !acc -> !part
    %regs = tirx.alloc_local : !R
    tirx.copy_async warpgroup %regs, %mine_t : !R, !part
    tirx.wait tcgen05_ld
    %mine = tirx.local_view %regs : !R -> !tirx.buffer<64xf32, local>
    %h = tirx.alloc_local : !tirx.buffer<64xf16, local>
    tirx.cast thread %h, %mine : !tirx.buffer<64xf16, local>, !tirx.buffer<64xf32, local>
    %drow = tirx.view %D[%tw, %n0] : !D -> !drow
    tirx.copy thread %drow, %h : !drow, !tirx.buffer<64xf16, local>
    tirx.barrier cta
    scf.if %is_warp0 {
      tirx.tmem_relinquish
      tirx.tmem_dealloc %slot[%c0] columns(512) : !slot
    }
    gpu.return
  }
}
