# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions that a user registers: verifier, emission and simulator follow."""

import numpy as np
import pytest

import tirx.lite as txl

F32, I32 = txl.gptr(txl.f32), txl.gptr(txl.i32)


@pytest.fixture(autouse=True)
def forget():
    """Each test registers its own."""
    from tirx.lite import registration

    before = dict(registration._REGISTRY)
    yield
    registration._REGISTRY.clear()
    registration._REGISTRY.update(before)


def test_add_f32_of_the_table():
    @txl.instruction("add.f32", txl.out("d", txl.f32), txl.in_("a", txl.f32), txl.in_("b", txl.f32))
    def add(a, b):
        return a + b

    @txl.kernel(warps=1)
    def k(a: F32, out: F32):
        t = txl.thread_id()
        x = txl.local_scalar(txl.f32)
        txl.ptx.ld.global_.f32(x, a.ptr_to([t]))
        txl.ptx.add.f32(x, x, x)
        txl.ptx.st.global_.f32(out.ptr_to([t]), x)

    values, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    k.simulate(values, out)
    assert np.array_equal(out, values * 2)
    assert 'tirx.instruction @add_f32 "add.f32"' in k.func
    assert "add.f32 " in k.source() or "add.rn.f32 " in k.source()


def fused():
    @txl.instruction("acme.fma3", txl.out("d", txl.f32), txl.in_("a", txl.f32),
                     txl.in_("b", txl.f32), txl.in_("c", txl.f32),
                     modifiers={"how": ("plus", "minus"), "type": ("f32",), "relu": ("relu", "")},
                     text="{ .reg .f32 t; mul.rn.f32 t, {a}, {b}; add.rn.f32 {d}, t, {c}; }")
    def fma3(a, b, c, how, type, relu):
        total = a * b + c if how == "plus" else a * b - c
        return txl.max(total, 0.0) if relu else total


def test_a_fused_one_with_modifiers_in_any_order():
    @txl.instruction("acme.fma3", txl.out("d", txl.f32), txl.in_("a", txl.f32),
                     txl.in_("b", txl.f32), txl.in_("c", txl.f32),
                     modifiers={"how": ("plus", "minus"), "type": ("f32",), "relu": ("relu", "")})
    def fma3(a, b, c, how, type, relu):
        """a * b + c, or - c."""
        total = a * b + c if how == "plus" else a * b - c
        return txl.max(total, 0.0) if relu else total

    @txl.kernel(warps=1)
    def k(a: F32, out: F32):
        t = txl.thread_id()
        x, y, z = (txl.local_scalar(txl.f32) for _ in range(3))
        txl.ptx.ld.global_.f32(x, a.ptr_to([t]))
        txl.ptx.acme.fma3.plus.f32(y, x, 3.0, 1.0)
        txl.ptx["acme.fma3.f32.relu.minus"](z, x, 2.0, 20.0)
        txl.ptx.st.global_.f32(out.ptr_to([t]), y)
        txl.ptx.st.global_.f32(out.ptr_to([t + 32]), z)

    values, out = np.arange(32, dtype=np.float32), np.zeros(64, np.float32)
    k.simulate(values, out)
    assert np.array_equal(out, np.concatenate([values * 3 + 1, np.maximum(values * 2 - 20, 0)]))
    assert k.func.count("tirx.instruction") == 2
    assert "acme.fma3.minus.f32.relu " in k.source()
    assert fma3.__doc__ == "a * b + c, or - c."


def test_a_text_of_known_ptx_runs_as_that():
    fused()

    @txl.kernel(warps=1)
    def k(out: F32):
        t = txl.thread_id()
        x = txl.local_scalar(txl.f32, init=txl.f32(t))
        txl.ptx.acme.fma3.plus.f32(x, x, x, 1.0)
        txl.ptx.st.global_.f32(out.ptr_to([t]), x)

    out = np.zeros(32, np.float32)
    k.simulate(out)
    assert np.array_equal(out, np.arange(32, dtype=np.float32) ** 2 + 1)
    assert "mul.rn.f32" in k.source() and "acme" not in k.source()


def test_several_registers_and_both_ways():
    @txl.instruction("acme.swap.v2.b32", txl.out("s", txl.i32), txl.inout("d", txl.i32, 2))
    def swap(d):
        return d[0] + d[1], [d[1], d[0]]

    @txl.kernel(warps=1)
    def k(out: I32):
        t = txl.thread_id()
        total = txl.local_scalar(txl.i32)
        r = txl.alloc_local([2], "int32")
        r[0], r[1] = t, t * 10
        txl.ptx.acme.swap.v2.b32(total, r[0], r[1], pred=t < 16)
        for n, value in enumerate((r[0], r[1])):
            txl.ptx.st.global_.s32(out.ptr_to([t * 2 + n]), value)

    out = np.zeros(64, np.int32)
    k.simulate(out)
    assert out.reshape(32, 2).tolist() == [[t * 10, t] if t < 16 else [t, t * 10] for t in range(32)]


