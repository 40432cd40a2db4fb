# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions on traced values.

An expression is a small tree. It is evaluated where it is used: one that reads a
variable (`local_scalar`, `alloc_local`) sees the value that the variable has there.
A tree without such reads is evaluated once, and so is every instruction.
"""

from __future__ import annotations

import math
import struct
from typing import Any, Callable, Sequence

from tirx.lite import dtypes
from tirx.lite.dtypes import DType, to_dtype
from tirx.lite.trace import TraceError, current, state

Number = (int, float, bool)


class Expr:
    """A value of `dtype`: an operation on other expressions, or a name of the IR."""

    __slots__ = ("emit", "args", "dtype", "varies", "nonnegative")

    def __init__(
        self,
        dtype: DType,
        emit: Callable[[Sequence[str]], str],
        args: Sequence["Expr"] = (),
        varies: bool = False,
        nonnegative: bool = False,
    ) -> None:
        self.dtype = dtype
        self.emit = emit  # from the names of the arguments to that of the result
        self.args = args
        # Whether it reads a variable.
        self.varies: bool = varies or any(a.varies for a in args)
        self.nonnegative = nonnegative or dtype.kind in ("uint", "bool")

    # --- Arithmetic ----------------------------------------------------------

    def __add__(self, other: Any) -> "Expr":
        return arithmetic("add", self, other)

    def __radd__(self, other: Any) -> "Expr":
        return arithmetic("add", other, self)

    def __sub__(self, other: Any) -> "Expr":
        return arithmetic("sub", self, other)

    def __rsub__(self, other: Any) -> "Expr":
        return arithmetic("sub", other, self)

    def __mul__(self, other: Any) -> "Expr":
        return arithmetic("mul", self, other)

    def __rmul__(self, other: Any) -> "Expr":
        return arithmetic("mul", other, self)

    def __truediv__(self, other: Any) -> "Expr":
        return float_divide(self, other)

    def __rtruediv__(self, other: Any) -> "Expr":
        return float_divide(other, self)

    def __floordiv__(self, other: Any) -> "Expr":
        return floor_divide(self, other)

    def __rfloordiv__(self, other: Any) -> "Expr":
        return floor_divide(other, self)

    def __mod__(self, other: Any) -> "Expr":
        return floor_modulo(self, other)

    def __rmod__(self, other: Any) -> "Expr":
        return floor_modulo(other, self)

    def __neg__(self) -> "Expr":
        return arithmetic("sub", literal(0, self.dtype), self)

    def __invert__(self) -> "Expr":
        return bitwise("xori", self, 1 if self.dtype.kind == "bool" else -1)

    def __and__(self, other: Any) -> "Expr":
        return bitwise("andi", self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> "Expr":
        return bitwise("ori", self, other)

    __ror__ = __or__

    def __xor__(self, other: Any) -> "Expr":
        return bitwise("xori", self, other)

    __rxor__ = __xor__

    def __lshift__(self, other: Any) -> "Expr":
        return shift("left", self, other)

    def __rlshift__(self, other: Any) -> "Expr":
        return shift("left", literal_like(other, self), self)

    def __rshift__(self, other: Any) -> "Expr":
        return shift("right", self, other)

    def __rrshift__(self, other: Any) -> "Expr":
        return shift("right", literal_like(other, self), self)

    # --- Comparison ----------------------------------------------------------

    def __lt__(self, other: Any) -> "Expr":
        return compare("lt", self, other)

    def __le__(self, other: Any) -> "Expr":
        return compare("le", self, other)

    def __gt__(self, other: Any) -> "Expr":
        return compare("gt", self, other)

    def __ge__(self, other: Any) -> "Expr":
        return compare("ge", self, other)

    def __eq__(self, other: Any) -> "Expr":  # type: ignore[override]
        return compare("eq", self, other)

    def __ne__(self, other: Any) -> "Expr":  # type: ignore[override]
        return compare("ne", self, other)

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TraceError(
            "a value of the running kernel has no truth while it is traced: write "
            "`with txl.If(c), txl.Then():` for `if c:`, txl.Select(c, a, b) for "
            "`a if c else b`, txl.And, txl.Or and txl.Not for `and`, `or` and `not`"
        )

    def __index__(self) -> int:
        raise TraceError(
            "expected a number that is known while the kernel is traced, got a value of "
            "the running kernel: write txl.serial(n) for range(n)"
        )

    __int__ = __index__

    def __float__(self) -> float:
        raise TraceError("expected a number that is known while the kernel is traced")


def name_of(expr: Expr) -> str:
    """Evaluates an expression here and gives the name of its value."""
    trace = state.trace or current()
    key = (id(expr), trace.epoch) if expr.varies else id(expr)
    for region in reversed(trace.regions):  # the values of open regions dominate this point
        name = region.values.get(key)
        if name is not None:
            return name
    name = expr.emit([name_of(a) for a in expr.args] if expr.args else ())
    region = trace.regions[-1]
    region.values[key] = name
    region.kept.append(expr)  # so that its id stays its own
    return name


def literal(value: Any, dtype: DType) -> Expr:
    """A constant; the value must fit the type."""
    if dtype.kind == "bool":
        text = "true" if value else "false"
        return Expr(dtype, lambda _: current().constant(text, "i1"))
    if dtype.is_integer:
        if isinstance(value, float) and value != int(value):
            raise TraceError(f"expected an integer for {dtype}, got {value}")
        value = int(value)
        low, high = dtype.limits()
        if not min(low, -(1 << (dtype.bits - 1))) <= value <= max(high, (1 << dtype.bits) - 1):
            raise TraceError(f"expected a value of {dtype}, {low} to {high}, got {value}")
        if value >= 1 << (dtype.bits - 1):
            value -= 1 << dtype.bits
        return Expr(dtype, lambda _: current().constant(str(value), dtype.mlir),
                    nonnegative=value >= 0)
    return Expr(dtype, lambda _: current().constant(_float_text(float(value), dtype), dtype.mlir))


def _float_text(value: float, dtype: DType) -> str:
    if math.isfinite(value):
        text = repr(value)
        return text if "." in text or "e" not in text else text.replace("e", ".0e")
    if dtype.name == "f64":
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if dtype.name == "f32":
        return f"0x{bits:08X}"
    if dtype.name == "bf16":
        return f"0x{bits >> 16:04X}"
    half = struct.unpack("<H", struct.pack("<e", value))[0]
    return f"0x{half:04X}"


def literal_like(value: Any, other: Expr) -> Expr:
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool) and other.dtype.kind == "bool":
        return literal(value, other.dtype)
    if isinstance(value, float) and not other.dtype.is_float:
        return literal(value, dtypes.f32)
    if isinstance(value, Number):
        dtype = dtypes.i32 if other.dtype.kind == "bool" else other.dtype
        return literal(value, dtype)
    raise TraceError(f"expected a number or a value of the kernel, got {_kind(value)}")


def _kind(value: Any) -> str:
    return f"{type(value).__name__} {value!r}" if isinstance(value, str) else type(value).__name__


def to_expr(value: Any, dtype: DType | None = None) -> Expr:
    """An expression for a Python number or an expression; numbers become `dtype`, or
    int32, float32 or bool."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool):
        return literal(value, dtype or dtypes.bool_)
    if isinstance(value, int):
        if dtype is None:
            fits = -(1 << 31) <= value < 1 << 31
            dtype = dtypes.i32 if fits else dtypes.i64 if value < 1 << 63 else dtypes.u64
        return literal(value, dtype)
    if isinstance(value, float):
        return literal(value, dtype or dtypes.f32)
    if hasattr(value, "as_expr"):
        return value.as_expr()
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():  # a NumPy scalar
        return to_expr(value.item(), dtype)
    raise TraceError(f"expected a number or a value of the kernel, got {_kind(value)}")


