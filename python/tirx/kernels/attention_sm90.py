# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward for sm_90a: softmax(scale Q K^T) V without the matrix in between.

A CTA has 64 rows of Q for each consumer warpgroup. One thread of the producer warpgroup
copies blocks of K and V into a ring of stages. A consumer multiplies its rows with a
block of K (wgmma), keeps the largest element and the sum of each row so far, rescales what
it has of the output, and multiplies the probabilities, in registers, with V.
"""

import math
from typing import Any

from tirx import lite as txl
from tirx.kernels.common import LOG2_E, combine, positive, warp_reduce

_ROWS = 64  # of a wgmma
_CHUNK = 64  # columns of a box: 128 bytes, the width of the swizzle
_MMA_K = 16
_WARPS = 4  # of a warpgroup
_SHARED = 227 * 1024
_LOAD = "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"


class _Shape:
    """What the kernel is made for, checked."""

    def __init__(self, dtype: Any, width: int, block: int, consumers: int, stages: int) -> None:
        if dtype.name not in ("f16", "bf16"):
            raise ValueError(f"dtype: expected f16 or bf16, got {dtype}")
        if width not in (64, 128):
            raise ValueError(f"width: expected heads of 64 or 128 elements, got {width!r}")
        if consumers not in (1, 2):
            raise ValueError(f"consumers: expected 1 or 2 warpgroups, got {consumers!r}")
        if positive("block", block, _MMA_K) > 128:
            raise ValueError(f"block: expected at most 128 rows of K, got {block}")
        self.dtype, self.width, self.block = dtype, width, block
        self.consumers, self.stages = consumers, positive("stages", stages)
        self.rows = _ROWS * consumers
        self.tile_bytes = block * width * dtype.bytes
        shared = self.rows * width * dtype.bytes + 2 * stages * self.tile_bytes + 64 * stages
        if shared > _SHARED:
            raise ValueError(f"stages: expected at most {_SHARED} bytes of shared memory, {stages} "
                             f"stages take {shared}")


def _heads(name: str) -> Any:
    """A tensor of rows for each head, of an array batch x heads x rows x width."""

    def shape(p: Any) -> tuple[int, ...]:
        batch, heads, rows, width = p[name].shape
        return batch * heads, rows, width

    return shape


def attention(dtype: Any = txl.bf16, width: int = 128, causal: bool = False,
              scale: float | None = None, group: int = 1, block: int = 128, consumers: int = 2,
              stages: int = 2) -> Any:
    """Arguments: q (batch x heads x m x width of `dtype`, f16 or bf16), k and v (batch x
    heads / group x n x width), o (as q), m and n.

    `width`: of a head, 64 or 128. `causal`: row i sees the keys up to i + n - m. `scale`:
    1 / sqrt(width) unless given. `group`: heads of Q for one of K and V. `block`: rows of
    K and V at a time. A row that sees no key is zero."""
    shape = _Shape(dtype, width, block, consumers, stages)
    positive("group", group)
    factor = (1 / math.sqrt(width) if scale is None else float(scale)) * LOG2_E
    warps = _WARPS * (consumers + 1)

    def grid(p: Any) -> list[int]:
        batch, heads = p["q"].shape[:2]
        return [max(1, -(-int(p["m"]) // shape.rows)), batch * heads]

    @txl.kernel(warps=warps, arch="sm_90a", min_blocks_per_sm=1, grid=grid)
    def attention(q: txl.gptr[dtype, 4], k: txl.gptr[dtype, 4], v: txl.gptr[dtype, 4],
                  o: txl.gptr[dtype, 4], m: txl.i32, n: txl.i32,
                  q_map: txl.TensorMap("q", (1, _ROWS, _CHUNK), txl.SW128B, shape=_heads("q")),
                  k_map: txl.TensorMap("k", (1, block, _CHUNK), txl.SW128B, shape=_heads("k")),
                  v_map: txl.TensorMap("v", (1, block, _CHUNK), txl.SW128B, shape=_heads("v"))):
        pool = txl.smem_pool()
        q_tile = pool.alloc((consumers, _ROWS, width), dtype, swizzle=txl.SW128B, align=1024)
        k_ring, v_ring = (pool.alloc((stages, block, width), dtype, swizzle=txl.SW128B, align=1024)
                          for _ in range(2))
        q_full = txl.TMABar(pool)
        q_full.init(1)
        # A block of K is there before its block of V is.
        k_pipe, v_pipe = (txl.Pipeline(pool, stages, full="tma", empty="mbar",
                                       init_empty=consumers) for _ in range(2))
        txl.ptx.fence.mbarrier_init.release.cluster()
        txl.cuda.cta_sync()
        first_block, head = txl.cta_id([1, 1])
        first_row = first_block * shape.rows
        visible = n
        if causal:  # the last row of the CTA sees the most
            visible = txl.max(0, txl.min(n, first_row + (shape.rows + n) - m))
        blocks = (visible + (block - 1)) // block

        roles = txl.specialize()
        producer = roles.role("producer", warps=range(_WARPS), regs=40)
        consumer = roles.role("consumer", warps=range(_WARPS, warps), regs=232)
        with producer:
            with txl.If(txl.thread_id() == 0), txl.Then():
                q_full.arrive(0, shape.rows * width * dtype.bytes)
                for part in range(consumers):
                    _load(q_tile, part, q_map, first_row + part * _ROWS, head, q_full.ptr_to(0))
                state = txl.PipelineState(stages, phase=1)
                for i in txl.serial(blocks):
                    for pipe, ring, tensor in ((k_pipe, k_ring, k_map), (v_pipe, v_ring, v_map)):
                        pipe.empty.wait(state.stage, state.phase)
                        pipe.full.arrive(state.stage, shape.tile_bytes)
                        _load(ring, state.stage, tensor, i * block, head // group,
                              pipe.full.ptr_to(state.stage))
                    state.advance()
        with consumer:
            part = txl.uniform(txl.warp_id_in_role() // _WARPS)
            thread = txl.thread_id_in_wg()
            row = first_row + part * _ROWS + txl.warp_id_in_wg() * 16 + txl.lane_id() // 4
            softmax = _Softmax(shape, factor)
            output = txl.alloc_local([width // 2], "float32")
            for i in range(width // 2):
                txl.assign(output[i], 0.0)
            state = txl.PipelineState(stages, phase=0)
            q_full.wait(0, 0)
            for i in txl.serial(blocks):
                k_pipe.full.wait(state.stage, state.phase)
                scores = softmax.scores
                _multiply(shape, scores, q_tile[part], k_ring[state.stage])
                k_pipe.empty.arrive(state.stage, pred=thread == 0)
                _mask(shape, scores, i * block, row, m, n, causal)
                softmax.update(output)
                v_pipe.full.wait(state.stage, state.phase)
                _accumulate(shape, output, softmax.packed(), v_ring[state.stage])
                v_pipe.empty.arrive(state.stage, pred=thread == 0)
                state.advance()
            _store(shape, o, output, softmax.inverse_sums(), head, row, m)

    return attention


def _load(ring: Any, stage: Any, tensor: Any, row: Any, head: Any, full: Any) -> None:
    for column in range(0, ring.shape[2], _CHUNK):
        txl.ptx[_LOAD](ring.ptr_to(stage, 0, column), tensor, column, row, head, full)


def _complete() -> None:
    txl.ptx.wgmma.commit_group.sync.aligned()
    txl.ptx.wgmma.wait_group.sync.aligned(0)


def _multiply(shape: _Shape, scores: Any, q: Any, k: Any) -> None:
    """scores = Q K^T."""
    name = shape.dtype.name
    mma = f"wgmma.mma_async.sync.aligned.m64n{shape.block}k16.f32.{name}.{name}"
    txl.ptx.wgmma.fence.sync.aligned()
    for step in range(shape.width // _MMA_K):
        txl.ptx[mma](scores, q.mma_desc("K", step, wgmma=True), k.mma_desc("K", step, wgmma=True),
                     step != 0, 1, 1, 0, 0)
    _complete()


def _accumulate(shape: _Shape, output: Any, packed: Any, v: Any) -> None:
    """output += P V, with P in registers."""
    name = shape.dtype.name
    mma = f"wgmma.mma_async.sync.aligned.m64n{shape.width}k16.f32.{name}.{name}"
    txl.ptx.wgmma.fence.sync.aligned()
    for step in range(shape.block // _MMA_K):
        left = [packed[4 * step + i] for i in range(4)]
        txl.ptx[mma](output, left, v.mma_desc("MN", step, wgmma=True), True, 1, 1, 1)
    _complete()


def _mask(shape: _Shape, scores: Any, first: Any, row: Any, m: Any, n: Any, causal: bool) -> None:
    """Minus infinity for keys that a row does not see, in blocks that have such keys."""

    def visible(at: Any) -> Any:
        return txl.min(n, at + (1 + n) - m) if causal else n

    # The first row of the warp sees the fewest keys.
    top = row - txl.lane_id() // 4
    with txl.If(first + shape.block > visible(top)), txl.Then():
        limits = [txl.local_scalar(txl.i32, visible(row + 8 * half) - txl.lane_id() % 4 * 2 - first)
                  for half in range(2)]
        for i in range(shape.block // 2):
            column = i // 4 * 8 + i % 2
            txl.assign(scores[i], txl.Select(limits[i // 2 % 2] > column, scores[i], -math.inf))


class _Softmax:
    """The state of the two rows that a thread has a part of: element i of the scores
    belongs to row i / 2 mod 2."""

    def __init__(self, shape: _Shape, factor: float) -> None:
        self.shape = shape
        self.factor = factor  # of scores, in powers of two
        self.scores = txl.alloc_local([shape.block // 2], "float32")
        self.largest = [txl.local_scalar(txl.f32, -math.inf) for _ in range(2)]
        self.sums = [txl.local_scalar(txl.f32, 0.0) for _ in range(2)]

    def update(self, output: Any) -> None:
        """Scores become probabilities that are not divided by their sum yet."""
        for half in range(2):
            self._update_row(half, output)

    def _update_row(self, half: int, output: Any) -> None:
        own = [i for i in range(self.shape.block // 2) if i // 2 % 2 == half]
        largest, total = self.largest[half], self.sums[half]
        new = txl.local_scalar(txl.f32, largest)
        for i in own:
            txl.assign(new, combine("max", new, self.scores[i]))
        warp_reduce(new, "max", 4)
        # A row that has seen no key yet is scaled from 0.
        base = txl.local_scalar(txl.f32, txl.Select(new > -math.inf, new * self.factor, 0.0))
        rescale = txl.local_scalar(txl.f32)
        txl.ptx["ex2.approx.ftz.f32"](rescale, largest * self.factor - base)
        txl.assign(largest, new)
        txl.assign(total, total * rescale)
        for i in own:
            txl.ptx["ex2.approx.ftz.f32"](self.scores[i], self.scores[i] * self.factor - base)
            txl.assign(total, total + self.scores[i])
        for i in range(self.shape.width // 2):
            if i // 2 % 2 == half:
                txl.assign(output[i], output[i] * rescale)

    def packed(self) -> Any:
        """The probabilities as A of wgmma: accumulators of 16 columns are four registers."""
        registers = txl.alloc_local([self.shape.block // 4], "uint32")
        for i in range(self.shape.block // 4):
            txl.ptx[f"cvt.rn.{self.shape.dtype.name}x2.f32"](
                registers[i], self.scores[2 * i + 1], self.scores[2 * i])
        return registers

    def inverse_sums(self) -> list[Any]:
        inverses = []
        for total in self.sums:
            warp_reduce(total, "sum", 4)
            inverses.append(txl.local_scalar(
                txl.f32, txl.Select(total > 0.0, 1.0 / total, 0.0)))
        return inverses


def _store(shape: _Shape, o: Any, output: Any, inverses: list[Any], head: Any, row: Any,
           m: Any) -> None:
    pair = txl.local_scalar(txl.u32)
    for half in range(2):
        own = row + 8 * half
        with txl.If(own < m), txl.Then():
            start = (txl.cast(head, txl.i64) * m + own) * shape.width + txl.lane_id() % 4 * 2
            for block in range(shape.width // 8):
                low, high = (output[4 * block + 2 * half + i] * inverses[half] for i in range(2))
                txl.ptx[f"cvt.rn.{shape.dtype.name}x2.f32"](pair, high, low)
                txl.ptx.st.global_.b32(o.ptr_to(start + block * 8), pair)
