# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random wrong calls never crash the process (see fuzz_calls.py). TIRX_FUZZ_CALLS says
how many of each kind."""

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
CALLS = int(os.environ.get("TIRX_FUZZ_CALLS", "1000"))


@pytest.mark.parametrize("kind", ["trace", "capi"])
def test_wrong_calls_are_answered(kind):
    done = subprocess.run([sys.executable, str(HERE / "fuzz_calls.py"), kind, str(CALLS), "1"],
                          capture_output=True, text=True, env={**os.environ, "TIRX_CACHE": "0"})
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert done.stdout.splitlines()[-1] == f"{CALLS} calls"
