# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the commands share: loading files of Python, errors and their exit status."""

from __future__ import annotations

import os
import pathlib
import runpy
import sys
from typing import TYPE_CHECKING, Any, Callable, TypeVar

if TYPE_CHECKING:
    from tirx.runtime.kernel import Kernel

_T = TypeVar("_T")


class BadInput(Exception):
    """Exit status 2: usage, or a file that cannot be read."""


class Failed(Exception):
    """Exit status 1: a kernel is at fault."""


def read_text(path: pathlib.Path) -> str:
    try:
        return path.read_text()
    except OSError as error:
        raise BadInput(f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"expected text in UTF-8 in '{path}'") from None


def guarded(action: Callable[[], _T]) -> _T:
    """Runs something of the user's; what the kernel did wrong is one message."""
    from tirx.lite.trace import TraceError
    from tirx.runtime.kernel import CompileError, SimulationError

    try:
        return action()
    except TraceError as error:
        raise Failed(str(error)) from None
    except (CompileError, SimulationError) as error:
        raise Failed(str(error).strip()) from None


def run_file(path: pathlib.Path, name: str) -> dict[str, Any]:
    """The globals of a file of Python after it ran under a name."""
    read_text(path)  # says what is wrong with it
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    return guarded(lambda: runpy.run_path(str(path), run_name=name))


def split_name(text: str) -> tuple[pathlib.Path, str | None]:
    """FILE.py:NAME, or FILE alone."""
    path, colon, name = text.rpartition(":")
    if colon and name.isidentifier():
        return pathlib.Path(path), name
    return pathlib.Path(text), None


def find_kernel(path: pathlib.Path, name: str | None) -> "Kernel":
    """The kernel of a file: the named one, or the only one."""
    from tirx.runtime.kernel import Kernel

    found = {key: value for key, value in run_file(path, path.stem).items()
             if isinstance(value, Kernel)}
    names = ", ".join(sorted(found)) or "none"
    if name is None:
        if len(found) != 1:
            raise BadInput(f"{path}: expected one kernel, got {len(found)} ({names}): write "
                           f"{path}:NAME")
        return next(iter(found.values()))
    if name not in found:
        raise BadInput(f"{path}: expected a kernel '{name}', got {names}")
    return found[name]


def write_output(data: "str | bytes", path: str) -> None:
    """To a file, or to the standard output."""
    if path == "-":
        if isinstance(data, bytes):
            if sys.stdout.isatty():
                raise BadInput("expected -o FILE for what is not text")
            sys.stdout.buffer.write(data)
        else:
            sys.stdout.write(data)
        return
    try:
        pathlib.Path(path).write_bytes(data if isinstance(data, bytes) else data.encode())
    except OSError as error:
        raise BadInput(f"cannot write '{path}': {error.strerror}") from None
