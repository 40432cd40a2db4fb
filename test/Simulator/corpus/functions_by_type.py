# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases that functions_of_float.cu and functions_of_double.cu share."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

import mathematics
from corpus import Out, bits, case, floats, integers
from mathematics import FUNCTIONS, TWO, Function, L, arguments, tolerance

COUNT = 256
KEYS = {"grid": 4, "block": 64}


def exact(value: Fraction, dtype, mode: str):
    """A rational number rounded to `dtype`: n to nearest even, z, u, d."""
    info = np.finfo(dtype)
    if value == 0:
        return dtype(0)
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    step = Fraction(2) ** (max(exponent, int(info.minexp)) - int(info.nmant))
    steps, rest = divmod(magnitude, step)
    away = {"z": False, "u": value > 0, "d": value < 0,
            "n": rest * 2 > step or (rest * 2 == step and steps % 2 == 1)}[mode]
    result = (steps + (1 if rest and away else 0)) * step
    return dtype(math.copysign(float(result), value))  # exact, for both types


def square_root(value: Fraction, dtype, mode: str):
    """By integer square roots: 2^-2k more digits than any type has decide."""
    shift = 400
    root = math.isqrt((value.numerator << 2 * shift) // value.denominator)
    inexact = root * root * value.denominator != value.numerator << 2 * shift
    return exact(Fraction(2 * root + inexact, 2 << shift), dtype, mode)


def register(dtype, module: str) -> None:
    is_float = dtype == np.float32
    letter, suffix = ("f", "f") if is_float else ("d", "")

    def spelled(name):
        return f"{letter}_divide" if name == "divide" else f"{letter}_{name}{suffix}"

    def add(name, function, **keys):
        function.__module__ = module
        case(entry=name, name=name, **{**KEYS, **keys})(function)

    def result(function, *operands):
        with np.errstate(all="ignore"):
            if not (function.float_ulp if is_float else function.double_ulp):
                # In its own type: a second rounding would be one too many.
                return Out(function.reference(*operands).astype(dtype), ulp=0.001)
            wide = function.reference(*(x.astype(L) for x in operands))
        return Out(wide, dtype=dtype, **tolerance(function, dtype))

    def unary(name, function):
        def build():
            x = arguments(function, dtype, sum(map(ord, name)), COUNT)
            return [x, result(function, x)]

        add(spelled(name), build)

    def binary(name, function):
        def build():
            seed = sum(map(ord, name))
            x, y = arguments(function, dtype, seed, COUNT), arguments(function, dtype, seed + 3, COUNT)
            return [x, y, result(function, x, y)]

        add(spelled(name), build)

    for name, function in FUNCTIONS.items():
        unary(name, function)
    for name, function in TWO.items():
        binary(name, function)

    def pair(name, first, second):
        def build():
            x = arguments(FUNCTIONS[first], dtype, 41, COUNT)
            with np.errstate(all="ignore"):
                outs = [Out(FUNCTIONS[f].reference(x.astype(L)), dtype=dtype, **tolerance(FUNCTIONS[f], dtype))
                        for f in (first, second)]
            return [x, *outs]

        add(spelled(name), build)

    pair("sincos", "sin", "cos")
    pair("sincospi", "sinpi", "cospi")
    finite = Function(None, 0, 0, [(-9, 9), (-1e30, 1e30)], specials=False)

    def build_frexp():
        x = arguments(finite, dtype, 51, COUNT)
        x[:4] = [0, np.finfo(dtype).smallest_subnormal, 1, -0.75]
        m, e = np.frexp(x)
        return [x, Out(m), Out(e.astype(np.int32))]

    def build_ldexp():
        x, e = arguments(finite, dtype, 52, COUNT), integers(53, COUNT, -160, 160)
        with np.errstate(over="ignore", under="ignore"):
            return [x, e, Out(np.ldexp(x.astype(L), e).astype(dtype))]

    def build_modf():
        x = arguments(finite, dtype, 54, COUNT)
        fraction, whole = np.modf(x)
        return [x, Out(fraction), Out(whole)]

    def build_remquo():
        x, y = floats(55, COUNT, -100, 100, dtype), floats(56, COUNT, -9, 9, dtype)
        quotients = [round(Fraction(float(a)) / Fraction(float(b))) for a, b in zip(x, y)]  # halves to even
        rest = [exact(Fraction(float(a)) - q * Fraction(float(b)), dtype, "n") for a, b, q in zip(x, y, quotients)]
        return [x, y, Out(np.array(rest, dtype), ulp=0.001),
                Out(np.array([int(math.copysign(abs(q) & 7, q)) & 7 for q in quotients], np.int32))]

    def build_ilogb():
        x = arguments(finite, dtype, 57, COUNT)
        return [x, Out((np.frexp(x)[1] - 1).astype(np.int32))]

    def build_llrint():
        x = floats(58, COUNT, -1e6, 1e6, dtype)
        x[::3] = np.rint(x[::3] / 1000) + dtype(0.5)
        return [x, Out(np.rint(x).astype(np.int64))]

    def build_lround():
        x = floats(59, COUNT, -1e6, 1e6, dtype)
        x[::3] = np.rint(x[::3] / 1000) + dtype(0.5)
        return [x, Out(mathematics.away(x.astype(L)).astype(np.int64))]

    for name, build in {"frexp": build_frexp, "ldexp": build_ldexp, "modf": build_modf, "remquo": build_remquo,
                        "ilogb": build_ilogb, "llrint": build_llrint, "lround": build_lround}.items():
        add(spelled(name), build)

    def rounded(name, operation, arity, mode, low=-9.0):
        def build():
            operands = [floats(61 + i, COUNT, low, 9, dtype) for i in range(arity)]
            scale = np.ldexp(dtype(1), integers(65, COUNT, -20, 20)).astype(dtype)
            operands[-1] = operands[-1] * scale
            fractions = [[Fraction(float(v)) for v in o] for o in operands]
            results = [operation(*values, mode) for values in zip(*fractions)]
            return [*operands, Out(np.array(results, dtype), ulp=0.001)]

        add(f"{letter}_{name}", build)

    one = lambda f: lambda x, mode: exact(f(x), dtype, mode)
    two = lambda f: lambda x, y, mode: exact(f(x, y), dtype, mode)
    root = lambda x, mode: square_root(x, dtype, mode)
    reciprocal, divide = one(lambda x: 1 / x), two(lambda x, y: x / y)
    add_, multiply = two(lambda x, y: x + y), two(lambda x, y: x * y)
    if is_float:
        for mode, long in {"n": "rn", "z": "rz", "u": "ru", "d": "rd"}.items():
            rounded(f"__fsqrt_{long}", root, 1, mode, low=0.001)
            rounded(f"__frcp_{long}", reciprocal, 1, mode, low=0.001)
        rounded("__frsqrt_rn", lambda x, mode: square_root(1 / x, dtype, mode), 1, "n", low=0.001)
        rounded("__fadd_rz", add_, 2, "z")
        rounded("__fmul_ru", multiply, 2, "u")
        rounded("__fdiv_rd", divide, 2, "d")
        rounded("__fmaf_rz", two(lambda x, y: x * y + x), 2, "z")
        rounded("fmaf", two(lambda x, y: x * y - Fraction(3, 2)), 2, "n")
    else:
        for mode, long in {"n": "rn", "z": "rz", "u": "ru"}.items():
            rounded(f"__dsqrt_{long}", root, 1, mode, low=0.001)
        rounded("__drcp_rn", reciprocal, 1, "n", low=0.001)
        rounded("__drcp_rd", reciprocal, 1, "d", low=0.001)
        rounded("__dadd_rz", add_, 2, "z")
        rounded("__dmul_ru", multiply, 2, "u")
        rounded("__ddiv_rd", divide, 2, "d")
        rounded("__fma_rz", two(lambda x, y: x * y + x), 2, "z")
        rounded("fma", two(lambda x, y: x * y - Fraction(3, 2)), 2, "n")
