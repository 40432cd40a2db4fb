# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launching on a GPU: arguments of any library that has arrays there.

A call binds its arguments to a launch by a plan that is made at the first call for a
device: which argument is a pointer, which a scalar, and where each lies in the
parameter block. What costs time (shapes, strides, alignment) is checked once for each
combination of types, shapes and strides.
"""

from __future__ import annotations

import struct
import sys
from typing import TYPE_CHECKING, Any, Callable, Sequence

from tirx import _native
from tirx.runtime.arrays import _FORMATS, _scalar

if TYPE_CHECKING:
    from tirx.runtime.kernel import Kernel

# Vector accesses of 16 bytes are the widest that all chips have.
_ALIGNMENT = 16


def device_of(args: Sequence[Any]) -> int | None:
    """The GPU that the arrays among the arguments are on; None: the CPU."""
    for value in args:
        device: Any = getattr(value, "device", None)
        if type(device).__name__ == "device" and type(device).__module__.startswith("torch"):
            return device.index or 0 if device.type == "cuda" else None
        if hasattr(value, "__cuda_array_interface__"):
            return int(getattr(device, "id", 0))
    return None


def _torch_view(value: Any) -> tuple[int, str, tuple[int, ...], bool]:
    return (value.data_ptr(), str(value.dtype)[6:], tuple(value.shape), value.is_contiguous())


_BY_CODE = {"|b1": "bool", "<f2": "float16", "<f4": "float32", "<f8": "float64"} | {
    f"{'|' if size == 1 else '<'}{code}{size}": f"{kind}{size * 8}"
    for code, kind in (("i", "int"), ("u", "uint")) for size in (1, 2, 4, 8)}


def _interface_view(value: Any) -> tuple[int, str, tuple[int, ...], bool]:
    interface = value.__cuda_array_interface__
    dense = interface.get("strides") is None
    name = _BY_CODE.get(interface["typestr"], interface["typestr"])
    return interface["data"][0], name, tuple(interface["shape"]), dense


def _view(value: Any, where: str) -> tuple[int, str, tuple[int, ...], bool]:
    """Address, type, shape and contiguity of an array on a GPU."""
    if hasattr(value, "data_ptr"):
        if value.device.type != "cuda":
            raise ValueError(f"{where}: expected an array on the GPU, got one on {value.device}")
        return _torch_view(value)
    if hasattr(value, "__cuda_array_interface__"):
        return _interface_view(value)
    raise TypeError(f"{where}: expected an array on the GPU, got {type(value).__name__}")


class Dispatcher:
    """Launches of one kernel."""

    MAX_CONFIGS = 4096

    def __init__(self, kernel: "Kernel") -> None:
        self.kernel = kernel
        self.functions: dict[int, _native.Function] = {}
        # What a call needs, by types, shapes, strides, alignment and scalars.
        self.configs: dict[Any, Callable[[bytes, int], None]] = {}
        self.maps: dict[Any, list[bytes]] = {}  # encoded, by address and the same
        self.pack = struct.Struct("")
        self.key: Callable[[Sequence[Any]], Any]
        self.fast = _make_fast_path(self)

    def __call__(self, args: Sequence[Any], stream: Any) -> None:
        handle = _stream(stream)
        try:
            done = self.fast(args, handle)
        except (AttributeError, ValueError, TypeError, struct.error):
            done = False  # not torch's, or wrong: the slow path says what
        if not done:
            self._launch(args, handle)

    def _launch(self, args: Sequence[Any], stream: int) -> None:
        kernel = self.kernel
        if len(args) != len(kernel.parameters):
            names = ", ".join(p.name for p in kernel.parameters)
            raise TypeError(f"{kernel.__name__}: expected {len(kernel.parameters)} arguments "
                            f"({names}), got {len(args)}")
        if device_of(args) is None:
            kernel._run_on_simulator(args)
            return
        launch = self._check(args)
        values = [_view(value, kernel.__name__)[0] if parameter.is_pointer else value
                  for parameter, value in zip(kernel.parameters, args)]
        launch(self.pack.pack(*values, *self.encoded_maps(args)), stream)
        if all(hasattr(v, "data_ptr") for v, p in zip(args, kernel.parameters) if p.is_pointer):
            if len(self.configs) >= self.MAX_CONFIGS:  # scalars that always differ
                self.configs.clear()
            self.configs[self.key(args)] = launch

    def _function(self, ordinal: int) -> _native.Function:
        function = self.functions.get(ordinal)
        if function is None:
            kernel = self.kernel
            device = _native.device(ordinal)
            image = kernel.source("ptx", kernel.target_for(device.architecture))
            function = _native.Function(device, image, kernel.__name__)
            self.functions[ordinal] = function
            self._plan(function.description["parameters"])
        return function

    def _plan(self, parameters: Sequence[dict[str, int]]) -> None:
        """One format for the whole parameter block."""
        text, at = "<", 0
        for parameter, place in zip(self.kernel.parameters, parameters):
            text += "x" * (place["offset"] - at)
            text += "Q" if parameter.is_pointer else _FORMATS.get(parameter.dtype.name, "2s")
            at = place["offset"] + place["size"]
        for place in parameters[len(self.kernel.parameters):]:  # tensor maps
            text += "x" * (place["offset"] - at) + f"{place['size']}s"
            at = place["offset"] + place["size"]
        self.pack = struct.Struct(text)

    def encoded_maps(self, args: Sequence[Any], key: Any = None) -> list[bytes]:
        """The tensor maps of a call; the fast path's are kept by its key."""
        if not self.kernel.maps:
            return []
        known = self.maps.get(key) if key is not None else None
        if known is None:
            ordinal = device_of(args)
            assert ordinal is not None
            device = _native.device(ordinal)
            named = {p.name: value for p, value in zip(self.kernel.parameters, args)}
            known = []
            for entry, description in zip(self.kernel.maps, self.kernel.describe_maps(named)):
                where = f"{self.kernel.__name__}: tensor map '{entry.name}'"
                address = _view(args[entry.number], where)[0]
                known.append(device.encode_tensor_map(description, address, where))
            if len(self.maps) >= self.MAX_CONFIGS:
                self.maps.clear()
            if key is not None:
                self.maps[key] = known
        return known

    def _check(self, args: Sequence[Any]) -> Callable[[bytes, int], None]:
        """Everything about a call that its types, shapes and scalars decide."""
        kernel = self.kernel
        ordinal = device_of(args)
        assert ordinal is not None
        if kernel._metadata()["tensor_maps"]:
            raise RuntimeError(
                f"{kernel.__name__}: its copies need tensor maps, which a call does not encode on "
                f"the GPU yet: save() it and run tirx-run --on=gpu")
        function = self._function(ordinal)
        named: dict[str, Any] = {}
        for parameter, value in zip(kernel.parameters, args):
            where = f"{kernel.__name__}: argument '{parameter.name}'"
            named[parameter.name] = value
            if not parameter.is_pointer:
                _scalar(parameter, value, where)
                continue
            address, name, shape, dense = _view(value, where)
            if name != parameter.dtype.numpy:
                raise TypeError(f"{where}: expected {parameter.dtype.numpy}, got {name}")
            if parameter.shape is not None and shape != parameter.shape:
                raise ValueError(f"{where}: expected shape {parameter.shape}, got {shape}")
            if not dense:
                raise ValueError(f"{where}: expected a contiguous array")
            if address % _ALIGNMENT and shape:
                raise ValueError(f"{where}: expected an address that is a multiple of "
                                 f"{_ALIGNMENT}, got {address:#x}")
        grid = kernel.grid_of(named)
        shared = kernel._metadata()["shared"]
        config = _native.launch_config(grid, kernel.block, kernel.cluster, shared)
        return function.launcher(config)


