# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers at tile level: parameters, shared memory, tensor memory, registers, and
the regions that slices of them are.

A slice is a `Region`; it becomes a `tirx.view` where an op uses it.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Sequence

from tirx import _native
from tirx.layout import Layout
from tirx.lite import memory
from tirx.lite.dtypes import DType, to_dtype
from tirx.lite.expr import Expr, index_name
from tirx.lite.memory import (
    GLOBAL, SHARED, TMEM, BufferView, LocalArray, Pointer, SharedElement, check_indices,
    flat_indices,
)
from tirx.lite.trace import TraceError, current
from tirx.script.targets import require

LOCAL = 5
SPACE_NAMES = {GLOBAL: "global", SHARED: "shared", TMEM: "tmem", LOCAL: "local"}
_LANES, _COLUMNS = 128, 512  # of tensor memory; a column has 32 bits


def extents_of(what: str, shape: Any) -> list[int]:
    """A shape that is known while the kernel is compiled."""
    extents = flat_indices(shape)
    for extent in extents:
        if isinstance(extent, bool) or not isinstance(extent, int) or extent < 1:
            got = "a value of the running kernel" if isinstance(extent, Expr) else repr(extent)
            raise TraceError(f"{what}: expected extents that are positive integers, got {got}")
    if not extents:
        raise TraceError(f"{what}: expected at least one extent")
    return extents


def layout_text(what: str, layout: Any, shape: Sequence[int] = ()) -> str:
    """The attribute of a layout of so many elements; "" for none."""
    if layout is None:
        return ""
    if not isinstance(layout, Layout):
        raise TraceError(f"{what}: expected a layout such as TileLayout(S[...]), got "
                         f"{type(layout).__name__}")
    size = _size(layout.text)
    if shape and size not in (None, math.prod(shape)):
        raise TraceError(f"{what}: expected a layout of {math.prod(shape)} elements, as many as the "
                         f"shape has, got {size}")
    return layout.text


@functools.lru_cache(maxsize=4096)
def _size(layout: str) -> Any:
    return _native.layout_request("size", layout=layout)


@functools.lru_cache(maxsize=4096)
def _request(op: str, layout: str, shape: tuple[int, ...], **arguments: Any) -> str:
    text: str = _native.layout_request(
        op, layout=layout, shape=list(shape),
        **{name: list(value) for name, value in arguments.items()})
    return text


def row_major(shape: Sequence[int]) -> str:
    strides, stride = [], 1
    for extent in reversed(shape):
        strides.append(stride)
        stride *= extent
    extents = ", ".join(map(str, shape))
    return f"#tirx.tile<S[({extents}) : ({', '.join(map(str, reversed(strides)))})]>"


def _type_text(shape: Sequence[int], element: str, space: int, layout: str) -> str:
    extents = "".join(f"{extent}x" for extent in shape)
    suffix = f", {layout}" if layout else ""
    return f"!tirx.buffer<{extents}{element}, {SPACE_NAMES[space]}{suffix}>"


class ElementPointer(Pointer):
    """The address of an element of a buffer."""

    def __init__(self, pointer: Pointer, buffer: "Buffer", indices: Sequence[Any]) -> None:
        super().__init__(pointer.expr, pointer.space, pointer.dtype)
        self.buffer = buffer
        self.indices = list(indices)


class Element(SharedElement):
    """An element of a buffer in memory: read by a plain load, written by a store."""

    __slots__ = ()

    def __init__(self, buffer: "Buffer", indices: Sequence[Any]) -> None:
        check_indices(buffer.what, buffer.shape, indices)
        self.tile = buffer  # type: ignore[assignment]
        self.indices = list(indices)
        Expr.__init__(self, buffer.dtype, self._load, varies=True)

    @property
    def buffer(self) -> "Buffer":
        return self.tile  # type: ignore[return-value]


