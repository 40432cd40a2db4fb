#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of this folder by Triton, without a GPU, into kernels.tar.xz.

  make.py               needs Python with `triton` (PyPI)

For each kernel and target the archive has NAME.TARGET.ptx, and NAME.TARGET.json with
what a launch needs: warps, bytes of shared memory and of scratch memory for each CTA.
"""

import io
import json
import os
import pathlib
import tarfile

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")

import programs  # noqa: E402
import triton  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CAPABILITIES = {"sm_80": 80, "sm_90a": 90, "sm_100a": 100}


def compile_program(program, target):
    kernel, types, constants = program.kernel, program.types, program.constants
    constexprs = {(kernel.arg_names.index(key),): value for key, value in constants.items()}
    signature = {**types, **{key: "constexpr" for key in constants}}
    attributes = {(i,): [["tt.divisibility", 16]] for i, key in enumerate(kernel.arg_names)
                  if types.get(key, "")[:1] == "*" or key in program.multiples_of_16}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constexprs, attrs=attributes)
    return triton.compile(source, target=GPUTarget("cuda", CAPABILITIES[target], 32),
                          options={"num_warps": program.warps, "num_stages": program.stages})


def without_debug_sections(ptx):
    """The sections hold paths of the machine that compiled."""
    lines, skipping = [], False
    for line in ptx.splitlines():
        skipping = skipping or line.lstrip().startswith((".section", ".file"))
        if not skipping and ".loc" not in line:
            lines.append(line.rstrip())
        if skipping and (line.startswith("\t}") or line.startswith("}") or ".file" in line):
            skipping = False
    return "\n".join(lines) + "\n"


def main():
    with tarfile.open(HERE / "kernels.tar.xz", "w:xz", preset=9) as archive:
        for name, program in programs.PROGRAMS.items():
            for target in program.targets:
                compiled = compile_program(program, target)
                metadata = {"entry": program.kernel.__name__, "warps": compiled.metadata.num_warps,
                            "shared": compiled.metadata.shared,
                            "scratch": compiled.metadata.global_scratch_size}
                for suffix, text in (("ptx", without_debug_sections(compiled.asm["ptx"])),
                                     ("json", json.dumps(metadata))):
                    data = text.encode()
                    entry = tarfile.TarInfo(f"{name}.{target}.{suffix}")
                    entry.size = len(data)
                    archive.addfile(entry, io.BytesIO(data))
                print(name, target, metadata)


if __name__ == "__main__":
    main()
