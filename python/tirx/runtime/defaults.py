# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the simulator runs a kernel when the call does not say: `python -m tirx run` sets
these for a whole program."""

mode = "eager"
seed = 0
