# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as a file of Python of its own, which parses to the same IR.

The file has the function with its parameters as they were settled, the functions and
classes that it calls, and what all of them took from around as constants.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import enum
import math
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Mapping

from tirx import layout
from tirx.layout import Axis, Layout
from tirx.lite.dtypes import DType
from tirx.runtime.kernel import Parameter
from tirx.script.buffers import BufferParameter
from tirx.script.parser import Inline, is_users
from tirx.script.source import Source, class_source_of, home_of, source_of

_SCRIPT = "_script"  # under which a printed file knows tirx.script


@dataclasses.dataclass
class Origin:
    """What a kernel was parsed from."""

    source: Source
    parameters: list[Parameter]
    constants: Mapping[str, Any]
    explicit_sync: bool
    target: str | None


class _Printer:
    """Collects what a file needs."""

    def __init__(self) -> None:
        self.imports: dict[str, None] = {}
        self.values: dict[str, str] = {}
        self.definitions: dict[str, str] = {}
        self.seen: dict[str, Any] = {}

    # --- Names -----------------------------------------------------------------------

    def names_of(self, node: ast.AST, source: Source) -> None:
        """Everything that a function or a class takes from around."""
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)
                  and not isinstance(n.ctx, ast.Load)}
        stored |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
        stored |= {n.name for n in ast.walk(node)
                   if isinstance(n, ast.FunctionDef) and n is not node}
        for name in sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - stored):
            if name in source.outer:
                self.name(name, source.outer[name])
            elif name in source.globals:
                self.name(name, source.globals[name])

    def name(self, name: str, value: Any) -> None:
        """Makes a name mean a value in the file."""
        if name in self.seen:
            if self.seen[name] is not value and self.seen[name] != value:
                raise ValueError(f"script: expected one meaning of '{name}' in the kernel and the "
                                 "functions that it calls, got two")
            return
        self.seen[name] = value
        if isinstance(value, Inline):
            self._function(name, value.source)
        elif isinstance(value, FunctionType) and is_users(value.__code__.co_filename):
            self._function(name, source_of(value))
        elif isinstance(value, type) and not self._is_of_library(value):
            self._definition(name, class_source_of(value))
        elif isinstance(value, ModuleType):
            self.imports[f"import {value.__name__} as {name}"] = None
        elif isinstance(value, (type, FunctionType, BuiltinFunctionType)):
            self._imported(name, value)
        else:
            self.values[name] = self.expression(name, value)

    @staticmethod
    def _is_of_library(cls: type) -> bool:
        file, _ = home_of(cls)
        return not file or not is_users(file)

    def _imported(self, name: str, value: Any) -> None:
        if getattr(builtins, name, None) is value:
            return
        module, qualified = value.__module__, value.__qualname__
        if "<locals>" in qualified or module is None:
            raise ValueError(f"script: expected a value that Python can write for '{name}', got "
                             f"{value!r}")
        self.imports[f"import {module}"] = None
        self.values[name] = f"{module}.{qualified}"

    def _function(self, name: str, source: Source) -> None:
        node = source.node
        bare = ast.FunctionDef(**{**{f: getattr(node, f) for f in node._fields},
                                  "name": name, "decorator_list": [], "returns": None,
                                  "args": _without_annotations(node.args)})
        self._definition(name, dataclasses.replace(source, node=ast.copy_location(bare, node)))

    def _definition(self, name: str, source: Source) -> None:
        self.definitions[name] = ast.unparse(ast.fix_missing_locations(source.node))
        self.names_of(source.node, source)

    # --- Values ----------------------------------------------------------------------

    def expression(self, name: str, value: Any) -> str:
        """Python that gives the value."""
        if value is None or isinstance(value, (bool, int, str, bytes)) \
                and not isinstance(value, enum.Enum):
            return repr(value)
        if isinstance(value, float):
            return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
        if isinstance(value, DType):
            return f"{_SCRIPT}.{_dtype_name(value)}"
        if isinstance(value, Layout):
            return self._call(Layout, value.text)
        if isinstance(value, Axis):
            return self._call(Axis, value.name)
        if isinstance(value, BufferParameter):
            return self.parameter(value)
        if isinstance(value, enum.Enum):
            cls = type(value)
            self.imports[f"import {cls.__module__}"] = None
            return f"{cls.__module__}.{cls.__qualname__}[{value.name!r}]"
        if isinstance(value, range):
            return repr(value)
        if type(value) in (tuple, list):
            entries = [self.expression(name, entry) for entry in value]
            if isinstance(value, list):
                return f"[{', '.join(entries)}]"
            return f"({', '.join(entries)}{',' if len(entries) == 1 else ''})"
        if type(value) is dict:
            return "{" + ", ".join(f"{self.expression(name, k)}: {self.expression(name, v)}"
                                   for k, v in value.items()) + "}"
        for module in (layout, sys.modules["tirx.script"]):  # an object of ours: S, ptx
            for known, entry in vars(module).items():
                if entry is value:
                    self.imports[f"import {module.__name__}"] = None
                    return f"{module.__name__}.{known}"
        raise ValueError(f"script: expected a value that Python can write for '{name}', got "
                         f"{type(value).__name__}")

    def _call(self, cls: type, text: str) -> str:
        self.imports[f"import {cls.__module__}"] = None
        return f"{cls.__module__}.{cls.__name__}({text!r})"

    def parameter(self, kind: Any) -> str:
        if isinstance(kind, DType):
            return f"{_SCRIPT}.{_dtype_name(kind)}"
        suffix = f", layout={self._call(Layout, kind.layout)}" if kind.layout else ""
        return f"{_SCRIPT}.Buffer({kind.shape!r}, {kind.dtype.long_name!r}{suffix})"


