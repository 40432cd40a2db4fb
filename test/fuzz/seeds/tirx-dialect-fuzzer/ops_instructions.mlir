#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>
#acc = #tirx.tile<S[(128, 128) : (1@TLane, 1@TCol)]>
func.func @instructions(%g: !tirx.buffer<128x64xf16, global>, %s: !tirx.buffer<128x64xf16, shared, #ab>,
                        %t: !tirx.buffer<128x128xf32, tmem, #acc>, %l: !tirx.buffer<8xf16, local>,
                        %scalar: !tirx.buffer<f32, global>, %i: index) {
  %0 = tirx.load %g[%i, %i] : !tirx.buffer<128x64xf16, global> -> f16
  %1 = tirx.load %s[%i, %i] : !tirx.buffer<128x64xf16, shared, #ab> -> vector<8xf16>
  %2 = tirx.load %scalar[] : !tirx.buffer<f32, global> -> f32
  tirx.store %1, %l[%i] : vector<8xf16>, !tirx.buffer<8xf16, local>
  %3 = tirx.ptr %g[%i, %i] : !tirx.buffer<128x64xf16, global> -> !llvm.ptr<1>
  %4 = tirx.ptr %s[%i, %i] : !tirx.buffer<128x64xf16, shared, #ab> -> !llvm.ptr<3>
  %5 = tirx.ptr %t[%i, %i] : !tirx.buffer<128x128xf32, tmem, #acc> -> !llvm.ptr<6>
  %6 = tirx.smem_descriptor %s k_dim(1) step(3) : !tirx.buffer<128x64xf16, shared, #ab>
  return
}
