func.func private @tile() attributes {
  a = #tirx.tile<S[(128,512):(1@TLane,1@TCol)]>,
  b = #tirx.tile<S[(32, 4) : (1@TLane, 1@TCol)] + R[4 : 32@TLane]>,
  c = #tirx.tile<S[(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1)] + R[2 : 4@warpid] + 5@warpid>,
  d = #tirx.tile<S[64 : 2]>,
  e = #tirx.tile<S[(4, 3) : (-1, 4)] + R[(2, 3) : (100, 200)] + 3 + 1@laneid>,
  f = #tirx.tile<S[(2, 128, 112) : (112@TCol, 1@TLane, 1@TCol)]>
}

func.func private @swizzle() attributes {
  a = #tirx.swizzle<3,3,3>,
  b = #tirx.swizzle<4, 2, 3, outer>
}

func.func private @types(!tirx.buffer<128x64xf16, global>, !tirx.buffer<f32, local>,
  !tirx.buffer<2x!tirx.mbarrier, shared>, !tirx.buffer<16xi8, shared, #tirx.swizzle<0, 1, 2>>,
  !tirx.pool, !tirx.buffer<4xf8E4M3FN, local>, !tirx.buffer<4xf64, global>,
  !tirx.buffer<32x4xi8, tmem, #tirx.tile<S[(32, 4) : (1@TLane, 1@TCol)] + R[4 : 32@TLane]>>)
