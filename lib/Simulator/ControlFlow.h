//===- ControlFlow.h - where diverged lanes meet ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_CONTROLFLOW_H
#define TIRX_LIB_SIMULATOR_CONTROLFLOW_H

#include "TIRx/Simulator/Program.h"

namespace tirx::sim {

/// How control leaves an instruction.
enum class Flow : uint8_t { Falls, Branches, Ends };

/// Sets Inst::join of every conditional branch to the first instruction of its
/// immediate post-dominator, kNoPc when there is none (the paths meet only at
/// the end). `flow[pc]` classifies the instructions; a branch or an end without
/// a guard does not fall through.
void computeJoins(std::vector<Inst> &code, const std::vector<Flow> &flow);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_CONTROLFLOW_H
