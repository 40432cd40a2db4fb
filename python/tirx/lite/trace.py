# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace: text of IR that grows while a kernel's function runs.

A trace is a stack of regions. Each region has its lines; closing one appends it to
the region around it. What must stand at the head of the kernel (shared memory, local
arrays) goes to `head` instead.
"""

from __future__ import annotations

import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
# Its kernels are users of the rest.
_KERNELS = os.path.join(_PACKAGE, "kernels") + os.sep


def _is_internal(file: str) -> bool:
    return file.startswith(_PACKAGE) and not file.startswith(_KERNELS)


class _State(threading.local):
    """What each thread traces."""

    trace: "Trace | None" = None


state = _State()


class TraceError(Exception):
    """A mistake in a kernel, at the line of the user that made it."""

    def __init__(self, message: str, place: "tuple[str, int, int] | None" = None) -> None:
        self.message = message
        self.place = place or user_place()
        file, line, column = self.place
        super().__init__(f"{file}:{line}:{column}: {message}")


# Whether a file is one of this package's, by its name.
_internal: dict[str, bool] = {}


def _user_frame(depth: int = 1) -> FrameType | None:
    """The innermost frame outside this package; so many are known to be inside."""
    frame: FrameType | None = sys._getframe(depth)
    while frame:
        name = frame.f_code.co_filename
        inside = _internal.get(name)
        if inside is None:
            inside = _internal[name] = _is_internal(name)
        if not inside:
            break
        frame = frame.f_back
    return frame


def _positions(code: CodeType) -> list[tuple[int, int]]:
    """Line and column (from 1) of each bytecode instruction."""
    first = code.co_firstlineno
    if hasattr(code, "co_positions"):
        return [(line or first, (column or 0) + 1) for line, _, column, _ in code.co_positions()]
    lines: list[tuple[int, int]] = []  # Python 3.10 knows lines only
    for start, end, line in code.co_lines():
        lines.extend([(line or first, 1)] * ((end - start) // 2))
    return lines


_UNKNOWN = ("<unknown>", 1, 1)


def _place_of(code: CodeType, instruction: int) -> tuple[str, int, int]:
    return (code.co_filename, *_positions(code)[instruction // 2])


def user_place() -> tuple[str, int, int]:
    frame = _user_frame()
    return _place_of(frame.f_code, frame.f_lasti) if frame else _UNKNOWN


def raised_at(error: BaseException) -> tuple[tuple[str, int, int], bool]:
    """The innermost place outside this package that an exception passed, and whether it
    was raised there."""
    place, is_users = _UNKNOWN, False
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        is_users = not _is_internal(code.co_filename)
        if is_users:
            place = _place_of(code, step.tb_lasti)
        step = step.tb_next
    return place, is_users


class Region:
    """Lines of one region, and what is known while it is open."""

    __slots__ = ("lines", "values", "kept", "kind", "guards", "exit_flag", "opened")

    def __init__(self, kind: str) -> None:
        self.kind = kind  # "kernel", "if", "loop" or "condition"
        self.lines: list[str] = []
        self.values: dict[Any, str] = {}
        self.kept: list[Any] = []
        self.guards = 0  # `scf.if`s that Break and Return have opened
        self.exit_flag: Any = None  # of a loop or kernel that is left early
        frame = _user_frame()
        self.opened = (frame.f_code, frame.f_lasti) if frame else None

    def opened_at(self) -> tuple[str, int, int]:
        return _place_of(*self.opened) if self.opened else _UNKNOWN


class Trace:
    """One kernel on its way into IR."""

    def __init__(self, name: str, file: str) -> None:
        self.name = name
        self.file = file
        self.head: list[str] = []
        self.regions: list[Region] = [Region("kernel")]
        self.count = 0
        self.locations: dict[tuple[str, int, int], int] = {}
        # The location of a bytecode instruction by the id of its code, and the codes with
        # their positions, which keep the ids.
        self.located: dict[tuple[int, int], str] = {}
        self.codes: dict[int, tuple[CodeType, list[tuple[int, int]]]] = {}
        # That of the call which is being traced, while it emits several ops.
        self.here: str | None = None
        # Grows with each write to a local variable and at the edges of loops, so
        # that a value read before is read again.
        self.epoch = 0
        self.attributes: dict[str, str] = {"tirx.explicit_sync": ""}
        self.pool: str | None = None
        self.chip_sets: set[frozenset[str]] = set()  # of the instructions
        self.indices: dict[int, str] = {}  # constants of type index
        self.constants: dict[tuple[str, str], str] = {}
        self.threads = 32  # of the CTA
        self.min_blocks: int | None = None
        # `tirx.instruction` ops by the names of the instructions.
        self.registrations: dict[str, str] = {}
        self.roles: Any = None  # of txl.specialize

    # --- Text ----------------------------------------------------------------

    def fresh(self) -> str:
        self.count += 1
        return f"%{self.count}"

    def location(self) -> str:
        if self.here is not None:
            return self.here
        frame = _user_frame(3)
        if frame is None:
            return self._number(_UNKNOWN)
        code = frame.f_code
        key = (id(code), frame.f_lasti)
        return self.located.get(key) or self._locate(code, key)

    def _locate(self, code: CodeType, key: tuple[int, int]) -> str:
        known = self.codes.get(key[0])
        if known is None:
            known = self.codes[key[0]] = (code, _positions(code))
        text = self._number((code.co_filename, *known[1][key[1] // 2]))
        self.located[key] = text
        return text

    def _number(self, place: tuple[str, int, int]) -> str:
        number = self.locations.setdefault(place, len(self.locations))
        return f" loc(#l{number})"

    def emit(self, text: str) -> None:
        self.regions[-1].lines.append(text + (self.here or self.location()))

    def emit_head(self, text: str) -> None:
        self.head.append(text + self.location())

    def result(self, text: str) -> str:
        """Emits an op with one result and returns the result's name."""
        self.count += 1
        name = f"%{self.count}"
        self.regions[-1].lines.append(f"{name} = {text}{self.here or self.location()}")
        return name

    def head_result(self, text: str) -> str:
        name = self.fresh()
        self.emit_head(f"{name} = {text}")
        return name

    def constant(self, text: str, mlir: str) -> str:
        """A constant at the head of the kernel, one for each value."""
        key = (text, mlir)
        name = self.constants.get(key)
        if name is None:
            name = self.constants[key] = self.fresh()
            suffix = "" if mlir == "i1" else f" : {mlir}"
            self.head.append(f"{name} = arith.constant {text}{suffix}{self.location()}")
        return name

    def index_constant(self, value: int) -> str:
        return self.indices.get(value) or self.indices.setdefault(
            value, self.constant(str(value), "index"))

    # --- Regions -------------------------------------------------------------

    def open(self, header: str, kind: str) -> Region:
        self.emit_header(header)
        region = Region(kind)
        self.regions.append(region)
        return region

    def emit_header(self, header: str) -> None:
        self.regions[-1].lines.append(header)

    def close(self, footer: str) -> None:
        """Closes the innermost region; `footer` begins with its brace. An op has its
        place behind its last region."""
        region = self.regions.pop()
        outer = self.regions[-1]
        place = self.location()
        outer.lines.extend("  " + line for line in region.lines)
        outer.lines.extend("}" + place for _ in range(region.guards))
        outer.lines.append(footer if footer.endswith("{") else footer + place)

    def find_value(self, key: Any) -> str | None:
        """A value that an open region has already; those dominate this point."""
        for region in reversed(self.regions):
            name = region.values.get(key)
            if name is not None:
                return name
        return None

    def keep_value(self, key: Any, name: str) -> None:
        self.regions[-1].values[key] = name

    # --- The whole -----------------------------------------------------------

    @property
    def chips(self) -> set[str] | None:
        """The chips that have all instructions; None: nothing was asked of them."""
        return set(frozenset.intersection(*self.chip_sets)) if self.chip_sets else None

    def text(self, parameters: str) -> str:
        """The module, with its locations."""
        region = self.regions[0]
        attributes = ", ".join(
            f"{name} = {value}" if value else name for name, value in self.attributes.items()
        )
        lines = [f"gpu.module @{self.name}_module {{", *self.registrations.values()]
        lines.append(f"  gpu.func @{self.name}({parameters}) kernel attributes {{{attributes}}} {{")
        lines.extend("    " + line for line in self.head)
        lines.extend("    " + line for line in region.lines)
        place = self.location()
        lines.extend("    }" + place for _ in range(region.guards))
        lines += ["    gpu.return" + place, "  }" + place, "}"]
        for (file, line, column), number in self.locations.items():
            escaped = file.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'#l{number} = loc("{escaped}":{line}:{column})')
        return "\n".join(lines) + "\n"


def current() -> Trace:
    trace = state.trace
    if trace is None:
        raise TraceError("expected to be inside a function that txl.kernel traces")
    return trace


class tracing:
    """Makes a trace the current one of this thread."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def __enter__(self) -> Trace:
        self.before = state.trace
        state.trace = self.trace
        return self.trace

    def __exit__(self, *exception: Any) -> None:
        state.trace = self.before
