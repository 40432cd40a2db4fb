#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of tirx.kernels at sizes that fit no tile, beside NumPy.

  python examples/kernels.py                     all of them, on the simulator
  python examples/kernels.py softmax transpose   these
  python examples/kernels.py --on gpu            on the first GPU (those that it can run)
  python examples/kernels.py --mode lazy         asynchronous copies as late as allowed
"""

import argparse
import pathlib
import sys
from typing import Any, Callable

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import tirx.lite as txl  # noqa: E402
from tirx.kernels import gemm_sm80, gemm_sm90a, gemm_sm100a  # noqa: E402
from tirx.kernels.attention_sm90 import attention  # noqa: E402
from tirx.kernels.histogram import histogram  # noqa: E402
from tirx.kernels.reduction import reduction  # noqa: E402
from tirx.kernels.rms_norm import rms_norm  # noqa: E402
from tirx.kernels.softmax import softmax  # noqa: E402
from tirx.kernels.transpose import transpose  # noqa: E402
from tirx.kernels.vector_add import vector_add  # noqa: E402

# A kernel, its arguments, the number of the one that it writes, what NumPy expects, and
# the greatest difference relative to the largest element.
Case = tuple[Any, list[Any], int, Any, float]


def normal(*shape: int, seed: int = 1, dtype: Any = np.float32) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def case_vector_add() -> Case:
    a, b = normal(1037), normal(1037, seed=2)
    return vector_add(), [a, b, np.zeros_like(a), a.size], 2, a + b, 0.0


def case_reduction() -> Case:
    a = normal(5, 777)
    return reduction(), [a, np.zeros(5, np.float32), 777], 1, a.sum(1, dtype=np.float64), 1e-6


def case_softmax() -> Case:
    a = normal(5, 777) * 8
    wide = np.exp(a.astype(np.float64) - a.max(1, keepdims=True))
    return softmax(), [a, np.zeros_like(a), 777], 1, wide / wide.sum(1, keepdims=True), 1e-5


def case_rms_norm() -> Case:
    a, weight = normal(5, 777), normal(777, seed=2)
    wide = a.astype(np.float64)
    want = wide / np.sqrt((wide * wide).mean(1, keepdims=True) + 1e-6) * weight
    return rms_norm(), [a, weight, np.zeros_like(a), 777], 2, want, 1e-5


def case_transpose() -> Case:
    a = normal(67, 129)
    return transpose(), [a, np.zeros((129, 67), np.float32), 67, 129], 1, a.T, 0.0


def case_histogram() -> Case:
    values = np.random.default_rng(3).integers(0, 256, 5000).astype(np.uint32)
    want = np.bincount(values, minlength=256)
    return histogram(), [values, np.zeros(256, np.uint32), values.size], 1, want, 0.0


M, N, K = 200, 264, 136  # of the products


def product(kernel: Any, *shape: int) -> Case:
    """`shape`: what a kernel that is made for no shape takes besides."""
    a, b = normal(M, K, dtype=np.float16), normal(N, K, seed=2, dtype=np.float16)
    want = a.astype(np.float64) @ b.astype(np.float64).T
    return kernel, [a, b, np.zeros((M, N), np.float16), *shape], 2, want, 2.0**-11


def case_attention() -> Case:
    m, n, width = 100, 137, 64
    q = normal(1, 2, m, width, dtype=np.float16)
    k, v = (normal(1, 2, n, width, seed=seed, dtype=np.float16) for seed in (2, 3))
    scores = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 1, 3, 2) / np.sqrt(width)
    seen = np.arange(n) <= np.arange(m)[:, None] + n - m
    weights = np.where(seen, np.exp(scores - scores.max(-1, keepdims=True)), 0)
    want = weights / weights.sum(-1, keepdims=True) @ v.astype(np.float64)
    kernel = attention(txl.f16, width, causal=True, block=64, consumers=1)
    return kernel, [q, k, v, np.zeros_like(q), m, n], 3, want, 2e-3


CASES: dict[str, Callable[[], Case]] = {
    "vector_add": case_vector_add,
    "reduction": case_reduction,
    "softmax": case_softmax,
    "rms_norm": case_rms_norm,
    "transpose": case_transpose,
    "histogram": case_histogram,
    "gemm_sm80": lambda: product(gemm_sm80.gemm(M, N, K, dtype="f16")),
    "gemm_sm90a": lambda: product(
        gemm_sm90a.gemm(M, N, K, dtype="f16", cluster=2, tile_n=128)),
    "gemm_sm100a": lambda: product(gemm_sm100a.gemm(txl.f16), M, N, K),
    "attention_sm90": case_attention,
}


def run(name: str, on: str, mode: str) -> bool:
    """Runs a kernel, prints its error, and says whether that is small enough."""
    kernel, arguments, output, want, tolerance = CASES[name]()
    kernel.run(*arguments, on=on, **({"mode": mode} if on == "sim" else {}))
    error = float(np.abs(arguments[output].astype(np.float64) - want).max() / np.abs(want).max())
    passed = error <= tolerance  # not for NaN
    print(f"{name:<14} {kernel.target:<7} error {error:.1e}, at most {tolerance:.1e}  "
          f"{'PASS' if passed else 'FAIL'}", flush=True)
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", metavar="kernel", help=", ".join(CASES))
    parser.add_argument("--on", choices=["sim", "gpu"], default="sim")
    parser.add_argument("--mode", choices=["eager", "lazy", "random"], default="eager")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in CASES:
            parser.error(f"expected kernels among {', '.join(CASES)}, got {name!r}")
    results = []
    for name in arguments.names or CASES:
        try:
            results.append(run(name, arguments.on, arguments.mode))
        except (RuntimeError, txl.SimulationError, txl.CompileError) as error:
            print(f"{name:<14} FAIL: {error}", flush=True)
            results.append(False)
    print("PASS" if all(results) else "FAIL")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
