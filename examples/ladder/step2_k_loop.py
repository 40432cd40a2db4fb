# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step 2: any K. Blocks of 64 are added up in tensor memory; one mbarrier is used
again and again, its parity flips with each block.
"""

from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, tid_in_wg
from tirx.script import tile as Tx

BLK_M, BLK_N, BLK_K = 128, 128, 64
SIZES = [(128, 128, 64), (128, 128, 192), (128, 128, 512)]


def build(M, N, K):
    assert (M, N) == (BLK_M, BLK_N) and K % BLK_K == 0
    ab = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (BLK_M, BLK_K))
    rows = TileLayout(S[(BLK_M, BLK_N) : (1 @ tid_in_wg, 1)])

    @T.prim_func
    def k_loop(A: T.Buffer((M, K), "float16"), B: T.Buffer((N, K), "float16"),
               D: T.Buffer((M, N), "float16")):
        T.device_entry()
        T.warpgroup_id([1])
        warp, lane, thread = T.warp_id_in_wg([4]), T.lane_id([32]), T.thread_id_in_wg([128])

        pool = T.SMEMPool()
        bar = pool.alloc((1,), "uint64")
        tensor_memory = T.TMEMPool(pool, columns=128)
        As = pool.alloc((BLK_M, BLK_K), "float16", layout=ab)
        Bs = pool.alloc((BLK_N, BLK_K), "float16", layout=ab)

        if warp == 0:
            if lane == 0:
                T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
            tensor_memory.commit()
        T.cuda.cta_sync()
        acc = tensor_memory.alloc((BLK_M, BLK_N), "float32")

        phase: T.int32 = 0
        for k in range(K // BLK_K):
            k_st = T.meta_var(k * BLK_K)
            Tx.cta.copy(As[:, :], A[:, k_st : k_st + BLK_K])
            Tx.cta.copy(Bs[:, :], B[:, k_st : k_st + BLK_K])
            T.cuda.cta_sync()
            if warp == 0:
                if T.ptx.elect_sync():
                    # The first block starts from zero, the others add.
                    Tx.gemm_async(acc[:, :], As[:, :], Bs[:, :], accum=k != 0,
                                  dispatch="tcgen05")
                    T.ptx.tcgen05.commit(bar.ptr_to([0]))
            # The product has read shared memory, so that the next copy may write it.
            T.ptx.mbarrier.try_wait(bar.ptr_to([0]), phase)
            phase = phase ^ 1

        regs = T.alloc_local((BLK_N,), "float32")
        half = T.alloc_local((BLK_N,), "float16")
        Tx.wg.copy_async(regs.view(BLK_M, BLK_N, layout=rows), acc[:, :])
        T.ptx.tcgen05.wait.ld()
        Tx.cast(half[:], regs[:])
        Tx.copy(D[thread, :], half[:])

        T.cuda.cta_sync()
        if warp == 0:
            tensor_memory.dealloc()

    return k_loop
