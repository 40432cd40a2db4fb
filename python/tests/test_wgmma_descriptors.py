# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Descriptors of views of shared memory: wgmma with both operands in every swizzle and
order of dimensions, alone and as a stage of a ring, against NumPy."""

import numpy as np
import pytest

import tirx.lite as txl

M, N = 64, 64
SWIZZLES = {"32B": txl.SW32B, "64B": txl.SW64B, "128B": txl.SW128B}
WGMMA = f"wgmma.mma_async.sync.aligned.m64n{N}k16.f32.f16.f16"


def product(swizzle, majors, steps, stage):
    """One wgmma for each step of K. `stage`: that of three, or None for tiles alone."""
    K = steps * 16
    shapes = [(extent, K) if major == "K" else (K, extent)
              for extent, major in zip((M, N), majors)]

    @txl.kernel(warps=4, arch="sm_90a")
    def k(A: txl.gptr[txl.f16, shapes[0]], B: txl.gptr[txl.f16, shapes[1]],
          D: txl.gptr[txl.f32, (M, N)]):
        pool = txl.smem_pool()
        thread = txl.thread_id()
        tiles = []
        value = txl.local_scalar(txl.u16)
        for source, shape in zip((A, B), shapes):
            extents = shape if stage is None else (3, *shape)
            tile = pool.alloc(extents, "float16", swizzle=SWIZZLES[swizzle], align=1024)
            tiles.append(tile if stage is None else tile[stage])
            for start in range(0, shape[0] * shape[1], 128):
                row, column = (thread + start) // shape[1], (thread + start) % shape[1]
                txl.ptx["ld.global.b16"](value, source.ptr_to(row, column))
                txl.ptx["st.shared.b16"](tiles[-1].ptr_to(row, column), value)
        txl.ptx.fence.proxy.async_.shared__cta()
        txl.cuda.cta_sync()
        sums = txl.alloc_local([N // 2], "float32")
        txl.ptx.wgmma.fence.sync.aligned()
        for step in range(steps):
            a, b = (tile.mma_desc(major, step, wgmma=True) for tile, major in zip(tiles, majors))
            txl.ptx[WGMMA](sums, a, b, step > 0, 1, 1, *(int(m == "MN") for m in majors))
        txl.ptx.wgmma.commit_group.sync.aligned()
        txl.ptx.wgmma.wait_group.sync.aligned(0)
        lane = txl.lane_id()
        for i in range(N // 2):
            row = txl.warp_id() * 16 + lane // 4 + i // 2 % 2 * 8
            txl.ptx["st.global.f32"](D.ptr_to(row, i // 4 * 8 + lane % 4 * 2 + i % 2), sums[i])

    return k


@pytest.mark.parametrize("stage", [None, 2])
@pytest.mark.parametrize("majors", [("K", "K"), ("K", "MN"), ("MN", "K"), ("MN", "MN")])
@pytest.mark.parametrize("swizzle, steps", [("32B", 1), ("64B", 2), ("128B", 4)])
def test_every_swizzle_and_major(swizzle, steps, majors, stage):
    random = np.random.default_rng(steps)
    a, b = (random.integers(-4, 5, (rows, steps * 16)).astype(np.float16) for rows in (M, N))
    given = [x if major == "K" else np.ascontiguousarray(x.T) for x, major in zip((a, b), majors)]
    d = np.zeros((M, N), np.float32)
    product(swizzle, majors, steps, stage).simulate(*given, d, mode="lazy")
    assert np.array_equal(d, a.astype(np.float32) @ b.astype(np.float32).T)


@pytest.mark.parametrize("major, step, message", [
    ("M", 0, "major: expected 'K' or 'MN', got 'M'"), ("K", -1, "mma_k: expected")])
def test_what_is_refused(major, step, message):
    with pytest.raises(txl.TraceError, match=message):
        @txl.kernel(warps=4, arch="sm_90a")
        def k():
            tile = txl.smem_pool().alloc((64, 64), "float16", swizzle=txl.SW128B)
            tile.mma_desc(major, step, wgmma=True)


def test_a_register_operand_and_transpositions_are_told_apart():
    """A of wgmma is one descriptor or four registers; what follows may be left out."""
    for a, flags in ((1, 0), (1, 2), (4, 0), (4, 1)):
        @txl.kernel(warps=4, arch="sm_90a")
        def k():
            tile = txl.smem_pool().alloc((64, 16), "float16", swizzle=txl.SW32B)
            sums = txl.alloc_local([N // 2], "float32")
            left = [tile.mma_desc("K", 0, wgmma=True)] if a == 1 else [txl.uint32(0)] * 4
            txl.ptx[WGMMA](sums, left, tile.mma_desc("K", 0, wgmma=True), True, 1, 1,
                           *[0] * flags)

        k.compile()
        line = next(x for x in k.func.splitlines() if "wgmma" in x and "tirx.ptx" in x)
        operands = line.split('"(')[1].split(")")[0].split(",")
        assert len(operands) == N // 2 + a + 4 + flags
