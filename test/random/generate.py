# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random legal PTX programs whose results are determined.

`Program(seed)` is a tree of statements. Every register is initialised from an input
buffer, statements only read and write these registers, and all of them are stored at the
end: whatever is computed wrongly shows, and a program stays legal when any statement is
left out, which is how one that fails is made small. The same seed always gives the same
program.
"""

from __future__ import annotations

import dataclasses
import random
import re
import struct

from instructions import (COMPARE, CONVERT, CTA, FLOAT, INTEGER, MATRIX, WARP, lines)

# Registers of each kind, by the letter of instructions.py, and their bytes.
POOLS = {"h": (4, 2), "r": (8, 4), "d": (4, 8), "x": (4, 2), "y": (4, 4), "f": (8, 4),
         "g": (4, 8)}  # fmt: skip
PREDICATES = 4
INPUT_BYTES = 65536
WORDS_OF_THREAD = sum(count * max(size, 4) // 4 for count, size in POOLS.values()) + 1
ACCUMULATORS = 16  # words of shared memory that atomics work on
SHARED_ROW = 16  # bytes of shared memory of a thread

PLAIN = [(lines(INTEGER), 5), (lines(COMPARE), 2), (lines(FLOAT), 5), (lines(CONVERT), 3)]
WARP_LINES, CTA_LINES = lines(WARP), lines(CTA)
MATRIX_LINES = [line.split() for line in lines(MATRIX)]

OPERAND = re.compile(r"(?<![\w.%])([hrdxyfgpHRDXYFGP])(?![\w.])|#(\d+)")


@dataclasses.dataclass
class Node:
    """Instructions, or with `kind` "if" or "loop" a body that a predicate guards or
    that runs up to `count` times."""

    text: list[str]
    kind: str = ""
    body: list["Node"] = dataclasses.field(default_factory=list)
    count: int = 0

    def size(self) -> int:
        return 1 + sum(node.size() for node in self.body)


def choose(rng: random.Random, template: str) -> str:
    """Decides on each {a|b}. Braces without a bar are vectors and stay."""
    return re.sub(r"\{([^{}]*\|[^{}]*)\}", lambda m: rng.choice(m[1].split("|")), template)


class Generator:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.threads = self.rng.choice([32, 32, 64, 128])
        self.ctas = self.rng.choice([1, 1, 2])
        self.has_function = self.rng.random() < 0.4

    def register(self, letter: str, used: set[str] | None = None) -> str:
        """One of the pool; not one of `used`, which it joins."""
        letter = letter.lower()
        if letter == "p":
            names = [f"%p{i}" for i in range(PREDICATES)]
        else:
            names = [f"%{letter}{i}" for i in range(POOLS[letter][0])]
        if used is not None:
            names = [name for name in names if name not in used]
        name = self.rng.choice(names)
        if used is not None:
            used.add(name)
        return name

    def fill(self, template: str) -> list[str]:
        written: set[str] = set()

        def operand(match: re.Match) -> str:
            if match[2]:
                return str(self.rng.randrange(int(match[2])))
            return self.register(match[1], written if match[1].isupper() else None)

        out = []
        for part in choose(self.rng, template).split(";"):
            written.clear()
            name, _, rest = part.strip().partition(" ")
            out.append(f"{name} {OPERAND.sub(operand, rest)};")
        return out

    def plain(self) -> Node:
        families, weights = zip(*PLAIN)
        family = self.rng.choices(families, weights)[0]
        text = self.fill(self.rng.choice(family))
        # ptxas expands these in several instructions of which it guards some only; the
        # result of a guarded cvt to tf32 it takes for a float where an integer is read,
        # and converts it (seen in the SASS of CUDA 13.0, -O0).
        expanded = text[0].startswith(("testp", "set.")) or ".tf32." in text[0]
        if len(text) == 1 and not expanded and self.rng.random() < 0.15:
            text[0] = f"@{self.rng.choice(['', '!'])}{self.register('p')} {text[0]}"
        return Node(text)

    def load(self) -> Node:
        """A vector or a scalar of the input, at an address that a thread computed."""
        kind, count = self.rng.choice(
            [("f", 1), ("f", 4), ("r", 1), ("r", 2), ("r", 4), ("d", 2), ("g", 1), ("g", 2),
             ("h", 1), ("h", 4), ("x", 2), ("y", 1), ("y", 2)])  # fmt: skip
        size = POOLS[kind][1]
        used: set[str] = set()
        names = ", ".join(self.register(kind, used) for _ in range(count))
        vector = f".v{count}" if count > 1 else ""
        names = f"{{{names}}}" if count > 1 else names
        mask = (INPUT_BYTES - 1) & ~(size * count - 1)
        space = self.rng.choice([".global", ".global.nc", ""])
        return Node([f"and.b32 %ta, {self.register('r')}, {mask};", "cvt.u64.u32 %tc, %ta;",
                     "add.u64 %tc, %tc, %in;", f"ld{space}{vector}.b{8 * size} {names}, [%tc];"])

    def narrow_load(self) -> Node:
        kind = self.rng.choice(["u8", "s8", "u16", "s16"])
        mask = (INPUT_BYTES - 1) & ~(int(kind[1:]) // 8 - 1)
        return Node([f"and.b32 %ta, {self.register('r')}, {mask};", "cvt.u64.u32 %tc, %ta;",
                     "add.u64 %tc, %tc, %in;", f"ld.global.{kind} {self.register('r')}, [%tc];"])

    def exchange(self) -> Node:
        """Every thread writes its row of shared memory and reads one of another."""
        kind, count = self.rng.choice(
            [("r", 4), ("r", 1), ("r", 2), ("d", 2), ("f", 4), ("y", 2), ("h", 4), ("g", 1)])
        size = POOLS[kind][1]
        vector = f".v{count}" if count > 1 else ""

        def operands() -> str:
            used: set[str] = set()
            names = ", ".join(self.register(kind, used) for _ in range(count))
            return f"{{{names}}}" if count > 1 else names

        text = [f"st.shared{vector}.b{8 * size} [%row], {operands()};", "bar.sync 0;",
                f"and.b32 %ta, {self.register('r')}, {self.threads - 1};",
                f"mad.lo.u32 %ta, %ta, {SHARED_ROW}, %rows;",
                f"ld.shared{vector}.b{8 * size} {operands()}, [%ta];", "bar.sync 0;"]
        return Node(text)

    def matrix_load(self) -> Node:
        count = self.rng.choice([1, 2, 4])
        used: set[str] = set()
        names = ", ".join(self.register("y", used) for _ in range(count))
        trans = self.rng.choice(["", ".trans"])
        values = ", ".join(self.register("r") for _ in range(4))
        return Node([f"st.shared.v4.b32 [%row], {{{values}}};", "bar.sync 0;",
                     f"and.b32 %ta, {self.register('r')}, {self.threads - 1};",
                     f"mad.lo.u32 %ta, %ta, {SHARED_ROW}, %rows;",
                     f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{names}}}, [%ta];",
                     "bar.sync 0;"])  # fmt: skip

    def matrix_store(self) -> Node:
        """stmatrix of one 8x8 matrix to the first rows of a warp."""
        trans = self.rng.choice(["", ".trans"])
        return Node(["st.shared.v4.b32 [%row], {%r0, %r1, %r2, %r3};", "bar.sync 0;",
                     f"stmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 [%row], "
                     f"{{{', '.join(self.register('y') for _ in range(4))}}};", "bar.sync 0;",
                     f"ld.shared.v2.b32 {{{self.register('r')}, {self.register('y')}}}, [%row];",
                     "bar.sync 0;"])  # fmt: skip

    def matrix(self) -> Node:
        name, a, b, c, accumulator, source = self.rng.choice(MATRIX_LINES)

        def vector(kind: str, count: str, used=None) -> str:
            names = [self.register(kind, used) for _ in range(int(count))]
            return "{" + ", ".join(names) + "}"

        result = vector(accumulator, c, set())
        return Node([f"{name} {result}, {vector(source, a)}, {vector(source, b)}, "
                     f"{vector(accumulator, c)};"])  # fmt: skip

    def atomic(self) -> Node:
        """Reductions whose sum does not depend on the order, then one read."""
        op, kind = self.rng.choice(
            [("add.u32", "r"), ("min.s32", "r"), ("max.u32", "r"), ("and.b32", "r"),
             ("or.b32", "r"), ("xor.b32", "r"), ("add.u64", "d"), ("max.s64", "d")])
        size = POOLS[kind][1]
        mask = 4 * ACCUMULATORS - size
        form = self.rng.choice(["red.shared", "atom.shared"])
        value = self.register(kind)
        target = "" if form == "red.shared" else ("%tb, " if kind == "r" else "%td, ")
        return Node([f"and.b32 %ta, {self.register('r')}, {mask};", "add.u32 %ta, %ta, %sums;",
                     f"{form}.{op} {target}[%ta], {value};", "bar.sync 0;",
                     f"ld.shared.b{8 * size} {self.register(kind)}, [%ta];", "bar.sync 0;"])

    def global_reduction(self) -> Node:
        op = self.rng.choice(["add.u32", "min.s32", "max.u32", "or.b32", "xor.b32", "and.b32"])
        # One operation a word, or the order would count.
        word = ["add.u32", "min.s32", "max.u32", "or.b32", "xor.b32", "and.b32"].index(op)
        return Node([f"red.global.{op} [%out + {4 * word}], {self.register('r')};"])

    def call(self) -> Node:
        a, b, f = self.register("r"), self.register("r"), self.register("f")
        return Node(["{", ".param .b32 a; .param .b32 b; .param .b32 c; .param .b64 result;",
                     f"st.param.b32 [a], {a};", f"st.param.b32 [b], {b};",
                     f"st.param.b32 [c], {f};", "call (result), FUNCTION, (a, b, c);",
                     f"ld.param.b64 {self.register('d')}, [result];", "}"])  # fmt: skip

    def block(self, depth: int, budget: int, convergent: bool) -> list[Node]:
        nodes: list[Node] = []
        while budget > 0:
            node = self.statement(depth, budget, convergent)
            nodes.append(node)
            budget -= node.size()
        return nodes

    def statement(self, depth: int, budget: int, convergent: bool) -> Node:
        roll = self.rng.random()
        if depth < 3 and budget > 3 and roll < 0.08:
            body = self.block(depth + 1, self.rng.randrange(1, 2 + budget // 2), False)
            return Node([f"@{self.rng.choice(['', '!'])}{self.register('p')}"], "if", body)
        if depth < 3 and budget > 3 and roll < 0.14:
            # A loop that every thread runs equally often keeps warps whole.
            uniform = convergent and self.rng.random() < 0.5
            body = self.block(depth + 1, self.rng.randrange(1, 2 + budget // 3), uniform)
            trip = "" if uniform else self.register("r")
            return Node([trip], "loop", body, self.rng.choice([2, 3, 4]))
        if roll < 0.24:
            return self.rng.choice([self.load, self.load, self.narrow_load])()
        if self.has_function and roll < 0.27:
            return self.call()
        if roll < 0.29:
            return self.global_reduction()
        if convergent and roll < 0.45:
            kind = self.rng.choice(["warp"] * 6 + ["cta", "exchange", "exchange", "matrix",
                                   "matrix", "matrix_load", "matrix_store", "atomic"])  # fmt: skip
            if kind == "warp":
                return Node(["bar.warp.sync -1;"] + self.fill(self.rng.choice(WARP_LINES)))
            if kind == "cta":
                return Node(["bar.sync 0;"] + self.fill(self.rng.choice(CTA_LINES)))
            node = getattr(self, kind)()
            if kind.startswith("matrix"):
                node.text.insert(0, "bar.warp.sync -1;")
            return node
        return self.plain()

    def function(self) -> list[str]:
        """A body on registers of its own: parameters a, b (integers) and c (f32)."""
        body = []
        for _ in range(self.rng.randrange(4, 12)):
            family = self.rng.choice([lines(INTEGER), lines(FLOAT), lines(CONVERT)])
            body += self.fill(self.rng.choice(family))
        return body


class Program:
    """A kernel (in, out) of `threads` threads in `ctas` CTAs."""

    def __init__(self, seed: int, size: int = 40) -> None:
        generator = Generator(seed)
        self.seed = seed
        self.threads, self.ctas = generator.threads, generator.ctas
        self.body = generator.block(0, size, True)
        self.function = generator.function() if generator.has_function else []

    @property
    def out_bytes(self) -> int:
        return 64 + 4 * WORDS_OF_THREAD * self.threads * self.ctas

    def emit(self, name: str) -> str:
        return Emitter(self, name).emit()


def declare(out: list[str]) -> None:
    for letter, (count, size) in POOLS.items():
        out.append(f".reg .b{8 * size} %{letter}<{count}>;")
    out.append(f".reg .pred %p<{PREDICATES}>;")
    out.append(".reg .b32 %ta, %tb; .reg .b64 %tc, %td;")


class Emitter:
    def __init__(self, program: Program, name: str) -> None:
        self.program, self.name = program, name
        self.out: list[str] = []
        self.labels = 0
        self.counters = 0

    def emit(self) -> str:
        p, out = self.program, self.out
        if p.function:
            self.emit_function()
        head = f".visible .entry {self.name}(.param .u64 in, .param .u64 out)"
        out.append(f"{head} .reqntid {p.threads}, 1, 1 {{")
        declare(out)
        rows = SHARED_ROW * p.threads
        out += [".reg .b32 %row, %rows, %sums, %self;", ".reg .b64 %in, %out, %mine;",
                f".shared .align 16 .b8 rows[{rows}];",
                f".shared .align 16 .b8 sums[{4 * ACCUMULATORS}];"]  # fmt: skip
        at = len(out)  # counters of loops are declared here
        out += ["ld.param.u64 %in, [in];", "ld.param.u64 %out, [out];",
                "cvta.to.global.u64 %in, %in;", "cvta.to.global.u64 %out, %out;",
                "mov.u32 %self, %tid.x;", "mov.u32 %rows, rows;", "mov.u32 %sums, sums;",
                f"mad.lo.u32 %row, %self, {SHARED_ROW}, %rows;", "mov.u32 %ta, %ctaid.x;",
                f"mad.lo.u32 %tb, %ta, {p.threads}, %self;", "add.u64 %mine, %out, 64;",
                f"mad.wide.u32 %mine, %tb, {4 * WORDS_OF_THREAD}, %mine;"]  # fmt: skip
        self.initialise()
        for node in p.body:
            self.node(node)
        self.store_all()
        out += ["ret;", "}"]
        out.insert(at, f".reg .b32 %n<{self.counters + 1}>; .reg .pred %q<{self.counters + 1}>;")
        return "\n".join(out) + "\n"

    def initialise(self) -> None:
        """Every register from the input; each thread begins elsewhere."""
        out, offset = self.out, 0
        out += [f"setp.lt.u32 %p0, %self, {ACCUMULATORS};", "shl.b32 %ta, %self, 2;",
                "add.u32 %ta, %ta, %sums;", "@%p0 st.shared.u32 [%ta], 0;",
                "mad.wide.u32 %tc, %tb, 104, %in;"]  # fmt: skip
        for letter, (count, size) in POOLS.items():
            for i in range(count):
                out.append(f"ld.global.b{8 * size} %{letter}{i}, [%tc + {offset}];")
                offset += 1024 if size > 2 else 1026
        for i in range(PREDICATES):
            out.append(f"setp.lt.s32 %p{i}, %r{i}, %r{i + 1};")
        out.append("st.shared.v4.b32 [%row], {%r0, %r1, %r2, %r3};")
        out.append("bar.sync 0;")

    def store_all(self) -> None:
        out, offset = self.out, 0
        for letter, (count, size) in POOLS.items():
            for i in range(count):
                name = f"%{letter}{i}"
                if size == 2:
                    out.append(f"cvt.u32.u16 %ta, {name};")
                    name, width = "%ta", 4
                else:
                    width = size
                out.append(self.store(width, offset, name))
                offset += width
        out.append("mov.u32 %ta, 0;")
        for i in range(PREDICATES):
            out += [f"selp.u32 %tb, {1 << i}, 0, %p{i};", "or.b32 %ta, %ta, %tb;"]
        out.append(self.store(4, offset, "%ta"))

    def store(self, width: int, offset: int, name: str) -> str:
        # A thread's words begin at a multiple of 4 only.
        if width == 4:
            return f"st.global.b32 [%mine + {offset}], {name};"
        return (f"mov.b64 {{%ta, %tb}}, {name}; st.global.b32 [%mine + {offset}], %ta; "
                f"st.global.b32 [%mine + {offset + 4}], %tb;")  # fmt: skip

    def node(self, node: Node) -> None:
        if not node.kind:
            self.out += [line.replace("FUNCTION", f"{self.name}_f") for line in node.text]
            return
        self.labels += 1
        label = f"L{self.name}_{self.labels}"
        if node.kind == "if":
            guard = node.text[0]
            guard = guard.replace("@!", "@") if "!" in guard else guard.replace("@", "@!")
            self.out.append(f"{guard} bra {label};")
            for child in node.body:
                self.node(child)
            self.out.append(f"{label}:")
            return
        counter = self.counters
        self.counters += 1
        trip = node.text[0]
        if trip:  # 0 to count - 1 times
            mask = 1 if node.count < 4 else 3
            self.out += [f"and.b32 %n{counter}, {trip}, {mask};",
                         f"setp.eq.u32 %q{counter}, %n{counter}, 0;",
                         f"@%q{counter} bra {label}_end;"]  # fmt: skip
        else:
            self.out.append(f"mov.u32 %n{counter}, {node.count};")
        self.out.append(f"{label}:")
        for child in node.body:
            self.node(child)
        self.out += [f"sub.u32 %n{counter}, %n{counter}, 1;",
                     f"setp.ne.u32 %q{counter}, %n{counter}, 0;", f"@%q{counter} bra {label};",
                     f"{label}_end:"]  # fmt: skip

    def emit_function(self) -> None:
        out = self.out
        out.append(f".func (.param .b64 result) {self.name}_f(.param .b32 a, .param .b32 b, "
                   ".param .b32 c) {")  # fmt: skip
        declare(out)
        out += ["ld.param.b32 %r0, [a];", "ld.param.b32 %r1, [b];", "ld.param.b32 %f0, [c];"]
        for i in range(2, POOLS["r"][0]):
            out.append(f"xor.b32 %r{i}, %r{i - 2}, {0x9E3779B1 * i & 0xFFFFFFFF};")
        for i in range(1, POOLS["f"][0]):
            out.append(f"add.rn.f32 %f{i}, %f{i - 1}, {0.25 * i};")
        for i in range(POOLS["d"][0]):
            out += [f"mov.b64 %d{i}, {{%r{i}, %r{i + 1}}};", f"cvt.f64.f32 %g{i}, %f{i};"]
        for i in range(POOLS["h"][0]):
            out += [f"cvt.u16.u32 %h{i}, %r{i};", f"cvt.rn.f16.f32 %x{i}, %f{i};",
                    f"mov.b32 %y{i}, {{%x{i}, %x{max(i - 1, 0)}}};"]
        for i in range(PREDICATES):
            out.append(f"setp.lt.s32 %p{i}, %r{i}, %r{i + 1};")
        out += self.program.function
        out += ["xor.b32 %ta, %r0, %r1; xor.b32 %ta, %ta, %r2; xor.b32 %ta, %ta, %f0;",
                "xor.b32 %tb, %f1, %y0; xor.b32 %tb, %tb, %r3; mov.b64 %tc, {%ta, %tb};",
                "xor.b64 %tc, %tc, %d0; xor.b64 %tc, %tc, %g0; xor.b64 %tc, %tc, %g1;",
                "st.param.b64 [result], %tc;", "ret;", "}"]  # fmt: skip


HEADER = ".version 8.6\n.target sm_90a\n.address_size 64\n\n"


def emit_module(programs: list[Program]) -> str:
    return HEADER + "\n".join(program.emit(f"k{i}") for i, program in enumerate(programs))


def launch_file(programs: list[Program], kernel: str, data: str) -> dict:
    """Every program has an output buffer of its own."""
    buffers = {"in": {"dtype": "u32", "shape": [INPUT_BYTES // 4], "file": data}}
    launches = []
    for i, program in enumerate(programs):
        words = program.out_bytes // 4
        buffers[f"k{i}"] = {"dtype": "u32", "shape": [words], "fill": 0}
        launches.append({"kernel": kernel, "entry": f"k{i}", "grid": [program.ctas],
                         "block": [program.threads],
                         "args": [{"buffer": "in"}, {"buffer": f"k{i}"}]})  # fmt: skip
    return {"buffers": buffers, "launches": launches}


def input_data() -> bytes:
    """Random bits, floats of moderate size and special values, 4 KiB of each in turn."""
    rng = random.Random(1)
    special = [0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000,
               0x00000001, 0x807FFFFF, 0x7F7FFFFF, 0x3C003C00, 0x7C00FC00, 0x00010400,
               0x3FF00000, 0x7FF00000, 0xFFFFFFFF, 1, 2, 31, 32, 0x7FFFFFFF, 0x4B800000]  # fmt: skip
    out = bytearray()
    for block in range(INPUT_BYTES // 4096):
        for _ in range(1024):
            kind = block % 4
            if kind == 0:
                out += struct.pack("<I", rng.getrandbits(32))
            elif kind == 1:
                out += struct.pack("<f", rng.uniform(-8, 8) * 2.0 ** rng.randrange(-8, 9))
            elif kind == 2:
                out += struct.pack("<I", rng.choice(special))
            elif len(out) % 8 == 0:
                out += struct.pack("<d", rng.gauss(0, 4) * 2.0 ** rng.randrange(-20, 21))
        out = out[: 4096 * (block + 1)]
    return bytes(out)
