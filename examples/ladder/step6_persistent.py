# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step 6: a CTA stays and takes one tile after the other, in an order that shares A and
B in the L2 cache. Stages and parities go on from tile to tile.
"""

from ring import Place, tile_of
from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, tid_in_wg
from tirx.script import tile as Tx

BLK_M, BLK_N, BLK_K = 128, 128, 64
BYTES = 2 * (BLK_M + BLK_N) * BLK_K
STAGES, GROUP = 3, 2
CTAS = 2  # of the grid; as many as the chip has SMs where it is large
SIZES = [(128, 128, 64), (384, 256, 128), (256, 128, 320)]


def build(M, N, K):
    assert M % BLK_M == 0 and N % BLK_N == 0 and K % BLK_K == 0
    TILES_M, TILES_N, BLOCKS = M // BLK_M, N // BLK_N, K // BLK_K
    ab = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (STAGES, BLK_M, BLK_K))
    d = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (BLK_M, BLK_N))
    rows = TileLayout(S[(BLK_M, BLK_N) : (1 @ tid_in_wg, 1)])

    @T.prim_func
    def persistent(A: T.Buffer((M, K), "float16"), B: T.Buffer((N, K), "float16"),
                   D: T.Buffer((M, N), "float16")):
        T.device_entry()
        cta = T.cta_id([CTAS])
        T.warpgroup_id([1])
        warp, lane, thread = T.warp_id_in_wg([4]), T.lane_id([32]), T.thread_id_in_wg([128])

        pool = T.SMEMPool()
        full = pool.alloc((STAGES,), "uint64")
        empty = pool.alloc((STAGES,), "uint64")
        done = pool.alloc((1,), "uint64")
        tensor_memory = T.TMEMPool(pool, columns=128)
        As = pool.alloc((STAGES, BLK_M, BLK_K), "float16", layout=ab)
        Bs = pool.alloc((STAGES, BLK_N, BLK_K), "float16", layout=ab)
        Ds = pool.alloc((BLK_M, BLK_N), "float16", layout=d)

        if warp == 0:
            if lane == 0:
                for stage in T.unroll(STAGES):
                    T.ptx.mbarrier.init(full.ptr_to([stage]), 1)
                    T.ptx.mbarrier.init(empty.ptr_to([stage]), 1)
                T.ptx.mbarrier.init(done.ptr_to([0]), 1)
            tensor_memory.commit()
        T.cuda.cta_sync()
        acc = tensor_memory.alloc((BLK_M, BLK_N), "float32")

        loading, using = Place(STAGES), Place(STAGES)
        done_phase: T.int32 = 0
        for tile in range(cta, TILES_M * TILES_N, CTAS):
            m, n = tile_of(tile, TILES_M, TILES_N, GROUP)
            m_st, n_st = m * BLK_M, n * BLK_N

            def load(k):
                # A fresh barrier counts as one whose phase of parity 1 is complete.
                T.ptx.mbarrier.try_wait(empty.ptr_to([loading.stage]), loading.phase ^ 1)
                full_bar = full.ptr_to([loading.stage])
                k_st = k * BLK_K
                T.ptx.mbarrier.arrive.expect_tx(full_bar, BYTES)
                Tx.copy_async(As[loading.stage], A[m_st : m_st + BLK_M, k_st : k_st + BLK_K],
                              barrier=full_bar, dispatch="tma")
                Tx.copy_async(Bs[loading.stage], B[n_st : n_st + BLK_N, k_st : k_st + BLK_K],
                              barrier=full_bar, dispatch="tma")
                loading.advance()

            if warp == 0:
                if T.ptx.elect_sync():
                    for k in range(min(STAGES - 1, BLOCKS)):
                        load(k)
                    for k in range(BLOCKS):
                        if k + STAGES - 1 < BLOCKS:
                            load(k + STAGES - 1)
                        T.ptx.mbarrier.try_wait(full.ptr_to([using.stage]), using.phase)
                        Tx.gemm_async(acc[:, :], As[using.stage], Bs[using.stage], accum=k != 0,
                                      dispatch="tcgen05")
                        T.ptx.tcgen05.commit(empty.ptr_to([using.stage]))
                        using.advance()
                    T.ptx.tcgen05.commit(done.ptr_to([0]))
            T.ptx.mbarrier.try_wait(done.ptr_to([0]), done_phase)
            done_phase ^= 1

            regs = T.alloc_local((BLK_N,), "float32")
            half = T.alloc_local((BLK_N,), "float16")
            Tx.wg.copy_async(regs.view(BLK_M, BLK_N, layout=rows), acc[:, :])
            T.ptx.tcgen05.wait.ld()
            Tx.cast(half[:], regs[:])
            Tx.copy(Ds[thread, :], half[:])
            T.ptx.fence.proxy_async("shared::cta")
            T.cuda.cta_sync()
            if thread == 0:
                Tx.copy_async(D[m_st : m_st + BLK_M, n_st : n_st + BLK_N], Ds[:, :],
                              dispatch="tma")
                T.ptx.cp_async.bulk.commit_group()
                T.ptx.cp_async.bulk.wait_group(0)
            # The next tile writes tensor memory and Ds again.
            T.cuda.cta_sync()

        if warp == 0:
            tensor_memory.dealloc()

    return persistent
