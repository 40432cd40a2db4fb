# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of a page and compares what they print.

  run_examples.py PAGE.md TIRX_LAYOUT

An example is a block marked `console`: a line that begins with `$ ` is a command,
the lines up to the next one are all that it prints. A line `...` stands for any
lines. Every command is `tirx-layout`, or feeds it.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


def read_examples(page: str):
    """(line number, command, expected lines) of each command."""
    inside, examples = False, []
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            examples.append((number, [line[2:]], []))
        elif inside and line.startswith("> ") and examples and not examples[-1][2]:
            examples[-1][1].append(line[2:])
        elif inside:
            if not examples:
                raise SystemExit(f"line {number}: output without a command")
            examples[-1][2].append(line)
    return [(number, "\n".join(command), lines) for number, command, lines in examples]


def matches(expected: list[str], got: list[str]) -> bool:
    pattern = "\n".join("(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line.rstrip()) for line in expected)
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in got)) is not None


def main() -> int:
    page, tool = sys.argv[1:]
    examples = read_examples(pathlib.Path(page).read_text())
    folder = os.path.dirname(os.path.abspath(tool))
    env = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number, command, expected in examples:
            if "tirx-layout " not in command:
                raise SystemExit(f"line {number}: expected a command that runs tirx-layout, got '{command}'")
            ran = subprocess.run(command, shell=True, cwd=scratch, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            got = ran.stdout.splitlines()
            if not matches(expected, got):
                failed += 1
                print(f"{page}:{number}: $ {command}\nexpected:\n" + "\n".join(expected) + "\ngot:\n" + "\n".join(got) + "\n")
    print(f"{len(examples) - failed} examples passed, {failed} failed")
    return 1 if failed or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
