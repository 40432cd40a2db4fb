# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`run`: a launch file, or a file of Python."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
import tempfile
from typing import Any

from tirx.cli.common import BadInput, guarded, read_text, run_file


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "run", help="run a launch file or a Python file",
        description="Runs the kernels of a launch file and compares its buffers, or runs a "
        "Python file as a program. Options of the simulator hold for every kernel that "
        "the program runs there.")
    parser.add_argument("file", metavar="LAUNCH.json | FILE.py")
    parser.add_argument("arguments", nargs="*", metavar="...",
                        help="arguments of the Python program; behind -- also options")
    parser.add_argument("--on", choices=("sim", "gpu"),
                        help="where a launch file runs (default: sim)")
    parser.add_argument("--async", dest="mode", choices=("eager", "lazy", "random"),
                        help="when asynchronous work of the simulator takes effect")
    parser.add_argument("--seed", type=int, help="of --async=random")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    path = pathlib.Path(args.file)
    if path.suffix == ".py":
        return _run_program(path, args)
    if args.arguments:
        raise BadInput(f"expected no arguments after a launch file, got {args.arguments[0]!r}")
    return _run_launch(path, args)


def _run_program(path: pathlib.Path, args: argparse.Namespace) -> int:
    from tirx.runtime import defaults

    for option in ("json", "on"):
        if getattr(args, option):
            raise BadInput(f"--{option}: expected a launch file, got a program")
    if args.mode is not None:
        defaults.mode = args.mode
    if args.seed is not None:
        defaults.seed = args.seed
    sys.argv = [str(path), *args.arguments]
    run_file(path, "__main__")
    return 0


def _run_launch(path: pathlib.Path, args: argparse.Namespace) -> int:
    from tirx import _native

    text = read_text(path)
    with tempfile.TemporaryDirectory() as folder:
        text = guarded(lambda: _compile_kernels(text, path.parent, pathlib.Path(folder)))
        result = _native.run_launch_file(
            text, str(path.parent), on=args.on or "sim", count=args.json,
            **{"async": args.mode or "eager", "seed": args.seed or 0})
    error = result.text("error")
    if error is not None:
        raise BadInput(f"{path}: {error}")
    if args.json:
        print(json.dumps(result.json("result"), indent=2))
    else:
        sys.stdout.write(result.text("text") or "")
    return 0 if result.succeeded else 1


def _compile_kernels(text: str, directory: pathlib.Path, folder: pathlib.Path) -> str:
    """The launch file with each kernel of MLIR replaced by its PTX in `folder`."""
    try:
        description = json.loads(text)
    except ValueError:
        return text  # the library says where it is wrong
    if not isinstance(description, dict):
        return text
    launches = description.get("launches")
    parts = [description, *(launches if isinstance(launches, list) else [])]
    for number, part in enumerate(parts):
        kernel = part.get("kernel") if isinstance(part, dict) else None
        if isinstance(kernel, str) and kernel.endswith(".mlir"):
            target = part.get("target", description.get("target"))
            part["kernel"] = _compile_kernel(directory / kernel, target, folder / f"k{number}.ptx")
    return json.dumps(description)


def _compile_kernel(path: pathlib.Path, target: Any, output: pathlib.Path) -> str:
    from tirx.runtime import cache
    from tirx.runtime.kernel import CompileError

    options: dict[str, Any] = {"name": str(path), "levels": ["ptx"]}
    if isinstance(target, str):
        options["target"] = target
    result = cache.compile(read_text(path), **options)
    if not result.succeeded:
        raise CompileError(result.json("diagnostics"))
    for part, suffix in (("ptx", ".ptx"), ("models", ".models.ptx"), ("metadata", ".meta.json")):
        contents = result.text(part)
        if contents is not None:
            output.with_suffix(suffix).write_text(contents)
    return os.path.abspath(output)
