// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gemm.ptx is this, by nvcc -ptx -arch=sm_90a -lineinfo. Two stages in shared
// memory; the products of a stage are in flight while the next one is filled.
#include <cstdint>
#include <cuda_bf16.h>
// C (M x N, f32) = A (M x K) * B (N x K)^T in bf16, one warpgroup for 64 x 256
// elements.
__device__ void product(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%"
      "20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%"
      "38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%"
      "56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%"
      "74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%"
      "92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%"
      "108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%"
      "122,%123,%124,%125,%126,%127}, %128, %129, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
        "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),
        "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]),
        "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]),
        "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]),
        "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]),
        "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]),
        "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
        "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]),
        "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]),
        "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]),
        "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]),
        "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]),
        "+f"(d[126]), "+f"(d[127])
      : "l"(a), "l"(b));
}
__device__ uint64_t describe(const void *p) {
  uint32_t a = __cvta_generic_to_shared(p);
  return ((a >> 4) & 0x3fff) | (1ull << 16) | (64ull << 32) | (1ull << 62);
}
extern "C" __global__ void __launch_bounds__(128)
    gemm(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int N,
         int K) {
  extern __shared__ __align__(1024) uint8_t shared[];
  float d[128] = {};
  int t = threadIdx.x, m0 = blockIdx.y * 64, n0 = blockIdx.x * 256;
  for (int k = 0; k < K; k += 64) {
    uint8_t *stage = shared + k / 64 % 2 * 40960;
    for (int i = t; i < 320 * 8; i += 128) {
      int row = i / 8, chunk = i % 8;
      const __nv_bfloat16 *from = row < 64 ? A + (size_t)(m0 + row) * K
                                           : B + (size_t)(n0 + row - 64) * K;
      *(uint4 *)(stage + row * 128 + (chunk ^ row % 8) * 16) =
          *(const uint4 *)(from + k + chunk * 8);
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int q = 0; q < 4; q++)
      product(d, describe(stage + q * 32), describe(stage + 8192 + q * 32));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    // The stage before may be filled again.
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    __syncthreads();
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float *c =
      C + (size_t)(m0 + 16 * (t / 32) + t % 32 / 4) * N + n0 + 2 * (t % 4);
  for (int i = 0; i < 128; i++)
    c[(size_t)(i / 2 % 2 * 8) * N + i / 4 * 8 + i % 2] = d[i];
}
