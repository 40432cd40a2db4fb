// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics, orders, scopes and fences.
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__shared__ int sharedWord;
__device__ unsigned long long total;

extern "C" __global__ void legacy(int *i, unsigned *u, unsigned long long *l,
                                  float *f, double *d, __half2 *h,
                                  __nv_bfloat162 *b, int v) {
  i[1] = atomicAdd(i, v);
  i[2] = atomicSub(i, v);
  i[3] = atomicExch(i, v);
  i[4] = atomicMin(i, v);
  i[5] = atomicMax(i, v);
  i[6] = atomicAnd(i, v);
  i[7] = atomicOr(i, v);
  i[8] = atomicXor(i, v);
  i[9] = atomicCAS(i, v, v + 1);
  u[1] = atomicInc(u, 10);
  u[2] = atomicDec(u, 10);
  u[3] = atomicMin(u, 7u);
  l[1] = atomicAdd(l, 3ull);
  l[2] = atomicCAS(l, 3ull, 4ull);
  l[3] = atomicMax((long long *)l, -3ll);
  f[1] = atomicAdd(f, 1.5f);
  f[2] = atomicExch(f, 1.5f);
  d[1] = atomicAdd(d, 1.5);
  atomicAdd(h, h[1]);
  atomicAdd(b, b[1]);
  atomicAdd(&sharedWord, v);
  atomicAdd_block(i, v);
  atomicAdd_system(i, v);
  atomicAdd(&total, 1ull);
}

template <cuda::thread_scope scope, typename T>
__device__ void ordered(T *p, T v) {
  cuda::atomic_ref<T, scope> a(*p);
  p[1] = a.load(cuda::memory_order_acquire);
  a.store(v, cuda::memory_order_release);
  p[2] = a.fetch_add(v, cuda::memory_order_relaxed);
  p[3] = a.exchange(v, cuda::memory_order_acq_rel);
  p[4] = a.load();
  a.store(v);
  T expected = v;
  p[5] = a.compare_exchange_strong(expected, p[6], cuda::memory_order_seq_cst,
                                   cuda::memory_order_relaxed);
}

extern "C" __global__ void scopes(int *i, unsigned long long *l, float *f) {
  ordered<cuda::thread_scope_block>(i, 3);
  ordered<cuda::thread_scope_device>(i + 10, 3);
  ordered<cuda::thread_scope_system>(i + 20, 3);
  ordered<cuda::thread_scope_device>(l, 3ull);
  ordered<cuda::thread_scope_device>(f, 3.0f);
  cuda::atomic_ref<int, cuda::thread_scope_device> a(*i);
  a.fetch_max(7);
  a.fetch_xor(7, cuda::memory_order_release);
  a.wait(5);
}

extern "C" __global__ void fences(volatile int *p) {
  p[0] = 1;
  __threadfence_block();
  p[1] = 2;
  __threadfence();
  p[2] = 3;
  __threadfence_system();
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel,
                            cuda::thread_scope_block);
  p[3] = p[4];
}
