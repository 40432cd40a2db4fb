// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies that run while threads compute: the barriers and pipelines of the library.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_pipeline_primitives.h>
#include <cuda/std/utility>

namespace cg = cooperative_groups;
#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

// A sum over tiles, each brought by all threads together.
KERNEL group_copy(const int *in, int *out, int tiles) {
  __shared__ alignas(16) int tile[128];
  cg::thread_block block = cg::this_thread_block();
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    cg::memcpy_async(block, tile, in + t * 128, cuda::aligned_size_t<16>(sizeof(tile)));
    cg::wait(block);
    sum += tile[(threadIdx.x * 7 + t) % 128];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Two tiles in flight.
KERNEL wait_prior(const float *in, float *out, int tiles) {
  __shared__ alignas(16) float buffers[2][64];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, buffers[0], in, cuda::aligned_size_t<16>(sizeof(buffers[0])));
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, buffers[(t + 1) % 2], in + (t + 1) * 64, cuda::aligned_size_t<16>(sizeof(buffers[0])));
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum = sum * 0.5f + buffers[t % 2][63 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Copies of odd sizes, which threads make themselves.
KERNEL unaligned_copy(const unsigned char *in, unsigned char *out, int size) {
  __shared__ unsigned char bytes[200];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, bytes, in + 1, size);
  cg::wait(block);
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    out[i] = bytes[size - 1 - i];
}

// A barrier counts copies beside arrivals.
KERNEL barrier_copy(const int *in, int *out) {
  __shared__ alignas(16) int tile[256];
  __shared__ Barrier barrier;
  cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, tile, in + blockIdx.x * 256, cuda::aligned_size_t<16>(sizeof(tile)), barrier);
  barrier.arrive_and_wait();
  int a = tile[threadIdx.x] + tile[255 - threadIdx.x];
  barrier.arrive_and_wait(); // tile may be written again
  cuda::memcpy_async(tile + threadIdx.x * 4, in + (gridDim.x - 1 - blockIdx.x) * 256 + threadIdx.x * 4,
                     cuda::aligned_size_t<16>(16), barrier);
  barrier.wait(barrier.arrive());
  out[thread()] = a * 3 + tile[(threadIdx.x * 5 + 1) % 256];
}

