#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GEMM for sm_90a against cuBLAS (through torch), on the GPU of this machine.

  python benchmarks/gemm.py [--samples 40] [--dtype bf16] [--cluster 1]

Every sample of the kernel follows one of torch.matmul, so that both run at the same
clock; what is printed is the median time of each and their ratio (above 1: the kernel
is faster). Results are compared with cuBLAS before they are timed. Needs an H100 or H200
and torch; without them it says so and measures nothing.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import sys
from typing import Any, Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

SHAPES = [(4096, 4096, 4096), (8192, 8192, 8192), (8192, 8192, 1024)]
LAUNCHES = 10  # of a sample
TOLERANCE = {"bf16": 1.6e-2, "f16": 2e-3}


def why_not() -> str:
    """Why nothing can be measured here, or ""."""
    try:
        import torch
    except ImportError:
        return "torch is not installed"
    if not torch.cuda.is_available():
        return "torch finds no GPU"
    major, minor = torch.cuda.get_device_capability()
    if major != 9:
        return f"expected a GPU of compute capability 9.0, got {major}.{minor}"
    return ""


def milliseconds(function: Callable[[], Any]) -> float:
    """The time of one launch, over several."""
    import torch

    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(LAUNCHES):
        function()
    end.record()
    end.synchronize()
    elapsed: float = begin.elapsed_time(end)
    return elapsed / LAUNCHES


def measure(shape: tuple[int, int, int], dtype: str, cluster: int, samples: int) -> bool:
    """Prints one row; returns whether the result is right."""
    import torch

    from tirx.kernels.gemm_sm90a import gemm

    m, n, k = shape
    kind = torch.bfloat16 if dtype == "bf16" else torch.float16
    generator = torch.Generator("cuda").manual_seed(0)
    a, b = (torch.randn(rows, k, device="cuda", dtype=kind, generator=generator) for rows in (m, n))
    ours = torch.full((m, n), float("nan"), device="cuda", dtype=kind)
    theirs = torch.empty_like(ours)
    sms = torch.cuda.get_device_properties(0).multi_processor_count
    kernel = gemm(m, n, k, dtype=dtype, cluster=cluster, ctas=sms)

    def run_ours() -> None:
        kernel(a, b, ours)

    def run_theirs() -> None:
        torch.matmul(a, b.T, out=theirs)

    run_ours()
    run_theirs()
    torch.cuda.synchronize()
    error = ((ours.float() - theirs.float()).abs().max() / theirs.float().abs().max()).item()
    is_right = error <= TOLERANCE[dtype]  # false for NaN, too
    for function in (run_theirs, run_ours):  # warm clocks and caches
        milliseconds(function)
    pairs = [(milliseconds(run_theirs), milliseconds(run_ours)) for _ in range(samples)]
    reference, time = (statistics.median(column) for column in zip(*pairs))
    flops = 2 * m * n * k / 1e9
    print(f"{f'{m}x{n}x{k}':<18}{reference * 1e3:>11.1f}{time * 1e3:>11.1f}{flops / reference:>10.0f}"
          f"{flops / time:>10.0f}{reference / time:>9.3f}{error:>11.2g}  "
          f"{'PASS' if is_right else 'FAIL'}")
    return is_right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=40)
    parser.add_argument("--dtype", choices=sorted(TOLERANCE), default="bf16")
    parser.add_argument("--cluster", type=int, default=1, help="CTAs that share B")
    args = parser.parse_args()
    if args.samples < 1:
        parser.error(f"--samples: expected a positive number, got {args.samples}")
    if reason := why_not():
        print(f"benchmarks/gemm.py: nothing measured, {reason}")
        return 0
    import torch

    print(f"{torch.cuda.get_device_name()}, {args.dtype}, torch {torch.__version__}, "
          f"{args.samples} interleaved samples of {LAUNCHES} launches")
    print(f"{'shape':<18}{'cuBLAS us':>11}{'tirx us':>11}{'TFLOP/s':>10}{'TFLOP/s':>10}{'ratio':>9}"
          f"{'error':>11}")
    results = [measure(shape, args.dtype, args.cluster, args.samples) for shape in SHAPES]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
