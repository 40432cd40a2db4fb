// D = A B^T with A 256x512, B 384x512 and D 256x384, f16: a grid of 2x3 CTAs, each
// with a tile of 128x128 and a loop over K in blocks of 64 (hgemm_kloop.mlir). A CTA
// finds its tile by its number; the views of A, B and D start there.

#ab   = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#kblk = #tirx.tile<S[(128, 64) : (512, 1)]>
#acc  = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#rows = #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>
#drow = #tirx.tile<S[(1, 128) : (384, 1)]>

gpu.module @hgemm_module {
  gpu.func @hgemm(%A: !tirx.buffer<256x512xf16, global>,
                  %B: !tirx.buffer<384x512xf16, global>,
                  %D: !tirx.buffer<256x384xf16, global>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %warp = tirx.id warp_id_in_wg
    %lane = tirx.id lane_id
    %thread = tirx.id thread_id

    // The tile of this CTA.
    %c128 = arith.constant 128 : index
    %bx = tirx.id cta_id_x
    %by = tirx.id cta_id_y
    %m0 = arith.muli %bx, %c128 : index
    %n0 = arith.muli %by, %c128 : index

    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool : !tirx.buffer<1xi32, shared>
    %bar = tirx.pool_alloc %pool : !tirx.buffer<1x!tirx.mbarrier, shared>
    %As = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>
    %Bs = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>

    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_warp0 {
      %is_lane0 = arith.cmpi eq, %lane, %c0 : index
      scf.if %is_lane0 {
        tirx.mbarrier_init %bar[%c0] count(1) : !tirx.buffer<1x!tirx.mbarrier, shared>
      }
      tirx.tmem_alloc %slot[%c0] columns(128) : !tirx.buffer<1xi32, shared>
    }
    tirx.barrier cta
    %acc = tirx.tmem_buffer %slot[%c0]
        : !tirx.buffer<1xi32, shared> -> !tirx.buffer<128x128xf32, tmem, #acc>

    scf.for %k = %c0 to %c512 step %c64 iter_args(%phase = %zero) -> (i32) {
      %Ak = tirx.view %A[%m0, %k]
          : !tirx.buffer<256x512xf16, global> -> !tirx.buffer<128x64xf16, global, #kblk>
      %Bk = tirx.view %B[%n0, %k]
          : !tirx.buffer<384x512xf16, global> -> !tirx.buffer<128x64xf16, global, #kblk>
      tirx.copy cta %As, %Ak
          : !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, global, #kblk>
      tirx.copy cta %Bs, %Bk
          : !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, global, #kblk>
      tirx.barrier cta

      scf.if %is_warp0 {
        %leader = tirx.elect
        scf.if %leader {
          // The first block starts D from zero, the others add to it.
          %more = arith.cmpi ne, %k, %c0 : index
          tirx.gemm_async thread %acc, %As, %Bs accumulate(%more) dispatch("tcgen05")
              : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #ab>,
                !tirx.buffer<128x64xf16, shared, #ab>
          tirx.commit %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared>
        }
      }
      // All threads wait: the next copies overwrite what the MMAs read.
      tirx.mbarrier_wait %bar[%c0] parity(%phase) : !tirx.buffer<1x!tirx.mbarrier, shared>
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }

    %regs = tirx.alloc_local : !tirx.buffer<128x128xf32, local, #rows>
    tirx.copy_async warpgroup %regs, %acc
        : !tirx.buffer<128x128xf32, local, #rows>, !tirx.buffer<128x128xf32, tmem, #acc>
    tirx.wait tcgen05_ld
    %mine = tirx.local_view %regs
        : !tirx.buffer<128x128xf32, local, #rows> -> !tirx.buffer<128xf32, local>
    %half = tirx.alloc_local : !tirx.buffer<128xf16, local>
    tirx.cast thread %half, %mine : !tirx.buffer<128xf16, local>, !tirx.buffer<128xf32, local>
    %row = arith.addi %m0, %thread : index
    %drow = tirx.view %D[%row, %n0]
        : !tirx.buffer<256x384xf16, global> -> !tirx.buffer<1x128xf16, global, #drow>
    tirx.copy thread %drow, %half : !tirx.buffer<1x128xf16, global, #drow>, !tirx.buffer<128xf16, local>

    tirx.barrier cta
    scf.if %is_warp0 {
      tirx.tmem_relinquish
      tirx.tmem_dealloc %slot[%c0] columns(128) : !tirx.buffer<1xi32, shared>
    }
    gpu.return
  }
}
