# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`txl.cuda`: what CUDA C++ has functions for."""

from __future__ import annotations

from typing import Any

from tirx.lite import dtypes, ptx as ptx_module
from tirx.lite.control import If, Then, While
from tirx.lite.expr import Expr, logical_not, reinterpret, select, to_expr
from tirx.lite.memory import BufferView, Pointer, Variable, local_scalar
from tirx.lite.trace import TraceError, current

_ptx = ptx_module.ptx


def cta_sync() -> None:
    """All threads of the CTA wait for each other."""
    _ptx.bar.sync(0)


def warp_sync(mask: Any = 0xFFFFFFFF) -> None:
    """The lanes of the warp wait for each other."""
    _ptx.bar.warp.sync(mask)


def warpgroup_sync(barrier: Any, threads: int = 128) -> None:
    """The threads of a warpgroup wait for each other at a named barrier, 1 to 15."""
    if isinstance(barrier, int) and not 0 <= barrier <= 15:
        raise TraceError(f"expected a barrier of 0 to 15, got {barrier}")
    _ptx.bar.sync(barrier, threads)


def cluster_sync() -> None:
    """All threads of the cluster wait for each other."""
    _ptx.barrier.cluster.arrive.release.aligned()
    _ptx.barrier.cluster.wait.acquire.aligned()


def mbarrier_wait(barrier: Any, phase: Any) -> None:
    """Waits until the phase of parity `phase` of an mbarrier has completed."""
    done = local_scalar(dtypes.bool_, init=False)
    with While(logical_not(done)):
        _ptx["mbarrier.try_wait.parity.shared::cta.b64"](done, barrier, to_expr(phase, dtypes.u32))


def mbarrier_wait_acquire_cluster(barrier: Any, phase: Any) -> None:
    """The same, and acquires what other CTAs of the cluster released."""
    done = local_scalar(dtypes.bool_, init=False)
    with While(logical_not(done)):
        _ptx["mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64"](
            done, barrier, to_expr(phase, dtypes.u32))


def elect_sync(mask: Any = 0xFFFFFFFF) -> Variable:
    """True in one lane of the warp."""
    elected = local_scalar(dtypes.bool_)
    _ptx["elect.sync"](_ptx.SINK, elected, mask)
    return elected


def cvta_generic_to_shared(pointer: Any) -> Expr:
    """The 32-bit shared address."""
    if isinstance(pointer, BufferView):
        pointer = pointer.data
    if not isinstance(pointer, Pointer):
        raise TraceError(f"expected a pointer, got {type(pointer).__name__}")
    return pointer.as_expr()


def thread_fence() -> None:
    _ptx.fence.acq_rel.gpu()


def nano_sleep(nanoseconds: Any) -> None:
    _ptx.nanosleep.u32(nanoseconds)


def clock64() -> Variable:
    value = local_scalar(dtypes.u64)
    _ptx.mov.u64(value, special_register("clock64", 64))
    return value


def special_register(name: str, bits: int = 32) -> Expr:
    """The value of a special register that the table has an intrinsic for."""
    mlir = f"i{bits}"
    dtype = dtypes.u64 if bits == 64 else dtypes.u32
    return Expr(dtype, lambda _: current().result(f"nvvm.read.ptx.sreg.{name} : {mlir}"),
                varies=True)


def trap_when_assert_failed(condition: Any) -> None:
    """Ends the kernel with an error when the condition does not hold."""
    with If(logical_not(condition)), Then():
        _ptx.trap()


def float_as_uint(value: Any) -> Expr:
    return reinterpret(dtypes.u32, value)


def uint_as_float(value: Any) -> Expr:
    return reinterpret(dtypes.f32, value)


# --- Pairs and packed conversions ------------------------------------------------


def _packed(text: str, dtype: dtypes.DType, *values: Any) -> Variable:
    result = local_scalar(dtype)
    _ptx[text](result, *values)
    return result


def make_float2(x: Any, y: Any) -> Variable:
    """Two floats in 64 bits, x in the low half: what .f32x2 instructions take."""
    return _packed("mov.b64", dtypes.u64, to_expr(x, dtypes.f32), to_expr(y, dtypes.f32))


