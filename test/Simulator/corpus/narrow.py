# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exact rounding to half, bfloat16 and smaller types, and inputs that test it."""

from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np

from corpus import bits

L = np.longdouble
BF16 = np.dtype(ml_dtypes.bfloat16)
CANONICAL = {np.dtype(np.float16): 0x7FFF, BF16: 0x7FFF, np.dtype(np.float32): 0x7FFFFFFF,
             np.dtype(np.float64): 0x7FF8000000000000}
ROUNDINGS = {"rn": np.rint, "rz": np.trunc, "ru": np.ceil, "rd": np.floor}  # in the order of the programs


def limits(dtype) -> tuple[int, int, np.longdouble]:
    """Stored bits of the significand, exponent of the least normal number, largest number."""
    info = ml_dtypes.finfo(dtype)
    return info.nmant, int(np.frexp(L(info.smallest_normal))[1]) - 1, L(info.max)


def rounded(values, dtype, rounding: str = "rn", overflow=np.inf) -> np.ndarray:
    """The number of `dtype`, as a long double, that a value rounds to; beyond the largest,
    rn and the roundings away from zero give `overflow`."""
    x = np.asarray(values, L)
    mantissa, least, largest = limits(dtype)
    finite = np.where(np.isfinite(x), x, L(0))
    exponent = np.maximum(np.frexp(np.abs(finite))[1] - 1, least)
    quantum = np.ldexp(L(1), exponent - mantissa)
    result = np.copysign(ROUNDINGS[rounding](finite / quantum) * quantum, finite)
    towards_zero = {"rn": np.zeros(x.shape, bool), "rz": np.ones(x.shape, bool), "ru": x < 0, "rd": x > 0}[rounding]
    beyond = np.where(towards_zero, np.copysign(largest, x), np.copysign(L(overflow), x))
    result = np.where(np.abs(result) > largest, beyond, result)
    return np.where(np.isfinite(x), result, x)


def with_nan(values, dtype) -> np.ndarray:
    """Values that `dtype` has exactly, with the NaN that arithmetic gives."""
    dtype = np.dtype(dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        result = np.asarray(values).astype(np.float32 if dtype == BF16 else dtype).astype(dtype)
    word = np.dtype(f"u{dtype.itemsize}")
    return np.where(np.isnan(np.asarray(values)), word.type(CANONICAL[dtype]), result.view(word)).astype(word).view(dtype)


def to(values, dtype, rounding: str = "rn") -> np.ndarray:
    return with_nan(rounded(values, dtype, rounding), dtype)


def wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float32).astype(L) if x.dtype == BF16 else x.astype(L)


def round_fraction(value: Fraction, dtype) -> float:
    """To the nearest, for sums of products that no machine type holds."""
    mantissa, least, largest = limits(dtype)
    if not value:
        return 0.0
    exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
    exponent -= abs(value) < Fraction(2) ** exponent
    quantum = Fraction(2) ** (max(exponent, least) - mantissa)
    result = round(value / quantum) * quantum  # ties to even
    if abs(result) > Fraction(float(largest)):
        return float("inf") if value > 0 else float("-inf")
    return float(result)


def fma(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c with one rounding, as a long double."""
    x, y, z = (wide(v).astype(np.float64).ravel() for v in (a, b, c))
    with np.errstate(invalid="ignore"):
        result = x * y + z  # for infinities, NaN and the sign of zero
    product_sign = np.signbit(x) ^ np.signbit(y)
    for i, (p, q, r) in enumerate(zip(x.tolist(), y.tolist(), z.tolist())):
        if np.isfinite([p, q, r]).all():
            exact = Fraction(p) * Fraction(q) + Fraction(r)
            value = round_fraction(exact, a.dtype)
            negative = exact < 0 or (exact == 0 and product_sign[i] and np.signbit(r))
            if exact == 0 and (p == 0 or q == 0) and r == 0:
                negative = product_sign[i] and np.signbit(r)
            result[i] = np.copysign(value, -1.0 if negative else 1.0)
    return result.astype(L).reshape(a.shape)


def of_bits(codes: np.ndarray, dtype) -> np.ndarray:
    return codes.astype(f"u{np.dtype(dtype).itemsize}").view(dtype)


def samples(seed: int, count: int, dtype, nan: bool = True) -> np.ndarray:
    """Any bits, edges first, half of the rest of moderate size."""
    dtype = np.dtype(dtype)
    width = 8 * dtype.itemsize
    codes = bits(seed, count) >> np.uint64(64 - width)
    moderate = to((bits(seed + 1000, count, 1 << 20).astype(np.float64) - 2**19) * 2.0**-14, dtype)
    x = np.where(np.arange(count) % 2 == 0, of_bits(codes, dtype), moderate)
    info = ml_dtypes.finfo(dtype)
    edges = [0.0, -0.0, 1.0, -1.0, float(info.max), float(info.min), float(info.smallest_normal),
             float(info.smallest_subnormal), -float(info.smallest_subnormal), np.inf, -np.inf, 0.5, 2.5, -3.5]
    edges = np.array(edges + ([np.nan] if nan else []), np.float32).astype(dtype)
    chosen = bits(seed + 2000, count, 8) == 0
    x = np.where(chosen, edges[bits(seed + 3000, count, len(edges), np.int64)], x).astype(dtype)
    return x if nan else np.where(np.isnan(x), dtype.type(1.5), x).astype(dtype)
