// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions, and the narrow float formats.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

template <typename To, typename From> __device__ void convert(void *o, From v) {
  *static_cast<To *>(o) = To(v);
}

template <typename From> __device__ void convertAll(char *o, From v) {
  convert<int8_t>(o, v);
  convert<uint8_t>(o + 8, v);
  convert<int16_t>(o + 16, v);
  convert<uint16_t>(o + 24, v);
  convert<int32_t>(o + 32, v);
  convert<uint32_t>(o + 40, v);
  convert<int64_t>(o + 48, v);
  convert<uint64_t>(o + 56, v);
  convert<float>(o + 64, v);
  convert<double>(o + 72, v);
}

extern "C" __global__ void conversions(char *o, int8_t a, uint8_t b, int16_t c,
                                       uint16_t d, int32_t e, uint32_t f,
                                       int64_t g, uint64_t h, float i,
                                       double j) {
  convertAll(o, a);
  convertAll(o + 100, b);
  convertAll(o + 200, c);
  convertAll(o + 300, d);
  convertAll(o + 400, e);
  convertAll(o + 500, f);
  convertAll(o + 600, g);
  convertAll(o + 700, h);
  convertAll(o + 800, i);
  convertAll(o + 900, j);
}

extern "C" __global__ void rounded(int *o, long long *p, float *q, float a,
                                   double b, int c, long long d) {
  o[0] = __float2int_rn(a);
  o[1] = __float2int_ru(a);
  o[2] = __float2uint_rd(a);
  o[3] = __double2int_rz(b);
  o[4] = __float_as_int(a);
  p[0] = __float2ll_rn(a);
  p[1] = __double2ull_ru(b);
  p[2] = __double_as_longlong(b);
  q[0] = __int2float_rz(c);
  q[1] = __ll2float_ru(d);
  q[2] = __double2float_rd(b);
  q[3] = __uint2float_rn(c);
}

extern "C" __global__ void halves(__half *o, __half2 *o2, float *f, __half a,
                                  __half b, __half2 c, __half2 d) {
  o[0] = a + b;
  o[1] = __hfma(a, b, a);
  o[2] = __hdiv(a, b);
  o[3] = hsqrt(a);
  o[4] = hexp2(a);
  o[5] = __hmax(a, b);
  o[6] = __float2half_rn(f[0]);
  o[7] = __int2half_rn(3);
  o[8] = htanh(b);
  o[9] = __habs(a);
  o[10] = __hlt(a, b) ? a : b;
  o[11] = __hmul_sat(a, b);
  o2[0] = c + d;
  o2[1] = __hfma2_relu(c, d, c);
  o2[2] = __hmin2_nan(c, d);
  o2[3] = __floats2half2_rn(f[1], f[2]);
  o2[4] = h2exp2(c);
  o2[5] = __hge2(c, d);
  f[3] = __half2float(a) + __low2float(c);
}

extern "C" __global__ void bfloats(__nv_bfloat16 *o, __nv_bfloat162 *o2,
                                   float *f, __nv_bfloat16 a, __nv_bfloat16 b,
                                   __nv_bfloat162 c, __nv_bfloat162 d) {
  o[0] = a + b;
  o[1] = __hfma(a, b, a);
  o[2] = a / b;
  o[3] = hexp(a);
  o[4] = __hmin(a, b);
  o[5] = __float2bfloat16_rn(f[0]);
  o[6] = __float2bfloat16_rz(f[0]);
  o2[0] = c * d;
  o2[1] = __hfma2(c, d, c);
  o2[2] = __floats2bfloat162_rn(f[1], f[2]);
  o2[3] = __hmax2(c, d);
  f[3] = __bfloat162float(a) + __high2float(c);
}

extern "C" __global__ void narrow(__nv_fp8_e4m3 *a, __nv_fp8_e5m2 *b,
                                  __nv_fp8x4_e4m3 *c, __nv_fp6_e2m3 *d,
                                  __nv_fp6_e3m2 *e, __nv_fp4x2_e2m1 *g,
                                  __nv_fp8_e8m0 *s, float *f, float2 *f2) {
  a[0] = __nv_fp8_e4m3(f[0]);
  b[0] = __nv_fp8_e5m2(f[1]);
  c[0] = __nv_fp8x4_e4m3(make_float4(f[0], f[1], f[2], f[3]));
  d[0] = __nv_fp6_e2m3(f[0]);
  e[0] = __nv_fp6_e3m2(f[0]);
  g[0] = __nv_fp4x2_e2m1(f2[0]);
  s[0] = __nv_fp8_e8m0(f[4]);
  f[5] = float(a[1]) + float(b[1]) + float(d[1]) + float(e[1]) + float(s[1]);
  f2[1] = float2(g[1]);
}

extern "C" __global__ void tf32(uint32_t *o, float a) {
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(o[0]) : "f"(a));
  asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; mov.b32 %0, {h, h}; }"
      : "=r"(o[1])
      : "f"(a));
}
