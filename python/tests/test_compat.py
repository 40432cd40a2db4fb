# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host-side names of listings written for TVM."""

import numpy as np
import pytest
from tirx import compat as tvm
from tirx import script as T


@T.prim_func
def double(x: T.Buffer((32,), "int32")):
    t = T.thread_id([32])
    x[t] = x[t] * 2


@pytest.mark.parametrize("target,arch", [
    ("cuda", None), ("sm_90a", "sm_90a"), ("cuda -arch=sm_100a", "sm_100a"),
    ({"kind": "cuda", "arch": "sm_80"}, "sm_80")])
def test_targets_name_a_chip(target, arch):
    assert tvm.target.Target(target).arch == arch


def test_what_is_no_target():
    with pytest.raises(ValueError, match="expected 'cuda' or a chip such as 'sm_100a', got 'llvm'"):
        tvm.target.Target("llvm")


def test_with_chooses_the_target_of_what_is_compiled_inside():
    with tvm.target.Target("sm_90a"):
        with tvm.target.Target("sm_100a") as inner:
            assert tvm.target.Target.current() is inner
        compiled = tvm.compile(tvm.IRModule({"main": double}))
    assert tvm.target.Target.current() is None
    assert compiled.mod.target == "sm_90a" and ".target sm_90a" in compiled.mod.source()
    x = np.arange(32, dtype=np.int32)
    compiled.mod(x)
    compiled["main"](x)
    np.testing.assert_array_equal(x, np.arange(32) * 4)


def test_what_is_no_kernel_is_refused():
    with pytest.raises(TypeError, match="IRModule: expected a kernel under 'main', got int"):
        tvm.IRModule({"main": 3})
    with pytest.raises(TypeError, match="compile: expected an IRModule"):
        tvm.compile(tvm.IRModule())
    with pytest.raises(ValueError, match="tir_pipeline: expected 'tirx', got 'default'"):
        tvm.compile(double, tir_pipeline="default")


def test_data_types():
    assert tvm.DataType("float16") is T.float16
