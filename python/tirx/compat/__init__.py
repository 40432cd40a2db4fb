# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host-side names that listings written for TVM use.

    from tirx import compat as tvm

    with tvm.target.Target("cuda") as target:
        ex = tvm.compile(tvm.IRModule({"main": kernel}), target=target)
    ex.mod(A, B, D)

A chip may be named: `Target("sm_100a")`, or `Target({"kind": "cuda", "arch": "sm_100a"})`.
`from tirx.compat import torch` is PyTorch where it is installed and sees a GPU, else
arrays of NumPy under the names that such listings use.
"""

from __future__ import annotations

import importlib
from typing import Any, Iterator, Mapping

from tirx.compat import target
from tirx.lite.dtypes import DType, to_dtype
from tirx.runtime.kernel import Kernel


def DataType(name: str) -> DType:
    """An element type by its name, such as "float16"."""
    return to_dtype(name)


class IRModule:
    """Kernels by name."""

    def __init__(self, functions: Mapping[str, Kernel] | None = None) -> None:
        self.functions = dict(functions or {})
        for name, kernel in self.functions.items():
            if not isinstance(kernel, Kernel):
                raise TypeError(f"IRModule: expected a kernel under '{name}', got "
                                f"{type(kernel).__name__}")

    def __getitem__(self, name: str) -> Kernel:
        return self.functions[name]

    def __setitem__(self, name: str, kernel: Kernel) -> None:
        self.functions.update(IRModule({name: kernel}).functions)

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)


class Executable:
    """What `compile` gives: `.mod(...)` calls the kernel "main", `ex["name"]` another."""

    def __init__(self, module: IRModule) -> None:
        self._module = module

    @property
    def mod(self) -> Kernel:
        functions = self._module.functions
        if "main" in functions:
            return functions["main"]
        if len(functions) == 1:
            return next(iter(functions.values()))
        raise KeyError(f"expected a kernel 'main', got {', '.join(functions)}")

    def __getitem__(self, name: str) -> Kernel:
        return self._module[name]

    def __call__(self, *args: Any) -> None:
        self.mod(*args)


def compile(module: Any, target: Any = None, tir_pipeline: str = "tirx") -> Executable:  # noqa: A001
    """Compiles a module, or one kernel, for the target's chip, by default the first that
    has all that a kernel uses."""
    from tirx.compat.target import Target

    if tir_pipeline != "tirx":
        raise ValueError(f"tir_pipeline: expected 'tirx', got {tir_pipeline!r}")
    if isinstance(module, Kernel):
        module = IRModule({"main": module})
    if not isinstance(module, IRModule) or not module.functions:
        raise TypeError("compile: expected an IRModule with a kernel, or a kernel, got "
                        f"{type(module).__name__}")
    chosen = Target.of(target)
    for kernel in module.functions.values():
        kernel.compile_for(chosen.arch)
    return Executable(module)


def __getattr__(name: str) -> Any:
    if name == "torch":
        from tirx.compat import arrays

        return arrays.torch()
    if name == "runtime":
        return importlib.import_module("tirx.runtime")
    raise AttributeError(f"module 'tirx.compat' has no attribute '{name}'")


__all__ = ["DataType", "Executable", "IRModule", "compile", "target"]
