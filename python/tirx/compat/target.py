# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`Target`: the chip to compile for."""

from __future__ import annotations

import threading
from typing import Any, Mapping

_entered = threading.local()


class Target:
    """A target: "cuda" (any chip that fits the kernel), "sm_100a", "cuda -arch=sm_100a" or
    a dictionary with `kind` and `arch`."""

    def __init__(self, target: str | Mapping[str, Any] = "cuda", host: Any = None) -> None:
        self.host = host
        self.arch: str | None = None
        if isinstance(target, Mapping):
            kind, self.arch = target.get("kind", "cuda"), target.get("arch")
        else:
            kind = "cuda"
            for word in str(target).split():
                if word.startswith("-arch="):
                    self.arch = word[len("-arch="):]
                elif word.startswith("sm_"):
                    self.arch = word
                else:
                    kind = word
        if kind not in ("cuda", "nvidia"):
            raise ValueError(f"target: expected 'cuda' or a chip such as 'sm_100a', got {target!r}")

    @staticmethod
    def of(target: Any) -> "Target":
        """A target, or the one of the `with` around."""
        if isinstance(target, Target):
            return target
        return Target(target) if target is not None else Target.current() or Target()

    @staticmethod
    def current(allow_none: bool = True) -> "Target | None":
        stack = getattr(_entered, "stack", [])
        if not stack and not allow_none:
            raise ValueError("expected `with Target(...)` around")
        return stack[-1] if stack else None

    def __enter__(self) -> "Target":
        _entered.stack = [*getattr(_entered, "stack", []), self]
        return self

    def __exit__(self, *exception: Any) -> None:
        _entered.stack = _entered.stack[:-1]

    def __repr__(self) -> str:
        return f"Target({self.arch or 'cuda'!r})"
