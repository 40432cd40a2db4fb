# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of a parsed function, and the functions that it calls."""

from __future__ import annotations

import ast
import functools
import inspect
import operator
import os
import sysconfig
from types import FunctionType, MethodType
from typing import Any, Callable, Mapping

import tirx
from tirx.lite.control import Else, If, Return, Then
from tirx.lite.dtypes import DType
from tirx.lite.expr import Expr, cast, extreme, select, to_bool
from tirx.lite.memory import LocalArray, Variable
from tirx.lite.trace import Trace
from tirx.script.buffers import Buffer, Element
from tirx.script.control import Loop, Rounds, WhileEvaluated, begin_round
from tirx.script.expressions import _BINARY, Expressions
from tirx.script.names import MetaVar, Mutable, Names
from tirx.script.source import ScriptError, Source, closure_of, source_of

_MAX_DEPTH = 64
_MAX_ROUNDS = 1 << 16

_INSTEAD = {
    "Try": "a kernel has no exceptions",
    "TryStar": "a kernel has no exceptions",
    "With": "write `if` for a role of threads, and call begin and end functions",
    "Raise": "write T.cuda.trap_when_assert_failed(condition)",
    "Global": "pass the value as an argument and return it",
    "Nonlocal": "pass the value as an argument and return it",
    "Import": "import at the head of the file",
    "ImportFrom": "import at the head of the file",
    "Delete": "names end with the branch or loop that they are bound in",
    "ClassDef": "define the class outside of the kernel",
    "Match": "write `if` and `elif`",
    "AsyncFunctionDef": "write `def`",
}


class _Returned(Exception):
    """A helper function returns."""

    def __init__(self, value: Any) -> None:
        self.value = value