def test_effects_on_memory():
    @txl.instruction("acme.bump.global.u32", txl.out("d", txl.u32),
                     txl.pointer("p", "global", txl.u32), txl.imm("n", txl.u32),
                     effects=[txl.reads("p", 4), txl.writes("p", 4)])
    def bump(p, n):
        old = txl.load(p)
        txl.store(p, old + n)
        return old

    @txl.kernel(warps=1)
    def k(a: txl.gptr(txl.u32), out: txl.gptr(txl.u32)):
        t = txl.thread_id()
        old = txl.local_scalar(txl.u32)
        for _ in range(3):
            txl.ptx.acme.bump.global_.u32(old, a.ptr_to([t]), 5)
        txl.ptx.st.global_.u32(out.ptr_to([t]), old)

    values, out = np.arange(32, dtype=np.uint32), np.zeros(32, np.uint32)
    k.simulate(values, out)
    assert values.tolist() == [t + 15 for t in range(32)]
    assert out.tolist() == [t + 10 for t in range(32)]


def body_modifier(x):
    txl.ptx.acme.fma3.times.f32(x, x, x, x)


def body_missing(x):
    txl.ptx.acme.fma3.f32(x, x, x, x)


def body_count(x):
    txl.ptx.acme.fma3.plus.f32(x, x, x)


def body_type(x):
    txl.ptx.acme.fma3.plus.f32(x, x, x, txl.local_scalar(txl.f64))


def body_written(x):
    txl.ptx.acme.fma3.plus.f32(x + 1.0, x, x, x)


@pytest.mark.parametrize("body, text", [
    (body_modifier, "expected a modifier of 'acme.fma3', one of f32, minus, plus, relu, got 'times'"),
    (body_missing, "expected one of plus, minus in 'acme.fma3', got none"),
    (body_count, "expected operands (d, a, b, c), got 3 operands"),
    (body_type, "operand 'c': expected a value of 32 bits"),
    (body_written, "operand 'd': expected a variable to write"),
])
def test_wrong_uses(body, text):
    fused()
    with pytest.raises(txl.TraceError) as caught:

        @txl.kernel(warps=1)
        def k(out: F32):
            body(txl.local_scalar(txl.f32))

    assert text in str(caught.value)
    assert caught.value.place[:2] == (__file__, body.__code__.co_firstlineno + 1)


D, A = txl.out("d", txl.f32), txl.in_("a", txl.f32)


@pytest.mark.parametrize("make, text", [
    (lambda: txl.instruction("3x"), "expected a PTX opcode"),
    (lambda: txl.instruction("acme.x", D, D), "expected different names"),
    (lambda: txl.instruction("acme.x", "d"), "expected operands made by out"),
    (lambda: txl.instruction("acme.x", A, effects=[txl.reads("a", 4)]), "expected effects on pointers"),
    (lambda: txl.reads("p", 0), "expected at least one byte"),
    (lambda: txl.writes("p", 4, "asinc"), "expected a proxy of"),
    (lambda: txl.pointer("p", "globl"), "expected a space of"),
    (lambda: txl.in_("a b", txl.f32), "expected the name of an operand"),
    (lambda: txl.in_("a", txl.f32, 0), "expected 1 to 128 lanes"),
    (lambda: txl.unregister("acme.none"), "expected a registered instruction"),
])
def test_wrong_registrations(make, text):
    with pytest.raises(txl.TraceError, match=text) as caught:
        make()
    assert caught.value.place[0] == __file__


@pytest.mark.parametrize("meaning, text", [
    (lambda a: None, "expected the meaning to return 1 values"),
    (lambda a: (a, a), "expected the meaning to return 1 values"),
    (lambda a: a and a, "no truth while it is traced"),
])
def test_wrong_meanings(meaning, text):
    txl.instruction("acme.wrong", D, A)(meaning)
    with pytest.raises(txl.TraceError, match=text) as caught:

        @txl.kernel(warps=1)
        def k(out: F32):
            x = txl.local_scalar(txl.f32)
            txl.ptx.acme.wrong(x, x)

    assert caught.value.place[0] == __file__


def test_the_verifier_names_the_meanings_line():
    @txl.instruction("acme.lane", txl.out("d", txl.i32))
    def lane():
        return txl.lane_id() + 1  # more than scalars

    @txl.kernel(warps=1)
    def k(out: I32):
        x = txl.local_scalar(txl.i32)
        txl.ptx.acme.lane(x)

    with pytest.raises(txl.CompileError) as caught:
        k.source()
    with open(__file__) as source:
        line = next(n for n, text in enumerate(source, 1) if "# more than scalars" in text)
    places = [(d["file"], d["line"]) for d in caught.value.diagnostics]
    assert (__file__, line) in places, caught.value
