//===- SampleOps.h - tirx.ptx ops for sampled instructions ------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_PTX_SAMPLEOPS_H
#define TIRX_UNITTESTS_PTX_SAMPLEOPS_H

#include "SampleText.h"

namespace tirx::ptx {

/// Whether a tirx.ptx op can name the instruction: its operands are values.
bool isOp(const ResolvedInstruction &inst);

/// A kernel `@k<number>` with the instruction as an op, on one line that ends
/// with its name as a comment. Operands of types that have several kinds of
/// values get one at random.
std::string kernelWithOp(const ResolvedInstruction &inst, unsigned number,
                         const SampleTarget &target, std::mt19937 &random);

} // namespace tirx::ptx

#endif // TIRX_UNITTESTS_PTX_SAMPLEOPS_H
