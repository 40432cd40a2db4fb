# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs on the simulator against what an H200 computed.

test/data/random_programs.json holds a hash of the results of each seed, written by
`scripts/validate-h200 --record`. A changed generator makes other programs: record again.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import generate  # noqa: E402
import run as runner  # noqa: E402

ROOT = HERE.parent.parent
TIRX_RUN = ROOT / "build/release/bin/tirx-run"
RECORDED = json.loads((ROOT / "test/data/random_programs.json").read_text())["programs"]


def test_results_are_those_of_the_hardware():
    seeds = [int(seed) for seed in RECORDED]
    programs = [generate.Program(seed) for seed in seeds]
    outcome = runner.run(programs, TIRX_RUN, "sim")
    wrong = [seed for seed, digest in zip(seeds, outcome.hashes) if RECORDED[str(seed)] != digest]
    assert len(seeds) >= 100
    assert not wrong, f"seeds {wrong[:10]}: other bits than on an H200"


def test_a_program_is_the_same_again_and_smaller_ones_are_legal():
    program = generate.Program(3)
    assert program.emit("k0") == generate.Program(3).emit("k0")
    smaller = []
    for body in runner.without_part(program.body)[:60]:
        small = generate.Program(3)
        small.body = body
        smaller.append(small)
        assert sum(n.size() for n in body) < sum(n.size() for n in program.body)
    outcome = runner.run(smaller, TIRX_RUN, "sim")
    assert len(set(outcome.hashes)) > 1
