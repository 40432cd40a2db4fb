# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tile ops, as the native library describes them, on their way into the IR."""

from __future__ import annotations

import difflib
import functools
import json
from typing import Any

from tirx import _native
from tirx.lite import dtypes
from tirx.lite.expr import Expr, cast, index_name, name_of, to_bool, to_expr
from tirx.lite.memory import TMEM
from tirx.lite.trace import TraceError, current
from tirx.script.buffers import LOCAL, Buffer, Region, barrier_place
from tirx.script.targets import require

# Other names under which arguments are known.
_ALIASES = {"accum": "accumulate", "mbar": "barrier"}

_SCALARS = {"I1": dtypes.bool_, "I8": dtypes.i8, "I16": dtypes.i16, "I32": dtypes.i32,
            "I64": dtypes.i64, "F16": dtypes.f16, "BF16": dtypes.bf16, "F32": dtypes.f32,
            "F64": dtypes.f64}
_ANY = ("any", "AnyType")
_INTEGER_ATTRIBUTES = {"I8Attr": 8, "I16Attr": 16, "I32Attr": 32, "I64Attr": 64}


@functools.lru_cache(maxsize=None)
def _definitions() -> dict[str, dict[str, Any]]:
    return {op["name"]: op for op in _native.tile_ops()}


