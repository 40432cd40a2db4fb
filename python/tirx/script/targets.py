# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which chips have what a kernel at tile level uses."""

from __future__ import annotations

import functools

from tirx import _native
from tirx.lite.trace import current

# An instruction that a chip has exactly when it has the feature.
_WITNESSES = {
    "tcgen05": "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32",
    "wgmma": "wgmma.fence.sync.aligned",
    "bulk": "cp.async.bulk.commit_group",
    "cp_async": "cp.async.commit_group",
    "cluster": "barrier.cluster.arrive",
    "elect": "elect.sync",
    "mbarrier": "mbarrier.init.shared::cta.b64",
    "mbarrier_wait": "mbarrier.try_wait.parity.shared::cta.b64",
}


@functools.lru_cache(maxsize=None)
def _chips(feature: str) -> frozenset[str]:
    return frozenset(_native.resolve_instruction(_WITNESSES[feature])["targets"])


def require(feature: str) -> None:
    """The kernel uses a feature."""
    current().chip_sets.add(_chips(feature))
