# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tcgen05 instructions on the simulator: tensor and shared memory of each CTA in,
tensor memory out."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from dataclasses import dataclass

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
TIRX_RUN = os.environ.get("TIRX_RUN", str(ROOT / "build/release/bin/tirx-run"))
MODES = [("eager", 0), ("lazy", 0), ("random", 1), ("random", 2)]
LANES = 128
UNWRITTEN = 0xDEADBEEF  # what cells hold that no instruction of a test writes

PROLOGUE = """\
.version 9.0
.target sm_100a
.address_size 64
.extern .shared .align 1024 .b8 pool[];
.shared .align 8 .b64 bar;
.shared .align 4 .b32 slot;
.visible .entry kernel(.param .u64 image, .param .u64 before, .param .u64 after)
.explicitcluster
.reqntid 128, 1, 1
{{
  .reg .pred %p<16>;
  .reg .b32 %r<32>, %v<8>, %d<128>;
  .reg .b64 %rd<16>;
  .reg .b16 %h<2>;
  mov.u32 %r0, %tid.x;
  shr.u32 %r1, %r0, 5;
  mov.u32 %r2, %cluster_ctarank;
  setp.ne.u32 %p0, %r1, 0;
  @%p0 bra ALLOCATED;
  mov.u32 %r3, slot;
  tcgen05.alloc.cta_group::{group}.sync.aligned.shared::cta.b32 [%r3], {columns};
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra ALLOCATED;
  mbarrier.init.shared::cta.b64 [bar], 1;
  fence.mbarrier_init.release.cluster;
ALLOCATED:
  ld.param.u64 %rd0, [image];
  mul.wide.u32 %rd1, %r2, {image_bytes};
  add.u64 %rd0, %rd0, %rd1;
  mul.wide.u32 %rd1, %r0, 16;
  add.u64 %rd0, %rd0, %rd1;
  mov.u32 %r3, pool;
  shl.b32 %r4, %r0, 4;
  add.u32 %r3, %r3, %r4;
COPY:
  ld.global.v4.b32 {{%v0, %v1, %v2, %v3}}, [%rd0];
  st.shared.v4.b32 [%r3], {{%v0, %v1, %v2, %v3}};
  add.u64 %rd0, %rd0, 2048;
  add.u32 %r3, %r3, 2048;
  add.u32 %r4, %r4, 2048;
  setp.lt.u32 %p1, %r4, {image_bytes};
  @%p1 bra COPY;
  fence.proxy.async.shared::cta;
  tcgen05.fence::before_thread_sync;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  tcgen05.fence::after_thread_sync;
  ld.shared.b32 %r10, [slot];
  shl.b32 %r11, %r1, 21;
  add.u32 %r11, %r11, %r10;
  mad.lo.u32 %r12, %r2, 128, %r0;
  mul.wide.u32 %rd2, %r12, {row_bytes};
  ld.param.u64 %rd3, [before];
  add.u64 %rd3, %rd3, %rd2;
  mov.u32 %r13, 0;
FILL:
  ld.global.v4.b32 {{%v0, %v1, %v2, %v3}}, [%rd3];
  ld.global.v4.b32 {{%v4, %v5, %v6, %v7}}, [%rd3+16];
  add.u32 %r14, %r11, %r13;
  tcgen05.st.sync.aligned.32x32b.x8.b32 [%r14], {{%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}};
  add.u64 %rd3, %rd3, 32;
  add.u32 %r13, %r13, 8;
  setp.lt.u32 %p1, %r13, {columns};
  @%p1 bra FILL;
  tcgen05.wait::st.sync.aligned;
  tcgen05.fence::before_thread_sync;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  tcgen05.fence::after_thread_sync;
  ld.param.u64 %rd4, [after];
  add.u64 %rd4, %rd4, %rd2;
  setp.ne.u32 %p2, %r12, {issuer};
  @%p2 bra ISSUED;
  mov.u32 %r15, pool;
  and.b32 %r15, %r15, 0x3ffff;
  shr.u32 %r15, %r15, 4;
  cvt.u64.u32 %rd5, %r15;
"""

EPILOGUE = """\
  mov.u16 %h0, {mask};
  tcgen05.commit.cta_group::{group}.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [bar], %h0;
ISSUED:
  mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0;
  @!%p3 bra ISSUED;
  tcgen05.fence::after_thread_sync;
"""

