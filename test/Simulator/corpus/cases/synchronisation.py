# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of synchronisation.cu."""

import numpy as np

from corpus import Out, case, floats, integers


def zeros(*shape, dtype=np.int32):
    return np.zeros(shape, dtype)


def cleared(*shape, dtype=np.int32):
    """A lock that is free again."""
    return Out(zeros(*shape, dtype=dtype), initial=zeros(*shape, dtype=dtype))


# On hardware, the lanes that wait for the lock may starve the one that holds it at -O0.
@case(grid=4, block=64, gpu_level="O3")
def spin_lock():
    return [cleared(1), Out(np.array([256], np.int32), initial=zeros(1))]


@case(grid=3, block=40)
def lock_in_loop():
    x = floats(1, 120)
    return [cleared(1), Out(np.array([x.sum(dtype=np.float64)], np.float32), atol=1e-4, initial=zeros(1, dtype=np.float32),
                            repeatable=False), x]


@case(grid=3, block=32)
def ticket_lock():
    return [Out(np.array([96, 96], np.uint32), initial=zeros(2, dtype=np.uint32)), Out(np.arange(96, dtype=np.int32)),
            Out(np.array([96], np.int32), initial=zeros(1))]


@case(grid=2, block=64)
def reader_writer():
    return [cleared(1), Out(np.array([32, -32], np.int32), initial=zeros(2)), Out(zeros(128))]


@case(grid=2, block=64)
def stack():
    def check(popped):
        assert len(set(popped.tolist())) == 64 and popped.min() >= 0 and popped.max() < 128

    def tags(head):
        assert head[0] >> np.uint64(32) == 192  # pushes and pops that succeeded

    return [Out(initial=zeros(1, dtype=np.uint64), check=tags, repeatable=False),
            Out(initial=zeros(128), check=lambda next: None, repeatable=False),
            Out(dtype=np.int32, shape=64, check=check, repeatable=False)]


@case(grid=6, block=48)
def queue():
    slots = zeros(16, 2)
    slots[:, 0] = np.arange(16)
    at_end = lambda s: sorted(s[:, 0].tolist()) == list(range(144, 160))

    def check(s):
        assert at_end(s), s

    return [Out(initial=slots, check=check, repeatable=False), np.uint32(16),
            Out(np.array([144, 144], np.uint32), initial=zeros(2, dtype=np.uint32)),
            Out(np.ones(144, np.int32), initial=zeros(144))]


@case(grid=8, block=32)
def token_ring():
    order = np.array([b * 10 + r for r in range(4) for b in range(8)], np.int32)
    return [Out(np.array([32], np.uint32), initial=zeros(1, dtype=np.uint32)), Out(order), np.int32(4)]


@case(grid=9, block=32)
def last_block():
    x = integers(2, 288, -500, 500)
    return [x, Out(x.reshape(9, 32).sum(1).astype(np.int32)), cleared(1, dtype=np.uint32),
            Out(np.array([x.sum()], np.int32))]


@case(grid=4, block=64)
def jacobi():
    a = floats(3, 250)
    b = a.copy()
    for _ in range(7):
        c = b.copy()
        c[1:-1] = (b[:-2] + b[2:]) * np.float32(0.5)
        last, b = b, c
    # Seven steps end in the second array.
    return [Out(last, initial=a), Out(b), np.int32(250), np.int32(7),
            Out(np.array([28], np.uint32), initial=zeros(1, dtype=np.uint32))]


@case(grid=3, block=64, cooperative=True)
def grid_sync():
    i = np.arange(192)
    a, out = zeros(192), zeros(192)
    for s in range(3):
        a = a + i + s
        out = out + a[(i + 37) % 192]
    return [Out(a.astype(np.int32), initial=zeros(192)), Out(out.astype(np.int32))]


@case(grid=9, block=128)
def look_back():
    x = integers(4, 9 * 128, -1000, 1000)
    totals = x.reshape(9, 128).sum(1).cumsum()
    states = (np.uint64(2) << np.uint64(32)) | totals.astype(np.int32).view(np.uint32).astype(np.uint64)
    return [x, Out(x.cumsum().astype(np.int32)), Out(states, initial=zeros(9, dtype=np.uint64)),
            Out(np.array([9], np.uint32), initial=zeros(1, dtype=np.uint32))]


@case(block=64)
def named_barriers():
    x = integers(5, (10, 32), -100, 100)
    return [x, Out(x[:, ::-1].sum(0).astype(np.int32)), np.int32(10)]


@case(grid=1, block=37)
def philosophers():
    return [cleared(37), Out(np.full(37, 3, np.int32), initial=zeros(37)), np.int32(37)]
