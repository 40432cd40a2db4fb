# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""D = A B^T on Hopper: TMA, wgmma, warp-specialised, persistent.

One warpgroup loads tiles of A and B into a ring of stages, the others multiply 64 rows
each and store their part by TMA. CTAs of a cluster lie below each other and share the
tile of B, of which each loads a part for all.
"""

import dataclasses
from typing import Any

import tirx.lite as txl
from tirx.runtime.kernel import Kernel

_WG_ROWS = 64  # rows of one wgmma
_MMA_K = 16  # its elements of K, for 16-bit types
_SHARED_LIMIT = 232448  # bytes of a CTA on sm_90
_SWIZZLES = {16: txl.SW32B, 32: txl.SW64B, 64: txl.SW128B}  # by 16-bit elements of a row
_EPILOGUE_BARRIER = 1  # the named barrier of the first multiplying warpgroup
_LOAD = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
_STORE = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"


@dataclasses.dataclass(frozen=True)
class Config:
    """A GEMM and how it is cut."""

    M: int
    N: int
    K: int
    dtype: str = "bf16"
    tile_m: int = 128
    tile_n: int = 256
    tile_k: int = 64
    stages: int = 4
    cluster: int = 1
    group: int = 8  # rows of tiles that neighbouring CTAs share columns of
    ctas: int = 132  # that run at a time: the SMs of an H100 or H200

    @property
    def consumers(self) -> int:
        return self.tile_m // _WG_ROWS

    @property
    def store_columns(self) -> int:
        return next(c for c in (64, 32, 16) if self.tile_n % c == 0)

    @property
    def store_buffers(self) -> int:
        """Of each multiplying warpgroup: two in turn, where the last part of a tile and the
        first of the next do not fall on the same one."""
        return 1 if self.tile_n // self.store_columns % 2 else 2

    @property
    def stores_by_tma(self) -> bool:
        """Whether rows of D begin at multiples of 16 bytes."""
        return self.N % 8 == 0

    @property
    def tiles(self) -> tuple[int, int]:
        """Rows and columns of clusters' tiles."""
        return -(-self.M // (self.tile_m * self.cluster)), -(-self.N // self.tile_n)

    @property
    def clusters(self) -> int:
        return max(min(self.tiles[0] * self.tiles[1], self.ctas // self.cluster), 1)

    @property
    def shared_bytes(self) -> int:
        stage = (self.tile_m + self.tile_n) * self.tile_k * 2
        store = self.tile_m * self.store_columns * 2 * self.store_buffers * self.stores_by_tma
        return self.stages * (stage + 16) + store

    def check(self) -> None:
        def expect(holds: bool, what: str, got: object) -> None:
            if not holds:
                raise ValueError(f"gemm_sm90a: expected {what}, got {got}")

        expect(self.dtype in ("bf16", "f16"), "dtype 'bf16' or 'f16'", repr(self.dtype))
        for name in ("M", "N", "K", "stages", "group", "ctas"):
            expect(getattr(self, name) >= 1, f"{name} of at least 1", getattr(self, name))
        expect(self.K % 8 == 0, "K a multiple of 8 (rows of 16 bytes, which TMA needs)", self.K)
        expect(self.tile_m in (64, 128), "tile_m 64 or 128", self.tile_m)
        expect(self.tile_n % 16 == 0 and 16 <= self.tile_n <= 256,
               "tile_n a multiple of 16 from 16 to 256", self.tile_n)
        expect(self.tile_k in _SWIZZLES, "tile_k 16, 32 or 64", self.tile_k)
        expect(self.cluster in (1, 2, 4), "cluster 1, 2 or 4", self.cluster)
        expect(self.ctas >= self.cluster, f"ctas of at least the cluster of {self.cluster}",
               self.ctas)
        expect(self.tile_n // self.cluster % 8 == 0,
               "tile_n of 8 rows of B or a multiple for each CTA of the cluster", self.tile_n)
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
    consumers = c.consumers
    registers = (40, 232) if consumers == 2 else (None, None)

    swizzle = _SWIZZLES[c.tile_k]
    # A box that is not used when the rows of D cannot be addressed by TMA.
    of_d = {"box": (_WG_ROWS, c.store_columns), "swizzle": _SWIZZLES[c.store_columns]}
    if not c.stores_by_tma:
        of_d.update(shape=(1, 8), strides=(8, 1), box=(1, 8))

    @txl.kernel(warps=4 * (consumers + 1), grid=c.clusters * c.cluster, cluster=c.cluster,
                arch="sm_90a", min_blocks_per_sm=1)
    def gemm_sm90a(A: txl.gptr[dtype, (c.M, c.K)], B: txl.gptr[dtype, (c.N, c.K)],
                   D: txl.gptr[dtype, (c.M, c.N)],
                   map_a: txl.TensorMap("A", box=(c.tile_m, c.tile_k), swizzle=swizzle),
                   map_b: txl.TensorMap("B", box=(c.tile_n // c.cluster, c.tile_k),
                                        swizzle=swizzle),
                   map_d: txl.TensorMap("D", **of_d)):
        pool = txl.smem_pool()
        # Tiles of 64 rows one after the other: a stage of A has one for each consumer.
        a = pool.alloc((c.stages * consumers, _WG_ROWS, c.tile_k), dtype, swizzle=swizzle,
                       align=1024)
        b = pool.alloc((c.stages, c.tile_n, c.tile_k), dtype, swizzle=swizzle, align=1024)
        epilogue = _TmaEpilogue(c, pool, map_d) if c.stores_by_tma else _DirectEpilogue(c, D)
        ring = txl.Pipeline(pool, c.stages, full="tma", empty="mbar",
                            init_empty=consumers * c.cluster)
        rank = txl.cta_id_in_cluster() if c.cluster > 1 else 0
        txl.ptx.fence.mbarrier_init.release.cluster()
        if c.cluster > 1:
            txl.cuda.cluster_sync()
        else:
            txl.cuda.cta_sync()

        roles = txl.specialize()
        multiply = roles.role("multiply", warps=range(4 * consumers), regs=registers[1])
        load = roles.role("load", warps=range(4 * consumers, 4 * consumers + 4), regs=registers[0])
        with load:
            with txl.If(txl.tid_in_role() == 0), txl.Then():
                _load(c, ring, (map_a, a), (map_b, b), rank)
        with multiply:
            _multiply(c, ring, a, b, rank, epilogue)
        if c.cluster > 1:  # no CTA ends while others copy to it or arrive at its barriers
            txl.ptx.barrier.cluster.arrive.release()
            txl.ptx.barrier.cluster.wait.acquire()

    return gemm_sm90a


def _for_each_tile(c: Config) -> Any:
    """Rounds of the persistent loop, with the first row and column of the cluster's tile.
    Tiles run down `group` rows before the next column, which shares A and B in L2."""
    rows, columns = c.tiles
    first = txl.cta_id() // c.cluster if c.cluster > 1 else txl.cta_id()
    for tile in txl.serial(first, rows * columns, c.clusters):
        band = tile // (c.group * columns)
        inside = tile % (c.group * columns)
        height = txl.min(rows - band * c.group, c.group)
        yield (band * c.group + inside % height) * (c.tile_m * c.cluster), inside // height * c.tile_n


def _load(c: Config, ring: Any, of_a: Any, of_b: Any, rank: Any) -> None:
    """One thread keeps the stages filled."""
    (map_a, a), (map_b, b) = of_a, of_b
    part = c.tile_n // c.cluster
    state = txl.PipelineState(c.stages, phase=1)
    for row, column in _for_each_tile(c):
        for block in txl.serial(-(-c.K // c.tile_k)):
            stage, k = state.stage, block * c.tile_k
            ring.empty.wait(stage, state.phase)
            full = ring.full.ptr_to(stage)
            ring.full.arrive(stage, tx_count=(c.tile_m + c.tile_n) * c.tile_k * 2)
            txl.ptx[_LOAD](a.ptr_to(stage * c.consumers, 0, 0), map_a, k, row + rank * c.tile_m,
                           full)
            if c.cluster == 1:
                txl.ptx[_LOAD](b.ptr_to(stage, 0, 0), map_b, k, column, full)
            else:
                txl.ptx[_LOAD + ".multicast::cluster"](
                    b.ptr_to(stage, rank * part, 0), map_b, k, column + rank * part, full,
                    txl.uint16((1 << c.cluster) - 1))
            state.advance()


def _multiply(c: Config, ring: Any, a: Any, b: Any, rank: Any, epilogue: Any) -> None:
    """One warpgroup multiplies 64 rows of each tile."""
    instruction = (f"wgmma.mma_async.sync.aligned.m64n{c.tile_n}k{_MMA_K}.f32."
                   f"{c.dtype}.{c.dtype}")
    wg, thread = txl.warpgroup_id(), txl.thread_id_in_wg()
    acc = txl.alloc_local([c.tile_n // 2], "float32")
    state = txl.PipelineState(c.stages)
    for row, column in _for_each_tile(c):
        for block in txl.serial(-(-c.K // c.tile_k)):
            stage = state.stage
            ring.full.wait(stage, state.phase)
            txl.ptx.wgmma.fence.sync.aligned()
            for step in range(c.tile_k // _MMA_K):
                adds = block != 0 if step == 0 else True  # the first replaces the sums
                txl.ptx[instruction](
                    acc, a[stage * c.consumers + wg].mma_desc("K", step, wgmma=True),
                    b[stage].mma_desc("K", step, wgmma=True), adds, 1, 1, 0, 0)
            txl.ptx.wgmma.commit_group.sync.aligned()
            txl.ptx.wgmma.wait_group.sync.aligned(0)
            _release(c, ring, stage, thread)
            state.advance()
        epilogue.store(acc, row + rank * c.tile_m + wg * _WG_ROWS, column)
    epilogue.finish()


def _release(c: Config, ring: Any, stage: Any, thread: Any) -> None:
    """Gives the stage back, in all CTAs that write it."""
    if c.cluster == 1:
        ring.empty.arrive(stage, pred=thread == 0)
        return
    # Relaxed: the stage was only read, by wgmmas that are complete; a release would put a
    # fence of memory into the loop.
    barrier = txl.local_scalar(txl.u32)
    txl.ptx.mapa.shared__cluster.u32(barrier, ring.empty.ptr_to(stage).as_expr(),
                                     txl.cast(thread % c.cluster, txl.u32))
    txl.ptx["mbarrier.arrive.relaxed.cluster.shared::cluster.b64"](barrier,
                                                                   pred=thread < c.cluster)


class _TmaEpilogue:
    """Rounds the sums, moves them through shared memory in parts of columns, and stores
    them by TMA, up to two parts in flight."""

    def __init__(self, c: Config, pool: Any, map_d: Any) -> None:
        self.c, self.map = c, map_d
        columns = c.store_columns
        swizzle = _SWIZZLES[columns]
        self.buffer = pool.alloc((c.consumers * c.store_buffers, _WG_ROWS, columns),
                                 getattr(txl, c.dtype), swizzle=swizzle, align=1024)

    def store(self, acc: Any, row: Any, column: Any) -> None:
        c, wg, thread = self.c, txl.warpgroup_id(), txl.thread_id_in_wg()
        columns = c.store_columns
        packed = txl.alloc_local([4], "uint32")
        lane = txl.lane_id()
        # The row of the 8x8 matrices whose address this lane gives.
        matrix_row = txl.warp_id_in_wg() * 16 + lane // 8 % 2 * 8 + lane % 8
        for part in range(c.tile_n // columns):
            slot = wg * c.store_buffers + part % c.store_buffers
            with txl.If(thread == 0), txl.Then():
                txl.ptx["cp.async.bulk.wait_group.read"](c.store_buffers - 1)
            txl.cuda.warpgroup_sync(wg + _EPILOGUE_BARRIER)
            for j in range(0, columns // 8, 2):
                first = (part * columns // 8 + j) * 4
                for n in range(4):
                    txl.ptx[f"cvt.rn.{c.dtype}x2.f32"](packed[n], acc[first + 2 * n + 1],
                                                       acc[first + 2 * n])
                txl.ptx["stmatrix.sync.aligned.m8n8.x4.shared.b16"](
                    self.buffer.ptr_to(slot, matrix_row, (lane // 16 + j) * 8), packed)
            txl.ptx.fence.proxy.async_.shared__cta()
            txl.cuda.warpgroup_sync(wg + _EPILOGUE_BARRIER)
            with txl.If(thread == 0), txl.Then():
                txl.ptx[_STORE](self.map, column + part * columns, row,
                                self.buffer.ptr_to(slot, 0, 0))
                txl.ptx["cp.async.bulk.commit_group"]()

    def finish(self) -> None:
        with txl.If(txl.thread_id_in_wg() == 0), txl.Then():
            txl.ptx["cp.async.bulk.wait_group"](0)


class _DirectEpilogue:
    """Stores element by element, for rows of D that TMA cannot address."""

    def __init__(self, c: Config, D: Any) -> None:
        self.c, self.D = c, D

    def store(self, acc: Any, row: Any, column: Any) -> None:
        c = self.c
        lane = txl.lane_id()
        value = txl.local_scalar(getattr(txl, c.dtype))
        top = row + txl.warp_id_in_wg() * 16 + lane // 4
        left = column + lane % 4 * 2
        for number in range(c.tile_n // 2):
            y = top + number // 2 % 2 * 8
            x = left + number // 4 * 8 + number % 2
            with txl.If(txl.And(y < c.M, x < c.N)), txl.Then():
                txl.ptx[f"cvt.rn.{c.dtype}.f32"](value, acc[number])
                txl.ptx.st.global_.b16(self.D.ptr_to(y, x), value)

    def finish(self) -> None:
        """Nothing is under way."""
