// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every mathematical function of single precision, and the fast intrinsics.
#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
#define UNARY(NAME, CALL)                                                                          \
  KERNEL NAME(const float *a, float *out) {                                                        \
    float x = a[thread()];                                                                         \
    out[thread()] = CALL;                                                                          \
  }
#define BINARY(NAME, CALL)                                                                         \
  KERNEL NAME(const float *a, const float *b, float *out) {                                        \
    float x = a[thread()], y = b[thread()];                                                        \
    out[thread()] = CALL;                                                                          \
  }
#define SAME(F) UNARY(f_##F, F(x))
SAME(sinf) SAME(cosf) SAME(tanf) SAME(sinpif) SAME(cospif) SAME(asinf) SAME(acosf) SAME(atanf)
SAME(sinhf) SAME(coshf) SAME(tanhf) SAME(asinhf) SAME(acoshf) SAME(atanhf)
SAME(expf) SAME(exp2f) SAME(exp10f) SAME(expm1f) SAME(logf) SAME(log2f) SAME(log10f) SAME(log1pf) SAME(logbf)
SAME(sqrtf) SAME(rsqrtf) SAME(cbrtf) SAME(rcbrtf)
SAME(erff) SAME(erfcf) SAME(erfinvf) SAME(erfcinvf) SAME(erfcxf) SAME(normcdff) SAME(normcdfinvf)
SAME(lgammaf) SAME(tgammaf) SAME(j0f) SAME(j1f) SAME(y0f) SAME(y1f) SAME(cyl_bessel_i0f) SAME(cyl_bessel_i1f)
SAME(floorf) SAME(ceilf) SAME(truncf) SAME(roundf) SAME(rintf) SAME(nearbyintf) SAME(fabsf)
UNARY(f_jnf, jnf(3, x)) UNARY(f_ynf, ynf(2, x))
#define TWO(F) BINARY(f_##F, F(x, y))
TWO(powf) TWO(atan2f) TWO(hypotf) TWO(rhypotf) TWO(fmodf) TWO(remainderf) TWO(fdimf) TWO(fmaxf) TWO(fminf) TWO(copysignf) TWO(nextafterf)
BINARY(f_divide, x / y) BINARY(f_norm3df, norm3df(x, y, 2.0f)) BINARY(f_norm4df, norm4df(x, y, 2.0f, -3.0f))
BINARY(f_rnorm3df, rnorm3df(x, y, 2.0f)) BINARY(f_fmaf, fmaf(x, y, -1.5f))
KERNEL f_sincosf(const float *a, float *s, float *c) { sincosf(a[thread()], s + thread(), c + thread()); }
KERNEL f_sincospif(const float *a, float *s, float *c) { sincospif(a[thread()], s + thread(), c + thread()); }
KERNEL f_frexpf(const float *a, float *m, int *e) { m[thread()] = frexpf(a[thread()], e + thread()); }
KERNEL f_ldexpf(const float *a, const int *e, float *out) { out[thread()] = ldexpf(a[thread()], e[thread()]); }
KERNEL f_modff(const float *a, float *f, float *i) { f[thread()] = modff(a[thread()], i + thread()); }
KERNEL f_remquof(const float *a, const float *b, float *r, int *q) {
  int n = 0;
  r[thread()] = remquof(a[thread()], b[thread()], &n);
  q[thread()] = n & 7;
}
KERNEL f_ilogbf(const float *a, int *out) { out[thread()] = ilogbf(a[thread()]); }
KERNEL f_llrintf(const float *a, long long *out) { out[thread()] = llrintf(a[thread()]); }
KERNEL f_lroundf(const float *a, long *out) { out[thread()] = lroundf(a[thread()]); }
KERNEL f_classes(const float *a, int *out) {
  float x = a[thread()];
  out[thread()] = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | signbit(x) << 3;
}

#define FAST(F) UNARY(f_##F, F(x))
FAST(__sinf) FAST(__cosf) FAST(__tanf) FAST(__expf) FAST(__exp10f) FAST(__logf) FAST(__log2f) FAST(__log10f) FAST(__saturatef)
FAST(__frsqrt_rn) FAST(__fsqrt_rn) FAST(__fsqrt_rz) FAST(__fsqrt_ru) FAST(__fsqrt_rd) FAST(__frcp_rn) FAST(__frcp_rz) FAST(__frcp_ru) FAST(__frcp_rd)
BINARY(f___fdividef, __fdividef(x, y)) BINARY(f___powf, __powf(x, y))
BINARY(f___fadd_rz, __fadd_rz(x, y)) BINARY(f___fmul_ru, __fmul_ru(x, y)) BINARY(f___fdiv_rd, __fdiv_rd(x, y)) BINARY(f___fmaf_rz, __fmaf_rz(x, y, x))
