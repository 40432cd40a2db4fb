# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`T.ptx` and `T.cuda`: the instructions of `tirx.lite`, and for what synchronises and
allocates the ops of the dialect, which the compiler checks and completes with fences.
"""

from __future__ import annotations

from typing import Any, Callable

from tirx.lite import cuda as lite_cuda, dtypes
from tirx.lite.expr import Expr, cast, index_name, name_of, to_expr
from tirx.lite.ptx import Instructions, Path, _modifier
from tirx.lite.trace import TraceError, current
from tirx.script.buffers import Buffer, barrier_place, tmem_slot
from tirx.script.targets import require

_FENCES = {"shared::cta": "proxy_async_shared", "shared": "proxy_async_shared",
           "global": "proxy_async_global", "": "proxy_async"}


def _place(buffer: Buffer, index: Any) -> str:
    return f"{buffer.name}[{index_name(index)}]"


def _positive(what: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        got = "a value of the running kernel" if isinstance(value, Expr) else repr(value)
        raise TraceError(f"{what}: expected a positive integer that is known while the kernel is "
                         f"compiled, got {got}")
    return value


def _group(cta_group: Any) -> str:
    if cta_group not in (1, 2):
        raise TraceError(f"cta_group: expected 1 or 2, got {cta_group!r}")
    return " cta_group(2)" if cta_group == 2 else ""


def _i32(value: Any) -> str:
    return name_of(cast(to_expr(value, None if isinstance(value, Expr) else dtypes.i32),
                        dtypes.i32))


# --- mbarriers -----------------------------------------------------------------------


def mbarrier_init(barrier: Any, count: Any = 1) -> None:
    buffer, index = barrier_place("mbarrier.init", barrier)
    require("mbarrier")
    current().emit(f"tirx.mbarrier_init {_place(buffer, index)} "
                   f"count({_positive('count', count)}) : {buffer.type}")


def mbarrier_wait(barrier: Any, parity: Any) -> None:
    buffer, index = barrier_place("mbarrier.try_wait", barrier)
    require("mbarrier_wait")
    current().emit(f"tirx.mbarrier_wait {_place(buffer, index)} parity({_i32(parity)}) : "
                   f"{buffer.type}")
    current().epoch += 1


def mbarrier_arrive(barrier: Any, expect_tx: Any = None, cta: Any = None) -> None:
    buffer, index = barrier_place("mbarrier.arrive", barrier)
    require("mbarrier_wait" if expect_tx is not None else "mbarrier")
    options = ""
    if expect_tx is not None:
        options += f" expect_tx({_i32(expect_tx)})"
    if cta is not None:
        require("cluster")
        options += f" cta({_i32(cta)})"
    current().emit(f"tirx.mbarrier_arrive {_place(buffer, index)}{options} : {buffer.type}")


def commit(barrier: Any, cta_group: int = 1) -> None:
    buffer, index = barrier_place("tcgen05.commit", barrier)
    require("tcgen05")
    current().emit(f"tirx.commit {_place(buffer, index)}{_group(cta_group)} : {buffer.type}")


# --- Tensor memory -------------------------------------------------------------------


def _columns(op: str, slot: Any, n_cols: Any, cta_group: int) -> None:
    buffer, index = tmem_slot(op, slot)
    require("tcgen05")
    current().emit(f"tirx.{op} {_place(buffer, index)} columns({_positive('n_cols', n_cols)})"
                   f"{_group(cta_group)} : {buffer.type}")


def tmem_alloc(slot: Any, n_cols: Any, cta_group: int = 1) -> None:
    _columns("tmem_alloc", slot, n_cols, cta_group)
    current().epoch += 1


def tmem_dealloc(slot: Any, n_cols: Any, cta_group: int = 1) -> None:
    _columns("tmem_dealloc", slot, n_cols, cta_group)


def tmem_relinquish(cta_group: int = 1) -> None:
    require("tcgen05")
    current().emit(f"tirx.tmem_relinquish{_group(cta_group)}")


# --- Fences, waits and groups --------------------------------------------------------


def _emits(text: str, feature: str) -> Callable[[], None]:
    def emit() -> None:
        require(feature)
        current().emit(text)
        current().epoch += 1

    return emit


def fence_proxy_async(space: str = "") -> None:
    kind = _FENCES.get(space)
    if kind is None:
        raise TraceError("fence.proxy_async: expected \"shared::cta\", \"global\" or \"\", got "
                         f"{space!r}")
    require("bulk")
    current().emit(f"tirx.fence {kind}")


def _wait_group(kind: str, feature: str) -> Callable[..., None]:
    def wait(pending: int = 0, read: bool = False) -> None:
        if isinstance(pending, bool) or not isinstance(pending, int) or pending < 0:
            raise TraceError("wait_group: expected a number of groups that may be pending, got "
                             f"{pending!r}")
        require(feature)
        current().emit(f"tirx.wait_group {kind} pending({pending}){' read' if read else ''}")
        current().epoch += 1

    return wait


def elect_sync() -> Expr:
    """True in one lane of the warp, which takes part as a whole."""
    require("elect")
    name = current().result("tirx.elect")
    return Expr(dtypes.bool_, lambda _: name)


TILE_LEVEL: dict[str, Callable[..., Any]] = {
    "mbarrier.init": mbarrier_init,
    "mbarrier.try_wait": mbarrier_wait,
    "mbarrier.wait": mbarrier_wait,
    "mbarrier.arrive": mbarrier_arrive,
    "mbarrier.arrive.expect_tx": mbarrier_arrive,
    "tcgen05.alloc": tmem_alloc,
    "tcgen05.dealloc": tmem_dealloc,
    "tcgen05.relinquish_alloc_permit": tmem_relinquish,
    "tcgen05.commit": commit,
    "tcgen05.wait.ld": _emits("tirx.wait tcgen05_ld", "tcgen05"),
    "tcgen05.wait.st": _emits("tirx.wait tcgen05_st", "tcgen05"),
    "tcgen05.fence.before_thread_sync": _emits("tirx.fence tcgen05_before", "tcgen05"),
    "tcgen05.fence.after_thread_sync": _emits("tirx.fence tcgen05_after", "tcgen05"),
    "fence.proxy_async": fence_proxy_async,
    "fence.mbarrier_init": _emits("tirx.fence mbarrier_init", "bulk"),
    "cp_async.commit_group": _emits("tirx.commit_group cp_async", "cp_async"),
    "cp_async.wait_group": _wait_group("cp_async", "cp_async"),
    "cp_async.bulk.commit_group": _emits("tirx.commit_group bulk", "bulk"),
    "cp_async.bulk.wait_group": _wait_group("bulk", "bulk"),
    "wgmma.commit_group": _emits("tirx.commit_group wgmma", "wgmma"),
    "wgmma.wait_group": _wait_group("wgmma", "wgmma"),
    "elect_sync": elect_sync,
}


class TilePath(Path):
    """A part of an instruction's name; the names above stand for ops of the dialect."""

    def __getattr__(self, name: str) -> "TilePath":
        if name.startswith("__"):
            raise AttributeError(name)
        part = self.__dict__[name] = TilePath(f"{self._text}.{_modifier(name)}")
        return part

    def __call__(self, *values: Any, pred: Any = None, **options: Any) -> Any:
        function = TILE_LEVEL.get(self._text)
        if function is not None and pred is None:
            return function(*values, **options)
        if options:
            raise TraceError(f"{self._text}: expected no option '{next(iter(options))}': an "
                             "instruction has its modifiers in its name")
        return super().__call__(*values, pred=pred)

    def __repr__(self) -> str:
        return f"T.ptx[{self._text!r}]"


