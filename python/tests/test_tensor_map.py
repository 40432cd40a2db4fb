# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor maps that a kernel declares: what is copied, what is saved, what is refused."""

import json

import numpy as np
import pytest

import tirx.lite as txl

LOAD = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
STORE = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"
SWIZZLES = {"none": txl.SWNONE, "32B": txl.SW32B, "64B": txl.SW64B, "128B": txl.SW128B}


def copy_kernel(rows, columns, dtype, swizzle, **options):
    """Copies an array box by box through shared memory."""

    def grid(p):
        height, width = p["b"].shape
        return [-(-width // columns), -(-height // rows)]

    @txl.kernel(arch="sm_90a", grid=grid)
    def copy(a: txl.gptr[dtype, 2],
             from_a: txl.TensorMap("a", box=(rows, columns), swizzle=swizzle, **options),
             b: txl.gptr[dtype, 2],
             to_b: txl.TensorMap("b", box=(rows, columns), swizzle=swizzle)):
        pool = txl.smem_pool()
        tile = pool.alloc((rows, columns), dtype, swizzle=swizzle, align=128)
        full = txl.TMABar(pool)
        full.init(1)
        txl.ptx.fence.mbarrier_init.release.cluster()
        txl.cuda.cta_sync()
        x, y = txl.cta_id([1, 1])
        with txl.If(txl.thread_id() == 0), txl.Then():
            full.arrive(0, rows * columns * dtype.bytes)
            txl.ptx[LOAD](tile.data, from_a, x * columns, y * rows, full.ptr_to(0))
            full.wait(0, 0)
            txl.ptx[STORE](to_b, x * columns, y * rows, tile.data)
            txl.ptx.cp.async_.bulk.commit_group()
            txl.ptx.cp.async_.bulk.wait_group(0)

    return copy


@pytest.mark.parametrize("mode", ["eager", "lazy", "random"])
@pytest.mark.parametrize("shape, box, dtype, swizzle", [
    ((100, 136), (32, 64), txl.f16, "128B"), ((1, 8), (8, 32), txl.f16, "64B"),
    ((33, 20), (16, 8), txl.f32, "32B"), ((70, 48), (64, 16), txl.u8, "none")])
def test_boxes_at_the_edges(shape, box, dtype, swizzle, mode):
    a = np.random.default_rng(1).integers(0, 99, shape).astype(dtype.numpy)
    b = np.zeros_like(a)
    copy_kernel(*box, dtype, SWIZZLES[swizzle]).simulate(a, b, mode=mode)
    assert (a == b).all()


def test_shape_and_strides_of_the_call():
    """Every other row, and no more columns than the map has."""
    kernel = copy_kernel(8, 16, txl.f32, txl.SWNONE,
                         shape=lambda p: (p["a"].shape[0] // 2, 12),
                         strides=lambda p: (2 * p["a"].shape[1], 1))
    for height, width in ((20, 16), (34, 24)):
        a = np.random.default_rng(1).standard_normal((height, width)).astype(np.float32)
        b = np.ones((height // 2, 16), np.float32)
        kernel.simulate(a, b)
        assert (b[:, :12] == a[::2, :12]).all()
        assert (b[:, 12:] == 0).all()


def test_a_saved_launch_has_the_maps(tmp_path):
    a = np.arange(40 * 72, dtype=np.float16).reshape(40, 72)
    path = copy_kernel(8, 64, txl.f16, txl.SW128B).save(tmp_path, a, np.zeros_like(a))
    maps = [arg["tensormap"] for arg in json.loads(path.read_text())["args"] if "tensormap" in arg]
    assert [m["of"] for m in maps] == ["a", "b"]
    assert maps[0]["dims"] == [72, 40] and maps[0]["strides"] == [144]
    assert maps[0]["box"] == [64, 8] and maps[0]["swizzle"] == "128B"
    from tirx import _native

    result = _native.run_launch_file(path.read_text(), str(tmp_path))
    assert result.succeeded, result.text("error") or result.text("text")


def test_the_parameter_is_not_copied():
    ptx = copy_kernel(8, 64, txl.f16, txl.SW128B).source()
    assert ".param .align 64 .b8 copy_param_2[128]" in ptx
    assert ".local" not in ptx


@pytest.mark.parametrize("make, message", [
    (lambda: txl.TensorMap("a", box=(8, 512)), "box: expected extents of 1 to 256, got 512"),
    (lambda: txl.TensorMap("a", box=(1,) * 6), "box: expected 1 to 5 extents, got 6"),
    (lambda: txl.TensorMap("a", box=(8, 8), swizzle="128B"), "swizzle: expected SWNONE"),
    (lambda: txl.TensorMap("a", box=(8, 8), oob="one"), "oob: expected one of zero, nan"),
    (lambda: txl.TensorMap("a", box=(8, 8), element_strides=(1,)), "expected 2 element_strides"),
    (lambda: copy_kernel(8, 4, txl.f16, txl.SWNONE),
     "expected rows of the box that are a multiple of 16 bytes, got 4 x 16 bits = 8 bytes"),
    (lambda: copy_kernel(8, 128, txl.f16, txl.SW128B),
     "at most 128 bytes with the 128B swizzle, got 128 x 16 bits = 256 bytes")])
def test_declarations_that_are_refused(make, message):
    with pytest.raises(txl.TraceError) as caught:
        make()
    assert message in str(caught.value)


def test_a_map_of_no_array():
    with pytest.raises(txl.TraceError, match="expected a TensorMap of a gptr parameter .'a'., got 'c'"):

        @txl.kernel
        def k(a: txl.gptr[txl.f16, 2], m: txl.TensorMap("c", box=(8, 8))):
            del a, m


def test_arrays_that_are_refused():
    kernel = copy_kernel(8, 64, txl.f16, txl.SW128B)
    good = np.zeros((8, 64), np.float16)
    with pytest.raises(ValueError, match="stride of dimension 0 to be a multiple of 16 bytes, got 65"
                                         " x 16 bits = 130 bytes"):
        kernel.simulate(np.zeros((8, 65), np.float16), good)
    with pytest.raises(ValueError, match="expected 2 dimensions, as the box has"):
        kernel.simulate(np.zeros((8, 8, 64), np.float16), good)


@pytest.mark.parametrize("major", ["K", "MN"])
@pytest.mark.parametrize("swizzle, bits, columns", [
    ("32B", 0xC, 16), ("64B", 0x8, 32), ("128B", 0x4, 64)])
def test_descriptors_of_stages(swizzle, bits, columns, major):
    """The swizzle of wgmma is in bits 62 and 63, the address in units of 16 bytes below;
    a stage further on, the address is a stage further on."""
    last = 0 if major == "K" and columns == 16 else 1  # there is one step of K

    @txl.kernel(arch="sm_90a")
    def k(out: txl.gptr[txl.u64], stage: txl.i32):
        pool = txl.smem_pool()
        tile = pool.alloc((3, 64, columns), "float16", swizzle=SWIZZLES[swizzle])
        for i, view in enumerate((tile[0], tile[2], tile[stage])):
            txl.ptx.st.global_.u64(out.ptr_to(i), view.mma_desc(major, 0, wgmma=True))
        txl.ptx.st.global_.u64(out.ptr_to(3), tile[0].mma_desc(major, last, wgmma=True))

    out = np.zeros(4, np.uint64)
    k.simulate(out, 2)
    first, third, dynamic, step = (int(x) for x in out)
    assert first >> 60 == bits
    assert third - first == 2 * 64 * columns * 2 // 16
    assert dynamic == third
    # A step of K: 32 bytes along a row, or 16 rows.
    assert step - first == last * (32 if major == "K" else 16 * columns * 2) // 16


class FakeTensor:
    """What a launch asks of an array of torch."""

    def __init__(self, address, shape, name="float16"):
        kind = type("device", (), {"type": "cuda", "index": 0, "__module__": "torch"})
        self.device, self.address, self.shape = kind(), address, tuple(shape)
        self.dtype = f"torch.{name}"

    def data_ptr(self):
        return self.address

    def stride(self):
        return (self.shape[1], 1)

    def is_contiguous(self):
        return True

    def get_device(self):
        return 0


def test_a_launch_on_a_gpu_encodes_each_map_once(monkeypatch):
    """With a device that only writes down what it is asked."""
    from tirx import _native

    encoded, launched = [], []

    class Device:
        architecture = "sm_90"

        def encode_tensor_map(self, description, address, where):
            encoded.append((address, description["dims"], where))
            return bytes([len(encoded)]) * 128

    class Function:
        description = {"parameters": [
            {"offset": 0, "size": 8}, {"offset": 8, "size": 8}, {"offset": 64, "size": 128},
            {"offset": 192, "size": 128}]}

        def __init__(self, *_):
            pass

        def launcher(self, config):
            grid = tuple(config.grid)
            return lambda block, stream: launched.append((grid, block, stream))

    monkeypatch.setattr(_native, "device", lambda ordinal: Device())
    monkeypatch.setattr(_native, "Function", Function)
    kernel = copy_kernel(8, 64, txl.f16, txl.SW128B)
    a, b = FakeTensor(0x1000, (20, 128)), FakeTensor(0x8000, (20, 128))
    for _ in range(4):
        kernel(a, b, stream=7)
    # The first call checks everything; the maps are kept from the second on.
    assert [address for address, _, _ in encoded] == [0x1000, 0x8000] * 2
    assert encoded[0][1] == [128, 20] and "tensor map 'from_a'" in encoded[0][2]
    grid, block, stream = launched[-1]
    assert grid == (2, 3, 1) and stream == 7 and len(block) == 320
    assert block[:16] == (0x1000).to_bytes(8, "little") + (0x8000).to_bytes(8, "little")
    assert block[64:192] == bytes([3]) * 128 and block[192:] == bytes([4]) * 128
    assert launched[-1] == launched[-2]

    kernel(a, FakeTensor(0xA000, (20, 128)), stream=7)  # another address: other maps
    assert encoded[-1][0] == 0xA000
    with pytest.raises(ValueError, match="multiple of 16 bytes, got 65 x 16 bits = 130 bytes"):
        kernel(FakeTensor(0x1000, (20, 65)), b, stream=7)


@pytest.mark.parametrize("mode", ["eager", "lazy"])
@pytest.mark.parametrize("a_major, b_major", [("K", "K"), ("MN", "K"), ("K", "MN"), ("MN", "MN")])
@pytest.mark.parametrize("swizzle, depth", [("128B", 64), ("64B", 32), ("32B", 16)])
def test_a_chain_of_wgmma(swizzle, depth, a_major, b_major, mode):
    """Of 64 x 64 x depth, tiles with rows along K or along the other dimension."""
    width = 64

    def tile_shape(major):
        return (width, depth) if major == "K" else (depth, width)

    @txl.kernel(warps=4, arch="sm_90a")
    def k(a: txl.gptr[txl.f16, 2], b: txl.gptr[txl.f16, 2], d: txl.gptr[txl.f32, (width, width)],
          a_map: txl.TensorMap("a", (tile_shape(a_major)[0], depth), SWIZZLES[swizzle]),
          b_map: txl.TensorMap("b", (tile_shape(b_major)[0], depth), SWIZZLES[swizzle])):
        pool = txl.smem_pool()
        tiles = [pool.alloc(tile_shape(major), "float16", swizzle=SWIZZLES[swizzle], align=1024)
                 for major in (a_major, b_major)]
        full = txl.TMABar(pool)
        full.init(1)
        txl.ptx.fence.mbarrier_init.release.cluster()
        txl.cuda.cta_sync()
        with txl.If(txl.thread_id() == 0), txl.Then():
            full.arrive(0, 2 * width * depth * 2)
            for tile, tensor in zip(tiles, (a_map, b_map)):
                for column in range(0, tile.shape[1], depth):
                    txl.ptx[LOAD](tile.ptr_to(0, column), tensor, column, 0, full.ptr_to(0))
        full.wait(0, 0)
        sums = txl.alloc_local([width // 2], "float32")
        txl.ptx.wgmma.fence.sync.aligned()
        txl.idioms.mma_chain("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", sums, a=tiles[0],
                             b=tiles[1], a_major=a_major, b_major=b_major)
        txl.ptx.wgmma.commit_group.sync.aligned()
        txl.ptx.wgmma.wait_group.sync.aligned(0)
        row = txl.warp_id() * 16 + txl.lane_id() // 4
        for i in range(width // 2):
            txl.ptx.st.global_.f32(d.ptr_to(row + i // 2 % 2 * 8,
                                            txl.lane_id() % 4 * 2 + (i // 4 * 8 + i % 2)), sums[i])

    generator = np.random.default_rng(5)
    a, b = (generator.integers(-3, 4, (width, depth)).astype(np.float16) for _ in range(2))
    d = np.zeros((width, width), np.float32)
    k.simulate(*(np.ascontiguousarray(x if major == "K" else x.T)
                 for x, major in ((a, a_major), (b, b_major))), d, mode=mode)
    assert (d == a.astype(np.float32) @ b.astype(np.float32).T).all()


def test_chains_that_are_refused():
    def chain(**options):
        @txl.kernel(warps=4, arch="sm_90a")
        def k(c: txl.i32):
            pool = txl.smem_pool()
            a, b = (pool.alloc((64, n), "float16", swizzle=txl.SW128B) for n in (64, 32 * 2))
            sums = txl.alloc_local([32], "float32")
            txl.idioms.mma_chain("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", sums, a=a, b=b,
                                 **{k: c == 0 if v == "c" else v for k, v in options.items()})

    for options, message in (({"pred": "c"}, "pred: expected none for wgmma"),
                             ({"idesc": 0}, "idesc: expected none for wgmma"),
                             ({"a_major": "M"}, "a_major: expected 'K' or 'MN', got 'M'"),
                             ({"guard": "x"}, "guard: expected 'pred' or 'if', got 'x'")):
        with pytest.raises(txl.TraceError, match=message):
            chain(**options)
