# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coordinates of the executing thread, which also say how a kernel is launched.

`bx, by = T.cta_id([nx, ny])` is a grid of nx times ny CTAs; `T.warpgroup_id([n])`,
`T.warp_id([n])` and `T.thread_id([n])` say how many threads a CTA has.
"""

from __future__ import annotations

from typing import Any

from tirx.lite import ids
from tirx.lite.expr import Expr
from tirx.lite.trace import TraceError, current
from tirx.script.targets import require

_MAX_THREADS = 1024
_MAX_CLUSTER = 16


class LaunchShape:
    """What the ids of a kernel say of its launch."""

    def __init__(self) -> None:
        self.grid: list[Any] | None = None
        self.cluster: list[int] | None = None
        self.threads: int | None = None
        self.threads_by = ""

    def set_threads(self, what: str, count: int) -> None:
        if not 1 <= count <= _MAX_THREADS:
            raise TraceError(f"{what}: expected 1 to {_MAX_THREADS} threads of a CTA, got {count}")
        if self.threads not in (None, count):
            raise TraceError(f"{what}: expected {self.threads} threads of a CTA as {self.threads_by} "
                             f"says, got {count}")
        self.threads, self.threads_by = count, what


def launch_shape() -> LaunchShape:
    trace: Any = current()
    if not hasattr(trace, "launch_shape"):
        trace.launch_shape = LaunchShape()
    found: LaunchShape = trace.launch_shape
    return found


def _extents(what: str, extents: Any, most: int = 3) -> list[int] | None:
    if extents is None:
        return None
    values = list(extents) if isinstance(extents, (list, tuple)) else [extents]
    if not 1 <= len(values) <= most or any(
            isinstance(v, bool) or not isinstance(v, int) or v < 1 for v in values):
        shown = ["a run-time value" if isinstance(v, Expr) else v for v in values]
        raise TraceError(f"{what}: expected {'one' if most == 1 else f'1 to {most}'} positive "
                         f"integers that are known while the kernel is compiled, got {shown}")
    return values


def _threads(what: str, extents: Any, unit: int) -> Expr:
    values = _extents(what, extents, 1)
    if values is not None:
        launch_shape().set_threads(f"T.{what}", values[0] * unit)
    return getattr(ids, what)()  # type: ignore[no-any-return]


def _part(what: str, extents: Any, size: int) -> Expr:
    values = _extents(what, extents, 1)
    if values is not None and values[0] != size:
        raise TraceError(f"T.{what}: expected [{size}], got {values}")
    return getattr(ids, what)()  # type: ignore[no-any-return]


def thread_id(extents: Any = None) -> Expr:
    """The thread in its CTA; `[n]` says how many there are."""
    return _threads("thread_id", extents, 1)


def warp_id(extents: Any = None) -> Expr:
    """The warp in its CTA; `[n]` says how many there are."""
    return _threads("warp_id", extents, 32)


def warpgroup_id(extents: Any = None) -> Expr:
    """The warpgroup in its CTA; `[n]` says how many there are."""
    return _threads("warpgroup_id", extents, 128)


def lane_id(extents: Any = None) -> Expr:
    """The thread in its warp, 0 to 31."""
    return _part("lane_id", extents, 32)


def warp_id_in_wg(extents: Any = None) -> Expr:
    """The warp in its warpgroup, 0 to 3."""
    return _part("warp_id_in_wg", extents, 4)


def thread_id_in_wg(extents: Any = None) -> Expr:
    """The thread in its warpgroup, 0 to 127."""
    return _part("thread_id_in_wg", extents, 128)


def _set_grid(what: str, values: list[int]) -> None:
    launch = launch_shape()
    if launch.grid not in (None, values):
        raise TraceError(f"T.{what}: expected the grid {launch.grid}, got {values}")
    launch.grid = list(values)


def cta_id(extents: Any = None) -> Any:
    """The CTA in the grid: `bx, by = T.cta_id([nx, ny])`."""
    values = _extents("cta_id", extents)
    if values is not None:
        _set_grid("cta_id", values)
    return ids.cta_id(values)


def cluster_id(extents: Any = None) -> Any:
    """The cluster in the grid; `[n]` says how many there are, after cta_id_in_cluster."""
    require("cluster")
    values = _extents("cluster_id", extents)
    if values is not None:
        shape = launch_shape().cluster
        if shape is None:
            raise TraceError("T.cluster_id: expected T.cta_id_in_cluster([n]) before it")
        shape = shape + [1] * (len(values) - len(shape))
        _set_grid("cluster_id", [v * s for v, s in zip(values, shape)])
    return ids.cluster_id(values)


def cta_id_in_cluster(extents: Any = None) -> Expr:
    """The rank of the CTA in its cluster; `[n]` says how many CTAs a cluster has."""
    require("cluster")
    values = _extents("cta_id_in_cluster", extents)
    if values is not None:
        count = 1
        for value in values:
            count *= value
        if count > _MAX_CLUSTER:
            raise TraceError(f"T.cta_id_in_cluster: expected at most {_MAX_CLUSTER} CTAs, got "
                             f"{count}")
        launch_shape().cluster = values
    return ids.cta_id_in_cluster()
