#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes kernels for sm_90a with what the simulator computes for them.

  make_cases.py FOLDER [COUNT]

Tile kernels copy between random layouts through shared memory, cast in registers
and meet at barriers; CUDA kernels (`cuda/*.cu`, compiled by nvcc) bring another
compiler's instructions. scripts/validate-h200 FOLDER compares with a GPU.
"""

from __future__ import annotations

import json
import pathlib
import random
import shutil
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
BIN = HERE.parents[1] / "build/release/bin"
TARGET = "sm_90a"
BYTES = {"f16": 2, "bf16": 2, "f32": 4}


def shared_layout(rng: random.Random, rows: int, cols: int, element: int) -> str:
    """A random injective layout of a rows x cols tile in shared memory."""
    kind = rng.choice(["plain", "padded", "column", "blocked", "swizzled"])
    if kind == "padded":
        return f"#tirx.tile<S[({rows}, {cols}) : ({cols + rng.choice([1, 4, 8])}, 1)]>"
    if kind == "column":
        return f"#tirx.tile<S[({rows}, {cols}) : (1, {rows + rng.choice([0, 2])})]>"
    if kind == "blocked" and rows % 8 == 0 and cols % 8 == 0:
        return (
            f"#tirx.tile<S[({rows // 8}, 8, {cols // 8}, 8) : "
            f"({8 * cols}, 8, 64, 1)]>"
        )
    if kind == "swizzled":
        chunk = (16 // element).bit_length() - 1
        bits = rng.randint(1, 3)
        tile = f"#tirx.tile<S[({rows}, {cols}) : ({cols}, 1)]>"
        return f"#tirx.compose<#tirx.swizzle<{chunk}, {bits}, 3>, {tile}>"
    return f"#tirx.tile<S[({rows}, {cols}) : ({cols}, 1)]>"


def copy_kernel(rng: random.Random) -> tuple[str, dict]:
    """global -> shared -> global by the CTA, in random layouts."""
    dtype = rng.choice(list(BYTES))
    rows, cols = rng.choice([1, 3, 8, 16, 40, 64]), rng.choice([1, 7, 8, 24, 64, 96])
    threads = rng.choice([32, 64, 128, 96, 256])
    layout = shared_layout(rng, rows, cols, BYTES[dtype])
    out_layout = rng.choice(["", f", #tirx.tile<S[({rows}, {cols}) : (1, {rows})]>"])
    text = f"""
#s = {layout}
gpu.module @m {{
  gpu.func @k(%A: !tirx.buffer<{rows}x{cols}x{dtype}, global>,
              %D: !tirx.buffer<{rows}x{cols}x{dtype}, global{out_layout}>)
      kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
    %pool = tirx.smem_pool
    %s = tirx.pool_alloc %pool : !tirx.buffer<{rows}x{cols}x{dtype}, shared, #s>
    tirx.copy cta %s, %A : !tirx.buffer<{rows}x{cols}x{dtype}, shared, #s>,
        !tirx.buffer<{rows}x{cols}x{dtype}, global>
    tirx.barrier cta
    tirx.copy cta %D, %s : !tirx.buffer<{rows}x{cols}x{dtype}, global{out_layout}>,
        !tirx.buffer<{rows}x{cols}x{dtype}, shared, #s>
    gpu.return
  }}
}}
"""
    return text, {"A": (dtype, [rows, cols]), "D": (dtype, [rows, cols]), "threads": threads}


def cast_kernel(rng: random.Random) -> tuple[str, dict]:
    """Each thread converts a row in registers; an mbarrier joins the threads."""
    source, target = rng.choice([("f32", "f16"), ("f32", "bf16"), ("f16", "f32"), ("bf16", "f32")])
    cols, threads = rng.choice([1, 2, 5, 8, 16, 31]), rng.choice([32, 64, 128])
    text = f"""
