#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#rows = #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>
func.func @views(%g: !tirx.buffer<4x128x64xf16, global>, %s: !tirx.buffer<128x64xf16, shared, #ab>, %i: index) {
  %0 = tirx.view %g[1, 64, 0] : !tirx.buffer<4x128x64xf16, global>
      -> !tirx.buffer<1x64x64xf16, global, #tirx.tile<S[(64, 64) : (64, 1)] + 12288>>
  %1 = tirx.view %g[%i, 64, %i] : !tirx.buffer<4x128x64xf16, global>
      -> !tirx.buffer<1x64x16xf16, global, #tirx.tile<S[(1, 64, 16) : (8192, 64, 1)] + 4096>>
  %2 = tirx.view %g[0, 0, 0] : !tirx.buffer<4x128x64xf16, global>
      -> !tirx.buffer<4x128x64xf16, global, #tirx.tile<S[(512, 8, 8) : (64, 8, 1)]>>
  %3 = tirx.view %s[64, 0] : !tirx.buffer<128x64xf16, shared, #ab>
      -> !tirx.buffer<64x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(64, 64) : (64, 1)] + 4096>>>
  %r = tirx.alloc_local : !tirx.buffer<128x64xf32, local, #rows>
  %4 = tirx.local_view %r : !tirx.buffer<128x64xf32, local, #rows> -> !tirx.buffer<64xf32, local>
  return
}
