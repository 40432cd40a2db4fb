# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes operands, the exact product and a launch file for examples/pipeline/gemm.ptx, and its
twin broken.ptx, which waits for one group less: wgmma_gemm.py PTX FOLDER"""

import array
import json
import operator
import pathlib
import random
import sys

ptx, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
M, N, K = 64, 256, 320
rng = random.Random(1)
a, b = ([[rng.randrange(-8, 9) for _ in range(K)] for _ in range(rows)] for rows in (M, N))
for name, matrix in (("a", a), ("b", b)):
    bits = array.array("I", array.array("f", sum(matrix, [])).tobytes())
    (folder / name).write_bytes(array.array("H", [word >> 16 for word in bits]).tobytes())
(folder / "c").write_bytes(array.array(
    "f", [sum(map(operator.mul, row, column)) for row in a for column in b]).tobytes())
text = ptx.read_text()
(folder / "gemm.ptx").write_text(text)
good, bad = "wgmma.wait_group.sync.aligned 1;", "wgmma.wait_group.sync.aligned 2;"
assert text.count(good) == 1
(folder / "broken.ptx").write_text(text.replace(good, bad))
(folder / "launch.json").write_text(json.dumps({
    "kernel": "gemm.ptx", "grid": [N // 256, M // 64, 1], "block": [128, 1, 1],
    "shared": 81920,
    "buffers": {"A": {"dtype": "bf16", "shape": [M, K], "file": "a"},
                "B": {"dtype": "bf16", "shape": [N, K], "file": "b"},
                "C": {"dtype": "f32", "shape": [M, N], "expect": "c"}},
    "args": [{"buffer": "A"}, {"buffer": "B"}, {"buffer": "C"}, {"i32": N}, {"i32": K}]}))
