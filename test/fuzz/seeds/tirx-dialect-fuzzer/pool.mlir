#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#b64 = #tirx.compose<#tirx.swizzle<3, 2, 3>, #tirx.tile<S[(8, 32) : (32, 1)]>>
#b32 = #tirx.compose<#tirx.swizzle<3, 1, 3>, #tirx.tile<S[(8, 16) : (16, 1)]>>

gpu.module @m {
  gpu.func @placed(%flag: i1) kernel {
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool : !tirx.buffer<1xi32, shared>
    %bar = tirx.pool_alloc %pool : !tirx.buffer<3x!tirx.mbarrier, shared>
    %s32 = tirx.pool_alloc %pool : !tirx.buffer<8x16xf16, shared, #b32>
    %s64 = tirx.pool_alloc %pool : !tirx.buffer<8x32xf16, shared, #b64>
    scf.if %flag {
      %s128 = tirx.pool_alloc %pool : !tirx.buffer<128x64xf16, shared, #ab>
    }
    %sparse = tirx.pool_alloc %pool : !tirx.buffer<2x25xi8, shared, #tirx.tile<S[(2, 25) : (100, 4)]>>
    %aligned = tirx.pool_alloc %pool align(256) : !tirx.buffer<4xf32, shared>
    tirx.pool_move_base %pool to(18000)
    %moved = tirx.pool_alloc %pool : !tirx.buffer<4xf32, shared>
    %fixed = tirx.pool_alloc %pool at(18928) : !tirx.buffer<4xf32, shared>
    gpu.return
  }

  gpu.func @no_pool() kernel {
    gpu.return
  }
}
