# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs, many in one module, and makes those that differ small."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import pathlib
import subprocess
import tempfile

import generate
from generate import Node, Program

TIMEOUT = 300


@dataclasses.dataclass
class Outcome:
    """What became of each program: "" or how it differs; and a hash of its results."""

    differences: list[str]
    hashes: list[str]
    largest: float = 0.0


def run(programs: list[Program], tirx_run: pathlib.Path, on: str, *options: str) -> Outcome:
    """Raises RuntimeError when a program does not run. The GPU runs code as it is
    written: optimised code folds `max a, a` into a copy, which keeps a NaN's payload."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "k.ptx").write_text(generate.emit_module(programs))
        (folder / "in.bin").write_bytes(generate.input_data())
        launch = generate.launch_file(programs, "k.ptx", "in.bin")
        for i in range(len(programs)):
            launch["buffers"][f"k{i}"]["out"] = f"k{i}.bin"
        (folder / "launch.json").write_text(json.dumps(launch))
        done = subprocess.run([tirx_run, folder / "launch.json", f"--on={on}", "--json",
                               "--gpu-opt=0", *options], capture_output=True, text=True, timeout=TIMEOUT)  # fmt: skip
        try:
            result = json.loads(done.stdout)
        except json.JSONDecodeError:
            raise RuntimeError(f"tirx-run: status {done.returncode}: {done.stderr[-2000:]}") from None
        if result["status"] == 2 or result.get("reports"):
            raise RuntimeError(result.get("error") or result["reports"][0]["message"])
        outcome = Outcome([], [])
        for i in range(len(programs)):
            buffer = result.get("differences", {}).get(f"k{i}", {"mismatches": 0})
            words = buffer["mismatches"]
            outcome.differences.append(
                f"{words} words differ, the first at {buffer['first']}: {buffer['got_bits']} "
                f"on the simulator, {buffer['want_bits']} on the GPU" if words else "")
            if words:
                outcome.largest = max(outcome.largest, buffer["max_abs"])
            data = (folder / f"k{i}.bin").read_bytes()
            outcome.hashes.append(hashlib.sha256(data).hexdigest()[:16])
        return outcome


def without_part(nodes: list[Node]) -> list[list[Node]]:
    """Every list with less in it: a half, one statement, or a block's frame left out."""
    smaller = []
    if len(nodes) > 3:
        half = len(nodes) // 2
        smaller += [nodes[:half], nodes[half:]]
    for i, node in enumerate(nodes):
        smaller.append(nodes[:i] + nodes[i + 1 :])
        if node.kind:
            smaller.append(nodes[:i] + node.body + nodes[i + 1 :])
            for body in without_part(node.body):
                smaller.append(nodes[:i] + [dataclasses.replace(node, body=body)] + nodes[i + 1 :])
    return smaller


def shrink(program: Program, tirx_run: pathlib.Path, rounds: int = 60) -> tuple[Program, str]:
    """The smallest program found that still differs between GPU and simulator, and how. Every
    round tries all that are one step smaller, in one module, and goes on with the
    first that differs."""
    how = ""
    for _ in range(rounds):
        candidates = []
        for body in without_part(program.body)[:120]:
            candidate = copy.copy(program)
            candidate.body = body
            candidates.append(candidate)
        if not candidates:
            break
        outcome = run(candidates, tirx_run, "both")
        failing = [(c, text) for c, text in zip(candidates, outcome.differences) if text]
        if not failing:
            break
        program, how = failing[0]
    return program, how
