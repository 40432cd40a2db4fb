# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes tile-level tcgen05 GEMM kernels of any shape, type and layout.

The layouts are spelled here from the definition of the shared-memory operand
layouts (PTX ISA, "Shared memory matrix layout"), not taken from the compiler, so
that a kernel that compiles and computes the right result checks the compiler.
"""

from __future__ import annotations

import dataclasses

SWIZZLE_BYTES = {"none": 0, "32B": 32, "64B": 64, "128B": 128}
SWIZZLE_ATTR = {
    "32B": "#tirx.swizzle<3, 1, 3>",
    "64B": "#tirx.swizzle<3, 2, 3>",
    "128B": "#tirx.swizzle<3, 3, 3>",
}
ELEMENT_BYTES = 2  # f16 and bf16


@dataclasses.dataclass(frozen=True)
class Operand:
    """How one operand lies in shared memory."""

    swizzle: str = "128B"
    major: str = "k"  # "k" or "mn": the dimension whose elements are neighbours
    inner: str = "mn"  # along which dimension atoms follow each other first
    transposed: bool = False  # the buffer is (K, MN) instead of (MN, K)


@dataclasses.dataclass(frozen=True)
class Gemm:
    """D[M*grid_m, N*grid_n] = A B^T in tiles of M x N, `blocks` blocks of K."""

    m: int = 128
    n: int = 128
    k: int = 64
    in_type: str = "f16"
    out_type: str = "f16"
    a: Operand = Operand()
    b: Operand = Operand()
    blocks: int = 1
    grid_m: int = 1
    grid_n: int = 1

    @property
    def name(self) -> str:
        def operand(o: Operand) -> str:
            return f"{o.swizzle}-{o.major}-{o.inner}{'-t' if o.transposed else ''}"

        return (
            f"m{self.m}n{self.n}k{self.k}-{self.in_type}-{self.out_type}"
            f"-a_{operand(self.a)}-b_{operand(self.b)}"
            f"-kb{self.blocks}-g{self.grid_m}x{self.grid_n}"
        )

    @property
    def shared_bytes(self) -> int:
        """Shared memory of the two tiles, with the head and their alignment."""

        def align(x: int) -> int:
            return -(-x // 1024) * 1024

        a_end = 1024 + self.m * self.k * ELEMENT_BYTES
        return align(a_end) + self.n * self.k * ELEMENT_BYTES

    @property
    def columns(self) -> int:
        columns = 32
        while columns < self.n:
            columns *= 2
        return columns


def atom_divides(operand: Operand, mn: int, k: int) -> bool:
    """Whether whole swizzle atoms fill the mn x k tile."""
    width = SWIZZLE_BYTES[operand.swizzle] // ELEMENT_BYTES or 8
    contiguous, other = (k, mn) if operand.major == "k" else (mn, k)
    return contiguous % width == 0 and other % 8 == 0


def shared_layout(operand: Operand, mn: int, k: int) -> str:
    """The layout of an (MN, K) tile, or of a (K, MN) one if transposed.

    A tile that atoms do not fill gets what an author would try: the swizzle over
    a plain row-major (or column-major) tile.
    """
    width = SWIZZLE_BYTES[operand.swizzle] // ELEMENT_BYTES or 8
    atom = 8 * width  # elements: 8 rows of the swizzle width
    if operand.major == "k":
        mn_atom, k_atom = 8, width
        mn_in, k_in = width, 1
    else:
        mn_atom, k_atom = width, 8
        mn_in, k_in = 1, width
    mn_count, k_count = mn // mn_atom, k // k_atom
    if operand.inner == "mn":
        mn_out, k_out = atom, atom * mn_count
    else:
        mn_out, k_out = atom * k_count, atom
    mn_iters = [(mn_count, mn_out), (mn_atom, mn_in)]
    k_iters = [(k_count, k_out), (k_atom, k_in)]
    if not atom_divides(operand, mn, k):
        k_major = operand.major == "k"
        mn_iters, k_iters = [(mn, k if k_major else 1)], [(k, 1 if k_major else mn)]
    iters = k_iters + mn_iters if operand.transposed else mn_iters + k_iters
    extents = ", ".join(str(e) for e, _ in iters)
    strides = ", ".join(str(s) for _, s in iters)
    tile = f"#tirx.tile<S[({extents}) : ({strides})]>"
    if operand.swizzle == "none":
        return tile
    return f"#tirx.compose<{SWIZZLE_ATTR[operand.swizzle]}, {tile}>"


def write_kernel(g: Gemm) -> str:
    """The kernel as text; its parameters are A, B and D, in the order of shape_of."""
    t, out = g.in_type, g.out_type
    rows, cols, depth = g.m * g.grid_m, g.n * g.grid_n, g.k * g.blocks

    def operand_types(o: Operand, mn: int, all_mn: int, alias: str):
        tile = f"{g.k}x{mn}" if o.transposed else f"{mn}x{g.k}"
        whole = f"{depth}x{all_mn}" if o.transposed else f"{all_mn}x{depth}"
        pitch = all_mn if o.transposed else depth
        a, b = tile.split("x")
        view = f"#tirx.tile<S[({a}, {b}) : ({pitch}, 1)]>"
        return (
            f"!tirx.buffer<{tile}x{t}, shared, {alias}>",
            f"!tirx.buffer<{whole}x{t}, global>",
            f"!tirx.buffer<{tile}x{t}, global, {view}>",
        )

    a_shared, a_global, a_view = operand_types(g.a, g.m, rows, "#a")
    b_shared, b_global, b_view = operand_types(g.b, g.n, cols, "#b")
    d_global = f"!tirx.buffer<{rows}x{cols}x{out}, global>"
    d_row = f"!tirx.buffer<1x{g.n}x{out}, global, #tirx.tile<S[(1, {g.n}) : ({cols}, 1)]>>"
    split = f"({g.m // 16}, 16, {g.n})"  # M 64: 16 rows in each group of 32 lanes
    if g.m == 64:
        acc_layout = f"S[{split} : (32@TLane, 1@TLane, 1@TCol)]"
        reg_layout = f"S[{split} : (32@tid_in_wg, 1@tid_in_wg, 1)]"
    else:
        acc_layout = f"S[({g.m}, {g.n}) : (1@TLane, 1@TCol)]"
        reg_layout = f"S[({g.m}, {g.n}) : (1@tid_in_wg, 1)]"
    acc = f"!tirx.buffer<{g.m}x{g.n}xf32, tmem, #acc>"
    regs = f"!tirx.buffer<{g.m}x{g.n}xf32, local, #regs>"
    bar = "!tirx.buffer<1x!tirx.mbarrier, shared>"
    slot = "!tirx.buffer<1xi32, shared>"
    a_off = "[%k0, %m0]" if g.a.transposed else "[%m0, %k0]"
    b_off = "[%k0, %n0]" if g.b.transposed else "[%n0, %k0]"
    trans = (" trans_a" if g.a.transposed else "") + (" trans_b" if g.b.transposed else "")

    if out == "f32":
        result, result_type, cast = "%mine", f"!tirx.buffer<{g.n}xf32, local>", ""
    else:
        result, result_type = "%narrow", f"!tirx.buffer<{g.n}x{out}, local>"
        cast = (
            f"%narrow = tirx.alloc_local : {result_type}\n"
            f"tirx.cast thread %narrow, %mine : {result_type}, !tirx.buffer<{g.n}xf32, local>"
        )
    rows_per_warp = g.m // 4
    store = f"""
      %row0 = arith.muli %warp, %rows_per_warp : index
      %row1 = arith.addi %row0, %lane : index
      %row = arith.addi %row1, %m0 : index
      %drow = tirx.view %D[%row, %n0] : {d_global} -> {d_row}
      tirx.copy thread %drow, {result} : {d_row}, {result_type}"""
    if g.m == 64:
        store = f"""
      %has_row = arith.cmpi ult, %lane, %rows_per_warp : index
      scf.if %has_row {{{store}
      }}"""

    return f"""
