# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that go from lane to lane. Every lane of `mask` has to be here."""

from __future__ import annotations

from typing import Any

from tirx.lite import dtypes, ptx as ptx_module
from tirx.lite.expr import Expr, cast, reinterpret, to_expr
from tirx.lite.memory import Variable, local_scalar
from tirx.lite.trace import TraceError

_ptx = ptx_module.ptx
ALL_LANES = 0xFFFFFFFF
_WARP = 32


def _shuffle(kind: str, mask: Any, value: Any, operand: Any, width: Any, clamp: int) -> Expr:
    """One shuffle in segments of `width` lanes; narrower values travel in 32 bits."""
    if not isinstance(width, int) or width not in (1, 2, 4, 8, 16, 32):
        raise TraceError(f"width: expected a power of two from 1 to {_WARP}, got {width!r}")
    expr = to_expr(value)
    bits = expr.dtype.bits
    if bits > 32:
        raise TraceError(f"expected a value of 32 bits or less to shuffle, got {expr.dtype}")
    raw = cast(reinterpret({8: "u8", 16: "u16", 32: "u32"}[bits], expr), dtypes.u32) \
        if bits > 1 else cast(expr, dtypes.u32)
    result = local_scalar(dtypes.u32)
    segments = (_WARP - width) << 8 | clamp
    _ptx[f"shfl.sync.{kind}.b32"](result, raw, cast(to_expr(operand), dtypes.u32),
                                  dtypes.u32(segments), mask)
    if bits == 1:
        return cast(result, dtypes.bool_)
    return reinterpret(expr.dtype, cast(result, {8: "u8", 16: "u16", 32: "u32"}[bits]))


def tvm_warp_shuffle(mask: Any, value: Any, lane: Any, width: int = _WARP,
                     warp_size: int = _WARP) -> Expr:
    """The value of a lane of the segment."""
    return _shuffle("idx", mask, value, lane, width, _WARP - 1)


def tvm_warp_shuffle_up(mask: Any, value: Any, offset: Any, width: int = _WARP,
                        warp_size: int = _WARP) -> Expr:
    """The value of the lane so many below; the first ones keep their own."""
    return _shuffle("up", mask, value, offset, width, 0)


def tvm_warp_shuffle_down(mask: Any, value: Any, offset: Any, width: int = _WARP,
                          warp_size: int = _WARP) -> Expr:
    """The value of the lane so many above; the last ones keep their own."""
    return _shuffle("down", mask, value, offset, width, _WARP - 1)


def tvm_warp_shuffle_xor(mask: Any, value: Any, lanes: Any, width: int = _WARP,
                         warp_size: int = _WARP) -> Expr:
    """The value of the lane whose number differs in these bits."""
    return _shuffle("bfly", mask, value, lanes, width, _WARP - 1)


def tvm_warp_activemask() -> Variable:
    """The lanes that execute together."""
    mask = local_scalar(dtypes.u32)
    _ptx.activemask.b32(mask)
    return mask


def tvm_storage_sync(scope: str) -> None:
    """All threads of the CTA ("shared") or of the warp ("warp") wait for each other."""
    if scope == "warp":
        _ptx.bar.warp.sync(ALL_LANES)
    elif scope in ("shared", "shared.dyn"):
        _ptx.bar.sync(0)
    else:
        raise TraceError(f"expected 'shared' or 'warp', got {scope!r}")


def uniform(value: Any) -> Expr:
    """The value of lane 0 in all lanes, so that the compiler knows it to be the same."""
    return tvm_warp_shuffle(ALL_LANES, value, 0)
