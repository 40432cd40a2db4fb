# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of functions_of_float.cu."""

import numpy as np

import functions_by_type
from corpus import Out, case, floats
from mathematics import Function, L, arguments

functions_by_type.register(np.float32, __name__)

FAST = {  # name: reference, low, high, bound in units in the last place, absolute bound
    "__sinf": (np.sin, -3.14, 3.14, 0, 2**-21.4),
    "__cosf": (np.cos, -3.14, 3.14, 0, 2**-21.1),
    "__tanf": (np.tan, -1, 1, 16, 2**-20),
    "__expf": (np.exp, -10, 10, 2 + 12, 0),
    "__exp10f": (lambda x: np.power(L(10), x), -5, 5, 2 + 15, 0),
    "__logf": (np.log, 0.5, 2, 3, 2**-21.4),
    "__log2f": (np.log2, 0.5, 2, 2, 2**-22),
    "__log10f": (np.log10, 0.5, 2, 3, 2**-24),
    "__saturatef": (lambda x: np.clip(x, 0, 1), -2, 2, 0.01, 0),
}


def register_fast(name, reference, low, high, ulp, atol):
    @case(grid=4, block=64, entry=f"f_{name}", name=f"f_{name}")
    def fast():
        x = floats(91, 256, low, high)
        return [x, Out(reference(x.astype(L)), ulp=ulp, atol=atol, dtype=np.float32)]


for name, row in FAST.items():
    register_fast(name, *row)


@case(grid=4, block=64)
def f___fdividef():
    x, y = floats(92, 256, -9, 9), floats(93, 256, -9, 9)
    return [x, y, Out(x.astype(L) / y, ulp=2.5, dtype=np.float32)]


@case(grid=4, block=64)
def f___powf():
    x, y = floats(94, 256, 0.1, 4), floats(95, 256, -2, 2)
    return [x, y, Out(np.power(x.astype(L), y.astype(L)), rtol=2e-6, dtype=np.float32)]


@case(grid=4, block=64)
def f_classes():
    x = arguments(Function(None, 0, 0, [(-1, 1)]), np.float32, 5, 256)
    classes = np.isnan(x) | np.isinf(x) << 1 | np.isfinite(x) << 2 | np.signbit(x) << 3
    return [x, Out(classes.astype(np.int32))]
