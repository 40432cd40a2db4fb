// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions of warps: wmma, and mma through inline assembly.
#include <cstdint>
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda::wmma;

template <typename T, typename Acc, int M, int N, int K>
__device__ void multiply(const T *a, const T *b, Acc *c) {
  fragment<matrix_a, M, N, K, T, row_major> fa;
  fragment<matrix_b, M, N, K, T, col_major> fb;
  fragment<accumulator, M, N, K, Acc> fc;
  load_matrix_sync(fa, a, K);
  load_matrix_sync(fb, b, K);
  load_matrix_sync(fc, c, N, mem_row_major);
  mma_sync(fc, fa, fb, fc);
  store_matrix_sync(c, fc, N, mem_col_major);
}

extern "C" __global__ void wmma_kernels(const half *h, const __nv_bfloat16 *b,
                                        const signed char *s,
                                        const double *d, half *ch, float *cf,
                                        int *ci, double *cd) {
  multiply<half, half, 16, 16, 16>(h, h, ch);
  multiply<half, float, 32, 8, 16>(h, h, cf);
  multiply<__nv_bfloat16, float, 8, 32, 16>(b, b, cf);
  multiply<signed char, int, 16, 16, 16>(s, s, ci);
  multiply<double, double, 8, 8, 4>(d, d, cd);
  fragment<accumulator, 16, 16, 16, float> zero;
  fill_fragment(zero, 0.0f);
  store_matrix_sync(cf, zero, 16, mem_row_major);
}

extern "C" __global__ void mma_kernels(uint32_t *o, float *f, uint32_t a,
                                       uint32_t b) {
  __shared__ alignas(16) uint32_t tile[256];
  unsigned address = __cvta_generic_to_shared(&tile[threadIdx.x * 4]);
  uint32_t r0, r1, r2, r3;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0,%1}, [%2];"
               : "=r"(o[0]), "=r"(o[1])
               : "r"(address));
  float c0 = f[0], c1 = f[1], c2 = f[2], c3 = f[3];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
               : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(a), "r"(b));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
               : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(a), "r"(b));
  uint32_t d0, d1;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
               "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%8};"
               : "=r"(d0), "=r"(d1)
               : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(a), "r"(b), "r"(0));
  int i0 = 0, i1 = 0, i2 = 0, i3 = 0;
  asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(i0), "+r"(i1), "+r"(i2), "+r"(i3)
               : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(a), "r"(b));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(o[2])
               : "r"(d0));
  asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%8,%9}, {%0,%1,%2,%3}, "
               "%10, 0x0;"
               : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
               : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(a), "r"(b),
                 "r"(0x44444444));
  f[0] = c0 + c1 + c2 + c3;
  o[3] = d1 + i0 + i1 + i2 + i3;
}
