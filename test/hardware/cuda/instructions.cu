// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose PTX brings instructions of each kind. All take 4096 words in and
// 4096 words out, are launched with 4 blocks of 128 threads, and write the words
// 8*t .. 8*t+7 of thread t of the grid unless they say otherwise.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using u32 = unsigned;
using u64 = unsigned long long;

__device__ u32 self() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void integers(const u32 *in, u32 *out) {
  u32 t = self(), a = in[8 * t], b = in[8 * t + 1], c = in[8 * t + 2];
  out[8 * t + 0] = a * b + c;
  out[8 * t + 1] = __umulhi(a, b) + __mulhi((int)b, (int)c);
  out[8 * t + 2] = a / (b | 1) + (u32)((int)b / (int)(c | 1));
  out[8 * t + 3] = a % (c | 1) ^ (u32)((int)a % (int)(b | 1));
  out[8 * t + 4] = __popc(a) + 64 * __clz(b) + 4096 * __ffs(c);
  out[8 * t + 5] = __brev(a) ^ __byte_perm(a, b, c & 0x7777);
  out[8 * t + 6] = (a << (b & 63)) | (c >> (a & 63));
  out[8 * t + 7] = __funnelshift_l(a, b, c) + __funnelshift_r(b, c, a) +
                   (u32)((int)a >> (c & 31));
}

extern "C" __global__ void wide(const u32 *in, u32 *out) {
  u32 t = self();
  u64 a = in[8 * t] | (u64)in[8 * t + 1] << 32;
  u64 b = in[8 * t + 2] | (u64)in[8 * t + 3] << 32;
  u64 r[4] = {a * b + (a >> 7), a / (b >> (a & 31) | 1), __umul64hi(a, b),
              (u64)((long long)a % (long long)(b >> 20 | 1))};
  for (int i = 0; i < 4; ++i) {
    out[8 * t + 2 * i] = (u32)r[i];
    out[8 * t + 2 * i + 1] = (u32)(r[i] >> 32);
  }
}

extern "C" __global__ void floats(const u32 *in, u32 *out) {
  u32 t = self();
  float a = __uint_as_float(in[8 * t]), b = __uint_as_float(in[8 * t + 1]);
  float c = __uint_as_float(in[8 * t + 2]);
  float r[8] = {a + b, __fmul_rz(a, b), fmaf(a, b, c), fmaxf(a, b) - fminf(b, c),
                a / b, sqrtf(fabsf(c)), __fadd_ru(b, c), floorf(a) + truncf(b)};
  for (int i = 0; i < 8; ++i)
    out[8 * t + i] = __float_as_uint(r[i]);
}

extern "C" __global__ void doubles(const u32 *in, u32 *out) {
  u32 t = self();
  double a = (double)__uint_as_float(in[8 * t]), b = (int)in[8 * t + 1];
  double r[4] = {a * b + 1.0, a / b, sqrt(fabs(a)), fma(a, b, -a)};
  for (int i = 0; i < 4; ++i) {
    u64 bits = __double_as_longlong(isnan(r[i]) ? 0.0 : r[i]);
    out[8 * t + 2 * i] = (u32)bits;
    out[8 * t + 2 * i + 1] = (u32)(bits >> 32);
  }
}

extern "C" __global__ void conversions(const u32 *in, u32 *out) {
  u32 t = self();
  float a = __uint_as_float(in[8 * t]), b = __uint_as_float(in[8 * t + 1]);
  out[8 * t + 0] = (u32)__float2int_rn(a);
  out[8 * t + 1] = __float2uint_rz(b);
  out[8 * t + 2] = __float_as_uint(__int2float_rd((int)in[8 * t + 2]));
  out[8 * t + 3] = __half_as_ushort(__float2half_rn(a)) |
                   __bfloat16_as_ushort(__float2bfloat16_rn(b)) << 16;
  out[8 * t + 4] = __float_as_uint(__half2float(__ushort_as_half(in[8 * t])));
  out[8 * t + 5] = (u32)(signed char)in[8 * t + 3] + (u32)(short)in[8 * t + 4];
  out[8 * t + 6] = __half_as_ushort(__hfma(__ushort_as_half(in[8 * t + 5]),
                                           __ushort_as_half(in[8 * t + 6]),
                                           __ushort_as_half(in[8 * t + 7])));
  out[8 * t + 7] = (u32)__float2ll_rd(b) ^ (u32)(__float2ll_ru(a) >> 32);
}

