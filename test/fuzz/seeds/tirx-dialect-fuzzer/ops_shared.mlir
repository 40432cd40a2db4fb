#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
func.func @shared() {
  %pool = tirx.smem_pool
  %a = tirx.pool_alloc %pool : !tirx.buffer<1xi32, shared>
  %b = tirx.pool_alloc %pool at(8) : !tirx.buffer<2x!tirx.mbarrier, shared>
  tirx.pool_move_base %pool to(2048)
  %c = tirx.pool_alloc %pool at(2048) align(2048) : !tirx.buffer<128x64xf16, shared, #ab>
  return
}
