# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables, pointers and buffers: what a kernel reads and writes."""

from __future__ import annotations

from typing import Any, Iterator, Sequence

from tirx import _native
from tirx.lite import dtypes
from tirx.lite.dtypes import DType, to_dtype
from tirx.lite.expr import Expr, cast, index_name, name_of, to_expr
from tirx.lite.trace import Region, Trace, TraceError, current, user_place

GLOBAL, SHARED, TMEM = 1, 3, 6
_SPACES = {0: "generic", GLOBAL: "global", SHARED: "shared", TMEM: "tensor"}


def flat_indices(index: Any) -> list[Any]:
    return list(index) if isinstance(index, (tuple, list)) else [index]


def check_indices(what: str, shape: Sequence[int], indices: Sequence[Any]) -> None:
    if len(indices) != len(shape):
        raise TraceError(f"{what}: expected {len(shape)} indices, got {len(indices)}")
    for dimension, (extent, index) in enumerate(zip(shape, indices)):
        if isinstance(index, int):
            if not 0 <= index < extent:
                raise TraceError(f"{what}: expected index {dimension} in 0 to {extent - 1}, got "
                                 f"{index}")
        elif not isinstance(index, Expr) and not hasattr(index, "__index__"):
            kind = "a slice" if isinstance(index, slice) else type(index).__name__
            raise TraceError(f"{what}: expected an integer as index {dimension}, got {kind}")
        elif isinstance(index, Expr) and not index.dtype.is_integer:
            raise TraceError(f"{what}: expected an integer as index {dimension}, got {index.dtype}")


# --- Variables -----------------------------------------------------------------


class Variable(Expr):
    """One element of registers: it can be read, and written by `assign` and by the
    instructions that have it as a destination."""

    __slots__ = ("array", "indices", "written", "place")

    def __init__(self, array: "LocalArray", indices: Sequence[Any]) -> None:
        self.array = array
        self.written = False
        self.indices = list(indices)
        self.place: str | None = None  # once known for good
        super().__init__(array.dtype, self._load, varies=True)

    def _place(self) -> str:
        if self.place is not None:
            return self.place
        place = f"{self.array.name}[{', '.join([index_name(i) for i in self.indices])}]"
        if all(isinstance(i, int) for i in self.indices):
            self.place = place
        return place

    def _load(self, _: Sequence[str]) -> str:
        trace = current()
        self.array.check_scope(trace)
        raw = trace.result(f"tirx.load {self.place or self._place()}{self.array.load_type}")
        if self.dtype.kind == "bool":
            raw = trace.result(f"arith.trunci {raw} : i8 to i1")
        return raw

    def store(self, value: Any) -> None:
        expr = cast(to_expr(value, None if isinstance(value, Expr) else self.dtype), self.dtype)
        self.store_name(name_of(expr))

    def store_name(self, name: str) -> None:
        """Writes a value of the IR that has the variable's type."""
        trace = current()
        self.array.check_scope(trace)
        if self.dtype.kind == "bool":
            name = trace.result(f"arith.extui {name} : i1 to i8")
        trace.emit(f"tirx.store {name}, {self.place or self._place()}{self.array.store_type}")
        trace.epoch += 1
        self.written = True


class LocalArray:
    """An array in the registers of each thread."""

    def __init__(self, shape: Sequence[int], dtype: DType) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype
        extents = "x".join(str(extent) for extent in self.shape)
        self.type = f"!tirx.buffer<{extents}x{dtype.storage}, local>"
        self.name = current().head_result(f"tirx.alloc_local : {self.type}")
        self.load_type = f" : {self.type} -> {dtype.storage}"
        self.store_type = f" : {dtype.storage}, {self.type}"
        # Where it may be used: inside this region; None: everywhere.
        self.region: Region | None = current().regions[-1]
        self.elements: dict[int, Variable] = {}  # of one dimension, by numbers

    def check_scope(self, trace: Trace) -> None:
        if self.region is None or self.region in trace.regions:
            return
        file, line, _ = self.region.opened_at()
        raise TraceError("expected to be inside the branch, loop or role that defines the variable "
                         f"(it begins at {file}:{line}), got a use outside of it: define the "
                         "variable before")

    def __getitem__(self, index: Any) -> Variable:
        if type(index) is int:
            known = self.elements.get(index)
            if known is not None:
                return known
        indices = flat_indices(index)
        check_indices("alloc_local", self.shape, indices)
        variable = Variable(self, indices)
        if type(index) is int:
            self.elements[index] = variable
        return variable

    def __setitem__(self, index: Any, value: Any) -> None:
        self[index].store(value)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Variable]:
        return (self[i] for i in range(len(self)))


