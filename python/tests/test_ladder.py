# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps of examples/ladder: right in every mode at every size."""

import importlib
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/ladder"))

import run as ladder  # noqa: E402

CASES = [(name, size) for name in ladder.steps()
         for size in importlib.import_module(name).SIZES]


def test_all_steps_are_found():
    assert len(ladder.steps()) >= 7 and "run" not in ladder.steps()


@pytest.mark.parametrize("name,size", CASES, ids=lambda value: str(value).replace(", ", "x"))
def test_step(name, size):
    kernel = importlib.import_module(name).build(*size)
    for mode in ladder.MODES:
        exact, _ = ladder.check(kernel, size, mode)
        assert exact, mode


@pytest.mark.parametrize("name", ladder.steps())
def test_step_under_many_schedules(name):
    """Asynchronous work may take effect at any time; no byte is read before it is written."""
    size = importlib.import_module(name).SIZES[-1]
    kernel = importlib.import_module(name).build(*size)
    for seed in range(5):
        exact, _ = ladder.check(kernel, size, "random", seed=seed, uninit="error")
        assert exact, seed
