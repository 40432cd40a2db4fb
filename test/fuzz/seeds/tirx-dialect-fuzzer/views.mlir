// Result types that the text leaves to inference, and spellings that it keeps.

#ab = #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>

// CHECK-DAG: #[[TILE:.*]] = #tirx.tile<S[(128, 64) : (64, 1)]>
// CHECK-DAG: #[[AB:.*]] = #tirx.compose<#tirx.swizzle<3, 3, 3>, #[[TILE]]>
// CHECK-DAG: #[[ROW:.*]] = #tirx.tile<S[(64) : (1)] + 320>
// CHECK-DAG: #[[COLUMNS:.*]] = #tirx.tile<S[(64, 128) : (1, 64)]>
// CHECK-DAG: #[[T:.*]] = #tirx.compose<#tirx.swizzle<3, 3, 3>, #[[COLUMNS]]>
// CHECK-DAG: #[[SPELLED:.*]] = #tirx.tile<S[(64, 2, 64) : (1, 4096, 64)]>

// CHECK-LABEL: func.func @inferred
func.func @inferred(%g: !tirx.buffer<128x64xf16, global>, %s: !tirx.buffer<128x64xf16, shared, #ab>, %i: index) {
  // CHECK: tirx.view %{{.*}}[5, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<1x64xf16, global, #[[ROW]]>
  %0 = tirx.view %g[5, 0] : !tirx.buffer<128x64xf16, global> -> 1x64xf16
  // CHECK: tirx.view %{{.*}}[%{{.*}}, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<16x64xf16, global>
  %1 = tirx.view %g[%i, 0] : !tirx.buffer<128x64xf16, global> -> 16x64xf16
  // CHECK: tirx.permute %{{.*}}[1, 0] : !tirx.buffer<128x64xf16, shared, #[[AB]]> -> !tirx.buffer<64x128xf16, shared, #[[T]]>
  %2 = tirx.permute %s[1, 0] : !tirx.buffer<128x64xf16, shared, #ab> -> 64x128xf16
  // CHECK: tirx.reshape %{{.*}} : !tirx.buffer<128x64xf16, shared, #[[AB]]> -> !tirx.buffer<2x64x64xf16, shared, #[[THREE:.*]]>
  %3 = tirx.reshape %s : !tirx.buffer<128x64xf16, shared, #ab> -> 2x64x64xf16
  // CHECK: tirx.reshape %{{.*}} : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<8192xf16, global>
  %4 = tirx.reshape %g : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<8192xf16, global>
  // CHECK: tirx.reshape %{{.*}} : !tirx.buffer<1xf16, global> -> !tirx.buffer<f16, global>
  %5 = tirx.view %4[0] : !tirx.buffer<8192xf16, global> -> 1xf16
  %6 = tirx.reshape %5 : !tirx.buffer<1xf16, global> -> !tirx.buffer<f16, global>
  return
}

// CHECK-LABEL: func.func @spelled
func.func @spelled(%g: !tirx.buffer<128x64xf16, global>) {
  // CHECK: tirx.permute %{{.*}}[1, 0] : !tirx.buffer<128x64xf16, global> -> !tirx.buffer<64x128xf16, global, #[[SPELLED]]>
  %0 = tirx.permute %g[1, 0] : !tirx.buffer<128x64xf16, global>
      -> !tirx.buffer<64x128xf16, global, #tirx.tile<S[(64, 2, 64) : (1, 4096, 64)]>>
  // CHECK: tirx.layout_cast %{{.*}} : !tirx.buffer<64x128xf16, global, #[[SPELLED]]> -> !tirx.buffer<64x128xf16, global, #{{.*}}>
  %1 = tirx.layout_cast %0 : !tirx.buffer<64x128xf16, global, #tirx.tile<S[(64, 2, 64) : (1, 4096, 64)]>>
      -> !tirx.buffer<64x128xf16, global, #tirx.tile<S[(64, 128) : (1, 64)]>>
  return
}

// CHECK-LABEL: func.func @recast
func.func @recast(%s: !tirx.buffer<128x64xf16, shared, #ab>, %t: !tirx.buffer<128x64xf16, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>>) {
  // CHECK: tirx.recast %{{.*}} -> !tirx.buffer<128x32xi32, shared, #[[WIDE:.*]]>
  %0 = tirx.recast %s : !tirx.buffer<128x64xf16, shared, #ab> -> 128x32xi32
  // CHECK: tirx.recast %{{.*}} : !tirx.buffer<128x32xi32, shared, #[[WIDE]]> -> !tirx.buffer<128x64xf16, shared, #{{.*}}>
  %1 = tirx.recast %0 : !tirx.buffer<128x32xi32, shared, #tirx.compose<#tirx.swizzle<2, 3, 3>, #tirx.tile<S[(128, 32) : (32, 1)]>>>
      -> !tirx.buffer<128x64xf16, shared, #ab>
  // CHECK: tirx.recast %{{.*}} -> !tirx.buffer<128x32xf32, tmem, #{{.*}}>
  %2 = tirx.recast %t : !tirx.buffer<128x64xf16, tmem, #tirx.tile<S[(128, 64) : (1@TLane, 1@TCol)]>> -> 128x32xf32
  return
}
