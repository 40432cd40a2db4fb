# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes kernels that move random regions of tensors by TMA.

A kernel loads a region, at an offset that only the launch decides, into shared
memory under some layout, copies that element by element to global memory, and
stores the shared tile by TMA into a second tensor. NumPy's slices say what both
must hold; shared layouts are spelled here, not taken from the compiler.
"""

from __future__ import annotations

import dataclasses
import math
import random

BITS = {"f16": 16, "bf16": 16, "f32": 32, "i8": 8, "i32": 32, "f64": 64}
#: Bytes of a row of each swizzle, and its pattern on 16-byte chunks.
ROW = {"none": 0, "32B": 32, "64B": 64, "128B": 128}
PATTERN = {"32B": 1, "64B": 2, "128B": 3}


@dataclasses.dataclass(frozen=True)
class Transfer:
    """A region of `shape`, at `offset` plus the number of the CTA times `step`."""

    dtype: str
    tensor: tuple[int, ...]
    region: tuple[int, ...]
    offset: tuple[int, ...]
    step: tuple[int, ...]
    ctas: int
    swizzle: str
    permuted: bool = False  # the tensor is declared transposed and permuted back

    @property
    def name(self) -> str:
        def join(values) -> str:
            return "x".join(map(str, values))

        return (f"{self.dtype}-{join(self.tensor)}-r{join(self.region)}-o{join(self.offset)}"
                f"-s{join(self.step)}-c{self.ctas}-{self.swizzle}{'-p' * self.permuted}")

    @property
    def bytes(self) -> int:
        return math.prod(self.region) * BITS[self.dtype] // 8

    def start(self, cta: int) -> tuple[int, ...]:
        return tuple(o + cta * s for o, s in zip(self.offset, self.step))


def shared_layout(t: Transfer) -> str:
    """Rows as long as the swizzle, one column of rows behind the other."""
    if t.swizzle == "none":
        return ""
    bits = BITS[t.dtype]
    row = ROW[t.swizzle] * 8 // bits
    *outer, inner = t.region
    rows = math.prod(outer)
    extents, strides = list(outer), []
    pitch = row
    for extent in reversed(outer):
        strides.insert(0, pitch)
        pitch *= extent
    extents += [inner // row, row]
    strides += [rows * row, 1]
    per_chunk = int(math.log2(128 // bits))
    tile = (f"#tirx.tile<S[({', '.join(map(str, extents))}) : "
            f"({', '.join(map(str, strides))})]>")
    swizzle = f"#tirx.swizzle<{per_chunk}, {PATTERN[t.swizzle]}, 3>"
    return f", #tirx.compose<{swizzle}, {tile}>"


def random_transfer(rng: random.Random) -> Transfer:
    dtype = rng.choice(list(BITS))
    bits = BITS[dtype]
    unit = 128 // bits  # elements of 16 bytes
    rank = rng.randint(1, 5)
    swizzle = rng.choice(list(ROW)) if rank > 1 else "none"
    row = ROW[swizzle] * 8 // bits if swizzle != "none" else unit
    inner = row * rng.randint(1, 3 if rank < 4 else 2)
    region = [rng.choice([1, 2, 3, 4, 5, 8]) for _ in range(rank - 1)] + [inner]
    if swizzle != "none":  # whole patterns, so that copies begin on their period
        region[-2] = 8 * rng.randint(1, 3)
        region[:-2] = [rng.choice([1, 2, 3]) for _ in region[:-2]]
    elif rank > 1 and inner > 256:
        inner = region[-1] = 256
    ctas = rng.choice([1, 2, 3])
    step = [rng.choice([0, 1, 2, 5]) for _ in range(rank - 1)] + [unit * rng.randint(0, 2)]
    offset = [rng.randint(0, 4) for _ in range(rank - 1)] + [unit * rng.randint(0, 3)]
    tensor = [o + (ctas - 1) * s + r + rng.randint(0, 3)
              for o, s, r in zip(offset, step, region)]
    tensor[-1] = -(-tensor[-1] // unit) * unit
    permuted = rank == 2 and swizzle == "none" and rng.random() < 0.3
    return Transfer(dtype, tuple(tensor), tuple(region), tuple(offset), tuple(step), ctas,
                    swizzle, permuted)


def write_kernel(t: Transfer, target: str) -> str:
    """The kernel as text; its parameters are the tensor, a flat copy and a tensor."""
    def shape(values) -> str:
        return "x".join(map(str, values))

    strides = [math.prod(t.tensor[i + 1:]) for i in range(len(t.tensor))]

    def layout(values) -> str:
        return (f"#tirx.tile<S[({', '.join(map(str, values))}) : "
                f"({', '.join(map(str, strides))})]>")

    region, tensor = shape(t.region), shape(t.tensor)
    whole = f"!tirx.buffer<{tensor}x{t.dtype}, global>"
    shared = f"!tirx.buffer<{region}x{t.dtype}, shared{shared_layout(t)}>"
    flat = f"!tirx.buffer<{t.ctas}x{region}x{t.dtype}, global>"
    mine = f"!tirx.buffer<1x{region}x{t.dtype}, global>"
    view = f"!tirx.buffer<{region}x{t.dtype}, global, {layout(t.region)}>"
    bar = "!tirx.buffer<1x!tirx.mbarrier, shared>"
    offsets = "\n".join(
        f"    %s{i} = arith.constant {s} : index\n    %o{i} = arith.constant {o} : index\n"
        f"    %m{i} = arith.muli %cta, %s{i} : index\n    %i{i} = arith.addi %m{i}, %o{i} : index"
        for i, (o, s) in enumerate(zip(t.offset, t.step)))
    at = ", ".join(f"%i{i}" for i in range(len(t.tensor)))
    zeros = ", ".join(["0"] * len(t.region))
    take = "%A" if not t.permuted else "%Ap"
    permuted = "" if not t.permuted else (
        f"    %At = tirx.permute %A[1, 0] : {whole} -> {shape(reversed(t.tensor))}x{t.dtype}\n"
        f"    %Ap = tirx.permute %At[1, 0] : !tirx.buffer<{shape(reversed(t.tensor))}x{t.dtype}, "
        f"global, #tirx.tile<S[({t.tensor[1]}, {t.tensor[0]}) : (1, {t.tensor[1]})]>> -> "
        f"{tensor}x{t.dtype}\n")
    return f"""
