// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters, bulk and tensor copies, mbarriers, wgmma: sm_90a and newer.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2) clusters(int *o) {
  __shared__ int word;
  cg::cluster_group cluster = cg::this_cluster();
  word = o[threadIdx.x];
  cluster.sync();
  int *remote = cluster.map_shared_rank(&word, cluster.block_rank() ^ 1);
  o[threadIdx.x] = *remote + atomicAdd(remote, 1);
  o[1] = ptx::getctarank(ptx::space_cluster, remote) + cluster.num_blocks();
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  __shared__ uint64_t barrier;
  ptx::st_async(remote, 3, &barrier);
  ptx::red_async(ptx::op_add, remote, 3, &barrier);
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
}

extern "C" __global__ void tensors(const __grid_constant__ CUtensorMap map,
                                   char *global, int n) {
  __shared__ alignas(128) char buffer[4096];
  __shared__ alignas(8) uint64_t barrier[2];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier[0], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int one[1] = {n}, two[2] = {n, 1}, three[3] = {n, 1, 2}, five[5] = {n, 1, 2, 3, 4};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, barrier, 4096);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, buffer, &map, one, barrier);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, buffer, &map, two, barrier);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, buffer, &map, five, barrier, uint16_t(3));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buffer, global, 512, barrier);
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
    while (!ptx::mbarrier_try_wait_parity(barrier, n & 1))
      ;
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, barrier, 0, 1000))
      ;
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, three, buffer);
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &map, two, buffer);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add,
                              reinterpret_cast<uint32_t *>(global),
                              reinterpret_cast<uint32_t *>(buffer), 64);
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, global, buffer, 512);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    ptx::tensormap_replace_global_address(ptx::space_shared, buffer, uint64_t(global));
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, global, buffer, ptx::n32_t<128>());
    ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, &map, ptx::n32_t<128>());
  }
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
extern "C" __global__ void wgmma(float *o, uint64_t a, uint64_t b, uint32_t r) {
  float d0 = o[0], d1 = o[1], d2 = o[2], d3 = o[3];
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
               "{%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 1; }"
               : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
               : "l"(a), "l"(b), "r"(1));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0,%1,%2,%3}, {%4,%4,%4,%4}, %5, 1, 1, -1, 0;"
               : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
               : "r"(r), "l"(b));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 "
               "{%0,%1,%2,%3}, %4, %5, 0, 1, 1;"
               : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
               : "l"(a), "l"(b));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  __shared__ alignas(16) int tile[128];
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %1};" ::"r"(
                   unsigned(__cvta_generic_to_shared(tile + threadIdx.x * 4))),
               "r"(r));
  uint32_t elected;
  asm volatile("{ .reg .pred p; elect.sync _|p, -1; selp.u32 %0, 1, 0, p; }"
               : "=r"(elected));
  o[threadIdx.x] = d0 + d1 + d2 + d3 + elected + tile[threadIdx.x];
}
#endif
