# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TIRx: GPU kernels whose scope, layout and dispatch are in the IR.

    from tirx import script as T     # parsed, tile level (Tx: tirx.script.tile)
    from tirx import lite as txl     # traced, instruction level
    from tirx import layout          # layouts on named axes

Submodules are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["compat", "layout", "lite", "script", "__version__"]

_SUBMODULES = {"compat", "layout", "lite", "runtime", "script"}


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"tirx.{name}")
    if name == "__version__":
        from tirx import _native

        return _native.version()
    raise AttributeError(f"module 'tirx' has no attribute '{name}'")
