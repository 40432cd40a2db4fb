# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step 1: D = A B^T for one tile of 128x128x64, every step after the other.

A, B: global -> shared -> tensor cores; D: tensor memory -> registers -> global.
"""

from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, tid_in_wg
from tirx.script import tile as Tx

BLK_M, BLK_N, BLK_K = 128, 128, 64
SIZES = [(128, 128, 64)]


def build(M, N, K):
    assert (M, N, K) == (BLK_M, BLK_N, BLK_K)
    # Layout: rows of 128 bytes with a 128-byte swizzle, as the tensor core reads them.
    ab = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (BLK_M, BLK_K))
    # Layout: thread t of the warpgroup holds row t.
    rows = TileLayout(S[(BLK_M, BLK_N) : (1 @ tid_in_wg, 1)])

    @T.prim_func
    def one_tile(A: T.Buffer((M, K), "float16"), B: T.Buffer((N, K), "float16"),
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

        # Scope: all threads of the CTA copy a tile together.
        Tx.cta.copy(As[:, :], A[:, :])
        Tx.cta.copy(Bs[:, :], B[:, :])
        T.cuda.cta_sync()

        # Scope: one thread issues. Dispatch: the tensor core of Blackwell.
        if warp == 0:
            if T.ptx.elect_sync():
                Tx.gemm_async(acc[:, :], As[:, :], Bs[:, :], dispatch="tcgen05")
                T.ptx.tcgen05.commit(bar.ptr_to([0]))
        T.ptx.mbarrier.try_wait(bar.ptr_to([0]), 0)

        # Scope: the warpgroup reads its 128 rows of tensor memory; each thread writes one.
        regs = T.alloc_local((BLK_N,), "float32")
        half = T.alloc_local((BLK_N,), "float16")
        Tx.wg.copy_async(regs.view(BLK_M, BLK_N, layout=rows), acc[:, :])
        T.ptx.tcgen05.wait.ld()
        Tx.cast(half[:], regs[:])
        Tx.copy(D[thread, :], half[:])

        T.cuda.cta_sync()
        if warp == 0:
            tensor_memory.dealloc()

    return one_tile
