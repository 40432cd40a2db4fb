# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`txl.ptx`: every PTX instruction, one call each, destinations first.

`ptx.ld.global_.v4.u32(a, b, c, d, address)` or `ptx["ld.global.v4.u32"](...)`. In a
path, `__` is `::`, and a trailing `_` keeps a name apart from Python's own.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Callable, Sequence

from tirx import _native
from tirx.lite import dtypes
from tirx.lite.dtypes import DType
from tirx.lite.expr import Expr, cast, name_of, to_bool, to_expr
from tirx.lite.memory import BufferView, LocalArray, Pointer, Variable
from tirx.lite.trace import Trace, TraceError, current


class _Sink:
    """`ptx.SINK`: a result that nobody wants."""

    def __repr__(self) -> str:
        return "ptx.SINK"


SINK = _Sink()


class Operand:
    """One operand as the table describes it."""

    __slots__ = ("name", "kind", "access", "type", "bits", "lanes", "optional", "sink")

    def __init__(self, description: dict[str, Any]) -> None:
        for field in self.__slots__:
            setattr(self, field, description[field])
        if self.kind == "tensor_address" and self.lanes:
            self.lanes += 1  # the map, before the coordinates

    name: str
    kind: str
    access: str
    type: str
    bits: int
    lanes: int
    optional: bool
    sink: bool


