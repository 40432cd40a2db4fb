# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GEMM of Hopper against NumPy: tiles that are cut off, rings, clusters, both stores."""

import shutil
import subprocess

import ml_dtypes
import numpy as np
import pytest

import tirx.lite as txl
from tirx.kernels.gemm_sm90a import gemm

MODES = ["eager", "lazy", "random"]
TYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
CASES = [
    # M, N, K and options
    (128, 64, 64, {"tile_n": 64, "stages": 2}),  # one tile, one step
    (200, 136, 200, {"tile_n": 64, "stages": 3, "ctas": 3}),  # cut off on all sides
    (200, 136, 72, {"tile_n": 64, "stages": 1, "ctas": 1}),  # every stage is used again at once
    (300, 200, 136, {"tile_n": 128, "stages": 2, "ctas": 4, "cluster": 2, "group": 1}),
    (520, 72, 40, {"tile_n": 32, "stages": 2, "ctas": 4, "cluster": 4, "dtype": "f16"}),
    (100, 131, 72, {"tile_n": 48, "tile_k": 32, "tile_m": 64, "stages": 2, "ctas": 2}),  # no TMA store
    (65, 264, 24, {"tile_n": 96, "tile_k": 16, "tile_m": 64, "stages": 4, "dtype": "f16"}),
    (130, 520, 128, {"stages": 3}),  # the default tile of 128 x 256
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("M, N, K, options", CASES)
def test_product(M, N, K, options, mode):
    """Small integers, whose sums are exact in f32; D starts as NaN."""
    dtype = TYPES[options.get("dtype", "bf16")]
    random = np.random.default_rng(M + N + K)
    a = random.integers(-2, 3, (M, K)).astype(dtype)
    b = random.integers(-2, 3, (N, K)).astype(dtype)
    d = np.full((M, N), np.nan, dtype)
    gemm(M, N, K, **options).simulate(a, b, d, mode=mode, seed=3)
    want = (a.astype(np.float32) @ b.astype(np.float32).T).astype(dtype)
    assert np.array_equal(d.astype(np.float32), want.astype(np.float32))


def test_values_that_round():
    M, N, K = 130, 80, 264
    random = np.random.default_rng(5)
    a, b = (random.standard_normal(s).astype(ml_dtypes.bfloat16) for s in ((M, K), (N, K)))
    d = np.zeros((M, N), ml_dtypes.bfloat16)
    gemm(M, N, K, tile_n=80, stages=2).simulate(a, b, d)
    want = a.astype(np.float64) @ b.astype(np.float64).T
    assert np.abs(d.astype(np.float64) - want).max() < np.abs(want).max() * 2.0**-8


@pytest.mark.parametrize("options, message", [
    ({"K": 100}, "K a multiple of 8 (rows of 16 bytes, which TMA needs), got 100"),
    ({"tile_m": 96}, "tile_m 64 or 128, got 96"),
    ({"tile_n": 264}, "tile_n a multiple of 16 from 16 to 256, got 264"),
    ({"stages": 5}, "stages that fit 232448 bytes of shared memory, got 5 stages"),
    ({"cluster": 3}, "cluster 1, 2 or 4, got 3"),
    ({"dtype": "f32"}, "dtype 'bf16' or 'f16', got 'f32'"),
    ({"M": 0}, "M of at least 1, got 0"),
])
def test_what_is_refused(options, message):
    with pytest.raises(ValueError) as error:
        gemm(**{"M": 256, "N": 256, "K": 64, **options})
    assert message in str(error.value)


@pytest.mark.skipif(not shutil.which("ptxas"), reason="needs ptxas")
@pytest.mark.parametrize("options", [{}, {"cluster": 2}, {"tile_n": 128, "stages": 6}])
def test_ptxas_neither_spills_nor_serialises(options, tmp_path):
    """Warnings C7510 and around say that ptxas gave up on asynchronous wgmma."""
    ptx = tmp_path / "gemm.ptx"
    ptx.write_text(gemm(4096, 4096, 4096, **options).source("ptx"))
    said = subprocess.run(
        ["ptxas", "-arch=sm_90a", "-v", str(ptx), "-o", str(tmp_path / "gemm.cubin")],
        capture_output=True, text=True, check=True).stderr
    assert "0 bytes spill stores, 0 bytes spill loads" in said
    assert "C75" not in said and "warning" not in said


def test_descriptor_of_a_stage_needs_a_known_step():
    with pytest.raises(txl.TraceError, match="mma_k: expected"):
        @txl.kernel(warps=4, arch="sm_90a")
        def k():
            tile = txl.smem_pool().alloc((2, 64, 64), "float16", swizzle=txl.SW128B)
            tile[0].mma_desc("K", -1, wgmma=True)


def test_the_benchmark_says_why_nothing_is_measured():
    """Without a GPU, which the empty list of devices makes sure of."""
    import os
    import pathlib
    import subprocess
    import sys

    script = pathlib.Path(__file__).resolve().parents[2] / "benchmarks/gemm.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True,
                          env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
    assert done.returncode == 0, done.stderr
    assert "nothing measured" in done.stdout
