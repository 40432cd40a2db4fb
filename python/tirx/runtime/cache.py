# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of the compiler on disk, by IR, target and version of the library.

TIRX_CACHE_DIR moves the cache ($XDG_CACHE_HOME/tirx, else ~/.cache/tirx), TIRX_CACHE=0
turns it off, TIRX_CACHE_MB bounds its size (512).

An entry is one file that appears by a rename, so readers in other processes see all of
it or nothing. It carries a checksum: what was damaged counts as absent. A cache that
cannot be read or written is as good as none, never an error.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import tempfile
from typing import Any, Mapping

from tirx import _native

_MAGIC = b"tirx cache 1\n"
_SUFFIX = ".entry"
_DEFAULT_MB = 512
# Files of writers that died are swept when they are this old.
_STALE_SECONDS = 3600
# A scan of the whole folder comes with one write in so many.
_WRITES_BETWEEN_SCANS = 32

_writes = 0


class CachedResult:
    """A result of the compiler that was read from disk."""

    succeeded = True

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        self._parts = parts

    def bytes(self, part: str) -> bytes | None:
        return self._parts.get(part)

    def text(self, part: str) -> str | None:
        data = self._parts.get(part)
        return None if data is None else data.decode()

    def json(self, part: str) -> Any:
        data = self._parts.get(part)
        return None if data is None else json.loads(data)


def folder() -> pathlib.Path | None:
    """Where entries are; None: the cache is off."""
    if os.environ.get("TIRX_CACHE", "1").lower() in ("0", "off", "no", "false"):
        return None
    if chosen := os.environ.get("TIRX_CACHE_DIR"):
        return pathlib.Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    # Without a home there is nowhere to put it.
    return pathlib.Path(base) / "tirx" if os.path.isabs(base) else None


def limit_bytes() -> int:
    try:
        return max(int(float(os.environ.get("TIRX_CACHE_MB", _DEFAULT_MB)) * (1 << 20)), 0)
    except (ValueError, OverflowError):
        return _DEFAULT_MB << 20


def key_of(source: str, options: Mapping[str, Any]) -> str:
    """The name of an entry: everything that a result depends on."""
    digest = hashlib.sha256(_MAGIC)
    identity = [_native.version(), _native.identity(), _assembler(options)]
    digest.update(json.dumps([identity, sorted(options.items())]).encode())
    digest.update(source.encode())
    return digest.hexdigest()


def _assembler(options: Mapping[str, Any]) -> Any:
    """Which ptxas makes a cubin or a report, as the compiler looks for it."""
    if not options.get("report") and "cubin" not in options.get("levels", ()):
        return None
    path = find_ptxas(options)
    if path is None:
        return None
    status = os.stat(path)
    return [path, status.st_size, status.st_mtime_ns]


def find_ptxas(options: Mapping[str, Any]) -> str | None:
    """ptxas, where the compiler looks for it."""
    candidates = [options.get("ptxas")]
    candidates += [os.path.join(os.environ[name], "bin", "ptxas")
                   for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    candidates.append(shutil.which("ptxas"))
    return next((path for path in candidates if path and os.path.exists(path)), None)


def load(key: str) -> CachedResult | None:
    place = folder()
    if place is None:
        return None
    path = place / (key + _SUFFIX)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    parts = _unpack(data)
    with contextlib.suppress(OSError):
        if parts is None:
            path.unlink()
        else:
            os.utime(path)  # eviction takes what was not used for longest
    return None if parts is None else CachedResult(parts)


def store(key: str, parts: Mapping[str, bytes]) -> None:
    global _writes
    place = folder()
    data = _pack(parts)
    if place is None or len(data) > limit_bytes():
        return
    with contextlib.suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(suffix=".tmp", dir=place)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, place / (key + _SUFFIX))
        except BaseException:
            os.unlink(temporary)
            raise
        if _writes % _WRITES_BETWEEN_SCANS == 0:
            _evict(place, limit_bytes())
        _writes += 1


def _pack(parts: Mapping[str, bytes]) -> bytes:
    header = json.dumps([[name, len(data)] for name, data in parts.items()]).encode()
    body = header + b"\n" + b"".join(parts.values())
    return _MAGIC + hashlib.sha256(body).digest() + body


def _unpack(data: bytes) -> dict[str, bytes] | None:
    start = len(_MAGIC) + hashlib.sha256().digest_size
    body = data[start:]
    if data[:start] != _MAGIC + hashlib.sha256(body).digest():
        return None
    header, _, rest = body.partition(b"\n")
    parts, at = {}, 0
    for name, length in json.loads(header):
        parts[name] = rest[at:at + length]
        at += length
    return parts


def _evict(place: pathlib.Path, limit: int) -> None:
    """Removes the entries that were not used for longest, down to three quarters of the
    limit. Another process may remove the same ones."""
    entries, total, newest = [], 0, 0.0
    with os.scandir(place) as found:
        for entry in found:
            if not entry.name.endswith((_SUFFIX, ".tmp")):
                continue
            with contextlib.suppress(OSError):
                status = entry.stat()
                entries.append((status.st_mtime, status.st_size, entry.path))
                newest = max(newest, status.st_mtime)
                total += status.st_size
    keep = total if total <= limit else limit * 3 // 4
    for modified, size, path in sorted(entries):
        stale = path.endswith(".tmp") and modified < newest - _STALE_SECONDS
        over = total > keep and not path.endswith(".tmp")
        if not stale and not over:
            continue
        with contextlib.suppress(OSError):
            os.unlink(path)
        total -= size


def compile(source: str, **options: Any) -> "_native.Result | CachedResult":
    """`_native.compile`, through the cache. Failures are not kept."""
    if folder() is None:
        return _native.compile(source, **options)
    key = key_of(source, options)
    found = load(key)
    if found is not None:
        return found
    result = _native.compile(source, **options)
    if result.succeeded:
        names = [*options.get("levels", ()), "models", "metadata", "report", "resources",
                 "diagnostics"]
        parts = {name: data for name in names if (data := result.bytes(name)) is not None}
        store(key, parts)
    return result