class WideVariable(Variable):
    """128 bits, kept as two halves: instructions take and give them as one register."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(LocalArray([2], dtypes.u64), [0])
        self.dtype = dtypes.u128

    def _load(self, _: Sequence[str]) -> str:
        low, high = (name_of(self.array[i]) for i in range(2))
        return current().result(f'tirx.ptx "mov.b128"({low}, {high}) : (i64, i64) -> (i128)')

    def store(self, value: Any) -> None:
        expr = to_expr(value)
        if expr.dtype.bits != self.dtype.bits:
            raise TraceError(f"expected a value of {self.dtype.bits} bits, got {expr.dtype}")
        self.store_name(name_of(expr))

    def store_name(self, name: str) -> None:
        trace = current()
        halves = trace.fresh()
        trace.emit(f'{halves}:2 = tirx.ptx "mov.b128"({name}) : (i128) -> (i64, i64)')
        for i in range(2):
            self.array[i].store_name(f"{halves}#{i}")
        self.written = True


def _extents(shape: Any) -> list[int]:
    extents = flat_indices(shape)
    for extent in extents:
        if not isinstance(extent, int) or extent < 1:
            raise TraceError(f"expected extents that are positive integers, got {extent!r}")
    return extents


def alloc_local(shape: Any, dtype: Any) -> LocalArray:
    """An array of `dtype` in registers; its indices must be known once loops are
    unrolled."""
    element = to_dtype(dtype)
    if element.bits == 128:
        raise TraceError(f"expected elements of 64 bits or less, got {element}: write local_scalar")
    return LocalArray(_extents(shape), element)


def local_scalar(dtype: Any, init: Any = None) -> Variable:
    """A variable of one thread."""
    element = to_dtype(dtype)
    variable = WideVariable() if element.bits == 128 else LocalArray([1], element)[0]
    if init is not None:
        variable.store(init)
    return variable


def assign(target: Any, value: Any) -> None:
    """Writes a variable."""
    if not isinstance(target, Variable):
        raise TraceError("expected a variable to assign to (local_scalar, or an element of "
                         f"alloc_local), got {type(target).__name__}")
    target.store(value)


# --- Pointers --------------------------------------------------------------------


class Pointer:
    """An address in a state space, with the type of what it points to."""

    def __init__(self, expr: Expr, space: int, dtype: DType) -> None:
        self.expr = expr
        self.space = space
        self.dtype = dtype

    @property
    def mlir(self) -> str:
        return "!llvm.ptr" if self.space == 0 else f"!llvm.ptr<{self.space}>"

    def offset(self, count: Any, dtype: DType | None = None) -> "Pointer":
        """The address `count` elements further on."""
        element = (dtype or self.dtype).storage
        index = to_expr(count)

        def emit(names: Sequence[str]) -> str:
            return current().result(
                f"llvm.getelementptr {names[0]}[{names[1]}] : ({self.mlir}, {index.dtype.mlir}) "
                f"-> {self.mlir}, {element}")

        if not index.dtype.is_integer:
            raise TraceError(f"expected an integer as an offset, got {index.dtype}")
        if index.nonnegative and index.dtype.bits < 64:
            index = cast(index, dtypes.i64)
        return Pointer(Expr(_ADDRESS, emit, [self.expr, index]), self.space, self.dtype)

    def byte_offset(self, count: Any) -> "Pointer":
        return self.offset(count, dtypes.u8)

    def as_expr(self) -> Expr:
        """The address as an integer: 64 bits, or 32 in shared and tensor memory."""
        dtype = dtypes.u32 if self.space in (SHARED, TMEM) else dtypes.u64
        return Expr(dtype, lambda names: current().result(
            f"llvm.ptrtoint {names[0]} : {self.mlir} to {dtype.mlir}"), [self.expr])

    def __add__(self, other: Any) -> Expr:
        return self.as_expr() + other

    __radd__ = __add__


# What an expression says its type is when it is a pointer.
_ADDRESS = DType("address", "address", 64, "uint", "!llvm.ptr", "uint64")


def pointer_to(emit: Any, args: Sequence[Expr], space: int, dtype: DType) -> Pointer:
    return Pointer(Expr(_ADDRESS, emit, args), space, dtype)


class BufferView:
    """A buffer of the IR with a static shape."""

    def __init__(self, name: str, type_text: str, shape: Sequence[int], dtype: DType,
                 space: int) -> None:
        self.name = name
        self.type = type_text
        self.shape = tuple(shape)
        self.dtype = dtype
        self.space = space

    def ptr_to(self, *indices: Any) -> Pointer:
        """The address of an element: `ptr_to([i, j])` or `ptr_to(i, j)`."""
        if len(indices) == 1:
            indices = tuple(flat_indices(indices[0]))
        check_indices(f"a buffer of {_SPACES[self.space]} memory", self.shape, indices)
        # Numbers become constants where the address is made.
        args = [to_expr(index) for index in indices if not isinstance(index, int)]

        def emit(_: Sequence[str]) -> str:
            subscript = ", ".join([index_name(index) for index in indices])
            return current().result(
                f"tirx.ptr {self.name}[{subscript}] : {self.type} -> !llvm.ptr<{self.space}>")

        pointer = pointer_to(emit, args, self.space, self.dtype)
        return pointer

    @property
    def data(self) -> Pointer:
        return self.ptr_to([0] * len(self.shape))


# --- Parameters --------------------------------------------------------------------


class gptr:
    """A parameter that points to global memory: `gptr[dtype]`, `gptr(dtype)`, or with a
    shape `gptr[dtype, (rows, columns)]`."""

    def __init__(self, dtype: Any, shape: Any = None) -> None:
        self.dtype = to_dtype(dtype)
        self.shape: tuple[int, ...] | None = None
        self.rank = 1
        if isinstance(shape, int):
            self.rank = shape
        elif shape is not None:
            self.shape = tuple(_extents(shape))
            self.rank = len(self.shape)

    def __class_getitem__(cls, item: Any) -> "gptr":
        return cls(*item) if isinstance(item, tuple) else cls(item)

    @property
    def mlir(self) -> str:
        if self.shape is None:
            return "!llvm.ptr<1>"
        extents = "x".join(str(extent) for extent in self.shape)
        return f"!tirx.buffer<{extents}x{self.dtype.storage}, global>"

    def bind(self, name: str) -> Any:
        """What the traced function sees of the parameter."""
        if self.shape is not None:
            return BufferView(name, self.mlir, self.shape, self.dtype, GLOBAL)
        return GlobalPointer(name, self.dtype, self.rank)


class GlobalPointer(Pointer):
    """A parameter without a shape."""

    def __init__(self, name: str, dtype: DType, rank: int) -> None:
        super().__init__(Expr(_ADDRESS, lambda _: name), GLOBAL, dtype)
        self.rank = rank

    def ptr_to(self, *indices: Any) -> Pointer:
        if len(indices) == 1:
            indices = tuple(flat_indices(indices[0]))
        if len(indices) != 1:
            raise TraceError(f"expected one index of a pointer without a shape, got "
                             f"{len(indices)}: declare gptr[{self.dtype}, (shape)]")
        return self.offset(indices[0])

    @property
    def data(self) -> Pointer:
        return self


# --- Shared memory ---------------------------------------------------------------


class SwizzleMode:
    """How rows of a tile are swizzled: the width of the pattern in bytes."""

    def __init__(self, name: str, width: int) -> None:
        self.name = name
        self.width = width

    def __repr__(self) -> str:
        return f"SwizzleMode({self.name})"


SWNONE = SwizzleMode("none", 0)
SW32B = SwizzleMode("32B", 32)
SW64B = SwizzleMode("64B", 64)
SW128B = SwizzleMode("128B", 128)


class SharedTile(BufferView):
    """A tile in shared memory. With three dimensions it is staged: `tile[stage]`."""

    def __init__(self, name: str, type_text: str, shape: Sequence[int], dtype: DType,
                 swizzle: SwizzleMode, layout: str) -> None:
        super().__init__(name, type_text, shape, dtype, SHARED)
        self.swizzle = swizzle
        self.layout = layout

    def __getitem__(self, index: Any) -> Any:
        if len(self.shape) == 3 and not isinstance(index, tuple):
            return StageView(self, index)
        return SharedElement(self, flat_indices(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        SharedElement(self, flat_indices(index)).store(value)

    def descriptor(self, k_dim: int, step: int, wgmma: bool = False) -> Expr:
        """The descriptor of the operand at a step of K, for tcgen05 or for wgmma."""
        if len(self.shape) != 2:
            raise TraceError(f"expected a tile of two dimensions, got {len(self.shape)}: "
                             "take a stage of it first")

        def emit(_: Sequence[str]) -> str:
            return current().result(
                f"tirx.smem_descriptor {self.name} k_dim({k_dim}) step({step})"
                f"{' wgmma' if wgmma else ''} : {self.type}")

        return Expr(dtypes.u64, emit)

    def mma_desc(self, major: str = "K", mma_k: int = 0, wgmma: bool = False) -> Expr:
        """The descriptor of the operand at step `mma_k` of K (32 bytes a step along rows,
        as many elements along columns). `major`: which dimension is the inner one, "K"
        (the tile has rows of K) or "MN"."""
        if major not in ("K", "MN"):
            raise TraceError(f"major: expected 'K' or 'MN', got {major!r}")
        if not isinstance(mma_k, int) or mma_k < 0:
            raise TraceError(f"mma_k: expected a step of 0 or more, got {mma_k!r}")
        return self.descriptor(1 if major == "K" else 0, mma_k, wgmma)


class StageView(SharedTile):
    """One stage of a staged tile."""

    def __init__(self, tile: SharedTile, stage: Any) -> None:
        check_indices("a staged tile", tile.shape[:1],
                      [stage] if isinstance(stage, int) else [0])
        self.tile = tile
        self.stage = stage
        rows, columns = tile.shape[1:]
        layout = shared_layout(tile.dtype, tile.swizzle, (rows, columns))
        suffix = f", {layout}" if layout else ""
        type_text = f"!tirx.buffer<{rows}x{columns}x{tile.dtype.storage}, shared{suffix}>"
        super().__init__("", type_text, (rows, columns), tile.dtype, tile.swizzle, layout)

    def ptr_to(self, *indices: Any) -> Pointer:
        if len(indices) == 1:
            indices = tuple(flat_indices(indices[0]))
        check_indices("a stage", self.shape, indices)
        return self.tile.ptr_to(self.stage, *indices)

    def descriptor(self, k_dim: int, step: int, wgmma: bool = False) -> Expr:
        """That of the first stage, moved by whole stages."""
        stage_bytes = self.shape[0] * self.shape[1] * self.dtype.bytes
        first = StageDescriptor(self.tile, self.type, k_dim, step, wgmma)
        if isinstance(self.stage, int):
            return first + (self.stage * stage_bytes >> 4)
        # The address is in the low half, whose sum cannot carry; the high half is constant.
        low = cast(first, dtypes.u32) + cast(to_expr(self.stage), dtypes.u32) * (stage_bytes >> 4)
        return cast(low, dtypes.u64) | first & 0xFFFFFFFF00000000


def StageDescriptor(tile: SharedTile, stage_type: str, k_dim: int, step: int,
                    wgmma: bool) -> Expr:
    rows, columns = tile.shape[1:]
    layout = shared_layout(tile.dtype, tile.swizzle, (1, rows, columns))
    suffix = f", {layout}" if layout else ""

    def emit(_: Sequence[str]) -> str:
        trace = current()
        first = f"!tirx.buffer<1x{rows}x{columns}x{tile.dtype.storage}, shared{suffix}>"
        view = trace.result(f"tirx.view {tile.name}[0, 0, 0] : {tile.type} -> {first}")
        view = trace.result(f"tirx.reshape {view} : {first} -> {stage_type}")
        return trace.result(
            f"tirx.smem_descriptor {view} k_dim({k_dim}) step({step})"
            f"{' wgmma' if wgmma else ''} : {stage_type}")

    return Expr(dtypes.u64, emit)


class SharedElement(Expr):
    """An element of shared memory, read by a plain load."""

    __slots__ = ("tile", "indices")

    def __init__(self, tile: SharedTile, indices: Sequence[Any]) -> None:
        check_indices("shared memory", tile.shape, indices)
        self.tile = tile
        self.indices = list(indices)
        super().__init__(tile.dtype, self._load, varies=True)

    def _place(self) -> str:
        return f"{self.tile.name}[{', '.join(index_name(i) for i in self.indices)}]"

    def _load(self, _: Sequence[str]) -> str:
        return current().result(
            f"tirx.load {self._place()} : {self.tile.type} -> {self.tile.dtype.storage}")

    def store(self, value: Any) -> None:
        name = name_of(cast(to_expr(value, None if isinstance(value, Expr) else self.dtype),
                            self.dtype))
        trace = current()
        trace.emit(f"tirx.store {name}, {self._place()} : {self.dtype.storage}, {self.tile.type}")
        trace.epoch += 1

    def ptr(self) -> Pointer:
        return self.tile.ptr_to(*self.indices)


def shared_layout(dtype: DType, swizzle: SwizzleMode, shape: Sequence[int]) -> str:
    """The attribute of a swizzled tile; "" for rows one after the other."""
    if swizzle.width == 0:
        return ""
    try:
        layout: str = _native.layout_request(
            "tma_shared", bits=dtype.bits, swizzle=swizzle.name, shape=list(shape))
    except ValueError as error:
        raise TraceError(f"no {swizzle.name} swizzle of a {list(shape)} tile of {dtype}: {error}")
    return layout


class SharedPool:
    """The kernel's dynamic shared memory, handed out in order."""

    def __init__(self) -> None:
        trace = current()
        if trace.pool is None:
            trace.pool = trace.head_result("tirx.smem_pool")
        self.name = trace.pool
        self.bytes = 0
        self.committed: tuple[str, int, int] | None = None

    def alloc(self, shape: Any, dtype: Any, swizzle: SwizzleMode = SWNONE,
              align: int | None = None) -> SharedTile:
        """A tile of the pool. `align`: bytes; a swizzled tile stands on the boundary of
        its pattern whatever it says."""
        self._check_open()
        extents = _extents(shape)
        element = to_dtype(dtype)
        if not isinstance(swizzle, SwizzleMode):
            raise TraceError("swizzle: expected SWNONE, SW32B, SW64B or SW128B, got "
                             f"{swizzle!r}")
        if align is not None and (not isinstance(align, int) or align < 1 or align & (align - 1)):
            raise TraceError(f"align: expected a power of two, got {align}")
        layout = shared_layout(element, swizzle, extents)
        suffix = f", {layout}" if layout else ""
        text = "x".join(str(extent) for extent in extents)
        type_text = f"!tirx.buffer<{text}x{element.storage}, shared{suffix}>"
        alignment = f" align({align})" if align else ""
        name = current().head_result(f"tirx.pool_alloc {self.name}{alignment} : {type_text}")
        size = element.bytes
        for extent in extents:
            size *= extent
        self.bytes += size
        return SharedTile(name, type_text, extents, element, swizzle, layout)

    def commit(self) -> None:
        """Ends the pool: nothing is allocated from it any more."""
        self._check_open()
        self.committed = user_place()

    def _check_open(self) -> None:
        if self.committed is not None:
            file, line, _ = self.committed
            raise TraceError(f"expected a pool that is open, got one committed at {file}:{line}")

    def move_base_to(self, offset: int) -> None:
        """The next tile begins at this byte or after it."""
        self._check_open()
        if not isinstance(offset, int) or offset < 0:
            raise TraceError(f"expected an offset of 0 bytes or more, got {offset!r}")
        current().emit_head(f"tirx.pool_move_base {self.name} to({offset})")


def smem_pool() -> SharedPool:
    return SharedPool()


def address_of(value: Any) -> Pointer:
    """The address of an element of shared memory."""
    if isinstance(value, SharedElement):
        return value.ptr()
    if isinstance(value, (BufferView, GlobalPointer)):
        return value.data
    raise TraceError("expected an element of shared memory or a buffer, got "
                     f"{type(value).__name__}")
