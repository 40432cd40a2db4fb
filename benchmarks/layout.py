#!/usr/bin/env python3
# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layout algebra beside that of CuTe's Python package, in one run.

Ours is timed by build/release/benchmarks/layout_algebra (Google Benchmark),
which also prints the operands and the result of each operation in CuTe's
notation. CuTe runs the same operation on the same operands, in an environment
of its own (build/cute-venv, made on the first run). Both results are evaluated
at every point and have to be the same map.

What is measured of CuTe is one call of its Python function while a @cute.jit
function is traced, which is the only place where the package computes layouts;
no kernel is compiled and no GPU is used. Such a call goes through MLIR's Python
bindings into the compiled algebra, so its time is that of layout code as users
of the package write it, not that of CuTe's C++ templates.

Each time is the median of RUNS; the spread is the distance of their quartiles
over the median. CuTe leaves the offset of a slice to the pointer, so slices are
compared up to a constant.
"""

import argparse
import ast
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / "build/cute-venv"
PACKAGE = "nvidia-cutlass-dsl==4.8.1"
AIM_US = 2.0  # of each operation of the algebra
AIM_POINTS = 1e8  # evaluated a second


# --- CuTe's notation, evaluated from its definition ---------------------------

def parse(text: str):
    """((B, M, S, offset) or None, shape, stride) of `S<B,M,S> o offset o shape:stride`."""
    match = re.fullmatch(r"(?:Sw?<(\d+),(\d+),(-?\d+)> o (\d+) o )?([\d(),]+):([-\d(),]+)", text.strip())
    if not match:
        sys.exit(f"expected a layout, got {text}")
    swizzle = tuple(map(int, match.groups()[:4])) if match[1] else None
    return swizzle, *map(ast.literal_eval, match.groups()[4:])


def size(shape) -> int:
    return math.prod(map(size, shape)) if isinstance(shape, tuple) else shape


def crd2idx(index: int, shape, stride) -> int:
    if not isinstance(shape, tuple):
        return index * stride
    result = 0
    for extent, step in zip(shape, stride):
        result += crd2idx(index % size(extent), extent, step)
        index //= size(extent)
    return result


def points(text: str) -> list:
    """Where the layout puts each index, or the number that the text is."""
    if ":" not in text:
        return [int(text)]
    swizzle, shape, stride = parse(text)
    result = [crd2idx(i, shape, stride) for i in range(size(shape))]
    if swizzle:
        bits, base, shift, offset = swizzle
        mask = ((1 << bits) - 1) << (base + max(shift, 0))
        result = [i + offset for i in result]
        result = [i ^ ((i & mask) >> shift if shift >= 0 else (i & mask) << -shift) for i in result]
    return result


# --- CuTe's side, in its own environment --------------------------------------

def run_cute(cases: list, runs: int) -> list:
    """For each (operation, operands): the times in microseconds and the result,
    or the reason why CuTe has none."""
    import cutlass.cute as cute

    def make(parsed):
        swizzle, shape, stride = parsed
        layout = cute.make_layout(shape, stride=stride)
        return cute.make_composed_layout(cute.make_swizzle(*swizzle[:3]), swizzle[3], layout) if swizzle else layout

    def halve(layout):
        tiler = tuple(size(extent) // 2 for extent in layout.shape)
        return cute.slice_(cute.zipped_divide(layout, tiler), (None, (1,) * len(tiler)))

    def operation(name, operands):
        if name == "make":
            parsed = parse(operands[0])
            return lambda: make(parsed)
        layout = make(parse(operands[0]))
        if name == "apply":
            index = int(operands[1])
            return lambda: cute.crd2idx(index, layout)
        others = [make(parse(text)) for text in operands[1:]]
        function = {"canonicalize": cute.coalesce, "slice": halve, "compose": cute.composition,
                    "inverse": cute.right_inverse, "tile": cute.blocked_product}[name]
        return lambda: function(layout, *others)

    def measure(call, number=50):
        result = str(call())
        for _ in range(number):  # its caches are filled
            call()
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            for _ in range(number):
                call()
            times.append((time.perf_counter() - start) / number * 1e6)
        return {"times": times, "result": result}

    results = []

    def run_all():
        for name, operands in cases:
            try:
                results.append(measure(operation(name, operands)))
            except Exception as error:  # the package raises many kinds
                results.append({"reason": re.sub(r"\x1b\[\d+m", "", str(error)).strip().splitlines()[0]})

    @cute.jit
    def trace():
        run_all()

    trace()
    return results


def call_cute(cases: list, runs: int) -> list:
    python = VENV / "bin/python"
    if not (VENV / ".complete").exists():
        print(f"installing {PACKAGE} into {VENV.relative_to(ROOT)}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", PACKAGE], check=True)
        (VENV / ".complete").touch()
    done = subprocess.run([python, __file__, "--cute", f"--runs={runs}"], input=json.dumps(cases),
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


# --- Ours and the table -------------------------------------------------------

def run_ours(binary: pathlib.Path, runs: int) -> dict:
    """By name: the times in microseconds, the label, and items a second."""
    done = subprocess.run([binary, "--benchmark_format=json", f"--benchmark_repetitions={runs}",
                           "--benchmark_min_time=0.02"], capture_output=True, text=True, check=True)
    ours: dict = {}
    for row in json.loads(done.stdout)["benchmarks"]:
        if row["run_type"] != "iteration":
            continue
        entry = ours.setdefault(row["name"], {"times": [], "items": [], "label": row.get("label", "")})
        entry["times"].append(row["cpu_time"] / 1e3)
        entry["items"].append(row.get("items_per_second", 0))
    return ours


def describe(times: list) -> str:
    low, median, high = statistics.quantiles(times, n=4)
    return f"{median:>9.3f}{(high - low) / median * 100:>7.0f}%"


def same_map(name: str, ours: str, theirs: str) -> bool:
    left, right = points(ours), points(theirs)
    if name == "slice":
        left, right = ([p - places[0] for p in places] for places in (left, right))
    return left == right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", default=15, type=int)
    parser.add_argument("--bin", default=ROOT / "build/release/benchmarks/layout_algebra", type=pathlib.Path)
    parser.add_argument("--cute", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.cute:
        print(json.dumps(run_cute(json.load(sys.stdin), args.runs)))
        return 0
    if not args.bin.exists():
        sys.exit(f"build it first: scripts/build release {args.bin.name}")

    ours = run_ours(args.bin, args.runs)
    names = [name for name, entry in ours.items() if entry["label"]]
    labels = [ours[name]["label"].split("; ") for name in names]
    theirs = call_cute([(name.split("/")[0], label[:-1]) for name, label in zip(names, labels)], args.runs)

    print(f"medians of {args.runs}, microseconds a call; {PACKAGE}, traced\n")
    print(f"{'operation':<18}{'ours':>9}{'spread':>8}{'CuTe':>9}{'spread':>8}{'CuTe/ours':>11}  result")
    failed = 0
    for name, label, cute in zip(names, labels, theirs):
        times = ours[name]["times"]
        failed += statistics.median(times) > AIM_US
        if "reason" in cute:
            print(f"{name:<18}{describe(times)}{'-':>9}{'':>19}  none of CuTe's: {cute['reason'][:60]}")
            continue
        ratio = statistics.median(cute["times"]) / statistics.median(times)
        same = same_map(name.split("/")[0], label[-1], cute["result"])
        failed += not same
        print(f"{name:<18}{describe(times)}{describe(cute['times'])}{ratio:>11.0f}"
              f"  {'same' if same else 'DIFFERENT: ' + label[-1] + ' and ' + cute['result']}")
    for name, entry in ours.items():
        if entry["label"]:
            continue
        rate = statistics.median(entry["items"])
        print(f"{name:<18}{describe(entry['times'])}" + (f"{rate:>12.3g} points a second" if rate else ""))
        failed += rate < AIM_POINTS if name == "evaluateAll" else 0
    print(f"\nover {AIM_US} us, under {AIM_POINTS:.0e} points a second, or different: {failed}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
