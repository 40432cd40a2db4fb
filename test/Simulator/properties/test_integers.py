# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer instructions on edges and random operands, against Python's integers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ptx_run import run

ROWS = 1024


def signed(x: int, bits: int) -> int:
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def truncated(a: int, b: int) -> int:
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def operations() -> dict[str, tuple]:
    """Text with operands %a, %b, %c and result %d: (bits of the result, of the operands, function of operands as they
    stand in registers)."""
    table: dict[str, tuple] = {}

    def add(text, result, operands, function):
        table[text] = (result, operands, function)

    for bits in (16, 32, 64):
        for sign in "us":
            t = f"{sign}{bits}"
            value = (lambda x, n=bits: signed(x, n)) if sign == "s" else (lambda x: x)
            two, three = (bits, bits), (bits, bits, bits)
            add(f"add.{t} %d, %a, %b;", bits, two, lambda a, b: a + b)
            add(f"sub.{t} %d, %a, %b;", bits, two, lambda a, b: a - b)
            add(f"mul.lo.{t} %d, %a, %b;", bits, two, lambda a, b: a * b)
            add(f"mul.hi.{t} %d, %a, %b;", bits, two, lambda a, b, v=value, n=bits: v(a) * v(b) >> n)
            add(f"mad.lo.{t} %d, %a, %b, %c;", bits, three, lambda a, b, c: a * b + c)
            add(f"mad.hi.{t} %d, %a, %b, %c;", bits, three, lambda a, b, c, v=value, n=bits: (v(a) * v(b) >> n) + c)
            if bits < 64:
                add(f"mul.wide.{t} %d, %a, %b;", 2 * bits, two, lambda a, b, v=value: v(a) * v(b))
                add(f"mad.wide.{t} %d, %a, %b, %c;", 2 * bits, (bits, bits, 2 * bits),
                    lambda a, b, c, v=value: v(a) * v(b) + c)
            # What division by zero gives, PTX does not say.
            add(f"div.{t} %d, %a, %b;", bits, two, lambda a, b, v=value: truncated(v(a), v(b)) if b else None)
            add(f"rem.{t} %d, %a, %b;", bits, two, lambda a, b, v=value: v(a) - truncated(v(a), v(b)) * v(b) if b else None)
            add(f"min.{t} %d, %a, %b;", bits, two, lambda a, b, v=value: min(v(a), v(b)))
            add(f"max.{t} %d, %a, %b;", bits, two, lambda a, b, v=value: max(v(a), v(b)))
            add(f"sad.{t} %d, %a, %b, %c;", bits, three, lambda a, b, c, v=value: abs(v(a) - v(b)) + c)
            add(f"shr.{t} %d, %a, %b;", bits, (bits, 32), lambda a, b, v=value, n=bits: v(a) >> min(b, n))
            if bits > 16:
                add(f"bfe.{t} %d, %a, %b, %c;", bits, (bits, 32, 32),
                    lambda a, b, c, n=bits, s=sign: extracted(a, whole(b, n), whole(c, n), n, s == "s"))
                add(f"bfind.{t} %d, %a;", 32, (bits,), lambda a, n=bits, s=sign: leading(a, n, s == "s"))
        add(f"shl.b{bits} %d, %a, %b;", bits, (bits, 32), lambda a, b, n=bits: a << b if b < n else 0)
        add(f"neg.s{bits} %d, %a;", bits, (bits,), lambda a: -a)
        add(f"abs.s{bits} %d, %a;", bits, (bits,), lambda a, n=bits: abs(signed(a, n)))
        if bits > 16:
            add(f"popc.b{bits} %d, %a;", 32, (bits,), lambda a: bin(a).count("1"))
            add(f"clz.b{bits} %d, %a;", 32, (bits,), lambda a, n=bits: n - a.bit_length())
            add(f"brev.b{bits} %d, %a;", bits, (bits,), lambda a, n=bits: int(format(a, f"0{n}b")[::-1], 2))
            add(f"bfi.b{bits} %d, %a, %b, %c, 11;", bits, (bits, bits, 32),
                lambda a, b, c, n=bits: inserted(a, b, whole(c, n), 11, n))
    add("add.sat.s32 %d, %a, %b;", 32, (32, 32), lambda a, b: clamp(signed(a, 32) + signed(b, 32)))
    add("sub.sat.s32 %d, %a, %b;", 32, (32, 32), lambda a, b: clamp(signed(a, 32) - signed(b, 32)))
    add("mad.hi.sat.s32 %d, %a, %b, %c;", 32, (32, 32, 32),
        lambda a, b, c: clamp((signed(a, 32) * signed(b, 32) >> 32) + signed(c, 32)))
    for sign in "us":
        value = (lambda x: signed(x, 24)) if sign == "s" else (lambda x: x & 0xFFFFFF)
        add(f"mul24.lo.{sign}32 %d, %a, %b;", 32, (32, 32), lambda a, b, v=value: v(a) * v(b))
        add(f"mul24.hi.{sign}32 %d, %a, %b;", 32, (32, 32), lambda a, b, v=value: v(a) * v(b) >> 16)
    for mode, amount in (("clamp", lambda c: min(c, 32)), ("wrap", lambda c: c & 31)):
        add(f"shf.l.{mode}.b32 %d, %a, %b, %c;", 32, (32, 32, 32),
            lambda a, b, c, s=amount: (b << 32 | a) << s(c) >> 32)
        add(f"shf.r.{mode}.b32 %d, %a, %b, %c;", 32, (32, 32, 32), lambda a, b, c, s=amount: (b << 32 | a) >> s(c))
    for first in "us":
        for second in "us":
            v, w = (lambda x, n, s=first: signed(x, n) if s == "s" else x), (lambda x, n, s=second: signed(x, n) if s == "s" else x)
            add(f"dp4a.{first}32.{second}32 %d, %a, %b, %c;", 32, (32, 32, 32),
                lambda a, b, c, v=v, w=w: c + sum(v(a >> 8 * k & 255, 8) * w(b >> 8 * k & 255, 8) for k in range(4)))
            for half, at in (("lo", 0), ("hi", 16)):
                add(f"dp2a.{half}.{first}32.{second}32 %d, %a, %b, %c;", 32, (32, 32, 32),
                    lambda a, b, c, v=v, w=w, at=at: c + sum(v(a >> 16 * k & 0xFFFF, 16) * w(b >> at + 8 * k & 255, 8)
                                                            for k in range(2)))
    wide = ".reg .b32 %l; add.cc.u32 %l, %a, %b; addc.u32 %d, %a, %c;"
    add(wide, 32, (32, 32, 32), lambda a, b, c: a + c + (a + b >> 32))
    add(".reg .b32 %l; sub.cc.u32 %l, %a, %b; subc.u32 %d, %c, %a;", 32, (32, 32, 32), lambda a, b, c: c - a - (a < b))
    add(".reg .b64 %l; add.cc.u64 %l, %a, %b; addc.u64 %d, %c, 0;", 64, (64, 64, 64), lambda a, b, c: c + (a + b >> 64))
    add(".reg .b32 %l; mad.lo.cc.u32 %l, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;", 32, (32, 32, 32), lambda a, b, c: a * b + c >> 32)
    return table


