# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of the user's own, called through `txl.ptx` like those of the table.

    @txl.instruction("acme.fma3.f32", out("d", txl.f32), in_("a", txl.f32), ...,
                     modifiers={"rnd": ("rn", "rz")},
                     text="{ .reg .f32 t; mul.{rnd}.f32 t, {a}, {b}; ... }")
    def fma3(a, b, c, rnd):
        return a * b + c

The function is the meaning for one thread: it takes the operands that are read and
returns those that are written. It is traced into the IR, so that the verifier, the
emission and the simulator follow from one registration.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Callable, Mapping, Sequence

from tirx.lite import dtypes
from tirx.lite.dtypes import DType, to_dtype
from tirx.lite.expr import Expr, cast, name_of, to_expr
from tirx.lite.memory import Pointer
from tirx.lite.ptx import Operand, Signature, set_registered
from tirx.lite.trace import Trace, TraceError, current, tracing, user_place

_SPACES = {"generic": 0, "global": 1, "shared": 3, "tensor": 6}
_PROXIES = ("generic", "async", "tensormap", "tcgen05")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_MNEMONIC = re.compile(r"[A-Za-z][A-Za-z0-9_]*([.][A-Za-z0-9_:]+)*\Z")


@dataclasses.dataclass(frozen=True)
class OperandSpec:
    """One operand; `lanes` registers in braces."""

    role: str  # "out", "in", "inout" or "imm"
    name: str
    dtype: DType
    lanes: int = 1
    space: int | None = None  # of a pointer

    @property
    def mlir(self) -> str:
        if self.space is not None:
            return f"!llvm.ptr<{self.space}>" if self.space else "!llvm.ptr"
        return self.dtype.mlir if self.lanes == 1 else f"vector<{self.lanes}x{self.dtype.mlir}>"

    @property
    def is_read(self) -> bool:
        return self.role != "out"

    @property
    def is_written(self) -> bool:
        return self.role in ("out", "inout")


def _operand(role: str, name: str, dtype: Any, lanes: int) -> OperandSpec:
    if not isinstance(name, str) or not _NAME.match(name):
        raise TraceError(f"expected the name of an operand, letters, digits and _, got {name!r}")
    if not isinstance(lanes, int) or not 1 <= lanes <= 128:
        raise TraceError(f"operand '{name}': expected 1 to 128 lanes, got {lanes!r}")
    return OperandSpec(role, name, to_dtype(dtype), lanes)


def out(name: str, dtype: Any, lanes: int = 1) -> OperandSpec:
    """A register that is written."""
    return _operand("out", name, dtype, lanes)


def in_(name: str, dtype: Any, lanes: int = 1) -> OperandSpec:
    """A register that is read."""
    return _operand("in", name, dtype, lanes)


def inout(name: str, dtype: Any, lanes: int = 1) -> OperandSpec:
    """A register that is read and written."""
    return _operand("inout", name, dtype, lanes)


def imm(name: str, dtype: Any) -> OperandSpec:
    """An integer that is known when the kernel is traced."""
    return _operand("imm", name, dtype, 1)


def pointer(name: str, space: str = "generic", dtype: Any = dtypes.u8) -> OperandSpec:
    """An address in a state space; what it points to matters to the meaning alone."""
    if space not in _SPACES:
        raise TraceError(f"operand '{name}': expected a space of {', '.join(_SPACES)}, got {space!r}")
    spec = _operand("in", name, dtype, 1)
    return dataclasses.replace(spec, space=_SPACES[space])


@dataclasses.dataclass(frozen=True)
class Effect:
    """What the instruction does to memory behind a pointer."""

    kind: str
    operand: str
    bytes: int
    proxy: str = "generic"

    def text(self) -> str:
        return f"{self.kind} {self.operand} {self.bytes}" + (
            "" if self.proxy == "generic" else f" {self.proxy}")


def _effect(kind: str, operand: str, count: int, proxy: str) -> Effect:
    if not isinstance(count, int) or count < 1:
        raise TraceError(f"effect on '{operand}': expected at least one byte, got {count!r}")
    if proxy not in _PROXIES:
        raise TraceError(f"effect on '{operand}': expected a proxy of {', '.join(_PROXIES)}, got "
                         f"{proxy!r}")
    return Effect(kind, operand, count, proxy)


def reads(operand: str, bytes: int, proxy: str = "generic") -> Effect:
    return _effect("read", operand, bytes, proxy)


def writes(operand: str, bytes: int, proxy: str = "generic") -> Effect:
    return _effect("write", operand, bytes, proxy)