gpu.module @m {{
  gpu.func @k(%A: !tirx.buffer<{threads}x{cols}x{source}, global>,
              %D: !tirx.buffer<{threads}x{cols}x{target}, global>)
      kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %phase = arith.constant 0 : i32
    %t = tirx.id thread_id
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool : !tirx.buffer<1x!tirx.mbarrier, shared>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {{
      tirx.mbarrier_init %bar[%c0] count({threads}) : !tirx.buffer<1x!tirx.mbarrier, shared>
    }}
    tirx.barrier cta
    %row = tirx.view %A[%t, 0] : !tirx.buffer<{threads}x{cols}x{source}, global>
        -> !tirx.buffer<1x{cols}x{source}, global, #tirx.tile<S[(1, {cols}) : ({cols}, 1)]>>
    %in = tirx.alloc_local : !tirx.buffer<{cols}x{source}, local>
    %out = tirx.alloc_local : !tirx.buffer<{cols}x{target}, local>
    tirx.copy thread %in, %row : !tirx.buffer<{cols}x{source}, local>,
        !tirx.buffer<1x{cols}x{source}, global, #tirx.tile<S[(1, {cols}) : ({cols}, 1)]>>
    tirx.cast thread %out, %in : !tirx.buffer<{cols}x{target}, local>, !tirx.buffer<{cols}x{source}, local>
    tirx.mbarrier_arrive %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared>
    tirx.mbarrier_wait %bar[%c0] parity(%phase) : !tirx.buffer<1x!tirx.mbarrier, shared>
    %drow = tirx.view %D[%t, 0] : !tirx.buffer<{threads}x{cols}x{target}, global>
        -> !tirx.buffer<1x{cols}x{target}, global, #tirx.tile<S[(1, {cols}) : ({cols}, 1)]>>
    tirx.copy thread %drow, %out
        : !tirx.buffer<1x{cols}x{target}, global, #tirx.tile<S[(1, {cols}) : ({cols}, 1)]>>,
          !tirx.buffer<{cols}x{target}, local>
    gpu.return
  }}
}}
"""
    return text, {"A": (source, [threads, cols]), "D": (target, [threads, cols]), "threads": threads}


def random_bits(rng: random.Random, dtype: str, shape: list) -> np.ndarray:
    """All kinds of values: NaN, infinities and subnormals among them."""
    generator = np.random.default_rng(rng.randrange(2**32))
    width = BYTES[dtype]
    bits = generator.integers(0, 1 << (8 * width), int(np.prod(shape)), dtype=np.uint64)
    return bits.astype({2: np.uint16, 4: np.uint32}[width]).reshape(shape)


def finish(case: pathlib.Path, launch: dict) -> None:
    """Runs the case on the simulator, which writes what it computes beside it. A
    kernel with an instruction that has no model there is said and left out."""
    (case / "launch.json").write_text(json.dumps(launch, indent=1))
    done = subprocess.run([BIN / "tirx-run", case / "launch.json", "--on=sim"],
                          capture_output=True, text=True)
    if done.returncode == 2 and "without a model" in done.stdout + done.stderr:
        print(f"{case.name}: left out, {(done.stdout + done.stderr).splitlines()[0]}")
        shutil.rmtree(case)
    elif done.returncode:
        sys.exit(f"{case}: {done.stdout}{done.stderr}")


def make_tile_case(rng: random.Random, case: pathlib.Path) -> None:
    text, spec = rng.choice([copy_kernel, cast_kernel])(rng)
    (case / "k.mlir").write_text(text)
    subprocess.run([BIN / "tirx-compile", case / "k.mlir", f"--target={TARGET}",
                    "-o", case / "k.ptx"], check=True)
    dtype, shape = spec["A"]
    np.save(case / "A.npy", random_bits(rng, dtype, shape))
    finish(case, {
        "kernel": "k.ptx", "entry": "k", "target": TARGET, "grid": [1, 1, 1],
        "block": [spec["threads"], 1, 1],
        "shared": json.loads((case / "k.meta.json").read_text())["shared"],
        "buffers": {
            "A": {"dtype": dtype, "shape": shape, "file": "A.npy"},
            "D": {"dtype": spec["D"][0], "shape": spec["D"][1], "fill": 0, "out": "sim_D.npy"},
        },
        "args": [{"buffer": "A"}, {"buffer": "D"}],
    })


def make_cuda_case(source: pathlib.Path, folder: pathlib.Path, level: str) -> None:
    """Every kernel of the file takes (const unsigned *in, unsigned *out)."""
    ptx = folder / f"{source.stem}{level}.ptx"
    subprocess.run(["nvcc", "-ptx", f"-arch={TARGET}", *level.split(), source, "-o", ptx], check=True)
    entries = [line.split("(")[0].split()[-1] for line in ptx.read_text().splitlines()
               if ".visible .entry" in line]
    for entry in entries:
        case = folder / f"{source.stem}{level.replace(' ', '')}-{entry}"
        case.mkdir()
        (case / "k.ptx").write_text(ptx.read_text())
        bits = np.random.default_rng(7).integers(0, 2**32, 4096, dtype=np.uint64)
        np.save(case / "in.npy", bits.astype(np.uint32))
        finish(case, {
            "kernel": "k.ptx", "entry": entry, "target": TARGET, "grid": [4, 1, 1],
            "block": [128, 1, 1], "shared": 0,
            "buffers": {
                "in": {"dtype": "u32", "shape": [4096], "file": "in.npy"},
                "D": {"dtype": "u32", "shape": [4096], "fill": 0, "out": "sim_D.npy"},
            },
            "args": [{"buffer": "in"}, {"buffer": "D"}],
        })


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    folder.mkdir(parents=True)
    rng = random.Random(11)
    for i in range(count):
        case = folder / f"tile-{i:04}"
        case.mkdir()
        make_tile_case(rng, case)
    for source in sorted((HERE / "cuda").glob("*.cu")):
        for level in ("-O3", "-O3 -fmad=false"):
            make_cuda_case(source, folder, level)
    print(f"{sum(p.is_dir() for p in folder.iterdir())} cases in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
