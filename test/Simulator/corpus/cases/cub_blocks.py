# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of cub_blocks.cu."""

import numpy as np

from corpus import Out, bits, case, floats, integers

BLOCK = 512  # elements


def register_each(names, build, **keys):
    for name in names:
        case(name=name, entry=name, **keys)(build)


def build_reduce():
    x = integers(1, 3 * BLOCK, -10000, 10000).reshape(3, 128, 4)
    return [x, Out(np.stack([x.sum((1, 2)), x[:, :, 0].max(1)], 1).astype(np.int32))]


def build_scan():
    x = integers(2, (3, BLOCK), -1000, 1000)
    most = np.maximum.accumulate(np.concatenate([np.full((3, 1), -1000000), x], 1), 1)[:, :-1]
    return [x, Out(x.cumsum(1).astype(np.int32)), Out(most.astype(np.int32))]


def build_histogram():
    x = bits(3, 3 * BLOCK, 97, np.uint8)
    return [x, Out(np.bincount(x, minlength=256).astype(np.uint32), initial=np.zeros(256, np.uint32))]


register_each(["reduce_raking", "reduce_warps", "reduce_commutative"], build_reduce, grid=3, block=128)
register_each(["scan_raking", "scan_warps"], build_scan, grid=3, block=128)
register_each(["histogram_atomic", "histogram_sort"], build_histogram, grid=3, block=128)


def build_sort(keys):
    return lambda: [Out(np.sort(keys.reshape(2, BLOCK), 1), initial=keys.reshape(2, BLOCK))]


for kind, keys in {"i32": integers(4, 1024, -10**9, 10**9), "f32": floats(5, 1024, -9, 9),
                   "u8": bits(6, 1024, 256, np.uint8), "f64": floats(7, 1024, -9, 9, np.float64)}.items():
    build = build_sort(keys)
    build.__module__ = __name__
    case(grid=2, block=128, name=f"radix_sort_{kind}", entry=f"radix_sort_{kind}")(build)


@case(block=128)
def radix_sort_pairs():
    keys, values = bits(8, BLOCK, dtype=np.uint32), np.arange(BLOCK, dtype=np.int32)
    digits = (keys >> 4 & 0xFFFF).astype(np.int64)
    order = np.argsort(-digits, kind="stable")
    return [Out(keys[order], initial=keys), Out(values[order], initial=values)]


@case(block=128)
def merge_sort():
    keys = bits(9, BLOCK).view(np.int64)
    return [Out(np.sort(keys), initial=keys)]


@case(block=128)
def discontinuity():
    x = integers(10, BLOCK, 0, 3)
    return [x, Out(np.concatenate([[1], (x[1:] != x[:-1])]).astype(np.int32))]


@case(block=128)
def warp_algorithms():
    x = floats(11, 128)
    least = np.where(np.arange(128) % 16 == 0, np.repeat(x.reshape(-1, 16).min(1), 16), 0)
    most = np.maximum.accumulate(x.reshape(-1, 32), 1).ravel()
    return [x, Out(np.stack([least, most], 1).astype(np.float32))]
