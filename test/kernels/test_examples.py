# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example kernels run, and wrong constants in their PTX are noticed."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

from harness import BIN, ROOT, assemble, compile_ptx, run

EXAMPLES = sorted((ROOT / "examples").glob("*.json"))
IDESC_M128_N128 = 0x08200010  # f16 x f16 -> f32, both K-major


@pytest.mark.parametrize("launch", EXAMPLES, ids=lambda p: p.stem)
def test_example(launch: pathlib.Path) -> None:
    done = run(BIN / "tirx-run", launch, "--on=sim", "--json")
    assert json.loads(done.stdout)["status"] == 0


@pytest.mark.parametrize("launch", EXAMPLES, ids=lambda p: p.stem)
@pytest.mark.parametrize("mode", ["eager", "lazy", "random"])
def test_example_computes_the_same_however_late_work_completes(launch, mode) -> None:
    run(BIN / "tirx-run", launch, "--on=sim", f"--async={mode}", "--seed=7")


def compile_example(name: str, folder: pathlib.Path) -> tuple[str, dict]:
    """The PTX of an example and its launch, changed to run `k.ptx` in `folder`."""
    compile_ptx(ROOT / f"examples/{name}.mlir", folder / "k.ptx")
    assemble(folder / "k.ptx")
    launch = json.loads((ROOT / f"examples/{name}.json").read_text())
    launch["kernel"] = "k.ptx"
    for spec in launch["buffers"].values():
        if "expect" in spec:
            spec["expect"] = str(ROOT / "examples" / spec["expect"])
    (folder / "launch.json").write_text(json.dumps(launch))
    return (folder / "k.ptx").read_text(), launch


def mma_constants(ptx: str) -> list[tuple[int, int]]:
    """Positions of the integer literals that the MMAs depend on: those in the
    tcgen05.mma lines, and those of instructions that define its operands. Masks
    are left out: most of their bits meet zeros."""
    lines, found, start = ptx.splitlines(keepends=True), [], 0
    needed = set()
    offsets = []
    for line in lines:
        offsets.append(start)
        start += len(line)
    for index in reversed(range(len(lines))):
        line = lines[index]
        body = re.sub(r"//.*", "", line)
        registers = re.findall(r"%\w+", body)
        is_mma = "tcgen05.mma" in body
        defines = registers[:1] and registers[0] in needed and re.match(
            r"\s*(mov|add|or|shr|shl|cvt|selp|mad|sub|xor)\S*\s", body
        )
        if not is_mma and not defines:
            continue
        needed.update(registers if is_mma else registers[1:])
        operands = body.index(";") if ";" in body else len(body)
        opcode_end = re.match(r"\s*(@!?%\w+\s+)?\S+", body).end()
        for match in re.finditer(r"(?<![\w%.$])-?\d+\b", body[opcode_end:operands]):
            at = offsets[index] + opcode_end
            found.append((at + match.start(), at + match.end()))
    return found


def wrong_value(line: str, value: int) -> int:
    """Another value for a literal: the instruction descriptor gets another N, an
    address moves by one swizzle period (less is cut off by its shift), anything
    else (a descriptor's fields, a step, a shift) by one unit."""
    if value == IDESC_M128_N128:
        return value ^ (1 << 17)
    return value + (1024 if "add" in line and value >= 1024 else 1)


@pytest.mark.parametrize("name", ["hgemm", "hgemm_instructions"])
def test_each_changed_constant_of_the_mma_is_noticed(name, tmp_path) -> None:
    ptx, _ = compile_example(name, tmp_path)
    launch = tmp_path / "launch.json"
    run(BIN / "tirx-run", launch, "--on=sim")
    places = mma_constants(ptx)
    assert len(places) >= 4, "the constants of the descriptors were not found"
    unnoticed = []
    for begin, end in places:
        value = int(ptx[begin:end])
        wrong = wrong_value(ptx[ptx.rindex("\n", 0, begin) : begin], value)
        (tmp_path / "k.ptx").write_text(ptx[:begin] + str(wrong) + ptx[end:])
        done = run(BIN / "tirx-run", launch, "--on=sim", check=False)
        assert done.returncode in (0, 1), done.stderr
        if done.returncode == 0:
            unnoticed.append(f"{ptx[begin:end]} -> {wrong} at {ptx[:begin].count(chr(10)) + 1}")
    assert not unnoticed, unnoticed
