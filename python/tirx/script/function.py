# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`T.prim_func` and `T.jit`: a Python function, parsed, becomes a kernel."""

from __future__ import annotations

import ast
import inspect
import sys
from types import FunctionType
from typing import Any, Callable, Mapping

from tirx.lite.dtypes import DType
from tirx.lite.expr import Expr
from tirx.lite.trace import Trace, TraceError, tracing
from tirx.runtime.kernel import Kernel, Parameter
from tirx.script.buffers import BufferParameter, barriers
from tirx.script.ids import launch_shape
from tirx.script.names import Names
from tirx.script.parser import Inline, Parser, inline_of
from tirx.script.printer import Origin, print_kernel
from tirx.script.source import ScriptError, Source, source_of


class _Constexpr:
    """`T.constexpr`: a parameter of T.jit that is known when the kernel is compiled."""

    def __repr__(self) -> str:
        return "T.constexpr"


constexpr = _Constexpr()


class ScriptKernel(Kernel):
    """A kernel that was written at tile level."""

    origin: Origin

    def script(self) -> str:
        """The kernel as a file of Python of its own, which parses to the same IR."""
        return print_kernel(self.origin)


def prim_func(function: Callable[..., Any] | None = None, *, explicit_sync: bool = False,
              target: str | None = None) -> Any:
    """Parses the function and makes a kernel of it.

    `explicit_sync`: the author places every fence, and the compiler checks that none is
    missing; without it the compiler places those that the hardware's rules ask for.
    `target`: the chip, such as "sm_100a"; by default the first that has all that the
    kernel uses."""
    variables = dict(sys._getframe(1).f_locals)

    def decorate(parsed: FunctionType) -> Kernel:
        source = source_of(parsed)
        merged = {**variables, **source.outer}
        source.outer = merged
        return _build(source, parsed, {}, explicit_sync, target)

    return decorate if function is None else decorate(function)  # type: ignore[arg-type]


class Jit:
    """A kernel for each choice of compile-time parameters: `specialize(M=128, ...)`."""

    def __init__(self, function: FunctionType, source: Source, explicit_sync: bool,
                 target: str | None) -> None:
        self._function = function
        self._source = source
        self._explicit_sync = explicit_sync
        self._target = target
        self._kernels: dict[Any, Kernel] = {}
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def _compile_time(self) -> list[str]:
        names = []
        for argument in _arguments(self._source):
            kind = argument.annotation
            text = ast.unparse(kind) if kind is not None else ""
            if text.strip("'\"").split(".")[-1] == "constexpr":
                names.append(argument.arg)
        return names

    def specialize(self, **values: Any) -> Kernel:
        """The kernel for these values; the same values give the same kernel."""
        names = self._compile_time()
        place = (self._source.file, self._source.node.lineno, 1)
        defaults = inline_of(self._function).defaults
        chosen = {name: values.get(name, defaults.get(name)) for name in names
                  if name in values or name in defaults}
        unknown = sorted(set(values) - set(names))
        missing = [name for name in names if name not in chosen]
        if unknown or missing:
            raise ScriptError(f"{self.__name__}: expected values of {', '.join(names)}, got "
                              + (f"'{unknown[0]}'" if unknown else f"none of '{missing[0]}'"),
                              place)
        key: Any = tuple(chosen.items())
        try:
            kernel = self._kernels.get(key)
        except TypeError:  # a list, say
            key, kernel = repr(key), self._kernels.get(repr(key))
        if kernel is None:
            kernel = self._kernels[key] = _build(self._source, self._function, chosen,
                                                 self._explicit_sync, self._target)
        return kernel

    def __call__(self, *args: Any, **named: Any) -> None:
        raise TypeError(f"{self.__name__}: expected .specialize(...) before a call")


def jit(function: Callable[..., Any] | None = None, *, explicit_sync: bool = False,
        target: str | None = None) -> Any:
    """Like prim_func, with parameters annotated `T.constexpr` that `.specialize` gives.
    Annotations that use them are strings, or the file begins with `from __future__
    import annotations`."""
    variables = dict(sys._getframe(1).f_locals)

    def decorate(parsed: FunctionType) -> Jit:
        source = source_of(parsed)
        source.outer = {**variables, **source.outer}
        return Jit(parsed, source, explicit_sync, target)

    return decorate if function is None else decorate(function)  # type: ignore[arg-type]


def inline(function: FunctionType) -> Inline:
    """A function that is parsed where a kernel calls it. Plain functions are, too; the
    decorator says so to readers."""
    return inline_of(function)


