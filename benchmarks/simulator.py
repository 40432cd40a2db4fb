#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of the simulator on one core, beside what it aims at.

Rates come from the program `simulator` in the same folder, each measured RUNS
times (7 by default) with fixed work: median, smallest and largest. The process
time of a vector add of 1,024 elements is the wall time of `tirx-run` from start
to end, minimum of RUNS. Fails when a median (the minimum for the process) misses
its aim.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Counter, unit, divisor, aim.
AIMS = {
    "integer": ("lane_instructions", "10^9 lane instructions/s", 1e9, 0.3),
    "integer_float": ("lane_instructions", "10^9 lane instructions/s", 1e9, 0.3),
    "integer_all_cores": ("lane_instructions", "10^9 lane instructions/s", 1e9, None),
    "memcpy": ("bytes_per_second", "GB/s", 1e9, 1.0),
    "transpose": ("bytes_per_second", "GB/s", 1e9, None),
    "mma_f16": ("multiply_adds", "10^9 multiply-adds/s", 1e9, 1.0),
    "mma_bf16": ("multiply_adds", "10^9 multiply-adds/s", 1e9, 1.0),
}
PROCESS_MS = 10

VECTOR_ADD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c)
{
  .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd4, %r4, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  add.s64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  add.rn.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
  ret;
}
"""

LAUNCH = {
    "kernel": "add.ptx",
    "grid": [8, 1, 1],
    "block": [128, 1, 1],
    "buffers": {
        "a": {"dtype": "f32", "shape": [1024], "random": {"seed": 1, "low": -1, "high": 1}},
        "b": {"dtype": "f32", "shape": [1024], "random": {"seed": 2, "low": -1, "high": 1}},
        "c": {"dtype": "f32", "shape": [1024]},
    },
    "args": [{"buffer": "a"}, {"buffer": "b"}, {"buffer": "c"}],
}


def rates(program: pathlib.Path, runs: int) -> dict:
    done = subprocess.run(
        [program, f"--benchmark_repetitions={runs}", "--benchmark_format=json",
         "--benchmark_min_time=0.1s"],
        capture_output=True, text=True, check=True)
    found: dict = {}
    for row in json.loads(done.stdout)["benchmarks"]:
        if row["run_type"] == "iteration":
            found.setdefault(row["run_name"].split("/")[0], []).append(row)
    return found


def vector_add(tirx_run: pathlib.Path, runs: int) -> list:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "add.ptx").write_text(VECTOR_ADD)
        (path / "add.json").write_text(json.dumps(LAUNCH))
        samples = []
        for _ in range(runs):
            start = time.perf_counter()
            done = subprocess.run([tirx_run, path / "add.json"], capture_output=True, text=True)
            samples.append((time.perf_counter() - start) * 1e3)
            if done.returncode:
                sys.exit(f"tirx-run: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return samples


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--runs", default=7, type=int)
    args = parser.parse_args()

    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {args.runs} runs")
    print(f"\n{'':<28}{'median':>9}{'min':>9}{'max':>9}{'aim':>7}  unit")
    failed = False

    def row(name: str, samples: list, judged: float, aim, unit: str, below: bool) -> bool:
        print(f"{name:<28}{statistics.median(samples):>9.3g}{min(samples):>9.3g}{max(samples):>9.3g}"
              f"{'' if aim is None else aim:>7}  {unit}")
        return aim is not None and (judged > aim if below else judged < aim)

    for name, rows in rates(args.build / "benchmarks/simulator", args.runs).items():
        if name not in AIMS:
            sys.exit(f"expected an aim for {name} in AIMS, got none")
        counter, unit, divisor, aim = AIMS[name]
        samples = [r[counter] / divisor for r in rows]
        failed |= row(name, samples, statistics.median(samples), aim, unit, below=False)
    samples = vector_add(args.build / "bin/tirx-run", args.runs)
    failed |= row("vector add, whole process", samples, min(samples), PROCESS_MS, "ms", below=True)
    if failed:
        print("slower than aimed at")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
