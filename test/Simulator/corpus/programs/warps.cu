// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Warp primitives and cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdint>

namespace cg = cooperative_groups;
#define KERNEL extern "C" __global__ void
__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL shuffles(const int *in, int *out) {
  int i = thread(), x = in[i];
  int *o = out + i * 6;
  o[0] = __shfl_sync(~0u, x, (i * 7) & 31);
  o[1] = __shfl_up_sync(~0u, x, 3);
  o[2] = __shfl_down_sync(~0u, x, 5, 16);
  o[3] = __shfl_xor_sync(~0u, x, 9);
  double d = __shfl_xor_sync(~0u, (double)x / 3, 1, 8);
  o[4] = (int)(d * 300);
  o[5] = (int)__shfl_sync(~0u, (long long)x << 20, 2, 4) ;
}
KERNEL votes(const int *in, unsigned *out) {
  int i = thread(), x = in[i];
  unsigned *o = out + i * 7;
  o[0] = __ballot_sync(~0u, x & 1);
  o[1] = __all_sync(~0u, x >= 0) | __any_sync(~0u, x == 5) << 1;
  o[2] = __match_any_sync(~0u, x % 4);
  int all;
  o[3] = __match_all_sync(~0u, x / 1000, &all);
  o[4] = all;
  o[5] = x & 1 ? __activemask() : 0; // the lanes of one side of a branch
  o[6] = 0;
  if (x & 1)
    o[6] = __reduce_add_sync(__ballot_sync(o[0], 1), x);
}
KERNEL reductions_of_warps(const int *in, int *out) {
  int i = thread(), x = in[i];
  int *o = out + i * 6;
  o[0] = __reduce_add_sync(~0u, x);
  o[1] = __reduce_min_sync(~0u, x);
  o[2] = __reduce_max_sync(~0u, (unsigned)x);
  o[3] = __reduce_and_sync(~0u, (unsigned)x);
  o[4] = __reduce_or_sync(~0u, (unsigned)x);
  o[5] = __reduce_xor_sync(~0u, (unsigned)x);
}

// Tiles of every size; reduce and scan of integers, floats and pairs.
template <int Size> __device__ void tile_sums(const int *in, int *out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int x = in[thread()];
  out[0] = cg::reduce(tile, x, cg::plus<int>());
  out[1] = cg::inclusive_scan(tile, x);
  out[2] = cg::exclusive_scan(tile, x, cg::plus<int>());
  out[3] = tile.meta_group_rank() * 100 + tile.thread_rank();
  out[4] = cg::reduce(tile, x, cg::less<int>());
}
KERNEL tiles(const int *in, int *out) {
  int *o = out + thread() * 25;
  tile_sums<1>(in, o);
  tile_sums<4>(in, o + 5);
  tile_sums<8>(in, o + 10);
  tile_sums<16>(in, o + 15);
  tile_sums<32>(in, o + 20);
}
KERNEL tile_of_two_warps(const int *in, int *out) {
  __shared__ cg::block_tile_memory<128> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  int x = in[thread()];
  out[thread()] = cg::reduce(tile, x, cg::plus<int>()) + tile.shfl(x, 40);
}
KERNEL dynamic_tiles(const double *in, double *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition(block, 8);
  __shared__ double values[64];
  double *mine = values + block.thread_rank() / 8 * 8;
  mine[tile.thread_rank()] = in[thread()];
  for (int step = tile.size() / 2; step; step /= 2) {
    tile.sync();
    if (tile.thread_rank() < step)
      mine[tile.thread_rank()] += mine[tile.thread_rank() + step];
  }
  tile.sync();
  out[thread()] = mine[0];
}
// Lanes of one side of a branch take positions with one atomic operation.
KERNEL compaction(const int *in, int *out, int *count) {
  int x = in[thread()];
  if (x % 3 == 0) {
    auto active = cg::coalesced_threads();
    int base;
    if (active.thread_rank() == 0)
      base = atomicAdd(count, active.size());
    out[active.shfl(base, 0) + active.thread_rank()] = x;
  }
}
// A histogram with one atomic operation for equal keys.
KERNEL labeled(const int *in, int *histogram) {
  int x = in[thread()];
  auto active = cg::coalesced_threads();
  auto same = cg::labeled_partition(active, x % 10);
  int sum = cg::reduce(same, x, cg::plus<int>());
  if (same.thread_rank() == 0)
    atomicAdd(histogram + x % 10, sum);
  auto halves = cg::binary_partition(active, x > 500);
  if (halves.thread_rank() == halves.size() - 1)
    atomicMax(histogram + 10 + (x > 500), (int)halves.size());
}
KERNEL block_group(const int *in, int *out) {
  __shared__ int values[256];
  auto block = cg::this_thread_block();
  int rank = block.thread_rank();
  values[rank] = in[block.group_index().x * block.size() + rank];
  for (int step = block.size() / 2; step; step /= 2) {
    block.sync();
    if (rank < step)
      values[rank] += values[rank + step];
  }
  cg::sync(block);
  if (rank == 0)
    out[block.group_index().x] = values[0];
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
}
KERNEL invoke_one(int *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int value = cg::invoke_one_broadcast(tile, [&] { return atomicAdd(out + 256, 1) * 0 + (int)tile.meta_group_rank() * 11; });
  out[thread()] = value;
}

// Lanes leave a loop at different times and meet again for a collective.
KERNEL divergent_loops(const int *in, int *out) {
  int i = thread(), x = in[i] & 31, sum = 0;
  for (int k = 0; k <= x; ++k) {
    unsigned mask = __activemask();
    sum += __popc(mask) ? k : 0;
    if (k == 17)
      break;
  }
  __syncwarp();
  out[i * 2] = sum;
  out[i * 2 + 1] = __reduce_add_sync(~0u, sum);
}
KERNEL early_exit(const int *in, int *out) {
  int i = thread();
  out[i] = -1;
  if (in[i] & 1)
    return;
  unsigned mask = __ballot_sync(__activemask(), 1);
  out[i] = __popc(mask & ((1u << (i & 31)) - 1));
}
// A bitonic sort of 32 keys by shuffles, and of a block in shared memory.
KERNEL bitonic_warp(unsigned *keys) {
  unsigned x = keys[thread()];
  int lane = threadIdx.x & 31;
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      unsigned y = __shfl_xor_sync(~0u, x, j);
      bool up = (lane & k) == 0, first = (lane & j) == 0;
      x = (up == first) ? min(x, y) : max(x, y);
    }
  keys[thread()] = x;
}
KERNEL bitonic_block(float *keys, int count) {
  extern __shared__ float v[];
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    v[i] = keys[i];
  for (int k = 2; k <= count; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < count; i += blockDim.x) {
        int other = i ^ j;
        if (other > i && (v[i] > v[other]) == ((i & k) == 0)) {
          float t = v[i];
          v[i] = v[other];
          v[other] = t;
        }
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    keys[i] = v[i];
}
KERNEL counted_barriers(const int *in, int *out) {
  int i = threadIdx.x;
  out[i * 3] = __syncthreads_count(in[i] & 1);
  out[i * 3 + 1] = __syncthreads_and(in[i] >= 0);
  out[i * 3 + 2] = __syncthreads_or(in[i] == 1000000);
}
