#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the cases of make_cases.py on a GPU and compares with the simulator.

  run_cases.py FOLDER

Needs an sm_90a GPU, its driver and NumPy; closes on `N passed, N failed`.
"""

import ctypes
import json
import pathlib
import sys

import numpy as np

cuda = ctypes.CDLL("libcuda.so.1")
WIDTHS = {"f16": 2, "bf16": 2, "f32": 4, "u32": 4}


def check(status: int, what: str) -> None:
    if status:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"{what}: {text.value.decode() if text.value else status}")


def run_case(case: pathlib.Path) -> int:
    """Returns the number of bytes in which GPU and simulator differ."""
    launch = json.loads((case / "launch.json").read_text())
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    text = (case / launch["kernel"]).read_bytes() + b"\0"
    check(cuda.cuModuleLoadData(ctypes.byref(module), text), "cuModuleLoadData")
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, launch["entry"].encode()),
          "cuModuleGetFunction")
    pointers = {}
    for name, spec in launch["buffers"].items():
        size = int(np.prod(spec["shape"])) * WIDTHS[spec["dtype"]]
        pointer = ctypes.c_uint64()
        check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(size)), "cuMemAlloc")
        data = np.load(case / spec["file"]).tobytes() if "file" in spec else bytes(size)
        check(cuda.cuMemcpyHtoD_v2(pointer, data, ctypes.c_size_t(size)), "cuMemcpyHtoD")
        pointers[name] = (pointer, size)
    values = [pointers[arg["buffer"]][0] for arg in launch["args"]]
    arguments = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
    check(cuda.cuLaunchKernel(function, *launch["grid"], *launch["block"],
                              ctypes.c_uint(launch["shared"]), None, arguments, None), "launch")
    check(cuda.cuCtxSynchronize(), "synchronize")
    pointer, size = pointers["D"]
    result = ctypes.create_string_buffer(size)
    check(cuda.cuMemcpyDtoH_v2(result, pointer, ctypes.c_size_t(size)), "cuMemcpyDtoH")
    for pointer, _ in pointers.values():
        check(cuda.cuMemFree_v2(pointer), "cuMemFree")
    check(cuda.cuModuleUnload(module), "cuModuleUnload")
    expected = np.frombuffer(np.load(case / "sim_D.npy").tobytes(), np.uint8)
    return int((np.frombuffer(result.raw, np.uint8) != expected).sum())


def main() -> int:
    device, context = ctypes.c_int(), ctypes.c_void_p()
    check(cuda.cuInit(0), "cuInit")
    check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "context")
    check(cuda.cuCtxSetCurrent(context), "context")
    passed = failed = 0
    for case in sorted(p.parent for p in pathlib.Path(sys.argv[1]).glob("*/launch.json")):
        try:
            different = run_case(case)
        except RuntimeError as error:
            print(f"{case.name}: {error}")
            failed += 1
            continue
        if different:
            print(f"{case.name}: {different} bytes differ from the simulator")
        passed += not different
        failed += bool(different)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
