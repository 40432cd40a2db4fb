# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA programs compiled by nvcc, on the simulator, against references."""

import json
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import corpus  # noqa: E402

CASES = corpus.load_cases()
MEASURED = HERE / "h200.json"
HARDWARE = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
RUNS = [(case, variant) for case in CASES for variant in corpus.archive(case.program)
        if case.runs(variant)]


@pytest.mark.parametrize("case, variant", RUNS, ids=[f"{case.id}-{variant}" for case, variant in RUNS])
def test_case(case, variant, tmp_path):
    digests = corpus.run_case(case, variant, tmp_path)
    for name, measured in HARDWARE.get(f"{case.id}-{variant}", {}).items():
        assert digests[name] == measured, f"output {name} has other bits than on an H200"


def test_every_program_has_cases():
    programs = {path.stem for path in (HERE / "programs").glob("*.cu")}
    assert programs == {path.name.split(".")[0] for path in (HERE / "ptx").glob("*.tar.xz")}
    assert programs == {case.program for case in CASES}


def test_no_two_cases_share_a_name():
    names = [case.id for case in CASES]
    assert len(names) == len(set(names))
