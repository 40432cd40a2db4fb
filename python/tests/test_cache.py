# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache on disk: what hits, what does not, many processes, damage, the bound."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

import tirx.lite as txl
from tirx import _native
from tirx.runtime import cache

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("TIRX_CACHE", "1")
    monkeypatch.setenv("TIRX_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def kernel(value):
    @txl.kernel(warps=1)
    def k(out: txl.gptr(txl.i32)):
        txl.ptx.st.global_.s32(out.ptr_to([txl.thread_id()]), value)

    return k


@pytest.fixture
def compilations(monkeypatch):
    """How often the compiler itself ran."""
    runs = []
    real = _native.compile

    def counted(source, **options):
        runs.append(options)
        return real(source, **options)

    monkeypatch.setattr(_native, "compile", counted)
    return runs


def test_the_second_compilation_comes_from_disk(place, compilations):
    first = kernel(1)
    text = first.source()
    again = kernel(1)
    assert again.source() == text and again._metadata() == first._metadata()
    assert len(compilations) == 1
    assert len(list(place.iterdir())) == 1


@pytest.mark.parametrize("change", ["ir", "target", "level", "library"])
def test_what_a_result_depends_on(place, compilations, monkeypatch, change):
    kernel(1).source("ptx", "sm_90")
    if change == "library":
        monkeypatch.setattr(_native, "identity", lambda: [1, 2])
    kernel(2 if change == "ir" else 1).source(
        "llvm" if change == "level" else "ptx", "sm_80" if change == "target" else "sm_90")
    assert len(compilations) == 2


def test_failures_are_not_kept(place):
    for _ in range(2):
        with pytest.raises(Exception, match="sm_1"):
            kernel(1).source("ptx", "sm_1")
    assert not place.exists() or not list(place.iterdir())


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:-1], lambda data: data[: len(data) // 2],
    lambda data: data[:-5] + bytes([data[-5] ^ 1]) + data[-4:], lambda data: data + b"x",
])
def test_a_damaged_entry_is_made_anew(place, compilations, damage):
    text = kernel(1).source()
    (entry,) = place.iterdir()
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert kernel(1).source() == text
    assert len(compilations) == 2 and entry.read_bytes() == whole


def test_it_can_be_turned_off(place, monkeypatch):
    monkeypatch.setenv("TIRX_CACHE", "0")
    kernel(1).source()
    assert not place.exists()


@pytest.mark.parametrize("where", ["file", "/proc/no/such"])
def test_a_place_that_cannot_be_written_does_no_harm(tmp_path, monkeypatch, where):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TIRX_CACHE", "1")
    monkeypatch.setenv("TIRX_CACHE_DIR", str(tmp_path / where))
    assert "st.global" in kernel(1).source()


def test_the_least_recently_used_go_first(place, monkeypatch):
    for number in range(8):
        cache.store(f"{number}", {"ptx": bytes(1000)})
        os.utime(place / f"{number}.entry", (1000 + number, 1000 + number))
    assert cache.load("0") is not None  # used just now
    size = (place / "1.entry").stat().st_size
    cache._evict(place, 4 * size)
    left = sorted(path.name for path in place.iterdir())
    assert left == ["0.entry", "6.entry", "7.entry"]  # three quarters of four


def test_the_bound_holds_without_being_asked(place, monkeypatch):
    monkeypatch.setenv("TIRX_CACHE_MB", "0.05")
    for number in range(200):
        cache.store(f"{number}", {"ptx": bytes(2000)})
    # Between two scans a process may add so much.
    slack = cache._WRITES_BETWEEN_SCANS * 2200
    assert sum(path.stat().st_size for path in place.iterdir()) <= 0.05 * (1 << 20) + slack
    cache.store("large", {"ptx": bytes(1 << 20)})
    assert not (place / "large.entry").exists()


def test_many_processes(place):
    """Writers, readers and evictions at once: every result is whole."""
    script = textwrap.dedent("""
        import random, sys
        from tirx.runtime import cache
        cache._WRITES_BETWEEN_SCANS = 2
        rng = random.Random(sys.argv[1])
        hits = 0
        for _ in range(300):
            key = str(rng.randrange(12))
            found = cache.load(key)
            if found is None:
                cache.store(key, {"ptx": key.encode() * 5000, "metadata": b"{}"})
            else:
                hits += 1
                assert found.bytes("ptx") == key.encode() * 5000
                assert found.json("metadata") == {}
        print(hits)
    """)
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "TIRX_CACHE_MB": "0.05"}
    runs = [subprocess.Popen([sys.executable, "-c", script, str(seed)], env=env, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE) for seed in range(6)]
    for run in runs:
        out, errors = run.communicate()
        assert run.returncode == 0, errors
        assert int(out) > 0
    assert not list(place.glob("*.tmp"))