def _halves(pair: Any) -> tuple[Variable, Variable]:
    low, high = local_scalar(dtypes.f32), local_scalar(dtypes.f32)
    _ptx.mov.b64(low, high, pair)
    return low, high


def float2_x(pair: Any) -> Variable:
    return _halves(pair)[0]


def float2_y(pair: Any) -> Variable:
    return _halves(pair)[1]


def fmul2_rn(a: Any, b: Any) -> Variable:
    return _packed("mul.rn.f32x2", dtypes.u64, a, b)


def fadd2_rn(a: Any, b: Any) -> Variable:
    return _packed("add.rn.f32x2", dtypes.u64, a, b)


def float22bfloat162_rn(x: Any, y: Any) -> Variable:
    """Two floats as two bf16 in 32 bits, x in the low half."""
    return _packed("cvt.rn.bf16x2.f32", dtypes.u32, y, x)


def float22bfloat162_rn_from_float2(pair: Any) -> Variable:
    return float22bfloat162_rn(*_halves(pair))


def float22half2(x: Any, y: Any) -> Variable:
    """Two floats as two f16 in 32 bits, x in the low half."""
    return _packed("cvt.rn.f16x2.f32", dtypes.u32, y, x)


def bfloat1622float2(pair: Any) -> Variable:
    """Two bf16 in 32 bits as two floats in 64."""
    bits = to_expr(pair, dtypes.u32)
    return make_float2(reinterpret(dtypes.f32, bits << 16),
                       reinterpret(dtypes.f32, bits & 0xFFFF0000))


def fp8x4_e4m3_from_float4(x: Any, y: Any, z: Any, w: Any) -> Expr:
    """Four floats as four e4m3 in 32 bits, x in the lowest; out of range: the largest."""
    low = _packed("cvt.rn.satfinite.e4m3x2.f32", dtypes.u16, y, x)
    high = _packed("cvt.rn.satfinite.e4m3x2.f32", dtypes.u16, w, z)
    return dtypes.u32(low) | (dtypes.u32(high) << 16)


def hmin2(a: Any, b: Any) -> Variable:
    """The smaller of each pair of f16."""
    return _packed("min.f16x2", dtypes.u32, a, b)


def hmax2(a: Any, b: Any) -> Variable:
    """The larger of each pair of f16."""
    return _packed("max.f16x2", dtypes.u32, a, b)


# --- Single values -----------------------------------------------------------------


def fdividef(a: Any, b: Any) -> Variable:
    """a / b, approximately."""
    return _packed("div.approx.f32", dtypes.f32, to_expr(a, dtypes.f32), to_expr(b, dtypes.f32))


def ffs_u32(value: Any) -> Expr:
    """The place of the lowest one, from 1; 0 without one."""
    reversed_bits = _packed("brev.b32", dtypes.u32, value)
    zeros = _packed("clz.b32", dtypes.u32, reversed_bits)
    return select(zeros == 32, 0, zeros + 1)


def mov_sreg(name: str, bits: int = 32) -> Variable:
    """A special register, read here."""
    if not isinstance(name, str) or not name.replace("_", "").replace(".", "").isalnum():
        raise TraceError(f"expected the name of a special register, got {name!r}")
    value = local_scalar(dtypes.u64 if bits == 64 else dtypes.u32)
    value.store(special_register(name.lstrip("%").replace("_", "."), bits))
    return value


def thread_rank() -> Expr:
    """The thread in its CTA."""
    from tirx.lite.ids import thread_id

    return thread_id()


def get_tmem_addr(base: Any, row: Any, column: Any) -> Expr:
    """An address of tensor memory: lanes in the high half, columns in the low one."""
    return to_expr(base, dtypes.u32) + (dtypes.u32(row) << 16) + dtypes.u32(column)


def sm100_2sm_leader_smem_addr(address: Any) -> Expr:
    """The same place in the even CTA of a pair: bit 24 of a shared address of the
    cluster says which of the two it is in."""
    if isinstance(address, (BufferView, Pointer)):
        address = cvta_generic_to_shared(address)
    return to_expr(address, dtypes.u32) & 0xFEFFFFFF
