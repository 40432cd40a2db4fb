# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy under the names of PyTorch that listings use to make inputs and to
compare results. What they run on is the simulator, whatever device they name."""

from __future__ import annotations

import importlib
import types
from typing import Any


def torch() -> Any:
    """PyTorch where it sees a GPU, else the stand-in."""
    try:
        real = importlib.import_module("torch")
    except ImportError:
        return _STAND_IN
    return real if real.cuda.is_available() else _STAND_IN


def _numpy() -> Any:
    return importlib.import_module("numpy")


class Tensor:
    """An array of NumPy with the methods of a tensor."""

    def __init__(self, array: Any) -> None:
        self._array = array

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._array.shape)

    @property
    def dtype(self) -> Any:
        return self._array.dtype

    @property
    def __array_interface__(self) -> Any:
        return self._array.__array_interface__

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._array if dtype is None else self._array.astype(dtype)

    @property
    def T(self) -> "Tensor":
        return Tensor(self._array.T)

    def numpy(self) -> Any:
        return self._array

    def float(self) -> "Tensor":
        return Tensor(self._array.astype("float32"))

    def half(self) -> "Tensor":
        return Tensor(self._array.astype("float16"))

    def cpu(self) -> "Tensor":
        return self

    def cuda(self) -> "Tensor":
        return self

    def abs(self) -> "Tensor":
        return Tensor(abs(self._array))

    def max(self) -> Any:
        return self._array.max()

    def __sub__(self, other: Any) -> "Tensor":
        return Tensor(self._array - _plain(other))

    def __add__(self, other: Any) -> "Tensor":
        return Tensor(self._array + _plain(other))

    def __mul__(self, other: Any) -> "Tensor":
        return Tensor(self._array * _plain(other))

    def __matmul__(self, other: Any) -> "Tensor":
        return Tensor(self._array @ _plain(other))

    def __getitem__(self, index: Any) -> "Tensor":
        return Tensor(self._array[index])

    def __repr__(self) -> str:
        return f"tensor({self._array!r})"


def _plain(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


_random: Any = None


def manual_seed(seed: int) -> None:
    global _random
    _random = _numpy().random.default_rng(seed)


def randn(*shape: int, dtype: str = "float32", device: Any = None) -> Tensor:
    if _random is None:
        manual_seed(0)
    return Tensor(_random.standard_normal(shape).astype(dtype))


def zeros(*shape: int, dtype: str = "float32", device: Any = None) -> Tensor:
    return Tensor(_numpy().zeros(shape, dtype))


def ones(*shape: int, dtype: str = "float32", device: Any = None) -> Tensor:
    return Tensor(_numpy().ones(shape, dtype))


def _assert_close(actual: Any, expected: Any, *, rtol: float, atol: float) -> None:
    _numpy().testing.assert_allclose(_plain(actual).astype("float64"),
                                     _plain(expected).astype("float64"), rtol=rtol, atol=atol)


_cuda = types.SimpleNamespace(is_available=lambda: False, empty_cache=lambda: None,
                              synchronize=lambda: None)
_STAND_IN = types.SimpleNamespace(
    Tensor=Tensor, device=str, randn=randn, zeros=zeros, ones=ones, manual_seed=manual_seed,
    float16="float16", float32="float32", int32="int32", cuda=_cuda,
    testing=types.SimpleNamespace(assert_close=_assert_close))
