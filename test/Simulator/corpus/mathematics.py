# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of mathematical functions, in long double (64 bits of significand) where
NumPy has the function, else from the C library in double or by a method given here.

FUNCTIONS: name in double precision -> Function; the float's is the name with an f.
"""

from __future__ import annotations

import ctypes
import dataclasses
import math
from typing import Callable

import numpy as np

from corpus import floats

L = np.longdouble
PI = L("3.14159265358979323846264338327950288")
LIBM = ctypes.CDLL("libm.so.6")


def of_libm(name: str, *integers: int):
    """A function of the C library in double, element by element."""
    function = getattr(LIBM, name)
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_int] * len(integers) + [ctypes.c_double]
    return lambda x: np.array([function(*integers, float(v)) for v in x.ravel()], L).reshape(x.shape)


erf_double, erfc_double = of_libm("erf"), of_libm("erfc")


def density(x):
    """The derivative of erf."""
    return 2 / np.sqrt(PI) * np.exp(-x * x)


def erfc(x):
    near = x.astype(np.float64).astype(L)
    rest = np.where(np.isfinite(x), x - near, 0)
    return erfc_double(near) - np.where(np.isfinite(x), density(near), 0) * rest


def erf(x):
    near = x.astype(np.float64).astype(L)
    rest = np.where(np.isfinite(x), x - near, 0)
    return erf_double(near) + np.where(np.isfinite(x), density(near), 0) * rest


def newton(value, residual):
    """Steps of Newton's method on erf or erfc, whose derivative is the density."""
    for _ in range(60):
        step = residual(value)
        value = value - np.where(np.isfinite(step), step, 0)
    return value


def erfcinv(y):
    mirrored = y > 1
    p = np.where(mirrored, 2 - y, y)
    inside = (p > 0) & (p <= 1)
    p = np.where(inside, p, L(0.5))
    small = p < 0.5
    tail = np.sqrt(np.maximum(-np.log(p), L(0.1)))
    tail = newton(np.where(small, tail, 1), lambda x: (np.log(np.where(small, p, 1)) - np.log(erfc(x))) * erfc(x) / density(x))
    middle = newton(np.zeros_like(p), lambda x: (erf(x) - (1 - p)) / density(x) * np.where(small, 0, 1))
    x = np.where(small, tail, middle)
    x = np.where(mirrored, -x, x)
    return np.where(inside, x, np.where(y == 0, np.inf, np.where(y == 2, -np.inf, np.nan)))


def erfinv(y):
    small = np.abs(y) <= 0.5
    near = newton(np.zeros_like(y), lambda x: np.where(small, (erf(x) - y) / density(x), 0))
    return np.where(small, near, np.sign(y) * erfcinv(1 - np.abs(y)))


def erfcx(x):
    """exp(x^2) erfc(x); far out by its continued fraction."""
    far = x > 5
    fraction = np.where(far, x, 9)
    for k in range(80, 0, -1):
        fraction = np.where(far, x, 9) + (L(k) / 2) / fraction
    return np.where(far, 1 / (np.sqrt(PI) * fraction), np.exp(np.where(far, 0, x) ** 2) * erfc(x))


def reduced(x):
    """x modulo 2 in [-1, 1], exactly."""
    return x - 2 * np.rint(x / 2)


def sinpi(x):
    r = reduced(x)
    r = np.where(r > 0.5, 1 - r, np.where(r < -0.5, -1 - r, r))
    return np.sin(PI * r)


def cospi(x):
    r = np.abs(reduced(x))
    return np.where(r == 0.5, 0, np.where(r < 0.25, np.cos(PI * r), np.sin(PI * (L(0.5) - r))))


def bessel_i(order):
    def function(x):
        term = (x / 2) ** order
        total = term
        for k in range(1, 80):
            term = term * (x / 2) ** 2 / (k * (k + order))
            total = total + term
        return total

    return function


@dataclasses.dataclass
class Function:
    """`float_ulp` and `double_ulp` are the bounds of NVIDIA's documentation, in units in
    the last place of the exact result (0: the correctly rounded one)."""

    reference: Callable
    float_ulp: float
    double_ulp: float
    domains: list
    specials: bool = True  # also at zeros, infinities, NaN, subnormal numbers
    float_atol: float = 0.0
    double_atol: float = 0.0


def logb(x):
    return np.where(x == 0, -np.inf, np.where(np.isinf(x), np.inf, np.frexp(x)[1] - 1.0 + 0 * x))


