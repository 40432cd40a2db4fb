# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mbarriers, pipelines and their states.

A pipeline of N stages has two barriers for each stage: `full`, which the producer
completes, and `empty`, which the consumer does. Each side keeps a `PipelineState`,
whose parity says which use of a stage it is at. A consumer starts at phase 0, a
producer at phase 1, because a wait for parity 1 passes on a fresh barrier.
"""

from __future__ import annotations

from typing import Any, Callable

from tirx.lite import cuda, dtypes
from tirx.lite.control import If, Then
from tirx.lite.expr import Expr, cast, to_expr
from tirx.lite.ids import thread_id
from tirx.lite.memory import Pointer, SharedPool, SharedTile, local_scalar
from tirx.lite.ptx import call
from tirx.lite.trace import TraceError

_MAX_COUNT = (1 << 20) - 1


class MBarrier:
    """`depth` mbarriers in shared memory, one for each stage.

    `leader` says which threads initialise them: true for all that reach `init`, by
    default thread 0 of the CTA. `phase_offset` is added to the parity of each wait."""

    def __init__(self, pool: SharedPool, depth: int = 1, phase_offset: int = 0,
                 leader: Any = None) -> None:
        if not isinstance(depth, int) or depth < 1:
            raise TraceError(f"expected a positive number of barriers, got {depth!r}")
        self.buf: SharedTile = pool.alloc((depth,), "uint64", align=8)
        self.depth = depth
        self.phase_offset = phase_offset
        self.leader = leader

    def ptr_to(self, stage: Any) -> Pointer:
        return self.buf.ptr_to(stage[0] if isinstance(stage, (list, tuple)) else stage)

    def init(self, count: Any) -> None:
        """Sets the arrivals that complete a phase, for all stages. A fence and a barrier
        of the CTA (or cluster) publish it."""
        if isinstance(count, int) and not 1 <= count <= _MAX_COUNT:
            raise TraceError(f"expected 1 to {_MAX_COUNT} arrivals, got {count}")
        leader = thread_id() == 0 if self.leader is None else self.leader
        if leader is True:
            self._init_all(count)
            return
        with If(leader), Then():
            self._init_all(count)

    def _init_all(self, count: Any) -> None:
        for stage in range(self.depth):
            call("mbarrier.init.shared::cta.b64", [self.ptr_to(stage), count])

    def wait(self, stage: Any, phase: Any) -> None:
        """Waits until the phase of parity `phase` has completed."""
        parity = to_expr(phase, dtypes.u32)
        if self.phase_offset:
            parity = parity ^ self.phase_offset
        cuda.mbarrier_wait(self.ptr_to(stage), cast(parity, dtypes.u32))

    def arrive(self, stage: Any, count: Any = None, pred: Any = None) -> None:
        """One arrival, or `count`."""
        values = [self.ptr_to(stage)] + ([] if count is None else [to_expr(count, dtypes.u32)])
        call("mbarrier.arrive.shared::cta.b64", values, pred, discard=True)

    def remote_view(self, rank: Any) -> "RemoteBarrier":
        """The barriers at the same place in the CTA of that rank of the cluster."""
        return RemoteBarrier(self, rank)


class TMABar(MBarrier):
    """Barriers that copies complete: an arrival may announce their bytes."""

    def arrive(self, stage: Any, tx_count: Any = None, pred: Any = None) -> None:
        """One arrival that expects `tx_count` bytes of copies."""
        if tx_count is None:
            super().arrive(stage, pred=pred)
            return
        call("mbarrier.arrive.expect_tx.shared::cta.b64",
             [self.ptr_to(stage), to_expr(tx_count, dtypes.u32)], pred, discard=True)


class TCGen05Bar(MBarrier):
    """Barriers that complete when the tensor core is done with what was issued."""

    def arrive(self, stage: Any, cta_group: int = 1,  # type: ignore[override]
               cta_mask: Any = None, pred: Any = None) -> None:
        """One arrival after all earlier MMAs of this thread, in each CTA of `cta_mask`."""
        name = f"tcgen05.commit.cta_group::{cta_group}.mbarrier::arrive::one.shared::cluster"
        if cta_mask is None:
            call(f"{name}.b64", [self.ptr_to(stage)], pred)
        else:
            mask = cast(to_expr(cta_mask, dtypes.u16), dtypes.u16)
            call(f"{name}.multicast::cluster.b64", [self.ptr_to(stage), mask], pred)


class RemoteBarrier:
    """Barriers of another CTA of the cluster: they can only be arrived at."""

    def __init__(self, local: MBarrier, rank: Any) -> None:
        self.local = local
        self.rank = rank

    def _address(self, stage: Any) -> Expr:
        address = local_scalar(dtypes.u32)
        call("mapa.shared::cluster.u32",
             [address, self.local.ptr_to(stage).as_expr(), to_expr(self.rank, dtypes.u32)])
        return address

    def arrive(self, stage: Any, tx_count: Any = None, pred: Any = None) -> None:
        """One arrival, released to the cluster; it may expect bytes."""
        if tx_count is None:
            call("mbarrier.arrive.release.cluster.shared::cluster.b64", [self._address(stage)],
                 pred, discard=True)
        else:
            call("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64",
                 [self._address(stage), to_expr(tx_count, dtypes.u32)], pred, discard=True)


_KINDS: dict[str, Callable[..., MBarrier]] = {
    "mbar": MBarrier, "tma": TMABar, "tcgen05": TCGen05Bar}


def _kind(kind: str, which: str) -> Callable[..., MBarrier]:
    if kind not in _KINDS:
        raise TraceError(f"{which}: expected one of {', '.join(map(repr, _KINDS))}, got {kind!r}")
    return _KINDS[kind]


class Pipeline:
    """Barriers of a ring of stages, already initialised: `full` and `empty`."""

    def __init__(self, pool: SharedPool, stages: int, *, full: str, empty: str,
                 init_full: Any = 1, init_empty: Any = 1, empty_phase_offset: int = 0,
                 leader: Any = None) -> None:
        self.stages = stages
        self.full = _kind(full, "full")(pool, stages, leader=leader)
        self.empty = _kind(empty, "empty")(pool, stages, phase_offset=empty_phase_offset,
                                           leader=leader)
        self.full.init(init_full)
        self.empty.init(init_empty)


class PipelineState:
    """Where one side of a pipeline is: `stage` in the ring, and the parity `phase`."""

    def __init__(self, depth: int, phase: Any = 0) -> None:
        if not isinstance(depth, int) or depth < 1:
            raise TraceError(f"expected a positive number of stages, got {depth!r}")
        self.depth = depth
        self.stage: Any = local_scalar(dtypes.i32, init=0) if depth > 1 else 0
        self.phase = local_scalar(dtypes.i32, init=phase)

    def init(self, phase: Any) -> None:
        """Back to stage 0, at a phase."""
        if self.depth > 1:
            self.stage.store(0)
        self.phase.store(phase)

    def advance(self) -> None:
        """To the next stage; the parity flips after the last one."""
        if self.depth == 1:
            self.phase.store(self.phase ^ 1)
            return
        self.stage.store(self.stage + 1)
        with If(self.stage == self.depth), Then():
            self.stage.store(0)
            self.phase.store(self.phase ^ 1)


class RingState(PipelineState):
    """A `PipelineState` that counts uses, too: `index` of the whole run."""

    def __init__(self, depth: int, phase: Any = 0) -> None:
        super().__init__(depth, phase)
        self.index = local_scalar(dtypes.i32, init=0)

    def init(self, phase: Any) -> None:
        super().init(phase)
        self.index.store(0)

    def advance(self) -> None:
        super().advance()
        self.index.store(self.index + 1)
