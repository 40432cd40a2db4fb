# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m tirx`: what it prints and its exit status."""

import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENV = {**os.environ, "PYTHONPATH": str(ROOT / "python")}


def tirx(*args, cwd=ROOT):
    return subprocess.run([sys.executable, "-m", "tirx", *map(str, args)], env=ENV, cwd=cwd,
                          capture_output=True, text=True)


KERNELS = """
    import numpy as np
    import sys
    import tirx.lite as txl

    @txl.kernel(warps=1)
    def one(out: txl.gptr(txl.i32)):
        txl.ptx.st.global_.s32(out.ptr_to([txl.thread_id()]), 1)

    @txl.kernel(warps=1, arch="sm_90")
    def two(out: txl.gptr(txl.i32)):
        txl.ptx.st.global_.s32(out.ptr_to([txl.thread_id()]), 2)

    if __name__ == "__main__":
        out = np.zeros(int(sys.argv[1]), np.int32)
        one.simulate(out)
        print("sum", out.sum())
"""


@pytest.fixture
def kernels(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(textwrap.dedent(KERNELS))
    return path


# --- compile -----------------------------------------------------------------------


@pytest.mark.parametrize("level, text", [
    ("func", "loc("), ("tile", "gpu.module"), ("nvvm", "llvm.func"), ("llvm", "define"),
    ("ptx", ".visible .entry two"),
])
def test_compile_emits_each_level(kernels, level, text):
    done = tirx("compile", f"{kernels}:two", f"--emit={level}")
    assert done.returncode == 0 and text in done.stdout, done.stderr


def test_compile_has_a_target_and_an_output(kernels, tmp_path):
    output = tmp_path / "k.ptx"
    done = tirx("compile", f"{kernels}:one", "--target=sm_100a", "-o", output, "--report")
    assert done.returncode == 0 and done.stdout == "", done.stderr
    assert ".target sm_100a" in output.read_text()
    assert "one" in done.stderr


def test_compile_takes_mlir():
    done = tirx("compile", "examples/hgemm.mlir", "--target=sm_100a", "--remarks")
    assert done.returncode == 0 and ".entry hgemm" in done.stdout, done.stderr
    assert "remark" in done.stderr


# --- view ----------------------------------------------------------------------------


def page_data(text):
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.DOTALL)[1])


def test_view_maps_ptx_to_python(kernels, tmp_path):
    done = tirx("view", f"{kernels}:two", "-o", tmp_path / "view.html")
    assert done.returncode == 0 and done.stdout == "", done.stderr
    panes = page_data((tmp_path / "view.html").read_text())["panes"]
    assert [pane["name"] for pane in panes[:4]] == [
        str(kernels), "tile IR", "instruction IR", "PTX"]
    source, ptx = panes[0], panes[3]
    line = next(n for n, text in enumerate(source["lines"]) if text.endswith(", 2)"))
    stores = [origin for text, origin in zip(ptx["lines"], ptx["origins"]) if "st.global" in text]
    assert stores == [source["origins"][line]]


def test_view_of_mlir_and_of_what_does_not_compile(tmp_path):
    done = tirx("view", "examples/hgemm.mlir", "--target=sm_100a")
    assert done.returncode == 0, done.stderr
    data = page_data(done.stdout)
    assert data["title"] == "hgemm.mlir" and data["remarks"] and data["pictures"]
    done = tirx("view", "examples/hgemm.mlir", "--target=sm_80")
    assert done.returncode == 1 and "sm_80" in done.stderr and done.stdout == ""


# --- run -----------------------------------------------------------------------------


def test_run_a_program_with_its_arguments(kernels):
    done = tirx("run", "--async=lazy", kernels, "32")
    assert done.returncode == 0 and done.stdout == "sum 32\n", done.stderr


def test_run_a_launch_file_of_mlir():
    done = tirx("run", "examples/hgemm.json")
    assert done.returncode == 0, done.stderr
    assert "D" in done.stdout
    done = tirx("run", "examples/hgemm.json", "--json", "--async=random", "--seed=3")
    assert json.loads(done.stdout)["status"] == 0


