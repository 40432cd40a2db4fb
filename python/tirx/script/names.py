# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of a parsed function and what they are bound to.

A name that holds a Python object or a value of the kernel is bound once for all
threads, so it cannot be bound anew where only some threads arrive. A mutable scalar
(`phase: T.int32 = 0`) can: it is a variable of the running kernel.
"""

from __future__ import annotations

import builtins
import dataclasses
from typing import Any, Mapping

from tirx.lite.memory import Variable
from tirx.lite.trace import Region, TraceError, current


@dataclasses.dataclass
class Binding:
    """The value of a name, and where it got it."""

    value: Any
    region: Region
    line: int
    mutable: bool = False


class Mutable:
    """A variable that assignments to its name write."""

    def __init__(self, variable: Variable) -> None:
        self.variable = variable


class MetaVar:
    """An expression that stands for a name: it is evaluated where the name is used."""

    def __init__(self, value: Any) -> None:
        self.value = value


_MISSING = object()


class Names:
    """The names of one function."""

    def __init__(self, outer: "Names | Mapping[str, Any]", module: Mapping[str, Any]) -> None:
        self.local: dict[str, Binding] = {}
        self.outer = outer
        self.module = module

    def _live(self, name: str) -> Binding | None:
        binding = self.local.get(name)
        if binding is not None and any(r is binding.region for r in current().regions):
            return binding
        return None

    def find(self, name: str) -> Any:
        binding = self._live(name)
        if binding is not None:
            return binding.value
        if name in self.local:
            raise TraceError(
                f"name '{name}' is bound in the branch or loop of line {self.local[name].line} "
                f"only: bind it before, as a mutable scalar `{name}: T.int32 = 0` if threads "
                "change it")
        if isinstance(self.outer, Names):
            try:
                return self.outer.find(name)
            except KeyError:
                pass
        elif name in self.outer:
            return self.outer[name]
        value = self.module.get(name, _MISSING)
        if value is _MISSING:
            value = getattr(builtins, name, _MISSING)
        if value is _MISSING:
            raise KeyError(name)
        return value

    def bind(self, name: str, value: Any, line: int) -> None:
        """Binds a name anew, or writes the mutable scalar that it is."""
        binding = self._live(name)
        if binding is not None and binding.mutable:
            binding.value.store(value)
            return
        trace = current()
        if binding is not None and binding.region is not trace.regions[-1]:
            raise TraceError(
                f"expected a mutable scalar to assign to in a branch or loop of the running "
                f"kernel, but '{name}' got a value at line {binding.line}: write "
                f"`{name}: T.int32 = ...` there")
        mutable = isinstance(value, Mutable)
        self.local[name] = Binding(value.variable if mutable else value, trace.regions[-1], line,
                                   mutable)

    def declare(self, name: str, variable: Variable, line: int) -> None:
        """A mutable scalar."""
        self.local[name] = Binding(variable, current().regions[-1], line, mutable=True)

    def forget(self, name: str) -> None:
        self.local.pop(name, None)
