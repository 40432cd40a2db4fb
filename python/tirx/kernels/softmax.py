# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax of each row, one CTA a row; largest element and sum in one pass."""

from typing import Any

from tirx import lite as txl
from tirx.kernels.common import (
    LOG2_E, WARP, BlockReduction, load_as_f32, positive, store_from_f32,
)


def softmax(dtype: Any = txl.f32, warps: int = 4) -> Any:
    """Arguments: a and out (rows x columns of `dtype`, f32, f16 or bf16) and the number
    of columns; computed in f32."""
    positive("warps", warps)

    def exp(value: Any) -> Any:
        """e to the power of a value."""
        result = txl.local_scalar(txl.f32)
        txl.ptx["ex2.approx.f32"](result, value * LOG2_E)
        return result

    @txl.kernel(warps=warps, grid=lambda p: p["out"].shape[0])
    def softmax(a: txl.gptr[dtype, 2], out: txl.gptr[dtype, 2], columns: txl.i32):
        reduce = BlockReduction(txl.smem_pool(), warps)
        start = txl.cast(txl.cta_id(), txl.i64) * columns
        # Finite, so that a thread without elements rescales its sum of 0 to 0.
        largest = txl.local_scalar(txl.f32, init=-3.0e38)
        total = txl.local_scalar(txl.f32, init=0.0)
        for column in txl.serial(txl.thread_id(), columns, warps * WARP):
            value = txl.local_scalar(txl.f32, load_as_f32(a.ptr_to(start + column), dtype))
            new = txl.local_scalar(txl.f32, txl.max(largest, value))
            txl.assign(total, total * exp(largest - new) + exp(value - new))
            txl.assign(largest, new)
        of_row = txl.local_scalar(txl.f32, largest)
        reduce(of_row, "max")
        txl.assign(total, total * exp(largest - of_row))
        reduce(total, "sum")
        scale = txl.local_scalar(txl.f32, 1.0 / total)
        for column in txl.serial(txl.thread_id(), columns, warps * WARP):
            value = load_as_f32(a.ptr_to(start + column), dtype)
            store_from_f32(out.ptr_to(start + column), exp(value - of_row) * scale, dtype)

    return softmax
