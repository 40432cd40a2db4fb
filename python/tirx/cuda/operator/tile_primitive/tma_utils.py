# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts of tiles in shared memory that TMA writes and tensor cores read."""

from __future__ import annotations

import enum
from typing import Any, Sequence

from tirx import _native
from tirx.layout import Layout
from tirx.lite.dtypes import to_dtype


class SwizzleMode(enum.Enum):
    """How rows are swizzled, by the width of the pattern."""

    SWIZZLE_NONE = "none"
    SWIZZLE_32B_ATOM = "32B"
    SWIZZLE_64B_ATOM = "64B"
    SWIZZLE_128B_ATOM = "128B"


def tma_shared_layout(dtype: Any, swizzle: SwizzleMode, shape: Sequence[int]) -> Layout:
    """The layout of a tile that is K-major in rows, or of several with leading stages."""
    if not isinstance(swizzle, SwizzleMode):
        raise TypeError("swizzle: expected a SwizzleMode, got " + type(swizzle).__name__)
    text = _native.layout_request("tma_shared", bits=to_dtype(dtype).bits, swizzle=swizzle.value,
                                  shape=list(shape))
    return Layout._of(text)
