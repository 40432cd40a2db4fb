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


def mma_chain(mma: str, d: Any, *, a: Any, b: Any, idesc: Any = None, pred: Any = None,
              accumulate: Any = False, guard: str = "pred", k_range: Any = None,
              a_major: str = "K", b_major: str = "K") -> None:
    """One MMA for each step of K over whole tiles, by tcgen05 or wgmma.

    `mma` is the instruction's text, `d` the accumulator (an address of tensor memory, or
    registers for wgmma), `a` and `b` tiles in shared memory, `idesc` the instruction
    descriptor of tcgen05. The first MMA adds to `d` if `accumulate` holds (a bool, or a
    value of the kernel), the others always do. `pred` issues them in some threads only: by
    a predicate on each (`guard="pred"`) or by a branch around all (`guard="if"`).
    `k_range` chooses steps. `a_major`, `b_major`: "K" for tiles whose rows run along K,
    "MN" for those with a row for each element of K."""
    if guard not in ("pred", "if"):
        raise TraceError(f"guard: expected 'pred' or 'if', got {guard!r}")
    majors = (a_major, b_major)
    counts = [_steps(name, tile, major) for name, tile, major in zip("ab", (a, b), majors)]
    if counts[0] != counts[1]:
        raise TraceError(f"expected a and b of one K, got {counts[0]} and {counts[1]} steps of "
                         f"{_STEP_BYTES} bytes")
    steps = list(range(counts[0]) if k_range is None else k_range)
    if mma.startswith("wgmma."):
        if pred is not None or idesc is not None:
            given = "pred" if pred is not None else "idesc"
            raise TraceError(f"{given}: expected none for wgmma, which all threads of a warpgroup "
                             "issue and whose text says all")
        _issue_wgmma(mma, d, (a, b), majors, accumulate, steps)
    elif idesc is None:
        raise TraceError("idesc: expected the instruction descriptor of tcgen05.mma, got none")
    elif pred is not None and guard == "if":
        with If(pred), Then():
            _issue(mma, d, (a, b), majors, idesc, None, accumulate, steps)
    else:
        _issue(mma, d, (a, b), majors, idesc, pred, accumulate, steps)


def _steps(name: str, tile: Any, major: str) -> int:
    """MMAs along K."""
    if not isinstance(tile, SharedTile) or len(tile.shape) != 2:
        raise TraceError(f"{name}: expected a tile of two dimensions in shared memory")
    if major not in ("K", "MN"):
        raise TraceError(f"{name}_major: expected 'K' or 'MN', got {major!r}")
    extent = tile.shape[1] if major == "K" else tile.shape[0]
    return extent * tile.dtype.bits // 8 // _STEP_BYTES


def _adds(number: int, accumulate: Any) -> Expr:
    return to_bool(accumulate) if number == 0 else to_bool(True)


def _issue(mma: str, d: Any, tiles: tuple[SharedTile, SharedTile], majors: tuple[str, str],
           idesc: Any, pred: Any, accumulate: Any, steps: list[int]) -> None:
    descriptor = to_expr(idesc, dtypes.u32)
    for number, step in enumerate(steps):
        operands = [t.mma_desc(major, step) for t, major in zip(tiles, majors)]
        call(mma, [d, *operands, descriptor, _adds(number, accumulate)], pred)


def _issue_wgmma(mma: str, d: Any, tiles: tuple[SharedTile, SharedTile],
                 majors: tuple[str, str], accumulate: Any, steps: list[int]) -> None:
    signs = [1, 1]
    transposes = [int(major == "MN") for major in majors]
    if tiles[0].dtype.bits != 16:
        if any(transposes):
            raise TraceError("expected tiles with rows along K: wgmma takes others of 16-bit types "
                             f"only, got {tiles[0].dtype}")
        transposes = []
        if tiles[0].dtype.is_integer:
            signs = []
    for number, step in enumerate(steps):
        operands = [t.mma_desc(major, step, wgmma=True) for t, major in zip(tiles, majors)]
        call(mma, [d, *operands, _adds(number, accumulate), *signs, *transposes])


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
