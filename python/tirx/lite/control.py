# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow of the running kernel.

`with If(c), Then(): ...`, `with Else():`, `with While(c):`, `for i in serial(n):`.
Python's own `for` and `if` run while the kernel is traced.
"""

from __future__ import annotations

from typing import Any, Iterator

from tirx.lite import dtypes
from tirx.lite.expr import Expr, cast, logical_and, logical_not, name_of, to_bool, to_expr
from tirx.lite.memory import Variable, local_scalar
from tirx.lite.trace import Region, TraceError, current


class If:
    """Its condition is evaluated here; Then and Else stand inside it."""

    def __init__(self, condition: Any) -> None:
        self.condition = to_bool(condition)
        self.has_then = False
        self.has_else = False
        self.then_end: tuple[Region, int] | None = None  # where an `else` may follow

    def __enter__(self) -> "If":
        self.name = name_of(self.condition)
        _stack().append(self)
        return self

    def __exit__(self, kind: Any, *exception: Any) -> None:
        _stack().remove(self)
        if kind is None and not self.has_then:
            raise TraceError("expected `with txl.Then():` inside txl.If")


def _stack() -> list[If]:
    trace = current()
    if not hasattr(trace, "ifs"):
        trace.ifs = []  # type: ignore[attr-defined]
    return trace.ifs  # type: ignore[attr-defined, no-any-return]


class _Branch:
    keyword = ""

    def __enter__(self) -> None:
        stack = _stack()
        if not stack:
            raise TraceError(f"expected {self.keyword} inside `with txl.If(c):`")
        self.owner = stack[-1]
        self.begin()

    def begin(self) -> None:
        raise NotImplementedError

    def __exit__(self, kind: Any, *exception: Any) -> None:
        if kind is None:
            leave_branch()
            region = current().regions[-1]
            self.owner.then_end = (region, len(region.lines))


class Then(_Branch):
    keyword = "Then"

    def begin(self) -> None:
        if self.owner.has_then:
            raise TraceError("expected one Then in an If, got a second one")
        self.owner.has_then = True
        current().open(f"scf.if {self.owner.name} {{", "if")


class Else(_Branch):
    keyword = "Else"

    def begin(self) -> None:
        owner, trace = self.owner, current()
        if not owner.has_then or owner.has_else:
            raise TraceError("expected Else once, after the Then of the same If")
        owner.has_else = True
        region = trace.regions[-1]
        if owner.then_end == (region, len(region.lines)) and region.lines[-1].startswith("}"):
            region.lines.pop()
            trace.open("} else {", "if")
        else:  # something stands between, such as the guard after a Break
            negated = name_of(logical_not(_Named(owner.name)))
            trace.open(f"scf.if {negated} {{", "if")


def _Named(name: str) -> Expr:
    return Expr(dtypes.bool_, lambda _: name)


def leave_branch() -> None:
    """Ends a branch; what follows one that leaves a loop is guarded."""
    trace = current()
    region = trace.regions[-1]
    flag = region.exit_flag
    trace.close("}")
    if flag is not None:
        guard_rest(flag)


def guard_rest(flag: Variable) -> None:
    """The rest of the region runs only if `flag` is not set."""
    trace = current()
    region = trace.regions[-1]
    trace.epoch += 1
    if region.kind == "if":
        region.exit_flag = flag
    name = name_of(logical_not(flag))
    trace.emit_header(f"scf.if {name} {{")
    region.guards += 1


def _leave(target: Region, what: str) -> None:
    if target.exit_flag is None:
        raise TraceError(f"{what}: expected a place that can be left")
    target.exit_flag.store(True)
    region = current().regions[-1]
    if region.kind == "if" and region is not target:
        region.exit_flag = target.exit_flag


def Break() -> None:
    """Leaves the innermost loop."""
    loop = next((r for r in reversed(current().regions) if r.kind == "loop"), None)
    if loop is None:
        raise TraceError("expected txl.Break inside a loop")
    _leave(loop, "Break")


def Return() -> None:
    """Ends the kernel for the threads that are here."""
    trace = current()
    kernel = trace.regions[0]
    if any(region.kind == "loop" for region in trace.regions):
        raise TraceError("expected txl.Return outside loops: leave the loop by txl.Break first")
    if kernel.exit_flag is None:
        kernel.exit_flag = _head_flag()
    _leave(kernel, "Return")


def _head_flag() -> Variable:
    """A flag that is false at the head of the kernel."""
    trace = current()
    flag = local_scalar(dtypes.bool_)
    flag.array.region = None
    zero = trace.constant("0", "i8")
    first = trace.constant("0", "index")
    trace.emit_head(f"tirx.store {zero}, {flag.array.name}[{first}] : i8, {flag.array.type}")
    return flag


class While:
    """Runs its body while the condition holds; it is evaluated before each round."""

    def __init__(self, condition: Any) -> None:
        self.condition = to_bool(condition)

    def __enter__(self) -> None:
        trace = current()
        flag = local_scalar(dtypes.bool_, init=False)
        trace.epoch += 1
        trace.open("scf.while : () -> () {", "condition")
        name = name_of(logical_and(self.condition, logical_not(flag)))
        trace.emit(f"scf.condition({name})")
        trace.close("} do {")
        region = Region("loop")
        region.exit_flag = flag
        trace.regions.append(region)
        trace.epoch += 1

    def __exit__(self, kind: Any, *exception: Any) -> None:
        if kind is None:
            trace = current()
            _close_guards(trace.regions[-1])
            trace.regions[-1].lines.append("scf.yield" + trace.location())
            trace.close("}")
            trace.epoch += 1


def _close_guards(region: Region) -> None:
    place = current().location()
    region.lines.extend("}" + place for _ in range(region.guards))
    region.guards = 0


class serial:
    """A counted loop of the running kernel: `serial(stop)`, `serial(start, stop)` or
    with a step; `for i in serial(n):` or `with serial(n) as i:`. It stays a loop.
    `unroll=4` asks for four rounds at a time, `unroll=True` for all."""

    def __init__(self, start: Any, stop: Any = None, step: Any = 1,
                 unroll: int | bool | None = None) -> None:
        if stop is None:
            start, stop = 0, start
        if isinstance(step, int) and step < 1:
            raise TraceError(f"step: expected a positive integer, got {step}")
        self.start, self.stop, self.step = start, stop, step
        self.unroll = unroll

    def __enter__(self) -> Expr:
        trace = current()
        bounds = [b for b in (self.stop, self.start, self.step) if isinstance(b, Expr)]
        dtype = bounds[0].dtype if bounds else dtypes.i32
        if not dtype.is_integer:
            raise TraceError(f"expected integers as bounds of a loop, got {dtype}")
        if dtype.bits < 32:
            dtype = dtypes.i32
        self.dtype = dtype
        start = to_expr(self.start, dtype)
        self.bounds = [name_of(cast(to_expr(b, dtype), dtype))
                       for b in (self.start, self.stop, self.step)]
        self.flag = _head_flag()
        self.outer = trace.regions[-1]
        self.at = len(self.outer.lines)
        region = Region("loop")
        region.exit_flag = self.flag
        trace.regions.append(region)
        trace.epoch += 1
        self.index = trace.fresh()
        return Expr(dtype, lambda _: self.index, nonnegative=start.nonnegative)

    def __exit__(self, kind: Any, *exception: Any) -> None:
        if kind is not None:
            return
        trace = current()
        region = trace.regions[-1]
        _close_guards(region)
        lower, upper, step = self.bounds
        mlir = self.dtype.mlir
        if not self.flag.written:  # nobody leaves it early
            trace.close(f"}}{self._annotation()}")
            unsigned = "unsigned " if self.dtype.kind == "uint" else ""
            header = f"scf.for {unsigned}{self.index} = {lower} to {upper} step {step} : {mlir} {{"
            self.outer.lines.insert(self.at, header)
        else:
            self._close_while(region, lower, upper, step, mlir)
        trace.epoch += 1

    def _annotation(self) -> str:
        if not self.unroll:
            return ""
        how = "full = true" if self.unroll is True else f"count = {self.unroll} : i32"
        return f" {{llvm.loop_annotation = #llvm.loop_annotation<unroll = <{how}>>}}"

    def _close_while(self, region: Region, lower: str, upper: str, step: str, mlir: str) -> None:
        trace = current()
        following = trace.fresh()
        predicate = "ult" if self.dtype.kind == "uint" else "slt"
        place = trace.location()
        region.lines.append(f"{following} = arith.addi {self.index}, {step} : {mlir}{place}")
        region.lines.append(f"scf.yield {following} : {mlir}{place}")
        counter, inside, flag, going, both = (trace.fresh() for _ in range(5))
        first = trace.constant("0", "index")
        zero = trace.constant("0", "i8")
        array = self.flag.array
        trace.close("}")
        self.outer.lines[self.at:self.at] = [
            f"tirx.store {zero}, {array.name}[{first}] : i8, {array.type}{place}",
            f"scf.while ({counter} = {lower}) : ({mlir}) -> {mlir} {{",
            f"  {inside} = arith.cmpi {predicate}, {counter}, {upper} : {mlir}{place}",
            f"  {flag} = tirx.load {array.name}[{first}] : {array.type} -> i8{place}",
            f"  {going} = arith.cmpi eq, {flag}, {zero} : i8{place}",
            f"  {both} = arith.andi {inside}, {going} : i1{place}",
            f"  scf.condition({both}) {counter} : {mlir}{place}",
            "} do {",
            f"^bb0({self.index}: {mlir}):",
        ]

    def __iter__(self) -> Iterator[Expr]:
        with self as index:
            yield index


def unroll(start: Any, stop: Any = None, step: int = 1) -> Any:
    """A loop with bounds known while the kernel is traced, written out."""
    bounds = (0, start) if stop is None else (start, stop)
    for bound in (*bounds, step):
        if not isinstance(bound, int):
            raise TraceError("expected bounds that are known while the kernel is traced, got "
                             f"{type(bound).__name__}: write txl.serial")
    return range(bounds[0], bounds[1], step)


__all__ = ["Break", "Else", "If", "Return", "Then", "While", "serial", "unroll"]