class TileInstructions(Instructions):
    """The root of all names."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        part = self.__dict__[name] = TilePath(_modifier(name))
        return part

    def __getitem__(self, text: str) -> Path:
        return Path(text)


ptx = TileInstructions()


class Cuda:
    """What CUDA C++ has functions for."""

    @staticmethod
    def cta_sync() -> None:
        """All threads of the CTA wait for each other."""
        _emit_barrier("cta")

    @staticmethod
    def warp_sync() -> None:
        """The lanes of the warp wait for each other."""
        _emit_barrier("warp")

    @staticmethod
    def warpgroup_sync(barrier: int) -> None:
        """The warpgroup's threads wait for each other at hardware barrier 1 to 15."""
        if not isinstance(barrier, int) or not 1 <= barrier <= 15:
            raise TraceError(f"warpgroup_sync: expected a barrier of 1 to 15, got {barrier!r}")
        _emit_barrier(f"warpgroup id({barrier})")

    @staticmethod
    def cluster_sync() -> None:
        """All threads of the cluster wait for each other."""
        require("cluster")
        _emit_barrier("cluster")

    def __getattr__(self, name: str) -> Any:
        return getattr(lite_cuda, name)


def _emit_barrier(scope: str) -> None:
    current().emit(f"tirx.barrier {scope}")
    current().epoch += 1


cuda = Cuda()
