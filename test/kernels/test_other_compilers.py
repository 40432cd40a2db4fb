# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulator runs PTX that this compiler did not make.

The kernels of test/data/stock_llvm compute D = A B^T, 128x128x64 in f16, and are
written in upstream dialects; stock mlir-opt, mlir-translate and llc compile them.
"""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from harness import BIN, LLVM_BIN, ROOT, gemm_launch, load, run, write_launch

DATA = ROOT / "test/data/stock_llvm"
SHARED = 33792
GPU_TO_LLVM = (
    "builtin.module(gpu.module(canonicalize,cse,convert-scf-to-cf,"
    "convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=1},convert-arith-to-llvm),"
    "convert-cf-to-llvm,gpu.module(convert-nvvm-to-llvm,canonicalize,cse,"
    "reconcile-unrealized-casts),gpu-module-to-binary{format=isa})"
)


def compile_llvm_dialect(folder: pathlib.Path, level: str) -> pathlib.Path:
    lowered, ll, ptx = (folder / name for name in ("k.mlir", "k.ll", "k.ptx"))
    run(LLVM_BIN / "mlir-opt", DATA / "gemm_tcgen05.mlir", "--convert-nvvm-to-llvm", "-o", lowered)
    run(LLVM_BIN / "mlir-translate", lowered, "--mlir-to-llvmir", "-o", ll)
    if level == "optimised":
        run(LLVM_BIN / "opt", "-O3", ll, "-S", "-o", ll)
    run(LLVM_BIN / "llc", "-O3", "-march=nvptx64", "-mcpu=sm_100a", "-mattr=+ptx90", ll, "-o", ptx)
    return ptx


def compile_gpu_dialect(folder: pathlib.Path) -> pathlib.Path:
    """gpu-module-to-binary leaves the PTX as an escaped string attribute."""
    done = run(
        LLVM_BIN / "mlir-opt", DATA / "gemm_tcgen05_scf.mlir", f"--pass-pipeline={GPU_TO_LLVM}"
    )
    text = done.stdout.split('assembly = "', 1)[1].split('"', 1)[0]
    for escape, character in (("\\0A", "\n"), ("\\09", "\t"), ("\\22", '"'), ("\\00", "")):
        text = text.replace(escape, character)
    ptx = folder / "k.ptx"
    ptx.write_text(text)
    return ptx


def check(ptx: pathlib.Path, entry: str, folder: pathlib.Path) -> None:
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-4, 5, (128, 64)).astype(np.float16) for _ in range(2))
    launch = gemm_launch(folder, ptx.name, entry, a, b, "f16", (128, 128), SHARED)
    run(BIN / "tirx-run", write_launch(folder, launch), "--on=sim", "--uninit=error")
    exact = (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float16)
    np.testing.assert_array_equal(load(folder / "D.npy", "f16"), exact)


@pytest.mark.parametrize("level", ["plain", "optimised"])
def test_llvm_dialect_kernel_through_llc(level: str, tmp_path: pathlib.Path) -> None:
    check(compile_llvm_dialect(tmp_path, level), "gemm_tcgen05", tmp_path)


def test_gpu_dialect_kernel_through_mlir_opt(tmp_path: pathlib.Path) -> None:
    check(compile_gpu_dialect(tmp_path), "gemm_tcgen05_scf", tmp_path)
