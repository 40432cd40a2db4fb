# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers by a pointer and a shape, and arithmetic on pointers."""

from __future__ import annotations

from typing import Any, Sequence

from tirx.lite import dtypes
from tirx.lite.dtypes import DType, to_dtype
from tirx.lite.expr import Expr, cast, compare, name_of, to_expr
from tirx.lite.memory import (
    BufferView, LocalArray, Pointer, alloc_local, check_indices, flat_indices, smem_pool,
)
from tirx.lite.trace import TraceError, current


def _pointer(value: Any, what: str) -> Pointer:
    if isinstance(value, (BufferView, PointerBuffer)):
        return value.data
    if isinstance(value, Pointer):
        return value
    raise TraceError(f"{what}: expected a pointer or a buffer, got {type(value).__name__}")


class PointerBuffer:
    """Elements in row-major order from an address on."""

    def __init__(self, data: Pointer, shape: Sequence[int], dtype: DType) -> None:
        self.data = Pointer(data.expr, data.space, dtype)
        self.shape = tuple(shape)
        self.dtype = dtype

    def ptr_to(self, *indices: Any) -> Pointer:
        if len(indices) == 1:
            indices = tuple(flat_indices(indices[0]))
        check_indices("a buffer", self.shape, indices)
        flat: Any = 0
        for extent, index in zip(self.shape, indices):
            flat = flat * extent + index
        return self.data.offset(flat)

    def __getitem__(self, index: Any) -> "PointerElement":
        return PointerElement(self, flat_indices(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        self[index].store(value)


class PointerElement(Expr):
    """An element behind a pointer, read by a plain load."""

    __slots__ = ("place",)

    def __init__(self, buffer: PointerBuffer, indices: Sequence[Any]) -> None:
        self.place = buffer.ptr_to(*indices)
        super().__init__(buffer.dtype, self._load, varies=True)

    def _load(self, _: Sequence[str]) -> str:
        raw = current().result(f"llvm.load {name_of(self.place.expr)} : {self.place.mlir} -> "
                               f"{self.dtype.storage}")
        if self.dtype.kind == "bool":
            raw = current().result(f"arith.trunci {raw} : i8 to i1")
        return raw

    def store(self, value: Any) -> None:
        trace = current()
        name = name_of(cast(to_expr(value, None if isinstance(value, Expr) else self.dtype),
                            self.dtype))
        if self.dtype.kind == "bool":
            name = trace.result(f"arith.extui {name} : i1 to i8")
        trace.emit(f"llvm.store {name}, {name_of(self.place.expr)} : {self.dtype.storage}, "
                   f"{self.place.mlir}")
        trace.epoch += 1


def alloc_buffer(shape: Any, dtype: Any = "float32", scope: str = "local") -> Any:
    """An array in registers ("local"), or in shared memory ("shared" or "shared.dyn")."""
    if scope == "local":
        return alloc_local(shape, dtype)
    if scope in ("shared", "shared.dyn"):
        return smem_pool().alloc(shape, dtype)
    raise TraceError(f"scope: expected 'local', 'shared' or 'shared.dyn', got {scope!r}")


def decl_buffer(shape: Any, dtype: Any = "float32", data: Any = None,
                elem_offset: Any = 0, scope: str = "local") -> Any:
    """A buffer over memory that exists: `data` is a pointer or another buffer. Without
    it, one is allocated."""
    if data is None:
        return alloc_buffer(shape, dtype, scope)
    extents = flat_indices(shape)
    if any(not isinstance(extent, int) or extent < 1 for extent in extents):
        raise TraceError(f"expected extents that are positive integers, got {shape!r}")
    element = to_dtype(dtype)
    start = _pointer(data, "data")
    return PointerBuffer(start.offset(elem_offset, element), extents, element)


def buffer_store(buffer: Any, value: Any, indices: Any) -> None:
    """Writes an element of a buffer."""
    if not isinstance(buffer, (PointerBuffer, LocalArray)) and not hasattr(buffer, "__setitem__"):
        raise TraceError(f"expected a buffer to write, got {type(buffer).__name__}")
    buffer[tuple(flat_indices(indices))] = value


def ptr_byte_offset(pointer: Any, offset: Any, dtype: Any = None) -> Pointer:
    """The address so many bytes further on, as a pointer to `dtype`."""
    moved = _pointer(pointer, "ptr_byte_offset").byte_offset(offset)
    return moved if dtype is None else Pointer(moved.expr, moved.space, to_dtype(dtype))


def handle_add_byte_offset(pointer: Any, offset: Any) -> Pointer:
    return ptr_byte_offset(pointer, offset)


def isnullptr(pointer: Any) -> Expr:
    return compare("eq", _pointer(pointer, "isnullptr").as_expr(), 0)


def keep_alive(value: Any) -> None:
    """The compiler may not drop the value before this point."""
    expr = to_expr(value)
    letter = {16: "h", 32: "f" if expr.dtype.is_float else "r",
              64: "d" if expr.dtype.is_float else "l"}.get(expr.dtype.bits)
    if letter is None or expr.dtype.is_float and expr.dtype.bits == 16:
        expr, letter = cast(expr, dtypes.f32 if expr.dtype.is_float else dtypes.u32), \
            "f" if expr.dtype.is_float else "r"
    current().emit(f'llvm.inline_asm has_side_effects "", "{letter}" {name_of(expr)} : '
                   f"({expr.dtype.mlir}) -> ()")
