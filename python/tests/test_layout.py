# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts written in Python mean what the definition says: D(x) + r + O."""

import itertools
import random

import pytest

from tirx import layout
from tirx.layout import (
    ComposeLayout, R, S, SwizzleLayout, TCol, TileLayout, TLane, laneid, m, request, warpid,
)


def test_texts_are_those_of_the_notation():
    assert str(TileLayout(S[(128, 512) : (1 @ TLane, 1 @ TCol)])) == \
        "#tirx.tile<S[(128, 512) : (1@TLane, 1@TCol)]>"
    assert str(TileLayout(S[(32, 4) : (1 @ TLane, 1 @ TCol)] + R[4 : 32 @ TLane])) == \
        "#tirx.tile<S[(32, 4) : (1@TLane, 1@TCol)] + R[4 : 32@TLane]>"
    composed = ComposeLayout(SwizzleLayout(3, 3, 3), TileLayout(S[(128, 64) : (64, 1)]))
    assert str(composed) == \
        "#tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>"
    assert isinstance(composed.canonicalize(), ComposeLayout)


def place(extents, strides, index):
    """The definition, by hand: coordinates by axis of a row-major flat index."""
    flat, out = index, {}
    for extent, (count, axis) in reversed(list(zip(extents, strides))):
        out[axis] = out.get(axis, 0) + flat % extent * count
        flat //= extent
    return out


@pytest.mark.parametrize("seed", range(20))
def test_random_tiles_against_the_definition(seed):
    rng = random.Random(seed)
    axes = [m, laneid, warpid]
    extents = [rng.choice([1, 2, 3, 4, 5]) for _ in range(rng.randrange(1, 4))]
    strides = [(rng.randrange(0, 20), rng.choice(axes)) for _ in extents]
    copies, step, axis = rng.randrange(1, 4), rng.randrange(1, 9), rng.choice(axes)
    offset, where = rng.randrange(0, 9), rng.choice(axes)
    tile = TileLayout(S[tuple(extents) : tuple(c @ a for c, a in strides)]
                      + R[copies : step @ axis] + offset @ where)
    size = 1
    for extent in extents:
        size *= extent
    assert tile.size == size
    for flat in range(size):
        base = place(extents, strides, flat)
        base[where] = base.get(where, 0) + offset
        want = set()
        for copy in range(copies):
            point = dict(base)
            point[axis] = point.get(axis, 0) + copy * step
            want.add(tuple(sorted((a.name, v) for a, v in point.items() if v)))
        got = {tuple(sorted((a, v) for a, v in point.items() if v))
               for point in tile.image(index=flat)}
        assert got == want


def test_algebra_is_the_librarys():
    tile = TileLayout(S[(4, 8) : (8, 1)])
    assert tile.permute(shape=[4, 8], permutation=[1, 0]).equal(TileLayout(S[(8, 4) : (1, 8)]))
    assert tile.slice(shape=[4, 8], offsets=[1, 0], sizes=[2, 8]).apply((0, 3), (2, 8)) == {"m": 11}
    assert TileLayout(S[(2, 4, 8) : (32, 8, 1)]).canonicalize() == TileLayout(S[64 : 1])
    assert tile.span("m") == 32
    for name in request("operations"):
        assert isinstance(name, str)
    assert isinstance(request("wgmma_accumulator", n=64), TileLayout)


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: TileLayout(S[(8, 8) : (1,)]), "expected 2 strides"),
        (lambda: TileLayout(S[(8, 8) : (8, 1)]).apply((2, 8), (8, 8)), "index 1"),
        (lambda: TileLayout(S[(8,) : (1,)]).permute(shape=[8], permutation=[1]), "permutation"),
        (lambda: request("no_such"), "no_such"),
    ],
)
def test_errors(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_types_are_checked():
    with pytest.raises(TypeError, match="expected an integer before @laneid"):
        1.5 @ laneid
    with pytest.raises(TypeError, match="expected an integer or"):
        S[("a",) : (1,)]


def test_every_axis_of_the_notation_has_a_name():
    for name in itertools.chain(layout._AXES):
        assert TileLayout(S[2 : 1 @ getattr(layout, name)]).size == 2
