#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random wgmma for a GPU and the simulator.

  wgmma_cases.py FOLDER [COUNT] [SEED]

Each case is a kernel of one warpgroup with one wgmma: random types, N, swizzles,
major-ness, descriptor offsets, signs, scale-d, A in registers or sparse. The kernel
fills shared memory and registers from a hash, so that the launch file has outputs
only. `FOLDER/wgmma_N.json` has 50 launches; run it with `tirx-run --on=both`.
"""

import json
import pathlib
import random
import sys

PER_FILE = 50
IMAGE = 48 << 10
# A and B, D, bytes of an element (of 32 of b1), masks that leave no NaN or infinity.
TYPES = [
    ("f16", "f16", ["f16", "f32"], 2, 0xBFFFBFFF),
    ("bf16", "bf16", ["f32"], 2, 0xBFFFBFFF),
    ("tf32", "tf32", ["f32"], 4, 0xBFFFFFFF),
    ("e4m3", "e4m3", ["f16", "f32"], 1, 0xBFBFBFBF),
    ("e4m3", "e5m2", ["f16", "f32"], 1, 0xBFBFBFBF),
    ("e5m2", "e4m3", ["f16", "f32"], 1, 0xBFBFBFBF),
    ("e5m2", "e5m2", ["f16", "f32"], 1, 0xBFBFBFBF),
    ("s8", "s8", ["s32"], 1, 0xFFFFFFFF),
    ("s8", "u8", ["s32"], 1, 0xFFFFFFFF),
    ("u8", "s8", ["s32"], 1, 0xFFFFFFFF),
    ("u8", "u8", ["s32"], 1, 0xFFFFFFFF),
    ("b1", "b1", ["s32"], 4, 0xFFFFFFFF),
]
INTEGERS = ("s8", "u8", "b1")
SPANS = {0: 16, 1: 128, 2: 64, 3: 32}  # by the code of the swizzle
# The pairs of different elements of four in increasing order; halves of tf32.
PLACES = [0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110]
HALVES = [0b0100, 0b1110]


def random_n(rng: random.Random, integer: bool) -> int:
    few = rng.random() < 0.7
    n = rng.randrange(8, (64 if few else 256) + 1, 8)
    return n + 8 if integer and n > 24 and n % 16 else n


def extent(code: int, major: bool, rows: int, k: int, size: int, lead: int, stride: int) -> int:
    """Bytes from the start address that an operand may reach."""
    span = SPANS[code]
    if not major:
        end = (rows - 1) // 8 * stride + 7 * span
        end += k * size if code else (k * size - 1) // 16 * lead + 16
    else:
        per = span // size
        end = (rows - 1) // per * (lead if code else stride)
        end += (k - 1) // 8 * (stride if code else lead) + 8 * span
    return end


def random_operand(rng: random.Random, rows: int, k: int, size: int, major: bool):
    """A descriptor without address, and a start in the image; swizzles move bytes by less than
    1 KiB."""
    while True:
        code = rng.randrange(4)
        lead, stride = (16 * rng.randrange(1, rng.choice([16, 65, 129])) for _ in range(2))
        start = 16 * rng.randrange(0, (IMAGE - 1024) // 16)
        if start + extent(code, major, rows, k, size, lead, stride) + 1024 <= IMAGE:
            base = rng.randrange(8) if code and rng.random() < 0.5 else 0
            return code << 62 | base << 49 | stride >> 4 << 32 | lead >> 4 << 16, start


def fill(register: str, index: str, seed: int, mask: int) -> str:
    """register = a hash of the register `index`."""
    return (f"mad.lo.u32 {register}, {index}, 0x9E3779B1, {seed & 0xFFFFFFFF};\n"
            f"shr.u32 %h, {register}, 15; xor.b32 {register}, {register}, %h;\n"
            f"mul.lo.u32 {register}, {register}, 0x85EBCA77;\n"
            f"shr.u32 %h, {register}, 13; xor.b32 {register}, {register}, %h;\n"
            f"and.b32 {register}, {register}, {mask};\n")


def make_kernel(rng: random.Random, name: str):
    """The PTX of one case, and the words of D."""
    a, b, results, size, mask = rng.choice(TYPES)
    d = rng.choice(results)
    integer = a in INTEGERS
    n = random_n(rng, integer)
    sparse = a != "b1" and rng.random() < 0.25
    in_registers = rng.random() < 0.3
    k = 32 // size * (2 if sparse else 1)
    stored = 32 // size
    words = n // 4 if d == "f16" else n // 2
    major_a = a in ("f16", "bf16") and not in_registers and rng.random() < 0.5
    major_b = a in ("f16", "bf16") and rng.random() < 0.5
    desc_a, start_a = random_operand(rng, 64, stored, size, major_a)
    desc_b, start_b = random_operand(rng, n, k, size, major_b)
    if rng.random() < 0.15:
        mask = 0xFFFFFFFF
    mask_d = 0xFFFFFFFF if integer or rng.random() < 0.1 else \
        0xBFFFBFFF if d == "f16" else 0xBFFFFFFF
    if not integer and rng.random() < 0.3:
        mask &= 0xF0F0F0F0  # few digits: sums that cancel
    seed = rng.getrandbits(32)

    registers = ", ".join(f"%d{i}" for i in range(words))
    operands = [f"{{{registers}}}",
                "{%a0, %a1, %a2, %a3}" if in_registers else "%da", "%db"]
    globals_ = ""
    if sparse:
        codes = HALVES if size == 4 else PLACES
        table = [sum(rng.choice(codes) << 4 * i for i in range(8)) for _ in range(128)]
        globals_ = f".global .align 4 .b32 meta_{name}[128] = {{{', '.join(map(str, table))}}};\n"
        operands += ["%m", str(rng.randrange(2) if size > 1 else 0)]
    operands.append("%p0")
    if not integer:
        operands += [str(rng.choice([1, -1])) for _ in range(2)]
    if a in ("f16", "bf16"):
        operands += ([] if in_registers else [str(int(major_a))]) + [str(int(major_b))]
    suffix = ".and.popc" if a == "b1" else \
        ".satfinite" if integer and rng.random() < 0.5 else ""
    shape = f"m64n{n}k{k * 32 if a == 'b1' else k}"
    mnemonic = f"wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned.{shape}.{d}.{a}.{b}{suffix}"

    body = f"""{globals_}.visible .entry {name}(.param .u64 out)
