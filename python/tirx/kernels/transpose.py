# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transpose by tiles in shared memory: rows are read and rows are written, so that both
sides are coalesced; a spare column keeps columns of the tile in different banks."""

from typing import Any

from tirx import lite as txl
from tirx.kernels.common import WARP, positive


def transpose(dtype: Any = txl.f32, warps: int = 4) -> Any:
    """Arguments: a (rows x columns of `dtype`), out (columns x rows), rows, columns."""
    positive("warps", warps)
    if WARP % warps:
        raise ValueError(f"warps: expected a divisor of {WARP}, got {warps}")

    def grid(p: Any) -> list[int]:
        return [-(-int(p["columns"]) // WARP), -(-int(p["rows"]) // WARP)]

    @txl.kernel(warps=warps, grid=grid)
    def transpose(a: txl.gptr[dtype, 2], out: txl.gptr[dtype, 2], rows: txl.i32,
                  columns: txl.i32):
        tile = txl.smem_pool().alloc((WARP, WARP + 1), dtype)
        block_x, block_y = txl.cta_id([1, 1])
        warp, lane = txl.warp_id(), txl.lane_id()
        element = txl.local_scalar(dtype)
        for step in range(WARP // warps):
            y = step * warps + warp
            row, column = block_y * WARP + y, block_x * WARP + lane
            with txl.If(txl.And(row < rows, column < columns)), txl.Then():
                offset = txl.cast(row, txl.i64) * columns + column
                txl.ptx[f"ld.global.b{dtype.bits}"](element, a.ptr_to(offset))
                txl.ptx[f"st.shared.b{dtype.bits}"](tile.ptr_to(y, lane), element)
        txl.cuda.cta_sync()
        for step in range(WARP // warps):
            y = step * warps + warp
            row, column = block_x * WARP + y, block_y * WARP + lane
            with txl.If(txl.And(row < columns, column < rows)), txl.Then():
                offset = txl.cast(row, txl.i64) * rows + column
                txl.ptx[f"ld.shared.b{dtype.bits}"](element, tile.ptr_to(lane, y))
                txl.ptx[f"st.global.b{dtype.bits}"](out.ptr_to(offset), element)

    return transpose
