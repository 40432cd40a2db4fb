# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step 7: roles. One warp loads, one warp multiplies, a warpgroup writes results: the
product of the next tile overlaps the write-back of this one, from the other half of
tensor memory.
"""

from ring import Place, tile_of
from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, tid_in_wg
from tirx.script import tile as Tx

BLK_M, BLK_N, BLK_K = 128, 128, 64
BYTES = 2 * (BLK_M + BLK_N) * BLK_K
STAGES, GROUP, ACCUMULATORS = 4, 2, 2
CTAS = 2
WRITERS = 128  # threads of the warpgroup that writes results
SIZES = [(128, 128, 64), (384, 256, 128), (256, 256, 320)]


def build(M, N, K):
    assert M % BLK_M == 0 and N % BLK_N == 0 and K % BLK_K == 0
    TILES_M, TILES_N, BLOCKS = M // BLK_M, N // BLK_N, K // BLK_K
    TILES = TILES_M * TILES_N
    ab = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (STAGES, BLK_M, BLK_K))
    d = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (BLK_M, BLK_N))
    rows = TileLayout(S[(BLK_M, BLK_N) : (1 @ tid_in_wg, 1)])

    @T.prim_func
    def specialised(A: T.Buffer((M, K), "float16"), B: T.Buffer((N, K), "float16"),
                    D: T.Buffer((M, N), "float16")):
        T.device_entry()
        cta = T.cta_id([CTAS])
        wg = T.warpgroup_id([2])
        warp, lane, thread = T.warp_id_in_wg([4]), T.lane_id([32]), T.thread_id_in_wg([128])

        pool = T.SMEMPool()
        full = pool.alloc((STAGES,), "uint64")
        empty = pool.alloc((STAGES,), "uint64")
        acc_full = pool.alloc((ACCUMULATORS,), "uint64")
        acc_empty = pool.alloc((ACCUMULATORS,), "uint64")
        tensor_memory = T.TMEMPool(pool, columns=ACCUMULATORS * BLK_N)
        As = pool.alloc((STAGES, BLK_M, BLK_K), "float16", layout=ab)
        Bs = pool.alloc((STAGES, BLK_N, BLK_K), "float16", layout=ab)
        Ds = pool.alloc((BLK_M, BLK_N), "float16", layout=d)

        if wg == 0 and warp == 0:
            if lane == 0:
                for stage in T.unroll(STAGES):
                    T.ptx.mbarrier.init(full.ptr_to([stage]), 1)
                    T.ptx.mbarrier.init(empty.ptr_to([stage]), 1)
                for slot in T.unroll(ACCUMULATORS):
                    T.ptx.mbarrier.init(acc_full.ptr_to([slot]), 1)
                    T.ptx.mbarrier.init(acc_empty.ptr_to([slot]), WRITERS)
            tensor_memory.commit()
        T.cuda.cta_sync()
        acc = tensor_memory.alloc((BLK_M, ACCUMULATORS * BLK_N), "float32")

        # Each role walks the same tiles, with its own place in the rings.
        ring, results = Place(STAGES), Place(ACCUMULATORS)
        if wg == 1 and warp == 0:
            if T.ptx.elect_sync():
                for tile in range(cta, TILES, CTAS):
                    m, n = tile_of(tile, TILES_M, TILES_N, GROUP)
                    for k in range(BLOCKS):
                        stage, k_st = ring.stage, k * BLK_K
                        T.ptx.mbarrier.try_wait(empty.ptr_to([stage]), ring.phase ^ 1)
                        T.ptx.mbarrier.arrive.expect_tx(full.ptr_to([stage]), BYTES)
                        m_st, n_st = m * BLK_M, n * BLK_N
                        Tx.copy_async(As[stage], A[m_st : m_st + BLK_M, k_st : k_st + BLK_K],
                                      barrier=full.ptr_to([stage]), dispatch="tma")
                        Tx.copy_async(Bs[stage], B[n_st : n_st + BLK_N, k_st : k_st + BLK_K],
                                      barrier=full.ptr_to([stage]), dispatch="tma")
                        ring.advance()
        elif wg == 1 and warp == 1:
            if T.ptx.elect_sync():
                for tile in range(cta, TILES, CTAS):
                    slot = results.stage
                    T.ptx.mbarrier.try_wait(acc_empty.ptr_to([slot]), results.phase ^ 1)
                    col = slot * BLK_N
                    for k in range(BLOCKS):
                        stage = ring.stage
                        T.ptx.mbarrier.try_wait(full.ptr_to([stage]), ring.phase)
                        Tx.gemm_async(acc[:, col : col + BLK_N], As[stage], Bs[stage],
                                      accum=k != 0, dispatch="tcgen05")
                        T.ptx.tcgen05.commit(empty.ptr_to([stage]))
                        ring.advance()
                    T.ptx.tcgen05.commit(acc_full.ptr_to([slot]))
                    results.advance()
        elif wg == 0:
            for tile in range(cta, TILES, CTAS):
                m, n = tile_of(tile, TILES_M, TILES_N, GROUP)
                m_st, n_st = m * BLK_M, n * BLK_N
                slot = results.stage
                col = slot * BLK_N
                T.ptx.mbarrier.try_wait(acc_full.ptr_to([slot]), results.phase)
                regs = T.alloc_local((BLK_N,), "float32")
                half = T.alloc_local((BLK_N,), "float16")
                Tx.wg.copy_async(regs.view(BLK_M, BLK_N, layout=rows), acc[:, col : col + BLK_N])
                T.ptx.tcgen05.wait.ld()
                T.ptx.tcgen05.fence.before_thread_sync()
                T.ptx.mbarrier.arrive(acc_empty.ptr_to([slot]))
                results.advance()
                Tx.cast(half[:], regs[:])
                Tx.copy(Ds[thread, :], half[:])
                T.ptx.fence.proxy_async("shared::cta")
                T.cuda.warpgroup_sync(1)
                if thread == 0:
                    Tx.copy_async(D[m_st : m_st + BLK_M, n_st : n_st + BLK_N], Ds[:, :],
                                  dispatch="tma")
                    T.ptx.cp_async.bulk.commit_group()
                    T.ptx.cp_async.bulk.wait_group(0)
                T.cuda.warpgroup_sync(1)

        T.cuda.cta_sync()
        if wg == 0 and warp == 0:
            tensor_memory.dealloc()

    return specialised
