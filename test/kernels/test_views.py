# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random chains of views: what a kernel reads through them is what NumPy says.

Each kernel fills a shared buffer of a random layout from A and copies it out
through slices (with static and dynamic offsets), permutations, reshapes and recasts. The
text leaves their layouts to inference; canonicalize, which merges views of
views, runs on half of the kernels first.
"""

from __future__ import annotations

import pathlib
import random

import numpy as np
import pytest

from harness import BIN, compile_ptx, run, write_launch

THREADS = 128
# By bytes: how MLIR and NumPy spell an element.
ELEMENTS = {1: "i8", 2: "i16", 4: "i32"}
INTEGERS = {1: np.uint8, 2: np.uint16, 4: np.uint32}


def factors(rng: random.Random, total: int, count: int) -> list[int]:
    """`count` numbers whose product is `total`, a power of two."""
    shape = [1] * count
    while total > 1:
        shape[rng.randrange(count)] *= 2
        total //= 2
    return shape


def shared_layout(rng: random.Random, rows: int, columns: int) -> str:
    tile = rng.choice([
        f"S[({rows}, {columns}) : ({columns}, 1)]",
        f"S[({rows}, {columns}) : (1, {rows})]",
        f"S[({rows}, {columns}) : ({columns + 8}, 1)]",
        f"S[({rows // 8}, 8, 2, {columns // 2}) : "
        f"({8 * columns}, {columns // 2}, {4 * columns}, 1)]",
    ])
    if rng.random() < 0.5:
        return f"#tirx.tile<{tile}>"
    bits = rng.randint(1, 3)
    return f"#tirx.compose<#tirx.swizzle<3, {bits}, 3>, #tirx.tile<{tile}>>"


class Chain:
    """Views as MLIR text and the same steps on a NumPy array."""

    def __init__(self, rng: random.Random, buffer: str, array: np.ndarray):
        self.rng, self.buffer, self.array = rng, buffer, array
        self.lines: list[str] = []

    def step(self, text: str, array: np.ndarray) -> None:
        shape = "x".join(map(str, array.shape)) + "x" + ELEMENTS[array.dtype.itemsize]
        self.lines.append(f"%v{len(self.lines)} = {text} : !T{len(self.lines)} -> {shape}")
        self.array = array

    @property
    def value(self) -> str:
        return f"%v{len(self.lines) - 1}" if self.lines else self.buffer

    def slice(self) -> None:
        offsets, region = [], []
        for extent in self.array.shape:
            size = self.rng.choice([extent, max(1, extent // 2), max(1, extent // 4)])
            start = self.rng.randrange(extent // size) * size
            offsets.append(f"%c{start}" if self.dynamic(start) else str(start))
            region.append(slice(start, start + size))
        self.step(f"tirx.view {self.value}[{', '.join(offsets)}]", self.array[tuple(region)])

    def dynamic(self, start: int) -> bool:
        return start in (0, 8, 16, 32) and self.rng.random() < 0.3

    def permute(self) -> None:
        order = list(range(self.array.ndim))
        self.rng.shuffle(order)
        self.step(f"tirx.permute {self.value}{order}", self.array.transpose(order))

    def recast(self) -> None:
        size = self.rng.choice([1, 2, 4])
        row = self.array.shape[-1] * self.array.dtype.itemsize
        if row % size == 0 and size != self.array.dtype.itemsize:
            bits = np.ascontiguousarray(self.array).view(INTEGERS[size])
            self.step(f"tirx.recast {self.value}", bits)

    def reshape(self) -> None:
        shape = factors(self.rng, self.array.size, self.rng.randint(1, 3))
        self.step(f"tirx.reshape {self.value}", self.array.reshape(shape))


def random_chain(rng: random.Random, a: np.ndarray) -> tuple[str, Chain, str]:
    rows, columns = a.shape
    shared = f"!tirx.buffer<{rows}x{columns}xi16, shared, {shared_layout(rng, rows, columns)}>"
    chain = Chain(rng, "%s", a)
    for _ in range(rng.randint(1, 5)):
        rng.choice([chain.slice, chain.permute, chain.reshape, chain.recast])()
    chain.reshape()  # one step at least
    d_type = (f"!tirx.buffer<{'x'.join(map(str, chain.array.shape))}x"
              f"{ELEMENTS[chain.array.dtype.itemsize]}, global>")
    return shared, chain, d_type


def with_types(shared: str, chain: Chain, source: pathlib.Path, body) -> bool:
    """Finds the inferred type of each step by asking tirx-opt, one at a time.

    Returns False when a step has no layout, which inference must say.
    """
    types = [shared]
    for i in range(len(chain.lines)):
        source.write_text(body(types, chain.lines[: i + 1], None))
        done = run(BIN / "tirx-opt", source, "--mlir-print-local-scope", check=False)
        if done.returncode != 0:
            assert "expected" in done.stderr and "error" in done.stderr, done.stderr
            return False
        last = [line for line in done.stdout.splitlines() if " -> !tirx" in line][-1]
        types.append(last.split(" -> ")[1].strip())
    source.write_text(body(types, chain.lines, types[-1]))
    return True


@pytest.mark.parametrize("seed", range(40))
def test_chain(seed: int, tmp_path: pathlib.Path) -> None:
    rng = random.Random(seed)
    a = np.arange(64 * 64, dtype=np.uint16).reshape(64, 64)
    shared, chain, d_type = random_chain(rng, a)

    def body(types: list[str], lines: list[str], last: str | None) -> str:
        numbered = []
        for i, line in enumerate(lines):
            numbered.append("      " + line.replace(f"!T{i}", types[i]))
        copy = (f"      tirx.copy cta %D, %v{len(lines) - 1} : {d_type}, {last}\n" if last else "")
        return (
            "gpu.module @m {\n"
            f"  gpu.func @k(%A: !tirx.buffer<64x64xi16, global>, %D: {d_type}) kernel\n"
            f"      attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{\n"
            + "".join(f"      %c{n} = arith.constant {n} : index\n" for n in (0, 8, 16, 32))
            + "      %pool = tirx.smem_pool\n"
            f"      %s = tirx.pool_alloc %pool : {shared}\n"
            f"      tirx.copy cta %s, %A : {shared}, !tirx.buffer<64x64xi16, global>\n"
            "      tirx.barrier cta\n" + "\n".join(numbered) + "\n" + copy
            + "      gpu.return\n  }\n}\n"
        )

    source = tmp_path / "k.mlir"
    if not with_types(shared, chain, source, body):
        return
    if seed % 2:
        run(BIN / "tirx-opt", source, "--canonicalize", "-o", source)
    ptx = tmp_path / "k.ptx"
    done = compile_ptx(source, ptx, check=False)
    if done.returncode != 0:
        assert "served by no dispatch variant" in done.stderr, done.stderr
        return
    np.save(tmp_path / "A.npy", a)
    launch = write_launch(tmp_path, {
        "kernel": "k.ptx", "grid": [1, 1, 1], "block": [THREADS, 1, 1], "shared": 2 * 64 * 72 + 2048,
        "buffers": {
            "A": {"dtype": "u16", "shape": [64, 64], "file": "A.npy"},
            "D": {"dtype": f"u{8 * chain.array.dtype.itemsize}", "shape": list(chain.array.shape), "out": "D.npy"},
        },
        "args": [{"buffer": "A"}, {"buffer": "D"}],
    })
    run(BIN / "tirx-run", launch)
    assert np.array_equal(np.load(tmp_path / "D.npy"), chain.array)
