# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels at tile level as parsed Python: `T` and `Tx`.

    from tirx import script as T
    from tirx.script import tile as Tx

    @T.prim_func
    def copy(A: T.Buffer((128, 64), "float16"), B: T.Buffer((128, 64), "float16")):
        T.device_entry()
        T.thread_id([128])
        Tx.cta.copy(B[:, :], A[:, :])

`if`, `for`, `while` and assignments mean the running kernel; docs/script.md has the
language.
"""

from __future__ import annotations

from typing import Any

from tirx.lite import (
    Cast, bfloat16, bitwise_and, bitwise_not, bitwise_or, bitwise_xor, ceildiv, float16,
    float32, float64, if_then_else, int8, int16, int32, int64, shift_left,
    shift_right, truncdiv, truncmod, uint8, uint16, uint32, uint64,
)
from tirx.lite import max, min  # noqa: A004 - the users' names
from tirx.lite.dtypes import DType, bool_, f8e4m3, f8e5m2
from tirx.lite.expr import cast as _cast, logical_not, reinterpret, select
from tirx.lite.memory import local_scalar as _local_scalar
from tirx.lite.trace import TraceError, current
from tirx.script.buffers import (
    BufferParameter as Buffer, SMEMPool, TMEMPool, address_of, alloc_local, decl_buffer,
)
from tirx.script.control import serial_rounds as serial, unrolled_rounds as unroll
from tirx.script.function import constexpr, inline, jit, prim_func
from tirx.script.ids import (
    cluster_id, cta_id, cta_id_in_cluster, lane_id, thread_id, thread_id_in_wg, warp_id,
    warp_id_in_wg, warpgroup_id,
)
from tirx.script.instructions import cuda, ptx
from tirx.script.names import MetaVar as _MetaVar, Mutable as _Mutable
from tirx.script.source import ScriptError

float8_e4m3fn, float8_e5m2 = f8e4m3, f8e5m2
Not, Select = logical_not, select
let = "let"
bool = bool_  # noqa: A001 - the users' name


def device_entry() -> None:
    """Here begins what the GPU runs: all of the function."""
    current()


def meta_var(value: Any) -> Any:
    """A name for an expression, which is evaluated where the name is used."""
    return _MetaVar(value)


def local_scalar(dtype: Any, init: Any = None) -> Any:
    """A mutable scalar, as `name: T.int32 = init` makes one."""
    return _Mutable(_local_scalar(dtype, init))


def cast(value: Any, dtype: Any) -> Any:
    """The value as another type, converted as C converts."""
    return _cast(value, dtype)


__all__ = [
    "Buffer", "Cast", "DType", "Not", "SMEMPool", "ScriptError", "Select", "TMEMPool",
    "TraceError", "address_of", "alloc_local", "bfloat16", "bitwise_and", "bitwise_not",
    "bitwise_or", "bitwise_xor", "bool", "bool_", "cast", "ceildiv", "cluster_id", "constexpr", "cta_id",
    "cta_id_in_cluster", "cuda", "decl_buffer", "device_entry", "float16", "float32", "float64",
    "float8_e4m3fn", "float8_e5m2", "if_then_else", "inline", "int16", "int32", "int64", "int8",
    "jit", "lane_id", "let", "local_scalar", "max", "meta_var", "min", "prim_func", "ptx",
    "reinterpret", "serial", "shift_left", "shift_right", "thread_id", "thread_id_in_wg",
    "truncdiv", "truncmod", "uint16", "uint32", "uint64", "uint8", "unroll", "warp_id",
    "warp_id_in_wg", "warpgroup_id",
]
