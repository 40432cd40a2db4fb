# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random wrong calls of the tracing API and of the C API.

  fuzz_calls.py trace|capi COUNT SEED

A mistake in a kernel must be a TraceError at a line of the user's, and every function
of the C API must answer. A crash of the process shows as its exit status; anything else
that is wrong is printed and ends it with 1.
"""

from __future__ import annotations

import ctypes
import json
import math
import pathlib
import random
import sys
import traceback
from typing import Any, Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import tirx.lite as txl
from tirx import _native
from tirx.runtime.kernel import CompileError

Rng = random.Random


# --- Tracing -----------------------------------------------------------------------


class Odd:
    """An object that no one expects."""


def constants(rng: Rng) -> Any:
    return rng.choice([
        None, True, 0, 1, -1, 3, 31, 1 << 31, 1 << 64, -(1 << 70), 0.0, 1.5, math.inf, math.nan,
        "", "float32", "x", b"b", [], [0], [1, 2], (), (4,), (4, 4), (0,), (-1,), {}, {"a": 1},
        Odd(), Odd, print, lambda: 0, range(3), slice(1, 2), 1j, "\0", "\ud800", "💥", txl.f32,
        txl.SW128B, txl.ptx.SINK, txl.ptx.add, [[[]]], list(range(40)),
    ])


def values(rng: Rng) -> Any:
    """Something of the kernel's, or a constant."""
    makers: list[Callable[[], Any]] = [
        lambda: constants(rng), lambda: constants(rng),
        txl.thread_id, txl.lane_id, lambda: txl.local_scalar(rng.choice(["f32", "u32", "u64"])),
        lambda: txl.local_scalar(txl.bool, init=True), lambda: txl.alloc_local([4], "u32"),
        lambda: txl.smem_pool().alloc((8, 64), "float16", swizzle=txl.SW128B),
        lambda: txl.smem_pool().alloc((4,), "uint64").ptr_to([0]),
        lambda: txl.thread_id() * 4 + 1, lambda: txl.thread_id() < 3, txl.smem_pool,
    ]
    return rng.choice(makers)()


MNEMONICS = [i["mnemonic"] for i in _native.instructions()]
TOKENS = sorted({c for i in _native.instructions() for f in i["forms"] for s in f["slots"]
                 for c in s["choices"]})
RESOLVED = ["add.f32", "ld.global.v4.u32", "st.shared.u32", "mbarrier.init.shared.b64",
            "shfl.sync.bfly.b32", "cvt.rn.f16x2.f32", "setp.lt.s32", "atom.global.add.u32",
            "wgmma.fence.sync.aligned", "tcgen05.wait::ld.sync.aligned", "bar.sync", "selp.f32"]
NAMES = sorted(n for n in dir(txl) if not n.startswith("_") and callable(getattr(txl, n))
               and n not in ("kernel", "TraceError", "CompileError", "SimulationError"))
CUDA = sorted(n for n in vars(txl.cuda) if not n.startswith("_")
              and getattr(getattr(txl.cuda, n), "__module__", "") == "tirx.lite.cuda")


def instruction(rng: Rng) -> str:
    if rng.random() < 0.6:
        return rng.choice(RESOLVED)
    text = rng.choice(MNEMONICS)
    for _ in range(rng.randrange(4)):
        text += "." + rng.choice(TOKENS).lstrip(".")
    return text


def one_call(rng: Rng) -> None:
    arguments = [values(rng) for _ in range(rng.randrange(6))]
    kind = rng.randrange(6)
    if kind <= 1:
        txl.ptx[instruction(rng)](*arguments, **({"pred": values(rng)} if rng.random() < .2 else {}))
    elif kind == 2:
        getattr(txl, rng.choice(NAMES))(*arguments)
    elif kind == 3:
        getattr(txl.cuda, rng.choice(CUDA))(*arguments)
    elif kind == 4:
        target = values(rng)
        methods = [m for m in dir(type(target)) if not m.startswith("_")
                   or m in ("__add__", "__getitem__", "__lt__", "__rshift__", "__setitem__")]
        if type(target).__module__.startswith("tirx") and methods:
            getattr(target, rng.choice(methods))(*arguments)
    else:
        with txl.If(values(rng)), rng.choice([txl.Then, txl.Else])():
            txl.assign(values(rng), values(rng))


def trace_once(rng: Rng) -> str:
    """One kernel of a few calls; what went wrong otherwise than it should, or ""."""
    calls = rng.randrange(1, 4)

    def traced(p: txl.gptr(txl.f32)) -> None:
        for _ in range(calls):
            one_call(rng)

    traced.__annotations__["p"] = txl.gptr(txl.f32)
    try:
        kernel = txl.kernel(traced, warps=rng.choice([1, 1, 1, 4, 0, "4", None, 33]))
        if rng.random() < 0.05:
            kernel.source()
    except txl.TraceError as error:
        if error.place[0] != __file__:
            return f"expected a place in {__file__}, got {error.place}: {error}"
    except CompileError as error:
        if any("file" not in d for d in error.diagnostics):
            return f"expected a place: {error}"
    except RecursionError:
        pass
    except Exception:
        text = traceback.format_exc()
        last = traceback.extract_tb(sys.exc_info()[2])[-1]
        # TypeErrors of calls that this file itself makes with wrong counts are the user's.
        if last.filename != __file__:
            return text
    return ""


# --- The C API -----------------------------------------------------------------------


