#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the .cu files of this folder to ptx/*.ptx.xz with nvcc.

Each for sm_80, sm_90a and sm_100a, once with -G (no optimisation, DWARF) and
once with -O3 -lineinfo. What nvcc wrote is kept as it is. Run it again after a
change of a source; the PTX is checked in because tests must not need nvcc.
"""

import argparse
import concurrent.futures
import lzma
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = {"debug": ["-G"], "O3": ["-O3", "-lineinfo"]}
FROM = {"hopper": ("sm_90a", "sm_100a"), "blackwell": ("sm_100a",)}
ALL = ("sm_80", "sm_90a", "sm_100a")


def neutral(text: str, folder: str) -> str:
    """The text without this machine's folder: another of the same length stands
    in .file and in the bytes of the debug sections."""
    name = "/corpus"
    other = name + "/." * ((len(folder) - len(name)) // 2)
    other += "/" * (len(folder) - len(other))
    for spell in (
        str,
        lambda path: ",".join(str(ord(c)) for c in path),
        lambda path: "\n".join(f".b8 {ord(c)}" for c in path),
    ):
        text = text.replace(spell(folder), spell(other))
    return text


def compile_one(source: pathlib.Path, arch: str, level: str, nvcc: str) -> str:
    """Returns the errors of the compiler, or ""."""
    target = HERE / "ptx" / f"{source.stem}.{arch}.{level}.ptx.xz"
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.ptx"
        command = [nvcc, "-ptx", f"-arch={arch}", *LEVELS[level], "-rdc=true",
                   "-std=c++17", "-w", "-o", str(out), source.name]
        result = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
        if result.returncode:
            return f"{source.name} for {arch}, {level}:\n{result.stderr}"
        text = neutral(out.read_text(), str(HERE))
        target.write_bytes(lzma.compress(text.encode(), preset=9))
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("sources", nargs="*", help="names without .cu; all by default")
    args = parser.parse_args()
    (HERE / "ptx").mkdir(exist_ok=True)
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for source in sorted(HERE.glob("*.cu")):
            if args.sources and source.stem not in args.sources:
                continue
            for arch in FROM.get(source.stem, ALL):
                for level in LEVELS:
                    jobs.append(pool.submit(compile_one, source, arch, level, args.nvcc))
    errors = [job.result() for job in jobs if job.result()]
    print("\n".join(errors), f"{len(jobs) - len(errors)} compiled, {len(errors)} failed")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
