# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GEMM of Ampere against NumPy: tiles that are cut off, rings, arrangements of warps."""

import shutil
import subprocess

import ml_dtypes
import numpy as np
import pytest

from tirx.kernels.gemm_sm80 import gemm

MODES = ["eager", "lazy", "random"]
TYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
SMALL = {"tile_m": 64, "tile_n": 64, "warps_m": 2, "warps_n": 2}
CASES = [
    # M, N, K and options
    (64, 64, 32, {**SMALL, "stages": 2}),  # one tile, one step
    (100, 131, 72, {**SMALL, "stages": 3, "dtype": "f16"}),  # rows of D that are odd
    (33, 50, 264, {"tile_m": 32, "tile_n": 32, "tile_k": 16, "warps_m": 1, "warps_n": 2,
                   "stages": 2, "group": 1}),
    (1, 1, 8, {"tile_m": 16, "tile_n": 16, "warps_m": 1, "warps_n": 1, "dtype": "f16"}),
    (97, 80, 200, {"tile_m": 48, "tile_n": 80, "warps_m": 3, "warps_n": 1, "tile_k": 64,
                   "stages": 3, "group": 2}),  # copies that not all threads take part in
    (130, 200, 136, {}),  # the default tile
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


@pytest.mark.parametrize("options, message", [
    ({"K": 100}, "K a multiple of 8 (rows of 16 bytes, which cp.async needs), got 100"),
    ({"tile_m": 48}, "tile_m a multiple of 32, 16 rows for each of warps_m, got 48"),
    ({"tile_n": 96}, "tile_n a multiple of 64, 16 columns for each of warps_n, got 96"),
    ({"stages": 1}, "at least 2 stages, got 1"),
    ({"stages": 7}, "stages that fit 101376 bytes of shared memory, got 7 stages"),
    ({"warps_m": 16}, "at most 32 warps, got 64"),
    ({"dtype": "f32"}, "dtype 'bf16' or 'f16', got 'f32'"),
])
def test_what_is_refused(options, message):
    with pytest.raises(ValueError) as error:
        gemm(**{"M": 256, "N": 256, "K": 64, **options})
    assert message in str(error.value)


def test_default_target_is_the_first_chip_that_has_cp_async():
    assert gemm(128, 128, 64).target == "sm_80"


@pytest.mark.skipif(not shutil.which("ptxas"), reason="needs ptxas")
def test_ptxas_does_not_spill(tmp_path):
    ptx = tmp_path / "gemm.ptx"
    ptx.write_text(gemm(4096, 4096, 4096).source("ptx"))
    said = subprocess.run(
        ["ptxas", "-arch=sm_80", "-v", str(ptx), "-o", str(tmp_path / "gemm.cubin")],
        capture_output=True, text=True, check=True).stderr
    assert "0 bytes spill stores, 0 bytes spill loads" in said
