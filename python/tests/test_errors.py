# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each mistake is one message at the line that made it."""

import numpy as np
import pytest

import tirx.lite as txl

PTR = txl.gptr(txl.f32)


def body_if(p, t, x):
    if t < 3:
        pass


def body_range(p, t, x):
    for _ in range(t):
        pass


def body_count(p, t, x):
    txl.ptx.add.f32(x, x)


def body_type(p, t, x):
    txl.ptx.add.f32(x, x, txl.local_scalar(txl.f64))


def body_modifier(p, t, x):
    txl.ptx.ld.globl.f32(x, p.ptr_to([t]))


def body_destination(p, t, x):
    txl.ptx.add.f32(x + 1.0, x, x)


def body_index(p, t, x):
    txl.alloc_local([4], "float32")[4]


def body_slice_of_float(p, t, x):
    p.ptr_to([x])


def body_divide(p, t, x):
    t / 2


def body_zero(p, t, x):
    t // 0


def body_literal(p, t, x):
    txl.assign(txl.local_scalar(txl.u8), 300)


def body_else(p, t, x):
    with txl.Else():
        pass


def body_break(p, t, x):
    txl.Break()


def body_swizzle(p, t, x):
    txl.smem_pool().alloc((8, 24), "float16", swizzle=txl.SW128B)


def body_dtype(p, t, x):
    txl.local_scalar("float17")


def body_assign(p, t, x):
    txl.assign(t, 3)


CASES = {
    body_if: "txl.If(c), txl.Then()",
    body_range: "txl.serial(n)",
    body_count: "expected operands (d, a, b), got 2 operands",
    body_type: "operand 'b': expected a value of 32 bits (.f32), got f64 of 64",
    body_modifier: "did you mean '.global'?",
    body_destination: "operand 'd': expected a variable to write",
    body_index: "expected index 0 in 0 to 3, got 4",
    body_slice_of_float: "expected an integer as an offset, got f32",
    body_divide: "expected floats on both sides of /, got i32: write //",
    body_zero: "expected a divisor other than 0",
    body_literal: "expected a value of u8, 0 to 255, got 300",
    body_else: "expected Else inside",
    body_break: "expected txl.Break inside a loop",
    body_swizzle: "no 128B swizzle",
    body_dtype: "expected an element type",
    body_assign: "expected a variable to assign to",
}


@pytest.mark.parametrize("body", CASES, ids=lambda f: f.__name__)
def test_the_message_is_at_the_users_line(body):
    with pytest.raises(txl.TraceError) as caught:

        @txl.kernel(warps=1)
        def k(p: PTR):
            body(p, txl.thread_id(), txl.local_scalar(txl.f32))

    assert CASES[body] in str(caught.value)
    file, line, _ = caught.value.place
    assert file == __file__
    first = body.__code__.co_firstlineno
    assert first < line <= first + 3


def good():
    @txl.kernel(warps=1)
    def k(a: txl.gptr[txl.f32, (4,)], n: txl.i32):
        with txl.If(txl.thread_id() < n), txl.Then():
            txl.ptx.st.global_.f32(a.ptr_to([0]), 1.0)

    return k


@pytest.mark.parametrize(
    "args, error, text",
    [
        ((np.zeros(4, np.float32),), TypeError, "expected 2 arguments (a, n), got 1"),
        ((np.zeros(4, np.float64), 1), TypeError, "argument 'a': expected float32, got float64"),
        ((np.zeros(5, np.float32), 1), ValueError, "expected shape (4,), got (5,)"),
        ((np.zeros(4, np.float32), 1.5), TypeError, "argument 'n': expected an integer"),
        ((np.zeros(4, np.float32), 1 << 40), ValueError, "expected -2147483648 to 2147483647"),
        (("text", 1), TypeError, "argument 'a': expected an array, got str"),
    ],
)
def test_calls(args, error, text):
    with pytest.raises(error) as caught:
        good().simulate(*args)
    assert text in str(caught.value)


def test_a_read_only_array_as_output_is_a_report():
    from tirx.runtime.kernel import SimulationError

    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    with pytest.raises(SimulationError, match="read-only"):
        good().simulate(array, 1)


def test_an_access_out_of_bounds_names_the_python_line():
    from tirx.runtime.kernel import SimulationError

    @txl.kernel(warps=1)
    def k(a: PTR):
        txl.ptx.st.global_.f32(a.ptr_to([txl.thread_id()]), 1.0)  # 32 threads

    with pytest.raises(SimulationError) as caught:
        k.simulate(np.zeros(31, np.float32))
    report = caught.value.reports[0]
    assert report["rule"] == "R42"
    assert report["file"].endswith("test_errors.py")
    with open(__file__) as source:
        assert "# 32 threads" in source.readlines()[report["line"] - 1]


def test_outside_a_kernel():
    with pytest.raises(txl.TraceError, match="inside a function that txl.kernel traces"):
        txl.thread_id()
