# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random legal programs of mbarrier operations by several warps, against a model of the
PTX ISA's words; and illegal ones, which must be reported."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

from ptx_run import run

WARPS, STEPS, BARRIERS = 3, 120, 2
MOST_BYTES = (1 << 20) - 1


@dataclasses.dataclass
class Barrier:
    expected: int
    pending: int = 0
    bytes: int = 0
    phase: int = 0

    def __post_init__(self) -> None:
        self.pending = self.expected

    def arrive(self, count: int, drop: bool = False) -> None:
        self.pending -= count
        self.expected -= count if drop else 0
        self.settle()

    def count_bytes(self, change: int) -> None:
        self.bytes += change
        self.settle()

    def settle(self) -> None:
        if self.pending == 0 and self.bytes == 0:
            self.phase += 1
            self.pending = self.expected


class Program:
    """Each step is executed by one thread; a barrier of the CTA stands between steps.
    A step may leave a word, which the model knows."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.words: list[int] = []
        self.barriers = [Barrier(self.rng.randint(2, 9)) for _ in range(BARRIERS)]
        self.phases: list[dict[str, int]] = [{} for _ in range(BARRIERS)]  # of states that threads have kept
        for n, barrier in enumerate(self.barriers):
            self.by(0, f"mbarrier.init.shared::cta.b64 [s+{8 * n}], {barrier.expected};")
        for _ in range(STEPS):
            self.step()

    def by(self, warp: int, text: str) -> None:
        number = len(self.lines)
        self.lines.append(f"setp.ne.u32 %p, %tid0, {32 * warp}; @%p bra S{number};\n{text}\nS{number}: bar.sync 0;")

    def keep(self, warp: int, text: str, word: int) -> None:
        """`text` leaves its result in %r."""
        self.by(warp, f"{text} st.global.u32 [%out+{4 * len(self.words)}], %r;")
        self.words.append(word)

    def step(self) -> None:
        rng, n = self.rng, self.rng.randrange(BARRIERS)
        b, at, warp = self.barriers[n], f"[s+{8 * n}]", rng.randrange(WARPS)
        legal = ["expect", "look", "look"]
        if b.pending:
            legal += ["arrive", "arrive", "arrive_expect", "drop"]
        if b.bytes:
            legal += ["complete", "complete"]
        kind = rng.choice(legal)
        if kind == "expect":
            amount = rng.randint(1, 4096)
            b.count_bytes(amount)
            self.by(warp, f"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 {at}, {amount};")
        elif kind == "complete":
            amount = b.bytes if rng.random() < 0.6 else rng.randint(1, b.bytes)
            b.count_bytes(-amount)
            self.by(warp, f"mbarrier.complete_tx.relaxed.cta.shared::cta.b64 {at}, {amount};")
        elif kind == "arrive":
            count, before, phase = rng.randint(1, b.pending), b.pending, b.phase
            b.arrive(count)
            state = f"%state{n}_{warp}"
            self.phases[n][state] = phase
            self.keep(warp, f"mbarrier.arrive.shared::cta.b64 {state}, {at}, {count};"
                            f" mbarrier.pending_count.b64 %r, {state};", before)
        elif kind == "arrive_expect":
            amount = rng.randint(0, 512)
            b.bytes += amount
            b.arrive(1)
            self.by(warp, f"mbarrier.arrive.expect_tx.shared::cta.b64 _, {at}, {amount};")
        elif kind == "drop" and b.expected > 1:
            b.arrive(1, drop=True)
            self.by(warp, f"mbarrier.arrive_drop.shared::cta.b64 _, {at};")
        else:
            self.look(warp, n, b, at)

    def look(self, warp: int, n: int, b: Barrier, at: str) -> None:
        states = [s for s, phase in self.phases[n].items() if s.endswith(f"_{warp}") and phase >= b.phase - 1]
        if states and self.rng.random() < 0.5:
            done = self.phases[n][states[0]] != b.phase
            test = f"mbarrier.test_wait.shared::cta.b64 %p, {at}, {states[0]};"
        else:
            parity = self.rng.randint(0, 1)
            done = b.phase % 2 != parity
            which = "try_wait" if done and self.rng.random() < 0.5 else "test_wait"
            test = f"mbarrier.{which}.parity.shared::cta.b64 %p, {at}, {parity};"
        self.keep(warp, f"{test} selp.u32 %r, 1, 0, %p;", int(done))

    def text(self) -> str:
        states = ", ".join(f"%state{n}_{w}" for n in range(BARRIERS) for w in range(WARPS))
        return entry(f".reg .b64 {states};\n" + "\n".join(self.lines), 8 * BARRIERS)


def entry(body: str, shared: int = 16) -> str:
    return f""".visible .entry k(.param .u64 out) {{
.reg .pred %p; .reg .b32 %r, %tid0; .reg .b64 %out, %w;
.shared .align 8 .b8 s[{shared}];
ld.param.u64 %out, [out]; mov.u32 %tid0, %tid.x;
{body}
ret;
}}
"""


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed, tmp_path):
    program = Program(seed)
    status, said, got = run(tmp_path, program.text(), [], max(len(program.words), 1), 32 * WARPS, dtype=np.uint32)
    assert status == 0, said
    assert got[:len(program.words)].tolist() == program.words


INIT = "mbarrier.init.shared::cta.b64 [s], 2;\n"
MISUSE = {
    "too many arrivals": (INIT + "mbarrier.arrive.shared::cta.b64 _, [s], 3;", "[R31]"),
    "too many bytes": (INIT + f"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s], {MOST_BYTES};\n"
                       "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s], 1;", "[R32]"),
    "initialised twice": (INIT + INIT, "[R33]"),
    "written over": (INIT + "st.shared.u32 [s+4], 0;", "[R33]"),
    "no mbarrier there": ("mbarrier.arrive.shared::cta.b64 _, [s+8];", "expected an initialised mbarrier at"),
    "gone": (INIT + "mbarrier.inval.shared::cta.b64 [s];\nmbarrier.arrive.shared::cta.b64 _, [s];", "expected an initialised mbarrier at"),
    "count of zero": ("mbarrier.init.shared::cta.b64 [s], 0;", "expected"),
    "misaligned": ("mbarrier.init.shared::cta.b64 [s+4], 1;", "multiple of 8"),
    "nobody comes": (INIT + "L: mbarrier.try_wait.parity.shared::cta.b64 %p, [s], 0; @!%p bra L;", "waits for parity 0 of mbarrier 0x400"),
}


@pytest.mark.parametrize("name", MISUSE)
def test_misuse_is_reported(name, tmp_path):
    body, report = MISUSE[name]
    status, said, _ = run(tmp_path, entry(body), [], 1, 1, dtype=np.uint32)
    assert status == 1 and report in said and "k.ptx:" in said, said
