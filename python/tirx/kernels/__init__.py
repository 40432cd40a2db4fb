# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels to use and to read: each module has a function that makes one for given types
and tiles. docs/kernels.md lists them."""
