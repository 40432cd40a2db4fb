# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""D = A B^T from Ampere on: cp.async fills a ring of stages, ldmatrix reads swizzled tiles,
mma.sync multiplies. Every warp has a part of the CTA's tile in registers."""

import dataclasses
from typing import Any

from tirx import lite as txl
from tirx.kernels.common import WARP
from tirx.runtime.kernel import Kernel

_CHUNK = 8  # 16-bit elements that one cp.async moves
_CHUNK_BYTES = 16
_MMA_M, _MMA_N, _MMA_K = 16, 8, 16
_SHARED_LIMIT = 101376  # bytes of a CTA that every chip from sm_80 on has (sm_86, sm_89)
_SWIZZLES = {16: txl.SW32B, 32: txl.SW64B, 64: txl.SW128B}  # by 16-bit elements of a row


@dataclasses.dataclass(frozen=True)
class Config:
    """A GEMM and how it is cut."""

    M: int
    N: int
    K: int
    dtype: str = "bf16"
    tile_m: int = 128
    tile_n: int = 128
    tile_k: int = 32
    warps_m: int = 2
    warps_n: int = 4
    stages: int = 4
    group: int = 8  # rows of tiles that neighbouring CTAs share columns of

    @property
    def threads(self) -> int:
        return self.warps_m * self.warps_n * WARP

    @property
    def warp_tile(self) -> tuple[int, int]:
        return self.tile_m // self.warps_m, self.tile_n // self.warps_n

    @property
    def tiles(self) -> tuple[int, int]:
        return -(-self.M // self.tile_m), -(-self.N // self.tile_n)

    @property
    def steps(self) -> int:
        return -(-self.K // self.tile_k)

    @property
    def shared_bytes(self) -> int:
        return self.stages * (self.tile_m + self.tile_n) * self.tile_k * 2

    def check(self) -> None:
        def expect(holds: bool, what: str, got: object) -> None:
            if not holds:
                raise ValueError(f"gemm_sm80: expected {what}, got {got}")

        expect(self.dtype in ("bf16", "f16"), "dtype 'bf16' or 'f16'", repr(self.dtype))
        for name in ("M", "N", "K", "warps_m", "warps_n", "group"):
            expect(getattr(self, name) >= 1, f"{name} of at least 1", getattr(self, name))
        expect(self.K % _CHUNK == 0,
               f"K a multiple of {_CHUNK} (rows of 16 bytes, which cp.async needs)", self.K)
        expect(self.tile_k in _SWIZZLES, "tile_k 16, 32 or 64", self.tile_k)
        expect(self.threads <= 1024, "at most 32 warps", self.threads // WARP)
        expect(self.tile_m >= 1 and self.tile_m % (_MMA_M * self.warps_m) == 0,
               f"tile_m a multiple of {_MMA_M * self.warps_m}, 16 rows for each of warps_m",
               self.tile_m)
        expect(self.tile_n >= 1 and self.tile_n % (2 * _MMA_N * self.warps_n) == 0,
               f"tile_n a multiple of {2 * _MMA_N * self.warps_n}, 16 columns for each of warps_n",
               self.tile_n)
        expect(self.stages >= 2, "at least 2 stages", self.stages)
        expect(self.shared_bytes <= _SHARED_LIMIT,
               f"stages that fit {_SHARED_LIMIT} bytes of shared memory",
               f"{self.stages} stages of {self.shared_bytes} bytes in all")


def gemm(M: int, N: int, K: int, **options: Any) -> Kernel:
    """The kernel `gemm(A[M, K], B[N, K], D[M, N])`; options are fields of Config."""
    config = Config(M, N, K, **options)
    config.check()
    return _build(config)


def _build(c: Config) -> Kernel:
    dtype = getattr(txl, c.dtype)
    rows, columns = c.tiles

    @txl.kernel(warps=c.threads // WARP, grid=rows * columns)
    def gemm_sm80(A: txl.gptr[dtype, (c.M, c.K)], B: txl.gptr[dtype, (c.N, c.K)],
                  D: txl.gptr[dtype, (c.M, c.N)]):
        pool = txl.smem_pool()
        a = pool.alloc((c.stages, c.tile_m, c.tile_k), dtype, swizzle=_SWIZZLES[c.tile_k])
        b = pool.alloc((c.stages, c.tile_n, c.tile_k), dtype, swizzle=_SWIZZLES[c.tile_k])
        row, column = _place(c)
        operands = [(A, a, row, c.M), (B, b, column, c.N)]
        for stage in range(c.stages - 1):
            _load(c, operands, stage, stage)
        warp = txl.warp_id()
        part = warp // c.warps_n * c.warp_tile[0], warp % c.warps_n * c.warp_tile[1]
        sums = txl.alloc_local([c.warp_tile[0] * c.warp_tile[1] // WARP], "float32")
        for number in range(len(sums)):
            txl.assign(sums[number], 0.0)
        for step in txl.serial(c.steps):
            # The copies of this step are done, and nobody reads the stage of the last one.
            txl.ptx["cp.async.wait_group"](c.stages - 2)
            txl.cuda.cta_sync()
            ahead = step + (c.stages - 1)
            _load(c, operands, ahead, ahead % c.stages)
            _multiply(c, sums, (a, b), step % c.stages, part)
        txl.ptx["cp.async.wait_group"](0)
        _store(c, sums, D, row + part[0], column + part[1])

    return gemm_sm80


def _place(c: Config) -> tuple[Any, Any]:
    """The first row and column of the CTA's tile. Tiles run down `group` rows before the
    next column, which shares A and B in L2."""
    rows, columns = c.tiles
    tile = txl.cta_id()
    band, inside = tile // (c.group * columns), tile % (c.group * columns)
    height = txl.min(rows - band * c.group, c.group)
    return (band * c.group + inside % height) * c.tile_m, inside // height * c.tile_n


def _load(c: Config, operands: Any, step: Any, stage: Any) -> None:
    """Begins the copies of a step; what lies outside of the matrices becomes 0."""
    chunks = c.tile_k // _CHUNK  # of a row
    for matrix, tile, first, extent in operands:
        total = tile.shape[1] * chunks
        for start in range(0, total, c.threads):
            number = txl.thread_id() + start
            y, x = number // chunks, number % chunks * _CHUNK
            row, k = first + y, x + step * c.tile_k
            inside = txl.And(row < extent, k < c.K)
            size = txl.Select(inside, txl.uint32(_CHUNK_BYTES), txl.uint32(0))
            source = matrix.ptr_to(txl.min(row, extent - 1), txl.min(k, c.K - _CHUNK))
            takes_part = number < total if start + c.threads > total else None
            txl.ptx["cp.async.cg.shared.global"](tile.ptr_to(stage, y, x), source, _CHUNK_BYTES,
                                                 size, pred=takes_part)
    txl.ptx["cp.async.commit_group"]()


def _multiply(c: Config, sums: Any, tiles: Any, stage: Any, part: Any) -> None:
    """Adds the products of one stage."""
    a, b = tiles
    height, width = c.warp_tile
    lane = txl.lane_id()
    load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
    mma = f"mma.sync.aligned.m16n8k16.row.col.f32.{c.dtype}.{c.dtype}.f32"
    of_a = [txl.alloc_local([4], "uint32") for _ in range(height // _MMA_M)]
    of_b = [txl.alloc_local([4], "uint32") for _ in range(width // (2 * _MMA_N))]
    for k in range(0, c.tile_k, _MMA_K):
        for i, fragment in enumerate(of_a):
            txl.ptx[load](fragment, a.ptr_to(stage, part[0] + i * _MMA_M + lane % 16,
                                             k + lane // 16 * 8))
        for j, fragment in enumerate(of_b):  # two tiles of 8 columns
            txl.ptx[load](fragment, b.ptr_to(stage, part[1] + j * 2 * _MMA_N + lane // 16 * 8
                                             + lane % 8, k + lane // 8 % 2 * 8))
        for i, left in enumerate(of_a):
            for j in range(width // _MMA_N):
                first = (i * (width // _MMA_N) + j) * 4
                sums_of_tile = [sums[first + n] for n in range(4)]
                right = [of_b[j // 2][j % 2 * 2 + n] for n in range(2)]
                txl.ptx[mma](sums_of_tile, left, right, sums_of_tile)


def _store(c: Config, sums: Any, D: Any, row: Any, column: Any) -> None:
    """Rounds and stores; two elements at a time where rows begin at multiples of them."""
    height, width = c.warp_tile
    lane = txl.lane_id()
    packed, single = txl.local_scalar(txl.u32), txl.local_scalar(getattr(txl, c.dtype))
    for number in range(0, height * width // WARP, 2):
        tile, half = number // 4, number // 2 % 2
        y = row + (tile // (width // _MMA_N) * _MMA_M + half * 8) + lane // 4
        x = column + tile % (width // _MMA_N) * _MMA_N + lane % 4 * 2
        if c.N % 2 == 0:
            with txl.If(txl.And(y < c.M, x < c.N)), txl.Then():
                txl.ptx[f"cvt.rn.{c.dtype}x2.f32"](packed, sums[number + 1], sums[number])
                txl.ptx.st.global_.b32(D.ptr_to(y, x), packed)
            continue
        for n in range(2):
            with txl.If(txl.And(y < c.M, x + n < c.N)), txl.Then():
                txl.ptx[f"cvt.rn.{c.dtype}.f32"](single, sums[number + n])
                txl.ptx.st.global_.b16(D.ptr_to(y, x + n), single)
