# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tcgen05.ld and st of every shape against the fragments of PTX ISA 9.7.16.8, and the
waits that they need."""

from __future__ import annotations

import numpy as np
import pytest

from machine import MODES, Program, execute, fresh, run

PER_REPEAT = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4, "16x32bx2": 1}
SPLIT = 100
OUT = 256  # columns where a test puts what it loaded


def cell(shape: str, thread: int, register: int) -> tuple[int, int]:
    """Lane and column of a register of a thread, from the figures of the ISA."""
    quad, inside = divmod(thread, 4)
    if shape == "32x32b":
        return thread, register
    if shape == "16x32bx2":
        return thread % 16, register + SPLIT * (thread // 16)
    if shape == "16x64b":
        return quad + 8 * (inside % 2), 2 * register + inside // 2
    if shape == "16x128b":
        return quad + 8 * (register % 2), inside + 4 * (register // 2)
    block, part = divmod(register, 4)
    return quad + 8 * (part // 2), 8 * block + 2 * inside + part % 2


def names(count: int) -> str:
    return "{" + ", ".join(f"%d{n}" for n in range(count)) + "}"


def text(kind: str, shape: str, count: int, packed: bool, upper: bool) -> str:
    """An access at column 0 of the warp's lanes, or the upper 16 of them."""
    address = f"[%r11+{16 << 16}]" if upper else "[%r11]"
    split = f", {SPLIT}" if shape == "16x32bx2" else ""
    pack = {"ld": ".pack::16b", "st": ".unpack::16b"}[kind] if packed else ""
    name = f"tcgen05.{kind}.sync.aligned.{shape}.x{count // PER_REPEAT[shape]}{pack}.b32"
    if kind == "ld":
        return f"  {name} {names(count)}, {address}{split};\n"
    return f"  {name} {address}{split}, {names(count)};\n"


def whole(kind: str, count: int) -> str:
    """All registers from or to columns of the thread's own lane."""
    address = f"[%r11+{OUT}]"
    operands = f"{names(count)}, {address}" if kind == "ld" else f"{address}, {names(count)}"
    return (f"  tcgen05.{kind}.sync.aligned.32x32b.x{count}.b32 {operands};\n"
            f"  tcgen05.wait::{kind}.sync.aligned;\n")


def cases():
    for shape, per in PER_REPEAT.items():
        for exponent in range(8):
            count = per << exponent
            if count > 128 or (shape == "16x32bx2" and count > 64):
                continue
            for packed in (False, True):
                width = max(cell(shape, t, count - 1)[1] for t in range(32)) + 1
                if packed and (2 * width > OUT or shape == "16x32bx2"):
                    continue
                for upper in ([False] if shape == "32x32b" else [False, True]):
                    yield shape, count, packed, upper


def program(collective: str, seed: int) -> Program:
    before = fresh(1, 512)
    before[:] = np.random.default_rng(seed).integers(0, 2**32, before.shape, dtype=np.uint64)
    return Program(1, 512, np.zeros((1, 2048), np.uint8), before, collective=collective)


@pytest.mark.parametrize("shape,count,packed,upper", list(cases()))
def test_every_shape(tmp_path, shape, count, packed, upper):
    load = program(text("ld", shape, count, packed, upper) + "  tcgen05.wait::ld.sync.aligned;\n"
                   + whole("st", count), count)
    store = program(whole("ld", count) + text("st", shape, count, packed, upper)
                    + "  tcgen05.wait::st.sync.aligned;\n", count + 1)
    loaded, stored = load.before.copy(), store.before.copy()
    for warp in range(4):
        for thread in range(32):
            for register in range(count):
                row, column = cell(shape, thread, register)
                row += 32 * warp + 16 * upper
                own = 32 * warp + thread
                source, value = load.before[0, row], store.before[0, own, OUT + register]
                if packed:
                    low, high = (int(source[2 * column + n]) & 0xFFFF for n in (0, 1))
                    loaded[0, own, OUT + register] = low | high << 16
                    stored[0, row, 2 * column:2 * column + 2] = value & 0xFFFF, value >> 16
                else:
                    loaded[0, own, OUT + register] = source[column]
                    stored[0, row, column] = value
    for mode in ("eager", "lazy"):
        np.testing.assert_array_equal(run(tmp_path, load, mode), loaded)
        np.testing.assert_array_equal(run(tmp_path, store, mode), stored)


def reduced(values: np.ndarray, op: str, flags: str) -> np.ndarray:
    """Along the last axis."""
    if values.dtype != np.float32:
        return getattr(values, op)(axis=-1)
    if "abs" in flags:
        values = abs(values)
    nan = np.isnan(values)
    fill = np.float32(np.inf if op == "min" else -np.inf)
    result = getattr(np.where(nan, fill, values), op)(axis=-1)
    lost = nan.any(axis=-1) if "NaN" in flags else nan.all(axis=-1)
    return np.where(lost, np.array(0x7FFFFFFF, np.uint32).view(np.float32), result)