class _Left(Exception):
    """The rest of a block is not reached: after break, continue and return."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Inline:
    """A function whose body is parsed where it is called."""

    def __init__(self, source: Source, defaults: Mapping[str, Any],
                 names: Names | None = None) -> None:
        self.source = source
        self.defaults = defaults
        self.names = names  # of the function around a nested one
        self.__name__ = source.node.name

    def __call__(self, *values: Any, **named: Any) -> Any:
        raise TypeError(f"{self.__name__}: expected to be called in a kernel")

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def _library_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders.add(os.path.dirname(os.path.abspath(tirx.__file__)))
    return tuple(folder + os.sep for folder in folders)


_LIBRARIES = _library_folders()


@functools.lru_cache(maxsize=None)
def is_users(file: str) -> bool:
    """Whether a file is none of Python, of an installed package or of this one."""
    return not file.startswith(_LIBRARIES) and not file.startswith("<frozen")


def inline_of(function: FunctionType) -> Inline:
    signature = inspect.signature(function)
    defaults = {name: p.default for name, p in signature.parameters.items()
                if p.default is not inspect.Parameter.empty}
    return Inline(source_of(function), defaults)


class Parser(Expressions):
    """Parses the body of one function into the trace."""

    def __init__(self, trace: Trace, source: Source, names: Names, depth: int = 0,
                 is_kernel: bool = False) -> None:
        super().__init__(trace, source.file, names)
        self.source = source
        self.depth = depth
        self.is_kernel = is_kernel
        self.loops: list[Loop | None] = []  # None: one that is written out
        self.entry = trace.regions[-1]

    def run(self) -> Any:
        """Parses the whole body and gives what it returns."""
        try:
            self.block(self.source.node.body)
        except _Returned as returned:
            return returned.value
        except _Left:
            pass
        return None

    # --- Blocks ------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            method = getattr(self, "_" + type(statement).__name__, None)
            if method is None:
                raise self.unsupported(statement, _INSTEAD.get(type(statement).__name__, ""))
            trace, around = self.trace, self.trace.here
            trace.here = trace._number(self.place(statement))
            try:
                method(statement)
            finally:
                trace.here = around

    def _branch(self, statements: list[ast.stmt]) -> None:
        """A block that only some threads run."""
        try:
            self.block(statements)
        except _Left:
            pass

    def _Pass(self, node: ast.Pass) -> None:
        pass

    def _Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _Assert(self, node: ast.Assert) -> None:
        value = self.value(node.test)
        if isinstance(value, Expr):
            raise self.fail(node, "expected a condition that is known while the kernel is "
                                  "compiled: write T.cuda.trap_when_assert_failed(condition)")
        if not value:
            raise self.fail(node, str(self.value(node.msg)) if node.msg else "assertion failed")

    # --- Assignments -------------------------------------------------------------------

    def _Assign(self, node: ast.Assign) -> None:
        value = self._right(node.value)
        for target in node.targets:
            self.assign(target, value)

    def _right(self, node: ast.expr) -> Any:
        """What is assigned: T.meta_var keeps its expression."""
        result = self._Call(node) if isinstance(node, ast.Call) else self.value(node)
        return result

    def assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.guarded(target, self._bind, target.id, value, target.lineno)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Subscript):
            base = self.value(target.value)
            index = self.subscript(target, base)
            self.guarded(target, operator.setitem, base, index, self._plain(value))
        elif isinstance(target, ast.Attribute):
            self.guarded(target, self._set_attribute, self.value(target.value), target.attr, value)
        else:
            raise self.unsupported(target)

    @staticmethod
    def _plain(value: Any) -> Any:
        return value.value if isinstance(value, MetaVar) else \
            value.variable if isinstance(value, Mutable) else value

    def _bind(self, name: str, value: Any, line: int) -> None:
        if isinstance(value, MetaVar):
            self.names.bind(name, value.value, line)
            return
        if not self._is_mutable(name):
            value = self.settle(value)
        self.names.bind(name, value, line)

    def _is_mutable(self, name: str) -> bool:
        binding = self.names._live(name)
        return binding is not None and binding.mutable

    def _set_attribute(self, owner: Any, name: str, value: Any) -> None:
        """An attribute that is a variable is written, another one replaced."""
        current = getattr(owner, name, None)
        if isinstance(current, Variable):
            current.store(self._plain(value))
        else:
            setattr(owner, name, value.variable if isinstance(value, Mutable)
                    else self._plain(self.settle(value)))

    def _unpack(self, target: ast.Tuple | ast.List, value: Any) -> None:
        if isinstance(value, Expr) or isinstance(value, Buffer):
            raise self.fail(target, f"expected {len(target.elts)} values to unpack, got one")
        values = self.guarded(target, list, self._plain(value))
        if any(isinstance(element, ast.Starred) for element in target.elts):
            raise self.unsupported(target, "name each value")
        if len(values) != len(target.elts):
            raise self.fail(target, f"expected {len(target.elts)} values to unpack, got "
                                    f"{len(values)}")
        # All are read before one is written: a, b = b, a.
        settled = [self.guarded(target, self.settle, v) for v in values]
        for element, entry in zip(target.elts, settled):
            self.assign(element, entry)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        place = ast.copy_location(_as_load(node.target), node.target)
        if isinstance(node.target, ast.Subscript):
            base = self.value(node.target.value)
            index = self.subscript(node.target, base)
            old = self.guarded(node, operator.getitem, base, index)
            new = self.guarded(node, _BINARY[type(node.op)], old, self.value(node.value))
            self.guarded(node, operator.setitem, base, index, new)
            return
        expression = ast.copy_location(ast.BinOp(place, node.op, node.value), node)
        self.assign(node.target, self.value(expression))

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        kind = self.value(node.annotation)
        if kind == "let":
            if node.value is None:
                raise self.fail(node, "expected a value of T.let")
            self.assign(node.target, self._right(node.value))
            return
        if not isinstance(kind, DType) or not isinstance(node.target, ast.Name):
            raise self.fail(node, "expected `name: T.int32 = value`, a mutable scalar of an "
                                  "element type")
        value = None if node.value is None else self.value(node.value)
        if isinstance(value, (Buffer, str, tuple, list)):
            raise self.fail(node, f"expected a value of {kind}, got {type(value).__name__}")
        variable = self.guarded(node, _new_scalar, kind, value)
        self.names.declare(node.target.id, variable, node.lineno)

    # --- Control flow ------------------------------------------------------------------

    def _If(self, node: ast.If) -> None:
        condition = self.value(node.test)
        if isinstance(condition, Buffer):
            raise self.fail(node.test, "expected a condition, got a buffer")
        if not isinstance(condition, Expr):
            self.block(node.body if condition else node.orelse)
            return
        with self.guarded(node.test, If, condition):
            with Then():
                self._branch(node.body)
            if node.orelse:
                with Else():
                    self._branch(node.orelse)

    def _For(self, node: ast.For) -> None:
        if node.orelse:
            raise self.fail(node.orelse[0], "expected a loop without else: set a mutable scalar "
                                            "before break")
        rounds = self.value(node.iter)
        if isinstance(rounds, Rounds) and not rounds.unrolled:
            self._counted(node, rounds)
            return
        if isinstance(rounds, (Expr, Buffer, LocalArray)):
            raise self.fail(node.iter, "expected a range or a sequence that is known while the "
                                       "kernel is compiled: write range(n)")
        self._written_out(node, self.guarded(node.iter, list, rounds))

    def _counted(self, node: ast.For, rounds: Rounds) -> None:
        loop = self.guarded(node.iter, rounds.loop)
        index = self.guarded(node.iter, loop.__enter__)
        self.loops.append(begin_round(_has_continue(node.body)))
        self.assign(node.target, index)
        self._branch(node.body)
        self.loops.pop()
        loop.__exit__(None, None, None)

    def _written_out(self, node: ast.For, values: list[Any]) -> None:
        self.loops.append(None)
        try:
            for value in values:
                self.assign(node.target, value)
                try:
                    self.block(node.body)
                except _Left as left:
                    if left.kind == "break":
                        break
                    if left.kind != "continue":
                        raise
        finally:
            self.loops.pop()

    def _While(self, node: ast.While) -> None:
        if node.orelse:
            raise self.fail(node.orelse[0], "expected a loop without else: set a mutable scalar "
                                            "before break")
        if not (isinstance(node.test, ast.Constant) and node.test.value):
            if self._is_known(node.test):
                self._known_while(node)
                return
        loop = WhileEvaluated(lambda: self.value(node.test))
        self.guarded(node.test, loop.__enter__)
        self.loops.append(begin_round(_has_continue(node.body)))
        self._branch(node.body)
        self.loops.pop()
        loop.__exit__(None, None, None)

    def _is_known(self, test: ast.expr) -> bool:
        """Whether a condition is one of Python: evaluated once, without a trace of it."""
        region = self.trace.regions[-1]
        lines, values = len(region.lines), dict(region.values)
        known = not isinstance(self.value(test), Expr)
        del region.lines[lines:]
        region.values = values  # without the names of lines that are gone
        return known

    def _known_while(self, node: ast.While) -> None:
        self.loops.append(None)
        rounds = 0
        try:
            while self.condition(node.test):
                rounds += 1
                if rounds > _MAX_ROUNDS:
                    raise self.fail(node, f"expected at most {_MAX_ROUNDS} rounds to write out: "
                                          "write a loop on a mutable scalar")
                try:
                    self.block(node.body)
                except _Left as left:
                    if left.kind == "break":
                        break
                    if left.kind != "continue":
                        raise
        finally:
            self.loops.pop()

    def _Break(self, node: ast.Break) -> None:
        self._leave(node, "break", Loop.leave)

    def _Continue(self, node: ast.Continue) -> None:
        self._leave(node, "continue", Loop.go_on)

    def _leave(self, node: ast.stmt, kind: str, act: Callable[[Loop], None]) -> None:
        loop = self.loops[-1]
        if loop is not None:
            self.guarded(node, act, loop)
        elif self._in_branch():
            raise self.fail(node, f"expected no {kind} under a condition of the running kernel in "
                                  "a loop that is written out: write T.serial")
        raise _Left(kind)

    def _in_branch(self) -> bool:
        """Whether only some threads are here, as seen from the loop or function around."""
        inner = next((loop for loop in reversed(self.loops) if loop is not None), None)
        around = inner.region if inner is not None else self.entry
        return self.trace.regions[-1] is not around

    def _Return(self, node: ast.Return) -> None:
        if not self.is_kernel:
            if self.trace.regions[-1] is not self.entry:
                raise self.fail(node, "expected return outside of branches and loops of the "
                                      "running kernel: assign to a mutable scalar and return it "
                                      "at the end")
            raise _Returned(self.value(node.value) if node.value is not None else None)
        if node.value is not None and not (
                isinstance(node.value, ast.Constant) and node.value.value is None):
            raise self.fail(node, "expected return without a value: a kernel writes its results "
                                  "into buffers")
        if self.trace.regions[-1] is not self.entry:
            self.guarded(node, Return)
        raise _Left("return")

    # --- Functions ---------------------------------------------------------------------

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            raise self.fail(node.decorator_list[0], "expected a nested function without "
                                                    "decorators")
        arguments = node.args
        positional = arguments.posonlyargs + arguments.args
        defaults = {a.arg: self.value(d) for a, d in
                    zip(positional[len(positional) - len(arguments.defaults):],
                        arguments.defaults)}
        defaults.update({a.arg: self.value(d) for a, d in
                         zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None})
        source = Source(node, self.file, {}, self.names.module)
        self.names.bind(node.name, Inline(source, defaults, self.names), node.lineno)

    def call(self, node: ast.Call, function: Any, values: list[Any],
             named: dict[str, Any]) -> Any:
        if function is range:
            function = Rounds
        elif any(isinstance(value, Expr) for value in values):
            function = _OF_VALUES.get(function, function) if _is_hashable(function) else function
        if isinstance(function, functools.partial) and isinstance(function.func, Inline):
            values = [*function.args, *values]
            function = function.func
        if isinstance(function, MethodType):
            values = [function.__self__, *values]
            function = function.__func__
        if isinstance(function, FunctionType) and is_users(function.__code__.co_filename):
            function = self.guarded(node, inline_of, function)
        if isinstance(function, Inline):
            return self._inline(node, function, values, named)
        if isinstance(function, type) and self._has_users_init(function):
            made = self.guarded(node, function.__new__, function)
            self._inline(node, inline_of(getattr(function, "__init__")), [made, *values], named)
            return made
        return self.guarded(node, function, *values, **named)

    @staticmethod
    def _has_users_init(cls: type) -> bool:
        init = getattr(cls, "__init__", None)
        return isinstance(init, FunctionType) and is_users(init.__code__.co_filename) \
            and getattr(cls, "__new__") is object.__new__

    def _inline(self, node: ast.Call, function: Inline, values: list[Any],
                named: dict[str, Any]) -> Any:
        if self.depth >= _MAX_DEPTH:
            raise self.fail(node, f"expected at most {_MAX_DEPTH} calls inside each other: a "
                                  "function of a kernel cannot call itself without end")
        source = function.source
        outer = function.names if function.names is not None else source.outer
        names = Names(outer, source.globals)
        bound = _bind_arguments(function, values, named)
        if isinstance(bound, str):
            raise self.fail(node, f"{function.__name__}: {bound}")
        parser = Parser(self.trace, source, names, self.depth + 1)
        parser.linear = self.linear
        for name, value in bound.items():
            names.bind(name, value, source.node.lineno)
        return parser.run()


def _bind_arguments(function: Inline, values: list[Any],
                    named: dict[str, Any]) -> dict[str, Any] | str:
    """The arguments of a call by name, or what is wrong with them."""
    spec = function.source.node.args
    positional = [a.arg for a in spec.posonlyargs + spec.args]
    known = positional + [a.arg for a in spec.kwonlyargs]
    if len(values) > len(positional) and spec.vararg is None:
        return f"expected at most {len(positional)} arguments, got {len(values)}"
    bound: dict[str, Any] = dict(zip(positional, values))
    if spec.vararg is not None:
        bound[spec.vararg.arg] = tuple(values[len(positional):])
    rest = {}
    for name, value in named.items():
        if name in bound:
            return f"expected argument '{name}' once"
        if name not in known:
            if spec.kwarg is None:
                return f"expected no argument '{name}'"
            rest[name] = value
        else:
            bound[name] = value
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = rest
    for name in known:
        if name not in bound:
            if name not in function.defaults:
                return f"expected argument '{name}'"
            bound[name] = function.defaults[name]
    return bound


def _as_load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    return target


def _extreme(op: str) -> Callable[..., Any]:
    return lambda first, *rest: functools.reduce(lambda a, b: extreme(op, a, b), rest, first)


def _absolute(value: Any) -> Expr:
    return select(value < 0, -value, value)


def _no_print(*_values: Any) -> None:
    raise TypeError("print: expected values that are known while the kernel is compiled, got one "
                    "of the running kernel: write it to a buffer")


# Functions of Python that mean something for values of the running kernel.
_OF_VALUES: dict[Any, Callable[..., Any]] = {
    max: _extreme("max"), min: _extreme("min"), abs: _absolute, bool: to_bool, print: _no_print,
    int: lambda value: cast(value, "int32"), float: lambda value: cast(value, "float32"),
}


def _is_hashable(function: Any) -> bool:
    return getattr(type(function), "__hash__", None) is not None


def _new_scalar(dtype: DType, value: Any) -> Variable:
    variable = LocalArray([1], dtype)[0]
    if value is not None:
        variable.store(value)
    return variable


def _has_continue(body: list[ast.stmt]) -> bool:
    """Whether a loop's own body has `continue`."""
    for statement in body:
        if isinstance(statement, ast.Continue):
            return True
        if isinstance(statement, (ast.For, ast.While, ast.FunctionDef)):
            continue
        for part in ("body", "orelse"):
            if _has_continue(getattr(statement, part, [])):
                return True
    return False


__all__ = ["Element", "Inline", "Parser", "ScriptError", "closure_of", "inline_of"]
