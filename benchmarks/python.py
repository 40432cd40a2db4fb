#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the Python front end costs: import, tracing, compilation, the cache.

Milliseconds of CPU (user and system) of the process, so that neighbours on the machine
count little; median, least and greatest of RUNS. In-process figures are those of a
process that has imported `tirx.lite` and compiled once. Prints each aim beside its
figure and fails when one is missed.

With Triton installed (`python3 -m venv build/venv-triton && build/venv-triton/bin/pip
install triton==3.9.0`, or $TIRX_TRITON_PYTHON) and ptxas at hand, the time of its
matmul to a cubin for sm_90a stands beside ours, both warm and by the same ptxas.
"""

from __future__ import annotations

import argparse
import functools
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from typing import Any, Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
GEMM = ROOT / "examples/seed_002_gemm.py"

AIM_IMPORT_MS = 100.0  # `import tirx`, beyond the interpreter
AIM_PTX_MS = 60.0  # Python to PTX of the seed's GEMM
AIM_CACHED_MS = 5.0  # the same from the cache
AIM_OP_US = 20.0  # tracing one op of the IR
AIM_RATIO = 5.0  # Triton's matmul over ours, Python to cubin


class Table:
    """Rows of figures, and whether all aims are met."""

    def __init__(self) -> None:
        self.missed: list[str] = []
        print(f"{'':<52}{'median':>9}{'least':>9}{'greatest':>9}  aim")

    def row(self, name: str, samples: list[float], unit: str, aim: float | None = None) -> float:
        median = statistics.median(samples)
        figures = "".join(f"{v:>9.2f}" for v in (median, min(samples), max(samples)))
        said = "" if aim is None else f"  <= {aim:g} {unit}"
        print(f"{name + ', ' + unit:<52}{figures}{said}", flush=True)
        if aim is not None and median > aim:
            self.missed.append(f"{name}: {median:.2f} {unit}, aim {aim:g}")
        return median


def cpu_ms(function: Callable[[], Any]) -> float:
    """CPU time of a call, with that of processes it waits for."""
    def spent() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    start = spent()
    function()
    return (spent() - start) * 1e3


def process_ms(code: str, runs: int, python: str = sys.executable) -> list[float]:
    """CPU time of whole interpreters."""
    return [cpu_ms(lambda: subprocess.run([python, "-c", code], check=True)) for _ in range(runs)]


@functools.lru_cache(maxsize=None)
def bytecode(path: pathlib.Path) -> Any:
    return compile(path.read_text(), str(path), "exec")


def trace(path: pathlib.Path, name: str) -> Any:
    """Runs a file that defines a kernel, which traces it. Python's own compilation of the
    file does not count: of a module that is imported it is kept."""
    scope = {"__name__": "traced"}
    exec(bytecode(path), scope)
    return scope[name]


def measure_import(table: Table, runs: int) -> None:
    bare = statistics.median(process_ms("pass", runs))
    for module, aim in (("tirx", AIM_IMPORT_MS), ("tirx.lite", None)):
        times = [t - bare for t in process_ms(f"import {module}", runs)]
        table.row(f"import {module}", times, "ms", aim)


def measure_compilation(table: Table, runs: int) -> None:
    kernel = trace(GEMM, "gemm")
    kernel.source()
    operations = kernel.func.count(" loc(#l")
    tracing = [cpu_ms(lambda: trace(GEMM, "gemm")) for _ in range(runs)]
    per_op = [t * 1e3 / operations for t in tracing]
    table.row(f"tracing the seed's GEMM ({operations} ops)", tracing, "ms")
    table.row("tracing one op", per_op, "us", AIM_OP_US)
    os.environ["TIRX_CACHE"] = "0"
    times = [cpu_ms(lambda: trace(GEMM, "gemm").source()) for _ in range(runs)]
    table.row("Python to PTX", times, "ms", AIM_PTX_MS)
    os.environ["TIRX_CACHE"] = "1"
    trace(GEMM, "gemm").source()
    times = [cpu_ms(lambda: trace(GEMM, "gemm").source()) for _ in range(runs)]
    table.row("Python to PTX from the cache", times, "ms", AIM_CACHED_MS)
    times = []
    for _ in range(runs):
        kernel = trace(GEMM, "gemm")
        times.append(cpu_ms(kernel.source))
    table.row("of that, the cache", times, "ms")


TRITON = textwrap.dedent("""
    import resource, sys, time
    sys.path.insert(0, sys.argv[1])
    import triton
    import triton_kernels as k

    def spent():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    constants = {"BM": 128, "BN": 256, "BK": 64}
    kernel = k.tensor_gemm
    constexprs = {(kernel.arg_names.index(n),): v for n, v in constants.items()}
    signature = {**k.GEMM, **{n: "constexpr" for n in constants}}
    attributes = {(i,): [["tt.divisibility", 16]] for i in range(6)}
    for run in range(int(sys.argv[2]) + 1):
        start = spent()
        source = k.ASTSource(fn=kernel, signature=signature, constexprs=constexprs,
                             attrs=attributes)
        made = triton.compile(source, target=k.GPUTarget("cuda", 90, 32),
                              options={"num_warps": 8, "num_stages": 3})
        assert made.asm["cubin"]
        if run:  # the first one warms it up
            print((spent() - start) * 1e3)