def clamp(x: int) -> int:
    return max(-(2**31), min(2**31 - 1, x))


def whole(amount: int, bits: int) -> int:
    """An H200 takes 8 bits of a position or length in 32 bits, all of one in 64."""
    return amount & 255 if bits == 32 else amount


def extracted(a: int, position: int, length: int, bits: int, sign: bool) -> int:
    if not length:
        return 0
    fill = a >> min(position + length - 1, bits - 1) & 1 if sign else 0
    return sum((a >> position + k & 1 if k < length and position + k < bits else fill) << k for k in range(bits))


def inserted(a: int, b: int, position: int, length: int, bits: int) -> int:
    if position >= bits:
        return b
    mask = (1 << length) - 1
    return (b & ~(mask << position)) | (a & mask) << position


def leading(a: int, bits: int, sign: bool) -> int:
    if sign and a >> (bits - 1):
        a ^= (1 << bits) - 1
    return a.bit_length() - 1


OPERATIONS = operations()


def operands(seed: int, bits: int) -> list[int]:
    rng = random.Random(seed)
    edges = [0, 1, 2, (1 << bits) - 1, (1 << bits) - 2, 1 << (bits - 1), (1 << (bits - 1)) - 1, (1 << (bits - 1)) + 1,
             31, 32, 33, 63, 64, 255, 256]
    values = [rng.choice(edges) if rng.random() < 0.4 else rng.getrandbits(rng.randint(1, bits)) for _ in range(ROWS)]
    return [v & ((1 << bits) - 1) for v in values]


@pytest.mark.parametrize("text", OPERATIONS, ids=[t.split(";")[0 if not t.startswith(".reg") else 1].split("%")[0].strip()
                                                 + f"-{n}" for n, t in enumerate(OPERATIONS)])
def test_equals_python(text, tmp_path):
    result, widths, function = OPERATIONS[text]
    columns = [operands(7 * n + len(text), bits) for n, bits in enumerate(widths)]
    parameters = ", ".join(f".param .u64 p{n}" for n in range(len(widths) + 1))
    body = ".reg .b64 %x, %y; .reg .b32 %t, %u;\nmov.u32 %t, %tid.x; mov.u32 %u, %ctaid.x; mad.lo.u32 %t, %u, 256, %t;\n"
    body += f"mul.wide.u32 %x, %t, 8; .reg .b{result} %d;\n"
    for n, bits in enumerate(widths):
        name = "%" + "abc"[n]
        body += f".reg .b{bits} {name}; ld.param.u64 %y, [p{n}]; add.u64 %y, %y, %x; ld.global.b{bits} {name}, [%y];\n"
    body += f"{text}\nld.param.u64 %y, [p{len(widths)}]; add.u64 %y, %y, %x; st.global.b{result} [%y], %d;\nret;\n"
    arrays = [np.array(column, np.uint64) for column in columns]
    status, said, got = run(tmp_path, f".visible .entry k({parameters}) {{\n{body}}}\n", arrays, ROWS, 256, ROWS // 256)
    assert status == 0, said
    for row, values in enumerate(zip(*columns)):
        expected = function(*values)
        if expected is not None:
            assert int(got[row]) == expected & ((1 << result) - 1), (text, [hex(v) for v in values])
