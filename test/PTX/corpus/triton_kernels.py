#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of ours in Triton, compiled to PTX for three targets without a GPU.

  triton_kernels.py FOLDER      writes FOLDER/KERNEL.TARGET.ptx

Needs Python with `triton` (PyPI); what it writes is not kept.
"""

import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def axpy(x, y, out, n, a, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, a * tl.load(x + at, mask) + tl.load(y + at, mask, other=1.0), mask)


@triton.jit
def softmax(x, out, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + at, at < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * stride + at, e / tl.sum(e, 0), at < n)


@triton.jit
def gemm(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + (inner + k)[None, :])
        right = tl.load(b + (inner + k)[:, None] * N + columns[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


@triton.jit
def tensor_gemm(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(left.load([row, k]), right.load([column, k]).T, total)
    out.store([row, column], total.to(tl.bfloat16))


@triton.jit
def attention(q, k, v, out, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + d[None, :])
    best = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    result = tl.zeros((BM, D), tl.float32)
    for start in range(0, n, BN):
        keys = start + tl.arange(0, BN)
        score = tl.dot(query, tl.load(k + keys[None, :] * D + d[:, None])) * scale
        new = tl.maximum(best, tl.max(score, 1))
        p = tl.exp2(score - new[:, None])
        shrink = tl.exp2(best - new)
        total = total * shrink + tl.sum(p, 1)
        value = tl.load(v + keys[:, None] * D + d[None, :])
        result = tl.dot(p.to(tl.float16), value, result * shrink[:, None])
        best = new
    tl.store(out + rows[:, None] * D + d[None, :], (result / total[:, None]).to(tl.float16))


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, at < n, other=0)
    tl.atomic_add(out + v % 64, 1, at < n, sem="relaxed")
    tl.atomic_max(out + 64, tl.max(v, 0))
    tl.store(out + 100 + at, tl.cumsum(v, 0) + tl.sort(v) // 3 + (v * 7).to(tl.int64) % 5)


GEMM = {"a": "*bf16", "b": "*bf16", "c": "*bf16", "M": "i32", "N": "i32", "K": "i32"}
KERNELS = [
    (axpy, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "a": "fp32"}, {"BLOCK": 1024}),
    (softmax, {"x": "*fp16", "out": "*fp32", "stride": "i32", "n": "i32"}, {"BLOCK": 2048}),
    (gemm, {**GEMM, "a": "*fp16", "b": "*fp16", "c": "*fp16"}, {"BM": 128, "BN": 128, "BK": 64}),
    (tensor_gemm, GEMM, {"BM": 128, "BN": 256, "BK": 64}),
    (attention, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp16", "n": "i32", "scale": "fp32"},
     {"BM": 64, "BN": 64, "D": 64}),
    (histogram, {"x": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 512}),
]
TARGETS = {"sm_80": 80, "sm_90a": 90, "sm_100a": 100}


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for kernel, types, constants in KERNELS:
        for name, capability in TARGETS.items():
            if kernel is tensor_gemm and capability < 90:
                continue
            constexprs = {(kernel.arg_names.index(key),): value for key, value in constants.items()}
            signature = {**types, **{key: "constexpr" for key in constants}}
            attributes = {(i,): [["tt.divisibility", 16]] for i, key in enumerate(kernel.arg_names)
                          if types.get(key, "")[:1] == "*" or key in "MNK"}
            source = ASTSource(fn=kernel, signature=signature, constexprs=constexprs, attrs=attributes)
            compiled = triton.compile(source, target=GPUTarget("cuda", capability, 32),
                                      options={"num_warps": 4, "num_stages": 3})
            (folder / f"{kernel.fn.__name__}.{name}.ptx").write_text(compiled.asm["ptx"])


if __name__ == "__main__":
    main()