@pytest.mark.parametrize("shape", ["32x32b", "16x32bx2"])
@pytest.mark.parametrize("flags,dtype,name", [("", np.uint32, "u32"), ("", np.int32, "s32"), ("", np.float32, "f32"),
                                              (".abs", np.float32, "f32"), (".NaN", np.float32, "f32"),
                                              (".abs.NaN", np.float32, "f32")])
@pytest.mark.parametrize("op", ["min", "max"])
def test_reducing_loads(tmp_path, shape, flags, dtype, name, op):
    count = 16
    split = f", {SPLIT}" if shape == "16x32bx2" else ""
    test = program(f"  tcgen05.ld.red.sync.aligned.{shape}.x{count}.{op}{flags}.{name} {names(count)}, %d100, "
                   f"[%r11]{split};\n  tcgen05.wait::ld.sync.aligned;\n" + whole("st", count)
                   + f"  tcgen05.st.sync.aligned.32x32b.x1.b32 [%r11+{OUT + count}], {{%d100}};\n"
                   "  tcgen05.wait::st.sync.aligned;\n", 9)
    rng = np.random.default_rng(9)
    if dtype == np.float32:
        test.before[..., :OUT] = rng.normal(size=(1, 128, OUT)).astype(np.float32).view(np.uint32)
        test.before[0, ::3, 5] = 0xFFC01234  # NaN
        test.before[0, 7, :OUT] = 0x7FC00000
    want = test.before.copy()
    for warp in range(4):
        for thread in range(32):
            cells = [cell(shape, thread, register) for register in range(count)]
            words = np.array([want[0, 32 * warp + row, column] for row, column in cells])
            own = want[0, 32 * warp + thread]
            own[OUT:OUT + count] = words
            own[OUT + count] = reduced(words.view(dtype), op, flags).astype(dtype).view(np.uint32)
    for mode in ("eager", "lazy"):
        np.testing.assert_array_equal(run(tmp_path, test, mode, target="sm_103a"), want)


@pytest.mark.parametrize("mode,seed", MODES)
def test_a_store_is_there_after_its_wait(tmp_path, mode, seed):
    chain = "".join(f"  tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%d0}}, [%r11+{n}];\n"
                    "  tcgen05.wait::ld.sync.aligned;\n  add.u32 %d0, %d0, 1;\n"
                    f"  tcgen05.st.sync.aligned.32x32b.x1.b32 [%r11+{n + 1}], {{%d0}};\n"
                    "  tcgen05.wait::st.sync.aligned;\n" for n in range(4))
    test = program(chain, 5)
    want = test.before.copy()
    for n in range(4):
        want[..., n + 1] = want[..., n] + np.uint32(1)
    np.testing.assert_array_equal(run(tmp_path, test, mode, seed), want)


def test_a_load_before_the_wait_of_a_store_is_early(tmp_path):
    """Lazy: what the load sees is from before the store."""
    test = program("  mov.u32 %d0, 7;\n  tcgen05.st.sync.aligned.32x32b.x1.b32 [%r11], {%d0};\n"
                   "  tcgen05.ld.sync.aligned.32x32b.x1.b32 {%d1}, [%r11];\n"
                   "  tcgen05.wait::ld.sync.aligned;\n  tcgen05.wait::st.sync.aligned;\n"
                   "  tcgen05.st.sync.aligned.32x32b.x1.b32 [%r11+1], {%d1};\n"
                   "  tcgen05.wait::st.sync.aligned;\n", 6)
    assert (run(tmp_path, test, "eager")[..., 1] == 7).all()
    np.testing.assert_array_equal(run(tmp_path, test, "lazy")[..., 1], test.before[..., 0])


def test_a_write_ahead_of_the_wait_of_a_load_is_reported(tmp_path):
    test = program("  tcgen05.ld.sync.aligned.32x32b.x1.b32 {%d1}, [%r11];\n"
                   "  mov.u32 %d0, 7;\n  tcgen05.st.sync.aligned.32x32b.x1.b32 [%r11], {%d0};\n"
                   "  tcgen05.wait::st.sync.aligned;\n  tcgen05.wait::ld.sync.aligned;\n", 7)
    result, cells = execute(tmp_path, test, "lazy")
    assert cells is None and "R17" in result.stdout + result.stderr


@pytest.mark.parametrize("kind,rule", [("ld", "R17"), ("st", "R18")])
def test_no_wait_before_dealloc_is_reported(tmp_path, monkeypatch, kind, rule):
    operands = "{%d1}, [%r11]" if kind == "ld" else "[%r11], {%d1}"
    last = "  tcgen05.fence::before_thread_sync;"
    start, _, end = program("", 8).ptx().rpartition(last)
    access = f"  mov.u32 %d1, 1;\n  tcgen05.{kind}.sync.aligned.32x32b.x1.b32 {operands};\n"
    ptx = start + access + last + end
    monkeypatch.setattr(Program, "ptx", lambda self: ptx)
    result, cells = execute(tmp_path, program("", 8), "lazy")
    assert cells is None and rule in result.stdout + result.stderr
