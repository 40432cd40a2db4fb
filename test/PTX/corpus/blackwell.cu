// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory and the fifth generation of tensor cores: sm_100a.
#include <cuda/ptx>
namespace ptx = cuda::ptx;

extern "C" __global__ void tensor_memory(uint32_t *o) {
  __shared__ uint32_t address;
  ptx::tcgen05_alloc(ptx::cta_group_1, &address, 64);
  ptx::tcgen05_relinquish_alloc_permit(ptx::cta_group_1);
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  uint32_t one[1], four[4], eight[8], many[32];
  ptx::tcgen05_ld_32x32b(many, address);
  ptx::tcgen05_ld_16x64b(one, address);
  ptx::tcgen05_ld_16x256b(four, address);
  ptx::tcgen05_ld_16x128b_pack_16b(eight, address);
  ptx::tcgen05_wait_ld();
  for (int i = 0; i < 32; ++i)
    o[i] = many[i] + one[0] + four[i & 3] + eight[i & 7];
  ptx::tcgen05_st_32x32b(address, many);
  ptx::tcgen05_st_16x64b(address, one);
  ptx::tcgen05_st_16x32bx2(address, ptx::n32_t<4>(), four);
  ptx::tcgen05_wait_st();
  ptx::tcgen05_shift_down(ptx::cta_group_1, address);
  ptx::tcgen05_dealloc(ptx::cta_group_1, address, 64);
}

extern "C" __global__ void multiply(uint64_t a, uint64_t b, uint32_t d,
                                    uint32_t at, uint32_t idesc, uint32_t sa,
                                    uint32_t sb, uint64_t *global) {
  __shared__ uint64_t barrier;
  const uint32_t four[4] = {1, 2, 3, 4};
  ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, d, a, b, idesc, true);
  ptx::tcgen05_mma(ptx::kind_tf32, ptx::cta_group_1, d, a, b, idesc, four, true,
                   ptx::n32_t<3>());
  ptx::tcgen05_mma_tmem_a(ptx::kind_f8f6f4, ptx::cta_group_1, d, at, b, idesc,
                          sa & 1);
  ptx::tcgen05_mma_block_scale_vec_1x(ptx::kind_mxf8f6f4, ptx::cta_group_1, d, a,
                                      b, idesc, sa, sb, true);
  ptx::tcgen05_mma_block_scale_vec_2x(ptx::kind_mxf4, ptx::cta_group_1, d, a, b,
                                      idesc, sa, sb, true);
  ptx::tcgen05_mma_ws_collector_b0_lastuse(ptx::cta_group_1, ptx::kind_i8, d, a, b, idesc, true);
  ptx::tcgen05_cp_128x256b(ptx::cta_group_1, d, a);
  ptx::tcgen05_cp_64x128b_warpx2_02_13(ptx::cta_group_1, d, a);
  ptx::tcgen05_cp_4x256b_b8x16_b6x16_p32(ptx::cta_group_1, d, a);
  ptx::tcgen05_commit(ptx::cta_group_1, &barrier);
}

// ptxas wants one cta_group in a kernel.
extern "C" __global__ void multiply_in_pairs(uint64_t a, uint64_t b, uint32_t d,
                                             uint32_t idesc) {
  __shared__ uint64_t barrier;
  const uint32_t eight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_2, d, a, b, idesc, eight, false);
  ptx::tcgen05_cp_32x128b_warpx4(ptx::cta_group_2, d, a);
  ptx::tcgen05_commit_multicast(ptx::cta_group_2, &barrier, uint16_t(3));
}

extern "C" __global__ void clusters(longlong2 *o, float4 *f, const void *map) {
  __shared__ alignas(16) longlong2 response;
  __shared__ uint64_t barrier;
  ptx::clusterlaunchcontrol_try_cancel(&response, &barrier);
  if (ptx::clusterlaunchcontrol_query_cancel_is_canceled(response)) {
    o[0].x = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(response);
    int all[4];
    ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid(all, response);
    o[1].y = all[0] + all[3];
  }
  __shared__ alignas(128) char buffer[1024];
  int at[2] = {1, 2}, gather[5] = {0, 1, 2, 3, 4};
  ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, buffer, map, at, &barrier);
  ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, ptx::cta_group_2, buffer, map, at, &barrier);
  ptx::cp_async_bulk_tensor_tile_gather4(ptx::space_shared, ptx::space_global, buffer, map, gather, &barrier);
  float x, y;
  asm("{ .reg .b64 a, b; mov.b64 a, {%2, %3}; fma.rn.f32x2 b, a, a, a; mov.b64 {%0, %1}, b; }"
      : "=f"(x), "=f"(y) : "f"(f[0].x), "f"(f[0].y));
  f[1] = make_float4(x, y, 0, 0);
  asm volatile("redux.sync.max.abs.f32 %0, %1, -1;" : "=f"(f[2].x) : "f"(x));
  asm volatile("ld.global.v8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
               : "=r"(gather[0]), "=r"(gather[1]), "=r"(gather[2]), "=r"(gather[3]),
                 "=r"(at[0]), "=r"(at[1]), "=r"(gather[4]), "=f"(y)
               : "l"(f));
  o[2].x = gather[0] + at[1] + int(y);
}
