# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps tcgen05 GEMMs: each compiles, assembles cleanly and computes right.

The simulator executes the PTX; no GPU takes part. TIRX_SWEEP=N sets the number
of random kernels (300 by default; `scripts/test --long` takes 3000).
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import random
import re

import numpy as np
import pytest

from gemm import Gemm, Operand, atom_divides, write_kernel
from harness import (
    BIN, NUMPY_TYPES, assemble, compile_ptx, gemm_launch, load, run, write_launch,
)

SHARED_LIMIT = 227 * 1024
COUNT = int(os.environ.get("TIRX_SWEEP", "300"))


def random_operand(rng: random.Random) -> Operand:
    return Operand(
        swizzle=rng.choice(["none", "32B", "64B", "128B"]),
        major=rng.choice(["k", "mn"]),
        inner=rng.choice(["mn", "k"]),
        transposed=rng.random() < 0.3,
    )


def random_gemm(rng: random.Random) -> Gemm:
    return Gemm(
        m=rng.choice([64, 128]),
        n=16 * rng.randint(1, 16),
        k=16 * rng.randint(1, 20),
        in_type=rng.choice(["f16", "bf16"]),
        out_type=rng.choice(["f16", "bf16", "f32"]),
        a=random_operand(rng),
        b=random_operand(rng),
        blocks=rng.choice([1, 1, 2, 3]),
        grid_m=rng.choice([1, 1, 2]),
        grid_n=rng.choice([1, 1, 3]),
    )


def is_legal(g: Gemm) -> bool:
    return atom_divides(g.a, g.m, g.k) and atom_divides(g.b, g.n, g.k)


def cases(count: int, legal: bool) -> list[Gemm]:
    rng = random.Random(20220 + legal)
    found: dict[str, Gemm] = {}
    while len(found) < count:
        g = random_gemm(rng)
        if is_legal(g) == legal and g.shared_bytes <= SHARED_LIMIT:
            found[g.name] = g
    return list(found.values())


def every_choice_once() -> list[Gemm]:
    """One axis at a time around the kernel of the README."""
    base = Gemm()
    found = [dataclasses.replace(base, m=m, n=n) for m in (64, 128) for n in range(16, 257, 16)]
    none = Operand(swizzle="none")
    found += [dataclasses.replace(base, k=k, a=none, b=none) for k in range(16, 449, 16)]
    for in_type in ("f16", "bf16"):
        for out_type in ("f16", "bf16", "f32"):
            found.append(dataclasses.replace(base, in_type=in_type, out_type=out_type))
    for swizzle in ("none", "32B", "64B", "128B"):
        for a_major in ("k", "mn"):
            for b_major in ("k", "mn"):
                for k in (64, 128):
                    a, b = Operand(swizzle, a_major), Operand(swizzle, b_major, "k")
                    found.append(dataclasses.replace(base, k=k, a=a, b=b))
    found.append(dataclasses.replace(base, blocks=5))
    found.append(dataclasses.replace(base, grid_m=2, grid_n=2, blocks=2))
    found = [g for g in found if is_legal(g) and g.shared_bytes <= SHARED_LIMIT]
    return list({g.name: g for g in found}.values())


def make_inputs(g: Gemm, normal: bool) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(len(g.name) + 7 * g.n + g.k)
    shapes = [(g.m * g.grid_m, g.k * g.blocks), (g.n * g.grid_n, g.k * g.blocks)]
    pick = rng.standard_normal if normal else lambda s: rng.integers(-4, 5, s)
    a, b = (pick(s).astype(NUMPY_TYPES[g.in_type]) for s in shapes)
    return a, b


def simulate(g: Gemm, ptx: pathlib.Path, folder: pathlib.Path, a, b) -> np.ndarray:
    shape = [g.m * g.grid_m, g.n * g.grid_n]
    shared = json.loads(ptx.with_suffix(".meta.json").read_text())["shared"]
    launch = gemm_launch(
        folder, ptx.name, "gemm", a.T if g.a.transposed else a,
        b.T if g.b.transposed else b, g.out_type, shape, shared, (g.grid_m, g.grid_n, 1),
    )
    # With M 64 a warp's tcgen05.ld also reads 16 lanes that no MMA writes.
    uninit = ["--uninit=error"] if g.m == 128 else []
    run(BIN / "tirx-run", write_launch(folder, launch), "--on=sim", *uninit)
    return load(folder / "D.npy", g.out_type).astype(np.float64)


def error_bound(g: Gemm, exact: np.ndarray, magnitude: np.ndarray) -> np.ndarray:
    """Bound of |D - exact| for the tensor core's arithmetic.

    Each instruction aligns 16 products and the accumulator to the largest of
    them, at most 2 * magnitude, cuts each to 25 fraction bits and the result to
    24 bits; the conversion to the output type rounds once.
    """
    steps = g.k * g.blocks // 16
    accumulation = steps * (17 * 2.0**-25 + 2.0**-23) * 2 * magnitude
    unit = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 0.0}[g.out_type]
    return accumulation + unit * (np.abs(exact) + accumulation) + 2.0**-24


def check_kernel(g: Gemm, folder: pathlib.Path) -> None:
    source, ptx = folder / "k.mlir", folder / "k.ptx"
    source.write_text(write_kernel(g))
    compile_ptx(source, ptx)
    assemble(ptx)

    a, b = make_inputs(g, normal=False)
    exact = a.astype(np.float64) @ b.astype(np.float64).T
    rounded = exact.astype(NUMPY_TYPES[g.out_type]).astype(np.float64)
    np.testing.assert_array_equal(simulate(g, ptx, folder, a, b), rounded)

    a, b = make_inputs(g, normal=True)
    d = simulate(g, ptx, folder, a, b)
    a, b = a.astype(np.float64), b.astype(np.float64)
    bound = error_bound(g, a @ b.T, np.abs(a) @ np.abs(b).T)
    assert (np.abs(d - a @ b.T) <= bound).all()


@pytest.mark.parametrize("g", every_choice_once(), ids=lambda g: g.name)
def test_every_choice(g: Gemm, tmp_path: pathlib.Path) -> None:
    check_kernel(g, tmp_path)


@pytest.mark.parametrize("g", cases(COUNT, legal=True), ids=lambda g: g.name)
def test_random_kernel(g: Gemm, tmp_path: pathlib.Path) -> None:
    check_kernel(g, tmp_path)


@pytest.mark.parametrize("g", cases(COUNT // 5, legal=False), ids=lambda g: g.name)
def test_atom_that_does_not_divide_is_refused(g: Gemm, tmp_path: pathlib.Path) -> None:
    source = tmp_path / "k.mlir"
    source.write_text(write_kernel(g))
    done = compile_ptx(source, tmp_path / "k.ptx", check=False)
    assert done.returncode == 1, done.stderr
    assert "error:" in done.stderr
    assert re.search(r"expected .*\d+.*, got .*\d+", done.stderr), done.stderr
