# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps copies by TMA: random tensors, regions, layouts and element types.

tirx-run encodes the tensor maps from the kernel's metadata. TIRX_SWEEP=N sets
the number of random kernels (a third of it is taken here).
"""

from __future__ import annotations

import os
import pathlib
import random

import numpy as np
import pytest

from harness import BIN, compile_ptx, run, write_launch
from tma import BITS, Transfer, random_transfer, write_kernel

COUNT = int(os.environ.get("TIRX_SWEEP", "300")) // 3
SHARED_LIMIT = 200 * 1024


def cases(count: int) -> list[Transfer]:
    rng = random.Random(90210)
    found: dict[str, Transfer] = {}
    while len(found) < count:
        t = random_transfer(rng)
        if t.bytes <= SHARED_LIMIT:
            found[t.name] = t
    return list(found.values())


def save_bits(path: pathlib.Path, array: np.ndarray, dtype: str) -> None:
    np.save(path, array.astype(f"u{BITS[dtype] // 8}"))


@pytest.mark.parametrize("t", cases(COUNT), ids=lambda t: t.name)
def test_random_region(t: Transfer, tmp_path: pathlib.Path) -> None:
    source, ptx = tmp_path / "k.mlir", tmp_path / "k.ptx"
    target = random.Random(t.name).choice(["sm_90a", "sm_100a"])
    source.write_text(write_kernel(t, target))
    run(BIN / "tirx-compile", source, "--emit=ptx", "-o", ptx)

    # Distinct bits in each element, as far as the type has them; no NaN patterns
    # matter, as nothing computes.
    total = int(np.prod(t.tensor))
    a = (np.arange(1, total + 1, dtype=np.uint64) % (1 << min(BITS[t.dtype], 32))).reshape(t.tensor)
    old = np.zeros_like(a)
    flat = np.zeros((t.ctas, *t.region), a.dtype)
    want = old.copy()
    for cta in range(t.ctas):
        window = tuple(slice(s, s + r) for s, r in zip(t.start(cta), t.region))
        flat[cta] = a[window]
        want[window] = a[window]

    save_bits(tmp_path / "A.npy", a, t.dtype)
    save_bits(tmp_path / "D.npy", old, t.dtype)
    buffers = {
        "A": {"dtype": t.dtype, "shape": list(t.tensor), "file": "A.npy"},
        "F": {"dtype": t.dtype, "shape": list(flat.shape), "fill": 0, "out": "F_out.npy"},
        "D": {"dtype": t.dtype, "shape": list(t.tensor), "file": "D.npy", "out": "D_out.npy"},
    }
    launch = write_launch(tmp_path, {
        "kernel": "k.ptx", "grid": [t.ctas, 1, 1], "buffers": buffers,
        "args": [{"buffer": name} for name in "AFD"],
    })
    bits = f"u{BITS[t.dtype] // 8}"
    for mode in ("eager", "lazy"):
        run(BIN / "tirx-run", launch, "--on=sim", f"--async={mode}", "--uninit=error")
        np.testing.assert_array_equal(np.load(tmp_path / "F_out.npy").view(bits), flat.astype(bits))
        np.testing.assert_array_equal(np.load(tmp_path / "D_out.npy").view(bits), want.astype(bits))