.maxntid 128, 1, 1
{{
.shared .align 1024 .b8 image_{name}[{IMAGE}];
.reg .pred %p0, %q;
.reg .b32 %t, %h, %i, %v, %s, %m, %x;
.reg .b32 %a<4>, %d<{words}>;
.reg .b64 %da, %db, %o;
mov.u32 %t, %tid.x;
mov.u32 %s, image_{name};
mov.u32 %i, %t;
loop_{name}:
{fill("%v", "%i", seed, mask)}shl.b32 %x, %i, 2; add.u32 %x, %x, %s; st.shared.b32 [%x], %v;
add.u32 %i, %i, 128; setp.lt.u32 %q, %i, {IMAGE // 4}; @%q bra loop_{name};
fence.proxy.async; bar.sync 0;
"""
    for r in range(4 if in_registers else 0):
        body += f"add.u32 %i, %t, {(r + 1) * 65536};\n" + fill(f"%a{r}", "%i", seed, mask)
    for r in range(words):
        body += f"add.u32 %i, %t, {(r + 100) * 65536};\n" + fill(f"%d{r}", "%i", seed, mask_d)
    if sparse:
        body += f"mov.u64 %o, meta_{name}; mad.wide.u32 %o, %t, 4, %o; ld.global.b32 %m, [%o];\n"
    for operand, descriptor, start in (("%da", desc_a, start_a), ("%db", desc_b, start_b)):
        body += (f"add.u32 %x, %s, {start}; bfe.u32 %x, %x, 4, 14; cvt.u64.u32 {operand}, %x; "
                 f"or.b64 {operand}, {operand}, {descriptor};\n")
    body += f"setp.lt.u32 %p0, %t, {rng.choice([0, 128, 128, 128])};\n"
    body += f"wgmma.fence.sync.aligned;\n{mnemonic} {', '.join(operands)};\n"
    body += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
    body += f"ld.param.u64 %o, [out]; mad.wide.u32 %o, %t, {words * 4}, %o;\n"
    for r in range(words):
        body += f"st.global.b32 [%o+{4 * r}], %d{r};\n"
    return body + "ret;\n}\n", words


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, count, PER_FILE):
        number = first // PER_FILE
        text = ".version 8.5\n.target sm_90a\n.address_size 64\n"
        buffers, launches = {}, []
        for case in range(first, min(first + PER_FILE, count)):
            name = f"case_{case}"
            kernel, words = make_kernel(rng, name)
            text += kernel
            buffers[f"D{case}"] = {"dtype": "u32", "shape": [128, words], "fill": 0}
            launches.append({"kernel": f"wgmma_{number}.ptx", "entry": name, "grid": [1, 1, 1],
                             "block": [128, 1, 1], "args": [{"buffer": f"D{case}"}]})
        (folder / f"wgmma_{number}.ptx").write_text(text)
        (folder / f"wgmma_{number}.json").write_text(
            json.dumps({"buffers": buffers, "launches": launches}, indent=1))


if __name__ == "__main__":
    main()
