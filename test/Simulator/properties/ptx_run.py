# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs PTX text on the simulator."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
BIN = pathlib.Path(os.environ.get("TIRX_BIN", ROOT / "build" / os.environ.get("TIRX_PRESET", "release") / "bin"))

HEADER = ".version 8.8\n.target sm_90\n.address_size 64\n"


def run(folder: pathlib.Path, text: str, arrays: list[np.ndarray], out_words: int, block: int, grid: int = 1,
        dtype=np.uint64) -> tuple[int, str, np.ndarray | None]:
    """Exit status, what was said, and the last argument: `out_words` elements."""
    (folder / "k.ptx").write_text(HEADER + text)
    buffers, names = {}, {"uint32": "u32", "uint64": "u64"}
    for n, array in enumerate(arrays):
        np.save(folder / f"in{n}.npy", array)
        buffers[f"in{n}"] = {"dtype": names[array.dtype.name], "shape": list(array.shape), "file": f"in{n}.npy"}
    buffers["out"] = {"dtype": names[np.dtype(dtype).name], "shape": [out_words], "fill": 0, "out": "out.npy"}
    launch = {"kernel": "k.ptx", "grid": [grid, 1, 1], "block": [block, 1, 1], "buffers": buffers,
              "args": [{"buffer": name} for name in buffers]}
    (folder / "launch.json").write_text(json.dumps(launch))
    done = subprocess.run([str(BIN / "tirx-run"), str(folder / "launch.json")], capture_output=True, text=True, timeout=120)
    out = folder / "out.npy"
    return done.returncode, done.stdout + done.stderr, np.load(out) if out.exists() else None
