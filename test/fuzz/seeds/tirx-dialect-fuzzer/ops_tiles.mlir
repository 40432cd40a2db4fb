#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
#rows = #tirx.tile<S[(128, 64) : (1@tid_in_wg, 1)]>
func.func @tiles(%g: !tirx.buffer<128x64xf16, global>, %s: !tirx.buffer<128x64xf16, shared, #ab>,
                 %t: !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>,
                 %d: !tirx.buffer<128x128xf32, tmem, #acc>, %r: !tirx.buffer<128x64xf32, local, #rows>,
                 %km: !tirx.buffer<64x128xf16, shared>, %more: i1,
                 %f: !tirx.buffer<64xf32, local>, %h: !tirx.buffer<1x64xf16, local>) {
  tirx.copy cta %s, %g : !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, global>
  tirx.copy warp %s, %g dispatch("vectorized") : !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, global>
  tirx.copy_async warpgroup %r, %t
      : !tirx.buffer<128x64xf32, local, #rows>, !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>
  tirx.copy_async cluster %r, %t dispatch("tcgen05.ld")
      : !tirx.buffer<128x64xf32, local, #rows>, !tirx.buffer<128x64xf32, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>
  tirx.gemm_async thread %d, %s, %s
      : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<128x64xf16, shared, #ab>, !tirx.buffer<128x64xf16, shared, #ab>
  tirx.gemm_async thread %d, %km, %km accumulate(%more) trans_a trans_b cta_group(2) dispatch("tcgen05")
      : !tirx.buffer<128x128xf32, tmem, #acc>, !tirx.buffer<64x128xf16, shared>, !tirx.buffer<64x128xf16, shared>
  tirx.cast thread %h, %f : !tirx.buffer<1x64xf16, local>, !tirx.buffer<64xf32, local>
  tirx.cast thread %h, %f dispatch("registers") : !tirx.buffer<1x64xf16, local>, !tirx.buffer<64xf32, local>
  return
}
