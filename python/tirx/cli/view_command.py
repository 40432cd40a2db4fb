# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`view`: a kernel at every level on one page."""

from __future__ import annotations

import argparse
from typing import Any

from tirx.cli.common import guarded, write_output
from tirx.cli.compile_command import kernel_at


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "view", help="a page with all levels of a kernel side by side",
        description="Writes one HTML page with source, tile IR, instruction IR, PTX and (where "
                    "ptxas and nvdisasm are) SASS; a click on a line marks what it became.")
    parser.add_argument("file", metavar="FILE.py[:NAME] | FILE.mlir")
    parser.add_argument("--target", metavar="CHIP", help="such as sm_90a")
    parser.add_argument("-o", "--output", metavar="FILE.html", default="-",
                        help="default: the standard output")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    kernel = kernel_at(args.file, args.target)
    write_output(guarded(lambda: kernel.view(target=args.target)), args.output)
    return 0
