# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code of docs/python.md runs, in order, as a reader would type it."""

import pathlib
import re
import subprocess
import sys

import os

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_every_block_runs(tmp_path):
    text = (ROOT / "docs/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) >= 9
    path = tmp_path / "tutorial.py"
    path.write_text("\n".join(blocks) + "\nprint('end')\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "end"
