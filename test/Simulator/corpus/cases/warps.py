# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of warps.cu."""

import numpy as np

from corpus import Out, case, floats, integers


def sample(seed, count, low=-1000, high=1000):
    return integers(seed, count, low, high)


def mask(flags):
    return sum(1 << i for i, flag in enumerate(flags) if flag)


@case(grid=2, block=64)
def shuffles():
    x = sample(1, 128)
    w = x.reshape(4, 32).astype(np.int64)
    lane = np.arange(32)
    down = np.where(lane % 16 + 5 < 16, lane + 5, lane)
    thirds = (w[:, (lane ^ 1)].astype(np.float64) / 3 * 300)
    rows = [w[:, (np.arange(128).reshape(4, 32)[0] * 7) & 31], w[:, np.where(lane < 3, lane, lane - 3)], w[:, down],
            w[:, lane ^ 9], np.trunc(thirds), w[:, lane // 4 * 4 + 2] << 20]
    return [x, Out(np.stack([r.ravel() for r in rows], 1).astype(np.int64).astype(np.int32))]


@case(grid=1, block=96)
def votes():
    x = sample(2, 96, 0, 3000)
    x[64:] = 1007 + 2 * np.arange(32)
    rows = []
    for warp in x.reshape(3, 32).tolist():
        odd = mask([v & 1 for v in warp])
        same = len({v // 1000 for v in warp}) == 1
        for v in warp:
            rows.append([odd, 1 | (5 in warp) << 1, mask([u % 4 == v % 4 for u in warp]), 0xFFFFFFFF if same else 0,
                         int(same), odd if v & 1 else 0, sum(u for u in warp if u & 1) if v & 1 else 0])
    return [x, Out(np.array(rows, np.uint32))]


@case(grid=2, block=64)
def reductions_of_warps():
    x = sample(3, 128)
    rows = []
    for warp in x.reshape(4, 32):
        u = warp.view(np.uint32)
        row = [warp.sum(), warp.min(), u.max(), np.bitwise_and.reduce(u), np.bitwise_or.reduce(u), np.bitwise_xor.reduce(u)]
        rows += [[int(v) for v in row]] * 32
    return [x, Out(np.array(rows, np.int64).astype(np.int32))]


@case(grid=2, block=128)
def tiles():
    x = sample(4, 256)
    columns = []
    for size in (1, 4, 8, 16, 32):
        groups = x.reshape(-1, size)
        spread = lambda v: np.repeat(v, size)
        scan = groups.cumsum(1)
        rank = np.arange(256) % 128
        columns += [spread(groups.sum(1)), scan.ravel(), (scan - groups).ravel(), rank // size * 100 + rank % size,
                    spread(groups.min(1))]
    return [x, Out(np.stack(columns, 1).astype(np.int32))]


@case(grid=2, block=64)
def dynamic_tiles():
    x = floats(6, 128, dtype=np.float64)
    v = x.reshape(16, 8).copy()
    for step in (4, 2, 1):
        v[:, :step] += v[:, step:2 * step]
    return [x, Out(np.repeat(v[:, 0], 8))]


@case(grid=4, block=96)
def compaction():
    x = sample(7, 384, 0, 1000)
    kept = np.sort(x[x % 3 == 0])

    def check(got):
        assert (np.sort(got[:kept.size]) == kept).all() and (got[kept.size:] == -1).all()

    return [x, Out(initial=np.full(384, -1, np.int32), check=check, repeatable=False),
            Out(np.array([kept.size], np.int32), initial=np.zeros(1, np.int32))]


@case(grid=3, block=64)
def labeled():
    x = sample(8, 192, 0, 1000)
    warps = x.reshape(-1, 32)
    sums = [int(x[x % 10 == k].sum()) for k in range(10)]
    return [x, Out(np.array([*sums, (warps <= 500).sum(1).max(), (warps > 500).sum(1).max()], np.int32),
                   initial=np.zeros(12, np.int32))]


@case(grid=5, block=256)
def block_group():
    x = sample(9, 1280)
    return [x, Out(x.reshape(5, 256).sum(1).astype(np.int32))]


@case(grid=2, block=64)
def invoke_one():
    values = np.zeros(257, np.int32)
    values[:128] = np.arange(128) % 64 // 8 * 11
    values[256] = 16
    return [Out(values, initial=np.zeros(257, np.int32))]


@case(grid=2, block=64)
def divergent_loops():
    x = sample(10, 128, 0, 100)
    n = np.minimum(x & 31, 17)
    sums = n * (n + 1) // 2
    total = np.repeat(sums.reshape(4, 32).sum(1), 32)
    return [x, Out(np.stack([sums, total], 1).astype(np.int32))]


@case(grid=2, block=64)
def early_exit():
    x = sample(11, 128)
    even = (x & 1) == 0
    rank = (even.reshape(4, 32).cumsum(1) - even.reshape(4, 32)).ravel()
    return [x, Out(np.where(even, rank, -1).astype(np.int32))]


@case(grid=2, block=64)
def bitonic_warp():
    x = integers(12, 128, 0, 2**32, np.uint32)
    return [Out(np.sort(x.reshape(4, 32), 1), initial=x.reshape(4, 32))]


@case(block=128, shared=4096)
def bitonic_block():
    x = floats(13, 1024, -9, 9)
    return [Out(np.sort(x), initial=x), np.int32(1024)]


@case(block=160)
def counted_barriers():
    x = sample(14, 160)
    return [x, Out(np.tile(np.array([(x & 1).sum(), int((x >= 0).all()), 0], np.int32), (160, 1)))]


@case(grid=2, block=128)
def tile_of_two_warps():
    x = integers(60, 256, -1000, 1000)
    tiles = x.reshape(-1, 64)
    return [x, Out(np.repeat(tiles.sum(1) + tiles[:, 40], 64).astype(np.int32))]
