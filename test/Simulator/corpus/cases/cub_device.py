# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of cub_device.cu."""

import numpy as np

from corpus import Out, bits, case, floats, integers

THREADS, BLOCKS = 128, 5
COUNT = 5003


def scratch(count, dtype):
    return Out(initial=np.zeros(count, dtype), check=lambda x: None, repeatable=False)


def register_reduce(name, make, function, **bounds):
    @case(name=f"reduce_{name}", entry=f"{name}_one", block=THREADS, before=[(f"{name}_blocks", BLOCKS, THREADS)])
    def reduce():
        x = make()
        return [x, scratch(BLOCKS, x.dtype), Out(np.array([function(x)]), dtype=x.dtype, **bounds), np.int32(COUNT)]


register_reduce("sum_i32", lambda: integers(1, COUNT, -10**6, 10**6), lambda x: x.sum(dtype=np.int64).astype(np.int32))
register_reduce("max_i64", lambda: bits(2, COUNT).view(np.int64), np.max)
register_reduce("sum_f64", lambda: floats(3, COUNT, dtype=np.float64), np.sum, atol=1e-11)


def register_scan(name, make, function):
    tile = THREADS * 5
    tiles = -(-COUNT // tile)

    @case(name=f"scan_{name}", entry=f"{name}_tiles", grid=tiles, block=THREADS, before=[(f"{name}_start", 1, THREADS)])
    def scan():
        x = make()
        return [x, Out(function(x).astype(x.dtype)), scratch(4096, np.uint8), np.int32(tiles), np.int32(COUNT)]


def exclusive(x, start, accumulate):
    return accumulate(np.concatenate([np.array([start], x.dtype), x]))[:-1]


register_scan("exclusive_i32", lambda: integers(4, COUNT, -1000, 1000), lambda x: exclusive(x, 7, np.cumsum))
register_scan("inclusive_i64", lambda: integers(5, COUNT, -(10**12), 10**12, np.int64), np.cumsum)
register_scan("maxima_f32", lambda: floats(6, COUNT), lambda x: exclusive(x, -1.0, np.maximum.accumulate))


def register_sort(name, make):
    count, tile = 5000, 256 * 8
    tiles = -(-count // tile)
    passes = [("sort_count", 2, THREADS), ("sort_offsets", 4, 256)]
    passes += [(f"sort_pass_{n}", tiles, 256) for n in range(3)]

    @case(name=f"radix_sort_{name}", entry="sort_pass_3", grid=tiles, block=256, before=passes)
    def sort():
        keys = make(count)
        order = np.argsort(keys, kind="stable")
        return [Out(keys[order], initial=keys), scratch(count, np.uint32),
                Out(order.astype(np.uint32), initial=np.arange(count, dtype=np.uint32)), scratch(count, np.uint32),
                scratch(4 * 256, np.uint32), scratch(4 * tiles * 256, np.int32), scratch(4, np.int32), np.int32(count)]


register_sort("random", lambda count: bits(7, count, dtype=np.uint32))
register_sort("few_keys", lambda count: bits(8, count, 5, np.uint32) * np.uint32(0x01010101))
