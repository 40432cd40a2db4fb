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


def body_undefined(p, t, x):
    no_such_name(t)  # noqa: F821


def body_attribute(p, t, x):
    p.ptr_too([t])


def body_slice(p, t, x):
    txl.alloc_local([4], "float32")[1:2]


def body_shared_slice(p, t, x):
    txl.smem_pool().alloc((4, 4), "float32")[0:2, 0]


def body_shared_index(p, t, x):
    txl.smem_pool().alloc((4, 4), "float32").ptr_to(0, 4)


def body_float_index(p, t, x):
    txl.smem_pool().alloc((4, 4), "float32").ptr_to(0, x)


def body_width(p, t, x):
    txl.ptx.ld.shared.b64(x, txl.smem_pool().alloc((4,), "uint64").ptr_to([0]))


def body_modifier_choices(p, t, x):
    txl.ptx["cvt.rn.f32.f33"](x, t)


def body_mnemonic(p, t, x):
    txl.ptx.addd.f32(x, x, x)


def body_read_of_array(p, t, x):
    txl.assign(x, np.zeros(4))


def body_branch_scope(p, t, x):
    with txl.If(t < 3), txl.Then():
        y = txl.local_scalar(txl.f32, init=1.0)
    txl.assign(x, y)


def body_loop_scope(p, t, x):
    with txl.serial(4):
        y = txl.local_scalar(txl.f32, init=1.0)
    txl.assign(y, x)


def body_role_scope(p, t, x):
    with txl.specialize().role("all", warps=[0]):
        y = txl.local_scalar(txl.f32, init=1.0)
    txl.assign(x, y)


def body_roles_overlap(p, t, x):
    roles = txl.specialize()
    roles.role("a", warps=[0]), roles.role("b", warps=[0])


def body_role_warps(p, t, x):
    txl.specialize().role("a", warps=[1])


def body_registers(p, t, x):
    txl.specialize().role("a", warps=[0], regs=300)


def body_registers_step(p, t, x):
    txl.specialize().role("a", warps=[0], regs=41)


def body_committed(p, t, x):
    pool = txl.smem_pool()
    pool.commit()
    pool.alloc((4,), "float32")


def body_swizzle_kind(p, t, x):
    txl.smem_pool().alloc((8, 64), "float16", swizzle="128B")


def body_overflow(p, t, x):
    txl.assign(x, 1 << 2000)


CASES = {
    body_undefined: "name 'no_such_name' is not defined",
    body_attribute: "no attribute 'ptr_too'",
    body_slice: "expected an integer as index 0, got a slice",
    body_shared_slice: "expected an integer as index 0, got a slice",
    body_shared_index: "expected index 1 in 0 to 3, got 4",
    body_float_index: "expected an integer as index 1, got f32",
    body_width: "expected a variable of 64 bits (.b64), got f32 of 32",
    body_modifier_choices: "f33",
    body_mnemonic: "addd",
    body_read_of_array: "expected a number or a value of the kernel, got ndarray",
    body_branch_scope: "expected to be inside the branch, loop or role",
    body_loop_scope: "expected to be inside the branch, loop or role",
    body_role_scope: "expected to be inside the branch, loop or role",
    body_roles_overlap: "warps [0] are those of role 'a', too",
    body_role_warps: "expected warps 0 to 0, got [1]",
    body_registers: "expected a multiple of 8 registers from 24 to 256, got 300",
    body_registers_step: "expected a multiple of 8 registers from 24 to 256, got 41",
    body_committed: "expected a pool that is open, got one committed at",
    body_swizzle_kind: "swizzle: expected SWNONE, SW32B, SW64B or SW128B, got '128B'",
    body_overflow: "int too large",
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
        ((np.zeros(4, np.float32), 1, 2), TypeError, "expected 2 arguments (a, n), got 3"),
        ((np.zeros(4, np.float32), None), TypeError, "argument 'n': expected an integer, got None"),
        ((np.frombuffer(bytearray(20), np.uint8)[1:17].view(np.float32), 1), ValueError,
         "expected an address that is a multiple of 4"),
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


def line_of(text):
    with open(__file__) as source:
        return next(n for n, line in enumerate(source, 1) if f"# {text}" in line)


def test_shared_memory_over_the_targets():
    @txl.kernel(warps=1, arch="sm_90a")
    def k(out: PTR):
        txl.smem_pool().alloc((300 * 1024,), "uint8")  # too large

    with pytest.raises(txl.CompileError, match="expected the pool to fit 232448 bytes") as caught:
        k.source()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic["file"] == __file__ and diagnostic["line"] == line_of("too large")


def test_a_descriptor_that_the_layout_cannot_give():
    @txl.kernel(warps=1, arch="sm_100a")
    def k(out: PTR):
        tile = txl.smem_pool().alloc((128, 64), "float16")  # no swizzle
        txl.idioms.mma_chain("tcgen05.mma.cta_group::1.kind::f16", txl.uint32(0), a=tile, b=tile,
                             idesc=0)  # descriptors

    with pytest.raises(txl.CompileError, match="expected a layout that a tcgen05 descriptor"
                       ) as caught:
        k.source()
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic["file"] == __file__
    assert line_of("no swizzle") < diagnostic["line"] <= line_of("descriptors")


def test_what_has_no_line_of_its_own_is_said_of_the_kernel():
    with pytest.raises(txl.CompileError, match="unknown target 'sm_1'") as caught:
        good().source("ptx", "sm_1")
    assert caught.value.diagnostics[0]["file"] == __file__


def test_options_of_the_simulator():
    with pytest.raises(TypeError, match="got 'modes'"):
        good().simulate(np.zeros(4, np.float32), 1, modes="lazy")
    with pytest.raises(ValueError, match="expected eager, lazy or random, got 'late'"):
        good().simulate(np.zeros(4, np.float32), 1, mode="late")


def test_roles_that_do_not_cover_the_warps():
    with pytest.raises(txl.TraceError, match=r"warps \[1\] have none") as caught:

        @txl.kernel(warps=2)
        def k(out: PTR):
            with txl.specialize().role("a", warps=[0]):  # one of two
                pass

    assert caught.value.place[:2] == (__file__, line_of("one of two"))


def test_registers_over_the_budget():
    with pytest.raises(txl.TraceError, match="expected at most 65536 registers") as caught:

        @txl.kernel(warps=12, min_blocks_per_sm=1)
        def k(out: PTR):
            roles = txl.specialize()  # too many registers
            for n in range(3):
                with roles.role(f"r{n}", warps=range(4 * n, 4 * n + 4), regs=256):
                    pass

    assert caught.value.place[:2] == (__file__, line_of("too many registers"))


def test_an_exception_of_the_users_own_passes():
    with pytest.raises(ZeroDivisionError):

        @txl.kernel(warps=1)
        def k(out: PTR):
            1 // 0
