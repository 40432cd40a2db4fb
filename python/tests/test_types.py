# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types that editors and mypy see."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUB = ROOT / "python/tirx/lite/_table.pyi"


def mypy(*files, cwd=ROOT):
    pytest.importorskip("mypy")
    return subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(ROOT / "mypy.ini"),
                           *map(str, files)], cwd=cwd, capture_output=True, text=True)


def test_examples_pass():
    done = mypy(*sorted((ROOT / "examples").glob("seed_*.py")))
    assert done.returncode == 0, done.stdout


def test_a_wrong_modifier_is_found(tmp_path):
    (tmp_path / "k.py").write_text(
        "import tirx.lite as txl\n"
        "txl.ptx.ld.global_.v4.u32(1)\n"
        "txl.ptx.cp.async_.bulk.commit_group()\n"
        "txl.ptx.acme.own.f32(1)\n"
        "txl.ptx.ld.globl.u32(1)\n")
    done = mypy(tmp_path / "k.py")
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(errors) == 1 and "k.py:5" in errors[0] and "globl" in errors[0], done.stdout


def test_the_stub_is_that_of_the_table(tmp_path):
    subprocess.run([sys.executable, str(ROOT / "scripts/generate-stubs"), str(tmp_path / "s.pyi")],
                   check=True)
    assert (tmp_path / "s.pyi").read_text() == STUB.read_text()
    text = STUB.read_text()
    assert "def ld(self) -> _ld:" in text and "shared__cta: _ld" in text
    compile(text, str(STUB), "exec")
