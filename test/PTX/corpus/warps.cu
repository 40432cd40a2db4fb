// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps, groups, barriers and asynchronous copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

extern "C" __global__ void warps(int *o, float *f, long long *l, int v) {
  unsigned m = __activemask();
  o[0] = __shfl_sync(m, v, 3);
  o[1] = __shfl_up_sync(m, v, 1, 16);
  o[2] = __shfl_xor_sync(m, v, 8);
  f[0] = __shfl_down_sync(m, f[1], 2);
  l[0] = __shfl_sync(m, l[1], v);
  o[3] = __ballot_sync(m, v > 3);
  o[4] = __any_sync(m, v) + __all_sync(m, v);
  o[5] = __match_any_sync(m, v);
  int all;
  o[6] = __match_all_sync(m, l[2], &all) + all;
  o[7] = __reduce_add_sync(m, v);
  o[8] = __reduce_min_sync(m, unsigned(v)) + __reduce_xor_sync(m, unsigned(v));
  __syncwarp(m);
  o[9] = __syncthreads_count(v) + __syncthreads_and(v) + __syncthreads_or(v);
  __syncthreads();
  asm volatile("bar.sync 1, 64;" ::: "memory");
  asm volatile("barrier.cta.arrive 2, 64;" ::: "memory");
  __nanosleep(100);
  l[3] = clock64() + clock();
}

extern "C" __global__ void groups(int *o) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  auto active = cg::coalesced_threads();
  o[0] = tile.shfl_xor(o[1], 3);
  o[2] = cg::reduce(tile, o[3], cg::plus<int>());
  o[4] = cg::inclusive_scan(tile, o[5]);
  o[6] = active.thread_rank() + active.ballot(o[7]);
  o[8] = cg::reduce(active, o[9], cg::greater<int>());
  auto label = cg::labeled_partition(active, o[10]);
  o[11] = label.size();
  block.sync();
  cg::this_grid().sync();
}

extern "C" __global__ void copies(int *g, float4 *o) {
  __shared__ alignas(16) int buffer[2][512];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, buffer[0], g, sizeof(buffer[0]));
  cg::wait(block);
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 4; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&buffer[i & 1][threadIdx.x * 4], g + threadIdx.x * 4,
                       cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    o[i] = reinterpret_cast<float4 &>(buffer[i & 1][threadIdx.x * 4]);
    pipe.consumer_release();
  }
  unsigned address = __cvta_generic_to_shared(&buffer[0][threadIdx.x * 4]);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(
                   address),
               "l"(g), "r"(threadIdx.x < 5 ? 16 : 0));
  asm volatile("cp.async.commit_group; cp.async.wait_all;" ::: "memory");
}

extern "C" __global__ void barriers(int *o) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  auto token = barrier.arrive();
  o[threadIdx.x] += 1;
  barrier.wait(std::move(token));
  barrier.arrive_and_wait();
}
