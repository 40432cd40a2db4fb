# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of nvcc through the parser and the printer.

Each file is parsed, printed and parsed again: the trees must be the same. Where
there is a ptxas, it makes of the printed text the very code and data that it
makes of nvcc's.
"""

import lzma
import os
import pathlib
import shutil
import struct
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FILES = sorted((HERE / "ptx").glob("*.ptx.xz"))


def find_tool() -> pathlib.Path:
    preset = os.environ.get("TIRX_PRESET", "release")
    tool = ROOT / "build" / preset / "bin" / "TIRxPTXRoundTrip"
    if not tool.exists():
        pytest.skip(f"{tool} is not built")
    return tool


def find_ptxas() -> str:
    candidates = [os.path.join(os.environ[name], "bin/ptxas") for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ]
    for candidate in ["ptxas", *candidates, "/usr/local/cuda/bin/ptxas"]:
        if found := shutil.which(candidate):
            return found
    pytest.skip("there is no ptxas")


def sections(cubin: bytes) -> dict:
    """The code, the constants, the initial data and the relocations of a cubin
    by section name. (Symbols and strings are in the order of the text.)"""
    offset, = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", cubin, offset + i * size) for i in range(count)]
    names = headers[names_index][4]
    found = {}
    for name, _, _, _, start, length, *_ in headers:
        text = cubin[names + name:cubin.index(0, names + name)].decode()
        base = text.removeprefix(".rela").removeprefix(".rel")
        if base.startswith((".text", ".nv.constant", ".nv.global.init", ".nv.shared", ".nv.local")):
            has_bits = not base.startswith((".nv.shared", ".nv.local"))
            found[text] = cubin[start:start + length] if has_bits else length
    return found


def assemble(ptxas: str, source: pathlib.Path, arch: str) -> bytes:
    out = source.with_suffix(".cubin")
    result = subprocess.run([ptxas, f"-arch={arch}", "-c", str(source), "-o", str(out)],
                            capture_output=True, text=True)
    assert result.returncode == 0, f"{source}: {result.stderr[:2000]}"
    return out.read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".ptx")[0])
def test_same_tree_and_code(path, tmp_path):
    tool = find_tool()
    text = tmp_path / path.stem
    text.write_bytes(lzma.decompress(path.read_bytes()))
    (tmp_path / "printed").mkdir()
    result = subprocess.run([str(tool), "--print", str(tmp_path / "printed"), str(text)],
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[:4000]
    assert result.stdout.startswith("1 passed, 0 failed")

    ptxas = find_ptxas()
    arch = path.name.split(".")[1]
    before = sections(assemble(ptxas, text, arch))
    after = sections(assemble(ptxas, tmp_path / "printed" / path.stem, arch))
    assert any(name.startswith(".text.") for name in before)
    assert before.keys() == after.keys()
    for name, content in before.items():
        assert content == after[name], f"{path.name}: section {name} differs"


def test_corpus_is_complete():
    sources = {path.stem for path in HERE.glob("*.cu")}
    assert {path.name.split(".")[0] for path in FILES} == sources
    assert len(FILES) >= 3 * len(sources)


def test_triton(tmp_path):
    """Parses and prints what Triton makes of triton_kernels.py."""
    python = os.environ.get("TIRX_TRITON_PYTHON")
    if not python:
        pytest.skip("TIRX_TRITON_PYTHON names no Python with triton")
    tool = find_tool()
    made = subprocess.run([python, str(HERE / "triton_kernels.py"), str(tmp_path)],
                          capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[-4000:]
    files = sorted(tmp_path.glob("*.ptx"))
    assert len(files) >= 17
    result = subprocess.run([str(tool), *map(str, files)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[:4000]
    assert f"{len(files)} passed, 0 failed" in result.stdout
