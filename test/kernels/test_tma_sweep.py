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


def write_multicast(ctas: int, rows: int, swizzle: str) -> str:
    """Each CTA of a cluster loads its part of the tile for all of them."""
    everything = rows * ctas
    layout = {"none": "", "128B": ", #tirx.compose<#tirx.swizzle<3, 3, 3>, "
              f"#tirx.tile<S[({everything}, 64) : (64, 1)]>>"}[swizzle]
    part_layout = {"none": "", "128B": ", #tirx.compose<#tirx.swizzle<3, 3, 3>, "
                   f"#tirx.tile<S[({rows}, 64) : (64, 1)]>>"}[swizzle]
    bar = "!tirx.buffer<1x!tirx.mbarrier, shared>"
    shared = f"!tirx.buffer<{everything}x64xf16, shared{layout}>"
    part = f"!tirx.buffer<{rows}x64xf16, shared{part_layout}>"
    whole = f"!tirx.buffer<{everything}x64xf16, global>"
    view = f"!tirx.buffer<{rows}x64xf16, global>"
    flat = f"!tirx.buffer<{ctas}x{everything}x64xf16, global>"
    mine = f"!tirx.buffer<1x{everything}x64xf16, global>"
    arrivals = "\n".join(
        f"      %cta{i} = arith.constant {i} : i32\n"
        f"      tirx.mbarrier_arrive %empty[%c0] cta(%cta{i}) : {bar}" for i in range(ctas))
    return f"""
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {{
  gpu.func @multicast(%A: {whole}, %F: {flat})
      kernel attributes {{known_block_size = array<i32: 64, 1, 1>,
                          known_cluster_size = array<i32: {ctas}, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %rows = arith.constant {rows} : index
    %bytes = arith.constant {everything * 128} : i32
    %mask = arith.constant {(1 << ctas) - 1} : i16
    %rank = tirx.id cta_id_in_cluster
    %cta = tirx.id cta_id_x
    %row = arith.muli %rank, %rows : index
    %pool = tirx.smem_pool
    %full = tirx.pool_alloc %pool : {bar}
    %empty = tirx.pool_alloc %pool : {bar}
    %s = tirx.pool_alloc %pool : {shared}
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {{
      tirx.mbarrier_init %full[%c0] count(1) : {bar}
      tirx.mbarrier_init %empty[%c0] count({ctas}) : {bar}
    }}
    tirx.barrier cluster
    %a = tirx.view %A[%row, 0] : {whole} -> {view}
    %p = tirx.view %s[%row, 0] : {shared} -> {part}
    %f = tirx.view %F[%cta, 0, 0] : {flat} -> {mine}
    scf.if %first {{
      tirx.mbarrier_arrive %full[%c0] expect_tx(%bytes) : {bar}
      tirx.copy_async thread %p, %a barrier(%full[%c0]) multicast(%mask) dispatch("tma")
          : {part}, {view}, {bar}
    }}
    tirx.mbarrier_wait %full[%c0] parity(%zero) : {bar}
    tirx.copy cta %f, %s : {mine}, {shared}
    tirx.barrier cta
    scf.if %first {{
{arrivals}
    }}
    tirx.mbarrier_wait %empty[%c0] parity(%zero) : {bar}
    tirx.barrier cluster
    gpu.return
  }}
}}
"""


@pytest.mark.parametrize("swizzle", ["none", "128B"])
@pytest.mark.parametrize("ctas", [2, 4])
def test_multicast(ctas: int, swizzle: str, tmp_path: pathlib.Path) -> None:
    source, ptx = tmp_path / "k.mlir", tmp_path / "k.ptx"
    source.write_text(write_multicast(ctas, 24, swizzle))
    run(BIN / "tirx-compile", source, "--emit=ptx", "-o", ptx)
    a = np.arange(ctas * 24 * 64, dtype=np.uint16).reshape(-1, 64)
    np.save(tmp_path / "A.npy", a)
    launch = write_launch(tmp_path, {
        "kernel": "k.ptx", "grid": [ctas, 1, 1],
        "buffers": {"A": {"dtype": "f16", "shape": list(a.shape), "file": "A.npy"},
                    "F": {"dtype": "f16", "shape": [ctas, *a.shape], "out": "F.npy"}},
        "args": [{"buffer": "A"}, {"buffer": "F"}]})
    for mode in ("eager", "lazy", "random"):
        run(BIN / "tirx-run", launch, "--on=sim", f"--async={mode}", "--uninit=error")
        got = np.load(tmp_path / "F.npy").view(np.uint16)
        np.testing.assert_array_equal(got, np.broadcast_to(a, got.shape))
