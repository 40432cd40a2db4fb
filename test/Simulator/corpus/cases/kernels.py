# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of kernels.cu."""

import ml_dtypes
import numpy as np

from corpus import Out, case, floats, integers

bf16 = ml_dtypes.bfloat16


def product(a, b):
    return a.astype(np.float64) @ b.astype(np.float64)


@case(grid=(3, 3), block=(16, 16))
def gemm_float():
    a, b = floats(1, (45, 37)), floats(2, (37, 41))
    return [a, b, Out(product(a, b), dtype=np.float32, atol=1e-5), np.int32(45), np.int32(41), np.int32(37)]


@case(grid=(3, 2), block=(8, 8))
def gemm_double():
    a, b = floats(3, (15, 19), dtype=np.float64), floats(4, (19, 23), dtype=np.float64)
    return [a, b, Out(product(a, b), dtype=np.float64, atol=1e-14), np.int32(15), np.int32(23), np.int32(19)]


@case(grid=(2, 2), block=(16, 16))
def gemm_half():
    a, b = floats(5, (32, 33), dtype=np.float16), floats(6, (33, 30), dtype=np.float16)
    return [a, b, Out(product(a, b), dtype=np.float16, rtol=1e-3, atol=1e-3), np.int32(32), np.int32(30), np.int32(33)]


def register_wmma(name, m, n, low, high, dtype, out, atol):
    @case(grid=(64 // n, 64 // m), block=32, name=f"wmma_{name}", entry=f"wmma_{name}")
    def wmma():
        make = integers if np.dtype(dtype).kind == "i" else floats
        a, b = make(7, (64, 48), low, high, dtype), make(8, (64, 48), low, high, dtype)
        if name == "tf32":  # exact in tf32
            a, b = (x.astype(bf16).astype(np.float32) for x in (a, b))
        exact = 2 * product(a, b.T)
        if out == np.int32:
            return [a, b, Out(exact.astype(out)), np.int32(64), np.int32(48)]
        return [a, b, Out(exact, dtype=out, atol=atol), np.int32(64), np.int32(48)]


for row in [("f16", 16, 16, -1, 1, np.float16, np.float32, 1e-5), ("f16_tall", 32, 8, -1, 1, np.float16, np.float32, 1e-5),
            ("bf16", 8, 32, -1, 1, bf16, np.float32, 1e-5), ("tf32", 16, 16, -1, 1, np.float32, np.float32, 1e-5),
            ("s8", 16, 16, -128, 128, np.int8, np.int32, 0), ("f64", 8, 8, -1, 1, np.float64, np.float64, 1e-14)]:
    register_wmma(*row)


@case(grid=(3, 4), block=(16, 8))
def convolution():
    x = floats(9, (29, 40))
    weights = np.array([1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1],
                       np.float32).reshape(5, 5)
    padded, total = np.pad(x, 2), np.zeros_like(x)
    for i in range(5):
        for j in range(5):
            total = total + weights[i, j] * padded[i:i + 29, j:j + 40]
    return [x, Out(total), np.int32(29), np.int32(40)]


@case(grid=(3, 2), block=(16, 16))
def transpose():
    x = floats(10, (27, 39), dtype=np.float64)
    return [x, Out(np.ascontiguousarray(x.T)), np.int32(27), np.int32(39)]


@case(grid=4, block=96)
def spmv():
    counts = integers(11, 12, 0, 90)
    counts[3] = 0
    start = np.concatenate([[0], counts.cumsum()]).astype(np.int32)
    column, value = integers(12, start[-1], 0, 200), floats(13, start[-1], dtype=np.float64)
    x = floats(14, 200, dtype=np.float64)
    y = [value[b:e] @ x[column[b:e]] for b, e in zip(start[:-1], start[1:])]
    return [start, column, value, x, Out(np.array(y), atol=1e-13)]


@case(grid=2, block=256)
def fft():
    x = floats(15, (2, 256, 2))
    y = np.fft.fft(x[..., 0].astype(np.float64) + 1j * x[..., 1])
    return [x, Out(np.stack([y.real, y.imag], -1), dtype=np.float32, atol=2e-5)]


@case(grid=16, block=96)
def mandelbrot():
    i = np.arange(1536)
    cx, cy = (i % 48) * 3.0 / 48 - 2.25, (i // 48) * 2.5 / 32 - 1.25
    x, y, n = np.zeros(1536), np.zeros(1536), np.zeros(1536, np.int32)
    for _ in range(60):
        inside = x * x + y * y < 4
        x, y = np.where(inside, x * x - y * y + cx, x), np.where(inside, 2 * x * y + cy, y)
        n += inside
    return [Out(n), np.int32(48), np.int32(60)]


@case(grid=2, block=32)
def nbody():
    body = floats(16, (64, 4), dtype=np.float64)
    d = body[None, :, :3] - body[:, None, :3]
    w = body[None, :, 3] * ((d * d).sum(-1) + 1e-3) ** -1.5
    return [body, Out((w[..., None] * d).sum(1), rtol=1e-11, atol=1e-11), np.int32(64)]


@case(block=24)
def lu():
    a = floats(17, (24, 24), dtype=np.float64) + 8 * np.eye(24)
    b = a.copy()
    for k in range(24):
        b[k + 1:, k] /= b[k, k]
        b[k + 1:, k + 1:] -= np.outer(b[k + 1:, k], b[k, k + 1:])
    return [Out(b, initial=a, atol=1e-12), np.int32(24)]
