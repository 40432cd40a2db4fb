# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step 5: a ring of stages. While the tensor core multiplies one block of K, TMA
already loads the next ones; a stage is loaded anew once the products that read it
are complete.
"""

from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, tid_in_wg
from tirx.script import tile as Tx

BLK_M, BLK_N, BLK_K = 128, 128, 64
BYTES = 2 * (BLK_M + BLK_N) * BLK_K  # of a block of A and of B
STAGES = 3
SIZES = [(128, 128, 64), (256, 128, 256), (128, 128, 640)]


def build(M, N, K):
    assert M % BLK_M == 0 and N % BLK_N == 0 and K % BLK_K == 0
    ab = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (STAGES, BLK_M, BLK_K))
    # Layout: two halves of 64 columns, because a box of TMA is 128 bytes wide.
    d = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (BLK_M, BLK_N))
    BLOCKS = K // BLK_K
    rows = TileLayout(S[(BLK_M, BLK_N) : (1 @ tid_in_wg, 1)])

    @T.prim_func
    def ring(A: T.Buffer((M, K), "float16"), B: T.Buffer((N, K), "float16"),
             D: T.Buffer((M, N), "float16")):
        T.device_entry()
        bx, by = T.cta_id([M // BLK_M, N // BLK_N])
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

        m_st = T.meta_var(bx * BLK_M)
        n_st = T.meta_var(by * BLK_N)
        def load(k):
            """Starts the copies of block k into its stage."""
            stage, k_st = k % STAGES, T.meta_var(k * BLK_K)
            T.ptx.mbarrier.arrive.expect_tx(full.ptr_to([stage]), BYTES)
            Tx.copy_async(As[stage], A[m_st : m_st + BLK_M, k_st : k_st + BLK_K],
                          barrier=full.ptr_to([stage]), dispatch="tma")
            Tx.copy_async(Bs[stage], B[n_st : n_st + BLK_N, k_st : k_st + BLK_K],
                          barrier=full.ptr_to([stage]), dispatch="tma")

        if warp == 0:
            if T.ptx.elect_sync():
                for k in range(min(STAGES - 1, BLOCKS)):
                    load(k)
                for k in range(BLOCKS):
                    stage, use = k % STAGES, k // STAGES
                    following = k + STAGES - 1
                    if following < BLOCKS:
                        # The stage was last read by block k - 1.
                        if k > 0:
                            T.ptx.mbarrier.try_wait(empty.ptr_to([following % STAGES]),
                                                    (k - 1) // STAGES & 1)
                        load(following)
                    T.ptx.mbarrier.try_wait(full.ptr_to([stage]), use & 1)
                    Tx.gemm_async(acc[:, :], As[stage], Bs[stage], accum=k != 0,
                                  dispatch="tcgen05")
                    T.ptx.tcgen05.commit(empty.ptr_to([stage]))
                T.ptx.tcgen05.commit(done.ptr_to([0]))
        T.ptx.mbarrier.try_wait(done.ptr_to([0]), 0)

        regs = T.alloc_local((BLK_N,), "float32")
        half = T.alloc_local((BLK_N,), "float16")
        Tx.wg.copy_async(regs.view(BLK_M, BLK_N, layout=rows), acc[:, :])
        T.ptx.tcgen05.wait.ld()
        Tx.cast(half[:], regs[:])
        Tx.copy(Ds[thread, :], half[:])
        # What threads wrote, TMA reads by another path: a fence stands between.
        T.ptx.fence.proxy_async("shared::cta")
        T.cuda.cta_sync()
        if thread == 0:
            Tx.copy_async(D[m_st : m_st + BLK_M, n_st : n_st + BLK_N], Ds[:, :], dispatch="tma")
            T.ptx.cp_async.bulk.commit_group()
            T.ptx.cp_async.bulk.wait_group(0)

        if warp == 0:
            tensor_memory.dealloc()

    return ring
