# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of functions.cu."""

import numpy as np

from corpus import Out, Struct, case, floats, integers


@case(grid=1, block=32)
def ackermann_table():
    formula = [lambda n: n + 1, lambda n: n + 2, lambda n: 2 * n + 3, lambda n: 2 ** (n + 3) - 3]
    # A(3, 7) needs a depth of 1,022 calls.
    return [Out(np.array([formula[i // 8](i % 8) for i in range(32)], np.uint32))]


@case(grid=2, block=48)
def fibonacci_numbers():
    numbers = [0, 1]
    while len(numbers) < 13:
        numbers.append(numbers[-1] + numbers[-2])
    return [Out(np.array([numbers[i % 13] for i in range(96)], np.uint64))]


@case(grid=2, block=32)
def quicksort_rows():
    rows = floats(1, (64, 41), -100, 100)
    expected = rows.copy()
    for i, row in enumerate(expected):
        row[:41 - i % 7] = np.sort(row[:41 - i % 7])
    return [Out(expected, initial=rows), np.int32(41)]


@case(block=64)
def parity():
    return [Out((np.arange(64) % 2 == 0).astype(np.uint8))]


@case(grid=3, block=64)
def through_pointers():
    which = integers(2, 192, 0, 4, np.uint8)
    a, b = integers(3, 192, -1000, 1000), integers(4, 192, -9, 9)
    quotient = np.trunc(a / np.where(b == 0, 1, b)).astype(np.int32)
    results = [a + b, a - b, a * b, np.where(b == 0, -1, quotient)]
    return [which, a, b, Out(np.choose(which, results).astype(np.int32))]


@case(grid=2, block=64)
def virtual_calls():
    kind, size = integers(5, 128, 0, 3, np.uint8), floats(6, 128, 0, 9)
    area = np.choose(kind, [np.float32(3) * size * size, size * size, size * size / np.float32(2)])
    return [kind, size, Out(area.astype(np.float32)), Out(np.choose(kind, [0, 4, 3]).astype(np.int32))]


@case(block=48)
def tree_sort():
    values = integers(7, (48, 15), -50, 50)
    return [values, Out(np.sort(values, 1)), np.int32(15)]


@case(block=64)
def closures():
    i = np.arange(64)
    n = i % 11
    return [Out((n * (n - 1) // 2 * i * 3 + 1000 + np.where(i % 2, i, -i)).astype(np.int32))]


@case(block=32)
def structures():
    v = floats(8, 9, -5, 5, np.float64)
    i = np.arange(32)
    expected = v[None, :] * i[:, None].astype(np.float64) * 0.5
    return [Struct([*v, np.int32(40)], align=8), Out(expected), Out(np.full(32, 42, np.int32))]


@case(block=32)
def n_queens():
    return [np.int32(7), Out(np.array([40], np.int32), initial=np.zeros(1, np.int32))]


@case(block=8)
def towers():
    def moves(n, source, to):
        if not n:
            return []
        other = 3 - source - to
        return moves(n - 1, source, other) + [source * 3 + to] + moves(n - 1, other, to)

    return [np.int32(6), Out(np.array([moves(6, 0, 1 + i % 2) for i in range(8)], np.uint8))]
