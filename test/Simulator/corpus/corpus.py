# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the corpus: a kernel of programs/NAME.cu, inputs, what must come out.

cases/NAME.py holds a function for each case of programs/NAME.cu, which returns the
arguments of the kernel in their order:

  an array          a buffer with these contents, read only
  a NumPy scalar    an argument by value
  Struct([...])     several of these, by value in one structure
  Out(...)          a buffer that the kernel writes, with what it must hold then
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib
import io
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tarfile
from typing import Callable

import ml_dtypes
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BIN = pathlib.Path(os.environ.get("TIRX_BIN", ROOT / "build" / os.environ.get("TIRX_PRESET", "release") / "bin"))
SECONDS = 60  # of one run, at most

DTYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
          **{f"{sign}int{bits}": f"{short}{bits}" for sign, short in (("", "i"), ("u", "u")) for bits in (8, 16, 32, 64)}}


@dataclasses.dataclass
class Out:
    """A buffer that the kernel writes. It must then equal `expected`: bit for bit, or
    within rtol, atol, or `ulp` units in the last place of the expected value. `check`
    gets the array instead and asserts. `initial` is what the buffer holds before; none
    means that it was never written. `repeatable` says that the bits do not depend on
    the order in which threads run."""

    expected: np.ndarray | None = None
    rtol: float = 0.0
    atol: float = 0.0
    ulp: float = 0.0
    initial: np.ndarray | None = None
    check: Callable[[np.ndarray], None] | None = None
    shape: tuple | int | None = None
    dtype: type | None = None
    repeatable: bool = True

    def __post_init__(self) -> None:
        model = self.expected if self.expected is not None else self.initial
        if model is not None:
            model = np.asarray(model)
            self.shape, self.dtype = self.shape or model.shape, self.dtype or model.dtype
        self.dtype = np.dtype(self.dtype)

    def judge(self, got: np.ndarray) -> None:
        if self.check:
            self.check(got)
        if self.expected is not None:
            compare(got, np.asarray(self.expected), self.rtol, self.atol, self.ulp)


@dataclasses.dataclass
class Struct:
    fields: list
    align: int | None = None


@dataclasses.dataclass
class Case:
    program: str
    name: str
    entry: str
    grid: tuple
    block: tuple
    shared: int
    keys: dict  # further keys of the launch file
    arguments: Callable[[], list]
    printed: str | None  # what printf must print
    report: str | None  # what a report must contain, when there must be one
    on_gpu: bool
    options: tuple
    gpu_level: str | None  # the only one to run on a GPU
    target: str | None  # the only one to run
    before: tuple  # (entry, grid, block) of launches with the same arguments

    def runs(self, variant: str) -> bool:
        return self.target in (None, variant.split(".")[0])

    def runs_on_gpu(self, variant: str) -> bool:
        return self.on_gpu and self.report is None and self.gpu_level in (None, variant.split(".")[1])

    @property
    def id(self) -> str:
        return f"{self.program}-{self.name}"


CASES: list[Case] = []


def extents(value) -> tuple:
    value = (value,) if isinstance(value, int) else tuple(value)
    return value + (1,) * (3 - len(value))


def case(grid=1, block=32, shared=0, entry=None, name=None, printed=None, report=None,
         on_gpu=True, options=(), gpu_level=None, target=None, before=(),
         **keys):
    """Registers a function as a case; it names the kernel unless `entry` does."""

    def register(function):
        program = function.__module__.removeprefix("cases.")
        CASES.append(Case(program, name or function.__name__, entry or function.__name__, extents(grid),
                          extents(block), shared, keys, function, printed, report, on_gpu, tuple(options), gpu_level, target, tuple(before)))
        return function

    return register


def load_cases() -> list[Case]:
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))
    if not CASES:
        for path in sorted((HERE / "cases").glob("*.py")):
            importlib.import_module(f"cases.{path.stem}")
    return CASES


# Inputs: the same on every machine and with every version of NumPy.