def _join(a: DType, b: DType) -> DType:
    """The type in which two values meet: as in C, but never below their own width."""
    if a == b:
        return a
    if a.is_float or b.is_float:
        if a.is_float and b.is_float:
            if a.bits == b.bits:
                raise TraceError(f"expected values of one type, got {a} and {b}: cast one of them")
            return a if a.bits > b.bits else b
        return a if a.is_float else b
    if a.kind == "bool" or b.kind == "bool":
        return b if a.kind == "bool" else a
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if a.kind == "uint" else b


def _meet(a: Any, b: Any) -> tuple[Expr, Expr]:
    if not isinstance(a, Expr) and not isinstance(b, Expr):
        a = to_expr(a)
    left = a if isinstance(a, Expr) else literal_like(a, b)
    right = b if isinstance(b, Expr) else literal_like(b, left)
    dtype = _join(left.dtype, right.dtype)
    return cast(left, dtype), cast(right, dtype)


def _op(text: str, dtype: DType, *args: Expr, nonnegative: bool = False) -> Expr:
    """An op whose operands and result have the type that follows the colon."""
    mlir = args[0].dtype.mlir
    return Expr(dtype, lambda names: current().result(f"{text} {', '.join(names)} : {mlir}"),
                args, nonnegative=nonnegative)


