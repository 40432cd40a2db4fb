# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions, shuffles, packed conversions, buffers and schedulers against Python."""

import itertools
import math

import ml_dtypes
import numpy as np
import pytest

import tirx.lite as txl
from tirx.lite import cuda

F32, U32, I32 = (txl.gptr(t) for t in (txl.f32, txl.u32, txl.i32))
INPUT = np.array([0.0, 1e-4, 0.01, 0.5, 1.0, 1.5, 2.0, 3.0, 4.5, 10.0] * 3 + [7.0, 0.3], np.float32)


def map_floats(function, values, dtype=txl.f32):
    """function(x) of each lane."""

    @txl.kernel(warps=1)
    def k(a: F32, out: txl.gptr(dtype)):
        t = txl.thread_id()
        x = txl.local_scalar(txl.f32)
        txl.ptx.ld.global_.f32(x, a.ptr_to([t]))
        txl.ptx[f"st.global.b{dtype.bits}"](out.ptr_to([t]), function(x))

    out = np.zeros(32, dtype.numpy)
    k.simulate(values, out)
    return out


@pytest.mark.parametrize("name, function, tolerance", [
    ("exp", math.exp, 3e-6), ("exp2", lambda x: 2.0 ** x, 1e-6),
    ("log1p", math.log1p, 1e-6), ("erf", math.erf, 1e-6), ("fabs", abs, 0),
    ("log", lambda x: math.log(x) if x else -math.inf, 1e-6),
    ("log2", lambda x: math.log2(x) if x else -math.inf, 1e-6),
    ("rsqrt", lambda x: 1 / math.sqrt(x) if x else math.inf, 1e-6),
])
@pytest.mark.parametrize("sign", [1, -1])
def test_functions(name, function, tolerance, sign):
    values = INPUT * np.float32(sign)
    if sign < 0 and name in ("log", "log2", "rsqrt"):
        pytest.skip("of positive numbers only")
    if sign < 0 and name == "log1p":
        values = values / np.float32(11)
    want = np.array([function(float(x)) for x in values])
    np.testing.assert_allclose(map_floats(getattr(txl, name), values), want, rtol=tolerance,
                               atol=tolerance / 4)


def test_small_functions():
    assert map_floats(lambda x: txl.popcount(txl.reinterpret("u32", x)), INPUT, txl.u32).tolist() \
        == [bin(v).count("1") for v in INPUT.view(np.uint32).tolist()]
    assert np.all(map_floats(lambda x: txl.Select(txl.LT(x, 1.0), txl.infinity(), x), INPUT)
                  == np.where(INPUT < 1, np.inf, INPUT))
    np.testing.assert_allclose(map_floats(lambda x: cuda.fdividef(x, 3.0), INPUT), INPUT / 3,
                               rtol=1e-6)
    sigmoid = map_floats(txl.idioms.sigmoid_tanh_approx_f32, INPUT)
    np.testing.assert_allclose(sigmoid, 1 / (1 + np.exp(-INPUT)), rtol=2e-3)


def map_words(function, values):
    @txl.kernel(warps=1)
    def k(a: U32, out: U32):
        t = txl.thread_id()
        x = txl.local_scalar(txl.u32)
        txl.ptx.ld.global_.u32(x, a.ptr_to([t]))
        txl.ptx.st.global_.u32(out.ptr_to([t]), function(x, t))

    out = np.zeros(32, np.uint32)
    k.simulate(values, out)
    return out.tolist()


WORDS = (np.arange(32, dtype=np.uint64) * 2654435761 % (1 << 32)).astype(np.uint32)


def test_ffs():
    values = np.array([0] + [1 << n for n in range(31)], np.uint32) | np.uint32(0x80000000)
    values[0] = 0
    want = [(v & -v).bit_length() for v in values.tolist()]
    assert map_words(lambda x, t: cuda.ffs_u32(x), values) == want


