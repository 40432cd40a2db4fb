# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common sequences of instructions."""

from __future__ import annotations

from typing import Any

from tirx.lite import dtypes
from tirx.lite.control import If, Then
from tirx.lite.expr import Expr, cast, reinterpret, select, to_bool, to_expr
from tirx.lite.ids import lane_id
from tirx.lite.memory import SharedTile, Variable, local_scalar
from tirx.lite.ptx import call
from tirx.lite.trace import TraceError
from tirx.lite.warp import ALL_LANES, tvm_warp_shuffle_up

# Elements of K that one MMA takes, in bytes of a row.
_STEP_BYTES = 32


def mma_chain(mma: str, d: Any, *, a: Any, b: Any, idesc: Any, pred: Any = None,
              accumulate: Any = False, guard: str = "pred", k_range: Any = None) -> None:
    """One MMA for each step of K over whole tiles.

    `mma` is the instruction's text, `d` the accumulator's address, `a` and `b` K-major
    tiles in shared memory, `idesc` the instruction descriptor. The first MMA adds to
    `d` if `accumulate` holds (a bool, or a value of the kernel), the others always do.
    `pred` issues them in some threads only: by a predicate on each (`guard="pred"`) or
    by a branch around all (`guard="if"`). `k_range` chooses steps."""
    if guard not in ("pred", "if"):
        raise TraceError(f"guard: expected 'pred' or 'if', got {guard!r}")
    steps = list(_steps(a, b) if k_range is None else k_range)
    if pred is not None and guard == "if":
        with If(pred), Then():
            _issue(mma, d, a, b, idesc, None, accumulate, steps)
    else:
        _issue(mma, d, a, b, idesc, pred, accumulate, steps)


def _steps(a: Any, b: Any) -> range:
    counts = set()
    for name, tile in (("a", a), ("b", b)):
        if not isinstance(tile, SharedTile) or len(tile.shape) != 2:
            raise TraceError(f"{name}: expected a tile of two dimensions in shared memory")
        counts.add(tile.shape[1] * tile.dtype.bits // 8 // _STEP_BYTES)
    if len(counts) != 1:
        raise TraceError(f"expected a and b of one K, got {a.shape[1]} and {b.shape[1]}")
    return range(counts.pop())


def _issue(mma: str, d: Any, a: SharedTile, b: SharedTile, idesc: Any, pred: Any,
           accumulate: Any, steps: list[int]) -> None:
    descriptor = to_expr(idesc, dtypes.u32)
    for number, step in enumerate(steps):
        adds: Expr = to_bool(accumulate) if number == 0 else to_bool(True)
        call(mma, [d, a.descriptor(1, step), b.descriptor(1, step), descriptor, adds], pred)


def warp_scan_add(value: Any) -> Variable:
    """The sum of the values of this lane and those below it, over the whole warp."""
    expr = to_expr(value)
    total = local_scalar(expr.dtype, init=expr)
    lane = lane_id()
    for distance in (1, 2, 4, 8, 16):
        below = tvm_warp_shuffle_up(ALL_LANES, total, distance)
        total.store(select(lane >= distance, total + below, total))
    return total


def cast_f16x2_to_f32x2(pair: Any) -> tuple[Variable, Variable]:
    """Two f16 in 32 bits as two floats, the low half first."""
    bits = to_expr(pair, dtypes.u32)
    halves = (reinterpret(dtypes.f16, cast(part, dtypes.u16)) for part in (bits, bits >> 16))
    low, high = (local_scalar(dtypes.f32, init=cast(half, dtypes.f32)) for half in halves)
    return low, high


def sigmoid_tanh_approx_f32(value: Any) -> Variable:
    """1 / (1 + exp(-x)) as 0.5 tanh(x / 2) + 0.5: one approximation, no division."""
    half = local_scalar(dtypes.f32, init=to_expr(value, dtypes.f32) * 0.5)
    result = local_scalar(dtypes.f32)
    call("tanh.approx.f32", [result, half])
    result.store(result * 0.5 + 0.5)
    return result
