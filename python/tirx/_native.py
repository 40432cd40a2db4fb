# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native library through its C API (include/TIRx-c/TIRx.h)."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import pathlib
import threading
from typing import Any, Callable, Iterable, Mapping, Sequence


class _String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("name", _String),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_uint64),
        ("read_only", ctypes.c_bool),
        ("uninitialised", ctypes.c_bool),
    ]


class _Argument(ctypes.Structure):
    _fields_ = [
        ("buffer", ctypes.c_int32),
        ("offset", ctypes.c_uint64),
        ("bytes", ctypes.c_void_p),
        ("size", ctypes.c_uint64),
    ]


class _Launch(ctypes.Structure):
    _fields_ = [
        ("entry", _String),
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("cluster", ctypes.c_uint32 * 3),
        ("shared", ctypes.c_uint64),
        ("buffers", ctypes.POINTER(_Buffer)),
        ("buffer_count", ctypes.c_size_t),
        ("arguments", ctypes.POINTER(_Argument)),
        ("argument_count", ctypes.c_size_t),
    ]


class _LaunchConfig(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("cluster", ctypes.c_uint32 * 3),
        ("shared", ctypes.c_uint32),
        ("cooperative", ctypes.c_bool),
        ("programmatic", ctypes.c_bool),
    ]


def _candidates() -> Iterable[pathlib.Path]:
    if path := os.environ.get("TIRX_LIBRARY"):
        yield pathlib.Path(path)
        return
    here = pathlib.Path(__file__).resolve().parent
    yield here / "_lib" / "libtirx.so"  # of the wheel
    yield here.parents[1] / "build" / "release" / "lib" / "libtirx.so"


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    tried = []
    for path in _candidates():
        if path.exists():
            break
        tried.append(str(path))
    else:
        raise ImportError("tirx: expected the native library at " + " or ".join(tried))
    lib = ctypes.CDLL(str(path))
    result, module = ctypes.c_void_p, ctypes.c_void_p
    for name, restype, argtypes in [
        ("tirxGetVersion", _String, []),
        ("tirxResultSucceeded", ctypes.c_bool, [result]),
        ("tirxResultGet", _String, [result, ctypes.c_char_p]),
        ("tirxResultDestroy", None, [result]),
        ("tirxContextCreate", ctypes.c_void_p, []),
        ("tirxContextDestroy", None, [ctypes.c_void_p]),
        ("tirxCompile", result, [ctypes.c_void_p, _String, _String]),
        ("tirxListOperations", result, [ctypes.c_void_p]),
        ("tirxModuleLoad", module, [_String, _String, _String, ctypes.POINTER(result)]),
        ("tirxModuleDestroy", None, [module]),
        ("tirxModuleDescribe", result, [module]),
        ("tirxSimulate", result, [module, ctypes.POINTER(_Launch), _String]),
        ("tirxRunLaunchFile", result, [_String, _String, _String]),
        ("tirxGetDeviceCount", ctypes.c_int32, []),
        ("tirxDeviceOpen", module, [ctypes.c_int32, ctypes.POINTER(result)]),
        ("tirxDeviceDescribe", result, [module]),
        ("tirxDeviceSynchronize", result, [module]),
        ("tirxFunctionLoad", module, [module, _String, _String, ctypes.POINTER(result)]),
        ("tirxFunctionDestroy", None, [module]),
        ("tirxFunctionDescribe", result, [module]),
        ("tirxFunctionLaunch", result,
         [module, ctypes.POINTER(_LaunchConfig), ctypes.c_char_p, ctypes.c_size_t,
          ctypes.c_void_p]),
        ("tirxAnswerLayoutRequest", result, [_String]),
        ("tirxShowLayout", result, [_String]),
        ("tirxListInstructions", result, []),
        ("tirxResolveInstruction", result, [_String]),
        ("tirxListTileOps", result, []),
    ]:
        function = getattr(lib, name)
        function.restype, function.argtypes = restype, argtypes
    return lib


def _string(text: str | bytes) -> tuple[_String, bytes]:
    """The C string and what keeps its bytes alive."""
    data = text.encode() if isinstance(text, str) else text
    pointer = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p)
    return _String(pointer, len(data)), data


class Result:
    """What a function of the library gave back: named parts."""

    def __init__(self, pointer: int) -> None:
        self._pointer = pointer

    def __del__(self) -> None:
        if self._pointer:
            _library().tirxResultDestroy(self._pointer)
            self._pointer = 0

    @property
    def succeeded(self) -> bool:
        return _library().tirxResultSucceeded(self._pointer)

    def bytes(self, part: str) -> bytes | None:
        text = _library().tirxResultGet(self._pointer, part.encode())
        return ctypes.string_at(text.data, text.length) if text.data else None

    def text(self, part: str) -> str | None:
        data = self.bytes(part)
        return None if data is None else data.decode()

    def json(self, part: str) -> Any:
        data = self.bytes(part)
        return None if data is None else json.loads(data)


