// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables in every space, and the ways to them.
#include <cstdint>

struct Node {
  const Node *next;
  int value;
  short half[3];
  char byte;
  float matrix[2][3];
};
__device__ Node first = {nullptr, 1, {2, 3}, 'a', {{1.5f, -2.5f}, {3e10f}}};
__device__ Node second = {&first, 2, {4}, 'b', {{0}, {1}}};
__constant__ Node kept = {nullptr, 7, {1, 2, 3}, 'c', {{1}}};
__constant__ double polynomial[8] = {1, 0.5, -0.25, 1e-300, 4e300, 0, 7};
__constant__ uint8_t bytes[5] = "text";
__device__ const char *names[] = {"alpha", "beta", nullptr, "gamma"};
__device__ int *inside = &first.value;
__device__ __managed__ float managed = 4.0f;
__managed__ int managedArray[16];
__device__ float4 vectors[3] = {{1, 2, 3, 4}, {5}};
static __device__ __noinline__ long long hidden(long long x) { return x ^ 0x123456789ABCDEFll; }
template <typename T> __device__ T shared_between_modules = T(3);
extern __shared__ double dynamic[];

extern "C" __global__ void spaces(float *__restrict__ o,
                                  const float4 *__restrict__ in,
                                  int *i, int n) {
  __shared__ float fixed[32][33];
  __shared__ struct { char c; double d; } mixed;
  float local[16];
  fixed[threadIdx.x][threadIdx.y] = in[n].x;
  mixed.d = dynamic[n] * polynomial[n & 7];
  __syncthreads();
  for (int k = 0; k < 16; ++k)
    local[k] = fixed[threadIdx.y][k] + float(mixed.d);
  o[0] = local[n & 15] + kept.matrix[n & 1][1] + first.matrix[1][n % 3];
  float4 v = in[threadIdx.x];
  reinterpret_cast<float4 *>(o)[4] = make_float4(v.w, v.z, v.y, v.x);
  i[0] = names[n & 3][1] + bytes[n % 5] + *inside + second.half[n % 3];
  i[1] = managed > 2 ? managedArray[n & 15] : int(shared_between_modules<int>);
  i[2] = hidden(n);
  vectors[n % 3].y += 1;
  reinterpret_cast<short2 *>(i)[8] = make_short2(n, n >> 3);
  reinterpret_cast<uchar4 *>(i)[9] = make_uchar4(n, 1, 2, 3);
  reinterpret_cast<longlong2 *>(i)[6] = make_longlong2(n, 1);
}

extern "C" __global__ void caches(float *o, const float *p, const int4 *q,
                                  volatile double *v, int n) {
  o[0] = __ldg(p) + __ldcg(p + 1) + __ldca(p + 2) + __ldcs(p + 3) +
         __ldlu(p + 4) + __ldcv(p + 5);
  __stwb(o + 1, 1.0f);
  __stcg(o + 2, 2.0f);
  __stcs(o + 3, 3.0f);
  __stwt(o + 4, 4.0f);
  int4 wide = __ldg(q);
  o[5] = wide.x + wide.w;
  v[0] = v[1] + 1;
  float loaded;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.f32 %0, [%1];"
               : "=f"(loaded)
               : "l"(p));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
  asm volatile("prefetchu.L1 [%0];" ::"l"(p));
  asm volatile("{ .reg .b64 policy;\n"
               "createpolicy.fractional.L2::evict_first.b64 policy, 0.5;\n"
               "st.global.L2::cache_hint.f32 [%0], %1, policy; }" ::"l"(o + 7),
               "f"(loaded));
  if (__isShared(o) || __isGlobal(o) || __isConstant(p) || __isLocal(o))
    o[6] = n;
}

struct Parameters {
  float weights[20];
  int counts[3];
  const double *pointer;
};
extern "C" __global__ void parameters(Parameters p, double *o, char c, bool b,
                                      short s, const __grid_constant__ Parameters q) {
  const Parameters *address = &q;
  o[0] = p.weights[threadIdx.x % 20] + p.counts[c % 3] * *p.pointer;
  o[1] = b ? s : address->weights[s % 20];
  o[2] = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x + warpSize;
}