def arithmetic(op: str, a: Any, b: Any) -> Expr:
    left, right = _meet(a, b)
    dtype = left.dtype
    if dtype.kind == "bool":
        left, right, dtype = cast(left, dtypes.i32), cast(right, dtypes.i32), dtypes.i32
    nonnegative = op != "sub" and left.nonnegative and right.nonnegative
    return _op(f"arith.{op}{'f' if dtype.is_float else 'i'}", dtype, left, right,
               nonnegative=nonnegative)


def float_divide(a: Any, b: Any) -> Expr:
    left, right = _meet(a, b)
    if not left.dtype.is_float:
        raise TraceError(f"expected floats on both sides of /, got {left.dtype}: write // or "
                         "cast to a float")
    return _op("arith.divf", left.dtype, left, right)


def _power_of_two(value: Any) -> int | None:
    if isinstance(value, int) and value > 0 and value & (value - 1) == 0:
        return value.bit_length() - 1
    return None


def _check_divisor(b: Any) -> None:
    if isinstance(b, int) and b == 0:
        raise TraceError("expected a divisor other than 0")


def floor_divide(a: Any, b: Any) -> Expr:
    """Division that rounds down, as Python's does."""
    _check_divisor(b)
    log2 = _power_of_two(b)
    left, right = _meet(a, b)
    if left.dtype.is_float:
        raise TraceError(f"expected integers on both sides of //, got {left.dtype}")
    if log2 is not None:
        return shift("right", left, log2)
    if left.nonnegative and right.nonnegative:
        return _op("arith.divui", left.dtype, left, right, nonnegative=True)
    quotient = truncating("div", left, right)
    return quotient - cast(_rounds_up(left, right), quotient.dtype)


def floor_modulo(a: Any, b: Any) -> Expr:
    """The remainder of division that rounds down: it has the divisor's sign."""
    _check_divisor(b)
    log2 = _power_of_two(b)
    left, right = _meet(a, b)
    if left.dtype.is_float:
        raise TraceError(f"expected integers on both sides of %, got {left.dtype}")
    if log2 is not None:
        masked = bitwise("andi", left, (1 << log2) - 1)
        masked.nonnegative = True
        return masked
    if left.nonnegative and right.nonnegative:
        return _op("arith.remui", left.dtype, left, right, nonnegative=True)
    remainder = truncating("rem", left, right)
    return remainder + select(_rounds_up(left, right), right, 0)


def _rounds_up(a: Expr, b: Expr) -> Expr:
    """Whether truncating division gives one more than division that rounds down."""
    remainder = truncating("rem", a, b)
    return logical_and(compare("ne", remainder, 0), compare("lt", bitwise("xori", remainder, b), 0))


def truncating(op: str, a: Any, b: Any) -> Expr:
    """`div` or `rem` toward zero, as C's."""
    _check_divisor(b)
    left, right = _meet(a, b)
    suffix = "si" if left.dtype.kind == "int" else "ui"
    return _op(f"arith.{op}{suffix}", left.dtype, left, right,
               nonnegative=left.nonnegative and right.nonnegative)


def bitwise(op: str, a: Any, b: Any) -> Expr:
    left, right = _meet(a, b)
    if left.dtype.is_float:
        raise TraceError(f"expected integers, got {left.dtype}: reinterpret it first")
    either = left.nonnegative or right.nonnegative
    both = left.nonnegative and right.nonnegative
    return _op(f"arith.{op}", left.dtype, left, right,
               nonnegative=either if op == "andi" else both)


def shift(direction: str, a: Any, b: Any) -> Expr:
    left = to_expr(a)
    if not left.dtype.is_integer:
        raise TraceError(f"expected an integer to shift, got {left.dtype}")
    if isinstance(b, int) and not 0 <= b < left.dtype.bits:
        raise TraceError(f"expected a shift of 0 to {left.dtype.bits - 1} bits, got {b}")
    right = cast(to_expr(b, left.dtype if isinstance(b, int) else None), left.dtype)
    if direction == "left":
        op = "arith.shli"
    else:
        op = "arith.shrsi" if left.dtype.kind == "int" and not left.nonnegative else "arith.shrui"
    return _op(op, left.dtype, left, right, nonnegative=left.nonnegative and direction == "right")


_PREDICATES = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge", "eq": "eq", "ne": "ne"}