SHUFFLES = {
    "idx": (lambda x, t: txl.tvm_warp_shuffle(0xFFFFFFFF, x, (t + 5) % 32),
            lambda t: (t + 5) % 32),
    "idx8": (lambda x, t: txl.tvm_warp_shuffle(0xFFFFFFFF, x, 3, 8), lambda t: t // 8 * 8 + 3),
    "up": (lambda x, t: txl.tvm_warp_shuffle_up(0xFFFFFFFF, x, 3), lambda t: t - 3 if t > 2 else t),
    "up16": (lambda x, t: txl.tvm_warp_shuffle_up(0xFFFFFFFF, x, 3, 16),
             lambda t: t - 3 if t % 16 > 2 else t),
    "down": (lambda x, t: txl.tvm_warp_shuffle_down(0xFFFFFFFF, x, 3),
             lambda t: t + 3 if t < 29 else t),
    "xor": (lambda x, t: txl.tvm_warp_shuffle_xor(0xFFFFFFFF, x, 6), lambda t: t ^ 6),
    "uniform": (lambda x, t: txl.uniform(x), lambda t: 0),
}


@pytest.mark.parametrize("name", SHUFFLES)
def test_shuffles(name):
    function, source = SHUFFLES[name]
    assert map_words(function, WORDS) == [WORDS[source(t)] for t in range(32)]


def test_shuffles_of_other_types():
    low = map_words(lambda x, t: txl.u32(txl.tvm_warp_shuffle_xor(~0 & 0xFFFFFFFF, txl.u16(x), 1)),
                    WORDS)
    assert low == [int(WORDS[t ^ 1]) & 0xFFFF for t in range(32)]
    assert map_words(lambda x, t: txl.Select(txl.uniform(t == 0), 1, 0), WORDS) == [1] * 32
    assert map_words(lambda x, t: txl.tvm_warp_activemask(), WORDS) == [0xFFFFFFFF] * 32
    scanned = map_words(lambda x, t: txl.idioms.warp_scan_add(x), WORDS)
    assert scanned == [int(s) % (1 << 32) for s in np.cumsum(WORDS.astype(np.uint64))]


def test_packed_conversions():
    bf16 = lambda v: int(np.float32(v).astype(ml_dtypes.bfloat16).view(np.uint16))
    f16 = lambda v: int(np.float32(v).astype(np.float16).view(np.uint16))
    e4m3 = lambda v: int(np.float32(v).astype(ml_dtypes.float8_e4m3fn).view(np.uint8))
    values = INPUT.tolist()
    assert map_floats(lambda x: cuda.float22bfloat162_rn(x, x * 3.0), INPUT, txl.u32).tolist() == \
        [bf16(v) | bf16(np.float32(v) * np.float32(3)) << 16 for v in values]
    assert map_floats(lambda x: cuda.float22half2(x, x + 1.0), INPUT, txl.u32).tolist() == \
        [f16(v) | f16(np.float32(v) + np.float32(1)) << 16 for v in values]
    assert map_floats(lambda x: cuda.fp8x4_e4m3_from_float4(x, 1.0, x, 2.0), INPUT,
                      txl.u32).tolist() == \
        [e4m3(v) | e4m3(1) << 8 | e4m3(v) << 16 | e4m3(2) << 24 for v in values]
    pair = map_floats(lambda x: cuda.fmul2_rn(cuda.make_float2(x, 1.0), cuda.make_float2(2.0, x)),
                      INPUT, txl.u64)
    assert np.array_equal(pair.view(np.float32).reshape(32, 2), np.stack([INPUT * 2, INPUT], 1))
    there = map_floats(lambda x: cuda.float2_y(cuda.bfloat1622float2(
        cuda.float22bfloat162_rn(0.0, x))), INPUT)
    assert np.array_equal(there, INPUT.astype(ml_dtypes.bfloat16).astype(np.float32))
    halves = map_floats(lambda x: txl.idioms.cast_f16x2_to_f32x2(cuda.float22half2(0.0, x))[1],
                        INPUT)
    assert np.array_equal(halves, INPUT.astype(np.float16).astype(np.float32))
    smaller = map_floats(lambda x: cuda.hmin2(cuda.float22half2(x, x), cuda.float22half2(1.0, 9.0)),
                         INPUT, txl.u32)
    assert smaller.tolist() == [f16(min(v, 1)) | f16(min(v, 9)) << 16 for v in values]


@pytest.mark.parametrize("packs", [True, False])
def test_mov_packs_and_unpacks(packs):
    def function(x, t):
        pair = txl.local_scalar(txl.u64)
        low, high = txl.local_scalar(txl.u32), txl.local_scalar(txl.u32)
        txl.ptx.mov.b64(pair, x, t)
        if packs:
            return txl.u32(pair >> 32) + txl.u32(pair)
        txl.ptx.mov.b64(low, high, pair)
        return low + high

    assert map_words(function, WORDS) == [(int(w) + t) % (1 << 32) for t, w in enumerate(WORDS)]


# --- Buffers -------------------------------------------------------------------------


def test_buffers_over_memory():
    @txl.kernel(warps=1)
    def k(a: F32, out: F32):
        t = txl.thread_id()
        source = txl.decl_buffer((8, 4), "float32", data=a)
        target = txl.decl_buffer((4, 8), "float32", data=txl.ptr_byte_offset(out, 16, "float32"))
        local = txl.alloc_buffer((2,), "float32")
        shared = txl.alloc_buffer((32,), "float32", scope="shared")
        shared[t] = source[t // 4, t % 4]
        txl.tvm_storage_sync("shared")
        local[0] = shared[(t + 1) % 32]
        txl.keep_alive(local[0])
        txl.buffer_store(target, local[0] * 2.0, [t % 4, t // 4])
        with txl.If(txl.isnullptr(a)), txl.Then():
            txl.buffer_store(target, -1.0, [0, 0])

    values = np.arange(32, dtype=np.float32)
    out = np.zeros(36, np.float32)
    k.simulate(values, out)
    want = np.zeros((4, 8), np.float32)
    for t in range(32):
        want[t % 4, t // 4] = (t + 1) % 32 * 2
    assert np.array_equal(out[4:].reshape(4, 8), want) and not out[:4].any()


# --- Schedulers ----------------------------------------------------------------------


def walk(make, workers, limit, arch=None, grid=None):
    """The tiles that each worker takes, in its order."""
    names = ("batch_idx", "head_idx", "m_idx", "n_idx", "x", "y", "z")

    @txl.kernel(warps=1, grid=grid or workers, arch=arch)
    def k(out: I32):
        tiles = make()
        worker = txl.cta_id()
        if grid is not None:
            x, y = txl.cta_id(grid)
            worker = x + y * grid[0]
        count = txl.local_scalar(txl.i32, init=0)
        with txl.While(tiles.valid()):
            fields = [getattr(tiles, name) for name in names if hasattr(tiles, name)]
            with txl.If(txl.thread_id() == 0), txl.Then():
                for n, field in enumerate(fields):
                    place = (worker * limit + count) * 3 + n
                    txl.ptx.st.global_.s32(out.ptr_to([place]), field)
            txl.assign(count, count + 1)
            tiles.next_tile()

    out = np.full((workers, limit, 3), -1, np.int32)
    k.simulate(out.reshape(-1))
    return [[tuple(t[t >= 0].tolist()) for t in worker if t[0] >= 0] for worker in out]


@pytest.mark.parametrize("rows, columns, group, workers", [
    (4, 4, 2, 3), (5, 3, 2, 4), (7, 5, 8, 6), (1, 9, 4, 2), (9, 1, 4, 5)])
def test_persistent_2d(rows, columns, group, workers):
    def make():
        tiles = txl.ClusterPersistentScheduler2D(
            num_m_tiles=rows, num_n_tiles=columns, num_clusters=workers, l2_group_size=group)
        tiles.init(txl.cta_id())
        return tiles

    got = walk(make, workers, rows * columns)
    order = [(m, n) for first in range(0, rows, group) for n in range(columns)
             for m in range(first, min(first + group, rows))]
    assert got == [order[w::workers] for w in range(workers)]


@pytest.mark.parametrize("longest_first", [False, True])
def test_attention(longest_first):
    kind = txl.FlashAttentionLPTScheduler if longest_first else txl.FlashAttentionLinearScheduler

    def make():
        tiles = kind(num_batches=2, num_heads=3, num_m_blocks=4, num_ctas=5)
        tiles.init(txl.cta_id())
        return tiles

    if longest_first:
        order = [(b, h, m) for m in reversed(range(4)) for b in range(2) for h in range(3)]
    else:
        order = list(itertools.product(range(2), range(3), range(4)))
    assert walk(make, 5, 24) == [order[w::5] for w in range(5)]


def test_cluster_launch_control_takes_every_tile_once():
    def make():
        tiles = txl.ClusterLaunchControlScheduler(txl.smem_pool())
        tiles.init()
        return tiles

    got = walk(make, 12, 12, arch="sm_100a", grid=[3, 4])
    taken = sorted(itertools.chain(*got))
    assert taken == sorted((x, y, 0) for x in range(3) for y in range(4))


def test_ring_state_counts():
    @txl.kernel(warps=1)
    def k(out: I32):
        ring = txl.RingState(3, phase=1)
        with txl.serial(7) as i:
            for n, value in enumerate((ring.stage, ring.phase, ring.index)):
                txl.ptx.st.global_.s32(out.ptr_to([i * 3 + n]), value)
            ring.advance()

    out = np.zeros(21, np.int32)
    k.simulate(out)
    assert out.reshape(7, 3).tolist() == [[i % 3, (i // 3 + 1) % 2, i] for i in range(7)]
