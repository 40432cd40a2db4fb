# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`txl.TensorMap`: what a copy by TMA knows of an array.

    @txl.kernel(arch="sm_90a")
    def k(a: txl.gptr[txl.bf16, 2],
          a_map: txl.TensorMap("a", box=(128, 64), swizzle=txl.SW128B)): ...

The map is a parameter of the kernel that no call gives: it is made from the array of
another parameter, and kept for calls with the same address and shape.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

from tirx.lite.dtypes import DType
from tirx.lite.expr import Expr
from tirx.lite.memory import _ADDRESS, SWNONE, Pointer, SwizzleMode
from tirx.lite.trace import TraceError

BYTES = 128  # of a CUtensorMap
_MAX_RANK, _MAX_BOX, _ROW_BYTES = 5, 256, 16
_L2 = ("none", "64B", "128B", "256B")
_FILLS = ("zero", "nan")
# Types of arrays by the launch file's names, where they differ.
_NAMES = {"f8e4m3": "e4m3", "f8e5m2": "e5m2", "bool": "u8"}

Extents = Sequence[int]


class TensorMap:
    """The map of the array of parameter `of`.

    `box`: elements that one copy moves, by dimension, outermost first as in the array's
    shape. `swizzle`: how rows of the box are swizzled in shared memory. `shape` and
    `strides` (elements): of the tensor where they are not the array's, extents or a
    function of the parameters (a dict). `oob`: what is read outside ("zero", "nan").
    `l2`: how much the L2 fetches ("none", "64B", "128B", "256B")."""

    def __init__(self, of: str, box: Extents, swizzle: SwizzleMode = SWNONE, *,
                 shape: Extents | Callable[[Mapping[str, Any]], Extents] | None = None,
                 strides: Extents | Callable[[Mapping[str, Any]], Extents] | None = None,
                 element_strides: Extents | None = None, l2: str = "128B",
                 oob: str = "zero") -> None:
        if not isinstance(of, str):
            raise TraceError(f"TensorMap: expected the name of a parameter, got {of!r}")
        self.of = of
        self.box = _extents("box", box, _MAX_BOX)
        if not isinstance(swizzle, SwizzleMode):
            raise TraceError("TensorMap: swizzle: expected SWNONE, SW32B, SW64B or SW128B, got "
                             f"{swizzle!r}")
        self.swizzle = swizzle
        self.shape = shape
        self.strides = strides
        self.element_strides = None
        if element_strides is not None:
            self.element_strides = _extents("element_strides", element_strides, 8)
            if len(self.element_strides) != len(self.box):
                raise TraceError(f"TensorMap: expected {len(self.box)} element_strides, as box has, "
                                 f"got {len(self.element_strides)}")
        for name, value, choices in (("l2", l2, _L2), ("oob", oob, _FILLS)):
            if value not in choices:
                raise TraceError(f"TensorMap: {name}: expected one of {', '.join(choices)}, got "
                                 f"{value!r}")
        self.l2, self.oob = l2, oob

    def check_type(self, dtype: DType) -> None:
        """What the hardware asks of a box of this element type."""
        row = self.box[-1] * dtype.bits // 8
        if row % _ROW_BYTES:
            raise TraceError(f"TensorMap of '{self.of}': expected rows of the box that are a "
                             f"multiple of {_ROW_BYTES} bytes, got {self.box[-1]} x {dtype.bits} "
                             f"bits = {row} bytes")
        if self.swizzle.width and row > self.swizzle.width:
            raise TraceError(f"TensorMap of '{self.of}': expected rows of the box of at most "
                             f"{self.swizzle.width} bytes with the {self.swizzle.name} swizzle, got "
                             f"{self.box[-1]} x {dtype.bits} bits = {row} bytes")

    def describe(self, number: int, dtype: DType, values: Mapping[str, Any],
                 where: str) -> dict[str, Any]:
        """The map for arguments of a call, with the keys of launch files; `number` is the
        parameter's."""
        shape = self._of_call(self.shape, values)
        if shape is None:
            shape = [int(extent) for extent in values[self.of].shape]
        rank = len(self.box)
        if len(shape) != rank:
            raise ValueError(f"{where}: expected {rank} dimensions, as the box has, got "
                             f"{tuple(shape)}")
        strides = self._of_call(self.strides, values)
        if strides is None:
            strides = [1] * rank
            for dimension in range(rank - 2, -1, -1):
                strides[dimension] = strides[dimension + 1] * shape[dimension + 1]
        if len(strides) != rank or strides[-1] != 1:
            raise ValueError(f"{where}: expected {rank} strides that end in 1, got {tuple(strides)}")
        for dimension, stride in enumerate(strides[:-1]):
            size = stride * dtype.bits // 8
            if size % _ROW_BYTES:
                raise ValueError(
                    f"{where}: expected the stride of dimension {dimension} to be a multiple of "
                    f"{_ROW_BYTES} bytes, got {stride} x {dtype.bits} bits = {size} bytes")
        return {
            "of": number, "dtype": _NAMES.get(dtype.name, dtype.name), "dims": list(shape[::-1]),
            "strides": [stride * dtype.bits // 8 for stride in strides[-2::-1]],
            "box": list(self.box[::-1]), "swizzle": self.swizzle.name, "l2": self.l2,
            "oob": self.oob,
            "element_strides": list((self.element_strides or [1] * rank)[::-1]),
        }

    @staticmethod
    def _of_call(extents: Any, values: Mapping[str, Any]) -> list[int] | None:
        if callable(extents):
            extents = extents(dict(values))
        return None if extents is None else [int(extent) for extent in extents]

    def bind(self, name: str) -> Pointer:
        """What the traced function sees: the map's address."""
        return Pointer(Expr(_ADDRESS, lambda _: name), 0, _MAP)

    def __repr__(self) -> str:
        return f"TensorMap({self.of!r}, box={tuple(self.box)}, swizzle={self.swizzle.name})"


_MAP = DType("tensormap", "i8", 8, "uint", "i8", "uint8")
# A parameter by value that no thread writes (PTX ISA: .param .align 64 .b8 [128]).
MLIR = ("!llvm.ptr", f"{{llvm.byval = !llvm.array<{BYTES} x i8>, llvm.align = 64 : i64, "
                     "llvm.readonly}")


def _extents(what: str, extents: Any, most: int) -> list[int]:
    values = list(extents) if isinstance(extents, (list, tuple)) else [extents]
    if not 1 <= len(values) <= _MAX_RANK:
        raise TraceError(f"TensorMap: {what}: expected 1 to {_MAX_RANK} extents, got {len(values)}")
    for value in values:
        if not isinstance(value, int) or not 1 <= value <= most:
            raise TraceError(f"TensorMap: {what}: expected extents of 1 to {most}, got {value!r}")
    return values
