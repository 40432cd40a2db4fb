// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every mathematical function of double precision.
#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
#define UNARY(NAME, CALL)                                                                          \
  KERNEL NAME(const double *a, double *out) {                                                      \
    double x = a[thread()];                                                                        \
    out[thread()] = CALL;                                                                          \
  }
#define BINARY(NAME, CALL)                                                                         \
  KERNEL NAME(const double *a, const double *b, double *out) {                                     \
    double x = a[thread()], y = b[thread()];                                                       \
    out[thread()] = CALL;                                                                          \
  }
#define SAME(F) UNARY(d_##F, F(x))
SAME(sin) SAME(cos) SAME(tan) SAME(sinpi) SAME(cospi) SAME(asin) SAME(acos) SAME(atan)
SAME(sinh) SAME(cosh) SAME(tanh) SAME(asinh) SAME(acosh) SAME(atanh)
SAME(exp) SAME(exp2) SAME(exp10) SAME(expm1) SAME(log) SAME(log2) SAME(log10) SAME(log1p) SAME(logb)
SAME(sqrt) SAME(rsqrt) SAME(cbrt) SAME(rcbrt)
SAME(erf) SAME(erfc) SAME(erfinv) SAME(erfcinv) SAME(erfcx) SAME(normcdf) SAME(normcdfinv)
SAME(lgamma) SAME(tgamma) SAME(j0) SAME(j1) SAME(y0) SAME(y1) SAME(cyl_bessel_i0) SAME(cyl_bessel_i1)
SAME(floor) SAME(ceil) SAME(trunc) SAME(round) SAME(rint) SAME(nearbyint) SAME(fabs)
UNARY(d_jn, jn(3, x)) UNARY(d_yn, yn(2, x))
#define TWO(F) BINARY(d_##F, F(x, y))
TWO(pow) TWO(atan2) TWO(hypot) TWO(rhypot) TWO(fmod) TWO(remainder) TWO(fdim) TWO(fmax) TWO(fmin) TWO(copysign) TWO(nextafter)
BINARY(d_divide, x / y) BINARY(d_norm3d, norm3d(x, y, 2.0)) BINARY(d_norm4d, norm4d(x, y, 2.0, -3.0))
BINARY(d_rnorm3d, rnorm3d(x, y, 2.0)) BINARY(d_fma, fma(x, y, -1.5))
KERNEL d_sincos(const double *a, double *s, double *c) { sincos(a[thread()], s + thread(), c + thread()); }
KERNEL d_sincospi(const double *a, double *s, double *c) { sincospi(a[thread()], s + thread(), c + thread()); }
KERNEL d_frexp(const double *a, double *m, int *e) { m[thread()] = frexp(a[thread()], e + thread()); }
KERNEL d_ldexp(const double *a, const int *e, double *out) { out[thread()] = ldexp(a[thread()], e[thread()]); }
KERNEL d_modf(const double *a, double *f, double *i) { f[thread()] = modf(a[thread()], i + thread()); }
KERNEL d_remquo(const double *a, const double *b, double *r, int *q) {
  int n = 0;
  r[thread()] = remquo(a[thread()], b[thread()], &n);
  q[thread()] = n & 7;
}
KERNEL d_ilogb(const double *a, int *out) { out[thread()] = ilogb(a[thread()]); }
KERNEL d_llrint(const double *a, long long *out) { out[thread()] = llrint(a[thread()]); }
KERNEL d_lround(const double *a, long *out) { out[thread()] = lround(a[thread()]); }
#define FAST(F) UNARY(d_##F, F(x))
FAST(__dsqrt_rn) FAST(__dsqrt_rz) FAST(__dsqrt_ru) FAST(__drcp_rn) FAST(__drcp_rd)
BINARY(d___dadd_rz, __dadd_rz(x, y)) BINARY(d___dmul_ru, __dmul_ru(x, y)) BINARY(d___ddiv_rd, __ddiv_rd(x, y)) BINARY(d___fma_rz, __fma_rz(x, y, x))
