# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A ring of stages: where a role stands in it."""

from tirx import script as T


class Place:
    """The stage that comes next and the parity of its use; both are variables of the
    kernel, which `advance` moves on."""

    def __init__(self, stages):
        self.stages = stages
        self.stage = T.local_scalar("int32", 0)
        self.phase = T.local_scalar("int32", 0)

    def advance(self):
        self.stage += 1
        if self.stage == self.stages:
            self.stage = 0
            self.phase ^= 1


def tile_of(number, tiles_m, tiles_n, group):
    """Row and column of a tile. Numbers run down `group` rows before they move on by a
    column, so that CTAs of one time share parts of A and B in the L2 cache."""
    first = number // (group * tiles_n) * group
    rows = T.min(tiles_m - first, group)
    inside = number % (group * tiles_n)
    return first + inside % rows, inside // rows
