// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// half and bfloat16: arithmetic, comparisons, functions, conversions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// A kernel for each type: f16_NAME and bf16_NAME.
#define FOR_BOTH(NAME, PARAMETERS, ARGUMENTS)                                  \
  KERNEL f16_##NAME PARAMETERS(__half) { NAME ARGUMENTS; }                     \
  KERNEL bf16_##NAME PARAMETERS(__nv_bfloat16) { NAME ARGUMENTS; }

template <typename T>
__device__ void arithmetic(const T *a, const T *b, const T *c, T *out) {
  int i = thread();
  T x = a[i], y = b[i], z = c[i];
  out += i * 14;
  out[0] = x + y;
  out[1] = x - y;
  out[2] = x * y;
  out[3] = x / y;
  out[4] = __hadd_rn(x, y);
  out[5] = __hsub_rn(x, y);
  out[6] = __hmul_rn(x, y);
  out[7] = __hadd_sat(x, y);
  out[8] = __hsub_sat(x, y);
  out[9] = __hmul_sat(x, y);
  out[10] = __hfma(x, y, z);
  out[11] = __hfma_sat(x, y, z);
  out[12] = __hfma_relu(x, y, z);
  out[13] = hrcp(y);
}
#define THREE(T) (const T *a, const T *b, const T *c, T *out)
FOR_BOTH(arithmetic, THREE, (a, b, c, out))

template <typename T>
__device__ void extremes(const T *a, const T *b, T *out) {
  int i = thread();
  T x = a[i], y = b[i];
  out += i * 4;
  out[0] = __hmin(x, y);
  out[1] = __hmax(x, y);
  out[2] = __hmin_nan(x, y);
  out[3] = __hmax_nan(x, y);
}
#define TWO(T) (const T *a, const T *b, T *out)
FOR_BOTH(extremes, TWO, (a, b, out))

template <typename T>
__device__ void comparisons(const T *a, const T *b, unsigned *out) {
  int i = thread();
  T x = a[i], y = b[i];
  bool results[] = {x == y,          x != y,          x < y,           x <= y,
                    x > y,           x >= y,          __hequ(x, y),    __hneu(x, y),
                    __hltu(x, y),    __hleu(x, y),    __hgtu(x, y),    __hgeu(x, y),
                    __hisnan(x),     __hisinf(x) != 0, __hisinf(x) < 0, bool(__heq(x, y))};
  unsigned word = 0;
  for (int k = 0; k < 16; ++k)
    word |= unsigned(results[k]) << k;
  out[i] = word;
}
#define COMPARE(T) (const T *a, const T *b, unsigned *out)
FOR_BOTH(comparisons, COMPARE, (a, b, out))

template <typename T> __device__ void roundings(const T *a, T *out) {
  int i = thread();
  T x = a[i];
  out += i * 6;
  out[0] = hceil(x);
  out[1] = hfloor(x);
  out[2] = htrunc(x);
  out[3] = hrint(x);
  out[4] = __habs(x);
  out[5] = -x;
}
#define ONE(T) (const T *a, T *out)
FOR_BOTH(roundings, ONE, (a, out))

template <typename T> __device__ void transcendental(const T *a, T *out) {
  int i = thread();
  T x = a[i], y = __habs(x);
  out += i * 13;
  out[0] = hsqrt(y);
  out[1] = hrsqrt(y);
  out[2] = hlog(y);
  out[3] = hlog2(y);
  out[4] = hlog10(y);
  out[5] = hexp(x);
  out[6] = hexp2(x);
  out[7] = hexp10(x);
  out[8] = hsin(x);
  out[9] = hcos(x);
  out[10] = htanh(x);
  out[11] = htanh_approx(x);
  out[12] = hrcp(x);
}
FOR_BOTH(transcendental, ONE, (a, out))

// Two elements of a word: sums, products, comparisons, halves that change places.
template <typename T, typename T2> struct Pairs {
  static __device__ T2 join(T low, T high);
  static __device__ T low(T2 pair);
  static __device__ T high(T2 pair);
};
template <> struct Pairs<__half, __half2> {
  static __device__ __half2 join(__half a, __half b) { return __halves2half2(a, b); }
  static __device__ __half low(__half2 a) { return __low2half(a); }
  static __device__ __half high(__half2 a) { return __high2half(a); }
  static __device__ __half2 swap(__half2 a) { return __lowhigh2highlow(a); }
  static __device__ __half2 lows(__half2 a, __half2 b) { return __lows2half2(a, b); }
  static __device__ __half2 highs(__half2 a, __half2 b) { return __highs2half2(a, b); }
};
template <> struct Pairs<__nv_bfloat16, __nv_bfloat162> {
  typedef __nv_bfloat16 T;
  typedef __nv_bfloat162 T2;
  static __device__ T2 join(T a, T b) { return __halves2bfloat162(a, b); }
  static __device__ T low(T2 a) { return __low2bfloat16(a); }
  static __device__ T high(T2 a) { return __high2bfloat16(a); }
  static __device__ T2 swap(T2 a) { return __lowhigh2highlow(a); }
  static __device__ T2 lows(T2 a, T2 b) { return __lows2bfloat162(a, b); }
  static __device__ T2 highs(T2 a, T2 b) { return __highs2bfloat162(a, b); }
};

