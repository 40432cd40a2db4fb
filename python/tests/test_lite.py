# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of traced kernels against Python's own."""

import operator
import random

import numpy as np
import pytest

import tirx.lite as txl

I32 = txl.gptr(txl.i32)


def run(kernel, count, *inputs, dtype=np.int32, **options):
    out = np.zeros(count, dtype)
    kernel.simulate(*inputs, out, **options)
    return out


# --- Expressions -------------------------------------------------------------------

BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}


@pytest.mark.parametrize("divisor", [None, 1, 2, 7, 32, -3, -8])
@pytest.mark.parametrize("op", BINARY)
def test_integers_follow_python(op, divisor):
    """Floor division and its remainder, with divisors known and unknown, of either sign."""
    function = BINARY[op]

    @txl.kernel(warps=1)
    def k(a: I32, b: I32, out: I32):
        t = txl.thread_id()
        x, y, z = (txl.local_scalar(txl.i32) for _ in range(3))
        txl.ptx.ld.global_.s32(x, a.ptr_to([t]))
        txl.ptx.ld.global_.s32(y, b.ptr_to([t]))
        txl.assign(z, function(x, y if divisor is None else divisor))
        txl.ptx.st.global_.s32(out.ptr_to([t]), z)

    rng = random.Random(f"{op}{divisor}")
    a = [rng.randrange(-1000, 1000) for _ in range(32)]
    b = [divisor or rng.choice([-1, 1]) * rng.randrange(1, 40) for _ in range(32)]
    want = [function(x, y) for x, y in zip(a, b)]
    assert run(k, 32, np.array(a, np.int32), np.array(b, np.int32)).tolist() == want


@pytest.mark.parametrize("dtype", ["i32", "u32", "i64", "u64"])
def test_comparisons_and_shifts_have_the_sign_of_the_type(dtype):
    """The same bits compare and shift differently as signed and unsigned."""
    scalar = getattr(txl, dtype)
    bits = scalar.bits
    unsigned = getattr(txl, f"u{bits}")

    @txl.kernel(warps=1)
    def k(a: txl.gptr(scalar), out: txl.gptr(unsigned)):
        t = txl.thread_id()
        x = txl.local_scalar(scalar)
        txl.ptx[f"ld.global.b{bits}"](x, a.ptr_to([t]))
        smaller = txl.Select(x < 5, 1, 0)
        shifted = txl.cast(x >> 3, unsigned)
        txl.ptx[f"st.global.b{bits}"](out.ptr_to([t]), shifted * 2 + smaller)

    values = np.arange(-16, 16).astype(scalar.numpy)
    want = ((values >> 3).astype(unsigned.numpy) * 2 + (values < 5)).tolist()
    assert run(k, 32, values, dtype=unsigned.numpy).tolist() == want


def test_an_expression_reads_a_variable_where_it_is_used():
    @txl.kernel(warps=1)
    def k(out: I32):
        x = txl.local_scalar(txl.i32, init=1)
        twice = x * 2
        before = txl.local_scalar(txl.i32, init=twice)
        txl.assign(x, 10)
        txl.ptx.st.global_.s32(out.ptr_to([0]), before)
        txl.ptx.st.global_.s32(out.ptr_to([1]), twice)

    assert run(k, 2).tolist() == [2, 20]


def test_results_of_instructions_are_evaluated_once():
    @txl.kernel(warps=1)
    def k(out: I32):
        ticket = txl.local_scalar(txl.u32)
        txl.ptx["atom.global.add.u32"](ticket, out.ptr_to([0]), 1)
        twice = ticket + ticket
        with txl.If(txl.thread_id() == 31), txl.Then():
            txl.ptx.st.global_.u32(out.ptr_to([1]), twice)

    assert run(k, 2)[0] == 32


# --- Control flow ------------------------------------------------------------------


def test_branches():
    @txl.kernel(warps=1)
    def k(out: I32):
        t = txl.thread_id()
        r = txl.local_scalar(txl.i32, init=-1)
        with txl.If(t < 8):
            with txl.Then():
                with txl.If(t % 2 == 0):
                    with txl.Then():
                        txl.assign(r, t)
                    with txl.Else():
                        txl.assign(r, 100 + t)
            with txl.Else():
                txl.assign(r, 1000)
        txl.ptx.st.global_.s32(out.ptr_to([t]), r)

    want = [(t if t % 2 == 0 else 100 + t) if t < 8 else 1000 for t in range(32)]
    assert run(k, 32).tolist() == want


