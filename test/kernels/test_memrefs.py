# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel in which tile ops, memref, vector, scf and arith share memory."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from harness import BIN, compile_ptx, load, run, write_launch

KERNEL = """
gpu.module @m {{
  gpu.func @k(%A: !tirx.buffer<32x8xf32, global>, %D: !tirx.buffer<32x8xf32, global>) kernel
      attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
    %t = tirx.id thread_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool : {shared}
    tirx.copy cta %s, %A : {shared}, !tirx.buffer<32x8xf32, global>
    tirx.barrier cta
    %m = tirx.to_memref %s : {shared} -> {memref}
    %row = tirx.view %D[%t, 0] : !tirx.buffer<32x8xf32, global> -> 1x8xf32
    %d = tirx.to_memref %row : !tirx.buffer<1x8xf32, global> -> memref<1x8xf32, 1>
    scf.for %i = %c0 to %c8 step %c1 {{
      %v = memref.load %m[%t, %i] : {memref}
      %w = arith.addf %v, %v : f32
      memref.store %w, %d[%c0, %i] : memref<1x8xf32, 1>
    }}
    %four = vector.load %d[%c0, %c0] : memref<1x8xf32, 1>, vector<4xf32>
    %ones = arith.constant dense<1.0> : vector<4xf32>
    %sum = arith.addf %four, %ones : vector<4xf32>
    vector.store %sum, %d[%c0, %c0] : memref<1x8xf32, 1>, vector<4xf32>
    %back = tirx.from_memref %m : {memref} -> {shared}
    %x = tirx.load %back[%t, %c1] : {shared} -> f32
    tirx.store %x, %D[%t, %c8m] : f32, !tirx.buffer<32x8xf32, global>
    gpu.return
  }}
}}
""".replace("%c8 = arith", "%c8m = arith.constant 7 : index\n    %c8 = arith")

LAYOUTS = {
    "row major": ("", "memref<32x8xf32, 3>"),
    "columns": ("S[(32, 8) : (1, 32)]", "memref<32x8xf32, strided<[1, 32]>, 3>"),
    "padded": ("S[(32, 8) : (12, 1)] + 4", "memref<32x8xf32, strided<[12, 1], offset: 4>, 3>"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_dialects_share_memory(name: str, tmp_path: pathlib.Path) -> None:
    layout, memref = LAYOUTS[name]
    layout = f", #tirx.tile<{layout}>" if layout else ""
    source = tmp_path / "k.mlir"
    source.write_text(KERNEL.format(shared=f"!tirx.buffer<32x8xf32, shared{layout}>", memref=memref))
    compile_ptx(source, tmp_path / "k.ptx")
    a = np.random.default_rng(0).standard_normal((32, 8), dtype=np.float32)
    np.save(tmp_path / "A.npy", a)
    launch = write_launch(tmp_path, {
        "kernel": "k.ptx", "grid": [1, 1, 1], "block": [32, 1, 1], "shared": 4096,
        "buffers": {
            "A": {"dtype": "f32", "shape": [32, 8], "file": "A.npy"},
            "D": {"dtype": "f32", "shape": [32, 8], "out": "D.npy"},
        },
        "args": [{"buffer": "A"}, {"buffer": "D"}],
    })
    run(BIN / "tirx-run", launch)
    expected = a + a
    expected[:, :4] += np.float32(1)
    expected[:, 7] = a[:, 1]
    assert np.array_equal(load(tmp_path / "D.npy", "f32"), expected)
