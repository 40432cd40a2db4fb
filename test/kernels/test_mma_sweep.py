# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps products of sm_80: cp.async into shared memory, mma.sync on fragments.

A warp copies tiles of A and B to shared memory under a random swizzle, loads
fragments, multiplies block after block of K, and stores the accumulator.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import random

import ml_dtypes
import numpy as np
import pytest

from gemm import Operand
from harness import BIN, run, write_launch
from wgmma import BITS, ROW, atoms_divide, shared_layout

COUNT = int(os.environ.get("TIRX_SWEEP", "300")) // 6
NUMPY = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "i8": np.int8,
         "i32": np.int32}


@dataclasses.dataclass(frozen=True)
class Mma:
    m: int
    n: int
    k: int
    blocks: int
    in_type: str
    out_type: str
    swizzle_a: str
    swizzle_b: str
    target: str

    @property
    def name(self) -> str:
        return "-".join(str(v) for v in dataclasses.astuple(self))


def fragment(rows: int, row_block: int, columns: int, column_block: int, packed: int) -> str:
    """The layout of mma.sync fragments, block after block along the columns.

    A block has rows of 8 lanes / 4 in `row_block` / 8 halves; of the columns a lane
    has `packed` neighbours in each of `column_block` / (4 * packed) parts.
    """
    halves, parts = row_block // 8, column_block // (4 * packed)
    per_block = halves * parts * packed
    extents = (rows // row_block, halves, 8, columns // column_block, parts, 4, packed)
    strides = (per_block * (columns // column_block), packed, "4@laneid", per_block,
               packed * halves, "1@laneid", 1)
    return (f"#tirx.tile<S[({', '.join(map(str, extents))}) : "
            f"({', '.join(map(str, strides))})]>")


def cases(count: int) -> list[Mma]:
    rng = random.Random(16816)
    found: dict[str, Mma] = {}
    while len(found) < count:
        in_type = rng.choice(["f16", "bf16", "f32", "i8"])
        out_type = "i32" if in_type == "i8" else rng.choice(
            ["f32", "f16"] if in_type == "f16" else ["f32"])
        step = 256 // BITS[in_type]
        g = Mma(16 * rng.randint(1, 3), 8 * rng.randint(1, 6), step * rng.choice([1, 2, 4]),
                rng.choice([1, 2, 3]), in_type, out_type, rng.choice(list(ROW)),
                rng.choice(list(ROW)), rng.choice(["sm_80", "sm_90a"]))
        if all(atoms_divide(Operand(s, "k"), in_type, mn, g.k)
               for s, mn in ((g.swizzle_a, g.m), (g.swizzle_b, g.n))):
            found[g.name] = g
    return list(found.values())


def write_kernel(g: Mma) -> str:
    packed = 32 // BITS[g.in_type]
    step = 256 // BITS[g.in_type]
    depth = g.k * g.blocks

    def operand(name: str, mn: int, swizzle: str) -> dict[str, str]:
        layout = shared_layout(Operand(swizzle, "k"), g.in_type, mn, g.k, 1)
        return {"shared": f"!tirx.buffer<{mn}x{g.k}x{g.in_type}, shared, {layout}>",
                "global": f"!tirx.buffer<{mn}x{depth}x{g.in_type}, global>",
                "view": f"!tirx.buffer<{mn}x{g.k}x{g.in_type}, global, "
                        f"#tirx.tile<S[({mn}, {g.k}) : ({depth}, 1)]>>",
                "regs": f"!tirx.buffer<{mn}x{g.k}x{g.in_type}, local, #f{name}>"}

    a, b = operand("a", g.m, g.swizzle_a), operand("b", g.n, g.swizzle_b)
    d = f"!tirx.buffer<{g.m}x{g.n}x{g.out_type}, local, #fd>"
    d_global = f"!tirx.buffer<{g.m}x{g.n}x{g.out_type}, global>"
    return f"""
#fa = {fragment(g.m, 16, g.k, step, packed)}
#fb = {fragment(g.n, 8, g.k, step, packed)}
#fd = {fragment(g.m, 16, g.n, 8, 2)}
gpu.module @m [#nvvm.target<chip = "{g.target}", verifyTarget = false>] {{
  gpu.func @gemm(%A: {a["global"]}, %B: {b["global"]}, %D: {d_global})
      kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tile_k = arith.constant {g.k} : index
    %blocks = arith.constant {g.blocks} : index
    %pool = tirx.smem_pool
    %As = tirx.pool_alloc %pool : {a["shared"]}
    %Bs = tirx.pool_alloc %pool : {b["shared"]}
    %d = tirx.alloc_local : {d}
    %a = tirx.alloc_local : {a["regs"]}
    %b = tirx.alloc_local : {b["regs"]}
    scf.for %kb = %c0 to %blocks step %c1 {{
      %k0 = arith.muli %kb, %tile_k : index
      %Ag = tirx.view %A[0, %k0] : {a["global"]} -> {a["view"]}
      %Bg = tirx.view %B[0, %k0] : {b["global"]} -> {b["view"]}
      tirx.copy_async warp %As, %Ag dispatch("cp.async") : {a["shared"]}, {a["view"]}
      tirx.copy_async warp %Bs, %Bg dispatch("cp.async") : {b["shared"]}, {b["view"]}
      tirx.commit_group cp_async
      tirx.wait_group cp_async pending(0)
      tirx.barrier warp
      tirx.copy warp %a, %As : {a["regs"]}, {a["shared"]}
      tirx.copy warp %b, %Bs : {b["regs"]}, {b["shared"]}
      %more = arith.cmpi ne, %kb, %c0 : index
      tirx.gemm warp %d, %a, %b accumulate(%more) : {d}, {a["regs"]}, {b["regs"]}
      tirx.barrier warp
    }}
    tirx.copy warp %D, %d : {d_global}, {d}
    gpu.return
  }}
}}
"""


@pytest.mark.parametrize("g", cases(COUNT), ids=lambda g: g.name)
def test_random_product(g: Mma, tmp_path: pathlib.Path) -> None:
    source, ptx = tmp_path / "k.mlir", tmp_path / "k.ptx"
    source.write_text(write_kernel(g))
    run(BIN / "tirx-compile", source, "--emit=ptx", "-o", ptx)
    assert "mma.sync" in ptx.read_text() and "cp.async" in ptx.read_text()
    rng = np.random.default_rng(g.m * g.n + g.k)
    a = rng.integers(-3, 4, (g.m, g.k * g.blocks))
    b = rng.integers(-3, 4, (g.n, g.k * g.blocks))
    buffers = {}
    for name, values in (("A", a), ("B", b)):
        array = values.astype(NUMPY[g.in_type])
        np.save(tmp_path / f"{name}.npy",
                array.view(np.uint16) if g.in_type == "bf16" else array)
        buffers[name] = {"dtype": g.in_type, "shape": list(array.shape), "file": f"{name}.npy"}
    buffers["D"] = {"dtype": g.out_type, "shape": [g.m, g.n], "out": "D.npy"}
    launch = write_launch(tmp_path, {"kernel": "k.ptx", "buffers": buffers,
                                     "args": [{"buffer": name} for name in "ABD"]})
    want = (a @ b.T).astype(NUMPY[g.out_type])
    for mode in ("eager", "lazy"):
        run(BIN / "tirx-run", launch, "--on=sim", f"--async={mode}", "--uninit=error")
        np.testing.assert_array_equal(np.load(tmp_path / "D.npy"), want)
