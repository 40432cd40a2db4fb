//===- RegisterPool.h - setmaxnreg ------------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_REGISTERPOOL_H
#define TIRX_LIB_SIMULATOR_REGISTERPOOL_H

#include "Machine.h"

namespace tirx::sim {

/// Registers of a thread at entry, when the kernel's directives fix them.
std::optional<unsigned> registersAtEntry(const Kernel &kernel,
                                         unsigned threads);

/// What a warp that wants `wanted` registers for each thread waits for.
std::string describeRegisterWait(const Warp &warp, unsigned wanted);

/// Reports setmaxnreg that only some warps of a warpgroup have executed.
void checkRegisterChangesAtExit(const Cta &cta);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_REGISTERPOOL_H