def version() -> str:
    text = _library().tirxGetVersion()
    return ctypes.string_at(text.data, text.length).decode()


@functools.lru_cache(maxsize=None)
def identity() -> list[int]:
    """What tells one build of the library from another: its file's size and time."""
    status = os.stat(library_path())
    return [status.st_size, status.st_mtime_ns]


class _Context:
    """Loaded dialects, one for all threads; renewed now and then, because a
    context keeps every type and attribute that it ever saw."""

    MAX_USES = 256

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.pointer = 0
        self.uses = 0

    def compile(self, source: str, options: Mapping[str, Any]) -> Result:
        library = _library()
        text, _keep = _string(source)
        option_text, _keep_options = _string(json.dumps(options))
        with self.lock:
            return Result(library.tirxCompile(self._take(), text, option_text))

    def operations(self) -> list[str]:
        """The names of the dialect's ops."""
        with self.lock:
            names: list[str] = Result(_library().tirxListOperations(self._take())).json(
                "operations")
        return names

    def _take(self) -> int:
        library = _library()
        if self.pointer and self.uses >= self.MAX_USES:
            library.tirxContextDestroy(self.pointer)
            self.pointer = 0
        if not self.pointer:
            self.pointer, self.uses = library.tirxContextCreate(), 0
        self.uses += 1
        return self.pointer


_context = _Context()


def compile(source: str, **options: Any) -> Result:
    """Compiles MLIR text; options and parts are those of `tirxCompile`."""
    return _context.compile(source, options)


def operations() -> list[str]:
    """The names of the dialect's ops."""
    return _context.operations()


def library_path() -> str:
    return str(_library()._name)


class Module:
    """PTX, parsed and decoded for the simulator."""

    def __init__(self, ptx: str, name: str = "<kernel>", models: str = "") -> None:
        library = _library()
        self._pointer = 0
        failure = ctypes.c_void_p()
        strings = [_string(text) for text in (ptx, name, models)]
        pointer = library.tirxModuleLoad(*(s for s, _ in strings), ctypes.byref(failure))
        if not pointer:
            raise ValueError(Result(failure.value or 0).text("error"))
        self._pointer = pointer

    def __del__(self) -> None:
        if self._pointer:
            _library().tirxModuleDestroy(self._pointer)
            self._pointer = 0

    def kernels(self) -> list[dict[str, Any]]:
        return Result(_library().tirxModuleDescribe(self._pointer)).json("kernels")

    def simulate(
        self,
        buffers: Sequence[tuple[str, int, int, bool]],
        arguments: Sequence[tuple[int, int] | bytes],
        *,
        entry: str = "",
        grid: Sequence[int],
        block: Sequence[int],
        cluster: Sequence[int] = (1, 1, 1),
        shared: int = 0,
        **options: Any,
    ) -> Result:
        """Runs one launch. A buffer is (name, address, bytes, read only); an argument
        is (index of a buffer, offset in bytes), or plain bytes."""
        keep: list[Any] = []

        def text(value: str) -> _String:
            string, data = _string(value)
            keep.append(data)
            return string

        c_buffers = (_Buffer * len(buffers))(
            *(_Buffer(text(name), address, size, read_only, False)
              for name, address, size, read_only in buffers)
        )
        c_arguments = (_Argument * len(arguments))()
        for slot, argument in zip(c_arguments, arguments):
            if isinstance(argument, bytes):
                keep.append(argument)
                pointer = ctypes.cast(ctypes.c_char_p(argument), ctypes.c_void_p)
                slot.buffer, slot.bytes, slot.size = -1, pointer, len(argument)
            else:
                slot.buffer, slot.offset = argument
        three = ctypes.c_uint32 * 3
        launch = _Launch(
            text(entry), three(*grid), three(*block), three(*cluster), shared,
            c_buffers, len(buffers), c_arguments, len(arguments),
        )
        option_text = text(json.dumps(options))
        return Result(_library().tirxSimulate(self._pointer, ctypes.byref(launch), option_text))


def run_launch_file(text: str, directory: str, **options: Any) -> Result:
    """Runs a launch file as `tirx-run` does; options and parts: `tirxRunLaunchFile`."""
    strings = [_string(part) for part in (text, directory, json.dumps(options))]
    return Result(_library().tirxRunLaunchFile(*(string for string, _ in strings)))