gpu.module @m [#nvvm.target<chip = "{target}", verifyTarget = false>] {{
  gpu.func @move(%A: {whole}, %F: {flat}, %D: {whole})
      kernel attributes {{known_block_size = array<i32: 64, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %bytes = arith.constant {t.bytes} : i32
    %cta = tirx.id cta_id_x
{offsets}
    %pool = tirx.smem_pool
    %bar = tirx.pool_alloc %pool : {bar}
    %s = tirx.pool_alloc %pool : {shared}
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {{
      tirx.mbarrier_init %bar[%c0] count(1) : {bar}
    }}
    tirx.barrier cta
{permuted}    %a = tirx.view {take}[{at}] : {whole} -> {view}
    %d = tirx.view %D[{at}] : {whole} -> {view}
    %f = tirx.view %F[%cta, {zeros}] : {flat} -> {mine}
    scf.if %first {{
      tirx.mbarrier_arrive %bar[%c0] expect_tx(%bytes) : {bar}
      tirx.copy_async thread %s, %a barrier(%bar[%c0]) dispatch("tma") : {shared}, {view}, {bar}
    }}
    tirx.mbarrier_wait %bar[%c0] parity(%zero) : {bar}
    tirx.copy cta %f, %s : {mine}, {shared}
    scf.if %first {{
      tirx.copy_async thread %d, %s dispatch("tma") : {view}, {shared}
      tirx.commit_group bulk
      tirx.wait_group bulk pending(0)
    }}
    gpu.return
  }}
}}
"""
