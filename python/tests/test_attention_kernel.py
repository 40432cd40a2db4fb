# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention against NumPy in every mode, at lengths that fit no block."""

import ml_dtypes
import numpy as np
import pytest

import tirx.lite as txl
from tirx.kernels.attention_sm90 import attention

TYPES = {"f16": (txl.f16, np.float16, 1e-3), "bf16": (txl.bf16, ml_dtypes.bfloat16, 8e-3)}


def expected(q, k, v, scale, causal, group):
    """In f64, with the probabilities written out; a row that sees no key is zero."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    k, v = np.repeat(k, group, 1), np.repeat(v, group, 1)
    scores = scale * (q @ k.transpose(0, 1, 3, 2))
    m, n = scores.shape[2:]
    if causal:
        scores = np.where(np.arange(n) <= np.arange(m)[:, None] + n - m, scores, -np.inf)
    largest = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isinf(largest), 0, largest))
    sums = weights.sum(-1, keepdims=True)
    return weights / np.where(sums == 0, 1, sums) @ v


def error_of(kernel, dtype, batch, heads, m, n, width, group=1, causal=False, scale=None, **options):
    generator = np.random.default_rng(m + n)
    shapes = [(batch, heads, m, width)] + [(batch, heads // group, n, width)] * 2
    q, k, v = (generator.standard_normal(shape).astype(dtype) for shape in shapes)
    o = np.full(q.shape, 99, dtype)
    kernel.simulate(q, k, v, o, m, n, **options)
    right = expected(q, k, v, 1 / np.sqrt(width) if scale is None else scale, causal, group)
    return float((np.abs(o.astype(np.float64) - right) / np.maximum(np.abs(right), 0.5)).max())


@pytest.mark.parametrize("mode", ["eager", "lazy", "random"])
@pytest.mark.parametrize("dtype, options, shape", [
    ("bf16", {"width": 64, "block": 64, "consumers": 1}, (1, 1, 70, 100)),
    ("f16", {"width": 64, "block": 48, "consumers": 1, "causal": True, "stages": 1}, (2, 1, 100, 37)),
    ("bf16", {"block": 64, "causal": True}, (1, 2, 200, 200)),
    ("f16", {"causal": True, "group": 2}, (1, 4, 130, 300)),
    ("bf16", {"scale": 0.5, "block": 16, "consumers": 1}, (1, 1, 1, 1)),
    ("bf16", {}, (1, 1, 128, 256))])
def test_attention(dtype, options, shape, mode):
    kind, numpy_type, tolerance = TYPES[dtype]
    error = error_of(attention(kind, **options), numpy_type, *shape, options.get("width", 128),
                     options.get("group", 1), options.get("causal", False), options.get("scale"),
                     mode=mode)
    assert error <= tolerance


def test_a_mask_that_is_missing_shows():
    """The comparison can fail: a causal result is not that of the whole."""
    kernel = attention(txl.f16, 64, block=64, consumers=1)
    assert error_of(kernel, np.float16, 1, 1, 64, 64, 64, causal=True) > 0.1


@pytest.mark.parametrize("options, message", [
    ({"dtype": txl.f32}, "dtype: expected f16 or bf16, got f32"),
    ({"width": 96}, "width: expected heads of 64 or 128 elements, got 96"),
    ({"block": 24}, "block: expected a positive multiple of 16, got 24"),
    ({"block": 256}, "block: expected at most 128 rows of K, got 256"),
    ({"consumers": 4}, "consumers: expected 1 or 2 warpgroups, got 4"),
    ({"stages": 4}, "stages: expected at most 232448 bytes of shared memory, 4 stages take 295168"),
    ({"group": 0}, "group: expected a positive integer, got 0")])
def test_shapes_that_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        attention(**options)
