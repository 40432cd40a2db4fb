# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tirx.lite` (txl): kernels traced from Python, one PTX instruction a call.

    from tirx import lite as txl

    @txl.kernel(warps=4, grid=lambda p: (p["n"] + 127) // 128)
    def add(a: txl.gptr(txl.f32), b: txl.gptr(txl.f32), out: txl.gptr(txl.f32), n: txl.i32):
        ...

docs/python.md explains it by examples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tirx.lite import cuda, idioms
from tirx.lite.buffers import (
    alloc_buffer, buffer_store, decl_buffer, handle_add_byte_offset, isnullptr, keep_alive,
    ptr_byte_offset,
)
from tirx.lite.control import Break, Else, If, Return, Then, While, serial, unroll
from tirx.lite.dtypes import (
    BY_NAME as _BY_NAME, bf16, bool_, f8e4m3, f8e5m2, f16, f32, f64, i8, i16, i32, i64, u8, u16,
    u32, u64,
)
from tirx.lite.expr import (
    bitwise as _bitwise, cast, extreme as _extreme, logical_and as And, logical_not as Not,
    logical_or as Or, reinterpret, select as Select, shift as _shift, truncating as _truncating,
)
from tirx.lite.ids import (
    cluster_id, cta_id, cta_id_in_cluster, lane_id, thread_id, thread_id_in_wg, warp_id,
    warp_id_in_wg, warpgroup_id,
)
from tirx.lite.kernel import kernel
from tirx.lite.math import (
    EQ, GE, GT, LE, LT, NE, erf, exp, exp2, fabs, infinity, log, log1p, log2, popcount, rsqrt,
)
from tirx.lite.memory import (
    SW32B, SW64B, SW128B, SWNONE, SwizzleMode, address_of, alloc_local, assign, local_scalar,
    smem_pool,
)
from tirx.lite.pipelines import MBarrier, Pipeline, PipelineState, RingState, TCGen05Bar, TMABar
from tirx.lite.ptx import ptx
from tirx.lite.registration import (
    imm, in_, inout, instruction, load, out, pointer, reads, store, unregister, writes,
)
from tirx.lite.roles import specialize, tid_in_role, warp_id_in_role
from tirx.lite.schedulers import (
    ClusterLaunchControlScheduler, ClusterPersistentScheduler2D, FlashAttentionLinearScheduler,
    FlashAttentionLPTScheduler, query_cancel_first_ctaid_x, query_cancel_first_ctaid_y,
    query_cancel_first_ctaid_z, query_cancel_is_canceled,
)
from tirx.lite.tensor_map import TensorMap
from tirx.lite.trace import TraceError
from tirx.lite.warp import (
    tvm_storage_sync, tvm_warp_activemask, tvm_warp_shuffle, tvm_warp_shuffle_down,
    tvm_warp_shuffle_up, tvm_warp_shuffle_xor, uniform,
)
from tirx.runtime.kernel import CompileError, SimulationError

if TYPE_CHECKING:
    # As a parameter's type it stands for what the traced function gets of it.
    gptr: Any
else:
    from tirx.lite.memory import gptr

# Conversions by the types' long names: uint32(n), float32(x).
uint8, uint16, uint32, uint64 = u8, u16, u32, u64
int8, int16, int32, int64 = i8, i16, i32, i64
float16, bfloat16, float32, float64 = f16, bf16, f32, f64
bool = bool_  # noqa: A001 - the users' name
Cast = lambda dtype, value: cast(value, dtype)  # noqa: E731
if_then_else = Select


def max(a: object, b: object) -> object:  # noqa: A001
    """The larger of two values; a NaN loses against a number."""
    return _extreme("max", a, b)


def min(a: object, b: object) -> object:  # noqa: A001
    """The smaller of two values; a NaN loses against a number."""
    return _extreme("min", a, b)


def bitwise_and(a: object, b: object) -> object:
    return _bitwise("andi", a, b)


def bitwise_or(a: object, b: object) -> object:
    return _bitwise("ori", a, b)


def bitwise_xor(a: object, b: object) -> object:
    return _bitwise("xori", a, b)


def bitwise_not(a: object) -> object:
    return _bitwise("xori", a, -1)


def shift_left(a: object, b: object) -> object:
    return _shift("left", a, b)


def shift_right(a: object, b: object) -> object:
    return _shift("right", a, b)


def truncdiv(a: object, b: object) -> object:
    """Division toward zero, as in C."""
    return _truncating("div", a, b)


def truncmod(a: object, b: object) -> object:
    """The remainder of division toward zero, as in C."""
    return _truncating("rem", a, b)


def ceildiv(a: object, b: object) -> object:
    """Division that rounds up."""
    return (a + b - 1) // b  # type: ignore[operator]
