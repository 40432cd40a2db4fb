#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs all steps of the ladder on the simulator and prints a table.

  python examples/ladder/run.py                 all steps, all sizes, all modes
  python examples/ladder/run.py step4_tma       one step

A row says how long Python takes to PTX and, for the largest size, what the simulator
counted. `exact` means: equal to NumPy bit for bit, on small integers.
"""

import importlib
import pathlib
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python")]
MODES = ["eager", "lazy", "random"]


def steps():
    return sorted(path.stem for path in HERE.glob("*_*.py"))


def problem(M, N, K, seed=0):
    """Small integers, whose products and sums are exact in f16 and f32."""
    random = np.random.default_rng(seed)
    a = random.integers(-2, 3, (M, K)).astype(np.float16)
    b = random.integers(-2, 3, (N, K)).astype(np.float16)
    return a, b, (a.astype(np.float32) @ b.astype(np.float32).T).astype(np.float16)


def check(kernel, size, mode, seed=1, **options):
    """Whether the kernel computes the product, and what the simulator counted."""
    a, b, want = problem(*size)
    d = np.zeros(want.shape, np.float16)
    result = kernel.simulate(a, b, d, mode=mode, seed=seed, **options)
    return np.array_equal(d, want), result


def main(names):
    print(f"{'step':<22}{'chip':<9}{'compile ms':>11}  {'size':<15}{'eager':<7}{'lazy':<7}random")
    wrong = 0
    for name in names or steps():
        module = importlib.import_module(name)
        for size in module.SIZES:
            start = time.perf_counter()
            kernel = module.build(*size)
            kernel.compile()
            elapsed = (time.perf_counter() - start) * 1e3
            exact = [check(kernel, size, mode)[0] for mode in MODES]
            wrong += exact.count(False)
            shown = "".join(f"{'exact' if e else 'WRONG':<7}" for e in exact)
            print(f"{name:<22}{kernel.target:<9}{elapsed:>11.1f}  "
                  f"{'x'.join(map(str, size)):<15}{shown}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
