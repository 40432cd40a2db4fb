// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives of kernels and functions, and a module that others link.
extern __device__ int elsewhere(int, float *);
extern __device__ float outside[];
extern __constant__ int setting;
__device__ int exported = 5;

extern "C" __device__ int offered(int x) { return elsewhere(x, outside) + 1; }
__device__ __noinline__ __attribute__((weak)) int replaceable(int x) { return x; }
template <int N> __device__ __noinline__ int instantiated(int x) { return x * N + setting; }
[[noreturn]] __device__ __noinline__ void never() { __trap(); while (true) {} }

__global__ void __launch_bounds__(256) bounded(int *o) { o[0] = offered(o[1]); }
__global__ void __launch_bounds__(128, 4) residents(int *o) { o[0] = instantiated<3>(o[1]); }
__global__ void __maxnreg__(40) registers(int *o) { o[0] = replaceable(o[1]) + exported; }
#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 1, 1) clustered(int *o) { o[0] = instantiated<5>(o[1]); }
__global__ void __launch_bounds__(128, 1, 4) clusters(int *o) { o[0] = o[1]; }
__global__ void __block_size__((64, 2, 1), (2, 1, 1)) blocks(int *o) { o[0] = o[1]; }
#endif
template <typename T> __global__ void generic(T *o, T v) {
  if (v == T(13))
    never();
  *o = v;
}
template __global__ void generic<int>(int *, int);
template __global__ void generic<double>(double *, double);
__global__ void nothing() {}
