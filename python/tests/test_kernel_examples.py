# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/kernels.py and the page on kernels, as a user runs them."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def example(*arguments):
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    return subprocess.run([sys.executable, str(ROOT / "examples/kernels.py"), *arguments], env=env,
                          capture_output=True, text=True)


def load_example():
    spec = importlib.util.spec_from_file_location("kernels_example", ROOT / "examples/kernels.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("mode", ["eager", "lazy", "random"])
def test_all_pass(mode):
    done = example("--mode", mode)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "PASS" and all(line.endswith("PASS") for line in lines)
    assert [line.split()[0] for line in lines[:-1]] == list(load_example().CASES)


def test_a_wrong_result_fails(monkeypatch, capsys):
    module = load_example()
    kernel, arguments, output, want, tolerance = module.case_vector_add()
    for wrong in (want + 1e-3, np.full_like(want, np.nan)):
        monkeypatch.setitem(module.CASES, "vector_add",
                            lambda: (kernel, arguments, output, wrong, tolerance))
        monkeypatch.setattr(sys, "argv", ["kernels.py", "vector_add"])
        assert module.main() == 1
        assert capsys.readouterr().out.splitlines()[-1] == "FAIL"


def test_an_unknown_kernel_is_named():
    done = example("gemm")
    assert done.returncode == 2
    assert "got 'gemm'" in done.stderr and "gemm_sm90a" in done.stderr


def test_the_page_lists_every_kernel_and_its_block_runs():
    text = (ROOT / "docs/kernels.md").read_text()
    listed = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    modules = {path.stem for path in (ROOT / "python/tirx/kernels").glob("*.py")}
    assert listed == modules - {"__init__", "common"}
    scope = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, scope)
    assert (scope["d"] == 136).all()
