# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of narrow_floats.cu."""

import numpy as np

from corpus import Out, bits, case, floats
from narrow import BF16, L, ROUNDINGS, fma, of_bits, rounded, samples, to, wide, with_nan

COUNT = 1024
SHAPE = dict(grid=8, block=128)
TYPES = {"f16": np.dtype(np.float16), "bf16": BF16}
INTEGERS = {"i32": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64, "i16": np.int16, "u16": np.uint16}


def for_both(name, **keys):
    """Registers a case for each type; the function gets the type."""

    def register(function):
        for short, dtype in TYPES.items():
            def build(dtype=dtype):
                return function(dtype)

            build.__module__ = __name__
            case(name=f"{short}_{name}", entry=f"{short}_{name}", **{**SHAPE, **keys})(build)
        return function

    return register


def saturate(x):
    return np.where(np.isnan(x), L(0), np.clip(x, L(0), L(1)) + L(0))


def negative_zero_is_zero(x):
    """relu: what is negative, and -0, becomes +0; NaN stays."""
    return np.where(np.isnan(x), x, np.where(x > 0, x, L(0)))


def operations(x, y, z):
    a, b = wide(x), wide(y)
    with np.errstate(all="ignore"):
        total, difference, product, quotient = a + b, a - b, a * b, a / b
    fused = fma(x, y, z)
    return total, difference, product, quotient, fused


@for_both("arithmetic")
def arithmetic(dtype):
    x, y, z = (samples(seed, COUNT, dtype) for seed in (1, 2, 3))
    total, difference, product, quotient, fused = operations(x, y, z)
    with np.errstate(all="ignore"):
        inverse = 1 / wide(y)
    columns = [to(v, dtype) for v in (total, difference, product, quotient, total, difference, product)]
    columns += [to(saturate(rounded(v, dtype)), dtype) for v in (total, difference, product)]
    columns += [with_nan(fused, dtype), to(saturate(fused), dtype), to(negative_zero_is_zero(fused), dtype),
                to(inverse, dtype)]
    return [x, y, z, Out(np.stack(columns, 1))]


def least(x, y, of_nan: bool, sign: int):
    """min (sign 1) or max (-1), with -0 < +0; a NaN is left out, or wins."""
    a, b = wide(x) * sign, wide(y) * sign
    first = (a < b) | ((a == b) & (np.signbit(a) >= np.signbit(b)))
    result = np.where(first, a, b)
    result = np.where(np.isnan(a), b, np.where(np.isnan(b), a, result))
    if of_nan:
        result = np.where(np.isnan(a) | np.isnan(b), np.nan, result)
    return with_nan(result * sign, x.dtype)


@for_both("extremes")
def extremes(dtype):
    x, y = samples(4, COUNT, dtype), samples(5, COUNT, dtype)
    x[::9] = y[::9]
    return [x, y, Out(np.stack([least(x, y, False, 1), least(x, y, False, -1),
                                least(x, y, True, 1), least(x, y, True, -1)], 1))]


@for_both("comparisons")
def comparisons(dtype):
    x, y = samples(6, COUNT, dtype), samples(7, COUNT, dtype)
    x[::5] = y[::5]
    a, b = wide(x), wide(y)
    unordered = np.isnan(a) | np.isnan(b)
    ordered = [a == b, (a != b) & ~unordered, a < b, a <= b, a > b, a >= b]
    # `!=` of C++ is true for NaN.
    results = [ordered[0], a != b, *ordered[2:], *(o | unordered for o in ordered),
               np.isnan(a), np.isinf(a), np.isinf(a) & (a < 0), ordered[0]]
    return [x, y, Out(sum(r.astype(np.uint32) << np.uint32(k) for k, r in enumerate(results)).astype(np.uint32))]


@for_both("roundings")
def roundings(dtype):
    x = samples(8, COUNT, dtype, nan=False)
    a = wide(x)
    return [x, Out(np.stack([to(v, dtype) for v in (np.ceil(a), np.floor(a), np.trunc(a), np.rint(a), np.abs(a), -a)], 1))]


@for_both("transcendental")
def transcendental(dtype):
    x = to(floats(9, COUNT, -8, 8, np.float64), dtype)
    x[:8] = np.array([0.0, 1.0, -1.0, 2.0, 0.5, 4.0, -0.25, 3.0]).astype(np.float32).astype(dtype)
    a = wide(x)
    y = np.abs(a)
    with np.errstate(divide="ignore"):
        exact = [np.sqrt(y), 1 / np.sqrt(y), np.log(y), np.log2(y), np.log10(y), np.exp(a), np.exp2(a), np.power(L(10), a),
                 np.sin(a), np.cos(a), np.tanh(a), np.tanh(a), 1 / a]
    expected = np.stack([rounded(v, dtype) for v in exact], 1).astype(np.float64)

    def check(got):
        # Rounded from float, whose own error moves a tie at most: one unit. sin, cos and
        # log lose relative accuracy near their zeros, tanh.approx everywhere.
        unit = np.ldexp(1.0, np.frexp(np.where(np.isfinite(expected), np.abs(expected), 1))[1] - 1
                        - (10 if dtype == np.float16 else 7))
        bound = unit + np.array([0] * 8 + [2.0**-13, 2.0**-13, 0, 2.0**-10, 0])
        values = wide(got).astype(np.float64)
        with np.errstate(invalid="ignore"):
            good = (np.abs(values - expected) <= bound) | (values == expected)
        assert good.all(), [(k, float(a[i]), values[i, k], expected[i, k]) for i, k in np.argwhere(~good)[:5]]
        exactly = (values == expected).mean(0)
        assert exactly[:8].min() > 0.95, exactly

    return [x, Out(check=check, shape=(COUNT, 13), dtype=dtype)]


