# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`txl.cuda`: what CUDA C++ has functions for."""

from __future__ import annotations

from typing import Any

from tirx.lite import dtypes, ptx as ptx_module
from tirx.lite.control import If, Then, While
from tirx.lite.expr import Expr, logical_not, reinterpret, to_expr
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