#a = {shared_layout(g.a, g.m, g.k)}
#b = {shared_layout(g.b, g.n, g.k)}
#acc = #tirx.tile<{acc_layout}>
#regs = #tirx.tile<{reg_layout}>
gpu.module @m {{
  gpu.func @gemm(%A: {a_global}, %B: {b_global}, %D: {d_global})
      kernel attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %tile_m = arith.constant {g.m} : index
    %tile_n = arith.constant {g.n} : index
    %tile_k = arith.constant {g.k} : index
    %blocks = arith.constant {g.blocks} : index
    %rows_per_warp = arith.constant {rows_per_warp} : index
    %warp = tirx.id warp_id_in_wg
    %lane = tirx.id lane_id
    %bx = tirx.id cta_id_x
    %by = tirx.id cta_id_y
    %m0 = arith.muli %bx, %tile_m : index
    %n0 = arith.muli %by, %tile_n : index
    %pool = tirx.smem_pool
    %slot = tirx.pool_alloc %pool : {slot}
    %bar = tirx.pool_alloc %pool : {bar}
    %As = tirx.pool_alloc %pool : {a_shared}
    %Bs = tirx.pool_alloc %pool : {b_shared}
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    scf.if %is_warp0 {{
      %is_lane0 = arith.cmpi eq, %lane, %c0 : index
      scf.if %is_lane0 {{
        tirx.mbarrier_init %bar[%c0] count(1) : {bar}
      }}
      tirx.tmem_alloc %slot[%c0] columns({g.columns}) : {slot}
    }}
    tirx.barrier cta
    %acc = tirx.tmem_buffer %slot[%c0] : {slot} -> {acc}
    %end = scf.for %kb = %c0 to %blocks step %c1 iter_args(%phase = %zero) -> (i32) {{
      %k0 = arith.muli %kb, %tile_k : index
      %Ag = tirx.view %A{a_off} : {a_global} -> {a_view}
      %Bg = tirx.view %B{b_off} : {b_global} -> {b_view}
      tirx.copy cta %As, %Ag : {a_shared}, {a_view}
      tirx.copy cta %Bs, %Bg : {b_shared}, {b_view}
      tirx.barrier cta
      scf.if %is_warp0 {{
        %leader = tirx.elect
        scf.if %leader {{
          %more = arith.cmpi ne, %kb, %c0 : index
          tirx.gemm_async thread %acc, %As, %Bs accumulate(%more){trans} dispatch("tcgen05")
              : {acc}, {a_shared}, {b_shared}
          tirx.commit %bar[%c0] : {bar}
        }}
      }}
      tirx.mbarrier_wait %bar[%c0] parity(%phase) : {bar}
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }}
    %regs = tirx.alloc_local : {regs}
    tirx.copy_async warpgroup %regs, %acc : {regs}, {acc}
    tirx.wait tcgen05_ld
    %mine = tirx.local_view %regs : {regs} -> !tirx.buffer<{g.n}xf32, local>
    {cast}{store}
    tirx.barrier cta
    scf.if %is_warp0 {{
      tirx.tmem_relinquish
      tirx.tmem_dealloc %slot[%c0] columns({g.columns}) : {slot}
    }}
    gpu.return
  }}
}}
"""