class _Call:
    """One op on its way into the IR."""

    def __init__(self, definition: dict[str, Any], scope: str) -> None:
        self.definition = definition
        self.scope = scope
        self.what = f"{definition['name']} ({scope})"
        self.operands: list[tuple[str, str]] = []  # name and type in the IR
        self.segments: list[int] = []
        self.attributes: dict[str, str] = {}
        self.buffers: dict[str, Buffer] = {}
        self.given: dict[str, Any] = {}

    # --- Arguments -----------------------------------------------------------------

    def bind(self, values: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Distributes the values of a call over the arguments."""
        arguments = {a["name"]: a for a in self.definition["arguments"] if a["name"] != "scope"}
        order = [name for name, argument in arguments.items()
                 if argument["kind"] == "operand" or argument["type"] != "StrAttr"]
        if len(values) > len(order):
            raise TraceError(f"{self.what}: expected at most {len(order)} arguments "
                             f"({', '.join(order)}), got {len(values)}")
        given = dict(zip(order, values))
        for name, value in named.items():
            name = _ALIASES.get(name, name) if name not in arguments else name
            if name not in arguments:
                raise TraceError(f"{self.what}: expected options of {', '.join(arguments)}, got "
                                 f"'{name}'{_suggest(name, arguments)}")
            if name in given:
                raise TraceError(f"{self.what}: expected argument '{name}' once")
            given[name] = value
        self.given = {name: value for name, value in given.items() if value is not None}
        self._split_barriers(arguments)
        for name, argument in arguments.items():
            required = argument["kind"] == "operand" and not argument["optional"] \
                and not argument.get("variadic")
            required |= argument["kind"] == "attribute" and not argument["optional"] \
                and "default" not in argument
            if required and name not in self.given:
                raise TraceError(f"{self.what}: expected argument '{name}'")

    def _split_barriers(self, arguments: dict[str, Any]) -> None:
        """`bar.ptr_to([i])` is a buffer of mbarriers and an index into it."""
        names = list(arguments)
        for position, name in enumerate(names):
            if arguments[name]["type"] != "TIRx_BarrierBuffer" or name not in self.given:
                continue
            buffer, index = barrier_place(f"{self.what}: {name}", self.given[name])
            self.given[name] = buffer
            if position + 1 < len(names) and arguments[names[position + 1]]["type"] == "Index":
                self.given[names[position + 1]] = index

    # --- Conversion ------------------------------------------------------------------

    def convert(self) -> None:
        for argument in self.definition["arguments"]:
            name = argument["name"]
            if name == "scope":
                self.attributes["scope"] = f"#tirx<scope {self.scope}>"
            elif argument["kind"] == "operand":
                self._operand(argument, self.given.get(name))
            elif name in self.given:
                text = self._attribute(argument, self.given[name])
                if text is not None:
                    self.attributes[name] = text

    def _operand(self, argument: dict[str, Any], value: Any) -> None:
        if argument.get("variadic"):
            values = [] if value is None else list(value) if isinstance(value, (list, tuple)) \
                else [value]
        elif value is None or value is False and argument["optional"]:
            values = []
        else:
            values = [value]
        self.segments.append(len(values))
        for entry in values:
            self.operands.append(self._value(argument, entry))

    def _value(self, argument: dict[str, Any], value: Any) -> tuple[str, str]:
        name, kind = argument["name"], argument["type"]
        where = f"{self.what}: operand '{name}'"
        is_buffer = isinstance(value, (Buffer, Region))
        if "Buffer" in kind or kind in _ANY and is_buffer:
            if not is_buffer:
                raise TraceError(f"{where}: expected a buffer or a slice of one, got "
                                 f"{_describe(value)}")
            buffer: Buffer = value.materialize()
            self.buffers[name] = buffer
            return buffer.name, buffer.type
        if is_buffer:
            raise TraceError(f"{where}: expected a number, got a buffer")
        if kind == "Index":
            return index_name(value), "index"
        dtype = _SCALARS.get(kind)
        if dtype is None:  # a scalar beside a tile has the type of its elements
            dtype = self.buffers["dst"].dtype if "dst" in self.buffers else None
            expr = to_expr(value, None if isinstance(value, Expr) else dtype)
            expr = cast(expr, dtype) if dtype is not None else expr
        elif dtype.kind == "bool":
            expr = to_bool(value)
        else:
            expr = cast(to_expr(value, None if isinstance(value, Expr) else dtype), dtype)
        return name_of(expr), expr.dtype.mlir

    def _attribute(self, argument: dict[str, Any], value: Any) -> str | None:
        name, kind = argument["name"], argument["type"]
        where = f"{self.what}: option '{name}'"
        if isinstance(value, Expr):
            raise TraceError(f"{where}: expected a value that is known while the kernel is "
                             "compiled, got one of the running kernel")
        if kind == "enum":
            if value not in argument["cases"]:
                raise TraceError(f"{where}: expected one of {', '.join(argument['cases'])}, got "
                                 f"{value!r}{_suggest(str(value), argument['cases'])}")
            return f"#tirx<{argument['mnemonic']} {value}>"
        if kind == "UnitAttr":
            return "unit" if self._is(bool, value, where) else None
        if kind == "StrAttr":
            return json.dumps(self._is(str, value, where))
        if kind in _INTEGER_ATTRIBUTES:
            return f"{self._is(int, value, where)} : i{_INTEGER_ATTRIBUTES[kind]}"
        if kind == "BoolAttr":
            return "true" if self._is(bool, value, where) else "false"
        if kind in ("F32Attr", "F64Attr"):
            return f"{float(value)!r} : {kind[:3].lower()}"
        if kind == "DenseI64ArrayAttr":
            return f"array<i64: {', '.join(str(int(v)) for v in value)}>"
        if hasattr(value, "text"):  # a layout
            return str(value.text)
        raise TraceError(f"{where}: expected an attribute that Python can write, got {kind}")

    @staticmethod
    def _is(kind: type, value: Any, where: str) -> Any:
        if not isinstance(value, kind) or kind is int and isinstance(value, bool):
            raise TraceError(f"{where}: expected {kind.__name__}, got {_describe(value)}")
        return value

    # --- Text ------------------------------------------------------------------------

    def emit(self) -> None:
        self.convert()
        if self.definition["segments"]:
            sizes = ", ".join(map(str, self.segments))
            self.attributes["operandSegmentSizes"] = f"array<i32: {sizes}>"
        properties = ", ".join(f"{name} = {text}" if text != "unit" else name
                               for name, text in self.attributes.items())
        names = ", ".join(name for name, _ in self.operands)
        types = ", ".join(mlir for _, mlir in self.operands)
        self._require()
        current().emit(f'"tirx.{self.definition["name"]}"({names}) <{{{properties}}}> : ({types}) '
                       "-> ()")
        current().epoch += 1

    def _require(self) -> None:
        """What the chip must have for the op."""
        dispatch = str(self.given.get("dispatch", ""))
        if "barrier" in self.buffers or dispatch == "tma":
            require("bulk")
        if any(buffer.space == TMEM for buffer in self.buffers.values()):
            require("tcgen05")
        is_product = self.definition["name"] == "gemm_async"
        if is_product and self.scope == "warpgroup" and self.buffers["d"].space == LOCAL:
            require("wgmma")


def _describe(value: Any) -> str:
    if isinstance(value, Expr):
        return f"a value of {value.dtype}"
    return f"{type(value).__name__} {value!r}"


def _suggest(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f" (is it '{close[0]}'?)" if close else ""


class TileOp:
    """A tile op at a scope; call it."""

    def __init__(self, name: str, scope: str) -> None:
        self._name = name
        self._scope = scope
        self.__doc__ = _definitions()[name]["summary"]

    def __call__(self, *values: Any, **options: Any) -> None:
        definition = _definitions()[self._name]
        if definition["results"]:
            raise TraceError(f"{self._name}: expected an op without results")
        call = _Call(definition, self._scope)
        call.bind(values, options)
        call.emit()

    def __repr__(self) -> str:
        return f"<tile op {self._name} of a {self._scope}>"


class Scope:
    """The tile ops that a scope executes."""

    def __init__(self, name: str) -> None:
        self._scope = name

    def __getattr__(self, name: str) -> TileOp:
        if name.startswith("__"):
            raise AttributeError(name)
        return find(name, self._scope)

    def __dir__(self) -> list[str]:
        return sorted(_definitions())


def find(name: str, scope: str) -> TileOp:
    if name not in _definitions():
        raise AttributeError(f"expected a tile op, one of {', '.join(sorted(_definitions()))}, "
                             f"got '{name}'{_suggest(name, _definitions())}")
    return TileOp(name, scope)