def _make_fast_path(dispatcher: Dispatcher) -> Callable[[Sequence[Any], int], bool]:
    """The call written out for the kernel's parameters, as a loop would cost more than
    the launch. It serves arrays of torch in a combination that was checked before."""
    names = [f"a{i}" for i in range(len(dispatcher.kernel.parameters))]
    key, values, pointers = [], [], []
    for name, parameter in zip(names, dispatcher.kernel.parameters):
        if parameter.is_pointer:
            key += [f"{name}.dtype", f"{name}.shape", f"{name}.stride()", f"{name}.get_device()"]
            pointers.append(f"p{name}")
            values.append(f"p{name}")
        else:
            key.append(name)
            values.append(name)
    unpack = f"{', '.join(names)}{',' if names else ''} = args" if names else "pass"
    addresses = "; ".join(f"p{n} = {n}.data_ptr()" for n, p in
                          zip(names, dispatcher.kernel.parameters) if p.is_pointer) or "pass"
    low = f"({' | '.join(pointers) or '0'}) & {_ALIGNMENT - 1}"
    whole_key = f"({', '.join([*key, low])},)"
    if dispatcher.kernel.maps:
        addresses_of = "".join(f"{pointer}, " for pointer in pointers)
        values.append(f"*dispatcher.encoded_maps(args, (key, {addresses_of}))")
    text = f"""
def key_of(args):
    {unpack}
    {addresses}
    return {whole_key}

def fast(args, stream):
    {unpack}
    {addresses}
    key = {whole_key}
    launch = dispatcher.configs.get(key)
    if launch is None:
        return False
    launch(dispatcher.pack.pack({', '.join(values)}), stream)
    return True
"""
    scope: dict[str, Any] = {"dispatcher": dispatcher}
    exec(text, scope)
    dispatcher.key = scope["key_of"]
    fast: Callable[[Sequence[Any], int], bool] = scope["fast"]
    return fast


def _stream(stream: Any) -> int:
    """The handle of a stream of the driver."""
    if stream is None:
        torch = sys.modules.get("torch")
        if torch is None or not torch.cuda.is_initialized():
            return 0
        handle: int = torch._C._cuda_getCurrentRawStream(torch._C._cuda_getDevice())
        return handle
    for attribute in ("cuda_stream", "ptr"):  # torch, CuPy
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    return int(stream)


def run_copied(kernel: "Kernel", args: Sequence[Any], stream: Any = None) -> None:
    """Runs on the first GPU; arrays of the CPU are copied there and back (by torch)."""
    if device_of(args) is None:
        if not _native.device_count():
            raise RuntimeError(f"{kernel.__name__}: expected a GPU, the driver offers none")
        import torch

        moved = [torch.as_tensor(a).cuda() if p.is_pointer else a
                 for a, p in zip(args, kernel.parameters)]
        Dispatcher(kernel)(moved, stream)
        torch.cuda.synchronize()
        for original, copy, parameter in zip(args, moved, kernel.parameters):
            if parameter.is_pointer and getattr(getattr(original, "flags", None), "writeable", True):
                original[...] = copy.cpu().numpy() if hasattr(original, "flags") else copy.cpu()
        return
    kernel(*args, stream=stream)
