# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The published GEMM at tile level: the listing with other imports, as it stands and
with its fences as the author placed them."""

import difflib
import importlib.util
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from tirx.runtime.kernel import CompileError

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "test/data/seeds/000_gemm.txt"
OURS = ROOT / "examples/seed_000_gemm.py"
HOST = "\n\ntarget = tvm.target.Target"  # where the listing's kernel ends


def test_runs_without_a_gpu():
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([sys.executable, str(OURS)], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    error, passed = done.stdout.splitlines()
    assert error.startswith("Max error vs torch reference: 0.0")
    assert passed == "PASS"


def test_is_the_published_listing_but_for_the_imports():
    published, ours = (path.read_text().splitlines() for path in (PUBLISHED, OURS))
    changed = [line for line in difflib.ndiff(published, ours) if line[0] in "+-"]
    assert len(changed) == 12
    assert all(line[2:].startswith(("import ", "from ")) for line in changed), changed


def build(tmp_path, explicit_sync, change=lambda text: text):
    """The kernel of the listing, from a file of its own."""
    text = OURS.read_text().split(HOST)[0]
    if explicit_sync:
        text = text.replace("@T.prim_func\n", "@T.prim_func(explicit_sync=True)\n")
        assert "explicit_sync" in text
    path = tmp_path / "listing.py"
    path.write_text(change(text))
    spec = importlib.util.spec_from_file_location("listing", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.hgemm_v1(128, 128, 64)


def line_of(text):
    return next(i for i, line in enumerate(OURS.read_text().splitlines(), 1) if text in line)


def test_fences_as_written_are_refused(tmp_path):
    kernel = build(tmp_path, explicit_sync=True)
    with pytest.raises(CompileError) as refused:
        kernel.compile()
    errors = [d for d in refused.value.diagnostics if d["severity"] == "error"]
    found = {("R1" if "(rule R1)" in e["message"] else "R15" if "(rule R15)" in e["message"]
              else e["message"]): e["line"] for e in errors}
    assert found == {"R1": line_of("Tx.gemm_async("), "R15": line_of("Tx.wg.copy_async(")}


def add_missing_fences(text):
    """Behind the copies, and behind the wait for the commit."""
    copied = "        Tx.cta.copy(Bsmem[:, :], B[n_st : n_st + BLK_N, :])\n"
    waited = "        T.ptx.mbarrier.try_wait(mma_bar.ptr_to([0]), phase_mma)\n"
    assert text.count(copied) == text.count(waited) == 1
    text = text.replace(copied, copied + '        T.ptx.fence.proxy_async("shared::cta")\n')
    return text.replace(waited, waited + "        T.ptx.tcgen05.fence.after_thread_sync()\n")


@pytest.mark.parametrize("mode", ["eager", "lazy", "random"])
@pytest.mark.parametrize("explicit_sync", [False, True])
def test_is_right_with_both_fences(tmp_path, mode, explicit_sync):
    change = add_missing_fences if explicit_sync else lambda text: text
    kernel = build(tmp_path, explicit_sync, change)
    random = np.random.default_rng(7)
    a, b = (random.integers(-4, 5, (128, 64)).astype(np.float16) for _ in "ab")
    d = np.zeros((128, 128), np.float16)
    kernel.simulate(a, b, d, mode=mode, seed=3)
    np.testing.assert_array_equal(d, (a.astype(np.float32) @ b.astype(np.float32).T)
                                  .astype(np.float16))
