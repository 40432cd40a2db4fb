// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cuRAND on the device: Philox and what is made from its words.
#include <curand_kernel.h>

#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
typedef unsigned long long u64;

KERNEL philox_words(u64 seed, u64 offset, uint4 *out, int count) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, thread(), offset, &state);
  for (int n = 0; n < count; ++n)
    out[thread() * count + n] = curand4(&state);
}

// One word at a time, with words left out; the state goes through memory.
KERNEL philox_steps(u64 seed, curandStatePhilox4_32_10_t *states, unsigned *out) {
  curand_init(seed, thread(), 0, states + thread());
  __syncthreads();
  curandStatePhilox4_32_10_t state = states[thread()];
  unsigned *row = out + thread() * 6;
  row[0] = curand(&state);
  row[1] = curand(&state);
  skipahead(5ull, &state);
  row[2] = curand(&state);
  skipahead(1000003ull, &state);
  row[3] = curand(&state);
  skipahead_sequence(2ull, &state);
  row[4] = curand(&state);
  row[5] = curand(&state);
}

KERNEL philox_uniform(u64 seed, float4 *singles, double2 *doubles) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, thread(), 0, &state);
  singles[thread()] = curand_uniform4(&state);
  doubles[thread()] = curand_uniform2_double(&state);
}

KERNEL philox_normal(u64 seed, float4 *singles, double2 *doubles, float *logarithmic) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, thread(), 0, &state);
  singles[thread()] = curand_normal4(&state);
  doubles[thread()] = curand_normal2_double(&state);
  logarithmic[thread()] = curand_log_normal(&state, 0.5f, 0.25f);
}

KERNEL philox_poisson(u64 seed, unsigned *out, double mean) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, thread(), 0, &state);
  out[thread()] = curand_poisson(&state, mean);
}

// Points in a quarter of a circle.
KERNEL pi(u64 seed, unsigned *inside, int tries) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, thread(), 0, &state);
  unsigned count = 0;
  for (int n = 0; n < tries; n += 2) {
    float4 p = curand_uniform4(&state);
    count += (p.x * p.x + p.y * p.y <= 1) + (p.z * p.z + p.w * p.w <= 1);
  }
  for (int d = 16; d; d /= 2)
    count += __shfl_down_sync(~0u, count, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(inside, count);
}