def test_run_reports_a_mismatch(tmp_path):
    text = json.loads((ROOT / "examples/hgemm.json").read_text())
    text["kernel"] = str(ROOT / "examples/hgemm.mlir")
    np.save(tmp_path / "hgemm_expect.npy", np.zeros((128, 128), np.float16))
    (tmp_path / "l.json").write_text(json.dumps(text))
    done = tirx("run", tmp_path / "l.json")
    assert done.returncode == 1 and "mismatch" in done.stdout, done.stdout + done.stderr


def test_a_report_of_the_simulator_ends_with_1(kernels):
    done = tirx("run", kernels, "31")
    assert done.returncode == 1
    assert "R42" in done.stderr and f"{kernels}:8" in done.stderr
    assert "Traceback" not in done.stderr


# --- layout --------------------------------------------------------------------------


def test_layout_show_and_eval(tmp_path):
    done = tirx("layout", "show", "S[(2, 4) : (4, 1)]", "S[(2, 4) : (1, 2)]")
    assert "6 of 8 elements differ" in done.stdout, done.stderr
    done = tirx("layout", "eval", "S[(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1)]",
                "--shape=8x16", "--at=1,3")
    assert done.stdout == "laneid 5, m 1, warpid 0\n"
    done = tirx("layout", "eval", "--request", '{"op": "size", "layout": "S[(8) : (1)]"}')
    assert done.stdout == "8\n"
    picture = tmp_path / "p.svg"
    done = tirx("layout", "show", "S[(8, 64) : (64, 1)]", "--dtype=f16", "--svg", picture)
    assert done.returncode == 0 and picture.read_text().startswith("<svg")


# --- info ----------------------------------------------------------------------------


def test_info():
    facts = json.loads(tirx("info", "--json").stdout)
    assert "sm_100a" in facts["targets"] and facts["instructions"] > 100 and facts["ops"] > 20
    assert "gpu" in tirx("info").stdout
    done = tirx("info", "ld.v4.global.u32")
    assert done.stdout.splitlines()[0] == "ld.global.v4.u32"
    assert "wgmma" in tirx("info", "wgmma.fence").stdout


# --- Errors --------------------------------------------------------------------------


@pytest.mark.parametrize("args, status, text", [
    (["compile", "no_such.py"], 2, "cannot read 'no_such.py'"),
    (["compile", "{kernels}"], 2, "expected one kernel, got 2 (one, two)"),
    (["compile", "{kernels}:three"], 2, "expected a kernel 'three', got one, two"),
    (["compile", "{kernels}:one", "--target=sm_1"], 2, "--target: expected one of"),
    (["compile", "{kernels}:one", "--emit=sass"], 2, "invalid choice"),
    (["compile", "{kernels}:one", "-o", "/no/such/place"], 2, "cannot write"),
    (["run", "no_such.json"], 2, "cannot read"),
    (["run", "examples/hgemm.json", "more"], 2, "expected no arguments after a launch file"),
    (["run", "{kernels}", "--json"], 2, "--json: expected a launch file"),
    (["run", "{kernels}", "--on=gpu"], 2, "--on: expected a launch file"),
    (["run", "test/data/seeds/002_gemm.txt"], 2, "Invalid JSON"),
    (["layout", "show", "S[(8) : (8, 1)]"], 2, "expected"),
    (["layout", "eval", "S[(8) : (1)]"], 2, "expected a layout and --at"),
    (["layout", "eval", "S[(8) : (1)]", "--at=8"], 2, "expected"),
    (["layout", "eval", "--request", "{{"], 2, "expected JSON"),
    (["info", "add.f33"], 2, "f33"),
    ([], 2, "required"),
    (["dance"], 2, "invalid choice"),
])
def test_errors(kernels, args, status, text):
    done = tirx(*(arg.format(kernels=kernels) for arg in args))
    assert done.returncode == status, done.stderr
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_a_launch_on_a_gpu_that_is_not_there():
    if json.loads(tirx("info", "--json").stdout)["gpu"] != "none":
        pytest.skip("there is a GPU")
    done = tirx("run", "examples/hgemm.json", "--on=gpu")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.startswith("tirx: error: examples/hgemm.json:")


def test_a_mistake_in_a_kernel_is_one_line(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("import tirx.lite as txl\n\n@txl.kernel(warps=1)\ndef k(n: txl.i32):\n"
                    "    if n:\n        pass\n")
    done = tirx("compile", path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"tirx: error: {path}:5:") and done.stderr.count("\n") == 1
