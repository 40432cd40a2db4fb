# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of other compilers becomes tirx.ptx ops, and those PTX again, which
assembles and computes the same, bit for bit, on the simulator."""

from __future__ import annotations

import pathlib
import shutil

import numpy as np
import pytest

from harness import BIN, ROOT, run, save, write_launch

DATA = ROOT / "test/data/import"
N = 128


def through_tirx(ptx: pathlib.Path, folder: pathlib.Path, target: str) -> pathlib.Path:
    mlir, again = folder / "imported.mlir", folder / "again.ptx"
    run(BIN / "tirx-translate", "--import-ptx", ptx, "-o", mlir)
    assert "tirx.ptx" in mlir.read_text()
    run(BIN / "tirx-compile", mlir, "--emit=ptx", "-o", again)
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    if pathlib.Path(ptxas).exists():
        run(ptxas, f"-arch={target}", again, "-o", folder / "again.cubin")
    return again


def launch_of(folder: pathlib.Path, ptx: pathlib.Path, kernel: str, seed: int) -> pathlib.Path:
    rng = np.random.default_rng(seed)
    buffers = {}
    for name in "ab":
        save(folder / f"{name}.npy", rng.integers(-50, 50, N).astype(np.float32) / 4)
        buffers[name] = {"dtype": "f32", "shape": [N], "file": f"{name}.npy"}
    buffers["o"] = {"dtype": "f32", "shape": [N], "out": "o.npy"}
    args = [{"buffer": name} for name in "abo"]
    if kernel == "structs":
        values = np.concatenate([rng.standard_normal(6).astype("<f4").view("u1"), np.array([3], "<i4").view("u1")])
        (folder / "arguments.bin").write_bytes(values.tobytes())
        args.append({"bytes": "arguments.bin", "align": 4})
    else:
        args += [{"i32": N - 5 if kernel == "loops" else N}, {"f32": 1.5}]
    grid = 2 if kernel == "loops" else 1
    return write_launch(folder, {
        "kernel": str(ptx), "entry": kernel, "target": "sm_90a", "grid": [grid, 1, 1],
        "block": [N // grid, 1, 1], "shared": 0, "buffers": buffers, "args": args,
    })


@pytest.mark.parametrize("level", ["O3", "debug"])
@pytest.mark.parametrize("kernel", ["loops", "sums", "calls", "structs"])
def test_kernel_of_nvcc(kernel: str, level: str, tmp_path: pathlib.Path) -> None:
    ptx = DATA / f"kernels.{level}.ptx"
    again = through_tirx(ptx, tmp_path, "sm_90a")
    results = []
    for text in (ptx, again):
        run(BIN / "tirx-run", launch_of(tmp_path, text, kernel, seed=7), "--on=sim")
        results.append(np.load(tmp_path / "o.npy"))
        (tmp_path / "o.npy").unlink()
    assert np.any(results[0] != 0)
    np.testing.assert_array_equal(results[0].view(np.uint32), results[1].view(np.uint32))


@pytest.mark.parametrize("name", ["nvcc_gemm"])
def test_gemm_of_nvcc(name: str, tmp_path: pathlib.Path) -> None:
    folder = ROOT / "test/Simulator/Inputs"
    again = through_tirx(folder / f"{name}.ptx", tmp_path, "sm_100a")
    done = run(BIN / "tirx-run", folder / f"{name}.json", f"--kernel={again}")
    assert "D: OK, 32768 elements, max abs error 0" in done.stdout
