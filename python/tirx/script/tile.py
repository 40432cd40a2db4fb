# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`Tx`: every tile op of the dialect, by the scope that executes it.

`Tx.copy` is executed by one thread, `Tx.warp.copy`, `Tx.wg.copy` (or `Tx.warpgroup`),
`Tx.cta.copy` and `Tx.cluster.copy` by all threads of the scope together. The ops and
their arguments are those of the dialect's definitions, which the native library
hands out.
"""

# Names of this module are names of tile ops, all but those of scopes.
from __future__ import annotations as _annotations

from tirx.script import tile_ops as _ops

thread, warp, cta, cluster = (_ops.Scope(name) for name in ("thread", "warp", "cta", "cluster"))
warpgroup = wg = _ops.Scope("warpgroup")


def __getattr__(name: str) -> _ops.TileOp:
    if name.startswith("__"):
        raise AttributeError(name)
    return _ops.find(name, "thread")


def __dir__() -> list[str]:
    return sorted([*dir(thread), "thread", "warp", "warpgroup", "wg", "cta", "cluster"])
