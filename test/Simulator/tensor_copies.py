"""Writes a launch that copies a tensor by tensor maps: KERNEL FOLDER."""

import json
import pathlib
import random
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


(folder / "launch.json").write_text(json.dumps(launch("128B")))
(folder / "refused.json").write_text(json.dumps(launch("32B")))