extern "C" __global__ void warps(const u32 *in, u32 *out) {
  u32 t = self(), a = in[8 * t], lane = threadIdx.x & 31;
  out[8 * t + 0] = __shfl_xor_sync(~0u, a, 5) + __shfl_up_sync(~0u, a, 3);
  out[8 * t + 1] = __shfl_down_sync(~0u, a, 7, 16) ^ __shfl_sync(~0u, a, a & 31);
  out[8 * t + 2] = __ballot_sync(~0u, a & 1);
  out[8 * t + 3] = __any_sync(~0u, a > 0xf0000000u) + 2 * __all_sync(~0u, a > 1000);
  out[8 * t + 4] = __match_any_sync(~0u, a & 3);
  out[8 * t + 5] = __reduce_add_sync(~0u, a) ^ __reduce_max_sync(~0u, a);
  u32 sum = 0;
  // Divergent: lanes leave the loop at different times, then meet again.
  for (u32 i = 0; i < (a & 15); ++i)
    sum = sum * 3 + i + lane;
  out[8 * t + 6] = sum + __reduce_or_sync(~0u, 1u << (sum & 31));
  if (lane < 11)
    sum ^= __shfl_xor_sync(0x7ff, sum, 1 & (lane < 10));
  out[8 * t + 7] = sum;
}

extern "C" __global__ void blocks(const u32 *in, u32 *out) {
  __shared__ u32 tile[32][33];
  __shared__ u32 histogram[64];
  u32 t = self(), x = threadIdx.x & 31, y = threadIdx.x >> 5;
  if (threadIdx.x < 64)
    histogram[threadIdx.x] = 0;
  for (u32 row = y; row < 32; row += 4)
    tile[row][x] = in[(blockIdx.x * 32 + row) * 32 + x];
  __syncthreads();
  for (u32 row = y; row < 32; row += 4)
    atomicAdd(&histogram[tile[x][row] & 63], tile[row][x] >> 20);
  __syncthreads();
  u32 r = 0;
  for (u32 stride = 64; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride && stride < 64)
      histogram[threadIdx.x] += histogram[threadIdx.x + stride] * 5;
    __syncthreads();
    r += histogram[0];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    out[8 * t + i] = tile[(x + i) & 31][(y * 8 + i) & 31] + histogram[i + 8 * y] + r;
}

__device__ __noinline__ u32 collatz(u32 n, int depth) {
  if (n <= 1 || depth > 40)
    return depth;
  return collatz(n & 1 ? 3 * n + 1 : n / 2, depth + 1);
}

extern "C" __global__ void calls(const u32 *in, u32 *out) {
  u32 t = self();
  for (int i = 0; i < 8; ++i) {
    u32 a = in[8 * t + i] & 1023;
    switch (a & 7) {
    case 0: a = collatz(a, 0); break;
    case 1: a = a * 7; break;
    case 2: a ^= 0x5555; break;
    case 3: a = __popc(a); break;
    case 4: a = a << 3; break;
    case 5: a = collatz(a + 1, 3); break;
    case 6: a = ~a; break;
    default: a = a - 9;
    }
    out[8 * t + i] = a;
  }
}

extern "C" __global__ void locals(const u32 *in, u32 *out) {
  u32 t = self(), stack[16];
  for (int i = 0; i < 16; ++i)
    stack[i] = in[(8 * t + i) & 4095];
  // Indices that only the data knows: local memory.
  for (int i = 0; i < 40; ++i) {
    u32 j = stack[i & 15] & 15, k = (stack[j] >> 4) & 15;
    u32 swap = stack[j];
    stack[j] = stack[k] + i;
    stack[k] = swap;
  }
  for (int i = 0; i < 8; ++i)
    out[8 * t + i] = stack[i] ^ stack[15 - i];
}