""")


def triton_times(python: str, runs: int) -> list[float]:
    from tirx.runtime import cache

    ptxas = cache.find_ptxas({})
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "TRITON_CACHE_DIR": folder, "TRITON_ALWAYS_COMPILE": "1"}
        if ptxas:
            env["TRITON_PTXAS_PATH"] = ptxas
        done = subprocess.run([python, "-c", TRITON, str(ROOT / "test/PTX/corpus"), str(runs)],
                              env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"triton: {done.stderr[-2000:]}")
    return [float(line) for line in done.stdout.split()]


def measure_cubin(table: Table, runs: int, python: str) -> None:
    """The fast product of sm_90a, and Triton's."""
    from tirx.kernels import gemm_sm90a

    os.environ["TIRX_CACHE"] = "0"
    kernel = gemm_sm90a.gemm(4096, 4096, 4096)
    operations = kernel.func.count(" loc(#l")
    times = [cpu_ms(lambda: gemm_sm90a.gemm(4096, 4096, 4096)) for _ in range(runs)]
    table.row(f"tracing gemm_sm90a ({operations} ops)", times, "ms")
    times = [cpu_ms(lambda: gemm_sm90a.gemm(4096, 4096, 4096).source()) for _ in range(runs)]
    table.row("gemm_sm90a, Python to PTX", times, "ms")
    ours = [cpu_ms(lambda: gemm_sm90a.gemm(4096, 4096, 4096).source("cubin")) for _ in range(runs)]
    median = table.row("gemm_sm90a, Python to cubin", ours, "ms")
    if not os.path.exists(python):
        print("no Triton: nothing to set beside it")
        return
    theirs = table.row("Triton's matmul (TMA), Python to cubin", triton_times(python, runs), "ms")
    print(f"{'ratio':<52}{theirs / median:>9.1f}{'':>18}  >= {AIM_RATIO:g}")
    if theirs / median < AIM_RATIO:
        table.missed.append(f"Triton over ours: {theirs / median:.1f}, aim {AIM_RATIO:g}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--triton", default=os.environ.get(
        "TIRX_TRITON_PYTHON", str(ROOT / "build/venv-triton/bin/python")), metavar="PYTHON")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT / "python"))
    os.environ["PYTHONPATH"] = str(ROOT / "python")
    from tirx.runtime import cache

    with tempfile.TemporaryDirectory() as folder:
        os.environ["TIRX_CACHE_DIR"] = folder
        table = Table()
        measure_import(table, args.runs)
        measure_compilation(table, args.runs)
        if cache.find_ptxas({}):
            measure_cubin(table, args.runs, args.triton)
        else:
            print("no ptxas: no cubin")
    for text in table.missed:
        print(f"missed: {text}")
    return int(bool(table.missed))


if __name__ == "__main__":
    sys.exit(main())
