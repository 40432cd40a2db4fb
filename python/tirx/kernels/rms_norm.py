# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each row divided by the root of its mean square, times a weight for each column."""

from typing import Any

from tirx import lite as txl
from tirx.kernels.common import (
    WARP, BlockReduction, load_as_f32, positive, store_from_f32,
)


def rms_norm(dtype: Any = txl.f32, epsilon: float = 1e-6, warps: int = 4) -> Any:
    """Arguments: a (rows x columns of `dtype`, f32, f16 or bf16), weight (columns), out
    and the number of columns; computed in f32."""
    positive("warps", warps)

    @txl.kernel(warps=warps, grid=lambda p: p["out"].shape[0])
    def rms_norm(a: txl.gptr[dtype, 2], weight: txl.gptr[dtype], out: txl.gptr[dtype, 2],
                 columns: txl.i32):
        reduce = BlockReduction(txl.smem_pool(), warps)
        start = txl.cast(txl.cta_id(), txl.i64) * columns
        squares = txl.local_scalar(txl.f32, init=0.0)
        for column in txl.serial(txl.thread_id(), columns, warps * WARP):
            value = txl.local_scalar(txl.f32, load_as_f32(a.ptr_to(start + column), dtype))
            txl.assign(squares, squares + value * value)
        reduce(squares, "sum")
        scale = txl.local_scalar(txl.f32)
        txl.ptx["rsqrt.approx.f32"](scale, squares / txl.cast(columns, txl.f32) + epsilon)
        for column in txl.serial(txl.thread_id(), columns, warps * WARP):
            value = load_as_f32(a.ptr_to(start + column), dtype)
            factor = load_as_f32(weight.ptr_to(column), dtype)
            store_from_f32(out.ptr_to(start + column), value * scale * factor, dtype)

    return rms_norm
