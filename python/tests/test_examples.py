# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples run as a user runs them, and are the listings that they claim to be."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTINGS = ["vector_add", "gemm"]


@pytest.mark.parametrize("name", LISTINGS)
def test_runs_without_a_gpu(name):
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([sys.executable, str(ROOT / f"examples/seed_002_{name}.py")], env=env,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "PASS", done.stdout
    assert "runs on the simulator" in done.stderr


@pytest.mark.parametrize("name", LISTINGS)
def test_is_the_published_listing_but_for_the_import(name):
    published = (ROOT / f"test/data/seeds/002_{name}.txt").read_text().splitlines()
    ours = (ROOT / f"examples/seed_002_{name}.py").read_text().splitlines()
    assert published[0] == "import tirx_kernels.tirx_lite as txl"
    assert ours[0] == "import tirx.lite as txl"
    assert ours[1 : len(published)] == published[1:]
    calls = ours[len(published):]
    assert [line for line in calls if line][0] == 'if __name__ == "__main__":'
