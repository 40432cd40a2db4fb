# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hopper, step 3: roles. One warp loads for two warpgroups, each of which has half of
the rows of a tile; CTAs stay and take one tile after the other.
"""

from ring import Place, tile_of
from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, laneid, wid_in_wg
from tirx.script import tile as Tx

BLK_M, BLK_N, BLK_K = 128, 128, 64
HALF = BLK_M // 2  # rows of a warpgroup
REGS = HALF * BLK_N // 128
BYTES = 2 * (BLK_M + BLK_N) * BLK_K
STAGES, GROUP, CTAS = 3, 2, 2
READERS = 2  # warpgroups that multiply; each of their warps frees a stage
SIZES = [(128, 128, 64), (384, 256, 128), (256, 256, 320)]


def build(M, N, K):
    assert M % BLK_M == 0 and N % BLK_N == 0 and K % BLK_K == 0
    TILES_M, TILES_N, BLOCKS = M // BLK_M, N // BLK_N, K // BLK_K
    TILES = TILES_M * TILES_N
    ab = tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (STAGES, BLK_M, BLK_K))
    fragment = TileLayout(S[(4, 2, 8, BLK_N // 8, 4, 2)
                            : (1 @ wid_in_wg, 2, 4 @ laneid, 4, 1 @ laneid, 1)])

    @T.prim_func
    def hopper_specialised(A: T.Buffer((M, K), "float16"), B: T.Buffer((N, K), "float16"),
                           D: T.Buffer((M, N), "float16")):
        T.device_entry()
        cta = T.cta_id([CTAS])
        wg = T.warpgroup_id([READERS + 1])
        warp, lane = T.warp_id_in_wg([4]), T.lane_id([32])
        pool = T.SMEMPool()
        full = pool.alloc((STAGES,), "uint64")
        empty = pool.alloc((STAGES,), "uint64")
        As = pool.alloc((STAGES, BLK_M, BLK_K), "float16", layout=ab)
        Bs = pool.alloc((STAGES, BLK_N, BLK_K), "float16", layout=ab)

        if wg == 0 and warp == 0 and lane == 0:
            for stage in T.unroll(STAGES):
                T.ptx.mbarrier.init(full.ptr_to([stage]), 1)
                T.ptx.mbarrier.init(empty.ptr_to([stage]), READERS * 4)
        T.cuda.cta_sync()

        ring = Place(STAGES)
        if wg == READERS:
            if warp == 0 and lane == 0:
                for tile in range(cta, TILES, CTAS):
                    m, n = tile_of(tile, TILES_M, TILES_N, GROUP)
                    m_st, n_st = m * BLK_M, n * BLK_N
                    for k in range(BLOCKS):
                        stage, k_st = ring.stage, k * BLK_K
                        T.ptx.mbarrier.try_wait(empty.ptr_to([stage]), ring.phase ^ 1)
                        T.ptx.mbarrier.arrive.expect_tx(full.ptr_to([stage]), BYTES)
                        Tx.copy_async(As[stage], A[m_st : m_st + BLK_M, k_st : k_st + BLK_K],
                                      barrier=full.ptr_to([stage]), dispatch="tma")
                        Tx.copy_async(Bs[stage], B[n_st : n_st + BLK_N, k_st : k_st + BLK_K],
                                      barrier=full.ptr_to([stage]), dispatch="tma")
                        ring.advance()
        else:
            row = wg * HALF
            for tile in range(cta, TILES, CTAS):
                m, n = tile_of(tile, TILES_M, TILES_N, GROUP)
                acc = T.alloc_local((HALF, BLK_N), "float32", layout=fragment)
                for k in range(BLOCKS):
                    stage = ring.stage
                    T.ptx.mbarrier.try_wait(full.ptr_to([stage]), ring.phase)
                    Tx.wg.gemm_async(acc[:, :], As[stage, row : row + HALF, :], Bs[stage],
                                     accum=k != 0, dispatch="wgmma")
                    T.ptx.wgmma.commit_group()
                    T.ptx.wgmma.wait_group(0)
                    if lane == 0:
                        T.ptx.mbarrier.arrive(empty.ptr_to([stage]))
                    ring.advance()
                half = T.alloc_local((HALF, BLK_N), "float16", layout=fragment)
                Tx.cast(half.view(REGS), acc.view(REGS))
                m_st, n_st = m * BLK_M + row, n * BLK_N
                Tx.wg.copy(D[m_st : m_st + HALF, n_st : n_st + BLK_N], half[:, :])

    return hopper_specialised