PTX = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r1;
  ret;
}
"""
MLIR = """gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @k() kernel attributes {tirx.explicit_sync} { gpu.return }
}
"""


def mutate(rng: Rng, text: str) -> bytes:
    data = bytearray(text.encode())
    for _ in range(rng.randrange(8)):
        if not data:
            break
        at = rng.randrange(len(data))
        action = rng.randrange(4)
        if action == 0:
            data[at] = rng.randrange(256)
        elif action == 1:
            del data[at:at + rng.randrange(1, 30)]
        elif action == 2:
            data[at:at] = data[max(at - rng.randrange(30), 0):at]
        else:
            data[at:at] = rng.choice([b"{", b"}", b"\0", b"\xff", b"9" * 20, b"-1", b'"', b"[" * 50])
    return bytes(data)


def options(rng: Rng) -> bytes:
    keys = ["name", "target", "levels", "remarks", "report", "async", "seed", "uninit", "max_steps",
            "on", "layout", "other", "shape", "dtype", "at", "op", "format", "explain", "tensor_maps"]
    scalars = [None, True, -1, 0, 1 << 62, 1.5, "", "sm_90", "ptx", "eager", "random", "sm_100a",
               "S[(4, 8) : (8, 1)]", "f16", "svg", "apply", "canonicalize", [], ["ptx"], [4, 8],
               [[1]], {}, {"a": []}]
    chosen = {rng.choice(keys): rng.choice(scalars) for _ in range(rng.randrange(6))}
    chosen.setdefault("max_steps", 10000)
    text = json.dumps(chosen)
    return mutate(rng, text) if rng.random() < 0.3 else text.encode()


class CApi:
    def __init__(self) -> None:
        self.library = _native._library()
        self.context = self.library.tirxContextCreate()

    def string(self, data: bytes) -> Any:
        self.keep.append(data)
        return _native._string(data)[0]

    def finish(self, pointer: Any) -> None:
        if pointer:
            result = _native.Result(pointer)
            for part in ("error", "diagnostics", "result", "text", "answer", "ptx", "", "x" * 99):
                result.bytes(part)

    def one_call(self, rng: Rng) -> None:
        self.keep: list[bytes] = []
        [self.compile, self.simulate, self.layout, self.show, self.resolve, self.launch_file][
            rng.randrange(6)](rng)

    def compile(self, rng: Rng) -> None:
        self.finish(self.library.tirxCompile(
            self.context, self.string(mutate(rng, MLIR)), self.string(options(rng))))

    def simulate(self, rng: Rng) -> None:
        failure = ctypes.c_void_p()
        text = mutate(rng, PTX) if rng.random() < 0.5 else PTX.encode()
        module = self.library.tirxModuleLoad(
            self.string(text), self.string(b"k"), self.string(mutate(rng, "")),
            ctypes.byref(failure))
        if not module:
            self.finish(failure.value)
            return
        self.finish(self.library.tirxModuleDescribe(module))
        memory = ctypes.create_string_buffer(4096)
        count = rng.randrange(3)
        buffers = (_native._Buffer * max(count, 1))()
        for buffer in buffers[:count]:
            buffer.name, buffer.data = self.string(b"a"), ctypes.addressof(memory)
            buffer.size, buffer.read_only = rng.choice([0, 4, 128, 4096]), rng.random() < 0.2
        arguments = (_native._Argument * 4)()
        number = rng.choice([0, 1, 2, 2, 2, 3, 4])
        for argument in arguments[:number]:
            argument.buffer = rng.choice([-1, 0, 0, 1, 7])
            argument.offset = rng.choice([0, 4, 1 << 40])
            argument.bytes, argument.size = ctypes.addressof(memory), rng.choice([0, 4, 4, 8, 99])
        three = ctypes.c_uint32 * 3
        extents = [three(*(rng.choice([0, 1, 1, 2, 33, 1025]) for _ in range(3))) for _ in range(3)]
        launch = _native._Launch(
            self.string(rng.choice([b"", b"k", b"x"])), *extents, rng.choice([0, 1024, 1 << 40]),
            buffers, count, arguments, number)
        self.finish(self.library.tirxSimulate(module, ctypes.byref(launch),
                                              self.string(options(rng))))
        self.library.tirxModuleDestroy(module)

    def layout(self, rng: Rng) -> None:
        self.finish(self.library.tirxAnswerLayoutRequest(self.string(options(rng))))

    def show(self, rng: Rng) -> None:
        self.finish(self.library.tirxShowLayout(self.string(options(rng))))

    def resolve(self, rng: Rng) -> None:
        self.finish(self.library.tirxResolveInstruction(
            self.string(mutate(rng, instruction(rng)))))

    def launch_file(self, rng: Rng) -> None:
        text = json.dumps({"kernel": "k.ptx", "grid": [1], "block": [32], "buffers": {
            "a": {"dtype": "i32", "shape": [32]}}, "args": [{"buffer": "a"}, {"i32": 3}]})
        self.finish(self.library.tirxRunLaunchFile(
            self.string(mutate(rng, text)), self.string(b"/no/such/folder"),
            self.string(options(rng))))


def main() -> int:
    kind, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    api = CApi() if kind == "capi" else None
    for number in range(count):
        rng = random.Random(f"{kind} {seed} {number}")
        if api is not None:
            api.one_call(rng)
        elif problem := trace_once(rng):
            print(f"call {number} of seed {seed}: {problem}")
            return 1
    print(f"{count} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
