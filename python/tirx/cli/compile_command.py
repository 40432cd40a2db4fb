# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`compile`: a kernel at a level."""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import Any

from tirx.cli.common import BadInput, find_kernel, guarded, read_text, split_name, write_output

_LEVELS = ("func", "tile", "instruction", "nvvm", "llvm", "ptx", "cubin")


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "compile", help="compile a kernel",
        description="Compiles a kernel of a Python file, or a file of MLIR.")
    parser.add_argument("file", metavar="FILE.py[:NAME] | FILE.mlir")
    parser.add_argument("--emit", choices=_LEVELS, default="ptx",
                        help="the level (default: ptx); func: the IR as it was traced")
    parser.add_argument("--target", metavar="CHIP", help="such as sm_90a")
    parser.add_argument("-o", "--output", metavar="FILE", default="-",
                        help="default: the standard output")
    parser.add_argument("--report", action="store_true",
                        help="print shared memory, registers and spills to the standard error")
    parser.add_argument("--remarks", action="store_true",
                        help="print which dispatch variant serves each tile op")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    kernel = kernel_at(args.file, args.target)
    if args.emit == "func":
        write_output(kernel.func, args.output)
    else:
        write_output(guarded(lambda: kernel.source(args.emit, args.target)), args.output)
    if args.report:
        print(guarded(lambda: kernel.report(args.target)), file=sys.stderr, end="")
    if args.remarks:
        for remark in guarded(lambda: kernel.remarks(args.target)):
            print(remark, file=sys.stderr)
    return 0


def kernel_at(spec: str, target: str | None) -> Any:
    """The kernel of FILE.py[:NAME] or FILE.mlir, for a chip that there is."""
    path, name = split_name(spec)
    if target is not None:
        _check_target(target)
    if path.suffix != ".mlir":
        return find_kernel(path, name)
    if name is not None:
        raise BadInput(f"expected a file of MLIR without a name, got '{spec}'")
    return _Text(path)


def _check_target(chip: str) -> None:
    from tirx import _native

    known = _native.resolve_instruction("add.f32")["targets"]
    if chip not in known:
        raise BadInput(f"--target: expected one of {', '.join(known)}, got '{chip}'")


class _Text:
    """A file of MLIR with what a kernel has of levels."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.func = read_text(path)

    def _compile(self, level: str, target: str | None, **options: Any) -> Any:
        from tirx import _native
        from tirx.runtime.kernel import CompileError

        if target is not None:
            options["target"] = target
        result = _native.compile(self.func, name=str(self.path), levels=[level], **options)
        if not result.succeeded:
            raise CompileError(result.json("diagnostics"))
        return result

    def source(self, level: str, target: str | None) -> Any:
        result = self._compile(level, target)
        return result.bytes(level) if level == "cubin" else result.text(level)

    def report(self, target: str | None) -> str:
        return self._compile("ptx", target, report=True).text("report") or ""

    def remarks(self, target: str | None) -> list[str]:
        from tirx.runtime.kernel import format_remarks

        return format_remarks(self._compile("ptx", target, remarks=True))

    def view(self, target: str | None = None) -> str:
        from tirx.runtime.kernel import render_view

        return render_view(self.func, str(self.path), self.path.name, target)
