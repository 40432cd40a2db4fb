# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of atomics.cu.

Threads come in any order. But each operation takes what another has left: per cell,
what was there at first and all new values are, in some order, all old values and what
is there at last.
"""

import collections

import numpy as np

from corpus import Out, bits, case, floats, integers
from narrow import BF16, to, wide

CELLS, ROOM = 5, 8  # cells in use, and with the rest of the last word
PLACES = {"global": dict(grid=3, block=64), "shared": dict(block=96), "both": dict(block=64)}


def keys(array: np.ndarray) -> list[bytes]:
    return [row.tobytes() for row in np.ascontiguousarray(array)]


class Chain:
    """Checks the outputs old and, after it, cells; `fold` gives the last value where it
    does not depend on the order."""

    def __init__(self, initial, values, step, fold=None):
        self.initial, self.values, self.step, self.fold = initial, values, step, fold

    def check_cells(self, cells) -> None:
        self.cells = cells
        if self.fold is None:
            return
        for c in range(CELLS):
            expected = self.fold(self.initial[c], self.values[c::CELLS])
            assert keys(cells[c:c + 1]) == keys(np.asarray([expected], cells.dtype)), (c, cells[c], expected)

    def check_old(self, old) -> None:
        with np.errstate(over="ignore"):
            new = self.step(old, self.values)
        for c in range(CELLS):
            given = collections.Counter(keys(self.initial[c:c + 1]) + keys(new[c::CELLS]))
            taken = collections.Counter(keys(self.cells[c:c + 1]) + keys(old[c::CELLS]))
            assert given == taken, (c, self.cells[c], old[c::CELLS])

    def arguments(self) -> list:
        return [Out(initial=self.initial, check=self.check_cells, repeatable=self.fold is not None), self.values,
                Out(check=self.check_old, shape=self.values.shape, dtype=self.values.dtype, repeatable=False)]


def register(name, dtype, step, fold=None, values=None, initial=None, places=PLACES, **more):
    for place in places:
        def build(count=int(np.prod(PLACES[place].get("grid", 1))) * PLACES[place]["block"]):
            v = values(count) if values else bits(1, count).astype(dtype)
            cells = initial() if initial else np.zeros(ROOM, dtype)
            return Chain(cells, v, step, fold).arguments()

        build.__module__ = __name__
        case(name=f"{place}_{name}", entry=f"{place}_{name}", **PLACES[place], **more)(build)


def fold_of(function):
    def fold(initial, values):
        for v in values:
            with np.errstate(over="ignore"):
                initial = function(initial, v)
        return initial

    return fold


def any_bits(dtype):
    return lambda: bits(2, ROOM).astype(dtype)


COMMUTATIVE = {"add": np.add, "sub": np.subtract, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
               "or": np.bitwise_or, "xor": np.bitwise_xor}
TYPES = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
         "i64": np.int64, "u64": np.uint64, "f32": np.float32, "f64": np.float64}
SCOPES = {"": PLACES, "_block": ("shared", "both"), "_system": ("global", "both")}


def register_commutative(names, prefix="", scope=""):
    for name in names.split():
        operation, short = name.split("_")
        function = COMMUTATIVE[operation]
        register(f"{prefix}{name}{scope}", TYPES[short], function, fold_of(function), initial=any_bits(TYPES[short]),
                 places=SCOPES[scope])


register_commutative("add_i32 sub_i32 min_i32 max_i32 and_i32 or_i32 xor_i32 min_u32 max_u32 add_u64 min_u64 max_u64 "
                     "min_i64 max_i64 and_u64 or_u64 xor_u64")
register_commutative("add_i32 max_i64", scope="_block")
register_commutative("add_i32 max_i64", scope="_system")
register_commutative("add_i8 max_u8 xor_u16 sub_i32 min_i64", prefix="ref_")


def register_ref_block(place, operation, short):
    function = COMMUTATIVE[operation]
    register(f"ref_{operation}_{short}_block", TYPES[short], function, fold_of(function), initial=any_bits(TYPES[short]),
             places=(place,))


register_ref_block("shared", "or", "u32")
register_ref_block("both", "add", "u64")


def exchange(old, v):
    return v


def compare_and_swap(old, v):
    """What is compared stands in the two lowest bits of the operand."""
    return np.where(old == (v & v.dtype.type(3)), v >> v.dtype.type(2), old).astype(old.dtype)


def increment(old, v):
    return np.where(old >= v, np.uint32(0), old + np.uint32(1))


def decrement(old, v):
    return np.where((old == 0) | (old > v), v, old - np.uint32(1))


def to_swap(dtype):
    """Some of the new values are compared again."""
    return lambda count: (bits(3, count, 4) | bits(4, count, 5) << np.uint64(2)).astype(dtype)


def small(count):
    return bits(5, count, 9, np.uint32)


for suffix, places in SCOPES.items():
    register(f"exch_u64{suffix}", np.uint64, exchange, places=places)
    register(f"cas_i32{suffix}", np.int32, compare_and_swap, values=to_swap(np.int32), places=places)
    register(f"inc_u32{suffix}", np.uint32, increment, values=small, places=places)
register("dec_u32", np.uint32, decrement, values=small)
register("exch_i32", np.int32, exchange)
register("exch_f32", np.float32, exchange, values=lambda count: floats(6, count))
register("ref_exch_i16", np.int16, exchange)
for prefix, short in (("", "u64"), ("", "u16"), ("ref_", "u8"), ("ref_", "u32"), ("ref_", "u64")):
    register(f"{prefix}cas_{short}", TYPES[short], compare_and_swap, values=to_swap(TYPES[short]))


def narrow_sum(old, v):
    return to(wide(old) + wide(v), old.dtype)


def register_float(name, dtype, step, fold=None, shape=(), low=-4, **more):
    dtype = np.dtype(dtype)
    convert = lambda x: to(x, dtype)
    register(name, dtype, step, fold, values=lambda count: convert(floats(7, (count, *shape), low, 4, np.float64)),
             initial=lambda: convert(floats(8, (CELLS, *shape), low, 4, np.float64)), **more)


for suffix, places in SCOPES.items():
    register_float(f"add_f32{suffix}", np.float32, np.add, places=places)
    register_float(f"add_f64{suffix}", np.float64, np.add, places=places)
register_float("ref_add_f32", np.float32, np.add)
register_float("mul_f32", np.float32, np.multiply, low=0.5)
register_float("max_f64", np.float64, np.maximum, fold_of(np.maximum))
register_float("ref_max_f32", np.float32, np.maximum, fold_of(np.maximum))
register_float("ref_min_f64", np.float64, np.minimum, fold_of(np.minimum))
for short, dtype in (("f16", np.float16), ("bf16", BF16)):
    register_float(f"add_{short}", dtype, narrow_sum)


class Halves(Chain):
    """The two numbers of a word change together on global memory or apart."""

    def check_old(self, old) -> None:
        new = self.step(old, self.values)
        for c in range(CELLS):
            for half in range(2):
                given = collections.Counter(keys(self.initial[c:c + 1, half]) + keys(new[c::CELLS, half]))
                taken = collections.Counter(keys(self.cells[c:c + 1, half]) + keys(old[c::CELLS, half]))
                assert given == taken, (c, half, self.cells[c], old[c::CELLS])


def register_pairs(short, dtype):
    for place, shape in PLACES.items():
        def build(count=int(np.prod(shape.get("grid", 1))) * shape["block"]):
            v, cells = (to(floats(seed, (n, 2), -4, 4, np.float64), dtype) for seed, n in ((9, count), (10, CELLS)))
            return Halves(cells, v, narrow_sum).arguments()

        build.__module__ = __name__
        case(name=f"{place}_add_{short}x2", entry=f"{place}_add_{short}x2", **shape)(build)


register_pairs("f16", np.dtype(np.float16))
register_pairs("bf16", BF16)


@case(grid=3, block=64)
def reductions():
    v = integers(11, 192, -1000, 1000)
    cell = np.arange(192) % CELLS
    total, most = np.zeros(CELLS, np.int32), np.zeros(CELLS, np.uint32)
    word = np.zeros(CELLS, np.uint64)
    np.add.at(total, cell, v)
    np.maximum.at(most, cell, v.view(np.uint32))
    np.bitwise_xor.at(word, cell, v.astype(np.int64).view(np.uint64) << (np.arange(192, dtype=np.uint64) % np.uint64(32)))
    return [*(Out(x, initial=np.zeros_like(x)) for x in (total, most, word, total.astype(np.float32))), v]


@case(grid=3, block=64, target="sm_90a")
def vector_adds():
    v = integers(12, (192, 4), -100, 100, np.float32)  # sums are exact
    total = np.zeros((CELLS, 4), np.float32)
    np.add.at(total, np.arange(192) % CELLS, v)
    return [Out(total[:, :2].copy(), initial=np.zeros((CELLS, 2), np.float32)),
            Out(total, initial=np.zeros((CELLS, 4), np.float32)), v]


def swap_low(old, v):
    """Pairs of words: the first as above, the second is zero."""
    swapped = np.stack([v[:, 0] >> np.uint64(2), np.zeros(len(v), np.uint64)], 1)
    hit = (old[:, 0] == (v[:, 0] & np.uint64(3))) & (old[:, 1] == 0)
    return np.where(hit[:, None], swapped, old)


zero_words = lambda: np.zeros((CELLS, 2), np.uint64)
register("cas_b128", np.uint64, swap_low, values=lambda count: np.stack([to_swap(np.uint64)(count), bits(13, count)], 1),
         initial=zero_words, target="sm_90a")
register("exch_b128", np.uint64, exchange, values=lambda count: bits(14, (count, 2)), initial=zero_words, target="sm_90a")
