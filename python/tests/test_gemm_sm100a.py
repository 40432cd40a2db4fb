# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GEMM for sm_100a against NumPy in every mode, at shapes that fit no tile."""

import ml_dtypes
import numpy as np
import pytest

import tirx.lite as txl
from tirx.kernels.gemm_sm100a import gemm

TYPES = {"f16": (txl.f16, np.float16), "bf16": (txl.bf16, ml_dtypes.bfloat16)}


def product(kernel, dtype, m, n, k, **options):
    """Of small integers, whose products and sums are exact in f32: D and what it should be."""
    generator = np.random.default_rng(m + n + k)
    a = generator.integers(-3, 4, (m, k)).astype(dtype)
    b = generator.integers(-3, 4, (n, k)).astype(dtype)
    d = np.full((m, n), 99, dtype)
    kernel.simulate(a, b, d, m, n, k, **options)
    return d, (a.astype(np.float32) @ b.astype(np.float32).T).astype(dtype)


@pytest.mark.parametrize("mode", ["eager", "lazy", "random"])
@pytest.mark.parametrize("dtype, tiles, shape", [
    ("bf16", {"columns": 64, "stages": 2, "ctas": 2}, (200, 136, 200)),
    ("f16", {}, (300, 520, 264)),
    ("bf16", {"columns": 192, "stages": 3, "ctas": 1, "l2_group": 1}, (257, 392, 72)),
    ("f16", {"columns": 128, "stages": 1, "ctas": 3, "l2_group": 2}, (640, 264, 136)),
    ("bf16", {"columns": 64, "stages": 4}, (1, 8, 8))])
def test_gemm_sm100a(dtype, tiles, shape, mode):
    kind, numpy_type = TYPES[dtype]
    d, expected = product(gemm(kind, **tiles), numpy_type, *shape, mode=mode)
    assert (d == expected).all()


def test_a_ring_that_is_given_back_early_shows_in_lazy(monkeypatch):
    """The comparison can fail: stages that are filled again before their MMAs are done."""
    from tirx.lite import pipelines

    monkeypatch.setitem(pipelines._KINDS, "tcgen05", lambda *a, **k: _Early(*a, **k))
    kernel = gemm(txl.bf16, 64, 1, ctas=1)
    monkeypatch.undo()
    try:
        d, expected = product(kernel, ml_dtypes.bfloat16, 64, 64, 192, mode="lazy")
    except txl.SimulationError:
        return
    assert not (d == expected).all()


class _Early(txl.MBarrier):
    """An arrival of the thread itself instead of its MMAs."""


@pytest.mark.parametrize("options, message", [
    ({"dtype": txl.f32}, "dtype: expected f16 or bf16, got f32"),
    ({"columns": 96}, "columns: expected a positive multiple of 64, got 96"),
    ({"columns": 320}, "columns: expected at most 256, got 320"),
    ({"stages": 6}, "stages: expected at most 232448 bytes of shared memory, 6 stages take 327840"),
    ({"ctas": 0}, "ctas: expected a positive integer, got 0")])
def test_tiles_that_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        gemm(**options)
