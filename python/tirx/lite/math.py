# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of values: each call is a few instructions, evaluated where it stands.

Those of f32 are as exact as the approximations of PTX that they are made of: a few units
in the last place.
"""

from __future__ import annotations

import math
from typing import Any

from tirx.lite import dtypes, ptx as ptx_module
from tirx.lite.dtypes import DType, to_dtype
from tirx.lite.expr import Expr, cast, compare, literal, select, to_expr
from tirx.lite.memory import Variable, local_scalar
from tirx.lite.trace import TraceError

_ptx = ptx_module.ptx


def _unary(text: str, value: Any, result: DType) -> Variable:
    variable = local_scalar(result)
    _ptx[text](variable, value)
    return variable


def _single(name: str, value: Any) -> Expr:
    """A value of f32; narrower floats are widened."""
    expr = to_expr(value, dtypes.f32 if isinstance(value, (int, float)) else None)
    if not expr.dtype.is_float or expr.dtype.bits > 32:
        raise TraceError(f"{name}: expected a float of 32 bits or less, got {expr.dtype}")
    return cast(expr, dtypes.f32)


def infinity(dtype: Any = dtypes.f32) -> Expr:
    return literal(math.inf, to_dtype(dtype))


def fabs(value: Any) -> Expr:
    """The absolute value of a float."""
    expr = to_expr(value)
    if not expr.dtype.is_float:
        raise TraceError(f"fabs: expected a float, got {expr.dtype}")
    if expr.dtype.bits == 64:
        return _unary("abs.f64", expr, dtypes.f64)
    return cast(_unary("abs.f32", _single("fabs", expr), dtypes.f32), expr.dtype)


def log2(value: Any) -> Variable:
    return _unary("lg2.approx.f32", _single("log2", value), dtypes.f32)


def log(value: Any) -> Expr:
    return log2(value) * math.log(2)


def exp2(value: Any) -> Variable:
    return _unary("ex2.approx.f32", _single("exp2", value), dtypes.f32)


def exp(value: Any) -> Variable:
    return exp2(_single("exp", value) * math.log2(math.e))


def rsqrt(value: Any) -> Variable:
    return _unary("rsqrt.approx.f32", _single("rsqrt", value), dtypes.f32)


def log1p(value: Any) -> Expr:
    """log(1 + x), without losing the digits of a small x."""
    x = _single("log1p", value)
    total = local_scalar(dtypes.f32, init=x + 1.0)
    # The rounding of 1 + x cancels between the logarithm and the difference.
    corrected = log(total) * x / (total - 1.0)
    return select(compare("eq", total, 1.0), x, corrected)


# Abramowitz and Stegun 7.1.26: |error| <= 1.5e-7.
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)


def erf(value: Any) -> Expr:
    x = _single("erf", value)
    size = fabs(x)
    t = local_scalar(dtypes.f32, init=literal(1.0, dtypes.f32) / (size * 0.3275911 + 1.0))
    polynomial: Expr = literal(0.0, dtypes.f32)
    for coefficient in reversed(_ERF):
        polynomial = (polynomial + coefficient) * t
    positive = literal(1.0, dtypes.f32) - polynomial * exp(-(size * size))
    return select(compare("lt", x, 0.0), -positive, positive)


def popcount(value: Any) -> Variable:
    """The number of ones, as a u32."""
    expr = to_expr(value, dtypes.u32 if isinstance(value, int) else None)
    if not expr.dtype.is_integer or expr.dtype.bits not in (32, 64):
        raise TraceError(f"popcount: expected an integer of 32 or 64 bits, got {expr.dtype}")
    return _unary(f"popc.b{expr.dtype.bits}", expr, dtypes.u32)


def EQ(a: Any, b: Any) -> Expr:
    return compare("eq", a, b)


def NE(a: Any, b: Any) -> Expr:
    return compare("ne", a, b)


def LT(a: Any, b: Any) -> Expr:
    return compare("lt", a, b)


def LE(a: Any, b: Any) -> Expr:
    return compare("le", a, b)


def GT(a: Any, b: Any) -> Expr:
    return compare("gt", a, b)


def GE(a: Any, b: Any) -> Expr:
    return compare("ge", a, b)
