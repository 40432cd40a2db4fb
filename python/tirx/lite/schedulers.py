# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tile a CTA works on next.

    tiles = txl.ClusterPersistentScheduler2D(num_m_tiles=16, num_n_tiles=16, num_clusters=132)
    tiles.init(txl.cluster_id())
    with txl.While(tiles.valid()):
        ... tiles.m_idx, tiles.n_idx ...
        tiles.next_tile()
"""

from __future__ import annotations

from typing import Any

from tirx.lite import cuda, dtypes
from tirx.lite.control import If, Then
from tirx.lite.expr import Expr, cast, compare, extreme, select, to_bool, to_expr
from tirx.lite.ids import thread_id
from tirx.lite.memory import SharedPool, Variable, local_scalar
from tirx.lite.pipelines import MBarrier
from tirx.lite.ptx import call
from tirx.lite.trace import TraceError


def _count(name: str, value: Any) -> Any:
    if isinstance(value, int) and value < 1:
        raise TraceError(f"{name}: expected a positive number, got {value}")
    if not isinstance(value, (int, Expr)):
        raise TraceError(f"{name}: expected a number, got {type(value).__name__}")
    return value


class _Persistent:
    """Tiles in a fixed order; each of `workers` takes every workers-th."""

    def __init__(self, total: Any, workers: Any) -> None:
        self.total = total
        self.workers = workers
        self.linear = local_scalar(dtypes.i32)

    def init(self, worker: Any) -> None:
        """Begins with the first tile of a worker."""
        self.linear.store(to_expr(worker, dtypes.i32))
        self._update()

    def valid(self) -> Expr:
        """Whether there is a tile."""
        return compare("lt", self.linear, self.total)

    def next_tile(self) -> None:
        self.linear.store(self.linear + self.workers)
        self._update()

    def _update(self) -> None:
        raise NotImplementedError


class ClusterPersistentScheduler2D(_Persistent):
    """Tiles of a matrix in groups of `l2_group_size` rows of tiles, which share their
    columns in L2: `m_idx` and `n_idx`."""

    def __init__(self, name: str = "", *, num_m_tiles: Any, num_n_tiles: Any, num_clusters: Any,
                 l2_group_size: int = 8) -> None:
        self.rows = _count("num_m_tiles", num_m_tiles)
        self.columns = _count("num_n_tiles", num_n_tiles)
        self.group = _count("l2_group_size", l2_group_size)
        super().__init__(self.rows * self.columns, _count("num_clusters", num_clusters))
        self.m_idx: Variable = local_scalar(dtypes.i32)
        self.n_idx: Variable = local_scalar(dtypes.i32)

    def _update(self) -> None:
        tile = self.linear
        tiles_of_group = self.columns * self.group
        first = cast(tile // tiles_of_group * self.group, dtypes.i32)
        # The last group has what is left; at least one row, so that past the end nothing
        # is divided by zero.
        rows = local_scalar(dtypes.i32, init=extreme(
            "max", extreme("min", to_expr(self.rows) - first, self.group), 1))
        inside = tile % tiles_of_group
        self.m_idx.store(first + inside % rows)
        self.n_idx.store(inside // rows)


class FlashAttentionLinearScheduler(_Persistent):
    """Blocks of rows of attention in the order of batch, head, block: `batch_idx`,
    `head_idx`, `m_idx`."""

    def __init__(self, name: str = "", *, num_batches: Any, num_heads: Any, num_m_blocks: Any,
                 num_ctas: Any) -> None:
        self.heads = _count("num_heads", num_heads)
        self.blocks = _count("num_m_blocks", num_m_blocks)
        self.batches = _count("num_batches", num_batches)
        super().__init__(self.batches * self.heads * self.blocks, _count("num_ctas", num_ctas))
        self.batch_idx: Variable = local_scalar(dtypes.i32)
        self.head_idx: Variable = local_scalar(dtypes.i32)
        self.m_idx: Variable = local_scalar(dtypes.i32)

    def _update(self) -> None:
        pair = self.linear // self.blocks
        self.m_idx.store(self.linear % self.blocks)
        self.head_idx.store(pair % self.heads)
        self.batch_idx.store(pair // self.heads)


class FlashAttentionLPTScheduler(FlashAttentionLinearScheduler):
    """Longest first, for causal attention: the last block of rows, which sees the most
    keys, of all heads and batches, then the one before it."""

    def _update(self) -> None:
        pairs = self.heads * self.batches
        pair = self.linear % pairs
        self.m_idx.store(self.blocks - 1 - self.linear // pairs)
        self.head_idx.store(pair % self.heads)
        self.batch_idx.store(pair // self.heads)


class ClusterLaunchControlScheduler:
    """The grid has a CTA for each tile; one that runs takes over those that have not
    begun: `x`, `y` and `z` are the coordinates of its tile. All threads of the CTA call
    `next_tile` together. For CTAs without a cluster (sm_100 and up).

        tiles = txl.ClusterLaunchControlScheduler(pool)
        tiles.init()
        with txl.While(tiles.valid()): ...; tiles.next_tile()
    """

    _ANSWER_BYTES = 16

    def __init__(self, pool: SharedPool) -> None:
        self.answer = pool.alloc((2,), "uint64", align=self._ANSWER_BYTES)
        self.barrier = MBarrier(pool)
        self.phase = local_scalar(dtypes.u32)
        self.going = local_scalar(dtypes.bool_)
        self.x, self.y, self.z = (local_scalar(dtypes.i32) for _ in range(3))

    def init(self) -> None:
        """Begins with the tile of the CTA itself; includes a barrier of the CTA."""
        from tirx.lite.ids import cta_id

        for own, started in zip((self.x, self.y, self.z), cta_id([1, 1, 1])):
            own.store(started)
        self.phase.store(0)
        self.going.store(True)
        self.barrier.init(1)
        call("fence.mbarrier_init.release.cluster", [])
        cuda.cta_sync()

    def valid(self) -> Expr:
        return to_bool(self.going)

    def next_tile(self) -> None:
        # Nobody reads the last answer any more when the next one is asked for.
        cuda.cta_sync()
        with If(thread_id() == 0), Then():
            call("fence.proxy.async.shared::cta", [])
            call("mbarrier.arrive.expect_tx.shared::cta.b64",
                 [self.barrier.ptr_to(0), self._ANSWER_BYTES], discard=True)
            call("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
                 ".b128", [self.answer.ptr_to(0), self.barrier.ptr_to(0)])
        self.barrier.wait(0, self.phase)
        self.phase.store(self.phase ^ 1)
        answer = local_scalar(dtypes.u128)
        call("ld.shared.b128", [answer, self.answer.ptr_to(0)])
        self.going.store(query_cancel_is_canceled(answer))
        for axis, own in zip("xyz", (self.x, self.y, self.z)):
            first = local_scalar(dtypes.u32)
            call(f"clusterlaunchcontrol.query_cancel.get_first_ctaid::{axis}.b32.b128",
                 [first, answer], pred=self.going)
            own.store(select(self.going, cast(first, dtypes.i32), own))


def query_cancel_is_canceled(answer: Any) -> Variable:
    """Whether the launch of a cluster was taken over."""
    taken = local_scalar(dtypes.bool_)
    call("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128", [taken, answer])
    return taken


def _first_ctaid(axis: str, answer: Any) -> Variable:
    first = local_scalar(dtypes.u32)
    call(f"clusterlaunchcontrol.query_cancel.get_first_ctaid::{axis}.b32.b128", [first, answer])
    return first


def query_cancel_first_ctaid_x(answer: Any) -> Variable:
    """The first CTA of the cluster that was taken over; only where one was."""
    return _first_ctaid("x", answer)


def query_cancel_first_ctaid_y(answer: Any) -> Variable:
    return _first_ctaid("y", answer)


def query_cancel_first_ctaid_z(answer: Any) -> Variable:
    return _first_ctaid("z", answer)
