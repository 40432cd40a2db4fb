# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps elementwise ops, casts and copies of tiles in random register layouts.

The result is NumPy's: bit for bit where the op rounds once, within the error that
PTX ISA gives where the hardware approximates.
"""

from __future__ import annotations

import os
import pathlib
import random

import ml_dtypes
import numpy as np
import pytest

from elementwise import Elementwise, random_elementwise, write_kernel
from harness import BIN, run, write_launch

COUNT = int(os.environ.get("TIRX_SWEEP", "300")) // 3
NUMPY = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "i32": np.int32,
         "i16": np.int16, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2}
LAUNCH = {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}
UNIT = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24}
APPROXIMATE = {"exp", "exp2", "log2", "silu"}


def cases(count: int) -> list[Elementwise]:
    rng = random.Random(31337)
    return [random_elementwise(rng) for _ in range(count)]


def reference(e: Elementwise, inputs: list[np.ndarray], x: float) -> np.ndarray:
    """In f64, rounded by the caller."""
    values = [v.astype(np.float64) for v in inputs]
    if e.scalar:
        values.append(np.full(e.shape, x))
    if e.op == "fill":
        return np.full(e.shape, x)
    if e.inputs == 1 and e.op != "cast" and e.scale:
        values[0] = (values[0] * x).astype(np.float32).astype(np.float64)
    return {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
        "fdiv": lambda a, b: a / b, "maximum": np.maximum, "minimum": np.minimum,
        "fma": lambda a, b, c: a * b + c, "sqrt": np.sqrt, "exp": np.exp, "exp2": np.exp2,
        "log2": np.log2, "reciprocal": lambda a: 1 / a, "silu": lambda a: a / (1 + np.exp(-a)),
        "cast": lambda a: a,
    }[e.op](*values)


@pytest.mark.parametrize("e", cases(COUNT), ids=[f"{i}" for i in range(COUNT)])
def test_random_op(e: Elementwise, tmp_path: pathlib.Path) -> None:
    source, ptx = tmp_path / "k.mlir", tmp_path / "k.ptx"
    source.write_text(write_kernel(e))
    run(BIN / "tirx-compile", source, "--emit=ptx", "-o", ptx)

    rng = np.random.default_rng(len(e.name))
    positive = e.op in ("sqrt", "log2", "fdiv", "reciprocal")
    inputs = []
    for _ in range(e.inputs - e.scalar):
        values = rng.integers(1 if positive else -12, 13, e.shape).astype(np.float64)
        if not e.dtype.startswith("i"):
            values += rng.integers(0, 8, e.shape) / 8  # exact in all types
        inputs.append(values.astype(NUMPY[e.dtype]))
    x = 2.0
    buffers, args = {}, []
    for i, array in enumerate(inputs):
        plain = array.view(np.uint16) if e.dtype == "bf16" else array
        np.save(tmp_path / f"A{i}.npy", plain)
        buffers[f"A{i}"] = {"dtype": e.dtype, "shape": list(e.shape), "file": f"A{i}.npy"}
        args.append({"buffer": f"A{i}"})
    buffers["D"] = {"dtype": LAUNCH.get(e.to, e.to), "shape": list(e.shape), "out": "D.npy"}
    args += [{e.dtype: int(x) if e.dtype.startswith("i") else x}, {"buffer": "D"}]
    launch = write_launch(tmp_path, {"kernel": "k.ptx", "buffers": buffers, "args": args})
    run(BIN / "tirx-run", launch, "--on=sim", "--uninit=error")

    got = np.load(tmp_path / "D.npy").view(NUMPY[e.to]).reshape(e.shape).astype(np.float64)
    exact = reference(e, inputs, x)
    if e.to.startswith("i") and e.op == "cast":
        exact = np.trunc(exact)
    if e.op not in APPROXIMATE:
        if e.to == "bf16" or e.to == "f16":
            exact = exact.astype(np.float32)  # f64 to f32 is exact enough to round once more
        np.testing.assert_array_equal(got, exact.astype(NUMPY[e.to]).astype(np.float64))
        return
    # ex2 and lg2 are within 2 ulp and 2^-22; the argument of exp is rounded once.
    arguments = np.abs(inputs[0].astype(np.float64)) * (x if e.scale else 1)
    bound = np.abs(exact) * (2.0**-20 * (1 + arguments) + UNIT[e.to]) + 2.0**-21 + (
        2.0**-24 if e.to == "f16" else 0)
    assert (np.abs(got - exact) <= bound).all()
