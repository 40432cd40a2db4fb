# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m tirx run|compile|view|layout|info`.

Exit status: 0; 1: a kernel that does not compile, a report of the simulator or a
mismatch; 2: usage, or a file that cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from typing import Sequence

from tirx.cli import compile_command, info_command, layout_command, run_command, view_command
from tirx.cli.common import BadInput, Failed

_COMMANDS = (run_command, compile_command, view_command, layout_command, info_command)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tirx", description="TIRx kernels: run, compile and look at them.",
        epilog="Exit status: 0; 1: a kernel is at fault; 2: usage or a file is.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add(commands)
    args = parser.parse_args(arguments)  # exits with 2 on bad usage
    try:
        status: int = args.execute(args)
    except BadInput as error:
        print(f"tirx: error: {error}", file=sys.stderr)
        return 2
    except Failed as error:
        print(f"tirx: error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader has seen enough
        sys.stderr.close()
        return 0
    return status