def away(x):
    """Rounded to the nearest, halves away from zero."""
    return np.copysign(np.floor(np.abs(x) + L(0.5)), x)


WIDE = [(-40, 40)]
FUNCTIONS = {
    "sin": Function(np.sin, 2, 2, [(-4, 4), (-1e5, 1e5), (-1e17, 1e17)]),
    "cos": Function(np.cos, 2, 2, [(-4, 4), (-1e5, 1e5), (-1e17, 1e17)]),
    "tan": Function(np.tan, 4, 2, [(-4, 4), (-1e5, 1e5)]),
    "sinpi": Function(sinpi, 2, 2, [(-3, 3), (-1000, 1000)]),
    "cospi": Function(cospi, 2, 2, [(-3, 3), (-1000, 1000)]),
    "asin": Function(np.arcsin, 2, 2, [(-1, 1)]),
    "acos": Function(np.arccos, 2, 2, [(-1, 1)]),
    "atan": Function(np.arctan, 2, 2, [(-3, 3), (-1e6, 1e6)]),
    "sinh": Function(np.sinh, 3, 2, [(-2, 2), (-80, 80)]),
    "cosh": Function(np.cosh, 2, 1, [(-2, 2), (-80, 80)]),
    "tanh": Function(np.tanh, 2, 1, [(-2, 2), (-15, 15)]),
    "asinh": Function(np.arcsinh, 3, 3, [(-2, 2), (-1e6, 1e6)]),
    "acosh": Function(np.arccosh, 4, 3, [(1, 3), (1, 1e6)]),
    "atanh": Function(np.arctanh, 3, 2, [(-1, 1)]),
    "exp": Function(np.exp, 2, 1, [(-1, 1), (-104, 89)]),
    "exp2": Function(np.exp2, 2, 1, [(-1, 1), (-150, 128)]),
    "exp10": Function(lambda x: np.power(L(10), x), 2, 1, [(-1, 1), (-45, 38)]),
    "expm1": Function(np.expm1, 1, 1, [(-1e-3, 1e-3), (-1, 1), (-20, 88)]),
    "log": Function(np.log, 1, 1, [(0.5, 2), (0, 1e6)]),
    "log2": Function(np.log2, 1, 1, [(0.5, 2), (0, 1e6)]),
    "log10": Function(np.log10, 2, 1, [(0.5, 2), (0, 1e6)]),
    "log1p": Function(np.log1p, 1, 1, [(-1e-3, 1e-3), (-0.9, 3), (0, 1e6)]),
    "logb": Function(logb, 0, 0, [(-1, 1), (-1e30, 1e30)]),
    "sqrt": Function(np.sqrt, 0, 0, [(0, 4), (0, 1e30)]),
    "rsqrt": Function(lambda x: 1 / np.sqrt(x), 2, 1, [(0, 4), (0, 1e30)]),
    "cbrt": Function(np.cbrt, 1, 1, [(-4, 4), (-1e30, 1e30)]),
    "rcbrt": Function(lambda x: 1 / np.cbrt(x), 1, 1, [(-4, 4), (-1e30, 1e30)]),
    "erf": Function(erf, 2, 2, [(-3, 3), (-6, 6)]),
    "erfc": Function(erfc, 4, 5, [(-3, 3), (-3, 9)]),
    "erfinv": Function(erfinv, 2, 5, [(-1, 1), (0.99, 1)]),
    "erfcinv": Function(erfcinv, 4, 6, [(0, 2), (0, 1e-4)], specials=False),
    "erfcx": Function(erfcx, 4, 4, [(-2, 2), (-4, 40)], specials=False),
    "normcdf": Function(lambda x: erfc(-x / np.sqrt(L(2))) / 2, 5, 5, [(-3, 3), (-12, 8)]),
    "normcdfinv": Function(lambda p: -np.sqrt(L(2)) * erfcinv(2 * p), 5, 8, [(0, 1), (0, 1e-4)], specials=False),
    "lgamma": Function(of_libm("lgamma"), 6, 4, [(0, 5), (0, 1000)], float_atol=1e-6, double_atol=1e-14),
    "tgamma": Function(of_libm("tgamma"), 5, 10, [(-2.9, -0.1), (0, 5), (0, 34)]),
    "j0": Function(of_libm("j0"), 9, 7, [(-8, 8), (8, 60)], float_atol=2.2e-6, double_atol=5e-12),
    "j1": Function(of_libm("j1"), 9, 7, [(-8, 8), (8, 60)], float_atol=2.2e-6, double_atol=5e-12),
    "y0": Function(of_libm("y0"), 9, 7, [(0, 8), (8, 60)], float_atol=2.2e-6, double_atol=5e-12),
    "y1": Function(of_libm("y1"), 9, 7, [(0, 8), (8, 60)], float_atol=2.2e-6, double_atol=5e-12),
    "jn": Function(of_libm("jn", 3), 9, 7, [(-8, 8), (8, 60)], float_atol=2.2e-6, double_atol=5e-12, specials=False),
    "yn": Function(of_libm("yn", 2), 12, 9, [(0.3, 8), (8, 60)], float_atol=3e-6, double_atol=1e-11, specials=False),
    "cyl_bessel_i0": Function(bessel_i(0), 6, 6, [(-3, 3), (-20, 20)], specials=False),
    "cyl_bessel_i1": Function(bessel_i(1), 6, 6, [(-3, 3), (-20, 20)], specials=False),
    "floor": Function(np.floor, 0, 0, WIDE),
    "ceil": Function(np.ceil, 0, 0, WIDE),
    "trunc": Function(np.trunc, 0, 0, WIDE),
    "round": Function(away, 0, 0, WIDE),
    "rint": Function(np.rint, 0, 0, WIDE),
    "nearbyint": Function(np.rint, 0, 0, WIDE),
    "fabs": Function(np.abs, 0, 0, WIDE),
}

