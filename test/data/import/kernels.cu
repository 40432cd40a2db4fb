// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What test_import.py imports. kernels.O3.ptx and kernels.debug.ptx are made by
//   nvcc -ptx -arch=sm_90a -O3 -lineinfo kernels.cu -o kernels.O3.ptx
//   nvcc -ptx -arch=sm_90a -O0 -Xcicc -O0 kernels.cu -o kernels.debug.ptx

// Loops, guards, floats.
extern "C" __global__ void loops(const float *a, const float *b, float *o, int n,
                                 float s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < (i & 15); ++k) {
    float v = a[(i + k) % n] * s;
    if (v > b[i])
      sum += v;
    else if (k & 1)
      sum -= b[(i * 3 + k) % n];
  }
  o[i] = sum;
}

// Shared memory, warps, integers of several widths.
extern "C" __global__ void sums(const float *a, const float *b, float *o, int n,
                                float s) {
  __shared__ float part[4];
  __shared__ unsigned long long bits;
  float v = threadIdx.x < n ? a[threadIdx.x] : 0;
  if (threadIdx.x == 0)
    bits = 0;
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync(0xFFFFFFFF, v, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  unsigned char low = (unsigned char)(int)b[threadIdx.x];
  short wide = (short)(low * 259);
  atomicAdd(&bits, (unsigned long long)wide + __ballot_sync(0xFFFFFFFF, low & 4));
  __syncthreads();
  o[threadIdx.x] = part[0] + part[1] * s + part[threadIdx.x / 32] +
                   (float)(bits % 1000003);
}

struct Pair {
  double first;
  int second;
};
__device__ __noinline__ Pair split(float v, short k) {
  Pair p;
  p.first = v * 0.5;
  p.second = k * 7 - 3;
  return p;
}
__device__ __noinline__ int power(int x, int n) {
  return n == 0 ? 1 : x * power(x, n - 1);
}
__device__ __noinline__ float weigh(Pair p, float *scale) {
  *scale += 1;
  return (float)p.first * p.second;
}
__constant__ float table[8] = {1, 2, 3, 5, 7, 11, 13, 17};

// Calls with structures, recursion, a switch, local memory, constants.
extern "C" __global__ void calls(const float *a, const float *b, float *o, int n,
                                 float s) {
  int i = threadIdx.x;
  float local[8], scale = s;
  for (int k = 0; k < 8; ++k)
    local[k] = a[(i + k) % n];
  Pair p = split(local[i & 7], (short)i);
  float r = weigh(p, &scale) * scale;
  switch (i % 7) {
  case 0: r += power(3, i % 5); break;
  case 1: r -= table[i & 7]; break;
  case 2: r *= local[(i / 3) & 7]; break;
  case 3: r = b[i]; break;
  case 4: local[1] = r; r += local[i & 1]; break;
  case 5: r = -r; break;
  default: r += (float)p.second;
  }
  o[i] = r;
}

struct Arguments {
  float values[6];
  int index;
};
extern "C" __global__ void structs(const float *a, const float *b, float *o,
                                   Arguments arguments) {
  int i = threadIdx.x;
  o[i] = arguments.values[(i + arguments.index) % 6] + a[i] * b[i] +
         arguments.values[2];
}
