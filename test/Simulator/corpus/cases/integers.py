# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of integers.cu: Python's integers, hashlib and zlib."""

import hashlib
import math
import zlib

import numpy as np

from corpus import Out, bits, case, integers

COUNT = 256


def spread(seed, dtype, count=COUNT):
    """Numbers of all magnitudes, with the extremes among them."""
    width = np.dtype(dtype).itemsize * 8
    values = bits(seed, count) >> bits(seed + 1000, count, width)
    values &= np.uint64(2**width - 1)
    if np.dtype(dtype).kind == "i":
        flip = bits(seed + 2000, count, 2).astype(bool)
        values = np.where(flip, ~values + np.uint64(1), values)
    info = np.iinfo(dtype)
    values = values.astype(np.dtype(f"u{width // 8}")).view(dtype)
    values[:4] = [info.max, info.min, 0, 1]
    return values


def truncated(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def register_division(name, dtype):
    @case(grid=4, block=64, entry=f"divide_{name}", name=f"divide_{name}")
    def divide():
        a, b = spread(1, dtype), spread(2, dtype)[::-1].copy()
        b[b == 0] = 3
        if np.dtype(dtype).kind == "i":
            b[(a == np.iinfo(dtype).min) & (b == -1)] = 1
        pairs = [(int(x), int(y)) for x, y in zip(a, b)]
        quotients = [truncated(x, y) for x, y in pairs]
        return [a, b, Out(np.array(quotients, dtype)),
                Out(np.array([x - q * y for (x, y), q in zip(pairs, quotients)], dtype))]


for name, dtype in {"u64": np.uint64, "i64": np.int64, "u32": np.uint32, "i32": np.int32, "u16": np.uint16, "i8": np.int8}.items():
    register_division(name, dtype)


def wrapped(value, dtype):
    width = np.dtype(dtype).itemsize * 8
    value &= 2**width - 1
    return value - 2**width if np.dtype(dtype).kind == "i" and value >> (width - 1) else value


@case(grid=4, block=64)
def divide_constants():
    a = spread(3, np.int64)
    out = []
    for x in map(int, a):
        unsigned, low = x % 2**64, wrapped(x, np.int32)
        total = truncated(x, 7) + x - truncated(x, 1000000007) * 1000000007 + truncated(x, -3)
        out.append(wrapped(total + truncated(x, 4096) + unsigned // 10 + truncated(low, 641), np.int64))
    return [a, Out(np.array(out, np.int64))]


@case(grid=4, block=64)
def multiply_128():
    a, b = spread(4, np.uint64), spread(5, np.uint64)[::-1].copy()
    products = [int(x) * int(y) for x, y in zip(a, b)]
    signed = [int(x) * int(y) >> 64 for x, y in zip(a.view(np.int64), b.view(np.int64))]
    return [a, b, Out(np.array([p % 2**64 for p in products], np.uint64)),
            Out(np.array([p >> 64 for p in products], np.uint64)), Out(np.array(signed, np.int64))]


def number(words, width):
    return sum(int(w) << (width * i) for i, w in enumerate(words))


def words_of(value, count, width):
    return [value >> (width * i) & (2**width - 1) for i in range(count)]


@case(grid=2, block=32)
def big_add():
    a, b = bits(6, (64, 16), dtype=np.uint32), bits(7, (64, 16), dtype=np.uint32)
    a[:8], b[:8] = 0xFFFFFFFF, 0
    b[:8, 0] = 1  # a carry that runs through
    sums = [number(x, 32) + number(y, 32) for x, y in zip(a, b)]
    return [a, b, Out(np.array([words_of(s, 17, 32) for s in sums], np.uint32))]


@case(grid=2, block=32)
def big_subtract():
    a, b = bits(8, (64, 4)), bits(9, (64, 4))
    a[:4] = 0
    differences = [(number(x, 64) - number(y, 64)) % 2**256 for x, y in zip(a, b)]
    return [a, b, Out(np.array([words_of(d, 4, 64) for d in differences], np.uint64))]


@case(grid=2, block=32)
def big_multiply():
    a, b = bits(10, (64, 8), dtype=np.uint32), bits(11, (64, 8), dtype=np.uint32)
    a[0], b[0] = 0xFFFFFFFF, 0xFFFFFFFF
    products = [number(x, 32) * number(y, 32) for x, y in zip(a, b)]
    return [a, b, Out(np.array([words_of(p, 16, 32) for p in products], np.uint32))]


def signed(value, width):
    value &= 2**width - 1
    return value - 2**width if value >> (width - 1) else value


def tricks(x, y):
    s = y & 31
    pool = list(x.to_bytes(4, "little") + y.to_bytes(4, "little"))
    selector = y >> 16
    permuted = [pool[selector >> (4 * i) & 7] for i in range(4)]
    sx, sy = signed(x, 32), signed(y, 32)
    x24, y24 = signed(x, 24), signed(y, 24)
    both = y << 32 | x
    dp4a = 11 + sum(signed(x >> 8 * i, 8) * signed(y >> 8 * i, 8) for i in range(4))
    dp2a = 3 + sum(signed(x >> 16 * i, 16) * signed(y >> 8 * i, 8) for i in range(2))
    return [x.bit_count(), 32 - x.bit_length(), int(f"{x:032b}"[::-1], 2), (x & -x).bit_length(),
            int.from_bytes(bytes(permuted), "little"), (both << s) >> 32 & 0xFFFFFFFF, both >> s & 0xFFFFFFFF,
            x * y >> 32, sx * sy >> 32, abs(sx - sy) + 5, abs(x - y) + 7, (x & 0xFFFFFF) * (y & 0xFFFFFF),
            x24 * y24, (sx + sy) >> 1, (x + y + 1) >> 1, dp4a ^ dp2a]


@case(grid=4, block=64)
def bit_tricks():
    a, b = spread(12, np.uint32), bits(13, COUNT, dtype=np.uint32)
    rows = [[v & 0xFFFFFFFF for v in tricks(int(x), int(y))] for x, y in zip(a, b)]
    return [a, b, Out(np.array(rows, np.uint32))]


@case(grid=4, block=64)
def bit_tricks_64():
    a = spread(14, np.uint64)
    rows = []
    for x in map(int, a):
        left, right = x & 63, -x & 63
        rows.append([x.bit_count(), 64 - x.bit_length(), int(f"{x:064b}"[::-1], 2), (x & -x).bit_length(),
                     x * 0x123456789ABCDEF >> 64, ((x << left) | (x >> right)) & (2**64 - 1)])
    return [a, Out(np.array(rows, np.uint64))]


def lanes(words, dtype):
    return words.view(dtype).reshape(words.size, -1)


def packed(values, dtype):
    return np.ascontiguousarray(values.astype(np.int64).astype(dtype)).view(np.uint32).reshape(-1)


@case(grid=4, block=64)
def simd_bytes():
    x, y = bits(15, COUNT, dtype=np.uint32), bits(16, COUNT, dtype=np.uint32)
    y[::5] = x[::5]
    wide = lambda v, t: lanes(v, t).astype(np.int64)
    u8, v8 = wide(x, np.uint8), wide(y, np.uint8)
    s8, t8 = wide(x, np.int8), wide(y, np.int8)
    s16, t16, u16, v16 = wide(x, np.int16), wide(y, np.int16), wide(x, np.uint16), wide(y, np.uint16)
    columns = [packed(u8 + v8, np.uint8), packed(u16 - v16, np.uint16), packed(np.minimum(u8 + v8, 255), np.uint8),
               packed(np.clip(s8 - t8, -128, 127), np.int8), packed(abs(u8 - v8), np.uint8),
               packed(np.maximum(s16, t16), np.int16), packed(np.minimum(u8, v8), np.uint8),
               packed((u8 + v8 + 1) >> 1, np.uint8), packed(np.where(u8 > v8, 255, 0), np.uint8),
               abs(s8 - t8).sum(1).astype(np.uint32), packed(u16 == v16, np.uint16),
               packed(np.clip(-s16, -32768, 32767), np.int16)]
    return [x, y, Out(np.stack(columns, 1))]


@case(grid=2, block=32, entry="sha256")
def sha256():
    data = bits(17, (64, 50), 256, np.uint8)
    digests = [list(hashlib.sha256(row.tobytes()).digest()) for row in data]
    return [data, np.int32(50), Out(np.array(digests, np.uint8))]


@case(grid=2, block=64)
def crc32():
    data = bits(18, (128, 33), 256, np.uint8)
    return [data, np.int32(33), Out(np.array([zlib.crc32(row.tobytes()) for row in data], np.uint32))]


@case(block=32)
def aes128():
    # The example of FIPS 197, appendix B, in every thread.
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    plain = bytes.fromhex("3243f6a8885a308d313198a2e0370734")
    cipher = bytes.fromhex("3925841d02dc09fbdc118597196a0b32")
    array = lambda data: np.frombuffer(data, np.uint8)
    return [array(key), np.tile(array(plain), (32, 1)), Out(np.tile(array(cipher), (32, 1)))]


@case(grid=4, block=64)
def gcd():
    a, b = spread(19, np.uint64), spread(20, np.uint64)[::-1].copy()
    return [a, b, Out(np.array([math.gcd(int(x), int(y)) for x, y in zip(a, b)], np.uint64))]


@case(grid=2, block=64)
def collatz():
    def steps(n):
        count = 0
        while n != 1:
            n, count = (3 * n + 1 if n % 2 else n // 2), count + 1
        return count

    return [Out(np.array([steps(i + 1) for i in range(128)], np.int32))]


@case(block=32)
def power_mod():
    modulus = 2**61 - 1
    base, exponent = bits(21, 32), bits(22, 32, 2**20)
    expected = [pow(int(b) % modulus, int(e), modulus) for b, e in zip(base, exponent)]
    return [base, exponent, np.uint64(modulus), Out(np.array(expected, np.uint64))]