@functools.lru_cache(maxsize=None)
def device_count() -> int:
    """GPUs that the driver offers; 0 without a driver."""
    count: int = _library().tirxGetDeviceCount()
    return count


class Device:
    """A GPU, opened once in a process."""

    def __init__(self, ordinal: int) -> None:
        failure = ctypes.c_void_p()
        pointer = _library().tirxDeviceOpen(ordinal, ctypes.byref(failure))
        if not pointer:
            raise RuntimeError(Result(failure.value or 0).text("error"))
        self.pointer = pointer
        description = Result(_library().tirxDeviceDescribe(pointer)).json("device")
        self.name: str = description["name"]
        self.architecture: str = description["architecture"]

    def encode_tensor_map(self, description: Mapping[str, Any], address: int,
                          where: str) -> bytes:
        """The 128 bytes by which the driver describes an array to the copy engine."""
        text, _keep = _string(json.dumps(description))
        encode = _library().tirxDeviceEncodeTensorMap
        encode.restype = ctypes.c_void_p
        encode.argtypes = [ctypes.c_void_p, _String, ctypes.c_uint64]
        result = Result(encode(self.pointer, text, address))
        image = result.bytes("map")
        if image is None:
            raise ValueError(f"{where}: {result.text('error')}")
        return image

    def synchronize(self) -> None:
        """Waits for all work; an error of a kernel that ran shows here."""
        failed = _library().tirxDeviceSynchronize(self.pointer)
        if failed:
            raise RuntimeError(Result(failed).text("error"))


@functools.lru_cache(maxsize=None)
def device(ordinal: int) -> Device:
    return Device(ordinal)


class Function:
    """A kernel on a device."""

    def __init__(self, owner: Device, image: str | bytes, entry: str) -> None:
        self._pointer = 0
        failure = ctypes.c_void_p()
        image_text, _keep = _string(image)
        entry_text, _keep_entry = _string(entry)
        pointer = _library().tirxFunctionLoad(owner.pointer, image_text, entry_text,
                                              ctypes.byref(failure))
        if not pointer:
            raise RuntimeError(Result(failure.value or 0).text("error"))
        self._pointer = pointer
        self._launch = _library().tirxFunctionLaunch
        self.description: dict[str, Any] = Result(
            _library().tirxFunctionDescribe(pointer)).json("kernel")

    def __del__(self) -> None:
        if self._pointer:
            _library().tirxFunctionDestroy(self._pointer)
            self._pointer = 0

    def launcher(self, config: "_LaunchConfig") -> Callable[[bytes, int], None]:
        """What enqueues a launch of this form: it takes the parameter block, with each
        argument at its offset, and a stream."""
        launch, pointer, form = self._launch, self._pointer, ctypes.pointer(config)

        def run(parameters: bytes, stream: int) -> None:
            failed = launch(pointer, form, parameters, len(parameters), stream)
            if failed:
                raise RuntimeError(Result(failed).text("error"))

        run.owner = self  # type: ignore[attr-defined]
        return run


def launch_config(grid: Sequence[int], block: Sequence[int], cluster: Sequence[int], shared: int,
                  cooperative: bool = False, programmatic: bool = False) -> "_LaunchConfig":
    three = ctypes.c_uint32 * 3
    return _LaunchConfig(three(*grid), three(*block), three(*cluster), shared, cooperative,
                         programmatic)


def layout_request(op: str, **arguments: Any) -> Any:
    """The result of a request of docs/tirx-layout.md; ValueError says why not."""
    text, _keep = _string(json.dumps({"op": op, **arguments}))
    answer = Result(_library().tirxAnswerLayoutRequest(text)).json("answer")
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["result"]


def show_layout(**request: Any) -> str:
    """A layout for people; the keys are those of `tirxShowLayout`."""
    text, _keep = _string(json.dumps(request))
    result = Result(_library().tirxShowLayout(text))
    shown = result.text("text")
    if shown is None:
        raise ValueError(result.text("error"))
    return shown


@functools.lru_cache(maxsize=None)
def resolve_instruction(text: str) -> dict[str, Any]:
    """What an instruction with its modifiers is; ValueError names what is wrong."""
    string, _keep = _string(text)
    result = Result(_library().tirxResolveInstruction(string))
    if not result.succeeded:
        raise ValueError(result.text("error"))
    return result.json("instruction")


@functools.lru_cache(maxsize=None)
def instructions() -> list[dict[str, Any]]:
    return Result(_library().tirxListInstructions()).json("instructions")


@functools.lru_cache(maxsize=None)
def tile_ops() -> list[dict[str, Any]]:
    """The tile ops of the dialect, as `tirxListTileOps` describes them."""
    return Result(_library().tirxListTileOps()).json("ops")
