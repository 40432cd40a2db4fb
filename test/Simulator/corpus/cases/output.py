# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of output.cu: the formatting of C, as Python has it."""

import ctypes

import numpy as np

from corpus import Out, bits, case, integers


def c_format(text: str, *values) -> str:
    """snprintf of the C library."""
    arguments = []
    for value in values:
        arguments.append(value.encode() if isinstance(value, str)
                         else ctypes.c_double(value) if isinstance(value, float) else ctypes.c_longlong(value))
    room = ctypes.create_string_buffer(1000)
    ctypes.CDLL(None).snprintf(room, ctypes.c_size_t(1000), text.encode(), *arguments)
    return room.value.decode()


X, Y = integers(1, 8, -(10**6), 10**6), bits(2, 8).view(np.int64)
X[0], X[1] = 0, -1


def integers_printed() -> str:
    lines = []
    for i, (x, y) in enumerate(zip(X.tolist(), Y.tolist())):
        u = x & 0xFFFFFFFF
        lines.append(c_format("%lld|%lld|%5lld|%-5lld|%05lld|%+lld|% lld|%.4lld\n", *[x] * 8))
        lines.append(c_format("%llu %llx %llX %#llx %llo %#llo %c\n", *[u] * 6, ord("a") + i))
        lines.append(c_format("%lld %llu %016llx %hd %hhd\n", y, y, y, x, x))
    return "".join(lines)


@case(block=8, printed=integers_printed())
def print_integers():
    return [X, Y]


F = np.array([0.0, -0.0, 1.5, -2.25, 1e-7, 123456789.0, 1e30, -0.1, np.inf, -np.inf])


@case(block=10, printed="".join(
    c_format("%f %.3f %10.2f %-10.1f| %e %.2E %g %G\n", *[x] * 8)
    + c_format("%a %+.0f %#.0f %5.1f%%\n", x, x, x, float(np.float32(x)) if abs(x) < 1e38 else float(np.copysign(np.inf, x)))
    for x in F.tolist()))
def print_floats():
    return [F]


NAMES = ["zero", "one", "", "three"]


@case(block=4, printed="no arguments\n" + "".join(
    c_format("%s|%8s|%-8s|%.2s|%6lld\n", *[name] * 4, i) for i, name in enumerate(NAMES)))
def print_strings():
    return [Out(np.full(4, 6, np.int32))]  # the number of arguments


@case(block=64, printed="".join(
    f"depth {d} of thread {t}\n" for t in range(3, 64, 11) for d in range(t // 11 + 1, 0, -1)))
def print_in_functions():
    return []


POSITIVE = integers(3, 64, 0, 1000)


@case(block=64)
def assert_holds():
    return [POSITIVE, Out(POSITIVE * 2)]


def with_negative(at: int) -> np.ndarray:
    x = POSITIVE.copy()
    x[at] = -5
    return x


@case(block=64, name="assert_fails", entry="assert_holds", on_gpu=False,
      report='output.cu:47: void assert_holds(const int *, int *): assertion `x[i] >= 0 && \\"never negative\\"` failed')
def assert_fails():
    return [with_negative(37), Out(shape=64, dtype=np.int32, initial=np.zeros(64, np.int32), check=lambda got: None)]


@case(block=64)
def trap_one():
    return [POSITIVE, Out(POSITIVE)]


@case(block=64, name="trap_fails", entry="trap_one", on_gpu=False, report="the kernel trapped")
def trap_fails():
    return [with_negative(5), Out(shape=64, dtype=np.int32, initial=np.zeros(64, np.int32), check=lambda got: None)]