def _dtype_name(dtype: DType) -> str:
    return "bool_" if dtype.kind == "bool" else dtype.long_name


def _without_annotations(args: ast.arguments) -> ast.arguments:
    """The parameters of a helper, whose annotations mean nothing."""
    def bare(argument: ast.arg | None) -> Any:
        return None if argument is None else ast.arg(argument.arg, None)

    return ast.arguments([bare(a) for a in args.posonlyargs], [bare(a) for a in args.args],
                         bare(args.vararg), [bare(a) for a in args.kwonlyargs], args.kw_defaults,
                         bare(args.kwarg), args.defaults)


def print_kernel(origin: Origin) -> str:
    """The file; ValueError names a value that Python cannot write."""
    printer = _Printer()
    node = origin.source.node
    parameters = ", ".join(f"{p.name}: {printer.parameter(p.declared)}"
                           for p in origin.parameters)
    bare = ast.FunctionDef(**{**{f: getattr(node, f) for f in node._fields},
                              "decorator_list": [], "args": _names_only(origin.parameters)})
    printer.names_of(bare, dataclasses.replace(
        origin.source, outer={**origin.source.outer, **origin.constants}))
    options = f"explicit_sync=True, target={origin.target!r}" if origin.explicit_sync \
        else f"target={origin.target!r}"
    head = f"@{_SCRIPT}.prim_func({options})\ndef {node.name}({parameters}):\n"
    body = "\n".join("    " + line for statement in node.body
                     for line in ast.unparse(statement).splitlines())
    imports = [f"import tirx.script as {_SCRIPT}", *printer.imports]
    values = [f"{name} = {text}" for name, text in printer.values.items()]
    parts = ["\n".join(imports), "\n".join(values), *printer.definitions.values(), head + body]
    return "\n\n".join(part for part in parts if part) + "\n"


def _names_only(parameters: list[Parameter]) -> ast.arguments:
    return ast.arguments([], [ast.arg(p.name, None) for p in parameters], None, [], [], None, [])
