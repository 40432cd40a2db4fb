// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and float arithmetic of every width.
#include <cstdint>

template <typename T> __device__ void integers(T *o, T a, T b, int n) {
  o[0] = a + b;
  o[1] = a - b;
  o[2] = a * b;
  o[3] = b ? a / b : T(1);
  o[4] = b ? a % b : T(2);
  o[5] = a << n;
  o[6] = a >> n;
  o[7] = (a & b) ^ ~(a | b);
  o[8] = a < b ? a : b;
  o[9] = a == b || a != T(3);
  o[10] = -a;
  for (int i = 0; i < n; ++i)
    o[11] += a * T(i) + b;
}

extern "C" __global__ void integer_kernels(int8_t *a, uint8_t *b, int16_t *c,
                                           uint16_t *d, int32_t *e,
                                           uint32_t *f, int64_t *g, uint64_t *h,
                                           __int128 *i, unsigned __int128 *j) {
  int n = threadIdx.x;
  integers<int8_t>(a, a[20], a[21], n);
  integers<uint8_t>(b, b[20], b[21], n);
  integers<int16_t>(c, c[20], c[21], n);
  integers<uint16_t>(d, d[20], d[21], n);
  integers<int32_t>(e, e[20], e[21], n);
  integers<uint32_t>(f, f[20], f[21], n);
  integers<int64_t>(g, g[20], g[21], n);
  integers<uint64_t>(h, h[20], h[21], n);
  integers<__int128>(i, i[20], i[21], n);
  integers<unsigned __int128>(j, j[20], j[21], n);
}

extern "C" __global__ void bit_functions(uint32_t *o, uint64_t *p, uint32_t a,
                                         uint32_t b, uint64_t c) {
  o[0] = __popc(a);
  o[1] = __clz(a);
  o[2] = __ffs(a);
  o[3] = __brev(a);
  o[4] = __byte_perm(a, b, 0x3214);
  o[5] = __funnelshift_l(a, b, 7);
  o[6] = __funnelshift_rc(a, b, b);
  o[7] = __umulhi(a, b);
  o[8] = __mulhi(int(a), int(b));
  o[9] = __umul24(a, b);
  o[10] = __mul24(int(a), int(b));
  o[11] = __usad(a, b, 3);
  o[12] = __sad(int(a), int(b), 3);
  o[13] = __uhadd(a, b);
  o[14] = __rhadd(int(a), int(b));
  o[15] = abs(int(a));
  o[16] = __dp4a(int(a), int(b), 5);
  o[17] = __dp4a(a, b, 5u);
  o[18] = __dp2a_lo(int(a), int(b), 5);
  o[19] = __dp2a_hi(a, b, 5u);
  o[20] = __vadd2(a, b);
  o[21] = __vabsdiffu4(a, b);
  o[22] = __vsetltu4(a, b);
  o[23] = __vmaxs2(a, b);
  o[24] = (a & 0x00FF0000u) >> 16 | (b & 15) << 4;
  p[0] = __popcll(c);
  p[1] = __clzll(c);
  p[2] = __brevll(c);
  p[3] = __umul64hi(c, c + 1);
  p[4] = __ffsll(c);
  p[5] = c * c + __mul64hi(int64_t(c), 12345);
  p[6] = c / 10;
  p[7] = int64_t(c) % 1000003;
}

extern "C" __global__ void float_functions(float *o, float a, float b, float c) {
  o[0] = a + b;
  o[1] = a * b - c;
  o[2] = a / b;
  o[3] = sqrtf(a);
  o[4] = rsqrtf(a);
  o[5] = __fdividef(a, b);
  o[6] = __frcp_rn(a);
  o[7] = __fsqrt_rz(a);
  o[8] = __fadd_ru(a, b);
  o[9] = __fmul_rd(a, b);
  o[10] = __fmaf_rz(a, b, c);
  o[11] = __expf(a);
  o[12] = __logf(a);
  o[13] = __sinf(a);
  o[14] = __cosf(a);
  o[15] = __powf(a, b);
  o[16] = sinf(a);
  o[17] = expf(a);
  o[18] = logf(a);
  o[19] = powf(a, b);
  o[20] = tanhf(a);
  o[21] = fminf(a, b);
  o[22] = fmaxf(a, fmaxf(b, c));
  o[23] = fabsf(a);
  o[24] = copysignf(a, b);
  o[25] = floorf(a) + ceilf(b) + truncf(c) + rintf(a) + roundf(b);
  o[26] = fmodf(a, b);
  o[27] = isnan(a) || isinf(b) ? 1.0f : 0.5f;
  o[28] = ldexpf(a, 3);
  o[29] = __saturatef(a);
  o[30] = erff(a) + tgammaf(b) + lgammaf(c);
  o[31] = cbrtf(a) + hypotf(b, c) + atan2f(a, b) + asinhf(c);
}

extern "C" __global__ void double_functions(double *o, double a, double b,
                                            double c) {
  o[0] = a + b;
  o[1] = fma(a, b, c);
  o[2] = a / b;
  o[3] = sqrt(a);
  o[4] = rsqrt(a);
  o[5] = __drcp_rn(a);
  o[6] = exp(a);
  o[7] = log(b);
  o[8] = sin(a) * cos(b);
  o[9] = pow(a, b);
  o[10] = fmin(a, fmax(b, c));
  o[11] = floor(a) + rint(b);
  o[12] = __ddiv_ru(a, b);
  o[13] = __dsqrt_rd(a);
  o[14] = a < b ? a : b == c ? 1.0 : -0.0;
}
