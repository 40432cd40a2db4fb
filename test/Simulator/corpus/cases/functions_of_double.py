# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""References of functions_of_double.cu."""

import numpy as np

import functions_by_type

functions_by_type.register(np.float64, __name__)
