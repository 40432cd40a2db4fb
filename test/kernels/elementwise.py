# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes kernels that compute on tiles spread over registers in random layouts.

A layout deals the digits of each dimension to lanes, warps and registers, in any
order; every kernel loads its inputs from global memory into that layout, runs one
op, and stores the result.
"""

from __future__ import annotations

import dataclasses
import random

#: op: number of inputs, whether integers have it.
OPS = {"add": (2, True), "sub": (2, True), "mul": (2, True), "fdiv": (2, False),
       "maximum": (2, True), "minimum": (2, True), "fma": (3, False), "sqrt": (1, False),
       "exp": (1, False), "exp2": (1, False), "log2": (1, False), "reciprocal": (1, False),
       "silu": (1, False), "fill": (0, True), "cast": (1, True)}
FLOATS = ["f16", "bf16", "f32"]


@dataclasses.dataclass(frozen=True)
class Elementwise:
    op: str
    dtype: str
    to: str  # the type of the result of a cast
    scope: str
    shape: tuple[int, ...]
    layout: str
    scalar: bool  # the last input is a scalar
    scale: bool  # a unary op gets scale(2.0)

    @property
    def threads(self) -> int:
        return {"thread": 1, "warp": 32, "warpgroup": 128, "cta": 256}[self.scope]

    @property
    def inputs(self) -> int:
        return OPS[self.op][0]

    @property
    def name(self) -> str:
        return (f"{self.op}-{self.dtype}-{self.to}-{self.scope}-"
                f"{'x'.join(map(str, self.shape))}-{abs(hash(self.layout)) % 9999}"
                f"{'-s' * self.scalar}{'-k' * self.scale}")


def random_layout(rng: random.Random, scope: str) -> tuple[tuple[int, ...], str]:
    """A shape, and the iters of its dimensions, outermost first."""
    rank = rng.randint(1, 3)
    digits: list[tuple[int, str, int]] = []  # extent, axis, stride on it
    axes = {"thread": {}, "warp": {"laneid": 32}, "warpgroup": {"laneid": 32, "wid_in_wg": 4},
            "cta": {"laneid": 32, "warpid": 8}}[scope]
    if scope == "warpgroup" and rng.random() < 0.4:
        axes = {"tid_in_wg": 128}
    if scope == "cta" and rng.random() < 0.4:
        axes = {"tx": 256}
    for axis, size in axes.items():
        stride = 1
        while stride < size:
            extent = rng.choice([e for e in (2, 4, 8, 16) if stride * e <= size])
            digits.append((extent, f"@{axis}", stride))
            stride *= extent
    # A thread alone: LLVM reads three elements as four, also at the end of a buffer.
    counts = [2, 4, 8] if scope == "thread" else [2, 2, 3, 4, 5, 8]
    registers = [rng.choice(counts) for _ in range(rng.randint(1, 3))]
    stride = 1
    for extent in registers:
        digits.append((extent, "", stride))
        stride *= extent
    rng.shuffle(digits)
    dims: list[list[tuple[int, str, int]]] = [[] for _ in range(rank)]
    for digit in digits:
        rng.choice(dims).append(digit)
    shape, extents, strides = [], [], []
    for dim in dims:
        if not dim:
            dim.append((1, "", 0))
        size = 1
        for extent, axis, step in dim:
            size *= extent
            extents.append(str(extent))
            strides.append(f"{step}{axis}")
        shape.append(size)
    return tuple(shape), f"#tirx.tile<S[({', '.join(extents)}) : ({', '.join(strides)})]>"


def random_elementwise(rng: random.Random) -> Elementwise:
    op = rng.choice(list(OPS))
    count, integers = OPS[op]
    dtype = rng.choice(FLOATS + (["i32", "i16"] if integers else []))
    to = dtype
    if op == "cast":
        to = rng.choice([t for t in FLOATS + ["i32", "f8E4M3FN", "f8E5M2"] if t != dtype])
        if to.startswith("f8") and dtype.startswith("i"):
            to = "f32"
    scope = rng.choice(["thread", "warp", "warpgroup", "cta"])
    shape, layout = random_layout(rng, scope)
    scale = count == 1 and op != "cast" and rng.random() < 0.3
    return Elementwise(op, dtype, to, scope, shape, layout, count > 1 and rng.random() < 0.4,
                       scale)


def write_kernel(e: Elementwise) -> str:
    """The kernel as text; its parameters are the inputs, a scalar and the result."""
    shape = "x".join(map(str, e.shape))
    memory = f"!tirx.buffer<{shape}x{e.dtype}, global>"
    tile = f"!tirx.buffer<{shape}x{e.dtype}, local, #l>"
    out_memory = f"!tirx.buffer<{shape}x{e.to}, global>"
    out_tile = f"!tirx.buffer<{shape}x{e.to}, local, #l>"
    buffers = e.inputs - e.scalar
    parameters = "".join(f"%A{i}: {memory}, " for i in range(buffers))
    loads = "".join(
        f"    %a{i} = tirx.alloc_local : {tile}\n"
        f"    tirx.copy {e.scope} %a{i}, %A{i} : {tile}, {memory}\n" for i in range(buffers))
    operands = [f"%a{i}" for i in range(buffers)]
    types = [tile] * buffers
    if e.scalar or e.op == "fill":
        operands.append("%x")
        types.append(e.dtype)
    scale = f" scale(%x : {e.dtype})" if e.scale else ""
    return f"""
#l = {e.layout}
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {{
  gpu.func @compute({parameters}%x: {e.dtype}, %D: {out_memory})
      kernel attributes {{known_block_size = array<i32: {e.threads}, 1, 1>}} {{
{loads}    %d = tirx.alloc_local : {out_tile}
    tirx.{e.op} {e.scope} %d, {', '.join(operands)}{scale} : {', '.join([out_tile, *types])}
    tirx.copy {e.scope} %D, %d : {out_memory}, {out_tile}
    gpu.return
  }}
}}
"""
