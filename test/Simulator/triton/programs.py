# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of ours in Triton, and how each is compiled."""

import dataclasses

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, at < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * n + at, (e / tl.sum(e, 0)).to(tl.float16), at < n)


@triton.jit
def layer_norm(x, weight, bias, out, n, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(x + row * n + at, at < n, other=0.0).to(tl.float32)
    mean = tl.sum(total, 0) / n
    squares = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + at, at < n, other=0.0).to(tl.float32)
        squares += tl.where(at < n, (v - mean) * (v - mean), 0.0)
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / n + epsilon)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + at, at < n, other=0.0).to(tl.float32)
        w, b = tl.load(weight + at, at < n), tl.load(bias + at, at < n)
        tl.store(out + row * n + at, ((v - mean) * scale * w + b).to(tl.float16), at < n)


@triton.jit
def gemm(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
         GROUP: tl.constexpr):
    """Tiles in groups of rows, so that CTAs that run together share columns of b."""
    number = tl.program_id(0)
    rows_of_tiles, columns_of_tiles = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * columns_of_tiles
    first = number // in_group * GROUP
    height = min(rows_of_tiles - first, GROUP)
    row, column = first + number % in_group % height, number % in_group // height
    rows, columns = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32)
    for k in range(0, K, BK):
        inner = k + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * K + inner[None, :],
                       (rows[:, None] < M) & (inner[None, :] < K), other=0.0)
        right = tl.load(b + inner[:, None] * N + columns[None, :],
                        (inner[:, None] < K) & (columns[None, :] < N), other=0.0)
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(c.dtype.element_ty),
             (rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def tensor_gemm(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tiles by tensor maps that the kernel makes; b is (N, K)."""
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(left.load([row, k]), right.load([column, k]).T, total)
    out.store([row, column], total.to(c.dtype.element_ty))


@triton.jit
def scaled_gemm(a, a_scale, b, b_scale, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
                BK: tl.constexpr, FORMAT: tl.constexpr, PACK: tl.constexpr):
    """Blocks of 32 elements of K share a ue8m0 scale; b is (N, K)."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner, blocks = tl.arange(0, BK // PACK), tl.arange(0, BK // 32)
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * (K // PACK) + (k // PACK + inner)[None, :])
        right = tl.load(b + columns[None, :] * (K // PACK) + (k // PACK + inner)[:, None])
        left_scale = tl.load(a_scale + rows[:, None] * (K // 32) + (k // 32 + blocks)[None, :])
        right_scale = tl.load(b_scale + columns[:, None] * (K // 32) + (k // 32 + blocks)[None, :])
        total = tl.dot_scaled(left, left_scale, FORMAT, right, right_scale, FORMAT, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def attention(q, k, v, out, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
              CAUSAL: tl.constexpr):
    """One head; q, k, v and out are (n, D). The scale includes log2(e)."""
    first = tl.program_id(0) * BM
    rows, d = first + tl.arange(0, BM), tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + d[None, :])
    best = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    result = tl.zeros((BM, D), tl.float32)
    for start in range(0, first + BM if CAUSAL else n, BN):
        keys = start + tl.arange(0, BN)
        score = tl.dot(query, tl.load(k + keys[None, :] * D + d[:, None])) * scale
        if CAUSAL:
            score = tl.where(rows[:, None] >= keys[None, :], score, -float("inf"))
        new = tl.maximum(best, tl.max(score, 1))
        p = tl.exp2(score - new[:, None])
        shrink = tl.exp2(best - new)
        total = total * shrink + tl.sum(p, 1)
        value = tl.load(v + keys[:, None] * D + d[None, :])
        result = tl.dot(p.to(tl.float16), value, result * shrink[:, None])
        best = new
    tl.store(out + rows[:, None] * D + d[None, :], (result / total[:, None]).to(tl.float16))


@dataclasses.dataclass
class Program:
    kernel: object
    types: dict
    constants: dict
    targets: tuple
    warps: int = 4
    stages: int = 3
    multiples_of_16: str = "MNK"


ALL, HOPPER, BLACKWELL = ("sm_80", "sm_90a", "sm_100a"), ("sm_90a", "sm_100a"), ("sm_100a",)


def _gemm(element, result, targets=ALL, **more):
    types = {"a": f"*{element}", "b": f"*{element}", "c": f"*{result}", "M": "i32", "N": "i32",
             "K": "i32"}
    blocks = {"BM": 64, "BN": 128, "BK": 64 if element != "fp32" else 32, "GROUP": 2}
    return Program(gemm, types, blocks, targets, **more)


def _tensor_gemm(element, result, targets):
    types = {"a": f"*{element}", "b": f"*{element}", "c": f"*{result}", "M": "i32", "N": "i32",
             "K": "i32"}
    return Program(tensor_gemm, types, {"BM": 128, "BN": 128, "BK": 64}, targets)


def _scaled(element, form, pack):
    types = {"a": f"*{element}", "a_scale": "*u8", "b": f"*{element}", "b_scale": "*u8",
             "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
    constants = {"BM": 128, "BN": 128, "BK": 128, "FORMAT": form, "PACK": pack}
    return Program(scaled_gemm, types, constants, BLACKWELL)


def _attention(causal):
    types = {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp16", "n": "i32", "scale": "fp32"}
    return Program(attention, types, {"BM": 64, "BN": 64, "D": 64, "CAUSAL": causal}, ALL)


PROGRAMS = {
    "add": Program(add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 512}, ALL),
    "softmax": Program(softmax, {"x": "*fp16", "out": "*fp16", "n": "i32"}, {"BLOCK": 1024}, ALL),
    "layer_norm": Program(
        layer_norm, {"x": "*fp16", "weight": "*fp32", "bias": "*fp32", "out": "*fp16", "n": "i32",
                     "epsilon": "fp32"}, {"BLOCK": 256}, ALL),
    "gemm_f16": _gemm("fp16", "fp16"),
    "gemm_bf16": _gemm("bf16", "bf16"),
    "gemm_tf32": _gemm("fp32", "fp32"),
    "gemm_i8": _gemm("i8", "i32", ("sm_80", "sm_90a")),
    "gemm_e4m3": _gemm("fp8e4nv", "fp32", HOPPER),
    "tensor_gemm_f16": _tensor_gemm("fp16", "fp16", HOPPER),
    "tensor_gemm_bf16": _tensor_gemm("bf16", "bf16", HOPPER),
    "tensor_gemm_e4m3": _tensor_gemm("fp8e4nv", "fp16", HOPPER),
    "scaled_gemm_mxfp8": _scaled("fp8e4nv", "e4m3", 1),
    "scaled_gemm_mxfp4": _scaled("u8", "e2m1", 2),
    "attention": _attention(False),
    "attention_causal": _attention(True),
}
