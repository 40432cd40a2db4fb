# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coordinates of the executing thread."""

from __future__ import annotations

from typing import Any

from tirx.lite import dtypes
from tirx.lite.expr import Expr
from tirx.lite.trace import TraceError, current


def _coordinate(kind: str) -> Expr:
    """An id as an int32; each is read once, at the head of the kernel."""
    trace = current()
    key = ("id", kind)
    found = trace.regions[0].values.get(key)
    if found is None:
        index = trace.head_result(f"tirx.id {kind}")
        found = trace.head_result(f"arith.index_cast {index} : index to i32")
        trace.regions[0].values[key] = found
    name: str = found
    return Expr(dtypes.i32, lambda _: name, nonnegative=True)


def thread_id() -> Expr:
    """The thread in its CTA."""
    return _coordinate("thread_id")


def lane_id() -> Expr:
    """The thread in its warp, 0 to 31."""
    return _coordinate("lane_id")


def warp_id() -> Expr:
    """The warp in its CTA; the same value in all lanes."""
    return _coordinate("warp_id")


def warp_id_in_wg() -> Expr:
    """The warp in its warpgroup, 0 to 3."""
    return _coordinate("warp_id_in_wg")


def warpgroup_id() -> Expr:
    return _coordinate("warpgroup_id")


def thread_id_in_wg() -> Expr:
    """The thread in its warpgroup, 0 to 127."""
    return _coordinate("thread_id_in_wg")


def _grid(kind: str, extents: Any) -> Any:
    """One coordinate, or one for each extent of a list."""
    if extents is None:
        return _coordinate(f"{kind}_x")
    if not isinstance(extents, (list, tuple)) or not 1 <= len(extents) <= 3:
        raise TraceError(f"{kind}: expected a list of one to three extents, got {extents!r}")
    axes = [_coordinate(f"{kind}_{axis}") for axis in "xyz"[: len(extents)]]
    return axes[0] if len(axes) == 1 else tuple(axes)


def cta_id(extents: Any = None) -> Any:
    """The CTA in the grid: `cta_id()`, or `x, y = cta_id([nx, ny])`."""
    return _grid("cta_id", extents)


def cluster_id(extents: Any = None) -> Any:
    """The cluster in the grid."""
    return _grid("cluster_id", extents)


def cta_id_in_cluster(extents: Any = None) -> Expr:
    """The rank of the CTA in its cluster."""
    return _coordinate("cta_id_in_cluster")
