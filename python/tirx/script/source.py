# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The syntax tree of a Python function, from the file that it stands in."""

from __future__ import annotations

import ast
import dataclasses
import functools
import linecache
import sys
from types import FunctionType
from typing import Any, Mapping

from tirx.lite.trace import TraceError


class ScriptError(TraceError):
    """A mistake in a parsed function, at its line and column."""


@dataclasses.dataclass
class Source:
    """A function of Python with what its names mean."""

    node: Any  # ast.FunctionDef, or ast.ClassDef to be printed
    file: str
    outer: Mapping[str, Any]  # names of enclosing functions
    globals: Mapping[str, Any]


@functools.lru_cache(maxsize=256)
def _functions(file: str, text: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a file by name and first line, decorators included."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno] + [d.lineno for d in node.decorator_list])
            found[node.name, first] = node
    return found


def closure_of(function: FunctionType) -> dict[str, Any]:
    """The variables of enclosing functions that a function uses."""
    names = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            pass
    return names


def home_of(cls: type) -> tuple[str, Mapping[str, Any]]:
    """The file that a class stands in, "" if unknown, and the names there."""
    for member in vars(cls).values():
        if isinstance(member, FunctionType):
            return member.__code__.co_filename, member.__globals__
    module = sys.modules.get(cls.__module__)
    return getattr(module, "__file__", None) or "", vars(module) if module else {}


def class_source_of(cls: type) -> Source:
    """A class of the user's, as source_of gives a function."""
    file, names = home_of(cls)
    text = "".join(linecache.getlines(file))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            return Source(node, file, {}, names)
    raise ValueError(f"expected the source of class {cls.__name__} in {file}")


def source_of(function: FunctionType) -> Source:
    code = function.__code__
    file = code.co_filename
    place = (file, code.co_firstlineno, 1)
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file, function.__globals__))
    if not text:
        raise ScriptError(f"{function.__name__}: expected the source of the function in a file, "
                          "which the parser reads", place)
    try:
        node = _functions(file, text).get((function.__name__, code.co_firstlineno))
    except SyntaxError as error:
        raise ScriptError(f"expected Python: {error}", place) from None
    if node is None:
        raise ScriptError(f"expected `def {function.__name__}` here: has the file changed since "
                          "it was imported?", place)
    return Source(node, file, closure_of(function), function.__globals__)
