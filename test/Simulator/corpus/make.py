#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs/*.cu to ptx/*.tar.xz with nvcc.

  make.py [--nvcc NVCC] [--jobs N] [PROGRAM ...]

Each for sm_80 and sm_90a, once without any optimisation (every inline function is
a call, every variable lies in local memory) and once with -O3. The PTX of one
program is one archive, without comments and tables that nobody reads; it is checked
in because tests need neither nvcc nor a GPU.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import io
import lzma
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = ("sm_80", "sm_90a")
LEVELS = {"O0": ["-Xcicc", "-O0"], "O3": ["-O3"]}
HOPPER = {"hopper"}  # programs for sm_90a alone


def without_comments(text: str) -> str:
    lines = (line.rstrip() for line in re.sub(r"(?m)^\s*//.*$", "", text).splitlines())
    return "\n".join(line for line in lines if line) + "\n"


def without_unused_tables(text: str) -> str:
    """Headers bring tables, which nvcc keeps though no kernel reads them."""
    used = collections.Counter(re.findall(r"[\w$]+", re.sub(r"(?m)^\.global .*= \{.*\};$", "", text)))

    def keep(match: re.Match) -> str:
        return match[0] if used[match[1]] else ""

    return re.sub(r"(?m)^\.global [^=\n]*?([\w$]+)\[\d+\] = \{.*\};\n", keep, text)


def compile_one(source: pathlib.Path, target: str, level: str, nvcc: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.ptx"
        command = [nvcc, "-ptx", f"-arch={target}", *LEVELS[level], "-std=c++17", "-w",
                   "--extended-lambda", "-o", str(out), source.name]
        done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{source.name} for {target} at {level}:\n{done.stdout}{done.stderr}")
        return without_unused_tables(without_comments(out.read_text()))


def compile_program(source: pathlib.Path, nvcc: str) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for level in LEVELS:
            for target in TARGETS:
                if source.stem in HOPPER and target != "sm_90a":
                    continue
                text = compile_one(source, target, level, nvcc).encode()
                info = tarfile.TarInfo(f"{target}.{level}.ptx")
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text))
    packed = lzma.compress(archive.getvalue(), preset=9 | lzma.PRESET_EXTREME)
    (HERE / "ptx" / f"{source.stem}.tar.xz").write_bytes(packed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("programs", nargs="*", help="names without .cu; all by default")
    args = parser.parse_args()
    sources = sorted((HERE / "programs").glob("*.cu"))
    chosen = [s for s in sources if not args.programs or s.stem in args.programs]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for job in [pool.submit(compile_program, source, args.nvcc) for source in chosen]:
            if error := job.exception():
                print(error)
                failed += 1
    print(f"{len(chosen) - failed} programs compiled, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
