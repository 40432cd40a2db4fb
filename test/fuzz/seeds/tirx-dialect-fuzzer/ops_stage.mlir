func.func @stage(%ring: !tirx.buffer<4x128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(4, 128, 64) : (8192, 64, 1)]>>>, %stage: index) {
  %0 = tirx.view %ring[%stage, 0, 0]
      : !tirx.buffer<4x128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(4, 128, 64) : (8192, 64, 1)]>>>
      -> !tirx.buffer<1x128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(1, 128, 64) : (8192, 64, 1)]>>>
  return
}
