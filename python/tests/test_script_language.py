# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python that tirx.script parses, against the same Python run by Python."""

import re

import numpy as np
import pytest
from tirx import script as T
from tirx.script import tile as Tx

N = 64
WIDTH = 4
TABLE = [3, 1, 4, 1, 5]


def run(kernel, *arrays):
    """The kernel's result in its last array; all modes agree."""
    results = []
    for mode in ("eager", "lazy"):
        out = np.zeros(N, np.int32)
        kernel.simulate(*arrays, out, mode=mode)
        results.append(out)
    np.testing.assert_array_equal(*results)
    return results[0]


def expected(function):
    return np.array([function(t) for t in range(N)], np.int32)


def test_if_elif_else():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        r: T.int32 = 0
        if t < 10:
            r = 1
        elif t % 3 == 0 and t < 40:
            r = 2
        elif not t < 50 or t == 41:
            r = 3
        else:
            r = 4
        out[t] = r

    assert (run(kernel) == expected(
        lambda t: 1 if t < 10 else 2 if t % 3 == 0 and t < 40 else 3 if t >= 50 or t == 41
        else 4)).all()


def test_while_with_break_and_continue():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        i: T.int32 = 0
        total: T.int32 = 0
        while i < 20:
            i += 1
            if i % 2 == 0:
                continue
            if i > t:
                break
            total += i
        out[t] = total

    def reference(t):
        i = total = 0
        while i < 20:
            i += 1
            if i % 2 == 0:
                continue
            if i > t:
                break
            total += i
        return total

    assert (run(kernel) == expected(reference)).all()


def test_counted_loops_with_break_and_continue_inside_each_other():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        total: T.int32 = 0
        for i in range(1, t + 1, 2):
            for j in T.serial(8):
                if j == i:
                    break
                if (i + j) % 3 == 0:
                    if j > 4:
                        break
                    continue
                total += i * j
            if total > 500:
                break
        out[t] = total

    def reference(t):
        total = 0
        for i in range(1, t + 1, 2):
            for j in range(8):
                if j == i:
                    break
                if (i + j) % 3 == 0:
                    if j > 4:
                        break
                    continue
                total += i * j
            if total > 500:
                break
        return total

    assert (run(kernel) == expected(reference)).all()


def twice(x):
    y = x + x
    return y


def test_conditions_are_computed_before_each_round():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        limit = T.meta_var(t * 3)
        i: T.int32 = 0
        while twice(i) < twice(limit):
            i += 7
        out[t] = i * 1000 + limit

    assert (run(kernel) == expected(lambda t: (t * 3 + 6) // 7 * 7 * 1000 + t * 3)).all()


def test_while_true_and_early_return():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        out[t] = 7
        if t > 31:
            return
        x: T.int32 = t
        while True:
            if x > 40:
                break
            x = x * 2 + 1
        out[t] = x

    def reference(t):
        if t > 31:
            return 7
        while t <= 40:
            t = t * 2 + 1
        return t

    assert (run(kernel) == expected(reference)).all()


def test_python_loops_are_written_out_and_conditions_of_python_choose():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        total: T.int32 = 0
        for i, weight in enumerate(TABLE):
            if i == 1:
                continue
            if weight == 5:
                break
            total += t * weight
        for i in T.unroll(WIDTH):
            total += i if i > 1 else 10 * i
        k = 0
        while k < 3:
            total += k
            k = k + 1
        squares = [v * v for v in range(4) if v != 2]
        total += squares[0] + squares[-1] + len(squares)
        out[t] = total

    assert (run(kernel) == expected(lambda t: t * (3 + 4 + 1) + 10 + 5 + 3 + 9 + 3)).all()


def accumulate(total, values, *, factor=1):
    """A helper of the module: its arguments are values or Python's."""
    result: T.int32 = total
    for value in values:
        if value > 2:
            result += value * factor
    return result


def test_helpers_are_parsed_where_they_are_called():
    offset = 5

    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])

        def clamp(x, low=3):
            y: T.int32 = x
            if y < low:
                y = low
            return y + offset

        a, b = clamp(t), clamp(t, low=20)
        a, b = b, a
        out[t] = a * 100 + b + accumulate(1, [t, 1, 3], factor=2)

    def reference(t):
        a, b = max(t, 3) + 5, max(t, 20) + 5
        return b * 100 + a + 1 + (t * 2 if t > 2 else 0) + 6

    assert (run(kernel) == expected(reference)).all()


class Counter:
    """State that lives in a variable of the kernel."""

    def __init__(self, depth):
        self.depth = depth
        self.stage = T.local_scalar("int32", 0)
        self.phase = T.local_scalar("int32", 0)

    def advance(self):
        self.stage += 1
        if self.stage == self.depth:
            self.stage = 0
            self.phase ^= 1


