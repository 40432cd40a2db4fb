# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps tcgen05 products of every dense kind, and tiles of several instructions.

D of 256 rows is two blocks beside each other in tensor memory; N above 256 is cut
along the columns.
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
         "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2, "i32": np.int32}
LAUNCH = {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}
SHARED_LIMIT = 220 * 1024


@dataclasses.dataclass(frozen=True)
class Product:
    m: int
    n: int
    k: int
    a_type: str
    b_type: str
    out_type: str
    a: Operand
    b: Operand
    accumulates: bool

    @property
    def name(self) -> str:
        return (f"m{self.m}n{self.n}k{self.k}-{self.a_type}-{self.b_type}-{self.out_type}-"
                f"{self.a.swizzle}-{self.a.inner}-{self.b.swizzle}-{self.b.inner}"
                f"{'-twice' * self.accumulates}")


def cases(count: int) -> list[Product]:
    rng = random.Random(1005)
    found: dict[str, Product] = {}
    eight = ["f8E4M3FN", "f8E5M2"]
    while len(found) < count:
        a_type = rng.choice(["f16", "bf16", "f32", "i8", *eight])
        b_type = rng.choice(eight) if a_type in eight else a_type
        out_type = "i32" if a_type == "i8" else "f32"
        m = rng.choice([64, 128, 128, 256])
        n = 16 * rng.randint(1, 16)
        if m == 128 and rng.random() < 0.2:
            n = rng.choice([320, 384, 512])
        a, b = (Operand(rng.choice(list(ROW)), "k", rng.choice(["mn", "k"])) for _ in range(2))
        p = Product(m, n, 256 // BITS[a_type] * rng.choice([1, 2, 4]), a_type, b_type, out_type,
                    a, b, rng.random() < 0.4)
        size = p.m * p.k * BITS[a_type] // 8 + p.n * p.k * BITS[b_type] // 8
        if atoms_divide(a, a_type, m, p.k) and atoms_divide(b, b_type, n, p.k) and (
                size < SHARED_LIMIT and p.m // 128 * p.n <= 512):
            found[p.name] = p
    return list(found.values())


def write_kernel(p: Product) -> str:
    blocks = max(1, p.m // 128)
    columns = 32
    while columns < blocks * p.n:
        columns *= 2
    rows = min(p.m, 128)
    if p.m == 64:
        acc = f"S[(4, 16, {p.n}) : (32@TLane, 1@TLane, 1@TCol)]"
        part = acc
        regs = f"S[(4, 16, {p.n}) : (32@tid_in_wg, 1@tid_in_wg, 1)]"
    else:
        acc = f"S[({blocks}, 128, {p.n}) : ({p.n}@TCol, 1@TLane, 1@TCol)]"
        regs = f"S[(128, {p.n}) : (1@tid_in_wg, 1)]"
    a_type = f"!tirx.buffer<{p.m}x{p.k}x{p.a_type}, shared, #a>"
    b_type = f"!tirx.buffer<{p.n}x{p.k}x{p.b_type}, shared, #b>"
    a_global = f"!tirx.buffer<{p.m}x{p.k}x{p.a_type}, global>"
    b_global = f"!tirx.buffer<{p.n}x{p.k}x{p.b_type}, global>"
    d_global = f"!tirx.buffer<{p.m}x{p.n}x{p.out_type}, global>"
    d = f"!tirx.buffer<{p.m}x{p.n}x{p.out_type}, tmem, #acc>"
    r = f"!tirx.buffer<{rows}x{p.n}x{p.out_type}, local, #regs>"
    d_part = f"!tirx.buffer<{rows}x{p.n}x{p.out_type}, global>"
    stores = ""
    for i in range(blocks):
        if p.m == 64:
            source, source_type = "%d", d
            target = "%D"
        else:
            offset = f" + {i * p.n}@TCol" if i else ""
            source_type = (f"!tirx.buffer<128x{p.n}x{p.out_type}, tmem, "
                           f"#tirx.tile<S[(128, {p.n}) : (1@TLane, 1@TCol)]{offset}>>")
            stores += f"    %d{i} = tirx.view %d[{128 * i}, 0] : {d} -> {source_type}\n"
            source = f"%d{i}"
            shift = f" + {128 * i * p.n}" if i else ""
            d_part = (f"!tirx.buffer<128x{p.n}x{p.out_type}, global, "
                      f"#tirx.tile<S[(128, {p.n}) : ({p.n}, 1)]{shift}>>") if i or blocks > 1 \
                else d_global
            if i == 0 and blocks > 1:
                d_part = f"!tirx.buffer<128x{p.n}x{p.out_type}, global>"
            stores += f"    %D{i} = tirx.view %D[{128 * i}, 0] : {d_global} -> {d_part}\n"
            target = f"%D{i}"
        stores += (f"    %r{i} = tirx.alloc_local : {r}\n"
                   f"    tirx.copy_async warpgroup %r{i}, {source} : {r}, {source_type}\n"
                   f"    tirx.wait tcgen05_ld\n"
                   f"    tirx.copy warpgroup {target}, %r{i} : {d_part}, {r}\n")
    again = (f"tirx.gemm_async thread %d, %As, %Bs accumulate(%yes) : {d}, {a_type}, {b_type}"
             if p.accumulates else "")
    bar, slot = "!tirx.buffer<1x!tirx.mbarrier, shared>", "!tirx.buffer<1xi32, shared>"
    return f"""
#a = {shared_layout(p.a, p.a_type, p.m, p.k, 1)}
#b = {shared_layout(p.b, p.b_type, p.n, p.k, 1)}
#acc = #tirx.tile<{acc}>
#regs = #tirx.tile<{regs}>
gpu.module @m [#nvvm.target<chip = "sm_100a", verifyTarget = false>] {{
  gpu.func @gemm(%A: {a_global}, %B: {b_global}, %D: {d_global})
      kernel attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %yes = arith.constant true
    %warp = tirx.id warp_id_in_wg
    %lane = tirx.id lane_id
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool : {slot}
    %bar = tirx.pool_alloc %pool : {bar}
    %As = tirx.pool_alloc %pool : {a_type}
    %Bs = tirx.pool_alloc %pool : {b_type}
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_warp0 {{
      %is_lane0 = arith.cmpi eq, %lane, %c0 : index
      scf.if %is_lane0 {{
        tirx.mbarrier_init %bar[%c0] count(1) : {bar}
      }}
      tirx.tmem_alloc %slot[%c0] columns({columns}) : {slot}
    }}
    tirx.copy cta %As, %A : {a_type}, {a_global}
    tirx.copy cta %Bs, %B : {b_type}, {b_global}
    tirx.barrier cta
    %d = tirx.tmem_buffer %slot[%c0] : {slot} -> {d}
    scf.if %is_warp0 {{
      %leader = tirx.elect
      scf.if %leader {{
        tirx.gemm_async thread %d, %As, %Bs : {d}, {a_type}, {b_type}
        {again}
        tirx.commit %bar[%c0] : {bar}
      }}
    }}
    tirx.mbarrier_wait %bar[%c0] parity(%zero) : {bar}
{stores}    tirx.barrier cta
    scf.if %is_warp0 {{
      tirx.tmem_relinquish
      tirx.tmem_dealloc %slot[%c0] columns({columns}) : {slot}
    }}
    gpu.return
  }}
}}
"""


@pytest.mark.parametrize("p", cases(COUNT), ids=lambda p: p.name)
def test_random_product(p: Product, tmp_path: pathlib.Path) -> None:
    source, ptx = tmp_path / "k.mlir", tmp_path / "k.ptx"
    source.write_text(write_kernel(p))
    run(BIN / "tirx-compile", source, "--emit=ptx", "-o", ptx)
    rng = np.random.default_rng(p.m + p.n * p.k)
    a = rng.integers(-2, 3, (p.m, p.k))
    b = rng.integers(-2, 3, (p.n, p.k))
    buffers = {}
    for name, values, dtype in (("A", a, p.a_type), ("B", b, p.b_type)):
        array = values.astype(NUMPY[dtype])
        plain = array if array.dtype.isbuiltin == 1 else array.view(f"u{array.dtype.itemsize}")
        np.save(tmp_path / f"{name}.npy", plain)
        buffers[name] = {"dtype": LAUNCH.get(dtype, dtype), "shape": list(array.shape),
                         "file": f"{name}.npy"}
    buffers["D"] = {"dtype": p.out_type, "shape": [p.m, p.n], "out": "D.npy"}
    launch = write_launch(tmp_path, {"kernel": "k.ptx", "buffers": buffers,
                                     "args": [{"buffer": name} for name in "ABD"]})
    want = ((1 + p.accumulates) * (a @ b.T)).astype(NUMPY[p.out_type])
    for mode in ("eager", "lazy"):
        run(BIN / "tirx-run", launch, "--on=sim", f"--async={mode}")
        np.testing.assert_array_equal(np.load(tmp_path / "D.npy"), want)
