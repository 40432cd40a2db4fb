# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of asynchronous.cu: the same whenever copies take effect."""

import numpy as np

from corpus import Out, bits, case, floats, integers

MODES = {"": (), "_lazy": ("--async=lazy",), "_random": ("--async=random", "--seed=3")}


def in_all_modes(**keys):
    def register(build):
        for suffix, options in MODES.items():
            case(name=build.__name__ + suffix, entry=build.__name__, options=options, **keys)(build)
        return build

    return register


@in_all_modes(block=128)
def group_copy():
    x, i = integers(1, (5, 128), -1000, 1000), np.arange(128)
    return [x, Out(sum(x[t, (i * 7 + t) % 128] for t in range(5)).astype(np.int32)), np.int32(5)]


@in_all_modes(block=64)
def wait_prior():
    x, total = floats(2, (6, 64)), np.zeros(64, np.float32)
    for row in x:
        total = total * np.float32(0.5) + row[::-1]  # a product by a half is exact
    return [x, Out(total), np.int32(6)]


@in_all_modes(block=32)
def unaligned_copy():
    x = bits(3, 180, 256, np.uint8)
    return [x, Out(x[1:172][::-1].copy()), np.int32(171)]


@in_all_modes(grid=3, block=64)
def barrier_copy():
    x, i = integers(4, (3, 256), -1000, 1000), np.arange(64)
    rows = [(x[b, i] + x[b, 255 - i]) * 3 + x[2 - b, (i * 5 + 1) % 256] for b in range(3)]
    return [x, Out(np.stack(rows).astype(np.int32))]


@in_all_modes(block=64)
def split_barrier():
    i, work = np.arange(64), 1
    for _ in range(4):
        work = work * 5 + 1
    seen = sum(r * 100 + (i + r) % 64 for r in range(4))
    return [Out(np.concatenate([seen + work, [63 + 1]]).astype(np.int32)), np.int32(4)]


@in_all_modes(block=32)
def completion():
    return [Out(np.full(32, 31 * 16 * 6, np.int32))]


@in_all_modes(block=64)
def block_pipeline():
    x, total, i = floats(5, (11, 64)), np.zeros(64, np.float32), np.arange(64)
    for n, row in enumerate(x):
        total = total * np.float32(0.25) + row[(i + n) % 64]
    return [x, Out(total), np.int32(11)]


@in_all_modes(block=128)
def partitioned_pipeline():
    x = integers(6, (7, 96), -100, 100)
    return [x, Out((x[:, ::-1] * np.arange(1, 8)[:, None]).sum(0).astype(np.int32)), np.int32(7)]


@in_all_modes(block=32)
def thread_pipeline():
    x, total = floats(7, (9, 32), dtype=np.float64), np.zeros(32)
    for row in x:
        total = total + row
    return [x, Out(total), np.int32(9)]


@in_all_modes(block=32)
def primitives():
    x = floats(8, (75, 4))
    padded, total = np.zeros((96, 4), np.float32), np.zeros((32, 4), np.float32)
    padded[:75] = x
    for tile in padded.reshape(3, 32, 4):
        total = total + tile[::-1]
    return [x, Out(total), np.int32(75)]


@in_all_modes(block=48)
def latch_and_semaphore():
    return [Out(np.zeros(1, np.int32), initial=np.zeros(1, np.int32)), Out(np.ones(49, np.int32)), np.int32(3)]


@in_all_modes(block=128, target="sm_90a")
def counted_bytes():
    x, i = integers(9, (4, 256), -1000, 1000), np.arange(128) * 2
    return [x, Out((x[:, i] - x[:, (i + 77) % 256]).sum(0).astype(np.int32)), np.int32(4)]


@in_all_modes(block=64, target="sm_90a")
def parities():
    x, total = integers(10, (6, 64), -100, 100), np.zeros(64, np.int32)
    for row in x:
        total = total * 3 + row
    return [x, Out(total)]