def test_objects_hold_mutable_scalars():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        state = Counter(3)
        for _ in range(t):
            state.advance()
        out[t] = state.stage * 2 + state.phase

    assert (run(kernel) == expected(lambda t: t % 3 * 2 + t // 3 % 2)).all()


def test_assignment_computes_now_and_meta_var_where_it_is_used():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        x: T.int32 = t
        now = x + 1
        later = T.meta_var(x + 1)
        x = 100
        out[t] = now * 1000 + later

    assert (run(kernel) == expected(lambda t: (t + 1) * 1000 + 101)).all()


def test_arithmetic_rounds_as_python_does():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        x = t - 32
        y: T.float32 = x
        out[t] = (x // 5) * 7 + x % 5 + (x << 1) - (x & 12) + T.cast(y * 0.5, "int32") \
            + T.max(x, 3) + (2 if 5 <= t < 9 else 0)

    assert (run(kernel) == expected(
        lambda t: ((t - 32) // 5) * 7 + (t - 32) % 5 + ((t - 32) << 1) - ((t - 32) & 12)
        + int((t - 32) * 0.5) + max(t - 32, 3) + (2 if 5 <= t < 9 else 0))).all()


def test_jit_has_a_kernel_for_each_choice():
    @T.jit
    def scale(out: "T.Buffer((n,), 'int32')", k: T.int32, n: T.constexpr, factor: T.constexpr = 3):
        t = T.thread_id([n])
        out[t] = t * factor + k

    three, five = scale.specialize(n=N), scale.specialize(n=N, factor=5)
    assert scale.specialize(n=N) is three and three is not five
    for kernel, factor in ((three, 3), (five, 5)):
        out = np.zeros(N, np.int32)
        kernel.simulate(out, 9)
        np.testing.assert_array_equal(out, np.arange(N) * factor + 9)
    with pytest.raises(T.ScriptError, match="expected values of n, factor, got none of 'n'"):
        scale.specialize(factor=2)


def test_slices_are_regions_of_any_start():
    @T.prim_func
    def kernel(src: T.Buffer((8, 16), "int32"), out: T.Buffer((N,), "int32")):
        t = T.thread_id([32])
        row: T.int32 = 1
        regs = T.alloc_local((WIDTH,), "int32")
        if t < 16:
            for half in range(2):
                start = T.meta_var(8 * half + 4)
                Tx.copy(regs[:], src[t // 4 * 2 + row, start : 8 * half + 4 + WIDTH][:])
                Tx.copy(out[t * 4 : (t + 1) * 4], regs[:])

    source = np.arange(128, dtype=np.int32).reshape(8, 16)
    want = np.concatenate([source[t // 4 * 2 + 1, 12:16] for t in range(16)])
    assert (run(kernel, source) == want).all()


def test_views_of_shared_memory():
    @T.prim_func
    def kernel(src: T.Buffer((8, 8), "int32"), out: T.Buffer((N,), "int32")):
        t = T.thread_id([32])
        pool = T.SMEMPool()
        tile = pool.alloc((8, 8), "int32")
        pool.commit()
        Tx.warp.copy(tile[:, :], src[:, :])
        T.cuda.cta_sync()
        flipped = tile.permute(1, 0)
        for i in T.unroll(2):
            e = t * 2 + i
            out[e] = flipped[e // 8, e % 8] + tile.view(64)[e]

    source = np.arange(64, dtype=np.int32).reshape(8, 8)
    assert (run(kernel, source) == source.T.ravel() + source.ravel()).all()


def test_raw_instructions_are_those_of_lite():
    @T.prim_func
    def kernel(out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        r = T.alloc_local((1,), "int32")
        T.ptx["mad.lo.s32"](r[0], t, 3, 4)
        T.ptx.st.global_.s32(out.ptr_to([t]), r[0])

    assert (run(kernel) == expected(lambda t: 3 * t + 4)).all()


def test_every_op_has_its_line_and_column():
    @T.prim_func
    def kernel(src: T.Buffer((N,), "int32"), out: T.Buffer((N,), "int32")):
        t = T.thread_id([N])
        value = src[t]
        if value > 3:
            out[t] = value * 2

    text = kernel.source("tile")
    body = kernel.func
    lines = [line for line in body.splitlines() if " = " in line and "loc(" in line]
    places = dict(re.findall(r'(#l\d+) = loc\("[^"]*test_script_language.py":(\d+:\d+)\)', body))
    first = test_every_op_has_its_line_and_column.__code__.co_firstlineno
    load = next(line for line in lines if "tirx.load" in line)
    line, column = places[re.search(r"loc\((#l\d+)\)", load).group(1)].split(":")
    assert (int(line), int(column)) == (first + 4, 9)
    store = next(line for line in body.splitlines() if "tirx.store" in line)
    assert places[re.search(r"loc\((#l\d+)\)", store).group(1)].startswith(f"{first + 6}:")
    assert "tirx.load" in text


def test_tile_ops_are_those_of_the_dialect():
    from tirx import _native

    names = {op["name"] for op in _native.tile_ops()}
    assert {"copy", "copy_async", "gemm_async", "cast", "fill", "add", "exp2", "fma"} <= names
    assert names <= set(dir(Tx)) and names == set(dir(Tx.wg))
    assert Tx.cta.copy.__doc__ == "dst[x] = src[x] for all x"


def test_elementwise_ops_on_registers():
    @T.prim_func
    def kernel(A: T.Buffer((N, 4), "float32"), B: T.Buffer((N, 4), "float32")):
        t = T.thread_id([N])
        x = T.alloc_local((4,), "float32")
        y = T.alloc_local((4,), "float32")
        Tx.copy(x[:], A[t, :])
        Tx.fill(y[:], 2)
        Tx.add(y[:], x[:], y[:])
        Tx.mul(y[:], y[:], 0.5)
        Tx.exp2(x[:], x[:], scale=2.0)
        Tx.fma(y[:], y[:], 2.0, x[:])
        Tx.maximum(y[:], y[:], t)
        Tx.copy(B[t, :], y[:])

    a = np.random.default_rng(0).integers(-3, 4, (N, 4)).astype(np.float32)
    b = np.zeros((N, 4), np.float32)
    kernel.simulate(a, b)
    np.testing.assert_array_equal(b, np.maximum(a + 2 + 4.0 ** a, np.arange(N)[:, None]))