class Instruction:
    """A registered instruction, for all choices of its modifiers."""

    def __init__(self, mnemonic: str, operands: Sequence[OperandSpec],
                 modifiers: Mapping[str, Sequence[str]], text: str | None,
                 effects: Sequence[Effect], convergent: bool, orders: bool,
                 meaning: Callable[..., Any]) -> None:
        self.mnemonic = mnemonic
        self.operands = list(operands)
        self.modifiers = {name: tuple(choices) for name, choices in modifiers.items()}
        self.text = text
        self.effects = list(effects)
        self.convergent = convergent
        self.orders = orders
        self.meaning = meaning
        code = meaning.__code__
        self.place = (code.co_filename, code.co_firstlineno, 1)
        self.__doc__ = meaning.__doc__

    # --- Names ---------------------------------------------------------------

    def choose(self, rest: str) -> dict[str, str]:
        """The choice of each slot for the modifiers behind the mnemonic, in any order."""
        chosen: dict[str, str] = {}
        for part in filter(None, rest.split(".")):
            slot = next((name for name, choices in self.modifiers.items()
                         if part in choices and name not in chosen), None)
            if slot is None:
                legal = sorted({c for n, cs in self.modifiers.items() if n not in chosen
                                for c in cs if c})
                raise TraceError(f"expected a modifier of '{self.mnemonic}', "
                                 + (f"one of {', '.join(legal)}" if legal else "none is left")
                                 + f", got '{part}'")
            chosen[slot] = part
        for name, choices in self.modifiers.items():
            if name not in chosen:
                if "" not in choices:
                    raise TraceError(f"expected one of {', '.join(choices)} in '{self.mnemonic}', got "
                                     "none")
                chosen[name] = ""
        return chosen

    def full_name(self, chosen: Mapping[str, str]) -> str:
        return ".".join([self.mnemonic, *(chosen[n] for n in self.modifiers if chosen[n])])

    # --- IR ------------------------------------------------------------------

    def signature(self, chosen: Mapping[str, str]) -> "UserSignature":
        return UserSignature(self, chosen)

    def declare(self, trace: Trace, chosen: Mapping[str, str]) -> str:
        """The `tirx.instruction` op."""
        name = self.full_name(chosen)
        operands = ", ".join(
            f"{o.role} {'' if o.role == 'out' else '%'}{o.name}: {o.mlir}" for o in self.operands)
        effects = [effect.text() for effect in self.effects]
        effects += ["convergent"] * self.convergent + ["orders"] * self.orders
        symbol = re.sub(r"\W", "_", name)
        line = f'tirx.instruction @{symbol} "{name}" ({operands})'
        if effects:
            line += f" effects({', '.join(effects)})"
        if self.text is not None:
            line += f' text "{self._text(chosen)}"'
        body = self._body(trace, chosen)
        number = trace.locations.setdefault(self.place, len(trace.locations))
        return "\n".join([f"  {line} {{", *("    " + entry for entry in body),
                          f"  }} loc(#l{number})"])

    def _text(self, chosen: Mapping[str, str]) -> str:
        text = self.text or ""
        for name, choice in chosen.items():
            dotted = f".{{{name}}}"
            text = text.replace(dotted, f".{choice}" if choice else "")
            text = text.replace(f"{{{name}}}", choice)
        return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")

    def _body(self, outer: Trace, chosen: Mapping[str, str]) -> list[str]:
        trace = Trace(self.mnemonic, outer.file)
        trace.locations = outer.locations
        with tracing(trace):
            arguments = [_argument(o) for o in self.operands if o.is_read]
            result = self.meaning(*arguments, **chosen)
            written = [o for o in self.operands if o.is_written]
            values = list(result) if isinstance(result, tuple) else \
                [] if result is None else [result]
            if len(values) != len(written):
                raise TraceError(f"{self.mnemonic}: expected the meaning to return {len(written)} "
                                 f"values ({', '.join(o.name for o in written)}), got {len(values)}",
                                 self.place)
            names = [_returned(o, value, self) for o, value in zip(written, values)]
            types = ", ".join(o.mlir for o in written)
            trace.emit(f"tirx.yield {', '.join(names)} : {types}" if names else "tirx.yield")
        return trace.head + trace.regions[0].lines


def _argument(operand: OperandSpec) -> Any:
    """What the meaning sees of an operand."""
    name = f"%{operand.name}"
    if operand.space is not None:
        address = DType("address", "address", 64, "uint", operand.mlir, "uint64")
        return Pointer(Expr(address, lambda _: name), operand.space, operand.dtype)
    if operand.lanes == 1:
        return Expr(operand.dtype, lambda _: name)

    def lane(index: int) -> Expr:
        return Expr(operand.dtype, lambda _: current().result(
            f"vector.extract {name}[{index}] : {operand.dtype.mlir} from {operand.mlir}"))

    return [lane(index) for index in range(operand.lanes)]


def _returned(operand: OperandSpec, value: Any, owner: Instruction) -> str:
    """The name of a value that the meaning returned for an operand."""
    def scalar(part: Any) -> str:
        expr = to_expr(part, None if isinstance(part, Expr) else operand.dtype)
        return name_of(cast(expr, operand.dtype))

    if operand.lanes == 1:
        return scalar(value)
    if not isinstance(value, list) or len(value) != operand.lanes:
        raise TraceError(f"{owner.mnemonic}: expected a list of {operand.lanes} values for "
                         f"'{operand.name}', got {type(value).__name__}", owner.place)
    return current().result(f"vector.from_elements {', '.join([scalar(v) for v in value])} : "
                            f"{operand.mlir}")


