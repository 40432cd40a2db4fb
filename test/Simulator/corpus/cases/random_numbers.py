# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of random_numbers.cu: Philox 4x32 with ten rounds (Salmon et al., 2011)."""

import numpy as np

from corpus import Out, case

SEED = np.uint64(0x1234_5678_9ABC_DEF1)
LOW = np.uint64(0xFFFFFFFF)


def philox(seed, sequence, block) -> np.ndarray:
    """Four words of each block of 128 bits; shapes broadcast."""
    sequence, block = (np.asarray(v, np.uint64) for v in np.broadcast_arrays(sequence, block))
    counter = [block & LOW, block >> np.uint64(32), sequence & LOW, sequence >> np.uint64(32)]
    key = [int(seed) & 0xFFFFFFFF, int(seed) >> 32]
    for _ in range(10):
        first, second = counter[0] * np.uint64(0xD2511F53), counter[2] * np.uint64(0xCD9E8D57)
        counter = [(second >> np.uint64(32)) ^ counter[1] ^ np.uint64(key[0]), second & LOW,
                   (first >> np.uint64(32)) ^ counter[3] ^ np.uint64(key[1]), first & LOW]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(counter, -1).astype(np.uint32)


def words(sequence, first, count) -> np.ndarray:
    """Consecutive words of sequences."""
    sequence, at = np.asarray(sequence)[:, None], first + np.arange(count)
    return np.take_along_axis(philox(SEED, sequence, at // 4), np.broadcast_to((at % 4)[None, :, None],
                                                                              (len(sequence), count, 1)), -1)[..., 0]


THREADS = np.arange(128)


@case(grid=2, block=64)
def philox_words():
    # An offset in the middle of a block, beyond 32 bits.
    offset = 4 * (2**33 + 7) + 3
    return [SEED, np.uint64(offset), Out(words(THREADS, offset, 12).reshape(128, 3, 4)), np.int32(3)]


@case(grid=2, block=64)
def philox_steps():
    rows, at = [], 0
    for skip in (0, 0, 5, 1000003):
        at += skip
        rows.append(words(THREADS, at, 1)[:, 0])
        at += 1
    rows += list(words(THREADS + 2, at, 2).T)
    states = Out(initial=np.zeros((128, 64), np.uint8), check=lambda states: None, repeatable=False)
    return [SEED, states, Out(np.stack(rows, 1))]


def of_53_bits(x, y):
    return (x.astype(np.uint64) ^ (y.astype(np.uint64) << np.uint64(21))).astype(np.float64)


@case(grid=2, block=64)
def philox_uniform():
    w = words(THREADS, 0, 8)
    doubles = np.stack([of_53_bits(w[:, 4], w[:, 5]), of_53_bits(w[:, 6], w[:, 7])], 1) * 2.0**-53 + 2.0**-54
    return [SEED, Out(w[:, :4] * 2.0**-32 + 2.0**-33, dtype=np.float32, ulp=1), Out(doubles)]


def box_muller(u, turns):
    radius = np.sqrt(-2 * np.log(u))
    return np.stack([radius * np.sin(2 * np.pi * turns), radius * np.cos(2 * np.pi * turns)], -1)


@case(grid=2, block=64)
def philox_normal():
    w = words(THREADS, 0, 10)
    unit = w * 2.0**-32 + 2.0**-33
    singles = np.concatenate([box_muller(unit[:, 0], unit[:, 1]), box_muller(unit[:, 2], unit[:, 3])], 1)
    u = of_53_bits(w[:, 4], w[:, 5]) * 2.0**-53 + 2.0**-54
    turns = of_53_bits(w[:, 6], w[:, 7]) * 2.0**-53 + 2.0**-54
    logarithmic = np.exp(0.5 + 0.25 * box_muller(unit[:, 8], unit[:, 9])[:, 0])
    return [SEED, Out(singles, dtype=np.float32, rtol=1e-4, atol=1e-5), Out(box_muller(u, turns), rtol=1e-12, atol=1e-13),
            Out(logarithmic, dtype=np.float32, rtol=1e-5)]


def register_poisson(mean):
    def check(got):
        error = np.sqrt(mean / len(got))
        assert abs(got.mean() - mean) < 5 * error, got.mean()
        assert 0.5 * mean < got.var() < 1.6 * mean, got.var()

    @case(grid=4, block=128, name=f"philox_poisson_{mean}", entry="philox_poisson")
    def poisson():
        return [SEED, Out(shape=512, dtype=np.uint32, check=check), np.float64(mean)]


for mean in (3, 80, 5000):
    register_poisson(mean)


@case(grid=2, block=64)
def pi():
    x = words(THREADS, 0, 128).astype(np.float32) * np.float32(2.0**-32) + np.float32(2.0**-33)
    x = x.astype(np.float64).reshape(-1, 2)

    def check(inside):
        exact = ((x * x).sum(1) <= 1).sum()
        assert abs(int(inside[0]) - int(exact)) <= 2, (inside, exact)  # points on the edge

    return [SEED, Out(initial=np.zeros(1, np.uint32), check=check), np.int32(64)]
