# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the end-to-end tests share: running tools, launch files, ptxas."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess

import ml_dtypes
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("TIRX_BIN", ROOT / "build/release/bin"))
LLVM_BIN = pathlib.Path(os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin"))
TARGET = "sm_100a"
NUMPY_TYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}


def run(*command: object, check: bool = True) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, timeout=300
    )
    if check:
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def compile_ptx(source: pathlib.Path, ptx: pathlib.Path, check: bool = True):
    return run(
        BIN / "tirx-compile", source, f"--target={TARGET}", "--emit=ptx", "-o", ptx,
        check=check,
    )


def assemble(ptx: pathlib.Path) -> None:
    """ptxas accepts the text without a warning and without a spill."""
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    if not pathlib.Path(ptxas).exists():
        return
    done = run(ptxas, f"-arch={TARGET}", "-v", ptx, "-o", ptx.with_suffix(".cubin"))
    text = done.stdout + done.stderr
    assert "warning" not in text.lower(), text
    assert "0 bytes spill stores, 0 bytes spill loads" in text, text


def save(path: pathlib.Path, array: np.ndarray) -> None:
    """Writes an .npy file; types that NumPy lacks as the bits of unsigned ints."""
    bits = array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array
    np.save(path, np.ascontiguousarray(bits))


def load(path: pathlib.Path, dtype: str) -> np.ndarray:
    array = np.load(path)
    return array.view(ml_dtypes.bfloat16) if dtype == "bf16" else array


def write_launch(folder: pathlib.Path, launch: dict) -> pathlib.Path:
    path = folder / "launch.json"
    path.write_text(json.dumps(launch, indent=1))
    return path


def gemm_launch(folder, ptx, entry, a, b, d_type, d_shape, shared, grid=(1, 1, 1)):
    """A launch of D = A B^T whose inputs are arrays; D goes to D.npy."""
    buffers = {}
    for name, array in (("A", a), ("B", b)):
        save(folder / f"{name}.npy", array)
        dtype = next(k for k, v in NUMPY_TYPES.items() if array.dtype == v)
        buffers[name] = {"dtype": dtype, "shape": list(array.shape), "file": f"{name}.npy"}
    buffers["D"] = {"dtype": d_type, "shape": list(d_shape), "out": "D.npy"}
    return {
        "kernel": str(ptx),
        "entry": entry,
        "target": TARGET,
        "grid": list(grid),
        "block": [128, 1, 1],
        "shared": shared,
        "buffers": buffers,
        "args": [{"buffer": name} for name in "ABD"],
    }
