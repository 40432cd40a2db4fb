# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts on named axes, in the notation of `S[...] + R[...] + offset`.

    acc = TileLayout(S[(128, 512) : (1 @ TLane, 1 @ TCol)])
    sf = TileLayout(S[(32, 4) : (1 @ TLane, 1 @ TCol)] + R[4 : 32 @ TLane])
    a = ComposeLayout(SwizzleLayout(3, 3, 3), TileLayout(S[(128, 64) : (64, 1)]))

The algebra runs in the native library; docs/tirx-layout.md lists its operations and
docs/layout.md gives their laws. ValueError says which precondition does not hold.
"""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence

from tirx import _native


class Axis:
    """A named axis: `k @ axis` is stride k on it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __rmatmul__(self, stride: int) -> "Strided":
        return Strided(stride, self)

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Axis) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


class Strided:
    """A stride, or an offset, on an axis."""

    def __init__(self, count: int, axis: Axis) -> None:
        if not isinstance(count, int):
            raise TypeError(f"expected an integer before @{axis}, got {type(count).__name__}")
        self.count = count
        self.axis = axis

    def __repr__(self) -> str:
        return f"{self.count}@{self.axis}"


_AXES = (
    "m reg TLane TCol bank F P laneid warpid wid_in_wg tid_in_wg wgid tx cta_in_pair "
    "cbx cby cbz bx by bz pid gpuid_x gpuid_y"
).split()


def _number(value: Any) -> str:
    if isinstance(value, Strided):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    raise TypeError(f"expected an integer or `k @ axis`, got {value!r}")


def _numbers(value: Any) -> str:
    values = value if isinstance(value, (tuple, list)) else (value,)
    return "(" + ", ".join(_number(v) for v in values) + ")"


class Term:
    """A sum of one shard, replicas and offsets, on its way to a layout."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.parts = tuple(parts)

    def __add__(self, other: Any) -> "Term":
        if isinstance(other, Term):
            return Term(self.parts + other.parts)
        return Term((*self.parts, _number(other)))

    def __radd__(self, other: Any) -> "Term":
        return Term((_number(other), *self.parts))

    def __repr__(self) -> str:
        return " + ".join(self.parts)


class _Maker:
    """`S` and `R`: extents and strides between brackets."""

    def __init__(self, letter: str) -> None:
        self._letter = letter

    def __getitem__(self, item: Any) -> Term:
        if not isinstance(item, slice):
            return Term([f"{self._letter}[{_numbers(item)}]"])
        if item.step is not None:
            raise TypeError(f"expected {self._letter}[extents : strides], got a second ':'")
        return Term([f"{self._letter}[{_numbers(item.start)} : {_numbers(item.stop)}]"])


S, R = _Maker("S"), _Maker("R")


class Layout:
    """A layout, as the native library prints it. Immutable; equality is that of the
    text, `equal` that of the meaning."""

    def __init__(self, text: str) -> None:
        self.text: str = _native.layout_request("print", layout=text)

    @staticmethod
    def _of(text: str) -> "Layout":
        """The class that fits a text of the library."""
        kind = next((cls for prefix, cls in _CLASSES.items() if text.startswith(prefix)), Layout)
        layout: Layout = object.__new__(kind)
        layout.text = text
        return layout

    def _ask(self, op: str, **arguments: Any) -> Any:
        return _wrap(_native.layout_request(op, layout=self.text, **_plain(arguments)))

    def __getattr__(self, op: str) -> Any:
        """Every operation on one layout that the library has: `layout.canonicalize()`,
        `layout.slice(...)`; their arguments by name."""
        if op.startswith("_") or op == "text":
            raise AttributeError(op)

        def call(**arguments: Any) -> Any:
            return self._ask(op, **arguments)

        call.__name__ = op
        return call

    def __call__(self, *index: int) -> dict[str, int]:
        """Where an element is, ignoring replicas: coordinates by axis."""
        return self.apply(index)

    def apply(self, index: Iterable[int], shape: Sequence[int] | None = None) -> dict[str, int]:
        """Where the element at a logical index is: coordinates by axis."""
        arguments: dict[str, Any] = {"index": list(index)}
        if shape is not None:
            arguments["shape"] = list(shape)
        result: dict[str, int] = self._ask("apply", **arguments)
        return result

    @property
    def size(self) -> Any:
        """The number of elements; None for a bare swizzle."""
        return self._ask("size")

    def span(self, axis: Axis | str = "m") -> Any:
        """One more than the largest distance of two coordinates on an axis."""
        low, high = self._ask("spans").get(str(axis), (0, 0))
        return high - low + 1

    def equal(self, other: "Layout") -> bool:
        """Whether both give the same places to the same elements."""
        result: bool = self._ask("equal", other=other)
        return result

    def show(self, **options: Any) -> str:
        """Formula, size and both grids as text. Options: `shape`, `dtype` ("f16"),
        `other` (a layout to compare with), `at` (an index, instead of the grids)."""
        return _native.show_layout(layout=self.text, **_plain(options))

    def _repr_html_(self) -> str:
        """What a notebook shows: a picture of both grids."""
        return _native.show_layout(layout=self.text, format="svg")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


class TileLayout(Layout):
    """Extents and strides on axes, with replicas and offsets."""

    def __init__(self, term: Term | str) -> None:
        super().__init__(str(term))


class SwizzleLayout(Layout):
    """Element index with bits [p, p+b) exclusive-ored with bits [p+s, p+s+b):
    `per_element` p, `swizzle_len` b, `atom_len` s, all log2."""

    def __init__(self, per_element: int, swizzle_len: int, atom_len: int,
                 swizzle_inner: bool = True) -> None:
        outer = "" if swizzle_inner else ", outer"
        super().__init__(f"#tirx.swizzle<{per_element}, {swizzle_len}, {atom_len}{outer}>")


class ComposeLayout(Layout):
    """A swizzle applied to the linear address of a tile."""

    def __init__(self, swizzle: SwizzleLayout, tile: TileLayout) -> None:
        super().__init__(f"#tirx.compose<{swizzle.text}, {tile.text}>")


_CLASSES = {"#tirx.tile": TileLayout, "#tirx.swizzle": SwizzleLayout,
            "#tirx.compose": ComposeLayout}


def _wrap(result: Any) -> Any:
    if isinstance(result, str) and result.startswith("#tirx."):
        return Layout._of(result)
    if isinstance(result, list):
        return [_wrap(entry) for entry in result]
    if isinstance(result, dict):
        return {key: _wrap(value) for key, value in result.items()}
    return result


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        if isinstance(value, Layout):
            return value.text
        if isinstance(value, Axis):
            return value.name
        if isinstance(value, (tuple, list)):
            return [plain(entry) for entry in value]
        return value

    return {key: plain(value) for key, value in arguments.items()}


def request(op: str, **arguments: Any) -> Any:
    """Any operation of docs/tirx-layout.md by its name, factories included:
    `request("mma_shared", bits=16, swizzle="128B", shape=[128, 64])`."""
    return _wrap(_native.layout_request(op, **_plain(arguments)))


(m, reg, TLane, TCol, bank, F, P, laneid, warpid, wid_in_wg, tid_in_wg, wgid, tx, cta_in_pair,
 cbx, cby, cbz, bx, by, bz, pid, gpuid_x, gpuid_y) = (Axis(name) for name in _AXES)

__all__ = ["Axis", "ComposeLayout", "Layout", "R", "S", "SwizzleLayout", "TileLayout", "request",
           *_AXES]
