# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`kernel.script()`: a file of its own that parses to the same IR."""

import importlib.util
import itertools
import pathlib
import re
import sys

import numpy as np
import pytest
from tirx import script as T
from tirx.script import tile as Tx

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/ladder"))

import run as ladder  # noqa: E402

_numbers = itertools.count()
SCALE = 3
OFFSETS = [1, (2, 4)]


def load(path):
    name = f"printed_{next(_numbers)}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without_places(kernel):
    text = re.sub(r" loc\(#l\d+\)", "", kernel.func)
    return re.sub(r"#l\d+ = loc.*\n", "", text)


def check_round_trip(kernel, tmp_path):
    path = tmp_path / f"printed_{next(_numbers)}.py"
    text = kernel.script()
    path.write_text(text)
    again = getattr(load(path), kernel.__name__)
    assert without_places(again) == without_places(kernel)
    assert (again.target, again.block, again.cluster) == (
        kernel.target, kernel.block, kernel.cluster)
    assert again.grid_of({}) == kernel.grid_of({})
    assert again.script() == text
    return again


@pytest.mark.parametrize("name", ladder.steps())
def test_steps_of_the_ladder(name, tmp_path):
    module = importlib.import_module(name)
    check_round_trip(module.build(*module.SIZES[-1]), tmp_path)


def test_the_published_listing(tmp_path):
    text = (ROOT / "examples/seed_000_gemm.py").read_text().split("\n\ntarget = ")[0]
    path = tmp_path / "listing.py"
    path.write_text(text)
    check_round_trip(load(path).hgemm_v1(128, 128, 64), tmp_path)


def helper(x, factor=SCALE):
    return x * factor + OFFSETS[1][0]


class Pair:
    def __init__(self, first):
        self.first = first
        self.second = T.local_scalar("int32", 5)

    def total(self):
        self.second += 1
        return helper(self.first) + self.second


def test_functions_classes_and_compile_time_parameters(tmp_path):
    @T.jit(explicit_sync=True)
    def kernel(out: "T.Buffer((n,), 'int32')", k: T.int32, n: T.constexpr):
        t = T.thread_id([n])
        pair = Pair(t)
        regs = T.alloc_local((1,), "int32")
        regs[0] = max(pair.total(), k) + len(OFFSETS)
        Tx.copy(out[t : t + 1], regs[:])

    again = check_round_trip(kernel.specialize(n=64), tmp_path)
    out = np.zeros(64, np.int32)
    again.simulate(out, 20)
    np.testing.assert_array_equal(out, np.maximum(np.arange(64) * 3 + 8, 20) + 2)


def test_what_python_cannot_write_is_named():
    secret = object()

    @T.prim_func
    def kernel(out: T.Buffer((32,), "int32")):
        t = T.thread_id([32])
        if secret is not None:
            out[t] = t

    with pytest.raises(ValueError, match="Python can write for 'secret', got object"):
        kernel.script()