class Signature:
    """An instruction with its modifiers."""

    gives_nothing = False

    def __init__(self, text: str) -> None:
        try:
            description = _native.resolve_instruction(text)
        except ValueError as first:
            dotted = _dotted(text)
            if dotted == text:
                raise
            try:  # shfl_sync for shfl.sync
                description = _native.resolve_instruction(dotted)
            except ValueError:
                raise first from None
        resolved: str = description["text"]
        operands = [Operand(operand) for operand in description["operands"]]
        if resolved.startswith("mbarrier.arrive") and "shared::cluster" in resolved:
            # An arrival at the barrier of another CTA gives no state: its place is `_`, which
            # a call may write as SINK.
            self.gives_nothing = True
            operands = [o for o in operands if o.access != "write"]
        self.prepare(resolved, operands,
                     frozenset(description.get("targets", ())))

    def prepare(self, text: str, operands: list[Operand],
                chips: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.operands = operands
        self.chips = chips
        # Whether two operands take any number of values.
        self.packs = sum(o.lanes == 0 and not o.optional for o in self.operands) == 2
        self.plans: dict[int, list[tuple[Operand, int, int]]] = {}  # by number of values

    def use(self, trace: Trace) -> None:
        """What the kernel needs besides the instruction: nothing, for one of the table."""

    def assign(self, values: Sequence[Any]) -> list[tuple[Operand, Sequence[Any]]]:
        """Distributes the values of a call over the operands."""
        plan = self.plans.get(len(values))
        if self.packs:
            plan = self._plan_move(values)
        elif plan is None:
            plan = self.plans[len(values)] = self._plan(len(values))
        return [(operand, values[start:end]) for operand, start, end in plan]

    def _plan_move(self, values: Sequence[Any]) -> list[tuple[Operand, int, int]]:
        """`mov` of N bits: one value to one, or it packs several into the first, or it
        unpacks the last into several."""
        given = len(values)
        if given < 2:
            raise TraceError(f"{self.text}: expected a destination and a value, got {given} "
                             "operands")
        whole = self.operands[0].bits
        packs = given == 2 or isinstance(values[0], Variable) and values[0].dtype.bits == whole
        written = 1 if packs else given - 1
        return [(self.operands[0], 0, written), (self.operands[1], written, given)]

    def _plan(self, given: int) -> list[tuple[Operand, int, int]]:
        """Which of so many values each operand takes."""
        extra = given - sum(o.lanes for o in self.operands if not o.optional)
        any_number = any(o.lanes == 0 and not o.optional for o in self.operands)
        taken, plan = 0, []
        for operand in self.operands:
            count = operand.lanes
            if operand.optional:
                if extra < max(count, 1):
                    continue
                extra -= count
            elif count == 0:
                count = self._free_lanes(extra)
                extra -= count
            plan.append((operand, taken, taken + count))
            taken += count
        if extra != 0 and not any_number or taken != given:
            raise TraceError(f"{self.text}: expected {self.describe()}, got {given} operands")
        return plan

    def _free_lanes(self, extra: int) -> int:
        """How many values an operand of any number takes. A of wgmma is a descriptor or
        four registers, and the transpositions behind it may be there."""
        if not self.text.startswith("wgmma.mma_async"):
            return extra
        transpositions = sum(o.lanes for o in self.operands if o.optional)
        return 1 if extra <= 1 + transpositions else 4

    def describe(self) -> str:
        names = []
        for operand in self.operands:
            count = "" if operand.lanes == 1 else f" x{operand.lanes or 'N'}"
            names.append(f"{operand.name}{count}" + ("?" if operand.optional else ""))
        return f"operands ({', '.join(names)})"


def _dotted(text: str) -> str:
    """`shfl_sync.bfly.b32` as `shfl.sync.bfly.b32`: the users' other spelling."""
    head, _, rest = text.partition(".")
    return head.replace("_", ".") + ("." + rest if rest else "")


@functools.lru_cache(maxsize=None)
def _signature(text: str) -> Signature:
    return Signature(text)


# How an instruction of the user's own is found by its text.
_registered: Callable[[str], Signature | None] | None = None


def set_registered(find: Callable[[str], Signature | None]) -> None:
    global _registered
    _registered = find


def _find(text: str) -> Signature:
    own = None if _registered is None else _registered(text)
    return _signature(text) if own is None else own


def _flatten(values: Sequence[Any]) -> list[Any]:
    flat: list[Any] = []
    for value in values:
        if type(value) is not Variable and isinstance(value, (list, tuple, LocalArray)):
            flat.extend(_flatten(list(value)))
        else:
            flat.append(value)
    return flat


_INTEGERS = {8: dtypes.u8, 16: dtypes.u16, 32: dtypes.u32, 64: dtypes.u64}


def _natural(operand: Operand, value: Any) -> DType | None:
    """The type that a Python number takes as this operand."""
    named = dtypes.BY_NAME.get(operand.type.replace("s", "i", 1) if operand.type[:1] == "s"
                               else operand.type)
    if named is not None and not (named.is_integer and isinstance(value, float)):
        return named
    if operand.bits == 1:
        return dtypes.bool_
    if isinstance(value, float):
        return {32: dtypes.f32, 64: dtypes.f64, 16: dtypes.f16}.get(operand.bits)
    return _INTEGERS.get(operand.bits)


def _input(signature: Signature, operand: Operand, value: Any, position: int) -> tuple[str, str]:
    """Name and type in the IR of a value that is read."""
    if type(value) is Variable and operand.kind == "value" and value.dtype.bits == operand.bits:
        return name_of(value), value.dtype.mlir
    where = f"{signature.text}: operand '{operand.name}'"
    if isinstance(value, (Pointer, BufferView)):
        pointer = value.data if isinstance(value, BufferView) else value
        if operand.kind == "value" and operand.bits in (32, 64):
            expr = pointer.as_expr()
            if expr.dtype.bits != operand.bits:
                raise TraceError(f"{where}: expected {operand.bits} bits, got an address of "
                                 f"{expr.dtype.bits}")
            return name_of(expr), expr.dtype.mlir
        return name_of(pointer.expr), pointer.mlir
    if operand.kind in ("predicate", "predicate_pair") and operand.bits in (0, 1):
        return name_of(to_bool(value)), "i1"
    if operand.kind in ("address", "tensor_address", "descriptor_or_address"):
        expr = to_expr(value, dtypes.u32 if operand.kind != "descriptor_or_address" else None)
        if operand.kind == "tensor_address" and position > 0:
            expr = cast(expr, dtypes.i32)
        return name_of(expr), expr.dtype.mlir
    expr = to_expr(value, None if isinstance(value, Expr) else _natural(operand, value))
    if operand.bits and operand.lanes != 0 and expr.dtype.bits != operand.bits \
            and not (operand.bits < expr.dtype.bits and signature.text.startswith("st.")):
        raise TraceError(f"{where}: expected a value of {operand.bits} bits (.{operand.type}), "
                         f"got {expr.dtype} of {expr.dtype.bits}")
    return name_of(expr), expr.dtype.mlir


def _result_type(signature: Signature, operand: Operand, target: Any) -> str:
    """The type of a result, which then goes into `target`."""
    if type(target) is Variable and target.dtype.bits == operand.bits:
        return target.dtype.mlir
    where = f"{signature.text}: operand '{operand.name}'"
    if isinstance(target, _Sink):
        if operand.bits == 1 or operand.kind in ("predicate", "predicate_pair"):
            return "i1"
        return f"i{operand.bits or 32}"
    if not isinstance(target, Variable):
        raise TraceError(f"{where}: expected a variable to write (local_scalar, or an element of "
                         f"alloc_local), got {type(target).__name__}")
    dtype = target.dtype
    if operand.bits in (0, dtype.bits) or operand.lanes == 0:
        return dtype.mlir
    if dtype.is_integer and dtype.bits > operand.bits > 1:
        return f"i{operand.bits}"
    raise TraceError(f"{where}: expected a variable of {operand.bits} bits (.{operand.type}), "
                     f"got {dtype} of {dtype.bits}")


def _write(operand: Operand, target: Any, name: str, mlir: str) -> None:
    if isinstance(target, _Sink):
        return
    if mlir != target.dtype.mlir:  # a narrower load into a wider register
        extend = "arith.extsi" if operand.type[:1] == "s" else "arith.extui"
        name = current().result(f"{extend} {name} : {mlir} to {target.dtype.mlir}")
    target.store_name(name)


def call(text: str, values: Sequence[Any], pred: Any = None, discard: bool = False) -> None:
    """Emits one instruction. `discard`: nobody wants its results, which `values` lack."""
    try:
        signature = _find(text)
    except ValueError as error:
        raise TraceError(str(error)) from None
    trace = current()
    around, trace.here = trace.here, trace.location()
    try:
        _emit(trace, signature, values, pred, discard)
    finally:
        trace.here = around


def _emit(trace: Trace, signature: Signature, values: Sequence[Any], pred: Any,
          discard: bool) -> None:
    inputs: list[tuple[str, str]] = []
    outputs: list[tuple[Operand, Any, str]] = []
    flat = _flatten(values)
    if signature.gives_nothing and flat and flat[0] is SINK:
        del flat[0]
    if discard:
        written = sum(o.lanes for o in signature.operands if o.access == "write" and not o.optional)
        flat = [SINK] * written + flat
    for operand, given in signature.assign(flat):
        if operand.access != "write":
            if len(given) == 1:
                inputs.append(_input(signature, operand, given[0], 0))
            else:
                inputs += [_input(signature, operand, value, position)
                           for position, value in enumerate(given)]
        if operand.access != "read":
            outputs += [(operand, value, _result_type(signature, operand, value))
                        for value in given]
    guard = ""
    if pred is not None:
        guard = f" pred({name_of(to_bool(pred))})"
        if outputs:
            old = [_old_value(target, mlir) for _, target, mlir in outputs]
            guard += f" else({', '.join(old)} : {', '.join(m for _, _, m in outputs)})"
    names = ", ".join([name for name, _ in inputs])
    types = ", ".join([mlir for _, mlir in inputs])
    results = ", ".join([mlir for _, _, mlir in outputs])
    op = f'tirx.ptx "{signature.text}"({names}){guard} : ({types}) -> ({results})'
    signature.use(trace)
    if signature.chips:
        trace.chip_sets.add(signature.chips)
    if not outputs:
        trace.emit(op)
        return
    name = trace.fresh()
    if len(outputs) == 1:
        trace.emit(f"{name} = {op}")
    else:
        trace.emit(f"{name}:{len(outputs)} = {op}")
    for number, (operand, target, mlir) in enumerate(outputs):
        result = name if len(outputs) == 1 else f"{name}#{number}"
        if type(target) is Variable and mlir == target.dtype.mlir:
            target.store_name(result)
        else:
            _write(operand, target, result, mlir)


def _old_value(target: Any, mlir: str) -> str:
    """What a result keeps when the guard is false."""
    trace = current()
    if isinstance(target, _Sink):
        return trace.constant("false" if mlir == "i1" else "0", mlir)
    name = name_of(target)
    if mlir != target.dtype.mlir:
        name = trace.result(f"arith.trunci {name} : {target.dtype.mlir} to {mlir}")
    return name


def _modifier(name: str) -> str:
    if name.endswith("_") and not name.endswith("__"):
        name = name[:-1]
    return name.replace("__", "::")


class Path:
    """A part of an instruction's name. Each next part is made when it is first asked
    for and is a plain attribute from then on."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __getattr__(self, name: str) -> "Path":
        if name.startswith("__"):
            raise AttributeError(name)
        part = self.__dict__[name] = Path(f"{self._text}.{_modifier(name)}")
        return part

    def __call__(self, *values: Any, pred: Any = None) -> None:
        call(self._text, values, pred)

    def __repr__(self) -> str:
        return f"txl.ptx[{self._text!r}]"


class Instructions:
    """The root of all paths."""

    SINK = SINK

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        part = self.__dict__[name] = Path(_modifier(name))
        return part

    def __getitem__(self, text: str) -> Path:
        return Path(text)

    def __dir__(self) -> list[str]:
        return sorted({i["mnemonic"].split(".")[0] for i in _native.instructions()})

    @staticmethod
    def addr(base: Any, offset: Any = 0) -> Any:
        """The address `offset` bytes after `base`."""
        if isinstance(base, BufferView):
            base = base.data
        if isinstance(base, Pointer):
            return base.byte_offset(offset)
        return base + offset

    @staticmethod
    def pred(value: Any) -> Expr:
        """A value as a predicate."""
        return to_bool(value)


if TYPE_CHECKING:
    from tirx.lite._table import Ptx

    ptx: Ptx
else:
    ptx = Instructions()
