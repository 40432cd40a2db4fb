# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What several kernels are made of."""

from __future__ import annotations

from typing import Any

from tirx import lite as txl

WARP = 32
LOG2_E = 1.4426950408889634


def combine(op: str, a: Any, b: Any) -> Any:
    """a op b, for "sum", "max" and "min"."""
    if op == "sum":
        return a + b
    return txl.max(a, b) if op == "max" else txl.min(a, b)


def identity(op: str) -> float:
    """What changes nothing."""
    return {"sum": 0.0, "max": float("-inf"), "min": float("inf")}[op]


def warp_reduce(value: Any, op: str, width: int = WARP) -> None:
    """Leaves the result over `width` neighbouring lanes in the f32 variable of each."""
    other = txl.local_scalar(txl.f32)
    distance = width // 2
    while distance:
        txl.ptx["shfl.sync.bfly.b32"](other, value, distance, WARP - 1, 0xFFFFFFFF)
        txl.assign(value, combine(op, value, other))
        distance //= 2


class BlockReduction:
    """Reductions over the CTA, one after the other: warps by shuffles, then the warps'
    results through shared memory."""

    def __init__(self, pool: Any, warps: int) -> None:
        self.warps = warps
        self.slots = pool.alloc((warps,), "float32")

    def __call__(self, value: Any, op: str) -> None:
        """Leaves the result in the f32 variable of every thread."""
        warp_reduce(value, op)
        if self.warps == 1:
            return
        txl.cuda.cta_sync()  # the slots may still be read for an earlier reduction
        with txl.If(txl.lane_id() == 0), txl.Then():
            txl.ptx.st.shared.f32(self.slots.ptr_to(txl.warp_id()), value)
        txl.cuda.cta_sync()
        partial = txl.local_scalar(txl.f32)
        txl.assign(value, identity(op))
        for warp in range(self.warps):
            txl.ptx.ld.shared.f32(partial, self.slots.ptr_to(warp))
            txl.assign(value, combine(op, value, partial))


def load_as_f32(pointer: Any, dtype: Any) -> Any:
    """An element of global memory in f32."""
    element = txl.local_scalar(dtype)
    txl.ptx[f"ld.global.b{dtype.bits}"](element, pointer)
    return txl.cast(element, txl.f32)


def store_from_f32(pointer: Any, value: Any, dtype: Any) -> None:
    element = txl.local_scalar(dtype)
    txl.assign(element, txl.cast(value, dtype))
    txl.ptx[f"st.global.b{dtype.bits}"](pointer, element)


def positive(name: str, value: Any, step: int = 1) -> int:
    """A parameter of a kernel's factory, checked."""
    if not isinstance(value, int) or value < 1 or value % step:
        kind = "a positive integer" if step == 1 else f"a positive multiple of {step}"
        raise ValueError(f"{name}: expected {kind}, got {value!r}")
    return value
