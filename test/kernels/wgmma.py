# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes tile-level wgmma GEMM kernels of any shape, type and layout.

Layouts are spelled here from PTX ISA (9.7.15.5.1), not taken from the compiler.
"""

from __future__ import annotations

import dataclasses
import math
import random

from gemm import Operand

BITS = {"f16": 16, "bf16": 16, "f32": 32, "f8E4M3FN": 8, "f8E5M2": 8, "i8": 8}
ROW = {"none": 16, "32B": 32, "64B": 64, "128B": 128}
PATTERN = {"32B": 1, "64B": 2, "128B": 3}


@dataclasses.dataclass(frozen=True)
class Wgmma:
    """D[M * warpgroups, N] = A B^T, `blocks` blocks of K."""

    m: int = 64
    n: int = 64
    k: int = 64
    a_type: str = "f16"
    b_type: str = "f16"
    d_type: str = "f32"
    a: Operand = Operand()
    b: Operand = Operand()
    blocks: int = 1
    warpgroups: int = 1
    a_in_registers: bool = False
    tma: bool = False

    @property
    def name(self) -> str:
        def operand(o: Operand) -> str:
            return f"{o.swizzle}-{o.major}-{o.inner}{'-t' * o.transposed}"

        return (f"m{self.m}n{self.n}k{self.k}-{self.a_type}-{self.b_type}-{self.d_type}"
                f"-a_{'regs' if self.a_in_registers else operand(self.a)}-b_{operand(self.b)}"
                f"-kb{self.blocks}-wg{self.warpgroups}{'-tma' * self.tma}")

    @property
    def rows(self) -> int:
        return self.m * self.warpgroups

    @property
    def depth(self) -> int:
        return self.k * self.blocks

    @property
    def stage_bytes(self) -> int:
        a = 0 if self.a_in_registers else self.rows * self.k * BITS[self.a_type] // 8
        return a + self.n * self.k * BITS[self.b_type] // 8


def width_of(o: Operand, dtype: str) -> int:
    """Elements of a row of the swizzle."""
    return ROW[o.swizzle] * 8 // BITS[dtype]


def atoms_divide(o: Operand, dtype: str, mn: int, k: int) -> bool:
    inner, outer = (k, mn) if o.major == "k" else (mn, k)
    return inner % width_of(o, dtype) == 0 and outer % 8 == 0


def tma_can_write(o: Operand) -> bool:
    """Whether rows of the swizzle are rows of the tensor, one below the other."""
    return (o.major == "k") == (o.inner == "mn") and o.transposed == (o.major == "mn")


def shared_layout(o: Operand, dtype: str, mn: int, k: int, stages: int) -> str:
    """The layout of `stages` (MN, K) tiles, or of (K, MN) ones if transposed."""
    width = width_of(o, dtype)
    atom = 8 * width
    mn_atom, k_atom = (8, width) if o.major == "k" else (width, 8)
    mn_in, k_in = (width, 1) if o.major == "k" else (1, width)
    mn_count, k_count = mn // mn_atom, k // k_atom
    mn_out, k_out = (atom, atom * mn_count) if o.inner == "mn" else (atom * k_count, atom)
    mn_iters = [(mn_count, mn_out), (mn_atom, mn_in)]
    k_iters = [(k_count, k_out), (k_atom, k_in)]
    iters = [(stages, mn * k)] + (k_iters + mn_iters if o.transposed else mn_iters + k_iters)
    extents = ", ".join(str(e) for e, _ in iters)
    strides = ", ".join(str(s) for _, s in iters)
    tile = f"#tirx.tile<S[({extents}) : ({strides})]>"
    if o.swizzle == "none":
        return tile
    element = int(math.log2(128 // BITS[dtype]))
    return f"#tirx.compose<#tirx.swizzle<{element}, {PATTERN[o.swizzle]}, 3>, {tile}>"


def accumulator_layout(m: int, n: int) -> str:
    return (f"S[({m // 64}, 4, 2, 8, {n // 8}, 4, 2) : "
            f"({n // 2}, 1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)]")


def operand_layout(m: int, k: int, bits: int) -> str:
    packed = 32 // bits
    width = 4 * packed
    return (f"S[({m // 64}, 4, 2, 8, {k // width}, 4, {packed}) : "
            f"({k // 2}, 1@wid_in_wg, {packed}, 4@laneid, {2 * packed}, 1@laneid, 1)]")


def random_wgmma(rng: random.Random) -> Wgmma:
    a_type = rng.choice(list(BITS))
    eight = ["f8E4M3FN", "f8E5M2"]
    b_type = rng.choice(eight) if a_type in eight else a_type
    d_type = "i32" if a_type == "i8" else "f32"
    if a_type == "f16" or a_type in eight:
        d_type = rng.choice(["f32", "f16"])
    wide = BITS[a_type] == 16

    def operand() -> Operand:
        major = rng.choice(["k", "mn"]) if wide else "k"
        return Operand(rng.choice(list(ROW)), major, rng.choice(["mn", "k"]), rng.random() < 0.3)

    def tma_operand() -> Operand:
        major = rng.choice(["k", "mn"]) if wide else "k"
        inner = "mn" if major == "k" else "k"
        return Operand(rng.choice(list(ROW)), major, inner, major == "mn")

    tma = rng.random() < 0.5
    make = tma_operand if tma else operand
    a, b = make(), make()
    in_registers = rng.random() < 0.3
    warpgroups = rng.choice([1, 1, 2]) if in_registers or (
        a.major == "k" and a.inner == "mn" and not a.transposed) else 1
    step = 256 // BITS[a_type]
    n = 16 * rng.randint(1, 16) if a_type == "i8" else 8 * rng.randint(1, 32)
    m = rng.choice([64, 64, 128])
    if m * n > 64 * 256:
        m = 64
    return Wgmma(m, n, step * rng.choice([1, 2, 3, 4, 8]), a_type, b_type, d_type, a, b,
                 rng.choice([1, 2, 3]), warpgroups, in_registers, tma)


def is_legal(g: Wgmma) -> bool:
    a = g.a_in_registers or atoms_divide(g.a, g.a_type, g.rows, g.k)
    return a and atoms_divide(g.b, g.b_type, g.n, g.k)


def write_kernel(g: Wgmma) -> str:
    """The kernel as text; its parameters are A, B and D."""
    stages = 2 if g.tma else 1

    def view_type(shape, dtype, pitch) -> str:
        return (f"!tirx.buffer<{shape[0]}x{shape[1]}x{dtype}, global, "
                f"#tirx.tile<S[({shape[0]}, {shape[1]}) : ({pitch}, 1)]>>")

    def operand(o: Operand, dtype: str, mn: int, name: str):
        tile = (g.k, mn) if o.transposed else (mn, g.k)
        whole = (g.depth, mn) if o.transposed else (mn, g.depth)
        return {
            "alias": f"#{name} = {shared_layout(o, dtype, mn, g.k, stages)}",
            "shared": f"!tirx.buffer<{stages}x{tile[0]}x{tile[1]}x{dtype}, shared, #{name}>",
            "global": f"!tirx.buffer<{whole[0]}x{whole[1]}x{dtype}, global>",
            "view": view_type(tile, dtype, whole[1]),
            "tile": f"{tile[0]}x{tile[1]}x{dtype}",
            "at": "[%k0, 0]" if o.transposed else "[0, %k0]",
        }

    plain = Operand("none", "k")
    a = operand(plain if g.a_in_registers else g.a, g.a_type, g.rows, "a")
    b = operand(g.b, g.b_type, g.n, "b")
    d_global = f"!tirx.buffer<{g.rows}x{g.n}x{g.d_type}, global>"
    acc = f"!tirx.buffer<{g.m}x{g.n}x{g.d_type}, local, #acc>"
    a_regs = f"!tirx.buffer<{g.m}x{g.k}x{g.a_type}, local, #aregs>"
    bar = "!tirx.buffer<2x!tirx.mbarrier, shared>"
    trans = (" trans_a" if g.a.transposed and not g.a_in_registers else "") + (
        " trans_b" if g.b.transposed else "")
    loads = [("b", "%Bs", "%B", b)]
    if not g.a_in_registers:
        loads.insert(0, ("a", "%As", "%A", a))

    def part(name: str, source: str, o, stage: str) -> str:
        """The tile of a stage, without the dimension of stages."""
        return (f"%{name}1 = tirx.view {source}[{stage}, 0, 0] : {o['shared']} -> !one_{name}\n"
                f"%{name}s = tirx.reshape %{name}1 : !one_{name} -> !tile_{name}\n")

    # The tiles of one stage.
    layouts = {"a": shared_layout(plain if g.a_in_registers else g.a, g.a_type, g.rows, g.k, 1),
               "b": shared_layout(g.b, g.b_type, g.n, g.k, 1)}
    aliases = "\n".join(
        f"!one_{name} = !tirx.buffer<1x{o['tile']}, shared, {layouts[name]}>\n"
        f"!tile_{name} = !tirx.buffer<{o['tile']}, shared, {layouts[name]}>"
        for name, o in (("a", a), ("b", b)))

    def load(block: str, stage: str, tma: bool) -> str:
        text = f"%k0 = arith.muli {block}, %tile_k : index\n"
        if tma:
            text += f"tirx.mbarrier_arrive %full[{stage}] expect_tx(%bytes) : {bar}\n"
        for name, shared, whole, o in loads:
            text += part(f"{name}", shared, o, stage).replace(f"%{name}1", f"%{name}w1").replace(
                f"%{name}s", f"%{name}w")
            text += f"%{name}g = tirx.view {whole}{o['at']} : {o['global']} -> {o['view']}\n"
            if tma:
                text += (f"tirx.copy_async thread %{name}w, %{name}g barrier(%full[{stage}]) "
                         f"dispatch(\"tma\") : !tile_{name}, {o['view']}, {bar}\n")
            else:
                text += f"tirx.copy cta %{name}w, %{name}g : !tile_{name}, {o['view']}\n"
        return text

    def product(stage: str, more: str) -> str:
        text = part("b", "%Bs", b, stage)
        if g.a_in_registers:
            text += (f"%ka = arith.muli %kb, %tile_k : index\n"
                     f"%ag1 = tirx.view %A[%mine, %ka] : {a['global']} -> "
                     f"{view_type((g.m, g.k), g.a_type, g.depth)}\n"
                     f"%ar = tirx.alloc_local : {a_regs}\n"
                     f"tirx.copy warpgroup %ar, %ag1 : {a_regs}, "
                     f"{view_type((g.m, g.k), g.a_type, g.depth)}\n")
            operand_a, type_a = "%ar", a_regs
        else:
            text += part("a", "%As", a, stage)
            operand_a, type_a = "%as", "!tile_a"
            if g.warpgroups > 1:
                text += (f"%am = tirx.view %as[%mine, 0] : !tile_a -> !mine_a\n")
                operand_a, type_a = "%am", "!mine_a"
        return text + (
            f"tirx.gemm_async warpgroup %acc, {operand_a}, %bs accumulate({more}){trans} "
            f"dispatch(\"wgmma\") : {acc}, {type_a}, !tile_b\n"
            "tirx.commit_group wgmma\n")

    if g.warpgroups > 1 and not g.a_in_registers:
        width = width_of(g.a, g.a_type)
        tile = (f"#tirx.tile<S[({g.m}, {g.k // width}, {width}) : "
                f"({width}, {g.rows * width}, 1)]>")
        if g.a.swizzle != "none":
            element = int(math.log2(128 // BITS[g.a_type]))
            tile = f"#tirx.compose<#tirx.swizzle<{element}, {PATTERN[g.a.swizzle]}, 3>, {tile}>"
        aliases += f"\n!mine_a = !tirx.buffer<{g.m}x{g.k}x{g.a_type}, shared, {tile}>"

    if g.tma:
        loop = f"""
    scf.if %first {{
      {load("%c0", "%c0", True)}
    }}
    scf.for %kb = %c0 to %blocks step %c1 {{
      %stage = arith.remui %kb, %c2 : index
      %turn = arith.divui %kb, %c2 : index
      %turn32 = arith.index_castui %turn : index to i32
      %parity = arith.andi %turn32, %one : i32
      %more = arith.cmpi ne, %kb, %c0 : index
      tirx.mbarrier_wait %full[%stage] parity(%parity) : {bar}
      {product("%stage", "%more")}
      tirx.wait_group wgmma pending({0 if g.a_in_registers else 1})
      tirx.barrier cta
      %next = arith.addi %kb, %c1 : index
      %further = arith.cmpi ult, %next, %blocks : index
      %loads = arith.andi %further, %first : i1
      scf.if %loads {{
        %other = arith.remui %next, %c2 : index
        {load("%next", "%other", True)}
      }}
    }}
    tirx.wait_group wgmma pending(0)"""
    else:
        loop = f"""
    scf.for %kb = %c0 to %blocks step %c1 {{
      %more = arith.cmpi ne, %kb, %c0 : index
      {load("%kb", "%c0", False)}
      tirx.barrier cta
      {product("%c0", "%more")}
      tirx.wait_group wgmma pending(0)
      tirx.barrier cta
    }}"""
    return f"""
{a["alias"]}
{b["alias"]}
#acc = #tirx.tile<{accumulator_layout(g.m, g.n)}>
#aregs = #tirx.tile<{operand_layout(g.m, g.k, BITS[g.a_type])}>
{aliases}
gpu.module @m [#nvvm.target<chip = "sm_90a", verifyTarget = false>] {{
  gpu.func @gemm(%A: {a["global"]}, %B: {b["global"]}, %D: {d_global})
      kernel attributes {{known_block_size = array<i32: {128 * g.warpgroups}, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant {g.stage_bytes} : i32
    %tile_k = arith.constant {g.k} : index
    %tile_m = arith.constant {g.m} : index
    %blocks = arith.constant {g.blocks} : index
    %wg = tirx.id warpgroup_id
    %mine = arith.muli %wg, %tile_m : index
    %tid = tirx.id thread_id
    %first = arith.cmpi eq, %tid, %c0 : index
    %pool = tirx.smem_pool
    %full = tirx.pool_alloc %pool : {bar}
    %As = tirx.pool_alloc %pool : {a["shared"]}
    %Bs = tirx.pool_alloc %pool : {b["shared"]}
    scf.if %first {{
      tirx.mbarrier_init %full[%c0] count(1) : {bar}
      tirx.mbarrier_init %full[%c1] count(1) : {bar}
    }}
    tirx.barrier cta
    %acc = tirx.alloc_local : {acc}
{loop}
    %d = tirx.view %D[%mine, 0] : {d_global} -> {view_type((g.m, g.n), g.d_type, g.n)}
    tirx.copy warpgroup %d, %acc : {view_type((g.m, g.n), g.d_type, g.n)}, {acc}
    gpu.return
  }}
}}
"""
