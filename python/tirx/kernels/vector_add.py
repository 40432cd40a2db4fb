# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""out = a + b, 16 bytes a thread at a time."""

from typing import Any

from tirx import lite as txl
from tirx.kernels.common import WARP, positive

_BYTES = 16


def vector_add(dtype: Any = txl.f32, warps: int = 4) -> Any:
    """Arguments: a, b, out (flat arrays of `dtype`, f32, f16 or bf16) and their length."""
    positive("warps", warps)
    width = _BYTES // dtype.bytes
    tile = warps * WARP * width

    @txl.kernel(warps=warps, grid=lambda p: max(1, -(-int(p["n"]) // tile)))
    def vector_add(a: txl.gptr[dtype], b: txl.gptr[dtype], out: txl.gptr[dtype], n: txl.i32):
        first = txl.cta_id() * tile + txl.thread_id() * width
        x, y = (txl.alloc_local([4], "uint32") for _ in range(2))
        with txl.If(first + width <= n):
            with txl.Then():
                txl.ptx.ld.global_.v4.b32(x, a.ptr_to(first))
                txl.ptx.ld.global_.v4.b32(y, b.ptr_to(first))
                add = {"f32": "add.f32", "f16": "add.f16x2", "bf16": "fma.rn.bf16x2"}[dtype.name]
                for i in range(4):
                    if dtype.bits == 32:
                        total = txl.local_scalar(dtype)
                        txl.ptx[add](total, txl.cuda.uint_as_float(x[i]), txl.cuda.uint_as_float(y[i]))
                        txl.assign(x[i], txl.cuda.float_as_uint(total))
                    elif dtype.name == "bf16":  # 1 x + y: sm_80 has no add
                        txl.ptx[add](x[i], x[i], txl.uint32(0x3F803F80), y[i])
                    else:
                        txl.ptx[add](x[i], x[i], y[i])
                txl.ptx.st.global_.v4.b32(out.ptr_to(first), x)
            with txl.Else():  # the last thread's part
                for i in txl.serial(first, n):
                    left, right = (txl.local_scalar(dtype) for _ in range(2))
                    txl.ptx[f"ld.global.b{dtype.bits}"](left, a.ptr_to(i))
                    txl.ptx[f"ld.global.b{dtype.bits}"](right, b.ptr_to(i))
                    txl.assign(left, left + right)
                    txl.ptx[f"st.global.b{dtype.bits}"](out.ptr_to(i), left)

    return vector_add
