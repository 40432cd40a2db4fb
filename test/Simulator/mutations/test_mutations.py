# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct programs are clean in every mode; what shows the broken ones is as documented."""

import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import mutations as m  # noqa: E402

MODES = [["--async=eager"], ["--async=lazy"], *(["--async=random", f"--seed={seed}"] for seed in range(10))]


@pytest.mark.parametrize("program", m.PROGRAMS)
def test_correct_programs_are_clean(program, tmp_path):
    for mode in MODES:
        result = m.run(m.text_of(program), m.PROGRAMS[program](), tmp_path, *mode)
        assert result.outcome == "nothing", (mode, result.text)


@pytest.mark.parametrize("program", [m.ring, m.store])
@pytest.mark.parametrize("tiles", range(4))
def test_few_trips_are_clean(program, tiles, tmp_path):
    for mode in MODES[:4]:
        result = m.run(m.text_of(program.__name__), program(tiles), tmp_path, *mode)
        assert result.outcome == "nothing", (mode, result.text)


@pytest.mark.parametrize("mutation", m.MUTATIONS, ids=lambda mutation: mutation.id)
def test_what_shows_a_mutation(mutation, tmp_path):
    for mode, shown in (("eager", mutation.eager), ("lazy", mutation.lazy)):
        result = m.run(mutation.apply(), m.PROGRAMS[mutation.program](), tmp_path, f"--async={mode}")
        assert result.outcome == shown, (mode, result.text)
    assert mutation.lazy != "nothing"


def test_the_table_of_the_manual_is_this():
    manual = (m.ROOT / "docs/simulator.md").read_text()
    for mutation in m.MUTATIONS:
        row = f"| {mutation.label} | `{mutation.program}` | {mutation.broken_by} | {mutation.eager} | {mutation.lazy} |"
        assert row in manual
    assert manual.count("\n| M") == len(m.MUTATIONS)
