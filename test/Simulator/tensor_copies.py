"""Writes a launch that copies a tensor by tensor maps: KERNEL FOLDER."""

import json
import pathlib
import random
import struct
import sys

kernel, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
ROWS = 200  # the last CTA's tile reaches beyond

values = random.Random(1).randbytes(ROWS * 128)
(folder / "a.bin").write_bytes(values)
(folder / "kernel.ptx").write_text(kernel)
(folder / "unfenced.ptx").write_text(kernel.replace("fence.proxy.async.shared::cta;", ""))


def tensor_map(buffer, swizzle):
    return {"tensormap": {"of": buffer, "dtype": "f16", "dims": [64, ROWS], "strides": [128],
                          "box": [64, 64], "swizzle": swizzle}}


def launch(swizzle):
    return {
        "kernel": "kernel.ptx", "grid": [4, 1, 1], "block": [128, 1, 1],
        "buffers": {
            "A": {"dtype": "u16", "shape": [ROWS, 64], "file": "a.bin"},
            "D": {"dtype": "u16", "shape": [ROWS, 64], "expect": "a.bin"},
        },
        "args": [tensor_map("A", swizzle), tensor_map("D", "none")],
    }


def to_tf32(bits):
    """What a load by a map of tf32 makes of the bits of an f32, as measured on an H200."""
    if bits & 0x7FFFFFFF > 0x7F800000:
        return 0x7FFFE000
    if bits & 0x7F800000 != 0x7F800000:
        bits += 0xFFF + (bits >> 13 & 1)
    return bits & 0xFFFFE000


def tf32_launch():
    words = list(struct.unpack(f"<{ROWS * 32}I", values))
    words[5:11] = [0x7F800001, 0xFFFFFFFF, 0x7F800000, 0xFF800000, 0x3F801000, 0x3F803000]
    (folder / "words.bin").write_bytes(struct.pack(f"<{len(words)}I", *words))
    (folder / "rounded.bin").write_bytes(struct.pack(f"<{len(words)}I", *map(to_tf32, words)))
    maps = [{"tensormap": {"of": buffer, "dtype": dtype, "dims": [32, ROWS], "strides": [128],
                           "box": [32, 64], "swizzle": swizzle}}
            for buffer, dtype, swizzle in (("A", "tf32", "128B"), ("D", "f32", "none"))]
    buffer = {"dtype": "u32", "shape": [ROWS, 32]}
    return {**launch("128B"), "args": maps,
            "buffers": {"A": {**buffer, "file": "words.bin"},
                        "D": {**buffer, "expect": "rounded.bin"}}}


(folder / "tf32.json").write_text(json.dumps(tf32_launch()))
(folder / "launch.json").write_text(json.dumps(launch("128B")))
(folder / "refused.json").write_text(json.dumps(launch("32B")))