def bits(seed: int, shape, bound: int | None = None, dtype=np.uint64) -> np.ndarray:
    """Element i is splitmix64(seed, i), modulo `bound` when there is one."""
    count = int(np.prod(shape))
    with np.errstate(over="ignore"):
        z = (np.uint64(seed) * np.uint64(0xD1342543DE82EF95)
             + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    if bound is not None:
        z = (z >> np.uint64(11)) % np.uint64(bound)
    return z.astype(dtype).reshape(shape)


def integers(seed: int, shape, low: int, high: int, dtype=np.int32) -> np.ndarray:
    """low <= element < high."""
    return (bits(seed, shape, high - low).astype(np.int64) + low).astype(dtype)


def floats(seed: int, shape, low=-1.0, high=1.0, dtype=np.float32) -> np.ndarray:
    unit = (bits(seed, shape) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return (low + unit * (high - low)).astype(dtype)


def permutation(seed: int, count: int) -> np.ndarray:
    return np.argsort(bits(seed, count), kind="stable").astype(np.int32)


# Comparison.

def ulp_of(values: np.ndarray, dtype) -> np.ndarray:
    """One unit in the last place of `dtype` at each value, as long double."""
    info = ml_dtypes.finfo(dtype)
    magnitude = np.abs(np.asarray(values, np.longdouble))
    magnitude = np.where(np.isfinite(magnitude) & (magnitude > 0), magnitude, np.longdouble(info.smallest_normal))
    exponent = np.maximum(np.frexp(magnitude)[1] - 1, np.frexp(np.longdouble(info.smallest_normal))[1] - 1)
    return np.ldexp(np.longdouble(1), exponent - info.nmant)


def compare(got: np.ndarray, expected: np.ndarray, rtol: float, atol: float, ulp: float) -> None:
    assert got.shape == expected.shape, (got.shape, expected.shape)
    if not (rtol or atol or ulp):
        same = got.astype(expected.dtype).view(np.uint8) == expected.view(np.uint8) if got.dtype == expected.dtype else None
        assert same is not None, f"{got.dtype} instead of {expected.dtype}"
        bad = ~same.reshape(*got.shape, -1).all(-1) if got.ndim else ~same.all()
    else:
        wide, wanted = got.astype(np.longdouble), expected.astype(np.longdouble)
        bound = atol + rtol * np.abs(wanted) + (ulp * ulp_of(wanted, got.dtype) if ulp else 0)
        with np.errstate(invalid="ignore"):
            good = (np.abs(wide - wanted) <= bound) | (wide == wanted) | (np.isnan(wide) & np.isnan(wanted))
        if ulp:  # what rounds to infinity
            largest = np.longdouble(ml_dtypes.finfo(got.dtype).max)
            good |= np.isinf(wide) & (np.abs(wanted) + bound >= largest) & (np.sign(wide) == np.sign(wanted))
        bad = ~good
    if bad.any():
        at = tuple(np.argwhere(bad)[0])
        raise AssertionError(f"{int(bad.sum())} of {bad.size} differ, first at {list(map(int, at))}: "
                             f"got {got[at]!r}, expected {expected[at]!r}")


# Running.

@functools.lru_cache(maxsize=4)
def archive(program: str) -> dict[str, bytes]:
    """PTX by variant (`sm_80.O0`, ...)."""
    data = lzma.decompress((HERE / "ptx" / f"{program}.tar.xz").read_bytes())
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {m.name.removesuffix(".ptx"): tar.extractfile(m).read() for m in tar.getmembers()}


def as_bits(array: np.ndarray) -> np.ndarray:
    array = np.ascontiguousarray(array)
    return array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array


def describe(argument, name: str, folder: pathlib.Path, buffers: dict) -> dict:
    """The entry of `args`; adds to `buffers` and writes its files."""
    if isinstance(argument, Struct):
        fields = [describe(f, f"{name}_{i}", folder, buffers) for i, f in enumerate(argument.fields)]
        return {"struct": fields, **({"align": argument.align} if argument.align else {})}
    if isinstance(argument, np.generic):
        return {DTYPES[argument.dtype.name]: argument.item()}
    if argument is None:
        return {"null": True}
    if isinstance(argument, Out):
        shape = (argument.shape,) if isinstance(argument.shape, int) else argument.shape
        buffers[name] = {"dtype": DTYPES[argument.dtype.name], "shape": list(shape), "out": f"{name}.out.npy"}
        contents = argument.initial
    else:
        contents = np.asarray(argument)
        buffers[name] = {"dtype": DTYPES[contents.dtype.name], "shape": list(contents.shape)}
    if contents is not None:
        contents = np.asarray(contents)
        np.save(folder / f"{name}.npy", as_bits(contents))
        buffers[name]["file"] = f"{name}.npy"
    return {"buffer": name}


def write_case(case: Case, variant: str, folder: pathlib.Path) -> list:
    """Writes the launch file and its inputs; returns the arguments."""
    folder.mkdir(parents=True, exist_ok=True)
    arguments = case.arguments()
    buffers: dict = {}
    described = [describe(a, f"a{i}", folder, buffers) for i, a in enumerate(arguments)]
    (folder / "k.ptx").write_bytes(archive(case.program)[variant])

    def launch(entry, grid, block) -> dict:
        return {"kernel": "k.ptx", "entry": entry, "target": variant.split(".")[0], "grid": extents(grid),
                "block": extents(block), "shared": case.shared, **case.keys, "args": described}

    launches = [launch(*step) for step in (*case.before, (case.entry, case.grid, case.block))]
    keys = {"launches": launches} if case.before else launches[0]
    (folder / "launch.json").write_text(json.dumps({"buffers": buffers, **keys}, indent=1))
    return arguments


def load_out(folder: pathlib.Path, name: str, out: Out) -> np.ndarray:
    got = np.load(folder / f"{name}.out.npy")
    return got.view(out.dtype) if got.dtype != out.dtype else got


def outputs(arguments: list, folder: pathlib.Path):
    for i, argument in enumerate(arguments):
        if isinstance(argument, Out):
            yield f"a{i}", argument, load_out(folder, f"a{i}", argument)


def digest(array: np.ndarray) -> str:
    """Names the bits of an array."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def run_case(case: Case, variant: str, folder: pathlib.Path, options=()) -> dict[str, str]:
    """Runs and judges; returns the digests of the outputs whose bits are determined."""
    arguments = write_case(case, variant, folder)
    done = subprocess.run([str(BIN / "tirx-run"), str(folder / "launch.json"), "--json", *case.options, *options],
                          capture_output=True, text=True, timeout=SECONDS)
    text = done.stdout + done.stderr
    if case.report is not None:
        assert done.returncode == 1 and case.report in text, f"exit status {done.returncode}\n{text[-3000:]}"
        return {}
    assert done.returncode == 0, f"exit status {done.returncode}\n{text[-3000:]}"
    result = json.loads(done.stdout)
    if case.printed is not None:
        assert sorted(result["printed"].splitlines()) == sorted(case.printed.splitlines())
    digests = {}
    for name, out, got in outputs(arguments, folder):
        try:
            out.judge(got)
        except AssertionError as error:
            raise AssertionError(f"output {name}: {error}") from None
        if out.repeatable:
            digests[name] = digest(got)
    return digests