# --- Building ------------------------------------------------------------------------


def _arguments(source: Source) -> list[ast.arg]:
    spec = source.node.args
    if spec.vararg or spec.kwarg:
        raise ScriptError("expected parameters with names, got * or **",
                          (source.file, source.node.lineno, source.node.col_offset + 1))
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]


def _build(source: Source, function: FunctionType, constants: Mapping[str, Any],
           explicit_sync: bool, target: str | None) -> Kernel:
    node = source.node
    trace = Trace(node.name, source.file)
    if not explicit_sync:
        del trace.attributes["tirx.explicit_sync"]
    place = (source.file, node.lineno, node.col_offset + 1)
    with tracing(trace):
        names = Names(source.outer, source.globals)
        parser = Parser(trace, source, names, is_kernel=True)
        for name, value in constants.items():
            names.bind(name, value, node.lineno)
        parameters = _parameters(parser, function, constants)
        for position, parameter in enumerate(parameters):
            names.bind(parameter.name, _bind(parameter, f"%arg{position}"), node.lineno)
        try:
            parser.run()
        except RecursionError:
            raise ScriptError("expected expressions that are nested less deeply", place) from None
        kernel = _finish(trace, parameters, place, function.__doc__, target)
        kernel.origin = Origin(source, parameters, dict(constants), explicit_sync, target)
        return kernel


def _finish(trace: Trace, parameters: list[Parameter], place: tuple[str, int, int],
            doc: str | None, target: str | None) -> ScriptKernel:
    shape = launch_shape()
    if shape.threads is None:
        raise ScriptError("expected the number of threads of a CTA: write T.warpgroup_id([n]), "
                          "T.warp_id([n]) or T.thread_id([n])", place)
    trace.attributes["known_block_size"] = f"array<i32: {shape.threads}, 1, 1>"
    cluster = tuple((shape.cluster or []) + [1] * (3 - len(shape.cluster or [])))
    if cluster != (1, 1, 1):
        trace.attributes["known_cluster_size"] = "array<i32: {}, {}, {}>".format(*cluster)
    types = ", ".join(f"%arg{i}: {p.mlir}" for i, p in enumerate(parameters))
    return ScriptKernel(
        name=trace.name, ir=barriers().resolve(trace.text(types)), parameters=parameters,
        grid=shape.grid or 1, block=(shape.threads, 1, 1),
        cluster=cluster, arch=target, chips=trace.chips, place=place,  # type: ignore[arg-type]
        doc=doc)


def _parameters(parser: Parser, function: FunctionType,
                constants: Mapping[str, Any]) -> list[Parameter]:
    result = []
    for argument in _arguments(parser.source):
        if argument.arg in constants:
            continue
        kind = _annotation(parser, function, argument)
        if isinstance(kind, BufferParameter):
            result.append(Parameter(argument.arg, kind.dtype, kind.mlir, True, kind.shape,
                                    len(kind.shape), kind))
        elif isinstance(kind, DType):
            result.append(Parameter(argument.arg, kind, kind.storage, False, None, 0, kind))
        else:
            got = "none" if argument.annotation is None else ast.unparse(argument.annotation)
            raise parser.fail(argument, f"parameter '{argument.arg}': expected a type such as "
                                        f"T.Buffer((M, N), \"float16\") or T.int32, got {got}")
    return result


def _annotation(parser: Parser, function: FunctionType, argument: ast.arg) -> Any:
    """The type of a parameter: as Python evaluated it, else as the text says."""
    kind = function.__annotations__.get(argument.arg, inspect.Parameter.empty)
    if not isinstance(kind, str):
        return kind
    try:
        tree = ast.parse(kind.strip(), mode="eval").body
        if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
            tree = ast.parse(tree.value.strip(), mode="eval").body
    except SyntaxError:
        raise parser.fail(argument, f"parameter '{argument.arg}': expected a type, got "
                                    f"{kind!r}") from None
    for node in ast.walk(tree):  # errors are at the parameter
        if isinstance(node, ast.expr):
            node.lineno, node.col_offset = argument.lineno, argument.col_offset
    return parser.value(tree)


def _bind(parameter: Parameter, name: str) -> Any:
    if parameter.is_pointer:
        return parameter.declared.bind(name, parameter.name)
    return Expr(parameter.dtype, lambda _: name)


__all__ = ["Jit", "ScriptKernel", "TraceError", "constexpr", "inline", "jit", "prim_func"]
