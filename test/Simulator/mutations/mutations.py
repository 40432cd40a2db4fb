# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct programs, and each with one thing broken.

A program is PTX and a function that gives its inputs and what it must compute. A mutation
replaces text of it and says what shows it, with --async=eager and with --async=lazy: the
rules that reports and warnings name, or "wrong values" without a report, or "nothing".
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
from typing import Callable

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BIN = pathlib.Path(os.environ.get("TIRX_BIN", ROOT / "build" / os.environ.get("TIRX_PRESET", "release") / "bin"))
DTYPES = {"float16": "f16", "float32": "f32", "uint16": "u16", "uint32": "u32"}


@dataclasses.dataclass
class Setting:
    """A launch of a program: further keys, inputs, and what it computes."""

    launch: dict
    inputs: list[np.ndarray]
    expected: np.ndarray
    scalars: tuple[int, ...] = ()


def words(count: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 2**31, count, dtype=np.uint32)


def ring(tiles: int = 5) -> Setting:
    data = words(8 * 128)
    expected = np.zeros_like(data)
    expected[:tiles * 128] = data[:tiles * 128] + 1
    return Setting({"block": [160, 1, 1]}, [data], expected, (tiles,))


def store(tiles: int = 4) -> Setting:
    return dataclasses.replace(ring(tiles), launch={"block": [128, 1, 1]})


def pairs() -> Setting:
    data = words(128)
    return Setting({"block": [128, 1, 1]}, [data], data.reshape(2, 64)[::-1].ravel(), (1,))


def cluster() -> Setting:
    data = words(256)
    return Setting({"grid": [2, 1, 1], "block": [128, 1, 1], "cluster": [2, 1, 1]}, [data], data, (1,))


def wgmma() -> Setting:
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-8, 9, (rows, 320)) for rows in (64, 256))
    halves = [(m.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for m in (a, b)]
    return Setting({"block": [128, 1, 1], "shared": 81920}, halves, (a @ b.T).astype(np.float32), (256, 320))


def tensor() -> Setting:
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-4, 5, (128, 64)).astype(np.float16) for _ in range(2))
    product = a.astype(np.float32) @ b.astype(np.float32).T
    return Setting({"block": [128, 1, 1], "shared": 33792}, [a, b], product.astype(np.float16))


PROGRAMS: dict[str, Callable[..., Setting]] = {f.__name__: f for f in (ring, store, pairs, cluster, wgmma, tensor)}


def text_of(program: str) -> str:
    return (ROOT / "examples/pipeline/gemm.ptx" if program == "wgmma" else HERE / f"{program}.ptx").read_text()


@dataclasses.dataclass
class Mutation:
    label: str
    program: str
    broken_by: str
    edits: dict[str, str]
    eager: str
    lazy: str

    @property
    def id(self) -> str:
        return f"{self.label}-{self.program}"

    def apply(self) -> str:
        text = text_of(self.program)
        for old, new in self.edits.items():
            assert old in text, f"{self.id}: the program has no {old!r}"
            text = text.replace(old, new)
        return text


ARRIVE = "mbarrier.arrive.expect_tx.shared.b64 %rd4, [%r7], 512;"
BULK = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
COPY = BULK + "[%r9], [%rd2], 512, [%r7];"
WAIT_FULL = "mbarrier.try_wait.parity.shared.b64 %p3, [%r7], %r4;\n  @!%p3 bra WAIT_FULL;"
WAIT_EMPTY = "mbarrier.try_wait.parity.shared.b64 %p3, [%r8], %r5;\n  @!%p3 bra WAIT_EMPTY;"
READY = "READY:\n  bar.sync 0;\n"
PROXY = "fence.proxy.async.shared::cta;"
COMMIT = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 \t[tirx_shared_pool+8];"
LAST_MMA = "tcgen05.mma.cta_group::1.kind::f16.collector::a::discard [%r3], %rd62, %rd63, %r96, %p4;"
WAIT_MMA = ("mbarrier.try_wait.parity.shared.b64 %p5, [tirx_shared_pool+8], %r97;\n"
            "\tnot.pred \t%p6, %p5;\n\t@%p6 bra \t$L__BB0_7;")