READ = """\
  mov.u32 %r13, 0;
READ:
  add.u32 %r14, %r11, %r13;
  tcgen05.ld.sync.aligned.32x32b.x8.b32 {{%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}}, [%r14];
  tcgen05.wait::ld.sync.aligned;
  st.global.v4.b32 [%rd4], {{%v0, %v1, %v2, %v3}};
  st.global.v4.b32 [%rd4+16], {{%v4, %v5, %v6, %v7}};
  add.u64 %rd4, %rd4, 32;
  add.u32 %r13, %r13, 8;
  setp.lt.u32 %p1, %r13, {columns};
  @%p1 bra READ;
"""

END = """\
  tcgen05.fence::before_thread_sync;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  tcgen05.fence::after_thread_sync;
  @%p0 bra DONE;
  tcgen05.relinquish_alloc_permit.cta_group::{group}.sync.aligned;
  tcgen05.dealloc.cta_group::{group}.sync.aligned.b32 %r10, {columns};
DONE:
  ret;
}}
"""


@dataclass
class Program:
    """One CTA (group 1) or a pair. `issue`: what one thread executes; %r10 is the address
    of the columns in tensor memory, %rd5 that of the shared memory / 16. `collective`:
    what all warps execute behind that; %r11 is the address of their lanes."""

    group: int
    columns: int
    shared: np.ndarray  # bytes of each CTA
    before: np.ndarray  # cells of each CTA: u32[group, 128, columns]
    issue: str = ""
    collective: str = ""
    issuer: int = 0  # number of the thread in the pair

    def ptx(self) -> str:
        values = {"group": self.group, "columns": self.columns, "row_bytes": 4 * self.columns,
                  "image_bytes": self.shared.shape[1], "mask": (1 << self.group) - 1,
                  "issuer": self.issuer}
        text = PROLOGUE.format(**values) + self.issue + EPILOGUE.format(**values) + self.collective
        return text + READ.format(**values) + END.format(**values)


def execute(folder: pathlib.Path, program: Program, mode: str = "eager", seed: int = 0,
            target: str = "sm_100a"):
    """The process and, when it succeeded, the cells of all CTAs afterwards."""
    (folder / "kernel.ptx").write_text(program.ptx().replace("sm_100a", target))
    np.save(folder / "shared.npy", program.shared)
    np.save(folder / "before.npy", program.before.view(np.int32))
    shape = list(program.before.shape)
    launch = {
        "kernel": "kernel.ptx", "entry": "kernel", "target": target, "grid": [program.group],
        "block": [LANES], "cluster": [program.group], "shared": int(program.shared.shape[1]),
        "buffers": {
            "shared": {"dtype": "u8", "shape": list(program.shared.shape), "file": "shared.npy"},
            "before": {"dtype": "i32", "shape": shape, "file": "before.npy"},
            "after": {"dtype": "i32", "shape": shape, "out": "after.npy"}},
        "args": [{"buffer": "shared"}, {"buffer": "before"}, {"buffer": "after"}]}
    (folder / "launch.json").write_text(json.dumps(launch))
    result = subprocess.run([TIRX_RUN, str(folder / "launch.json"), f"--async={mode}", f"--seed={seed}"],
                            capture_output=True, text=True, timeout=120)
    if result.returncode:
        return result, None
    return result, np.load(folder / "after.npy").view(np.uint32)


def run(folder: pathlib.Path, program: Program, mode: str = "eager", seed: int = 0,
        target: str = "sm_100a") -> np.ndarray:
    result, cells = execute(folder, program, mode, seed, target)
    assert cells is not None, result.stdout + result.stderr
    assert "R1" not in result.stdout + result.stderr, result.stdout + result.stderr
    return cells


def fresh(group: int, columns: int) -> np.ndarray:
    return np.full((group, LANES, columns), UNWRITTEN, np.uint32)


def shared_descriptor(offset: int, leading: int, stride: int) -> str:
    """Operand of tcgen05 at %rd5 + offset bytes, without swizzle, as text of PTX."""
    return str(offset // 16 | (leading // 16) << 16 | (stride // 16) << 32 | 1 << 46)


def k_major_image(elements: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Bytes of rows x k elements in K-major cores of 8 rows of 16 bytes, and the offsets
    between cores along K and along rows."""
    rows, k = elements.shape
    raw = np.ascontiguousarray(elements).view(np.uint8).reshape(rows // 8, 8, -1, 16)
    cores = raw.shape[2]
    return raw.transpose(0, 2, 1, 3).reshape(-1), 128, 128 * cores
