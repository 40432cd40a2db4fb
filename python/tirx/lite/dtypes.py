# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: their names in Python, in IR and in arrays."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class DType:
    """A scalar type. Called with a value, it makes a constant of it or casts it."""

    name: str  # f16, u32, ...
    long_name: str  # float16, uint32, ...
    bits: int
    kind: str  # "float", "int", "uint" or "bool"
    mlir: str
    numpy: str  # the name that NumPy or ml_dtypes knows

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "uint")

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def storage(self) -> str:
        """The type of an element in memory: single bits are kept in bytes."""
        return "i8" if self.kind == "bool" else self.mlir

    @property
    def bytes(self) -> int:
        return max(self.bits, 8) // 8

    def limits(self) -> tuple[int, int]:
        if self.kind == "int":
            return -(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1
        return 0, (1 << self.bits) - 1

    def __call__(self, value: Any) -> Any:
        from tirx.lite.expr import cast

        return cast(value, self)

    def __repr__(self) -> str:
        return self.name


def _integers() -> list[DType]:
    types = []
    for bits in (8, 16, 32, 64):
        for prefix, kind in (("i", "int"), ("u", "uint")):
            long_name = f"{kind}{bits}"
            types.append(DType(f"{prefix}{bits}", long_name, bits, kind, f"i{bits}", long_name))
    return types


_ALL = [
    DType("f16", "float16", 16, "float", "f16", "float16"),
    DType("bf16", "bfloat16", 16, "float", "bf16", "bfloat16"),
    DType("f32", "float32", 32, "float", "f32", "float32"),
    DType("f64", "float64", 64, "float", "f64", "float64"),
    DType("f8e4m3", "float8_e4m3fn", 8, "float", "f8E4M3FN", "float8_e4m3fn"),
    DType("f8e5m2", "float8_e5m2", 8, "float", "f8E5M2", "float8_e5m2"),
    *_integers(),
    DType("u128", "uint128", 128, "uint", "i128", "uint128"),
    DType("bool", "bool", 1, "bool", "i1", "bool"),
]
BY_NAME = {name: dtype for dtype in _ALL for name in (dtype.name, dtype.long_name)}

f16, bf16, f32, f64 = (BY_NAME[n] for n in ("f16", "bf16", "f32", "f64"))
f8e4m3, f8e5m2 = BY_NAME["f8e4m3"], BY_NAME["f8e5m2"]
i8, i16, i32, i64 = (BY_NAME[n] for n in ("i8", "i16", "i32", "i64"))
u8, u16, u32, u64 = (BY_NAME[n] for n in ("u8", "u16", "u32", "u64"))
u128 = BY_NAME["u128"]  # of registers only, such as answers of launch control
bool_ = BY_NAME["bool"]


def to_dtype(value: Any) -> DType:
    """The type that a DType, or a name such as "float16" or "u32", stands for."""
    if isinstance(value, DType):
        return value
    if isinstance(value, str) and value in BY_NAME:
        return BY_NAME[value]
    from tirx.lite.trace import TraceError

    names = ", ".join(dtype.name for dtype in _ALL if dtype.bits <= 64)
    raise TraceError(f"expected an element type, one of {names}, got {value!r}")
