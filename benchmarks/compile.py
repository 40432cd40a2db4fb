#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Process time of the tools on the example kernels, and its parts.

Process time is the wall time of the whole process, minimum of RUNS (7 by
default); the median and the largest stand beside it. The parts are what
`tirx-compile --time` prints, from the fastest run. Ratios are to stock
`mlir-opt --version`, which does nothing but load libMLIR, measured in the same
run.
"""

import argparse
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT_MS = 60  # of tirx-compile to PTX


def measure(command: list, runs: int):
    """Wall times in milliseconds and the stderr of the fastest run."""
    samples = []
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        samples.append(((time.perf_counter() - start) * 1e3, done.stderr))
        if done.returncode:
            sys.exit(f"{command}: exit status {done.returncode}\n{done.stderr}")
    best = min(samples, key=lambda s: s[0])
    return [s[0] for s in samples], best[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=ROOT / "build/release/bin", type=pathlib.Path)
    parser.add_argument("--runs", default=7, type=int)
    args = parser.parse_args()

    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, minimum of {args.runs}")
    baseline, _ = measure(["/usr/lib/llvm-22/bin/mlir-opt", "--version"], args.runs)
    print(f"\n{'process':<52}{'min ms':>8}{'median':>8}{'max':>8}{'ratio':>7}")

    def row(name: str, times: list) -> None:
        ratio = min(times) / min(baseline)
        print(f"{name:<52}{min(times):>8.1f}{statistics.median(times):>8.1f}{max(times):>8.1f}{ratio:>7.2f}")

    row("mlir-opt --version (loads libMLIR)", baseline)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder) / "k.ptx"
        for kernel in ("hgemm.mlir", "hgemm_instructions.mlir"):
            command = [args.bin / "tirx-compile", ROOT / "examples" / kernel,
                       "--target=sm_100a", "--emit=ptx", "-o", ptx]
            times, _ = measure(command, args.runs)
            row(f"tirx-compile {kernel} --emit=ptx", times)
            failed |= min(times) > LIMIT_MS
            _, text = measure([*command, "--time"], args.runs)
            for part, ms in re.findall(r"(?m)^(\w[\w ]*?) +([0-9.]+) ms", text):
                print(f"    {part:<48}{float(ms):>8.1f}")
        run = [args.bin / "tirx-run", ROOT / "examples/hgemm.json", "--on=sim"]
        times, _ = measure(run, args.runs)
        row("tirx-run examples/hgemm.json (compiles and simulates)", times)
    if failed:
        print(f"slower than {LIMIT_MS} ms of process time to PTX")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
