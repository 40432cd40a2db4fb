!op = !tirx.buffer<128x64xf16, shared>
!g = !tirx.buffer<128x64xf16, global>
!acc = !tirx.buffer<128x128xf32, tmem, #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>>
!regs = !tirx.buffer<128x128xf32, local, #tirx.tile<S[(128, 128) : (1@tid_in_wg, 1)]>>
!bar = !tirx.buffer<1x!tirx.mbarrier, shared>

gpu.module @m {
  gpu.func @r1(%a: !op, %b: !op, %g: !g, %acc: !acc) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, tirx.explicit_sync} {
    %c0 = arith.constant 0 : index
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    tirx.copy cta %a, %g : !op, !g
    tirx.fence proxy_async_global
    tirx.barrier cta
    scf.if %first {
      tirx.gemm_async thread %acc, %a, %b : !acc, !op, !op
    }
    gpu.return
  }

  gpu.func @r1_before(%a: !op, %b: !op, %v: f16, %acc: !acc) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, tirx.explicit_sync} {
    %c0 = arith.constant 0 : index
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    tirx.fence proxy_async_shared
    tirx.store %v, %b[%tid, %c0] : f16, !op
    tirx.barrier cta
    scf.if %first {
      tirx.gemm_async thread %acc, %a, %b : !acc, !op, !op
    }
    gpu.return
  }

  gpu.func @r1_loop(%a: !op, %b: !op, %g: !g, %n: index, %acc: !acc) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, tirx.explicit_sync} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.if %first {
        tirx.gemm_async thread %acc, %a, %b : !acc, !op, !op
      }
      tirx.barrier cta
      %half = tirx.view %a[64, 0] : !op -> !tirx.buffer<64x64xf16, shared, #tirx.tile<S[(64, 64) : (64, 1)] + 4096>>
      %src = tirx.view %g[64, 0] : !g -> !tirx.buffer<64x64xf16, global, #tirx.tile<S[(64, 64) : (64, 1)] + 4096>>
      tirx.copy cta %half, %src : !tirx.buffer<64x64xf16, shared, #tirx.tile<S[(64, 64) : (64, 1)] + 4096>>, !tirx.buffer<64x64xf16, global, #tirx.tile<S[(64, 64) : (64, 1)] + 4096>>
      tirx.barrier cta
    }
    gpu.return
  }

  gpu.func @r15(%a: !op, %b: !op, %acc: !acc, %bar: !bar, %other: !bar) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, tirx.explicit_sync} {
    %c0 = arith.constant 0 : index
    %phase = arith.constant 0 : i32
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      tirx.mbarrier_init %bar[%c0] count(1) : !bar
    }
    tirx.barrier cta
    scf.if %first {
      tirx.gemm_async thread %acc, %a, %b : !acc, !op, !op
      tirx.commit %bar[%c0] : !bar
    }
    tirx.mbarrier_wait %bar[%c0] parity(%phase) : !bar
    tirx.fence tcgen05_before
    %regs = tirx.alloc_local : !regs
    tirx.copy_async warpgroup %regs, %acc : !regs, !acc
    gpu.return
  }

  gpu.func @right(%a: !op, %b: !op, %g: !g, %acc: !acc, %bar: !bar, %other: !bar) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, tirx.explicit_sync} {
    %c0 = arith.constant 0 : index
    %phase = arith.constant 0 : i32
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      tirx.mbarrier_init %bar[%c0] count(1) : !bar
      tirx.fence mbarrier_init
    }
    tirx.copy cta %a, %g : !op, !g
    tirx.fence proxy_async_shared
    tirx.copy cta %b, %g : !op, !g
    tirx.barrier cta
    scf.if %first {
      tirx.fence proxy_async
      tirx.gemm_async thread %acc, %a, %b : !acc, !op, !op
      tirx.commit %bar[%c0] : !bar
    }
    tirx.mbarrier_wait %bar[%c0] parity(%phase) : !bar
    tirx.fence tcgen05_after
    tirx.mbarrier_wait %other[%c0] parity(%phase) : !bar
    %regs = tirx.alloc_local : !regs
    tirx.copy_async warpgroup %regs, %acc : !regs, !acc
    gpu.return
  }

  gpu.func @implicit(%a: !op, %b: !op, %g: !g, %acc: !acc) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    tirx.copy cta %a, %g : !op, !g
    tirx.barrier cta
    scf.if %first {
      tirx.gemm_async thread %acc, %a, %b : !acc, !op, !op
    }
    gpu.return
  }
}
