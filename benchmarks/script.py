#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python to PTX for each step of the ladder, once everything is imported.

Times are processor time of this process, minimum of RUNS (7 by default): parsing the
function to IR, and compiling the IR to PTX. Exit status 1 if a step takes more than
LIMIT_MS.
"""

import argparse
import importlib
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT_MS = 100
os.environ["TIRX_CACHE"] = "0"  # what is measured is compiled
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "examples/ladder")]

import run as ladder  # noqa: E402


def measure(build, size, runs):
    """The least times of parsing and compiling, in milliseconds."""
    best = (float("inf"), float("inf"))
    for _ in range(runs):
        start = time.process_time()
        kernel = build(*size)
        parsed = time.process_time()
        kernel.compile()
        done = time.process_time()
        best = min(best, ((parsed - start) * 1e3, (done - parsed) * 1e3), key=sum)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    print(f"{'step':<24}{'parse ms':>10}{'compile ms':>12}{'total ms':>10}   limit {LIMIT_MS}")
    slow = 0
    for name in ladder.steps():
        module = importlib.import_module(name)
        parse, compiled = measure(module.build, module.SIZES[-1], runs)
        slow += parse + compiled > LIMIT_MS
        print(f"{name:<24}{parse:>10.1f}{compiled:>12.1f}{parse + compiled:>10.1f}", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
