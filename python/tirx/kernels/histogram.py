# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How often each value occurs: counted by atomics in shared memory, then added up in
global memory."""

from typing import Any

from tirx import lite as txl
from tirx.kernels.common import WARP, positive

_MAX_BINS = 12288  # 48 KiB of shared memory


def histogram(bins: int = 256, warps: int = 8, per_thread: int = 16) -> Any:
    """Arguments: values (u32, flat), counts (u32, one for each bin, which the kernel adds
    to) and the number of values. Values of `bins` or more are left out."""
    positive("warps", warps)
    positive("per_thread", per_thread)
    if positive("bins", bins) > _MAX_BINS:
        raise ValueError(f"bins: expected at most {_MAX_BINS}, got {bins}")
    threads = warps * WARP

    @txl.kernel(warps=warps, grid=lambda p: max(1, -(-int(p["n"]) // (threads * per_thread))))
    def histogram(values: txl.gptr[txl.u32], counts: txl.gptr[txl.u32, (bins,)], n: txl.i32):
        own = txl.smem_pool().alloc((bins,), "uint32")
        thread = txl.thread_id()
        for i in txl.serial(thread, bins, threads):
            txl.ptx.st.shared.u32(own.ptr_to(i), txl.uint32(0))
        txl.cuda.cta_sync()
        first = txl.cta_id() * (threads * per_thread) + thread
        value = txl.local_scalar(txl.u32)
        for step in range(per_thread):
            i = first + step * threads
            with txl.If(i < n), txl.Then():
                txl.ptx.ld.global_.u32(value, values.ptr_to(i))
                with txl.If(value < bins), txl.Then():
                    txl.ptx["red.shared.add.u32"](own.ptr_to(txl.cast(value, txl.i32)),
                                                  txl.uint32(1))
        txl.cuda.cta_sync()
        for i in txl.serial(thread, bins, threads):
            txl.ptx.ld.shared.u32(value, own.ptr_to(i))
            with txl.If(value != 0), txl.Then():
                txl.ptx["red.relaxed.gpu.global.add.u32"](counts.ptr_to(i), value)

    return histogram
