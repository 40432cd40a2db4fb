# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`txl.kernel`: a Python function becomes a kernel."""

from __future__ import annotations

import inspect
from typing import Any, Callable

from tirx.lite.dtypes import DType
from tirx.lite.expr import Expr
from tirx.lite import tensor_map
from tirx.lite.memory import gptr
from tirx.lite.tensor_map import TensorMap
from tirx.lite.trace import Trace, TraceError, raised_at, tracing
from tirx.runtime.kernel import Kernel, MapParameter, Parameter

_MAX_WARPS = 32


def kernel(function: Callable[..., Any] | None = None, *, warps: int = 1, grid: Any = 1,
           cluster: Any = 1, arch: str | None = None, min_blocks_per_sm: int | None = None) -> Any:
    """Traces the function and makes a kernel of it.

    `warps`: of a CTA, 1 to 32. `grid`: CTAs, a number, a list of up to three, the name
    of a parameter, or a function of the parameters (a dict). `cluster`: CTAs of a
    cluster. `arch`: the chip, such as "sm_90a"; by default the first that has all
    instructions. `min_blocks_per_sm`: what ptxas keeps registers low for."""

    def decorate(traced: Callable[..., Any]) -> Kernel:
        return _trace(traced, warps, grid, cluster, arch, min_blocks_per_sm)

    return decorate if function is None else decorate(function)


def _three(value: Any, what: str, place: tuple[str, int, int]) -> tuple[int, int, int]:
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    if not 1 <= len(values) <= 3 or any(not isinstance(v, int) or v < 1 for v in values):
        raise TraceError(f"{what}: expected one to three positive integers, got {value!r}", place)
    return tuple(values + [1] * (3 - len(values)))  # type: ignore[return-value]


def _trace(function: Callable[..., Any], warps: int, grid: Any, cluster: Any, arch: str | None,
           min_blocks: int | None) -> Kernel:
    code = function.__code__
    place = (code.co_filename, code.co_firstlineno, 1)
    if not isinstance(warps, int) or not 1 <= warps <= _MAX_WARPS:
        raise TraceError(f"warps: expected 1 to {_MAX_WARPS}, got {warps!r}", place)
    trace = Trace(function.__name__, code.co_filename)
    trace.threads = warps * 32
    if min_blocks is not None:
        if not isinstance(min_blocks, int) or not 1 <= min_blocks <= _MAX_WARPS:
            raise TraceError(f"min_blocks_per_sm: expected 1 to {_MAX_WARPS}, got {min_blocks!r}",
                             place)
        trace.min_blocks = min_blocks
        trace.attributes["nvvm.minctasm"] = f"{min_blocks} : i32"
    trace.attributes["known_block_size"] = f"array<i32: {warps * 32}, 1, 1>"
    cluster_shape = _three(cluster, "cluster", place)
    if cluster_shape != (1, 1, 1):
        trace.attributes["known_cluster_size"] = "array<i32: {}, {}, {}>".format(*cluster_shape)
    parameters, maps = _parameters(function, place)
    with tracing(trace):
        bound = {p.name: _bind(p, f"%arg{i}") for i, p in enumerate(parameters)}
        for i, m in enumerate(maps, len(parameters)):
            bound[m.name] = m.declared.bind(f"%arg{i}")
        _run(function, bound)
        if trace.roles is not None:
            trace.roles.check()
    if len(trace.regions) != 1:
        raise TraceError("expected every `with` to be closed", trace.regions[-1].opened_at())
    kinds = [p.mlir for p in parameters] + [" ".join(tensor_map.MLIR)] * len(maps)
    types = ", ".join(f"%arg{i}: {kind}" for i, kind in enumerate(kinds))
    return Kernel(
        name=function.__name__, ir=trace.text(types), parameters=parameters, grid=grid,
        block=(warps * 32, 1, 1), cluster=cluster_shape, arch=arch, chips=trace.chips,
        place=place, doc=function.__doc__, maps=maps,
    )


def _run(function: Callable[..., Any], bound: dict[str, Any]) -> None:
    """Runs the function. What went wrong inside this package, and a name that is not
    defined, become one message at the user's line; other exceptions of the user's own
    code pass with their traceback."""
    try:
        function(**bound)
    except TraceError:
        raise
    except Exception as error:
        place, is_users = raised_at(error)
        if is_users and not isinstance(error, (NameError, AttributeError)):
            raise
        kind = "" if isinstance(error, NameError) else f"{type(error).__name__}: "
        raise TraceError(f"{kind}{error}", place) from error


def _parameters(function: Callable[..., Any], place: tuple[str, int, int]
                ) -> tuple[list[Parameter], list[MapParameter]]:
    result: list[Parameter] = []
    maps: list[MapParameter] = []
    try:
        signature = inspect.signature(function, eval_str=True)
    except NameError as error:
        raise TraceError(str(error), place) from None
    for name, parameter in signature.parameters.items():
        kind = parameter.annotation
        if isinstance(kind, gptr):
            result.append(Parameter(name, kind.dtype, kind.mlir, True, kind.shape, kind.rank, kind))
        elif isinstance(kind, DType):
            result.append(Parameter(name, kind, kind.storage, False, None, 0, kind))
        elif isinstance(kind, TensorMap):
            maps.append(MapParameter(name, 0, kind))
        else:
            raise TraceError(
                f"parameter '{name}': expected a type such as txl.gptr[txl.f32] or txl.i32, got "
                + ("none" if kind is inspect.Parameter.empty else repr(kind)), place)
    for entry in maps:
        entry.number = _array_of(entry, result, place)
    return result, maps


def _array_of(entry: MapParameter, parameters: list[Parameter],
              place: tuple[str, int, int]) -> int:
    """The number of the parameter whose array a tensor map describes."""
    declared = entry.declared
    for number, parameter in enumerate(parameters):
        if parameter.name == declared.of and parameter.is_pointer:
            try:
                declared.check_type(parameter.dtype)
            except TraceError as error:
                raise TraceError(f"parameter '{entry.name}': {error.message}", place) from None
            return number
    names = ", ".join(f"'{p.name}'" for p in parameters if p.is_pointer) or "none"
    raise TraceError(f"parameter '{entry.name}': expected a TensorMap of a gptr parameter ({names}),"
                     f" got '{declared.of}'", place)


def _bind(parameter: Parameter, name: str) -> Any:
    if parameter.is_pointer:
        return parameter.declared.bind(name)
    dtype = parameter.dtype
    return Expr(dtype, lambda _: name)