BOTH_SIGNS = [(-4, 4), (-1e6, 1e6)]


def remainder(x, y):
    return np.array([math.remainder(float(a), float(b)) if math.isfinite(a) and b and not math.isnan(b) else math.nan
                     for a, b in zip(x, y)], x.dtype)


TWO = {
    "pow": Function(lambda x, y: np.power(x, y), 4, 2, [(0, 4), (0, 30)]),
    "atan2": Function(np.arctan2, 3, 2, BOTH_SIGNS),
    "hypot": Function(np.hypot, 3, 2, BOTH_SIGNS),
    "rhypot": Function(lambda x, y: 1 / np.hypot(x, y), 2, 1, BOTH_SIGNS),
    "fmod": Function(np.fmod, 0, 0, BOTH_SIGNS),
    "remainder": Function(remainder, 0, 0, BOTH_SIGNS),
    "fdim": Function(lambda x, y: np.where(np.isnan(x) | np.isnan(y), np.nan, np.where(x > y, x - y, 0)), 0, 0, BOTH_SIGNS),
    "fmax": Function(np.fmax, 0, 0, BOTH_SIGNS),
    "fmin": Function(np.fmin, 0, 0, BOTH_SIGNS),
    "copysign": Function(np.copysign, 0, 0, BOTH_SIGNS),
    "nextafter": Function(np.nextafter, 0, 0, BOTH_SIGNS),
    "divide": Function(lambda x, y: x / y, 0, 0, BOTH_SIGNS),
    "norm3d": Function(lambda x, y: np.sqrt(x * x + y * y + 4), 3, 2, BOTH_SIGNS, specials=False),
    "norm4d": Function(lambda x, y: np.sqrt(x * x + y * y + 13), 3, 2, BOTH_SIGNS, specials=False),
    "rnorm3d": Function(lambda x, y: 1 / np.sqrt(x * x + y * y + 4), 2, 1, BOTH_SIGNS, specials=False),
}


def arguments(function: Function, dtype, seed: int, count: int) -> np.ndarray:
    """Numbers of every domain, and special ones at the beginning."""
    each = count // len(function.domains)
    parts = [floats(seed + i, each, low, high, dtype) for i, (low, high) in enumerate(function.domains)]
    values = np.concatenate([*parts, parts[0][: count - each * len(parts)]])
    if function.specials:
        tiny = np.finfo(dtype).smallest_subnormal
        special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, tiny, -tiny, 2, 1000 * tiny,
                            np.finfo(dtype).smallest_normal, np.finfo(dtype).max], dtype)
        values[seed % 7:seed % 7 + special.size] = special
    return values


def tolerance(function: Function, dtype) -> dict:
    is_float = np.dtype(dtype) == np.float32
    ulp = function.float_ulp if is_float else function.double_ulp
    # Half a unit is the rounding of the exact result; the references have 53 bits or more.
    return {"ulp": ulp + 0.5 if is_float else ulp + 1.0,
            "atol": function.float_atol if is_float else function.double_atol}