RELINQUISH = "tcgen05.relinquish_alloc_permit"

MUTATIONS = [
    Mutation("M1", "ring", "a tile is read without a wait", {WAIT_FULL: ""}, "deadlock", "R31, R42"),
    Mutation("M2", "ring", "a wait for the other parity", {"[%r7], %r4;": "[%r7], %r5;"}, "deadlock", "R31, R42"),
    Mutation("M3", "ring", "4 bytes too many are expected", {ARRIVE: ARRIVE.replace("512", "516")}, "deadlock", "deadlock"),
    Mutation("M4", "ring", "4 bytes too few are expected", {ARRIVE: ARRIVE.replace("512", "508")}, "deadlock", "deadlock"),
    Mutation("M5", "ring", "two copies, but the bytes of one are expected",
             {ARRIVE: ARRIVE.replace("512", "256"),
              COPY: f"{BULK}[%r9], [%rd2], 256, [%r7];\n  {BULK}[%r9+256], [%rd2+256], 256, [%r7];"}, "deadlock", "R42"),
    Mutation("M6", "ring", "a live mbarrier is initialised again",
             {READY: READY + "  @%p0 mbarrier.init.shared.b64 [full], 1;\n"}, "R33", "R33"),
    Mutation("M7", "ring", "a store to the memory of a live mbarrier",
             {READY: READY + "  @%p0 st.shared.u32 [full], 0;\n"}, "R33", "R33"),
    Mutation("M8", "ring", "an mbarrier is invalidated while a copy will signal it",
             {COPY: COPY + "\n  mbarrier.inval.shared.b64 [%r7];"}, "R33", "R33"),
    Mutation("M9", "store", "no proxy fence between stores and the bulk copy", {PROXY: ""}, "nothing", "R1"),
    Mutation("M10", "store", "one thread fences, which covers its own stores only",
             {PROXY: "@%p0 " + PROXY}, "nothing", "R1"),
    Mutation("M11", "tensor", "no proxy fence between stores and `tcgen05.mma`", {PROXY: ""}, "nothing", "R1"),
    Mutation("M11", "wgmma", "no proxy fence between stores and wgmma", {"fence.proxy.async;": ""}, "nothing", "R1"),
    Mutation("M12", "store", "the source of a bulk copy is rewritten without a wait",
             {"cp.async.bulk.wait_group.read 0;": ""}, "nothing", "wrong values"),
    Mutation("M13", "store", "a CTA ends while a copy may read its memory",
             {"cp.async.bulk.wait_group.read 0;": "", "cp.async.bulk.wait_group 0;": ""}, "R10", "R10"),
    Mutation("M15", "tensor", "columns are freed with no wait for the loads from them",
             {"tcgen05.wait::ld.sync.aligned;": ""}, "nothing", "R17"),
    Mutation("M16", "tensor", "the accumulator is read without a wait for the commit", {WAIT_MMA: ""}, "R42", "R29, R42"),
    Mutation("M16", "wgmma", "the accumulator is read without a wait for its group",
             {"wgmma.wait_group.sync.aligned 0;": ""}, "R20", "R20"),
    Mutation("M17", "tensor", "the last `tcgen05.mma` is issued behind the commit",
             {COMMIT: "", LAST_MMA: COMMIT + "\n\t" + LAST_MMA}, "nothing", "R29"),
    Mutation("M18", "tensor", "another thread commits",
             {COMMIT: "", "$L__BB0_6:\n": f"$L__BB0_6:\n\tsetp.eq.u32 %p4, %r1, 32;\n\t@%p4 {COMMIT}\n"}, "nothing", "R29, R42"),
    Mutation("M21", "tensor", "A is overwritten while `tcgen05.mma` may read it",
             {COMMIT: f"{COMMIT}\n\tst.shared.b32 [tirx_shared_pool+1024], 0;\n\t{PROXY}"}, "nothing", "wrong values"),
    Mutation("M22", "wgmma", "a stage is given back while wgmma may read it",
             {"wgmma.wait_group.sync.aligned 1;": "wgmma.wait_group.sync.aligned 2;"}, "nothing", "wrong values"),
    Mutation("M24", "cluster", "a multicast to a CTA that the cluster lacks",
             {"mov.b16 %h0, 3;": "mov.b16 %h0, 5;"}, "R44", "R44"),
    Mutation("M25", "cluster", "no cluster barrier before the CTAs end",
             {"  barrier.cluster.arrive.aligned; // nobody leaves before all have read\n"
              "  barrier.cluster.wait.aligned;\n": ""}, "R44", "R44"),
    Mutation("M27", "pairs", "two pairs of warps use one barrier",
             {"add.u32 %r5, %r5, 1;": "mov.u32 %r5, 1;"}, "R42", "R42"),
    Mutation("M28", "pairs", "a warp gives another thread count",
             {"mov.u32 %r6, 64;": "shr.u32 %r6, %r0, 6;\n  add.u32 %r6, %r6, 2;\n  shl.b32 %r6, %r6, 5;"}, "R36", "R36"),
    Mutation("M29", "ring", "the producer never sees that a stage is free", {WAIT_EMPTY: ""}, "deadlock", "R31"),
    Mutation("M30", "tensor", "an allocation of 96 columns",
             {"[tirx_shared_pool], %r5;": "[tirx_shared_pool], 96;"}, "R23", "R23"),
    Mutation("M31", "tensor", "columns are freed while `tcgen05.mma` may run",
             {RELINQUISH: f"@!%p2 {LAST_MMA}\n\t{RELINQUISH}"}, "nothing", "R29"),
    Mutation("M32", "tensor", "half a warp allocates",
             {"setp.ne.b32 \t%p1, %r2, 0;": "setp.ge.u32 %p1, %r1, 16;"}, "R36", "R36"),
    Mutation("M33", "tensor", "a CTA ends with columns allocated",
             {"tcgen05.dealloc.cta_group::1.sync.aligned.b32": "//"}, "R24", "R24"),
    Mutation("M34", "tensor", "a commit of another `cta_group` than the multiplications",
             {COMMIT: COMMIT.replace("cta_group::1", "cta_group::2")}, "R25", "R25"),
    Mutation("M36", "ring", "the producer makes one trip less",
             {"PRODUCE:\n": "PRODUCE:\n  add.u32 %r6, %r2, 1;\n  setp.eq.u32 %p4, %r6, %r1;\n  @%p4 bra END;\n"},
             "deadlock", "deadlock"),
]


