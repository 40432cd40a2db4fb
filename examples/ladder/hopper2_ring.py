# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hopper, step 2: TMA fills a ring of stages; one product is in flight while the next
one starts, and a stage is loaded anew when the product that read it is complete.
"""

from ring import Place
from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, laneid, wid_in_wg
from tirx.script import tile as Tx

BLK_M, BLK_N, BLK_K = 64, 128, 64
REGS = BLK_M * BLK_N // 128
BYTES = 2 * (BLK_M + BLK_N) * BLK_K
STAGES = 4
SIZES = [(64, 128, 64), (128, 128, 320), (64, 256, 640)]


def build(M, N, K):
    assert M % BLK_M == 0 and N % BLK_N == 0 and K % BLK_K == 0
    BLOCKS = K // BLK_K
    a = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (STAGES, BLK_M, BLK_K))
    b = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (STAGES, BLK_N, BLK_K))
    fragment = TileLayout(S[(4, 2, 8, BLK_N // 8, 4, 2)
                            : (1 @ wid_in_wg, 2, 4 @ laneid, 4, 1 @ laneid, 1)])

    @T.prim_func
    def hopper_ring(A: T.Buffer((M, K), "float16"), B: T.Buffer((N, K), "float16"),
                    D: T.Buffer((M, N), "float16")):
        T.device_entry()
        bx, by = T.cta_id([M // BLK_M, N // BLK_N])
        T.warpgroup_id([1])
        thread = T.thread_id_in_wg([128])
        pool = T.SMEMPool()
        full = pool.alloc((STAGES,), "uint64")
        As = pool.alloc((STAGES, BLK_M, BLK_K), "float16", layout=a)
        Bs = pool.alloc((STAGES, BLK_N, BLK_K), "float16", layout=b)
        m_st, n_st = bx * BLK_M, by * BLK_N

        if thread == 0:
            for stage in T.unroll(STAGES):
                T.ptx.mbarrier.init(full.ptr_to([stage]), 1)
        T.cuda.cta_sync()

        def load(k):
            stage, k_st = k % STAGES, k * BLK_K
            T.ptx.mbarrier.arrive.expect_tx(full.ptr_to([stage]), BYTES)
            Tx.copy_async(As[stage], A[m_st : m_st + BLK_M, k_st : k_st + BLK_K],
                          barrier=full.ptr_to([stage]), dispatch="tma")
            Tx.copy_async(Bs[stage], B[n_st : n_st + BLK_N, k_st : k_st + BLK_K],
                          barrier=full.ptr_to([stage]), dispatch="tma")

        if thread == 0:
            for k in range(min(STAGES - 1, BLOCKS)):
                load(k)
        acc = T.alloc_local((BLK_M, BLK_N), "float32", layout=fragment)
        using = Place(STAGES)
        for k in range(BLOCKS):
            T.ptx.mbarrier.try_wait(full.ptr_to([using.stage]), using.phase)
            Tx.wg.gemm_async(acc[:, :], As[using.stage], Bs[using.stage], accum=k != 0,
                             dispatch="wgmma")
            T.ptx.wgmma.commit_group()
            # The product before this one is complete, in all warps.
            T.ptx.wgmma.wait_group(1)
            T.cuda.cta_sync()
            if thread == 0:
                if k + STAGES - 1 < BLOCKS:
                    load(k + STAGES - 1)
            using.advance()
        T.ptx.wgmma.wait_group(0)

        half = T.alloc_local((BLK_M, BLK_N), "float16", layout=fragment)
        Tx.cast(half.view(REGS), acc.view(REGS))
        Tx.wg.copy(D[m_st : m_st + BLK_M, n_st : n_st + BLK_N], half[:, :])

    return hopper_ring
