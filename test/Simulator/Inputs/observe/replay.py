"""Replays the sessions of a manual.

A session is a block of text that begins with `$ tirx-run ...`. What follows the
prompt `(tirx) ` is typed; everything else must be what the program prints, where
a line `...` stands for any lines. `--update` writes what it prints instead.

usage: replay.py MANUAL TIRX-RUN [--update]
"""

import os
import re
import shlex
import subprocess
import sys

PROMPT = "(tirx) "


def run(lines, root, program):
    """What the session prints today."""
    words = shlex.split(lines[0][2:])
    typed = [line[len(PROMPT) :] for line in lines if line.startswith(PROMPT)]
    result = subprocess.run(
        [program] + words[1:],
        input="".join(line + "\n" for line in typed),
        capture_output=True,
        text=True,
        cwd=root,
        timeout=60,
    )
    return [lines[0]] + (result.stdout + result.stderr).rstrip("\n").split("\n")


def matches(expected, got):
    """Whether `got` is `expected`, whose lines `...` stand for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in expected
    )
    return re.fullmatch(pattern, "".join(line + "\n" for line in got)) is not None


def main():
    manual, program = sys.argv[1:3]
    root = os.path.dirname(os.path.dirname(os.path.abspath(manual)))
    with open(manual, encoding="utf-8") as file:
        text = file.read()
    failed = count = 0

    def replay(block):
        nonlocal failed, count
        lines = block.group(2).rstrip("\n").split("\n")
        count += 1
        got = run(lines, root, os.path.abspath(program))
        if "--update" in sys.argv:
            return block.group(1) + "\n".join(got) + "\n```"
        if not matches(lines, got):
            failed += 1
            print("the manual says:", *lines, "", "the program says:", *got, sep="\n")
        return block.group(0)

    text = re.sub(r"(```text\n)(\$ tirx-run .*?)```", replay, text, flags=re.DOTALL)
    if "--update" in sys.argv:
        with open(manual, "w", encoding="utf-8") as file:
            file.write(text)
    print(f"{count} sessions, {failed} differ")
    return failed != 0 or count == 0


sys.exit(main())