@dataclasses.dataclass
class Result:
    rules: set[str]
    right: bool
    text: str

    @property
    def outcome(self) -> str:
        return ", ".join(sorted(self.rules)) or ("nothing" if self.right else "wrong values")


def run(text: str, setting: Setting, folder: pathlib.Path, *options: str) -> Result:
    """Runs PTX; every buffer but the inputs begins with zeros."""
    (folder / "kernel.ptx").write_text(text)
    buffers = {}
    for n, array in enumerate([*setting.inputs, setting.expected]):
        np.save(folder / f"{n}.npy", array)
        is_input = n < len(setting.inputs)
        buffers[f"b{n}"] = {"dtype": DTYPES[array.dtype.name], "shape": list(array.shape),
                            **({"file": f"{n}.npy"} if is_input else {"fill": 0, "expect": f"{n}.npy"})}
    (folder / "launch.json").write_text(json.dumps({
        "kernel": "kernel.ptx", "grid": [1, 1, 1], "buffers": buffers,
        "args": [*({"buffer": name} for name in buffers), *({"u32": value} for value in setting.scalars)],
        **setting.launch}))
    process = subprocess.run([BIN / "tirx-run", folder / "launch.json", "--json", "--max-steps=20000000", *options],
                             capture_output=True, text=True, timeout=60, check=False)
    assert process.returncode in (0, 1), process.stderr + process.stdout
    result = json.loads(process.stdout)
    return Result({report["rule"] for report in result["reports"] + result["warnings"]},
                  all(buffer["mismatches"] == 0 for buffer in result["buffers"].values()), process.stdout)
