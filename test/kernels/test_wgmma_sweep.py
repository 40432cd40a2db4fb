# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps wgmma GEMMs of sm_90a: random tiles, types, layouts and places.

Each kernel compiles, ptxas takes it without a warning or a spill, and the
simulator gives NumPy's product, eager and lazy.
"""

from __future__ import annotations

import os
import pathlib
import random
import shutil

import ml_dtypes
import numpy as np
import pytest

from harness import BIN, run, write_launch
from wgmma import Wgmma, is_legal, random_wgmma, write_kernel

COUNT = int(os.environ.get("TIRX_SWEEP", "300")) // 3
SHARED_LIMIT = 220 * 1024
NUMPY = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "i8": np.int8,
         "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2, "i32": np.int32}
LAUNCH = {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}


def cases(count: int, legal: bool) -> list[Wgmma]:
    rng = random.Random(4242 + legal)
    found: dict[str, Wgmma] = {}
    while len(found) < count:
        g = random_wgmma(rng)
        if is_legal(g) == legal and 2 * g.stage_bytes <= SHARED_LIMIT:
            found[g.name] = g
    return list(found.values())


def assemble(ptx: pathlib.Path) -> None:
    """No serialisation (C75xx) and no spill."""
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    if not pathlib.Path(ptxas).exists():
        return
    done = run(ptxas, "-arch=sm_90a", "-v", ptx, "-o", ptx.with_suffix(".cubin"))
    text = done.stdout + done.stderr
    assert "C75" not in text and "warning" not in text.lower(), text
    assert "0 bytes spill stores, 0 bytes spill loads" in text, text


def save(folder: pathlib.Path, name: str, array: np.ndarray) -> None:
    plain = array.dtype.kind in "if" and array.dtype.isbuiltin == 1
    np.save(folder / f"{name}.npy", array if plain else array.view(f"u{array.dtype.itemsize}"))


@pytest.mark.parametrize("g", cases(COUNT, legal=True), ids=lambda g: g.name)
def test_random_product(g: Wgmma, tmp_path: pathlib.Path) -> None:
    source, ptx = tmp_path / "k.mlir", tmp_path / "k.ptx"
    source.write_text(write_kernel(g))
    run(BIN / "tirx-compile", source, "--emit=ptx", "-o", ptx)
    assemble(ptx)

    rng = np.random.default_rng(len(g.name) + g.n)
    a = rng.integers(-2, 3, (g.rows, g.depth))
    b = rng.integers(-2, 3, (g.n, g.depth))
    want = (a @ b.T).astype(NUMPY[g.d_type])
    transposed_a = g.a.transposed and not g.a_in_registers
    arrays = {"A": (a.T if transposed_a else a).astype(NUMPY[g.a_type]),
              "B": (b.T if g.b.transposed else b).astype(NUMPY[g.b_type])}
    buffers = {}
    for (name, array), dtype in zip(arrays.items(), (g.a_type, g.b_type)):
        save(tmp_path, name, np.ascontiguousarray(array))
        buffers[name] = {"dtype": LAUNCH.get(dtype, dtype), "shape": list(array.shape),
                         "file": f"{name}.npy"}
    buffers["D"] = {"dtype": g.d_type, "shape": [g.rows, g.n], "out": "D.npy"}
    launch = write_launch(tmp_path, {"kernel": "k.ptx", "buffers": buffers,
                                     "args": [{"buffer": name} for name in "ABD"]})
    for mode in ("eager", "lazy"):
        run(BIN / "tirx-run", launch, "--on=sim", f"--async={mode}")
        np.testing.assert_array_equal(np.load(tmp_path / "D.npy"), want)


@pytest.mark.parametrize("g", cases(COUNT // 5, legal=False), ids=lambda g: g.name)
def test_atom_that_does_not_divide_is_refused(g: Wgmma, tmp_path: pathlib.Path) -> None:
    source = tmp_path / "k.mlir"
    source.write_text(write_kernel(g))
    done = run(BIN / "tirx-compile", source, "--emit=ptx", "-o", tmp_path / "k.ptx", check=False)
    assert done.returncode == 1, done.stderr
    assert "error:" in done.stderr
