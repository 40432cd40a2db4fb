#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs and expected results of the example kernels.

  reference.py expect             writes the files that the launch files here name
  reference.py prepare FOLDER KERNEL   writes a launch with random normal inputs
  reference.py error FOLDER       compares its result with float64
"""

import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ABSOLUTE, RELATIVE = 1e-2, 2e-2  # of the seed program's own comparison


def random_integers(count: int, seed: int, low: int, high: int) -> np.ndarray:
    """The `random` buffers of launch files: floor(low + u (high - low)), where u
    has the top 24 of the 40 upper bits of splitmix64(seed + i)."""
    with np.errstate(over="ignore"):
        z = np.arange(count, dtype=np.uint64) + np.uint64(seed)
        z = z + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    unit = (z >> np.uint64(40)).astype(np.float64) * 2.0**-24
    return np.floor(low + unit * (high - low))


def write_expected() -> None:
    """D = A B^T of every launch file here whose D is compared with a file."""
    for path in sorted(HERE.rglob("*.json")):
        launch = json.loads(path.read_text())
        buffers = launch["buffers"]
        if "expect" not in buffers.get("D", {}):
            continue
        inputs = []
        for name in "AB":
            spec = buffers[name]["random"]
            shape = buffers[name]["shape"]
            values = random_integers(int(np.prod(shape)), spec["seed"], spec["low"], spec["high"])
            inputs.append(values.reshape(shape))
        dtype = {"f16": np.float16, "f32": np.float32}[buffers["D"]["dtype"]]
        product = (inputs[0] @ inputs[1].T).astype(dtype)
        np.save(path.parent / buffers["D"]["expect"], product)


def prepare(folder: pathlib.Path, kernel: pathlib.Path) -> None:
    """A launch file with normal inputs beside the PTX that was compiled from
    `kernel`; the shapes are those of the example's own launch file."""
    launch = json.loads((HERE / f"{kernel.stem}.json").read_text())
    rng = np.random.default_rng(0)
    for name in "AB":
        shape = launch["buffers"][name]["shape"]
        np.save(folder / f"{name}.npy", rng.standard_normal(shape).astype(np.float16))
        launch["buffers"][name] = {"dtype": "f16", "shape": shape, "file": f"{name}.npy"}
    launch["buffers"]["D"].pop("expect")
    launch["buffers"]["D"]["out"] = "D.npy"
    launch["kernel"] = f"{kernel.stem}.ptx"
    (folder / "launch.json").write_text(json.dumps(launch, indent=1))


def report_error(folder: pathlib.Path) -> int:
    """Prints the largest error against float64 and PASS or FAIL."""
    a, b, d = (np.load(folder / f"{name}.npy").astype(np.float64) for name in "ABD")
    exact = a @ b.T
    error = np.abs(d - exact)
    passed = bool((error <= ABSOLUTE + RELATIVE * np.abs(exact)).all())
    print(f"largest error against float64: {error.max():.6f}")
    print("PASS" if passed else "FAIL")
    return 0 if passed else 1


def main(arguments: list) -> int:
    if arguments[:1] == ["expect"]:
        write_expected()
        return 0
    if len(arguments) == 3 and arguments[0] == "prepare":
        prepare(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]))
        return 0
    if len(arguments) == 2 and arguments[0] == "error":
        return report_error(pathlib.Path(arguments[1]))
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
