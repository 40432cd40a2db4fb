# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hopper, step 1: the grid of step 3 for sm_90a. The accumulator lies in the registers of
a warpgroup, which issues the product together.
"""

from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, laneid, wid_in_wg
from tirx.script import tile as Tx

BLK_M, BLK_N, BLK_K = 64, 128, 64
REGS = BLK_M * BLK_N // 128  # of a thread
SIZES = [(64, 128, 64), (128, 256, 192)]


def build(M, N, K):
    assert M % BLK_M == 0 and N % BLK_N == 0 and K % BLK_K == 0
    a = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (BLK_M, BLK_K))
    b = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (BLK_N, BLK_K))
    # Layout: as wgmma leaves D. A warp has 16 rows, a lane pairs of neighbours in two.
    fragment = TileLayout(S[(4, 2, 8, BLK_N // 8, 4, 2)
                            : (1 @ wid_in_wg, 2, 4 @ laneid, 4, 1 @ laneid, 1)])

    @T.prim_func
    def hopper_k_loop(A: T.Buffer((M, K), "float16"), B: T.Buffer((N, K), "float16"),
                      D: T.Buffer((M, N), "float16")):
        T.device_entry()
        bx, by = T.cta_id([M // BLK_M, N // BLK_N])
        T.warpgroup_id([1])
        pool = T.SMEMPool()
        As = pool.alloc((BLK_M, BLK_K), "float16", layout=a)
        Bs = pool.alloc((BLK_N, BLK_K), "float16", layout=b)
        m_st, n_st = bx * BLK_M, by * BLK_N

        acc = T.alloc_local((BLK_M, BLK_N), "float32", layout=fragment)
        for k in range(K // BLK_K):
            k_st = k * BLK_K
            Tx.cta.copy(As[:, :], A[m_st : m_st + BLK_M, k_st : k_st + BLK_K])
            Tx.cta.copy(Bs[:, :], B[n_st : n_st + BLK_N, k_st : k_st + BLK_K])
            T.cuda.cta_sync()
            # Scope: a warpgroup. Dispatch: the tensor core of Hopper.
            Tx.wg.gemm_async(acc[:, :], As[:, :], Bs[:, :], accum=k != 0, dispatch="wgmma")
            T.ptx.wgmma.commit_group()
            T.ptx.wgmma.wait_group(0)
            T.cuda.cta_sync()

        half = T.alloc_local((BLK_M, BLK_N), "float16", layout=fragment)
        Tx.cast(half.view(REGS), acc.view(REGS))
        Tx.wg.copy(D[m_st : m_st + BLK_M, n_st : n_st + BLK_N], half[:, :])

    return hopper_k_loop
