# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of tiny_floats.cu."""

import ml_dtypes
import numpy as np

from corpus import Out, bits, case, floats, integers
from narrow import BF16, L, of_bits, rounded, samples, to, wide, with_nan

COUNT = 1024
SHAPE = dict(grid=8, block=128)
EIGHT = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
SMALLER = {"e2m3": ml_dtypes.float6_e2m3fn, "e3m2": ml_dtypes.float6_e3m2fn, "e2m1": ml_dtypes.float4_e2m1fn}


def register(name, build, **keys):
    build.__module__ = __name__
    case(name=name, entry=name, **{**SHAPE, **keys})(build)


def codes_of(values, dtype) -> np.ndarray:
    """The bits of numbers that `dtype` has exactly."""
    return np.asarray(values, np.float32).astype(dtype).view(np.uint8)


def narrow(x, dtype, saturate: bool = True) -> np.ndarray:
    """Nearest even. Beyond the largest number: that, or infinity or NaN. NaN is 0x7f."""
    info = ml_dtypes.finfo(dtype)
    exact = rounded(x, dtype)
    beyond = np.isinf(exact)
    largest = np.copysign(L(info.max), exact)
    codes = codes_of(np.where(beyond, largest, np.where(np.isnan(exact), 0, exact)), dtype)
    if not saturate:
        infinity = 0x7F if dtype is EIGHT["e4m3"] else 0x7C
        codes = np.where(beyond, (codes & 0x80) | infinity, codes)
    return np.where(np.isnan(exact), 0x7F, codes).astype(np.uint8)


def near(seed, dtype, source) -> np.ndarray:
    """Numbers, ties and neighbours of ties of `dtype`, beyond its range, and anything."""
    numbers = of_bits(bits(seed, COUNT, 256), np.uint8).view(dtype).astype(np.float64)
    numbers = np.where(np.isfinite(numbers), numbers, 1e6)
    tie = numbers * (1 + integers(seed + 1, COUNT, -1, 2) * 2.0 ** -(ml_dtypes.finfo(dtype).nmant + 2))
    close = tie * (1 + integers(seed + 2, COUNT, -1, 2) * 2.0**-11)
    x = to(close, source) if source != np.float64 else close
    # The header makes the NaN of e5m2 from the payload of a double.
    return np.where(np.arange(COUNT) % 4 == 0, samples(seed + 3, COUNT, source, nan=source != np.float64), x).astype(source)


SOURCES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": BF16}


def register_eight(name, dtype):
    for suffix, source in SOURCES.items():
        def from_wider(source=source):
            x = near(1, dtype, np.dtype(source))
            both = [narrow(wide(x), dtype, saturate) for saturate in (True, False)]
            return [x, Out(np.stack(both, 1))]

        register(f"{name}_from_{suffix}", from_wider)

    def from_pairs():
        x = near(2, dtype, np.dtype(np.float32)).reshape(-1, 2)
        return [x, Out(np.ascontiguousarray(narrow(wide(x), dtype)).view(np.uint16))]

    def to_f16():
        codes = np.arange(256, dtype=np.uint8)
        return [codes, Out(with_nan(codes.view(dtype).astype(np.float32), np.float16))]

    def to_pairs():
        codes = bits(3, 1024, 256, np.uint8)
        return [codes.view(np.uint16), Out(with_nan(codes.view(dtype).astype(np.float32), np.float16).reshape(-1, 2))]

    def through_class():
        x = integers(4, 128, -1000, 1000)
        codes = narrow(x, dtype)
        values = codes.view(dtype).astype(np.float32)
        whole = np.trunc(values).astype(np.int32)
        return [x, Out(codes), Out(values), Out((whole + np.clip(whole, 0, 65535)).astype(np.int32))]

    register(f"{name}_from_pairs", from_pairs, grid=4)
    register(f"{name}_to_f16", to_f16, grid=2)
    register(f"{name}_to_pairs", to_pairs, grid=4)
    register(f"{name}_class", through_class, grid=1)


for row in EIGHT.items():
    register_eight(*row)


@case(grid=2, block=64)
def dot_e4m3():
    a, b = (codes_of(narrow(floats(seed, 512, -4, 4), EIGHT["e4m3"]).view(EIGHT["e4m3"]), EIGHT["e4m3"]) for seed in (5, 6))
    products = a.view(EIGHT["e4m3"]).astype(np.float64) * b.view(EIGHT["e4m3"]).astype(np.float64)
    return [a.view(np.uint32), b.view(np.uint32), Out(products.reshape(4, 128).sum(1).astype(np.float32), atol=1e-4)]


@case(**SHAPE)
def e8m0_from_f32():
    x = samples(7, COUNT, np.float32)
    magnitude = np.abs(x.astype(np.float64))
    fraction, exponent = np.frexp(np.where(np.isfinite(magnitude), magnitude, 1.0))
    down = exponent - 1
    up = np.where(fraction > 0.5, exponent, exponent - 1)
    columns = [np.where(magnitude == 0, 0, np.clip(e + 127, 0, 254)) for e in (down, up)]
    columns = [np.where(np.isnan(x), 255, np.where(np.isinf(x), 254, c)) for c in columns]
    return [x, Out(np.stack(columns, 1).astype(np.uint8))]


@case(grid=2, block=128)
def e8m0_to_bf16():
    codes = np.arange(256, dtype=np.uint8)
    return [codes, Out(with_nan(np.where(codes == 255, np.nan, np.ldexp(1.0, codes.astype(int) - 127)), BF16))]


def narrow_small(x, dtype) -> np.ndarray:
    """Saturating; NaN becomes the largest positive number."""
    largest = float(ml_dtypes.finfo(dtype).max)
    exact = rounded(x, dtype)
    exact = np.where(np.isnan(exact), largest, np.clip(exact, -largest, largest))
    magnitude = codes_of(np.abs(exact), dtype)
    width = 4 if dtype is SMALLER["e2m1"] else 6
    return (magnitude | (np.signbit(exact).astype(np.uint8) << np.uint8(width - 1))).astype(np.uint8)


def register_smaller(name, dtype):
    def from_wider(source):
        x = near_small(source)
        return [x, Out(narrow_small(wide(x), dtype))]

    def near_small(source):
        numbers = floats(8, COUNT, -1, 1, np.float64) * float(ml_dtypes.finfo(dtype).max) * 1.2
        quarter = np.rint(numbers * 32) / 32  # ties among them
        return np.where(np.arange(COUNT) % 4 == 0, samples(9, COUNT, source), to(quarter, source)).astype(source)

    def to_f16():
        width = 4 if name == "e2m1" else 6
        codes = np.arange(1 << width, dtype=np.uint8)
        return [codes, Out(to(codes.view(dtype).astype(np.float32), np.float16))]

    register(f"{name}_from_f32", lambda: from_wider(np.dtype(np.float32)))
    if name != "e2m1":
        register(f"{name}_from_f16", lambda: from_wider(np.dtype(np.float16)))
    register(f"{name}_to_f16", to_f16, grid=1, block=16 if name == "e2m1" else 64)


for row in SMALLER.items():
    register_smaller(*row)


@case(grid=4, block=128)
def e2m1_from_pairs():
    x = to(np.rint(floats(10, (512, 2), -7, 7, np.float64) * 8) / 8, np.float32)
    codes = narrow_small(wide(x), SMALLER["e2m1"])
    return [x, Out((codes[:, 0] | codes[:, 1] << np.uint8(4)).astype(np.uint8))]
