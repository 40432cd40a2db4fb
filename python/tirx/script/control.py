# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow of the running kernel for the parser: what `tirx.lite.control` has, with
conditions that are evaluated before each round and with `continue`.
"""

from __future__ import annotations

from typing import Any, Callable

from tirx.lite import control
from tirx.lite.control import While, serial
from tirx.lite.expr import Expr, to_bool
from tirx.lite.memory import Variable, local_scalar
from tirx.lite.trace import Region, TraceError, current

_MAX_UNROLLED = 1 << 16


class Rounds:
    """`range`, `T.serial` and `T.unroll` of a parsed function. As a loop of the kernel
    it is counted by the running kernel, unless `unrolled`; elsewhere it is a range."""

    def __init__(self, start: Any, stop: Any = None, step: Any = 1, *, unrolled: bool = False,
                 unroll: int | bool | None = None) -> None:
        if stop is None:
            start, stop = 0, start
        for what, bound in (("start", start), ("stop", stop), ("step", step)):
            if not isinstance(bound, Expr) and (
                    isinstance(bound, bool) or not hasattr(bound, "__index__")):
                raise TraceError(f"{what} of a loop: expected an integer, got "
                                 f"{type(bound).__name__}")
        self.start, self.stop, self.step = start, stop, step
        self.unrolled = unrolled
        self.unroll = unroll

    @property
    def known(self) -> bool:
        return not any(isinstance(b, Expr) for b in (self.start, self.stop, self.step))

    def as_range(self) -> range:
        if not self.known:
            raise TraceError("expected bounds that are known while the kernel is compiled: write "
                             "T.serial for a loop of the running kernel")
        if self.step == 0:
            raise TraceError("step of a loop: expected an integer other than 0")
        rounds = range(self.start, self.stop, self.step)
        if len(rounds) > _MAX_UNROLLED:
            raise TraceError(f"expected at most {_MAX_UNROLLED} rounds to write out, got "
                             f"{len(rounds)}: write T.serial")
        return rounds

    def __iter__(self) -> Any:
        return iter(self.as_range())

    def __len__(self) -> int:
        return len(self.as_range())

    def __getitem__(self, index: Any) -> Any:
        return self.as_range()[index]

    def __contains__(self, value: object) -> bool:
        return value in self.as_range()

    def __reversed__(self) -> Any:
        return reversed(self.as_range())

    def loop(self) -> serial:
        return serial(self.start, self.stop, self.step, unroll=self.unroll)


def serial_rounds(start: Any, stop: Any = None, step: Any = 1, unroll: Any = None) -> Rounds:
    """A loop that stays one: `unroll=4` asks for four rounds at a time."""
    return Rounds(start, stop, step, unroll=unroll)


def unrolled_rounds(start: Any, stop: Any = None, step: Any = 1) -> Rounds:
    """A loop that is written out; its variable is a Python integer."""
    return Rounds(start, stop, step, unrolled=True)


class WhileEvaluated(While):
    """A loop whose condition is computed inside it, before each round."""

    def __init__(self, evaluate: Callable[[], Any]) -> None:
        self.evaluate = evaluate

    @property
    def condition(self) -> Expr:  # type: ignore[override]
        return to_bool(self.evaluate())


class Loop:
    """A loop that is being parsed. `skip` is set by `continue`, and by `break` too where
    the loop has both, so that one flag guards the rest of a round."""

    def __init__(self, region: Region, skip: Variable | None) -> None:
        self.region = region
        self.skip = skip

    def leave(self) -> None:
        """`break`"""
        if self.skip is None:
            control.Break()
            return
        self.region.exit_flag.store(True)
        self._skip_rest()

    def go_on(self) -> None:
        """`continue`"""
        self._skip_rest()

    def _skip_rest(self) -> None:
        assert self.skip is not None
        self.skip.store(True)
        region = current().regions[-1]
        if region.kind == "if":
            region.exit_flag = self.skip


def begin_round(has_continue: bool) -> Loop:
    """At the head of a loop's body."""
    region = current().regions[-1]
    return Loop(region, local_scalar("bool", init=False) if has_continue else None)
