# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""D = A B^T for sm_100a: TMA and tcgen05, warp-specialised, persistent.

One thread copies tiles of A and B into a ring of stages, one issues the MMAs, and four
warps move sums from tensor memory to D. There are two accumulators, so that a tile is
stored while the next one is multiplied.
"""

from typing import Any

from tirx import lite as txl
from tirx.kernels.common import WARP, positive

_BK = 64  # 128 bytes, the width of the swizzle
_ROWS = 128  # of an MMA: a lane of tensor memory each
_COLUMNS = 64  # of a piece of the epilogue
_LOADED = 32  # columns of one tcgen05.ld
_ACCUMULATORS = 2
_STORING, _LOADER, _ISSUER = 4, 4, 5  # warps 0 to 3 store
_STORE_BARRIER = 1
_SHARED = 227 * 1024
_MMA = "tcgen05.mma.cta_group::1.kind::f16"
_LOAD = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
_STORE = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"
_TMEM_LOAD = f"tcgen05.ld.sync.aligned.32x32b.x{_LOADED}.b32"


class _Tiles:
    """Sizes, checked."""

    def __init__(self, dtype: Any, columns: int, stages: int) -> None:
        if dtype.name not in ("f16", "bf16"):
            raise ValueError(f"dtype: expected f16 or bf16, got {dtype}")
        if positive("columns", columns, _COLUMNS) > 256:
            raise ValueError(f"columns: expected at most 256, got {columns}")
        self.dtype, self.columns, self.stages = dtype, columns, positive("stages", stages)
        self.stage_bytes = (_ROWS + columns) * _BK * dtype.bytes
        # Pieces of the epilogue on their way: they take turns over tiles.
        self.buffers = 2 if columns % (2 * _COLUMNS) == 0 else 1
        shared = stages * (self.stage_bytes + 16) + 64 + self.buffers * _ROWS * _COLUMNS * dtype.bytes
        if shared > _SHARED:
            raise ValueError(f"stages: expected at most {_SHARED} bytes of shared memory, {stages} "
                             f"stages take {shared}")
        # An allocation of tensor memory is a power of two.
        self.tmem = 1 << (_ACCUMULATORS * columns - 1).bit_length()
        # Instruction descriptor: f32 sums, types of A and B, both K-major, N / 8, M / 16.
        kind = 1 if dtype.name == "bf16" else 0
        self.idesc = 1 << 4 | kind << 7 | kind << 10 | columns // 8 << 17 | _ROWS // 16 << 24


def gemm(dtype: Any = txl.bf16, columns: int = 256, stages: int = 4, l2_group: int = 8,
         ctas: int = 148) -> Any:
    """Arguments: a (m x k of `dtype`, f16 or bf16), b (n x k), d (m x n), m, n, k.

    A tile has 128 rows and `columns` (a multiple of 64, at most 256). `l2_group`: rows of
    tiles that are worked on together. `ctas`: of the grid at most, the SMs of the GPU."""
    tiles = _Tiles(dtype, columns, stages)
    positive("l2_group", l2_group)
    positive("ctas", ctas)

    def grid(p: Any) -> int:
        return max(1, min(ctas, -(-int(p["m"]) // _ROWS) * -(-int(p["n"]) // columns)))

    @txl.kernel(warps=_ISSUER + 1, arch="sm_100a", grid=grid)
    def gemm(a: txl.gptr[dtype, 2], b: txl.gptr[dtype, 2], d: txl.gptr[dtype, 2],
             m: txl.i32, n: txl.i32, k: txl.i32,
             a_map: txl.TensorMap("a", box=(_ROWS, _BK), swizzle=txl.SW128B),
             b_map: txl.TensorMap("b", box=(columns, _BK), swizzle=txl.SW128B),
             d_map: txl.TensorMap("d", box=(_ROWS, _COLUMNS), swizzle=txl.SW128B)):
        pool = txl.smem_pool()
        a_ring = pool.alloc((stages, _ROWS, _BK), dtype, swizzle=txl.SW128B, align=1024)
        b_ring = pool.alloc((stages, columns, _BK), dtype, swizzle=txl.SW128B, align=1024)
        pieces = pool.alloc((tiles.buffers, _ROWS, _COLUMNS), dtype, swizzle=txl.SW128B, align=1024)
        slot = pool.alloc((1,), "uint32")
        ring = txl.Pipeline(pool, stages, full="tma", empty="tcgen05")
        sums = txl.Pipeline(pool, _ACCUMULATORS, full="tcgen05", empty="mbar",
                            init_empty=_STORING * WARP)
        with txl.If(txl.warp_id() == _ISSUER), txl.Then():
            txl.ptx.tcgen05.alloc.cta_group__1.sync.aligned.shared__cta.b32(
                slot.ptr_to(0), txl.uint32(tiles.tmem))
        txl.ptx.fence.mbarrier_init.release.cluster()
        txl.ptx.tcgen05.fence__before_thread_sync()
        txl.cuda.cta_sync()
        txl.ptx.tcgen05.fence__after_thread_sync()
        tmem = txl.local_scalar(txl.u32)
        txl.ptx.ld.shared.u32(tmem, slot.ptr_to(0))

        rows_of_tiles = (m + (_ROWS - 1)) // _ROWS
        columns_of_tiles = (n + (columns - 1)) // columns
        blocks = (k + (_BK - 1)) // _BK
        schedule = txl.serial(txl.cta_id(), rows_of_tiles * columns_of_tiles,
                              txl.cast(txl.cuda.special_register("nctaid.x"), txl.i32))

        def place(tile: Any) -> tuple[Any, Any]:
            """Row and column of a tile: down groups of rows, which share B in the L2."""
            in_group = columns_of_tiles * l2_group
            first = tile // in_group * l2_group
            rows = txl.min(rows_of_tiles - first, l2_group)
            return (first + tile % in_group % rows) * _ROWS, tile % in_group // rows * columns

        roles = txl.specialize()
        with roles.role("store", warps=range(_STORING)):
            state = txl.PipelineState(_ACCUMULATORS, phase=0)
            for tile in schedule:
                row, column = place(tile)
                sums.full.wait(state.stage, state.phase)
                txl.ptx.tcgen05.fence__after_thread_sync()
                from_column = tmem + txl.cast(state.stage, txl.u32) * columns
                _store(tiles, from_column, pieces, d_map, row, column,
                       lambda: sums.empty.arrive(state.stage))
                state.advance()
            with txl.If(txl.thread_id() == 0), txl.Then():
                txl.ptx.cp.async_.bulk.wait_group.read(0)
        with roles.role("load", warps=_LOADER):
            with txl.If(txl.lane_id() == 0), txl.Then():
                state = txl.PipelineState(stages, phase=1)
                for tile in schedule:
                    row, column = place(tile)
                    for block in txl.serial(blocks):
                        ring.empty.wait(state.stage, state.phase)
                        ring.full.arrive(state.stage, tiles.stage_bytes)
                        full = ring.full.ptr_to(state.stage)
                        txl.ptx[_LOAD](a_ring.ptr_to(state.stage, 0, 0), a_map, block * _BK, row,
                                       full)
                        txl.ptx[_LOAD](b_ring.ptr_to(state.stage, 0, 0), b_map, block * _BK,
                                       column, full)
                        state.advance()
        with roles.role("multiply", warps=_ISSUER):
            with txl.If(txl.lane_id() == 0), txl.Then():
                state = txl.PipelineState(stages, phase=0)
                target = txl.PipelineState(_ACCUMULATORS, phase=1)
                for tile in schedule:
                    sums.empty.wait(target.stage, target.phase)
                    txl.ptx.tcgen05.fence__after_thread_sync()
                    to_column = tmem + txl.cast(target.stage, txl.u32) * columns
                    for block in txl.serial(blocks):
                        ring.full.wait(state.stage, state.phase)
                        txl.ptx.tcgen05.fence__after_thread_sync()
                        txl.idioms.mma_chain(_MMA, to_column, a=a_ring[state.stage],
                                             b=b_ring[state.stage], idesc=tiles.idesc,
                                             accumulate=block != 0)
                        ring.empty.arrive(state.stage)
                        state.advance()
                    sums.full.arrive(target.stage)
                    target.advance()
        txl.ptx.tcgen05.fence__before_thread_sync()
        txl.cuda.cta_sync()
        with txl.If(txl.warp_id() == _ISSUER), txl.Then():
            txl.ptx.tcgen05.fence__after_thread_sync()
            txl.ptx.tcgen05.relinquish_alloc_permit.cta_group__1.sync.aligned()
            txl.ptx.tcgen05.dealloc.cta_group__1.sync.aligned.b32(tmem, txl.uint32(tiles.tmem))

    return gemm


def _store(tiles: _Tiles, tmem: Any, pieces: Any, d_map: Any, row: Any, column: Any,
           release: Any) -> None:
    """An accumulator through shared memory into D, 64 columns at a time; `release` gives
    it back once it is read."""
    thread = txl.thread_id()
    # A warp reads the 32 lanes that are its own; the lane is in the upper half.
    source = tmem + (txl.cast(txl.warp_id() * WARP, txl.u32) << 16)
    values = txl.alloc_local([_COLUMNS], "float32")
    packed = txl.alloc_local([4], "uint32")
    for piece in range(tiles.columns // _COLUMNS):
        buffer = piece % tiles.buffers
        for part in range(0, _COLUMNS, _LOADED):
            txl.ptx[_TMEM_LOAD](*[values[part + i] for i in range(_LOADED)],
                                source + (piece * _COLUMNS + part))
        txl.ptx.tcgen05.wait__ld.sync.aligned()
        if (piece + 1) * _COLUMNS == tiles.columns:
            txl.ptx.tcgen05.fence__before_thread_sync()
            release()
        with txl.If(thread == 0), txl.Then():
            txl.ptx.cp.async_.bulk.wait_group.read(tiles.buffers - 1)
        txl.cuda.warpgroup_sync(_STORE_BARRIER)
        for first in range(0, _COLUMNS, 8):
            for i in range(4):
                txl.ptx[f"cvt.rn.{tiles.dtype.name}x2.f32"](
                    packed[i], values[first + 2 * i + 1], values[first + 2 * i])
            txl.ptx.st.shared.v4.b32(pieces.ptr_to(buffer, thread, first), packed)
        txl.ptx.fence.proxy.async_.shared__cta()
        txl.cuda.warpgroup_sync(_STORE_BARRIER)
        with txl.If(thread == 0), txl.Then():
            txl.ptx[_STORE](d_map, column + piece * _COLUMNS, row, pieces.ptr_to(buffer, 0, 0))
            txl.ptx.cp.async_.bulk.commit_group()