def through_warps(x, source):
    """Rows of 32 lanes; lane i gets that of lane source(i)."""
    rows = x.reshape(-1, 32, *x.shape[1:])
    return rows[:, source].reshape(x.shape)


@for_both("pairs", grid=4)
def pairs(dtype):
    x, y, z = (samples(seed, COUNT, dtype) for seed in (10, 11, 12))
    x[::7] = y[::7]
    total, difference, product, quotient, fused = operations(x, y, z)
    a, b = wide(x), wide(y)
    unordered = np.isnan(a) | np.isnan(b)
    pair = lambda v: np.asarray(v).reshape(-1, 2)
    p, q = pair(x), pair(y)
    mixed = np.stack([p[:, 1], q[:, 0]], 1)
    lane = np.arange(32)
    columns = [pair(to(v, dtype)) for v in (total, difference, product, quotient)]
    columns += [pair(with_nan(fused, dtype)), pair(to(negative_zero_is_zero(fused), dtype)),
                pair(least(x, y, False, 1)), pair(least(x, y, True, -1)),
                pair(to(a == b, dtype)), pair(to((a < b) | unordered, dtype)), p[:, ::-1],
                np.stack([p[:, 0], q[:, 0]], 1), np.stack([p[:, 1], q[:, 1]], 1), through_warps(p, lane ^ 5),
                pair(to(saturate(rounded(total, dtype)), dtype)), through_warps(mixed, np.maximum(lane - 1, 0))]
    all_of = lambda v: pair(v).all(1).astype(np.uint32)
    compared = (all_of(a == b) | all_of((a != b) & ~unordered) << np.uint32(1) | all_of(a < b) << np.uint32(2)
                | all_of((a >= b) | unordered) << np.uint32(3) | pair(a == b)[:, 1].astype(np.uint32) << np.uint32(16)
                | pair(a < b)[:, 0].astype(np.uint32) << np.uint32(8))
    return [x, y, z, Out(np.stack(columns, 1)), Out(compared.astype(np.uint32))]


@for_both("complex", grid=4)
def complex_products(dtype):
    a, b, c = (to(floats(seed, (512, 2), -4, 4, np.float64), dtype) for seed in (13, 14, 15))
    real = fma(a[:, 0], b[:, 0], c[:, 0])
    real = fma(-a[:, 1], b[:, 1], to(real, dtype))
    imaginary = fma(a[:, 0], b[:, 1], c[:, 1])
    imaginary = fma(a[:, 1], b[:, 0], to(imaginary, dtype))
    return [a, b, Out(np.stack([to(real, dtype), to(imaginary, dtype)], 1), initial=c)]


@for_both("from_f32")
def from_f32(dtype):
    x = samples(16, COUNT, np.float32)
    x[::3] = wide(samples(17, COUNT, dtype))[::3] * (1 + (floats(18, COUNT)[::3] * 2.0**-8))
    return [x, Out(np.stack([to(x, dtype, r) for r in ROUNDINGS], 1))]


@for_both("from_f64")
def from_f64(dtype):
    x = wide(samples(19, COUNT, dtype, nan=False)).astype(np.float64) * (1 + floats(20, COUNT, dtype=np.float64) * 2.0**-9)
    # Barely beyond a tie, which rounding to float first would lose.
    x[::5] = (1 + 2.0**-11 + 2.0**-40 if dtype == np.float16 else 1 + 2.0**-8 + 2.0**-40)
    return [x, Out(to(x, dtype))]


@for_both("to_f32", grid=64, block=1024)
def to_f32(dtype):
    codes = of_bits(np.arange(1 << 16), dtype)
    x = np.where(np.isnan(codes), dtype.type(np.nan), codes).astype(dtype)

    def check(got):
        assert (np.isnan(got) == np.isnan(x)).all()
        assert (got[~np.isnan(x)].view(np.uint32) == x[~np.isnan(x)].astype(np.float32).view(np.uint32)).all()

    return [codes, Out(check=check, shape=1 << 16, dtype=np.float32)]


def register_integers(suffix, integer):
    @for_both(f"from_{suffix}")
    def from_integer(dtype):
        info = np.iinfo(integer)
        x = (bits(21, COUNT) >> (bits(22, COUNT, 64))).astype(integer)
        x[:6] = [0, 1, info.max, info.min, info.max // 2 + 1, 2049]
        return [x, Out(np.stack([to(x, dtype, r) for r in ROUNDINGS], 1))]

    @for_both(f"to_{suffix}")
    def to_integer(dtype):
        x, info = samples(23, COUNT, dtype, nan=False), np.iinfo(integer)
        a = wide(x)
        wanted = [np.clip(r(a), L(info.min), L(info.max)) for r in ROUNDINGS.values()]
        return [x, Out(np.stack([w.astype(integer) for w in wanted], 1))]


for row in INTEGERS.items():
    register_integers(*row)


@for_both("to_bytes")
def to_bytes(dtype):
    x = samples(24, COUNT, dtype, nan=False)
    a = np.trunc(wide(x))
    return [x, Out(np.clip(a, -128, 127).astype(np.int8)), Out(np.clip(a, 0, 255).astype(np.uint8))]


@for_both("softmax", grid=6, block=32)
def softmax(dtype):
    x = to(floats(25, (6, 64), -6, 6, np.float64), dtype)
    e = np.exp(wide(x) - wide(x).max(1, keepdims=True))
    exact = e / e.sum(1, keepdims=True)
    error = 2.0**-7 if dtype == np.float16 else 2.0**-4
    return [x, Out(check=lambda got: np.testing.assert_allclose(wide(got).astype(np.float64), exact.astype(np.float64),
                                                                rtol=error, atol=error * 2.0**-8),
                   shape=(6, 64), dtype=dtype)]
