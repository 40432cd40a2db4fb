// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Locks, queues, barriers: threads that wait for each other.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/atomic>
#include <cuda/std/atomic>

namespace cg = cooperative_groups;
#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// A lock that lanes of one warp compete for.
KERNEL spin_lock(int *lock, int *counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile int *c = counter;
  *c = *c + 1;
  __threadfence();
  atomicExch(lock, 0);
}
KERNEL lock_in_loop(int *lock, float *sum, const float *in) {
  bool done = false;
  while (!done) {
    if (atomicExch(lock, 1) == 0) {
      volatile float *s = sum;
      *s += in[thread()];
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
KERNEL ticket_lock(unsigned *tickets, int *log, int *at) {
  unsigned mine = atomicAdd(tickets, 1);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> serving(tickets[1]);
  while (serving.load(cuda::memory_order_acquire) != mine)
    __nanosleep(20);
  int n = *(volatile int *)at;
  log[n] = mine;
  *(volatile int *)at = n + 1;
  serving.store(mine + 1, cuda::memory_order_release);
}
// Many readers or one writer.
KERNEL reader_writer(int *state, int *data, int *out) {
  int i = thread();
  if (i % 4 == 0) {
    while (atomicCAS(state, 0, -1) != 0) {
    }
    __threadfence();
    volatile int *d = data;
    int next = d[0] + 1;
    d[0] = next;
    d[1] = -next;
    __threadfence();
    atomicExch(state, 0);
    out[i] = 0;
  } else {
    for (;;) {
      int s = *(volatile int *)state;
      if (s >= 0 && atomicCAS(state, s, s + 1) == s)
        break;
    }
    __threadfence();
    volatile int *d = data;
    out[i] = d[0] + d[1]; // always zero under the lock
    __threadfence();
    atomicSub(state, 1);
  }
}
// A stack without locks: head is a tagged index.
KERNEL stack(unsigned long long *head, int *next, int *popped) {
  int i = thread();
  unsigned long long old = *(volatile unsigned long long *)head, wanted;
  do {
    wanted = old;
    next[i] = (int)(wanted & 0xffffffff);
    __threadfence();
    old = atomicCAS(head, wanted, ((wanted >> 32) + 1) << 32 | (unsigned)(i + 1));
  } while (old != wanted);
  if (i % 2)
    return;
  for (;;) {
    old = *(volatile unsigned long long *)head;
    unsigned top = old & 0xffffffff;
    if (!top)
      continue;
    unsigned below = ((volatile int *)next)[top - 1];
    if (atomicCAS(head, old, ((old >> 32) + 1) << 32 | below) == old) {
      popped[i / 2] = top - 1;
      return;
    }
  }
}
// A bounded queue of many producers and consumers; a sequence number a slot.
struct Slot {
  unsigned sequence;
  int value;
};
KERNEL queue(Slot *slots, unsigned size, unsigned *ends, int *received) {
  bool producer = blockIdx.x % 2 == 0;
  int mine = blockIdx.x / 2 * blockDim.x + threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> end(ends[producer ? 0 : 1]);
  unsigned at = end.load(cuda::memory_order_relaxed);
  for (;;) {
    Slot &slot = slots[at % size];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> sequence(slot.sequence);
    int ahead = (int)(sequence.load(cuda::memory_order_acquire) - (producer ? at : at + 1));
    if (ahead == 0) {
      if (end.compare_exchange_weak(at, at + 1, cuda::memory_order_relaxed)) {
        if (producer) {
          slot.value = mine;
          sequence.store(at + 1, cuda::memory_order_release);
        } else {
          atomicAdd(received + slot.value, 1);
          sequence.store(at + size, cuda::memory_order_release);
        }
        return;
      }
    } else {
      at = end.load(cuda::memory_order_relaxed);
    }
  }
}
// Blocks pass a token around; the order is by block.
KERNEL token_ring(unsigned *turn, int *order, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0) {
      while (*(volatile unsigned *)turn != r * gridDim.x + blockIdx.x) {
      }
      order[r * gridDim.x + blockIdx.x] = blockIdx.x * 10 + r;
      __threadfence();
      *(volatile unsigned *)turn = r * gridDim.x + blockIdx.x + 1;
    }
    __syncthreads();
  }
}
// The last block to finish adds the sums of all.
KERNEL last_block(const int *in, int *partial, unsigned *done, int *total) {
  __shared__ bool last;
  int sum = __reduce_add_sync(~0u, in[thread()]);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int t = 0;
    for (int b = 0; b < gridDim.x; ++b)
      t += ((volatile int *)partial)[b];
    *total = t;
  }
}
// A barrier of the whole grid by hand.
__device__ void grid_barrier(unsigned *count, unsigned phase) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < phase * gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}
KERNEL jacobi(float *a, float *b, int n, int steps, unsigned *count) {
  int i = thread();
  for (int s = 0; s < steps; ++s) {
    volatile float *from = s % 2 ? b : a, *to = s % 2 ? a : b;
    if (i < n)
      to[i] = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) * 0.5f;
    grid_barrier(count, s + 1);
  }
}
// The same with cooperative groups.
KERNEL grid_sync(int *a, int *out) {
  auto grid = cg::this_grid();
  int i = grid.thread_rank(), n = grid.size();
  for (int s = 0; s < 3; ++s) {
    a[i] += i + s;
    grid.sync();
    out[i] = a[(i + 37) % n] + (s ? out[i] : 0);
    grid.sync();
  }
}
// Prefix sums with decoupled look-back: each block waits for the ones before it.
KERNEL look_back(const int *in, int *out, unsigned long long *states, unsigned *next) {
  __shared__ int sums[256];
  __shared__ unsigned block;
  __shared__ int before;
  int t = threadIdx.x;
  if (t == 0)
    block = atomicAdd(next, 1);
  __syncthreads();
  int x = in[block * blockDim.x + t];
  sums[t] = x;
  for (int step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    int other = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += other;
  }
  __syncthreads();
  if (t == 0) {
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> mine(states[block]);
    int total = sums[blockDim.x - 1], sum = 0;
    mine.store(1ull << 32 | (unsigned)total, cuda::memory_order_release);
    for (int b = (int)block - 1; b >= 0;) {
      cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> state(states[b]);
      unsigned long long s = state.load(cuda::memory_order_acquire);
      if (s >> 32 == 0)
        continue;
      sum += (int)s;
      if (s >> 32 == 2)
        break;
      --b;
    }
    mine.store(2ull << 32 | (unsigned)(sum + total), cuda::memory_order_release);
    before = sum;
  }
  __syncthreads();
  out[block * blockDim.x + t] = sums[t] + before;
}
// Producer warps and a consumer warp, named barriers.
KERNEL named_barriers(const int *in, int *out, int rounds) {
  __shared__ int buffer[2][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, sum = 0;
  for (int r = 0; r < rounds; ++r) {
    int slot = r & 1;
    if (warp == 0) {
      if (r >= 2)
        asm volatile("bar.sync %0, 64;" ::"r"(3 + slot) : "memory");
      buffer[slot][lane] = in[r * 32 + lane];
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + slot) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + slot) : "memory");
      sum += buffer[slot][31 - lane];
      if (r + 2 < rounds)
        asm volatile("bar.arrive %0, 64;" ::"r"(3 + slot) : "memory");
    }
  }
  if (warp == 1)
    out[lane] = sum;
}
// Dining philosophers take the lower fork first.
KERNEL philosophers(int *forks, int *meals, int count) {
  int i = thread(), a = i, b = (i + 1) % count;
  int low = min(a, b), high = max(a, b);
  for (int m = 0; m < 3; ++m) {
    for (bool eaten = false; !eaten;) {
      if (atomicCAS(forks + low, 0, 1) == 0) {
        if (atomicCAS(forks + high, 0, 1) == 0) {
          meals[i]++;
          __threadfence();
          atomicExch(forks + high, 0);
          eaten = true;
        }
        atomicExch(forks + low, 0);
      }
    }
  }
}
