# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of tirx.kernels against NumPy, in every mode, at sizes that fit no tile."""

import ml_dtypes
import numpy as np
import pytest

import tirx.lite as txl
from tirx.kernels.histogram import histogram
from tirx.kernels.reduction import reduction
from tirx.kernels.rms_norm import rms_norm
from tirx.kernels.softmax import softmax
from tirx.kernels.transpose import transpose
from tirx.kernels.vector_add import vector_add

MODES = ["eager", "lazy", "random"]
TYPES = {"f32": (txl.f32, np.float32, 1e-5), "f16": (txl.f16, np.float16, 2e-3),
         "bf16": (txl.bf16, ml_dtypes.bfloat16, 1.6e-2)}
modes = pytest.mark.parametrize("mode", MODES)
types = pytest.mark.parametrize("dtype", TYPES)


def normal(shape, dtype, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def close(actual, expected, tolerance):
    scale = np.maximum(np.abs(expected), 1e-3 + np.abs(expected).mean())
    return (np.abs(actual.astype(np.float64) - expected) <= tolerance * scale).all()


@modes
@types
@pytest.mark.parametrize("n, warps", [(1, 1), (1037, 4), (4096, 2), (7, 8)])
def test_vector_add(n, warps, dtype, mode):
    kind, numpy_type, _ = TYPES[dtype]
    a, b = normal(n, numpy_type), normal(n, numpy_type, 2)
    out = np.zeros_like(a)
    vector_add(kind, warps).simulate(a, b, out, n, mode=mode)
    assert (out == a + b).all()


@modes
@types
@pytest.mark.parametrize("op", ["sum", "max", "min"])
@pytest.mark.parametrize("rows, columns, warps", [(3, 1, 2), (2, 333, 4), (1, 1000, 1)])
def test_reduction(rows, columns, warps, op, dtype, mode):
    kind, numpy_type, _ = TYPES[dtype]
    a = normal((rows, columns), numpy_type)
    out = np.zeros(rows, np.float32)
    reduction(kind, op, warps).simulate(a, out, columns, mode=mode)
    wide = a.astype(np.float64)
    expected = getattr(wide, op)(axis=1)
    if op == "sum":
        assert (np.abs(out - expected) <= 1e-6 * np.abs(wide).sum(axis=1)).all()
    else:
        assert (out == expected).all()


@modes
@types
@pytest.mark.parametrize("rows, columns, warps", [(3, 1, 2), (2, 333, 4), (1, 1000, 1)])
def test_softmax(rows, columns, warps, dtype, mode):
    kind, numpy_type, tolerance = TYPES[dtype]
    a = normal((rows, columns), numpy_type) * numpy_type(8)
    a[0, :] -= numpy_type(100)
    out = np.zeros_like(a)
    softmax(kind, warps).simulate(a, out, columns, mode=mode)
    wide = a.astype(np.float64)
    expected = np.exp(wide - wide.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    assert close(out, expected, tolerance)


@modes
@types
@pytest.mark.parametrize("rows, columns, warps", [(3, 1, 2), (2, 333, 4), (1, 1000, 1)])
def test_rms_norm(rows, columns, warps, dtype, mode):
    kind, numpy_type, tolerance = TYPES[dtype]
    a, weight = normal((rows, columns), numpy_type), normal(columns, numpy_type, 2)
    out = np.zeros_like(a)
    rms_norm(kind, 1e-5, warps).simulate(a, weight, out, columns, mode=mode)
    wide = a.astype(np.float64)
    expected = wide / np.sqrt((wide * wide).mean(axis=1, keepdims=True) + 1e-5) * weight.astype(float)
    assert close(out, expected, tolerance)


@modes
@pytest.mark.parametrize("kind, numpy_type", [(txl.f32, np.float32), (txl.f16, np.float16),
                                              (txl.u16, np.uint16), (txl.i64, np.int64)])
@pytest.mark.parametrize("rows, columns, warps", [(1, 1, 1), (37, 65, 4), (64, 33, 8)])
def test_transpose(rows, columns, warps, kind, numpy_type, mode):
    a = np.random.default_rng(3).integers(0, 99, (rows, columns)).astype(numpy_type)
    out = np.zeros((columns, rows), numpy_type)
    transpose(kind, warps).simulate(a, out, rows, columns, mode=mode)
    assert (out == a.T).all()


@modes
@pytest.mark.parametrize("n, bins, warps", [(1, 1, 1), (3001, 77, 4), (5000, 512, 8)])
def test_histogram(n, bins, warps, mode):
    values = np.random.default_rng(4).integers(0, bins + 5, n).astype(np.uint32)
    counts = np.ones(bins, np.uint32)
    histogram(bins, warps, per_thread=5).simulate(values, counts, n, mode=mode)
    assert (counts == 1 + np.bincount(values, minlength=bins)[:bins]).all()


@pytest.mark.parametrize("make, message", [
    (lambda: vector_add(txl.f32, 0), "warps: expected a positive integer, got 0"),
    (lambda: reduction(txl.f32, "mean"), "op: expected 'sum', 'max' or 'min', got 'mean'"),
    (lambda: transpose(txl.f32, 5), "warps: expected a divisor of 32, got 5"),
    (lambda: histogram(20000), "bins: expected at most 12288, got 20000")])
def test_factories_that_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
