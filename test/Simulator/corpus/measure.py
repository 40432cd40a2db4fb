#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the cases on a GPU and keeps the digests of what it computes.

  measure.py prepare FOLDER VARIANT ...   here: inputs, and cubins by ptxas
  measure.py run FOLDER                   there (NumPy, an sm_90a GPU): FOLDER/digests.json
  measure.py keep FOLDER ...              here: adds them to h200.json
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def prepare(folder: pathlib.Path, variants: list[str]) -> None:
    import numpy as np

    import corpus

    entries = []
    blob = bytearray()

    def keep(array) -> list[int]:
        data = np.ascontiguousarray(array).tobytes()
        at = len(blob)
        blob.extend(data)
        return [at, len(data)]

    def pack(argument):
        if isinstance(argument, corpus.Struct):
            return {"struct": [pack(f) for f in argument.fields]}
        if isinstance(argument, np.generic):
            return {"value": argument.tobytes().hex()}
        if isinstance(argument, corpus.Out):
            size = int(np.prod(argument.shape)) * argument.dtype.itemsize
            given = None if argument.initial is None else keep(argument.initial)
            return {"size": size, "data": given, "repeatable": argument.repeatable}
        return {"data": keep(argument)}

    for case in corpus.load_cases():
        on = [v for v in variants if case.runs(v) and case.runs_on_gpu(v)]
        if on and not case.before and not case.options:
            entries.append({"id": case.id, "program": case.program, "entry": case.entry, "grid": case.grid, "variants": on,
                            "block": case.block, "shared": case.shared, "cooperative": bool(case.keys.get("cooperative")),
                            "args": [pack(a) for a in case.arguments()]})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cases.json").write_text(json.dumps({"variants": variants, "cases": entries}))
    (folder / "inputs.bin").write_bytes(blob)
    for program in sorted({e["program"] for e in entries}):
        for variant, text in corpus.archive(program).items():
            cubin = folder / f"{program}.{variant}.cubin"
            if variant in variants and not cubin.exists():
                ptx = cubin.with_suffix(".ptx")
                ptx.write_bytes(text)
                # Nor does the simulator join a product and a sum that PTX keeps apart.
                subprocess.run(["ptxas", "-arch=sm_90a", "--fmad=false", str(ptx), "-o", str(cubin)], check=True)
                ptx.unlink()


def run(folder: pathlib.Path) -> None:
    cuda = ctypes.CDLL("libcuda.so.1")

    def check(status: int, what: str) -> None:
        if status:
            raise RuntimeError(f"{what}: error {status} of the driver")

    context, device = ctypes.c_void_p(), ctypes.c_int()
    check(cuda.cuInit(0), "cuInit")
    check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "context")
    check(cuda.cuCtxSetCurrent(context), "context")
    stack = 0  # CU_LIMIT_STACK_SIZE
    check(cuda.cuCtxSetLimit(stack, ctypes.c_size_t(1 << 17)), "cuCtxSetLimit")
    plan = json.loads((folder / "cases.json").read_text())
    blob = (folder / "inputs.bin").read_bytes()
    digests = {}
    for variant in plan["variants"]:
        modules = {}
        for case in plan["cases"]:
            cubin = folder / f"{case['program']}.{variant}.cubin"
            if not cubin.exists() or variant not in case["variants"]:
                continue
            if cubin not in modules:
                module = ctypes.c_void_p()
                check(cuda.cuModuleLoadData(ctypes.byref(module), cubin.read_bytes()), cubin.name)
                modules[cubin] = module
            function = ctypes.c_void_p()
            check(cuda.cuModuleGetFunction(ctypes.byref(function), modules[cubin], case["entry"].encode()), case["id"])
            outs, values, pointers = {}, [], []
            for i, argument in enumerate(case["args"]):
                if "struct" in argument:
                    values.append(b"".join(bytes.fromhex(f["value"]) for f in argument["struct"]))
                elif "value" in argument:
                    values.append(bytes.fromhex(argument["value"]))
                else:
                    at, size = argument["data"] or (0, argument.get("size", 0))
                    pointer = ctypes.c_uint64()
                    check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(max(size, 1))), "cuMemAlloc")
                    data = blob[at:at + size] if argument["data"] else b"\x7f" * size
                    check(cuda.cuMemcpyHtoD_v2(pointer, data, ctypes.c_size_t(size)), "cuMemcpyHtoD")
                    pointers.append(pointer)
                    values.append(bytes(pointer))
                    if argument.get("repeatable"):
                        outs[f"a{i}"] = (pointer, size)
            buffers = [ctypes.create_string_buffer(v, len(v)) for v in values]
            table = (ctypes.c_void_p * len(buffers))(*(ctypes.addressof(b) for b in buffers))
            launch = cuda.cuLaunchCooperativeKernel if case["cooperative"] else cuda.cuLaunchKernel
            last = [] if case["cooperative"] else [None]
            check(launch(function, *case["grid"], *case["block"], ctypes.c_uint(case["shared"]), None, table, *last), case["id"])
            check(cuda.cuCtxSynchronize(), case["id"])
            found = {}
            for name, (pointer, size) in outs.items():
                result = ctypes.create_string_buffer(size)
                check(cuda.cuMemcpyDtoH_v2(result, pointer, ctypes.c_size_t(size)), case["id"])
                found[name] = hashlib.sha256(result.raw).hexdigest()[:16]
            for pointer in pointers:
                cuda.cuMemFree_v2(pointer)
            digests[f"{case['id']}-{variant}"] = found
    (folder / "digests.json").write_text(json.dumps(digests))
    print(f"{len(digests)} runs measured")


def keep(folders: list[pathlib.Path]) -> None:
    path = HERE / "h200.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    for folder in folders:
        known.update(json.loads((folder / "digests.json").read_text()))
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(known.items()))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if command == "prepare":
        prepare(folder, sys.argv[3:])
    elif command == "run":
        run(folder)
    elif command == "keep":
        keep([pathlib.Path(f) for f in sys.argv[2:]])
    else:
        sys.exit(__doc__)
