# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sum, largest or smallest element of each row, one CTA a row."""

from typing import Any

from tirx import lite as txl
from tirx.kernels.common import (
    WARP, BlockReduction, combine, identity, load_as_f32, positive,
)


def reduction(dtype: Any = txl.f32, op: str = "sum", warps: int = 4) -> Any:
    """Arguments: a (rows x columns of `dtype`, f32, f16 or bf16), out (rows of f32) and
    the number of columns. `op`: "sum", "max" or "min"; added up in f32."""
    positive("warps", warps)
    if op not in ("sum", "max", "min"):
        raise ValueError(f"op: expected 'sum', 'max' or 'min', got {op!r}")

    @txl.kernel(warps=warps, grid=lambda p: p["out"].shape[0])
    def reduction(a: txl.gptr[dtype, 2], out: txl.gptr[txl.f32], columns: txl.i32):
        reduce = BlockReduction(txl.smem_pool(), warps)
        row = txl.cta_id()
        start = txl.cast(row, txl.i64) * columns
        total = txl.local_scalar(txl.f32, init=identity(op))
        for column in txl.serial(txl.thread_id(), columns, warps * WARP):
            value = load_as_f32(a.ptr_to(start + column), dtype)
            txl.assign(total, combine(op, total, value))
        reduce(total, op)
        with txl.If(txl.thread_id() == 0), txl.Then():
            txl.ptx.st.global_.f32(out.ptr_to(row), total)

    return reduction
