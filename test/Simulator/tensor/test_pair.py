# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tcgen05.mma and cp of one CTA and of a pair against NumPy: where operands come from and
where the rows of D go, for each kind, M and N."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from machine import (MODES, Program, execute, fresh, k_major_image, run,
                     shared_descriptor)

# Name: type of the elements, K, formats of A, B and of D in the descriptor.
KINDS = {
    "f16": (np.float16, 16, 0, 1),
    "bf16": (ml_dtypes.bfloat16, 16, 1, 1),
    "tf32": (np.float32, 8, 2, 1),
    "e4m3": (ml_dtypes.float8_e4m3fn, 32, 0, 1),
    "e5m2": (ml_dtypes.float8_e5m2, 32, 1, 1),
    "s8": (np.int8, 32, 1, 2),
    "u8": (np.uint8, 32, 0, 2),
}
PTX_KIND = {"f16": "f16", "bf16": "f16", "tf32": "tf32", "e4m3": "f8f6f4", "e5m2": "f8f6f4", "s8": "i8", "u8": "i8"}


def place(group: int, m: int, n: int, ws: bool = False) -> list[tuple[int, int, int, slice]]:
    """For each row of D: CTA, lane, first cell and the columns of D there."""
    rows = m // group
    places = []
    for row in range(m):
        cta, own = divmod(row, rows)
        if rows == 128:
            places.append((row, cta, own, slice(0, n)))
        elif group == 2 or ws:
            parts, width = 128 // rows, n * rows // 128
            places += [(row, cta, own + rows * part, slice(part * width, (part + 1) * width))
                       for part in range(parts)]
        else:
            places.append((row, cta, own // 16 * 32 + own % 16, slice(0, n)))
    return places


class Gemm:
    """D (+)= A * B with random small integers, so that every sum is exact."""

    def __init__(self, kind: str, group: int, m: int, n: int, *, steps: int = 2, accumulate: bool = False,
                 tensor_a: bool = False, issuer: int = 0, disabled: list[int] | None = None, ws: bool = False,
                 zero_columns: int | None = None, seed: int = 0):
        rng = np.random.default_rng([seed, m, n, group, len(kind)])
        dtype, step, code, self.d_code = KINDS[kind]
        k = steps * step
        low = 0 if kind == "u8" else -4
        self.a = rng.integers(low, 5, (m, k)).astype(dtype)
        self.b = rng.integers(low, 5, (n, k)).astype(dtype)
        self.group, self.m, self.n, self.ws = group, m, n, ws
        self.c = rng.integers(-99, 99, (m, n))
        self.accumulate, self.disabled = accumulate, disabled or [0] * (4 * group)
        halves = [(self.a[m // group * r:m // group * (r + 1)], self.b[n // group * r:n // group * (r + 1)])
                  for r in range(group)]
        images, b_offset = [], 0
        for a, b in halves:
            a_image, leading, a_stride = k_major_image(a)
            b_image, _, b_stride = k_major_image(b)
            b_offset = a_image.size
            image = np.concatenate([a_image, b_image])
            images.append(np.pad(image, (0, -image.size % 2048)))
        self.columns = 512 if n > 128 else 256
        a_column = 256 if n > 128 else 128
        before = fresh(group, self.columns)
        if accumulate:
            self.put(before, self.c)
        if tensor_a:
            words = np.ascontiguousarray(self.a).view(np.uint32)
            for row, cta, lane, _ in place(group, m, n, ws):
                before[cta, lane, a_column:a_column + words.shape[1]] = words[row]
        instruction = self.d_code << 4 | code << 7 | code << 10 | n // 8 << 17 | m // 16 << 24
        issue = ""
        for step_number in range(steps):
            # 16 bytes along K are one core: 128 bytes on.
            offset = step_number * 2 * 128
            a_text = f"[%r10+{a_column + 8 * step_number}]" if tensor_a else "%rd6"
            issue += (f"  add.u64 %rd6, %rd5, {shared_descriptor(offset, leading, a_stride)};\n"
                      f"  add.u64 %rd7, %rd5, {shared_descriptor(b_offset + offset, leading, b_stride)};\n"
                      f"  setp.ne.u32 %p4, {int(accumulate or step_number > 0)}, 0;\n"
                      f"  tcgen05.mma{'.ws' if ws else ''}.cta_group::{group}.kind::{PTX_KIND[kind]}"
                      f"{'.collector::b1::fill' if ws else ''} [%r10], {a_text}, %rd7, "
                      f"{instruction}, {self.mask()}%p4{'' if zero_columns is None else f', {zero_columns}'};\n")
        self.program = Program(group, self.columns, np.stack(images), before, issue, issuer=issuer)

    def mask(self) -> str:
        if not any(self.disabled):
            return ""
        return "{" + ", ".join(str(word) for word in self.disabled) + "}, "

    def put(self, cells: np.ndarray, d: np.ndarray) -> None:
        bits = d.astype(np.int32 if self.d_code == 2 else np.float32).view(np.uint32)
        for row, cta, lane, columns in place(self.group, self.m, self.n, self.ws):
            if not self.disabled[4 * cta + lane // 32] >> lane % 32 & 1:
                cells[cta, lane, :columns.stop - columns.start] = bits[row, columns]

    def want(self) -> np.ndarray:
        cells = self.program.before.copy()
        product = self.a.astype(np.int64) @ self.b.astype(np.int64).T
        self.put(cells, product + self.c if self.accumulate else product)
        return cells


SHAPES = [(1, 64, 8), (1, 64, 64), (1, 128, 32), (1, 128, 256),
          (2, 128, 32), (2, 128, 64), (2, 128, 256), (2, 256, 32), (2, 256, 128), (2, 256, 256)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("group,m,n", SHAPES)
def test_every_kind_and_shape(tmp_path, kind, group, m, n):
    gemm = Gemm(kind, group, m, n, accumulate=n % 64 == 0)
    for mode in ("eager", "lazy"):
        np.testing.assert_array_equal(run(tmp_path, gemm.program, mode), gemm.want())


@pytest.mark.parametrize("mode,seed", MODES)
@pytest.mark.parametrize("group,m", [(1, 64), (1, 128), (2, 128), (2, 256)])
@pytest.mark.parametrize("kind", ["f16", "e4m3", "s8", "tf32"])
def test_a_in_tensor_memory(tmp_path, kind, group, m, mode, seed):
    gemm = Gemm(kind, group, m, 64, tensor_a=True)
    np.testing.assert_array_equal(run(tmp_path, gemm.program, mode, seed), gemm.want())


@pytest.mark.parametrize("group,m", [(1, 64), (1, 128), (2, 128), (2, 256)])
def test_disabled_lanes_keep_their_values(tmp_path, group, m):
    rng = np.random.default_rng(m + group)
    words = [int(word) for word in rng.integers(1, 2**32, 4 * group)]
    gemm = Gemm("f16", group, m, 64, accumulate=True, disabled=words)
    for mode in ("eager", "lazy"):
        np.testing.assert_array_equal(run(tmp_path, gemm.program, mode), gemm.want())


@pytest.mark.parametrize("tensor_a", [False, True])
@pytest.mark.parametrize("m", [32, 64, 128])
@pytest.mark.parametrize("n", [64, 128, 256])
@pytest.mark.parametrize("kind", ["bf16", "tf32", "e5m2", "u8"])
def test_weight_stationary(tmp_path, kind, m, n, tensor_a):
    gemm = Gemm(kind, 1, m, n, ws=True, tensor_a=tensor_a, accumulate=n != 64,
                zero_columns=0x0102_0304 if n == 128 else None)
    for mode in ("eager", "lazy"):
        np.testing.assert_array_equal(run(tmp_path, gemm.program, mode), gemm.want())


@pytest.mark.parametrize("m,n,zero_columns,message", [
    (32, 96, None, "expected N 64, 128 or 256"),
    (256, 64, None, "expected M 32, 64 or 128"),
    (64, 64, 1 << 39, "zero-column masks"),
])
def test_misuse_of_weight_stationary_is_reported(tmp_path, m, n, zero_columns, message):
    gemm = Gemm("f16", 1, min(m, 128), n, ws=True, zero_columns=zero_columns)
    if m == 256:
        gemm.program.issue = gemm.program.issue.replace(
            str(1 << 4 | n // 8 << 17 | 8 << 24), str(1 << 4 | n // 8 << 17 | 16 << 24))
    result, cells = execute(tmp_path, gemm.program)
    assert cells is None and message in result.stdout + result.stderr, result.stdout + result.stderr


def test_the_odd_cta_may_issue(tmp_path):
    gemm = Gemm("bf16", 2, 256, 64, issuer=128)
    for mode in ("eager", "lazy"):
        np.testing.assert_array_equal(run(tmp_path, gemm.program, mode), gemm.want())


@pytest.mark.parametrize("group", [1, 2])
@pytest.mark.parametrize("shape,rows,size,lanes", [
    ("128x256b", 128, 32, [range(128)]),
    ("128x128b", 128, 16, [range(128)]),
    ("4x256b", 4, 32, [range(4)]),
    ("32x128b.warpx4", 32, 16, [range(32 * w, 32 * w + 32) for w in range(4)]),
    ("64x128b.warpx2::02_13", 64, 16, [range(64), range(64, 128)]),
    ("64x128b.warpx2::01_23", 64, 16, [[*range(32), *range(64, 96)], [*range(32, 64), *range(96, 128)]]),
])
def test_copies(tmp_path, group, shape, rows, size, lanes):
    rng = np.random.default_rng(rows + size)
    stored = -(-rows // 8) * 8
    data = rng.integers(0, 256, (group, stored, size)).astype(np.uint8)
    images = []
    for cta in range(group):
        image, leading, stride = k_major_image(data[cta])
        images.append(np.pad(image, (0, -image.size % 2048)))
    before = fresh(group, 32)
    issue = (f"  add.u64 %rd6, %rd5, {shared_descriptor(0, leading, stride)};\n"
             f"  tcgen05.cp.cta_group::{group}.{shape} [%r10+8], %rd6;\n")
    program = Program(group, 32, np.stack(images), before, issue)
    want = before.copy()
    words = data.view(np.uint32)
    for copy in lanes:
        want[:, list(copy), 8:8 + size // 4] = words[:, :rows]
    for mode in ("eager", "lazy"):
        np.testing.assert_array_equal(run(tmp_path, program, mode), want)


@pytest.mark.parametrize("change,message", [
    (("tcgen05.mma.cta_group::2", "tcgen05.mma.cta_group::1"), "expected cta_group::2 as in the tcgen05"),
    (("tcgen05.commit.cta_group::2", "tcgen05.commit.cta_group::1"), "expected cta_group::2 as in the tcgen05"),
    (("[%r10], %rd6", "[%r10+224], %rd6"), "expected D inside a live tensor memory allocation"),
    (("  ret;", "  tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [slot], 32;\n  ret;"),
     "expected no tcgen05.alloc after"),
])
def test_misuse_of_pairs_is_reported(tmp_path, monkeypatch, change, message):
    gemm = Gemm("f16", 2, 256, 64, steps=1)
    text = gemm.program.ptx()
    assert change[0] in text
    monkeypatch.setattr(Program, "ptx", lambda self: text.replace(*change))
    result, cells = execute(tmp_path, gemm.program)
    assert cells is None and message in result.stdout + result.stderr, result.stdout + result.stderr


def test_an_alloc_of_one_cta_of_a_pair_is_a_deadlock(tmp_path, monkeypatch):
    gemm = Gemm("f16", 2, 256, 64, steps=1)
    text = gemm.program.ptx().replace(
        "  @%p0 bra ALLOCATED;", "  @%p0 bra ALLOCATED;\n  setp.ne.u32 %p5, %r2, 0;\n  @%p5 bra ALLOCATED;", 1)
    monkeypatch.setattr(Program, "ptx", lambda self: text)
    result, cells = execute(tmp_path, gemm.program)
    assert cells is None
    assert "CTA 1 of the cluster, the other one of the pair, executes no tcgen05.alloc" in result.stdout + result.stderr


def test_different_copies_of_a_are_reported(tmp_path):
    gemm = Gemm("f16", 2, 128, 64, tensor_a=True)
    gemm.program.before[1, 70, 128] ^= 1
    result, cells = execute(tmp_path, gemm.program)
    assert cells is None and "R43" in result.stdout + result.stderr