def compare(op: str, a: Any, b: Any) -> Expr:
    left, right = _meet(a, b)
    if left.dtype.is_float:
        predicate = ("une" if op == "ne" else "o" + op)
        return _op(f"arith.cmpf {predicate},", dtypes.bool_, left, right)
    predicate = _PREDICATES[op]
    if left.dtype.kind != "int" and predicate[0] == "s":
        predicate = "u" + predicate[1:]
    return _op(f"arith.cmpi {predicate},", dtypes.bool_, left, right)


def to_bool(value: Any) -> Expr:
    expr = to_expr(value)
    return expr if expr.dtype.kind == "bool" else compare("ne", expr, 0)


def logical_and(a: Any, b: Any) -> Expr:
    return _op("arith.andi", dtypes.bool_, to_bool(a), to_bool(b))


def logical_or(a: Any, b: Any) -> Expr:
    return _op("arith.ori", dtypes.bool_, to_bool(a), to_bool(b))


def logical_not(a: Any) -> Expr:
    return _op("arith.xori", dtypes.bool_, to_bool(a), literal(True, dtypes.bool_))


def select(condition: Any, a: Any, b: Any) -> Expr:
    left, right = _meet(a, b)
    chosen = to_bool(condition)
    mlir = left.dtype.mlir
    return Expr(left.dtype,
                lambda n: current().result(f"arith.select {n[0]}, {n[1]}, {n[2]} : {mlir}"),
                [chosen, left, right], nonnegative=left.nonnegative and right.nonnegative)


def extreme(op: str, a: Any, b: Any) -> Expr:
    """`max` or `min`; a NaN loses against a number, as in PTX."""
    left, right = _meet(a, b)
    dtype = left.dtype
    if dtype.is_float:
        mlir = dtype.mlir
        return Expr(dtype, lambda n: current().result(
            f"llvm.intr.{op}num({n[0]}, {n[1]}) : ({mlir}, {mlir}) -> {mlir}"), [left, right])
    suffix = "si" if dtype.kind == "int" else "ui"
    return _op(f"arith.{op}{suffix}", dtype, left, right,
               nonnegative=left.nonnegative and right.nonnegative)


def cast(value: Any, dtype: Any) -> Expr:
    """The value as another type, converted as C converts."""
    target = to_dtype(dtype)
    if not isinstance(value, Expr):
        return to_expr(value, target)
    source = value.dtype
    if source == target:
        return value
    if target.kind == "bool":
        return to_bool(value)
    op = _cast_op(source, target)
    if op is None:  # of another sign only
        return Expr(target, lambda names: names[0], [value], nonnegative=value.nonnegative)
    text = f"{source.mlir} to {target.mlir}"
    return Expr(target, lambda names: current().result(f"{op} {names[0]} : {text}"), [value],
                nonnegative=value.nonnegative and target.bits >= source.bits)


def _cast_op(source: DType, target: DType) -> str | None:
    if source.is_float and target.is_float:
        return "arith.extf" if target.bits > source.bits else "arith.truncf"
    if source.is_float:
        return "arith.fptosi" if target.kind == "int" else "arith.fptoui"
    if target.is_float:
        return "arith.sitofp" if source.kind == "int" else "arith.uitofp"
    if source.bits == target.bits:
        return None
    if target.bits < source.bits:
        return "arith.trunci"
    return "arith.extsi" if source.kind == "int" else "arith.extui"


def reinterpret(dtype: Any, value: Any) -> Expr:
    """The bits of a value as another type of the same width."""
    target = to_dtype(dtype)
    expr = to_expr(value)
    if expr.dtype.bits != target.bits:
        raise TraceError(f"expected a value of {target.bits} bits for {target}, got "
                         f"{expr.dtype} of {expr.dtype.bits}")
    if expr.dtype.mlir == target.mlir:
        return cast(expr, target)
    text = f"{expr.dtype.mlir} to {target.mlir}"
    return Expr(target, lambda n: current().result(f"arith.bitcast {n[0]} : {text}"), [expr])


def index_name(value: Any) -> str:
    """The name of an `index` for a subscript."""
    if isinstance(value, int):
        return current().index_constant(value)
    expr = value if isinstance(value, Expr) else to_expr(value)
    if not expr.dtype.is_integer:
        raise TraceError(f"expected an integer as an index, got {expr.dtype}")
    trace = current()
    name = name_of(expr)
    key = ("index", name)
    found = trace.find_value(key)
    if found is None:
        op = "arith.index_castui" if expr.nonnegative else "arith.index_cast"
        found = trace.result(f"{op} {name} : {expr.dtype.mlir} to index")
        trace.keep_value(key, found)
    return found