class UserSignature(Signature):
    """A registered instruction with its modifiers."""

    def __init__(self, instruction: Instruction, chosen: Mapping[str, str]) -> None:
        self.instruction = instruction
        self.chosen = dict(chosen)
        self.prepare(instruction.full_name(chosen), [
            Operand({
                "name": o.name, "type": f"b{o.dtype.bits}", "bits": o.dtype.bits, "lanes": o.lanes,
                "kind": "address" if o.space is not None else
                        "predicate" if o.dtype.kind == "bool" else "value",
                "access": {"out": "write", "inout": "readwrite"}.get(o.role, "read"),
                "optional": False, "sink": True,
            }) for o in instruction.operands])

    def use(self, trace: Trace) -> None:
        """Called for each instruction that is emitted."""
        if self.text not in trace.registrations:
            trace.registrations[self.text] = ""  # its own meaning may not need it
            trace.registrations[self.text] = self.instruction.declare(trace, self.chosen)


_REGISTRY: dict[str, Instruction] = {}


def _find(text: str) -> UserSignature | None:
    """The instruction whose mnemonic is the longest beginning of a text."""
    parts = text.split(".")
    for count in range(len(parts), 0, -1):
        found = _REGISTRY.get(".".join(parts[:count]))
        if found is not None:
            return found.signature(found.choose(".".join(parts[count:])))
    return None


def instruction(mnemonic: str, *operands: OperandSpec,
                modifiers: Mapping[str, Sequence[str]] | None = None, text: str | None = None,
                effects: Sequence[Effect] = (), convergent: bool = False,
                orders: bool = False) -> Callable[[Callable[..., Any]], Instruction]:
    """Registers an instruction; the decorated function is its meaning for one thread.

    `operands` in the order of the PTX text. `modifiers`: slots and their choices, which
    follow the mnemonic; "" among the choices: the slot may be absent. The meaning gets
    the choices by name. `text`: the PTX to emit, with `{name}` for operands and slots;
    by default the name and the operands. `effects`: `reads` and `writes` by operand.
    `convergent`: the lanes of a warp run it together. `orders`: as a fence does."""
    if not isinstance(mnemonic, str) or not _MNEMONIC.match(mnemonic):
        raise TraceError(f"expected a PTX opcode such as acme.fma3.f32, got {mnemonic!r}")
    for operand in operands:
        if not isinstance(operand, OperandSpec):
            raise TraceError("expected operands made by out, in_, inout, imm or pointer, got "
                             f"{type(operand).__name__}")
    names = [operand.name for operand in operands] + list(modifiers or ())
    if len(set(names)) != len(names):
        raise TraceError(f"{mnemonic}: expected different names of operands and slots, got "
                         f"{', '.join(names)}")
    pointers = {operand.name for operand in operands if operand.space is not None}
    for effect in effects:
        if not isinstance(effect, Effect) or effect.operand not in pointers:
            what = effect.operand if isinstance(effect, Effect) else type(effect).__name__
            raise TraceError(f"{mnemonic}: expected effects on pointers "
                             f"({', '.join(sorted(pointers)) or 'there are none'}), got {what!r}")
    place = user_place()

    def register(meaning: Callable[..., Any]) -> Instruction:
        if not hasattr(meaning, "__code__"):
            raise TraceError(f"{mnemonic}: expected a function as the meaning, got "
                             f"{type(meaning).__name__}", place)
        made = Instruction(mnemonic, operands, modifiers or {}, text, effects, convergent, orders,
                           meaning)
        _REGISTRY[mnemonic] = made
        set_registered(_find)
        return made

    return register


def unregister(mnemonic: str) -> None:
    """Forgets a registration; kernels that are traced already keep theirs."""
    if _REGISTRY.pop(mnemonic, None) is None:
        raise TraceError(f"expected a registered instruction, got {mnemonic!r}")


def load(address: Any, dtype: Any = None) -> Expr:
    """The value behind a pointer, read here by a plain load."""
    if not isinstance(address, Pointer):
        raise TraceError(f"expected a pointer, got {type(address).__name__}")
    element = address.dtype if dtype is None else to_dtype(dtype)
    name = current().result(f"llvm.load {name_of(address.expr)} : {address.mlir} -> "
                            f"{element.storage}")
    if element.kind == "bool":
        name = current().result(f"arith.trunci {name} : i8 to i1")
    return Expr(element, lambda _: name)


def store(address: Any, value: Any, dtype: Any = None) -> None:
    """Writes behind a pointer by a plain store."""
    if not isinstance(address, Pointer):
        raise TraceError(f"expected a pointer, got {type(address).__name__}")
    element = address.dtype if dtype is None else to_dtype(dtype)
    name = name_of(cast(to_expr(value, None if isinstance(value, Expr) else element), element))
    trace = current()
    if element.kind == "bool":
        name = trace.result(f"arith.extui {name} : i1 to i8")
    trace.emit(f"llvm.store {name}, {name_of(address.expr)} : {element.storage}, {address.mlir}")
    trace.epoch += 1