template <typename T, typename T2>
__device__ void pairs_of(const T *a, const T *b, const T *c, T2 *out, unsigned *compared) {
  typedef Pairs<T, T2> P;
  int i = thread();
  T2 x = P::join(a[2 * i], a[2 * i + 1]), y = P::join(b[2 * i], b[2 * i + 1]), z = P::join(c[2 * i], c[2 * i + 1]);
  out += i * 16;
  out[0] = x + y;
  out[1] = x - y;
  out[2] = x * y;
  out[3] = x / y;
  out[4] = __hfma2(x, y, z);
  out[5] = __hfma2_relu(x, y, z);
  out[6] = __hmin2(x, y);
  out[7] = __hmax2_nan(x, y);
  out[8] = __heq2(x, y);
  out[9] = __hltu2(x, y);
  out[10] = P::swap(x);
  out[11] = P::lows(x, y);
  out[12] = P::highs(x, y);
  out[13] = __shfl_xor_sync(~0u, x, 5);
  out[14] = __hadd2_sat(x, y);
  out[15] = __shfl_up_sync(~0u, P::join(P::high(x), P::low(y)), 1);
  compared[i] = unsigned(__hbeq2(x, y)) | unsigned(__hbne2(x, y)) << 1 | unsigned(__hblt2(x, y)) << 2 |
                unsigned(__hbgeu2(x, y)) << 3 | (__heq2_mask(x, y) & 0x10000) | (__hlt2_mask(x, y) & 0x100);
}
KERNEL f16_pairs(const __half *a, const __half *b, const __half *c, __half2 *out, unsigned *compared) {
  pairs_of(a, b, c, out, compared);
}
KERNEL bf16_pairs(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __nv_bfloat16 *c, __nv_bfloat162 *out,
                  unsigned *compared) {
  pairs_of(a, b, c, out, compared);
}

// The product of complex numbers, added to others.
KERNEL f16_complex(const __half2 *a, const __half2 *b, __half2 *c) {
  int i = thread();
  c[i] = __hcmadd(a[i], b[i], c[i]);
}
KERNEL bf16_complex(const __nv_bfloat162 *a, const __nv_bfloat162 *b, __nv_bfloat162 *c) {
  int i = thread();
  c[i] = __hcmadd(a[i], b[i], c[i]);
}

// From and to everything else, in each of the four directions.
#define FOUR(OUT, PREFIX, X) OUT[0] = PREFIX##_rn(X), OUT[1] = PREFIX##_rz(X), OUT[2] = PREFIX##_ru(X), OUT[3] = PREFIX##_rd(X)
#define CONVERSIONS(SHORT, NAME, T)                                            \
  KERNEL SHORT##_from_f32(const float *x, T *out) {                            \
    out += thread() * 4;                                                       \
    FOUR(out, __float2##NAME, x[thread()]);                                    \
  }                                                                            \
  KERNEL SHORT##_from_f64(const double *x, T *out) {                           \
    out[thread()] = __double2##NAME(x[thread()]);                              \
  }                                                                            \
  KERNEL SHORT##_to_f32(const T *x, float *out) {                              \
    out[thread()] = __##NAME##2float(x[thread()]);                             \
  }                                                                            \
  INTEGER(SHORT, NAME, T, i32, int, int)                                       \
  INTEGER(SHORT, NAME, T, u32, uint, unsigned)                                 \
  INTEGER(SHORT, NAME, T, i64, ll, long long)                                  \
  INTEGER(SHORT, NAME, T, u64, ull, unsigned long long)                        \
  INTEGER(SHORT, NAME, T, i16, short, short)                                   \
  INTEGER(SHORT, NAME, T, u16, ushort, unsigned short)                         \
  KERNEL SHORT##_to_bytes(const T *x, signed char *s, unsigned char *u) {      \
    s[thread()] = __##NAME##2char_rz(x[thread()]);                             \
    u[thread()] = __##NAME##2uchar_rz(x[thread()]);                            \
  }
#define INTEGER(SHORT, NAME, T, SUFFIX, WORD, I)                               \
  KERNEL SHORT##_from_##SUFFIX(const I *x, T *out) {                           \
    out += thread() * 4;                                                       \
    FOUR(out, __##WORD##2##NAME, x[thread()]);                                 \
  }                                                                            \
  KERNEL SHORT##_to_##SUFFIX(const T *x, I *out) {                             \
    out += thread() * 4;                                                       \
    FOUR(out, __##NAME##2##WORD, x[thread()]);                                 \
  }
CONVERSIONS(f16, half, __half)
CONVERSIONS(bf16, bfloat16, __nv_bfloat16)

// A row of softmax, with sums of pairs.
template <typename T, typename T2> __device__ void softmax_row(const T2 *in, T2 *out) {
  typedef Pairs<T, T2> P;
  T2 x = in[thread()];
  T most = __hmax(P::low(x), P::high(x));
  for (int d = 16; d; d /= 2)
    most = __hmax(most, __shfl_xor_sync(~0u, most, d));
  T2 e = h2exp(x - P::join(most, most));
  T sum = P::low(e) + P::high(e);
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  out[thread()] = e / P::join(sum, sum);
}
KERNEL f16_softmax(const __half2 *in, __half2 *out) { softmax_row<__half>(in, out); }
KERNEL bf16_softmax(const __nv_bfloat162 *in, __nv_bfloat162 *out) { softmax_row<__nv_bfloat16>(in, out); }
