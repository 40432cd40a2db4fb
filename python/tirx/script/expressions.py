# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of a parsed function.

What is known while the kernel is compiled is computed by Python; an operation on a
value of the running kernel becomes an operation of the IR. Where an expression is a
sum of such values with known factors, that is kept beside it, so that the length of
a slice `k : k + 64` is known.
"""

from __future__ import annotations

import ast
import operator
from typing import Any, Callable

from tirx.lite.expr import (
    Expr, logical_and, logical_not, logical_or, name_of, select, to_bool,
)
from tirx.lite.trace import Trace, TraceError
from tirx.script.buffers import Buffer, Region, Span
from tirx.script.names import MetaVar, Mutable, Names
from tirx.script.source import ScriptError

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.MatMult: operator.matmul,
}
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}
_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}

# What to write instead of Python that has no meaning in a kernel.
_INSTEAD = {
    "Lambda": "write a nested `def`",
    "Await": "a kernel does not wait for Python",
    "Yield": "call a helper function in a loop",
    "YieldFrom": "call a helper function in a loop",
    "NamedExpr": "write the assignment on a line of its own",
    "SetComp": "write a list",
    "GeneratorExp": "write a list: [... for ...]",
}

# A sum of known multiples: the factor of each value by its id, and of None the constant.
Linear = dict[Any, int]


def _combine(op: type, a: Linear | None, b: Linear | None) -> Linear | None:
    if a is None or b is None:
        return None
    if op is ast.Mult:
        if set(b) - {None}:
            a, b = b, a
        if set(b) - {None}:
            return None
        factor = b.get(None, 0)
        return {term: count * factor for term, count in a.items()}
    sign = 1 if op is ast.Add else -1
    total = dict(a)
    for term, count in b.items():
        total[term] = total.get(term, 0) + sign * count
    return total


class Expressions:
    """Evaluates expressions in the names of one function."""

    def __init__(self, trace: Trace, file: str, names: Names) -> None:
        self.trace = trace
        self.file = file
        self.names = names
        # Of each expression that was computed, with the expression, which keeps its id.
        self.linear: dict[int, tuple[Linear, Any]] = {}

    # --- Places ----------------------------------------------------------------------

    def place(self, node: ast.AST) -> tuple[str, int, int]:
        line = getattr(node, "lineno", 1)
        return self.file, line, getattr(node, "col_offset", 0) + 1

    def fail(self, node: ast.AST, message: str) -> ScriptError:
        return ScriptError(message, self.place(node))

    def unsupported(self, node: ast.AST, instead: str = "") -> ScriptError:
        kind = type(node).__name__
        instead = instead or _INSTEAD.get(kind, "")
        return self.fail(node, f"expected Python that a kernel can be made of, got "
                               f"{_spoken(kind)}" + (f": {instead}" if instead else ""))

    def guarded(self, node: ast.AST, function: Callable[..., Any], *args: Any,
                **named: Any) -> Any:
        """Calls a function whose errors are those of `node`, at which it emits ops."""
        trace, around = self.trace, self.trace.here
        trace.here = trace._number(self.place(node))
        try:
            return function(*args, **named)
        except ScriptError:
            raise
        except TraceError as error:
            raise self.fail(node, _in_terms_of_script(error.message)) from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            text = str(error) if str(error) else type(error).__name__
            if isinstance(error, KeyError):
                text = f"expected a key that is there, got {text}"
            raise self.fail(node, text) from error
        finally:
            trace.here = around

    # --- Expressions -----------------------------------------------------------------

    def value(self, node: ast.expr) -> Any:
        method = getattr(self, "_" + type(node).__name__, None)
        if method is None:
            raise self.unsupported(node)
        result = method(node)
        if isinstance(result, MetaVar):
            return result.value
        return result.variable if isinstance(result, Mutable) else result

    def _Constant(self, node: ast.Constant) -> Any:
        return node.value

    def _Name(self, node: ast.Name) -> Any:
        try:
            return self.guarded(node, self.names.find, node.id)
        except ScriptError as error:
            if isinstance(error.__cause__, KeyError):
                raise self.fail(node, f"expected a name that is bound, got '{node.id}'") from None
            raise

    def _Attribute(self, node: ast.Attribute) -> Any:
        return self.guarded(node, getattr, self.value(node.value), node.attr)

    def _Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self._elements(node.elts))

    def _List(self, node: ast.List) -> Any:
        return self._elements(node.elts)

    def _Set(self, node: ast.Set) -> Any:
        return self.guarded(node, set, self._elements(node.elts))

    def _Dict(self, node: ast.Dict) -> Any:
        result: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values):
            if key is None:
                result.update(self.value(value))
            else:
                result[self.value(key)] = self.value(value)
        return result

    def _elements(self, nodes: list[ast.expr]) -> list[Any]:
        values: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                values.extend(self.guarded(node, list, self.value(node.value)))
            else:
                values.append(self.value(node))
        return values

    def _JoinedStr(self, node: ast.JoinedStr) -> str:
        return "".join(self.value(part) for part in node.values)

    def _FormattedValue(self, node: ast.FormattedValue) -> str:
        value = self.value(node.value)
        if isinstance(value, Expr):
            raise self.fail(node, "expected a value that is known while the kernel is compiled in "
                                  "a string, got one of the running kernel")
        convert = {ord("r"): repr, ord("s"): str, ord("a"): ascii}.get(node.conversion)
        spec = self.value(node.format_spec) if node.format_spec else ""
        return self.guarded(node, format, convert(value) if convert else value, spec)  # type: ignore

    def _ListComp(self, node: ast.ListComp) -> list[Any]:
        return [self.value(node.elt) for _ in self._generate(node.generators)]

    def _DictComp(self, node: ast.DictComp) -> dict[Any, Any]:
        return {self.value(node.key): self.value(node.value)
                for _ in self._generate(node.generators)}

    def _generate(self, generators: list[ast.comprehension]) -> Any:
        """Binds the names of a comprehension to each of its combinations in turn."""
        if not generators:
            yield
            return
        first, rest = generators[0], generators[1:]
        values = self.guarded(first.iter, list, self.value(first.iter))
        bound = [n.id for n in ast.walk(first.target) if isinstance(n, ast.Name)]
        hidden = {name: self.names.local.pop(name) for name in bound if name in self.names.local}
        for value in values:
            for name in bound:
                self.names.forget(name)
            self.assign(first.target, value)
            if all(self.condition(test) for test in first.ifs):
                yield from self._generate(rest)
        for name in bound:
            self.names.forget(name)
        self.names.local.update(hidden)

    def condition(self, node: ast.expr) -> bool:
        """A truth that must be known while the kernel is compiled."""
        value = self.value(node)
        if isinstance(value, Expr):
            raise self.fail(node, "expected a condition that is known while the kernel is "
                                  "compiled, got a value of the running kernel")
        return bool(value)

    def _BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        kind = type(node.op)
        if isinstance(left, (Buffer, Region)) or isinstance(right, (Buffer, Region)):
            raise self.fail(node, "expected numbers, got a buffer: tile ops compute on buffers, "
                                  "such as Tx.copy and Tx.cast")
        result = self.guarded(node, _BINARY[kind], left, right)
        if isinstance(result, Expr) and kind in (ast.Add, ast.Sub, ast.Mult):
            linear = _combine(kind, self.linear_of(left), self.linear_of(right))
            if linear is not None:
                self.linear[id(result)] = (linear, result)
        return result

    def linear_of(self, value: Any) -> Linear | None:
        if isinstance(value, Expr):
            known = self.linear.get(id(value))
            if known is None:
                known = self.linear[id(value)] = ({id(value): 1}, value)
            return known[0]
        return {None: value} if isinstance(value, int) else None

    def _UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return self.guarded(node, logical_not, value) if isinstance(value, Expr) else not value
        if isinstance(value, Expr) and isinstance(node.op, ast.UAdd):
            return value
        return self.guarded(node, _UNARY[type(node.op)], value)

    def _BoolOp(self, node: ast.BoolOp) -> Any:
        """Known operands decide as Python decides; the others are all evaluated."""
        is_and = isinstance(node.op, ast.And)
        total: Any = None
        last: Any = None
        for operand in node.values:
            last = self.value(operand)
            if not isinstance(last, Expr):
                if bool(last) != is_and and total is None:
                    return last
                if bool(last) == is_and:
                    continue
            join = logical_and if is_and else logical_or
            total = last if total is None else self.guarded(operand, join, total, last)
        if total is None:
            return last
        return self.guarded(node, to_bool, total)

    def _Compare(self, node: ast.Compare) -> Any:
        left = self.value(node.left)
        result: Any = True
        for op, right_node in zip(node.ops, node.comparators):
            right = self.value(right_node)
            part = self.guarded(node, _COMPARE[type(op)], left, right)
            if isinstance(part, Expr) or isinstance(result, Expr):
                result = part if result is True else self.guarded(node, logical_and, result, part)
            else:
                result = result and part
                if not result:
                    return result
            left = right
        return result

    def _IfExp(self, node: ast.IfExp) -> Any:
        condition = self.value(node.test)
        if not isinstance(condition, Expr):
            return self.value(node.body if condition else node.orelse)
        return self.guarded(node, select, condition, self.value(node.body),
                            self.value(node.orelse))

    # --- Subscripts ------------------------------------------------------------------

    def _Subscript(self, node: ast.Subscript) -> Any:
        base = self.value(node.value)
        return self.guarded(node, operator.getitem, base, self.subscript(node, base))

    def subscript(self, node: ast.Subscript, base: Any) -> Any:
        index = node.slice
        regions = isinstance(base, (Buffer, Region))
        if isinstance(index, ast.Tuple):
            return tuple(self._index(entry, regions) for entry in index.elts)
        return self._index(index, regions)

    def _index(self, node: ast.expr, regions: bool) -> Any:
        if not isinstance(node, ast.Slice):
            return self.value(node)
        start, stop, step = (self.value(part) if part is not None else None
                             for part in (node.lower, node.upper, node.step))
        if regions and step is None and isinstance(start, Expr) and stop is not None \
                or regions and isinstance(stop, Expr):
            return self._span(node, 0 if start is None else start, stop)
        return slice(start, stop, step)

    def _span(self, node: ast.Slice, start: Any, stop: Any) -> Any:
        difference = _combine(ast.Sub, self.linear_of(stop), self.linear_of(start))
        if difference is None or any(count for term, count in difference.items() if term):
            raise self.fail(node, "expected a slice whose length is known while the kernel is "
                                  "compiled: write start : start + LENGTH")
        return Span(start, difference.get(None, 0))

    def _Slice(self, node: ast.Slice) -> Any:
        raise self.fail(node, "expected a slice as a subscript of a buffer")

    # --- Calls -----------------------------------------------------------------------

    def _Call(self, node: ast.Call) -> Any:
        function = self.value(node.func)
        values = self._elements(node.args)
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                named.update(self.guarded(keyword.value, dict, self.value(keyword.value)))
            else:
                named[keyword.arg] = self.value(keyword.value)
        return self.call(node, function, values, named)

    def call(self, node: ast.Call, function: Any, values: list[Any],
             named: dict[str, Any]) -> Any:
        raise NotImplementedError

    # --- Assignment ------------------------------------------------------------------

    def settle(self, value: Any) -> Any:
        """The value that a name is bound to: an expression is computed now."""
        if isinstance(value, (MetaVar, Mutable)) or not isinstance(value, Expr):
            return value
        name = name_of(value)
        settled = Expr(value.dtype, lambda _: name, nonnegative=value.nonnegative)
        if not value.varies:
            linear = self.linear_of(value)
            if linear is not None:
                self.linear[id(settled)] = (linear, settled)
        return settled

    def assign(self, target: ast.expr, value: Any) -> None:
        raise NotImplementedError


def _in_terms_of_script(message: str) -> str:
    """A message of `tirx.lite` in the words of a parsed function."""
    if "has no truth" in message:
        return ("expected a value that is known while the kernel is compiled, got one of the "
                "running kernel: functions of Python cannot branch on it")
    return message.replace(": write txl.serial(n) for range(n)", "").replace(
        "while the kernel is traced", "while the kernel is compiled").replace("txl.", "T.")


_SPOKEN = {"AsyncFunctionDef": "an async function", "ClassDef": "a class", "Try": "`try`",
           "TryStar": "`try`", "With": "`with`", "AsyncWith": "`async with`", "Raise": "`raise`",
           "Global": "`global`", "Nonlocal": "`nonlocal`", "Import": "`import`",
           "ImportFrom": "`import`", "Delete": "`del`", "AsyncFor": "`async for`",
           "Match": "`match`", "Lambda": "`lambda`", "Await": "`await`", "Yield": "`yield`",
           "YieldFrom": "`yield`", "NamedExpr": "`:=`", "SetComp": "a set comprehension",
           "GeneratorExp": "a generator expression", "Starred": "`*`", "TypeAlias": "`type`"}


def _spoken(kind: str) -> str:
    return _SPOKEN.get(kind, kind)
