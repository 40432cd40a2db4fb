#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what mma.sync and movmatrix do with the registers of a warp.

  measure_fragments.py FOLDER         runs on an sm_90a GPU and writes
                                      FOLDER/fragments.json and fragments.bin
  measure_fragments.py --ptx FILE     only writes the kernels

Registers are random integers that every type holds and whose products are exact, so
that the dump proves layouts of fragments (unittests/Layout/FactoriesMeasuredTest.cpp
reads it from test/data/h200). Needs the driver and NumPy.
"""

from __future__ import annotations

import ctypes
import json
import pathlib
import random
import sys

BITS = {"b1": 1, "s4": 4, "u4": 4, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "b16": 16,
        "f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64}
REGISTERS = {"f32": "f", "s32": "r", "f64": "d"}  # all others are packed in .b32

# 0 to 4 in the narrow types.
SMALL = {"e4m3": [0, 0x38, 0x40, 0x44, 0x48], "e5m2": [0, 0x3C, 0x40, 0x42, 0x44],
         "f16": [0, 0x3C00, 0x4000, 0x4200, 0x4400], "bf16": [0, 0x3F80, 0x4000, 0x4040, 0x4080],
         "tf32": [0, 0x3F800000, 0x40000000, 0x40400000, 0x40800000],
         "f64": [0, 0x3FF0 << 48, 0x4000 << 48, 0x4008 << 48, 0x4010 << 48]}
SMALL["f32"] = SMALL["tf32"]

# m, k, types of A, B and D.
DENSE = [
    (8, 4, "f64", "f64", "f64"), (16, 4, "f64", "f64", "f64"), (16, 8, "f64", "f64", "f64"),
    (16, 16, "f64", "f64", "f64"), (16, 4, "tf32", "tf32", "f32"), (16, 8, "tf32", "tf32", "f32"),
    (16, 8, "f16", "f16", "f16"), (16, 8, "f16", "f16", "f32"), (16, 8, "bf16", "bf16", "f32"),
    (16, 16, "f16", "f16", "f16"), (16, 16, "f16", "f16", "f32"), (16, 16, "bf16", "bf16", "f32"),
    (16, 16, "e4m3", "e5m2", "f32"), (16, 32, "e4m3", "e5m2", "f32"),
    (16, 32, "e5m2", "e4m3", "f16"), (8, 16, "s8", "u8", "s32"), (16, 16, "u8", "s8", "s32"),
    (16, 32, "s8", "s8", "s32"), (8, 32, "s4", "u4", "s32"), (16, 32, "u4", "s4", "s32"),
    (16, 64, "s4", "s4", "s32"), (8, 128, "b1", "b1", "s32"), (16, 128, "b1", "b1", "s32"),
    (16, 256, "b1", "b1", "s32"),
]  # fmt: skip
SPARSE = [
    (16, 16, "f16", "f16", "f32"), (16, 32, "f16", "f16", "f16"), (16, 32, "bf16", "bf16", "f32"),
    (16, 8, "tf32", "tf32", "f32"), (16, 16, "tf32", "tf32", "f32"), (16, 32, "s8", "u8", "s32"),
    (16, 64, "u8", "s8", "s32"), (16, 64, "e4m3", "e5m2", "f32"), (16, 64, "s4", "u4", "s32"),
    (16, 128, "s4", "s4", "s32"),
]  # fmt: skip
# Major-ness of A and B, type of D, of m8n8k4 with f16.
QUAD_PAIRS = [(a, b, d) for a in ("row", "col") for b in ("row", "col") for d in ("f16", "f32")]

# The first elements of each group are the non-zeros: 01 00 for each pair of 2-bit indices.
METADATA = 0x44444444


def make_cases() -> list[dict]:
    cases = []
    for sparse, forms in ((False, DENSE), (True, SPARSE)):
        for m, k, a, b, d in forms:
            op = ".and.popc" if a == "b1" else ""
            name = "mma.sp.sync" if sparse else "mma.sync"
            cases.append({
                "kind": "mma", "m": m, "k": k, "a": a, "b": b, "d": d, "sparse": sparse,
                "instruction": f"{name}.aligned.m{m}n8k{k}.row.col.{d}.{a}.{b}.{d}{op}",
                "elements": [m * k // (64 if sparse else 32), 8 * k // 32, m * 8 // 32],
            })  # fmt: skip
    for a, b, d in QUAD_PAIRS:
        cases.append({
            "kind": "quad_pair", "m": 8, "k": 4, "a": "f16", "b": "f16", "d": d, "sparse": False,
            "layout_a": a, "layout_b": b, "elements": [4, 4, 8],
            "instruction": f"mma.sync.aligned.m8n8k4.{a}.{b}.{d}.f16.f16.{d}",
        })  # fmt: skip
    cases.append({"kind": "movmatrix", "a": "b16", "d": "b16", "elements": [2],
                  "instruction": "movmatrix.sync.aligned.m8n8.trans.b16"})  # fmt: skip
    for i, case in enumerate(cases):
        case["name"] = f"{case['kind']}{i}"
    return cases


def operands(case: dict) -> list[tuple[str, str, int]]:
    """(name, type, elements of a lane) of what is loaded."""
    names = ("a", "b", "c")[: len(case["elements"])]
    return [(n, case["d" if n == "c" else n], e) for n, e in zip(names, case["elements"])]


def words(type_: str, elements: int) -> int:
    return elements * BITS[type_] // 32


def emit_operand(lines: list[str], name: str, type_: str, elements: int) -> str:
    kind, bits = REGISTERS.get(type_, "b"), max(32, BITS[type_])
    count = elements * BITS[type_] // bits
    declared = {"f": ".f32", "r": ".s32", "d": ".f64", "b": ".b32"}[kind]
    lines.append(f"  .reg {declared} %{name}<{count}>;")
    return "{" + ", ".join(f"%{name}{i}" for i in range(count)) + "}"


def emit_kernel(case: dict) -> str:
    """in: the operands of a lane one after the other; out: its D."""
    loaded = operands(case)
    result = ("d", case["d"], case["elements"][-1])
    width = sum(words(t, e) for _, t, e in loaded)
    lines: list[str] = []
    vectors = {n: emit_operand(lines, n, t, e) for n, t, e in (*loaded, result)}
    lines += ["  .reg .b64 %in, %out, %offset;", "  .reg .u32 %lane;",
              "  ld.param.u64 %in, [in];", "  ld.param.u64 %out, [out];",
              "  mov.u32 %lane, %tid.x;", f"  mul.wide.u32 %offset, %lane, {4 * width};",
              "  add.s64 %in, %in, %offset;",
              f"  mul.wide.u32 %offset, %lane, {4 * words(*result[1:])};",
              "  add.s64 %out, %out, %offset;"]  # fmt: skip
    at = 0
    for name, type_, elements in loaded:
        size = max(4, BITS[type_] // 8)
        for i in range(words(type_, elements) * 4 // size):
            lines.append(f"  ld.global.b{8 * size} %{name}{i}, [%in + {at}];")
            at += size
    text = ", ".join(vectors[n] for n in ("d", *(n for n, _, _ in loaded)))
    if case["kind"] == "movmatrix":
        text = text.replace("{", "").replace("}", "")
    if case.get("sparse"):
        lines += ["  .reg .b32 %meta;", f"  mov.b32 %meta, {METADATA};"]
        text += ", %meta, 0"
    lines.append(f"  {case['instruction']} {text};")
    size = max(4, BITS[result[1]] // 8)
    for i in range(words(*result[1:]) * 4 // size):
        lines.append(f"  st.global.b{8 * size} [%out + {i * size}], %d{i};")
    body = "\n".join(lines)
    return f".visible .entry {case['name']}(.param .u64 in, .param .u64 out) {{\n{body}\n  ret;\n}}\n"


def emit_module(cases: list[dict]) -> str:
    header = ".version 9.0\n.target sm_90a\n.address_size 64\n\n"
    return header + "\n".join(emit_kernel(case) for case in cases)


def random_word(rng: random.Random, type_: str) -> list[int]:
    """One or two 32-bit words of random elements."""
    bits = BITS[type_]
    if type_ == "s32":
        return [rng.randrange(-1000, 1000) & 0xFFFFFFFF]
    if type_ not in SMALL:
        return [rng.getrandbits(32)]
    value = 0
    for at in range(0, max(32, bits), bits):
        element = SMALL[type_][rng.randrange(5)]
        if element and rng.random() < 0.5:
            element |= 1 << (bits - 1)
        value |= element << at
    return [value & 0xFFFFFFFF] + ([value >> 32] if bits == 64 else [])


def measure(folder: pathlib.Path) -> None:
    import numpy as np
    cuda = ctypes.CDLL("libcuda.so.1")

    def check(status: int, what: str) -> None:
        if status:
            text = ctypes.c_char_p()
            cuda.cuGetErrorString(status, ctypes.byref(text))
            raise RuntimeError(f"{what}: {text.value.decode() if text.value else status}")

    rng, cases = random.Random(1), make_cases()
    device, context, module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
    check(cuda.cuInit(0), "cuInit")
    check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "context")
    check(cuda.cuCtxSetCurrent(context), "context")
    text = emit_module(cases).encode() + b"\0"
    check(cuda.cuModuleLoadData(ctypes.byref(module), text), "cuModuleLoadData")
    source, target = ctypes.c_uint64(), ctypes.c_uint64()
    for pointer in (source, target):
        check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(65536)), "cuMemAlloc")

    data, arrays = bytearray(), {}

    def put(name: str, values: np.ndarray) -> None:
        arrays[name] = {"dtype": "uint32", "shape": list(values.shape), "offset": len(data)}
        data.extend(np.ascontiguousarray(values, "<u4").tobytes())

    for case in cases:
        loaded = operands(case)
        blocks = []
        for name, type_, elements in loaded:
            count, lanes = words(type_, elements), []
            for _ in range(32):
                lane: list[int] = []
                while len(lane) < count:
                    lane += random_word(rng, type_)
                lanes.append(lane)
            blocks.append(np.array(lanes, np.uint32))
            put(f"{case['name']}_{name}", blocks[-1])
        image = np.ascontiguousarray(np.concatenate(blocks, axis=1)).tobytes()
        shape = (32, words(case["d"], case["elements"][-1]))
        result = np.zeros(shape, np.uint32)
        function = ctypes.c_void_p()
        check(cuda.cuModuleGetFunction(ctypes.byref(function), module, case["name"].encode()),
              "cuModuleGetFunction")  # fmt: skip
        check(cuda.cuMemcpyHtoD_v2(source, image, ctypes.c_size_t(len(image))), "cuMemcpyHtoD")
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(source), ctypes.addressof(target))
        check(cuda.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, arguments, None), "launch")
        check(cuda.cuCtxSynchronize(), case["instruction"])
        check(cuda.cuMemcpyDtoH_v2(result.ctypes.data_as(ctypes.c_void_p), target,
                                   ctypes.c_size_t(result.nbytes)), "cuMemcpyDtoH")  # fmt: skip
        put(f"{case['name']}_d", result)

    about = ("What mma.sync, mma.sp and movmatrix did on an H200: registers (32 lanes, 32-bit "
             "words), unedited; sparse A has its first elements of each group. Written by "
             "test/hardware/measure_fragments.py.")  # fmt: skip
    lines = [json.dumps(key) + ": " + json.dumps(value) for key, value in arrays.items()]
    index = (f'{{"about": {json.dumps(about)},\n"arrays": {{\n' + ",\n".join(lines)
             + '},\n"cases": [\n' + ",\n".join(map(json.dumps, cases)) + "]}\n")  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fragments.json").write_text(index)
    (folder / "fragments.bin").write_bytes(data)
    print(f"{len(cases)} instructions measured")


def main() -> int:
    if len(sys.argv) == 3 and sys.argv[1] == "--ptx":
        pathlib.Path(sys.argv[2]).write_text(emit_module(make_cases()))
    elif len(sys.argv) == 2:
        measure(pathlib.Path(sys.argv[1]))
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
