// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Floating-point numbers of 8, 6 and 4 bits: conversions, and sums of products.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __half_raw raw(__half x) { return x; }
__device__ __nv_bfloat16_raw raw(__nv_bfloat16 x) { return x; }

// Saturating and not, from each wider type.
#define EIGHT(NAME, KIND)                                                      \
  KERNEL NAME##_from_f32(const float *x, unsigned char *out) {                 \
    int i = thread();                                                          \
    out[2 * i] = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, KIND);            \
    out[2 * i + 1] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, KIND);            \
  }                                                                            \
  KERNEL NAME##_from_f64(const double *x, unsigned char *out) {                \
    int i = thread();                                                          \
    out[2 * i] = __nv_cvt_double_to_fp8(x[i], __NV_SATFINITE, KIND);           \
    out[2 * i + 1] = __nv_cvt_double_to_fp8(x[i], __NV_NOSAT, KIND);           \
  }                                                                            \
  KERNEL NAME##_from_f16(const __half *x, unsigned char *out) {                \
    int i = thread();                                                          \
    out[2 * i] = __nv_cvt_halfraw_to_fp8(raw(x[i]), __NV_SATFINITE, KIND);     \
    out[2 * i + 1] = __nv_cvt_halfraw_to_fp8(raw(x[i]), __NV_NOSAT, KIND);     \
  }                                                                            \
  KERNEL NAME##_from_bf16(const __nv_bfloat16 *x, unsigned char *out) {        \
    int i = thread();                                                          \
    out[2 * i] = __nv_cvt_bfloat16raw_to_fp8(raw(x[i]), __NV_SATFINITE, KIND); \
    out[2 * i + 1] = __nv_cvt_bfloat16raw_to_fp8(raw(x[i]), __NV_NOSAT, KIND); \
  }                                                                            \
  KERNEL NAME##_from_pairs(const float2 *x, unsigned short *out) {             \
    out[thread()] = __nv_cvt_float2_to_fp8x2(x[thread()], __NV_SATFINITE, KIND); \
  }                                                                            \
  KERNEL NAME##_to_f16(const unsigned char *x, __half *out) {                  \
    out[thread()] = __half(__nv_cvt_fp8_to_halfraw(x[thread()], KIND));        \
  }                                                                            \
  KERNEL NAME##_to_pairs(const unsigned short *x, __half2 *out) {              \
    out[thread()] = __half2(__nv_cvt_fp8x2_to_halfraw2(x[thread()], KIND));    \
  }
EIGHT(e4m3, __NV_E4M3)
EIGHT(e5m2, __NV_E5M2)

// Through the classes: what float makes of all codes, and integers.
template <typename T> __device__ void classes(const int *x, T *codes, float *values, int *integers) {
  int i = thread();
  T narrow(x[i]);
  codes[i] = narrow;
  values[i] = float(narrow);
  integers[i] = int(narrow) + int((unsigned short)(narrow));
}
KERNEL e4m3_class(const int *x, __nv_fp8_e4m3 *codes, float *values, int *integers) {
  classes(x, codes, values, integers);
}
KERNEL e5m2_class(const int *x, __nv_fp8_e5m2 *codes, float *values, int *integers) {
  classes(x, codes, values, integers);
}

// Four products a thread, then a sum over the warp.
KERNEL dot_e4m3(const __nv_fp8x4_e4m3 *a, const __nv_fp8x4_e4m3 *b, float *out) {
  float4 x = float4(a[thread()]), y = float4(b[thread()]);
  float sum = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    out[thread() / 32] = sum;
}

KERNEL e8m0_from_f32(const float *x, unsigned char *out) {
  int i = thread();
  out[2 * i] = __nv_cvt_float_to_e8m0(x[i], __NV_SATFINITE, cudaRoundZero);
  out[2 * i + 1] = __nv_cvt_float_to_e8m0(x[i], __NV_SATFINITE, cudaRoundPosInf);
}
KERNEL e8m0_to_bf16(const unsigned char *x, __nv_bfloat16 *out) {
  out[thread()] = __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(x[thread()]));
}

#define SIX(NAME, KIND)                                                        \
  KERNEL NAME##_from_f32(const float *x, unsigned char *out) {                 \
    out[thread()] = __nv_cvt_float_to_fp6(x[thread()], KIND, cudaRoundNearest); \
  }                                                                            \
  KERNEL NAME##_from_f16(const __half *x, unsigned char *out) {                \
    out[thread()] = __nv_cvt_halfraw_to_fp6(raw(x[thread()]), KIND, cudaRoundNearest); \
  }                                                                            \
  KERNEL NAME##_to_f16(const unsigned char *x, __half *out) {                  \
    out[thread()] = __half(__nv_cvt_fp6_to_halfraw(x[thread()], KIND));        \
  }
SIX(e2m3, __NV_E2M3)
SIX(e3m2, __NV_E3M2)

KERNEL e2m1_from_f32(const float *x, unsigned char *out) {
  out[thread()] = __nv_cvt_float_to_fp4(x[thread()], __NV_E2M1, cudaRoundNearest);
}
KERNEL e2m1_from_pairs(const float2 *x, unsigned char *out) {
  out[thread()] = __nv_cvt_float2_to_fp4x2(x[thread()], __NV_E2M1, cudaRoundNearest);
}
KERNEL e2m1_to_f16(const unsigned char *x, __half *out) {
  out[thread()] = __half(__nv_cvt_fp4_to_halfraw(x[thread()], __NV_E2M1));
}