def test_while_evaluates_its_condition_each_round():
    @txl.kernel(warps=1)
    def k(out: I32):
        t = txl.thread_id()
        n = txl.local_scalar(txl.i32, init=t + 1)
        steps = txl.local_scalar(txl.i32, init=0)
        with txl.While(n != 1):
            txl.assign(n, txl.Select(n % 2 == 0, n // 2, 3 * n + 1))
            txl.assign(steps, steps + 1)
        txl.ptx.st.global_.s32(out.ptr_to([t]), steps)

    def collatz(n):
        steps = 0
        while n != 1:
            n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        return steps

    assert run(k, 32).tolist() == [collatz(t + 1) for t in range(32)]


@pytest.mark.parametrize("unroll", [None, 4, True])
def test_serial_with_every_kind_of_bound(unroll):
    @txl.kernel(warps=1)
    def k(out: I32):
        t = txl.thread_id()
        total = txl.local_scalar(txl.i32, init=0)
        for i in txl.serial(t, 40, 3, unroll=unroll):
            txl.assign(total, total + i)
        with txl.serial(4, unroll=unroll) as j:
            txl.assign(total, total * 2 + j)
        txl.ptx.st.global_.s32(out.ptr_to([t]), total)

    def want(t):
        total = sum(range(t, 40, 3))
        for j in range(4):
            total = total * 2 + j
        return total

    assert run(k, 32).tolist() == [want(t) for t in range(32)]
    assert "scf.for" in k.func


@pytest.mark.parametrize("loop", ["serial", "while"])
def test_break_skips_what_follows_it(loop):
    @txl.kernel(warps=1)
    def k(out: I32):
        t = txl.thread_id()
        found = txl.local_scalar(txl.i32, init=-1)
        after = txl.local_scalar(txl.i32, init=0)

        def body(i):
            with txl.If(i * i > t), txl.Then():
                with txl.If(i >= 2), txl.Then():
                    txl.assign(found, i)
                    txl.Break()
                txl.assign(after, after + 100)
            txl.assign(after, after + 1)

        if loop == "serial":
            for i in txl.serial(10):
                body(i)
        else:
            i = txl.local_scalar(txl.i32, init=0)
            with txl.While(i < 10):
                body(i)
                txl.assign(i, i + 1)
        txl.ptx.st.global_.s32(out.ptr_to([t]), found)
        txl.ptx.st.global_.s32(out.ptr_to([32 + t]), after)

    def want(t):
        after = 0
        for i in range(10):
            if i * i > t:
                if i >= 2:
                    return i, after
                after += 100
            after += 1
        return -1, after

    pairs = [want(t) for t in range(32)]
    assert run(k, 64).tolist() == [p[0] for p in pairs] + [p[1] for p in pairs]


def test_return_ends_the_kernel_for_those_who_reach_it():
    @txl.kernel(warps=1)
    def k(out: I32):
        t = txl.thread_id()
        with txl.If(t >= 5), txl.Then():
            txl.Return()
        txl.ptx.st.global_.s32(out.ptr_to([t]), t + 1)

    assert run(k, 32).tolist() == [t + 1 for t in range(5)] + [0] * 27


def test_predicated_instruction_keeps_the_old_value():
    @txl.kernel(warps=1)
    def k(out: I32):
        t = txl.thread_id()
        r = txl.local_scalar(txl.i32, init=7)
        txl.ptx.add.s32(r, t, 100, pred=t < 3)
        txl.ptx.st.global_.s32(out.ptr_to([t]), r)

    assert run(k, 32).tolist() == [100, 101, 102] + [7] * 29


# --- Memory ------------------------------------------------------------------------


@pytest.mark.parametrize("swizzle", ["SWNONE", "SW32B", "SW64B", "SW128B"])
def test_a_swizzled_tile_gives_back_what_was_put_in(swizzle):
    """Each thread writes a row, and reads a column back."""
    rows, columns = 32, getattr(txl, swizzle).width // 2 or 16

    @txl.kernel(warps=1)
    def k(out: txl.gptr[txl.u16, (columns, rows)]):
        t = txl.thread_id()
        tile = txl.smem_pool().alloc((rows, columns), "uint16", swizzle=getattr(txl, swizzle))
        for c in range(columns):
            txl.ptx.st.shared.u16(tile.ptr_to(t, c), txl.cast(t * columns + c, "uint16"))
        txl.cuda.cta_sync()
        for c in range(columns):
            value = txl.local_scalar("uint16")
            txl.ptx.ld.shared.u16(value, tile.ptr_to(t, c))
            txl.ptx.st.global_.u16(out.ptr_to([c, t]), value)

    out = np.zeros((columns, rows), np.uint16)
    k.simulate(out)
    assert (out == np.arange(rows * columns, dtype=np.uint16).reshape(rows, columns).T).all()


def test_vectors_and_local_arrays():
    @txl.kernel(warps=1)
    def k(a: txl.gptr[txl.f32, (32, 4)], out: txl.gptr[txl.f32, (32, 4)]):
        t = txl.thread_id()
        r = txl.alloc_local([4], "float32")
        txl.ptx.ld.global_.v4.f32(r, a.ptr_to([t, 0]))
        for i in range(4):
            r[i] = r[i] * float(i + 1)
        txl.ptx.st.global_.v4.f32(out.ptr_to([t, 0]), *r)

    a = np.random.default_rng(1).standard_normal((32, 4), dtype=np.float32)
    out = np.zeros_like(a)
    k.simulate(a, out)
    assert (out == a * np.arange(1, 5, dtype=np.float32)).all()


def test_launches_follow_the_parameters():
    @txl.kernel(warps=2, grid=lambda p: (p["n"] + 63) // 64)
    def k(out: I32, n: txl.i32):
        i = txl.cta_id() * 64 + txl.thread_id()
        with txl.If(i < n), txl.Then():
            txl.ptx.st.global_.s32(out.ptr_to([i]), i)

    for n in (1, 64, 65, 200):
        out = np.full(n, -1, np.int32)
        assert k.simulate(out, n)["counters"]["ctas"] == (n + 63) // 64
        assert out.tolist() == list(range(n))


def test_a_saved_kernel_runs_in_the_simulator(tmp_path):
    import pathlib
    import subprocess

    @txl.kernel(warps=1)
    def k(a: txl.gptr[txl.f32, (32,)], out: txl.gptr[txl.f32, (32,)], scale: txl.f32):
        t = txl.thread_id()
        x = txl.local_scalar(txl.f32)
        txl.ptx.ld.global_.f32(x, a.ptr_to([t]))
        txl.ptx.st.global_.f32(out.ptr_to([t]), x * scale)

    a = np.arange(32, dtype=np.float32)
    launch = k.save(tmp_path, a, np.zeros_like(a), 2.5)
    root = pathlib.Path(__file__).resolve().parents[2]
    done = subprocess.run([root / "build/release/bin/tirx-run", str(launch)], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr + done.stdout