// Work between arrival and wait; threads leave one after the other.
KERNEL split_barrier(int *out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ int values[64];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  int seen = 0, private_work = 1;
  for (int r = 0; r < rounds; ++r) {
    values[threadIdx.x] = r * 100 + threadIdx.x;
    Barrier::arrival_token token = barrier.arrive();
    private_work = private_work * 5 + 1;
    barrier.wait(cuda::std::move(token));
    seen += values[(threadIdx.x + r) % 64];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = seen + private_work;
  // Each trip has one participant less.
  for (int last = 63; last > (int)threadIdx.x; --last)
    barrier.arrive_and_wait();
  values[threadIdx.x] = threadIdx.x;
  barrier.arrive_and_drop();
  if (threadIdx.x == 0)
    out[64] = values[63] + values[1];
}

// A function runs when all have arrived.
struct Total {
  int *values, *sum;
  __device__ void operator()() const {
    for (int i = 0; i < 32; ++i)
      *sum += values[i];
  }
};
KERNEL completion(int *out) {
  __shared__ int values[32], sum;
  __shared__ alignas(cuda::barrier<cuda::thread_scope_block, Total>) char storage[sizeof(cuda::barrier<cuda::thread_scope_block, Total>)];
  auto &barrier = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block, Total> *>(storage);
  if (threadIdx.x == 0) {
    sum = 0;
    new (&barrier) cuda::barrier<cuda::thread_scope_block, Total>(32, Total{values, &sum});
  }
  __syncthreads();
  for (int r = 0; r < 3; ++r) {
    values[threadIdx.x] = threadIdx.x * (r + 1);
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// All threads fill and use four stages.
KERNEL block_pipeline(const float *in, float *out, int batches) {
  constexpr int kStages = 4;
  __shared__ alignas(16) float stages[kStages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int used = 0, filled = 0; used < batches; ++used) {
    for (; filled < batches && filled < used + kStages; ++filled) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stages[filled % kStages], in + filled * 64,
                         cuda::aligned_size_t<16>(sizeof(stages[0])), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum = sum * 0.25f + stages[used % kStages][(threadIdx.x + used) % 64];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// One warp fills, the others use.
KERNEL partitioned_pipeline(const int *in, int *out, int batches) {
  __shared__ alignas(16) int stages[2][96];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  cg::thread_block block = cg::this_thread_block();
  bool producer = threadIdx.x < 32;
  auto pipeline = cuda::make_pipeline(block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  if (producer) {
    for (int b = 0; b < batches; ++b) {
      pipeline.producer_acquire();
      for (int i = threadIdx.x; i < 96; i += 32)
        cuda::memcpy_async(&stages[b % 2][i], in + b * 96 + i, sizeof(int), pipeline);
      pipeline.producer_commit();
    }
  } else {
    int sum = 0;
    for (int b = 0; b < batches; ++b) {
      pipeline.consumer_wait();
      sum += stages[b % 2][127 - threadIdx.x] * (b + 1);
      pipeline.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
  }
}

// Each thread has a pipeline of its own.
KERNEL thread_pipeline(const double *in, double *out, int count) {
  __shared__ double slots[3][32];
  auto pipeline = cuda::make_pipeline();
  double sum = 0;
  for (int used = 0, filled = 0; used < count; ++used) {
    for (; filled < count && filled < used + 3; ++filled) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&slots[filled % 3][threadIdx.x], in + filled * 32 + threadIdx.x, sizeof(double), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += slots[used % 3][threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// The C interface; the last copies are filled up with zeros.
KERNEL primitives(const float4 *in, float4 *out, int count) {
  __shared__ float4 slots[2][32];
  int tiles = (count + 31) / 32;
  auto issue = [&](int t) {
    int at = t * 32 + threadIdx.x, bytes = at < count ? 16 : 0;
    __pipeline_memcpy_async(&slots[t % 2][threadIdx.x], in + (at < count ? at : 0), 16, 16 - bytes);
    __pipeline_commit();
  };
  issue(0);
  float4 sum = {};
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles)
      issue(t + 1);
    __pipeline_wait_prior(t + 1 < tiles);
    __syncwarp();
    float4 x = slots[t % 2][31 - threadIdx.x];
    sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
    __syncwarp();
  }
  out[threadIdx.x] = sum;
}

// Many threads wait for one event; a few at a time may enter.
KERNEL latch_and_semaphore(int *inside, int *out, int permits) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char latch[sizeof(Latch)];
  __shared__ alignas(Semaphore) char semaphore[sizeof(Semaphore)];
  Latch &start = *reinterpret_cast<Latch *>(latch);
  Semaphore &room = *reinterpret_cast<Semaphore *>(semaphore);
  if (threadIdx.x == 0) {
    new (&start) Latch(blockDim.x - 1);
    new (&room) Semaphore(permits);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    start.wait();
    out[blockDim.x] = 1;
  } else {
    start.count_down();
  }
  room.acquire();
  int now = atomicAdd(inside, 1) + 1;
  out[threadIdx.x] = now >= 1 && now <= permits;
  atomicSub(inside, 1);
  room.release();
}

// From sm_90 on: bytes are counted, the copy engine moves them.
#if __CUDA_ARCH__ >= 900
KERNEL counted_bytes(const int *in, int *out, int tiles) {
  __shared__ alignas(16) int tile[256];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(tile, in + t * 256, cuda::aligned_size_t<16>(sizeof(tile)), barrier);
      token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof(tile));
    } else {
      token = barrier.arrive();
    }
    barrier.wait(cuda::std::move(token));
    sum += tile[threadIdx.x * 2] - tile[(threadIdx.x * 2 + 77) % 256];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

KERNEL parities(const int *in, int *out) {
  __shared__ alignas(16) int tile[2][64];
  __shared__ Barrier full[2];
  if (threadIdx.x == 0)
    for (auto &barrier : full)
      init(&barrier, 1);
  __syncthreads();
  auto fetch = [&](int t) {
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(tile[t % 2], in + t * 64, cuda::aligned_size_t<16>(256), full[t % 2]);
      cuda::device::barrier_arrive_tx(full[t % 2], 1, 256);
    }
  };
  fetch(0);
  fetch(1);
  int sum = 0;
  for (int t = 0; t < 6; ++t) {
    full[t % 2].wait_parity(t / 2 % 2);
    sum = sum * 3 + tile[t % 2][threadIdx.x];
    __syncthreads();
    if (t + 2 < 6)
      fetch(t + 2);
  }
  full[0].wait_parity(0);
  out[threadIdx.x] = sum;
}
#endif