class Buffer(BufferView):
    """A buffer of the IR: shape, element type, memory space, layout ("" is row-major).

    A buffer of uint64 in shared memory may serve as mbarriers: its element type is
    settled when the kernel is complete, by how it was used."""

    def __init__(self, name: str, shape: Sequence[int], dtype: DType, space: int,
                 layout: str = "", element: str | None = None, what: str = "") -> None:
        self.element = element or dtype.storage
        self.layout = layout
        self.what = what or f"a buffer of {SPACE_NAMES[space]} memory"
        super().__init__(name, _type_text(shape, self.element, space, layout), shape, dtype, space)

    @property
    def scope(self) -> str:
        return SPACE_NAMES[self.space]

    def _like(self, op: str, shape: Sequence[int], layout: str, element: str = "",
              dtype: DType | None = None) -> "Buffer":
        """The result of an op that gives another view of this buffer."""
        result = Buffer("", shape, dtype or self.dtype, self.space, layout,
                        element or self.element, self.what)
        result.name = current().result(f"{op} : {self.type} -> {result.type}")
        return result

    # --- Elements and regions ----------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        indices = flat_indices(index)
        if any(isinstance(i, (slice, Span)) for i in indices):
            return region_of(self, indices)
        if len(indices) < len(self.shape):
            return region_of(self, indices + [slice(None)] * (len(self.shape) - len(indices)))
        return self.element_at(indices)

    def element_at(self, indices: Sequence[Any]) -> Any:
        if self.space == TMEM:
            raise TraceError("tensor memory has no addressable elements: copy a slice of it to "
                             "registers with Tx.wg.copy_async")
        return Element(self, indices)

    def __setitem__(self, index: Any, value: Any) -> None:
        target = self[index]
        if isinstance(target, Region):
            raise TraceError("expected one element to assign to, got a region: write "
                             "Tx.copy(destination, source)")
        target.store(value)

    def ptr_to(self, *indices: Any) -> Pointer:
        if self.space not in (GLOBAL, SHARED):
            raise TraceError(f"ptr_to: expected a buffer of global or shared memory, got "
                             f"{SPACE_NAMES[self.space]}")
        if len(indices) == 1:
            indices = tuple(flat_indices(indices[0]))
        return ElementPointer(super().ptr_to(*indices), self, indices)

    # --- Views -------------------------------------------------------------------

    def materialize(self) -> "Buffer":
        return self

    def view(self, *shape: Any, layout: Any = None, dtype: Any = None) -> "Buffer":
        """The same memory under another shape, layout or element type. Of registers, a
        layout with thread axes makes one tile of what the threads hold."""
        buffer: Buffer = self
        if dtype is not None:
            buffer = buffer._recast(to_dtype(dtype))
        sizes = extents_of("view", shape[0] if len(shape) == 1 else shape) if shape else \
            list(buffer.shape)
        text = layout_text("view", layout, sizes)
        if not shape and not text:
            return buffer
        if buffer.space == LOCAL:
            return buffer._like(f"tirx.local_view {buffer.name}", sizes, text)
        if tuple(sizes) != buffer.shape:
            buffer = buffer._reshape(sizes)
        if text:
            buffer = buffer._like(f"tirx.layout_cast {buffer.name}", sizes, text)
        return buffer

    def _recast(self, dtype: DType) -> "Buffer":
        if dtype == self.dtype:
            return self
        bits = self.shape[-1] * self.dtype.bits
        if bits % dtype.bits:
            raise TraceError(f"view: expected a last extent that holds whole elements of {dtype}, "
                             f"got {self.shape[-1]} of {self.dtype}")
        shape = (*self.shape[:-1], bits // dtype.bits)
        try:
            layout = _request("pack" if dtype.bits > self.dtype.bits else "unpack",
                              self.layout or row_major(self.shape), self.shape)
        except ValueError as error:
            raise TraceError(f"view: {error}") from None
        return self._like(f"tirx.recast {self.name}", shape, layout, dtype.storage, dtype)

    def _reshape(self, shape: Sequence[int]) -> "Buffer":
        """Elements keep their row-major number, so a layout stays what it is."""
        if math.prod(shape) != math.prod(self.shape):
            raise TraceError(f"view: expected a shape of {math.prod(self.shape)} elements, got "
                             f"{math.prod(shape)}")
        layout = self.layout or row_major(self.shape)
        return self._like(f"tirx.reshape {self.name}", shape, layout)

    def permute(self, *order: int) -> "Buffer":
        """The dimensions in another order; nothing moves."""
        axes = [int(axis) for axis in (flat_indices(order[0]) if len(order) == 1 else order)]
        if sorted(axes) != list(range(len(self.shape))):
            raise TraceError(f"permute: expected each of dimensions 0 to {len(self.shape) - 1} "
                             f"once, got {axes}")
        layout = _request("permute", self.layout or row_major(self.shape), self.shape,
                          permutation=tuple(axes))
        text = ", ".join(map(str, axes))
        return self._like(f"tirx.permute {self.name}[{text}]", [self.shape[a] for a in axes],
                          layout)

    def __repr__(self) -> str:
        return f"<buffer {list(self.shape)} of {self.dtype} in {self.scope}>"


class Region:
    """Part of a buffer: an offset and an extent for each dimension. Dimensions that were
    indexed by one number are dropped from its shape."""

    def __init__(self, buffer: Buffer, offsets: Sequence[Any], sizes: Sequence[int],
                 dropped: Sequence[bool]) -> None:
        self.buffer = buffer
        self.offsets = list(offsets)
        self.sizes = list(sizes)
        self.dropped = list(dropped)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(s for s, drop in zip(self.sizes, self.dropped) if not drop)

    @property
    def dtype(self) -> DType:
        return self.buffer.dtype

    @property
    def space(self) -> int:
        return self.buffer.space

    def __getitem__(self, index: Any) -> Any:
        return self.materialize()[index]

    def __getattr__(self, name: str) -> Any:
        if name in ("view", "permute", "ptr_to", "scope"):
            return getattr(self.materialize(), name)
        raise AttributeError(f"a region of a buffer has no attribute '{name}'")

    def materialize(self) -> Buffer:
        """The buffer of the IR that the region is."""
        buffer, shape = self.buffer, self.shape
        if any(isinstance(o, Expr) or o for o in self.offsets) or \
                self.sizes != list(buffer.shape):
            buffer = self._view()
        return buffer._reshape(shape) if len(shape) < len(buffer.shape) else buffer

    def _view(self) -> Buffer:
        source = self.buffer
        static = tuple(0 if isinstance(o, Expr) else int(o) for o in self.offsets)
        try:
            layout = _request("slice", source.layout or row_major(source.shape), source.shape,
                              offsets=static, sizes=tuple(self.sizes))
        except ValueError as error:
            raise TraceError(f"{source.what}: expected a region that a layout describes: "
                             f"{error}") from None
        subscript = ", ".join(index_name(o) if isinstance(o, Expr) else str(o)
                              for o in self.offsets)
        return source._like(f"tirx.view {source.name}[{subscript}]", self.sizes, layout)

    def __repr__(self) -> str:
        return f"<region {list(self.shape)} of {self.buffer!r}>"


class Span:
    """One dimension of a slice whose extent is known although its start is not."""

    def __init__(self, start: Any, extent: int) -> None:
        self.start = start
        self.extent = extent


def region_of(buffer: Buffer, indices: Sequence[Any]) -> Region:
    if len(indices) > len(buffer.shape):
        raise TraceError(f"{buffer.what}: expected {len(buffer.shape)} indices, got "
                         f"{len(indices)}")
    indices = list(indices) + [slice(None)] * (len(buffer.shape) - len(indices))
    offsets: list[Any] = []
    sizes: list[int] = []
    for dimension, (index, extent) in enumerate(zip(indices, buffer.shape)):
        offset, size = _interval(buffer, dimension, index, extent)
        if size < 1:
            raise TraceError(f"{buffer.what}: expected a region that is not empty, got {size} "
                             f"elements of dimension {dimension}")
        if not isinstance(offset, Expr) and not 0 <= offset <= extent - size or size > extent:
            raise TraceError(f"{buffer.what}: expected dimension {dimension} inside 0 to {extent}, "
                             f"got {offset if not isinstance(offset, Expr) else 'start'} to "
                             f"{offset + size if not isinstance(offset, Expr) else f'start + {size}'}")
        offsets.append(offset)
        sizes.append(size)
    dropped = [not isinstance(index, (slice, Span)) for index in indices]
    return Region(buffer, offsets, sizes, dropped)


def _interval(buffer: Buffer, dimension: int, index: Any, extent: int) -> tuple[Any, int]:
    if isinstance(index, Span):
        return index.start, index.extent
    if not isinstance(index, slice):
        if isinstance(index, int) and not 0 <= index < extent:
            raise TraceError(f"{buffer.what}: expected index {dimension} in 0 to {extent - 1}, "
                             f"got {index}")
        return index, 1
    if index.step not in (None, 1):
        raise TraceError(f"{buffer.what}: expected a slice without a step, got step {index.step}")
    start = 0 if index.start is None else index.start
    stop = extent if index.stop is None else index.stop
    if isinstance(start, Expr) or isinstance(stop, Expr):
        raise TraceError(f"{buffer.what}: expected a slice whose length is known while the kernel "
                         "is compiled: write start : start + LENGTH")
    if not 0 <= start or stop > extent:
        raise TraceError(f"{buffer.what}: expected dimension {dimension} inside 0 to {extent}, "
                         f"got {start} to {stop}")
    return start, stop - start


# --- Parameters --------------------------------------------------------------------


class BufferParameter:
    """`T.Buffer((M, K), dtype)`: a parameter, row-major unless it has a layout."""

    def __init__(self, shape: Any, dtype: Any = "float32", layout: Any = None) -> None:
        self.shape = tuple(extents_of("T.Buffer", shape))
        self.dtype = to_dtype(dtype)
        self.layout = layout_text("T.Buffer", layout, self.shape)

    @property
    def mlir(self) -> str:
        return _type_text(self.shape, self.dtype.storage, GLOBAL, self.layout)

    def bind(self, name: str, parameter: str) -> Buffer:
        return Buffer(name, self.shape, self.dtype, GLOBAL, self.layout, what=f"'{parameter}'")

    def __repr__(self) -> str:
        return f"T.Buffer({self.shape}, {self.dtype.long_name!r})"


# --- Registers -----------------------------------------------------------------------


class LocalBuffer(Buffer):
    """A buffer in registers. Its elements are variables of the thread."""

    def __init__(self, shape: Sequence[int], dtype: DType, layout: str) -> None:
        if layout:
            super().__init__("", shape, dtype, LOCAL, layout)
            self.array = None
            self.name = current().head_result(f"tirx.alloc_local : {self.type}")
        else:
            self.array = LocalArray(shape, dtype)
            super().__init__(self.array.name, shape, dtype, LOCAL)

    def element_at(self, indices: Sequence[Any]) -> Any:
        if self.array is None:
            raise TraceError("expected a buffer without thread axes to index: take "
                             ".view(n) of the tile, what one thread holds")
        return self.array[indices[0] if len(indices) == 1 else tuple(indices)]


def alloc_local(shape: Any, dtype: Any = "float32", layout: Any = None) -> LocalBuffer:
    """Registers of each thread, or with a layout a tile over the threads of a scope."""
    sizes = extents_of("alloc_local", shape)
    return LocalBuffer(sizes, to_dtype(dtype), layout_text("alloc_local", layout, sizes))


# --- Shared memory -------------------------------------------------------------------


class SMEMPool:
    """The kernel's dynamic shared memory, handed out in order."""

    def __init__(self) -> None:
        trace = current()
        if trace.pool is None:
            trace.pool = trace.head_result("tirx.smem_pool")
        self.name = trace.pool

    def alloc(self, shape: Any, dtype: Any = "float32", layout: Any = None,
              align: int | None = None) -> Buffer:
        """A buffer. `align`: bytes; a layout stands on the boundary that it needs."""
        if align is not None and (not isinstance(align, int) or align < 1 or align & (align - 1)):
            raise TraceError(f"align: expected a power of two, got {align!r}")
        element = to_dtype(dtype)
        token = None
        if element.name == "u64":
            token = barriers().declare()
        sizes = extents_of("alloc", shape)
        buffer = Buffer("", sizes, element, SHARED, layout_text("alloc", layout, sizes), token)
        alignment = f" align({align})" if align else ""
        buffer.name = current().head_result(
            f"tirx.pool_alloc {self.name}{alignment} : {buffer.type}")
        return buffer

    def move_base_to(self, offset: int) -> None:
        """The next buffer begins at this byte or after it."""
        if not isinstance(offset, int) or offset < 0:
            raise TraceError(f"move_base_to: expected a byte offset, got {offset!r}")
        current().emit_head(f"tirx.pool_move_base {self.name} to({offset})")

    def commit(self) -> None:
        """Nothing follows: the compiler places the buffers."""


class Barriers:
    """Which buffers of uint64 are mbarriers: told by their use."""

    def __init__(self) -> None:
        self.used: dict[str, bool | None] = {}

    def declare(self) -> str:
        token = f"$barrier{len(self.used)}$"
        self.used[token] = None
        return token

    def settle(self, buffer: Buffer) -> None:
        """The buffer serves as mbarriers."""
        if buffer.element in self.used:
            self.used[buffer.element] = True

    def resolve(self, text: str) -> str:
        for token, used in self.used.items():
            text = text.replace(token, "!tirx.mbarrier" if used else "i64")
        return text


def barriers() -> Barriers:
    trace: Any = current()
    if not hasattr(trace, "barriers"):
        trace.barriers = Barriers()
    found: Barriers = trace.barriers
    return found


def barrier_place(what: str, value: Any) -> tuple[Buffer, Any]:
    """The buffer and the index of an mbarrier that is given by `bar.ptr_to([i])`,
    `bar[i]` or, where there is one only, `bar`."""
    if isinstance(value, Buffer) and value.shape == (1,):
        value = value.ptr_to([0])
    if not isinstance(value, (ElementPointer, Element)) or value.buffer.space != SHARED \
            or value.buffer.dtype.name != "u64" or len(value.indices) != 1:
        raise TraceError(f"{what}: expected an mbarrier, such as bar.ptr_to([0]) of "
                         "pool.alloc((1,), \"uint64\")")
    barriers().settle(value.buffer)
    return value.buffer, value.indices[0]


def address_of(value: Any) -> Pointer:
    """The address of an element, or of the first of a buffer."""
    if isinstance(value, Region):
        value = value.materialize()
    if isinstance(value, Buffer):
        return value.ptr_to([0] * len(value.shape))
    return memory.address_of(value)


# --- Tensor memory ---------------------------------------------------------------------


def tmem_slot(what: str, value: Any) -> tuple[Buffer, Any]:
    """The word of shared memory that an allocation wrote its address to."""
    if isinstance(value, Buffer) and value.shape == (1,):
        value = value.ptr_to([0])
    if not isinstance(value, (ElementPointer, Element)) or value.buffer.space != SHARED \
            or value.buffer.dtype.name not in ("u32", "i32") or len(value.indices) != 1:
        raise TraceError(f"{what}: expected a word of shared memory, such as slot[0] of "
                         "pool.alloc((1,), \"uint32\")")
    return value.buffer, value.indices[0]


def tmem_layout(shape: Sequence[int], dtype: DType) -> str:
    """Rows on lanes, columns on columns."""
    if len(shape) != 2 or shape[0] > _LANES or shape[1] * dtype.bits > _COLUMNS * 32:
        raise TraceError(f"expected a layout for a buffer of {list(shape)} in tensor memory, which "
                         f"has {_LANES} lanes and {_COLUMNS} columns of 32 bits")
    return f"#tirx.tile<S[({shape[0]}, {shape[1]}) : (1@TLane, 1@TCol)]>"


def tmem_buffer(slot: Any, shape: Any, dtype: Any, layout: Any, column: int = 0) -> Buffer:
    word, index = tmem_slot("allocated_addr", slot)
    element = to_dtype(dtype)
    sizes = extents_of("decl_buffer", shape)
    text = layout_text("decl_buffer", layout, sizes) or tmem_layout(sizes, element)
    buffer = Buffer("", sizes, element, TMEM, text)
    at = f" column({column})" if column else ""
    require("tcgen05")
    buffer.name = current().result(
        f"tirx.tmem_buffer {word.name}[{index_name(index)}]{at} : {word.type} -> {buffer.type}")
    return buffer


def decl_buffer(shape: Any, dtype: Any = "float32", scope: str = "tmem",
                allocated_addr: Any = None, layout: Any = None, column: int = 0) -> Buffer:
    """A buffer in tensor memory that is allocated; `allocated_addr` is the word that the
    allocation wrote."""
    if scope != "tmem":
        raise TraceError(f"scope: expected 'tmem', got {scope!r}: shared memory comes from "
                         "T.SMEMPool, registers from T.alloc_local")
    if allocated_addr is None:
        raise TraceError("allocated_addr: expected the word that the allocation wrote, such as "
                         "slot[0]")
    return tmem_buffer(allocated_addr, shape, dtype, layout, column)


class TMEMPool:
    """Columns of tensor memory, handed out in order: one warp calls `commit`, all wait at
    a barrier, then `alloc` gives buffers; one warp calls `dealloc` at the end."""

    def __init__(self, pool: SMEMPool, columns: int = _COLUMNS, cta_group: int = 1) -> None:
        if columns not in (32, 64, 128, 256, 512):
            raise TraceError(f"columns: expected 32, 64, 128, 256 or 512, got {columns!r}")
        self.slot = pool.alloc((1,), "uint32")
        self.columns = columns
        self.cta_group = cta_group
        self.next = 0

    def commit(self) -> None:
        """Allocates; a whole warp calls it."""
        from tirx.script.instructions import tmem_alloc

        tmem_alloc(self.slot, n_cols=self.columns, cta_group=self.cta_group)

    def alloc(self, shape: Any, dtype: Any = "float32", layout: Any = None) -> Buffer:
        sizes, element = extents_of("alloc", shape), to_dtype(dtype)
        text = layout_text("alloc", layout, sizes) or tmem_layout(sizes, element)
        low, high = _native.layout_request("spans", layout=text).get("TCol", (0, 0))
        width = ((high + 1) * element.bits + 31) // 32
        if self.next + width > self.columns:
            raise TraceError(f"expected at most {self.columns - self.next} columns, which are left "
                             f"of {self.columns}, got {width}")
        buffer = tmem_buffer(self.slot, sizes, element, Layout._of(text), self.next)
        self.next += width
        return buffer

    def dealloc(self) -> None:
        """Gives the columns back; the warp that allocated calls it."""
        from tirx.script.instructions import tmem_dealloc, tmem_relinquish

        tmem_relinquish(cta_group=self.cta_group)
        tmem_dealloc(self.slot, n_cols=self.columns, cta_group=self.cta_group)
