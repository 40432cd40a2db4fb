# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of a call: arrays of any library on the CPU, and scalars."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import struct
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from tirx.runtime.kernel import Kernel, Parameter

_FORMATS = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q",
            "u64": "Q", "f16": "e", "f32": "f", "f64": "d", "bool": "?"}


@dataclasses.dataclass
class BoundLaunch:
    """A call in terms of the native library."""

    buffers: list[tuple[str, int, int, bool]]
    arguments: list[Any]
    grid: tuple[int, int, int]
    copies: list[tuple[Any, Any]]  # (the caller's array, the contiguous one that ran)
    arrays: dict[str, Any]
    maps: list[dict[str, Any]]  # tensor maps, which go behind the arguments

    def finish(self) -> None:
        """Copies results back into arrays that were not contiguous."""
        for original, contiguous in self.copies:
            original[...] = contiguous


def to_numpy(value: Any, where: str) -> Any:
    """An array of the CPU as NumPy's, over the same memory."""
    import numpy

    if isinstance(value, numpy.ndarray):
        return value
    if type(value).__module__.split(".")[0] == "torch":
        if value.device.type != "cpu":
            raise TypeError(f"{where}: expected an array on the CPU, got one on {value.device}")
        if "bfloat16" in str(value.dtype):
            import ml_dtypes
            import torch

            return value.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        return value.detach().numpy()
    if hasattr(value, "__dlpack__"):
        return numpy.from_dlpack(value)
    if hasattr(value, "__array_interface__"):
        return numpy.asarray(value)
    raise TypeError(f"{where}: expected an array, got {type(value).__name__}")


def _check_array(parameter: "Parameter", array: Any, where: str) -> None:
    want = parameter.dtype.numpy
    if array.dtype.name != want:
        raise TypeError(f"{where}: expected {want}, got {array.dtype.name}")
    if not array.flags.aligned:
        raise ValueError(f"{where}: expected an address that is a multiple of {array.itemsize}, the "
                         f"size of {want}, got {array.ctypes.data:#x}")
    if parameter.shape is not None and tuple(array.shape) != parameter.shape:
        raise ValueError(f"{where}: expected shape {parameter.shape}, got {tuple(array.shape)}")


def _scalar(parameter: "Parameter", value: Any, where: str) -> bytes:
    dtype = parameter.dtype
    if dtype.is_integer:
        if isinstance(value, float) or not hasattr(value, "__index__"):
            raise TypeError(f"{where}: expected an integer, got {type(value).__name__}")
        value = int(value)
        low, high = dtype.limits()
        if not low <= value <= high:
            raise ValueError(f"{where}: expected {low} to {high} for {dtype}, got {value}")
    elif dtype.name == "bf16":
        return struct.pack("<f", float(value))[2:]
    return struct.pack("<" + _FORMATS[dtype.name], value)


def bind(kernel: "Kernel", args: Sequence[Any]) -> BoundLaunch:
    """Checks the arguments of a call against the kernel's parameters."""
    import numpy

    name = kernel.__name__
    if len(args) != len(kernel.parameters):
        names = ", ".join(p.name for p in kernel.parameters)
        raise TypeError(f"{name}: expected {len(kernel.parameters)} arguments ({names}), got "
                        f"{len(args)}")
    launch = BoundLaunch([], [], (1, 1, 1), [], {}, [])
    values: dict[str, Any] = {}
    for parameter, value in zip(kernel.parameters, args):
        where = f"{name}: argument '{parameter.name}'"
        if not parameter.is_pointer:
            launch.arguments.append(_scalar(parameter, value, where))
            values[parameter.name] = value
            continue
        array = to_numpy(value, where)
        _check_array(parameter, array, where)
        contiguous = array if array.flags.c_contiguous else numpy.ascontiguousarray(array)
        if contiguous is not array and array.flags.writeable:
            launch.copies.append((array, contiguous))
        values[parameter.name] = array
        launch.arrays[parameter.name] = contiguous
        launch.arguments.append((len(launch.buffers), 0))
        launch.buffers.append((parameter.name, contiguous.ctypes.data, contiguous.nbytes,
                               not contiguous.flags.writeable))
    launch.grid = kernel.grid_of(values)
    launch.maps = kernel.describe_maps(values)
    return launch


def write_launch(kernel: "Kernel", args: Sequence[Any], folder: pathlib.Path) -> pathlib.Path:
    """A launch file with the contents of the arguments."""
    import numpy

    launch = bind(kernel, args)
    buffers, arguments = {}, []
    for parameter, value in zip(kernel.parameters, args):
        if not parameter.is_pointer:
            number = value if parameter.dtype.is_float else int(value)
            arguments.append({parameter.dtype.name: number})
            continue
        array = launch.arrays[parameter.name]
        file = f"{kernel.__name__}.{parameter.name}.npy"
        plain = array if array.dtype.kind != "V" and hasattr(numpy, array.dtype.name) \
            else array.view(f"u{array.dtype.itemsize}")
        numpy.save(folder / file, plain)
        dtype = {"f8e4m3": "e4m3", "f8e5m2": "e5m2"}.get(parameter.dtype.name,
                                                         parameter.dtype.name)
        buffers[parameter.name] = {"dtype": dtype, "shape": list(array.shape) or [1], "file": file}
        arguments.append({"buffer": parameter.name})
    for entry in launch.maps:
        arguments.append({"tensormap": {**entry, "of": kernel.parameters[entry["of"]].name}})
    description = {"kernel": f"{kernel.__name__}.ptx", "entry": kernel.__name__,
                   "grid": list(launch.grid), "buffers": buffers, "args": arguments}
    path = folder / f"{kernel.__name__}.json"
    path.write_text(json.dumps(description, indent=2) + "\n")
    return path
