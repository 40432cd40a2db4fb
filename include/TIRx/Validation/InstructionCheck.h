//===- InstructionCheck.h - registered instructions by running --*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_VALIDATION_INSTRUCTIONCHECK_H
#define TIRX_VALIDATION_INSTRUCTIONCHECK_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Target/TargetInfo.h"

namespace tirx {

/// Looks at every `tirx.instruction` below `root`. Where its text is known PTX,
/// text and body run on the simulator, on the same registers and memory: corner
/// values and random ones, 1,024 threads for each of a few immediates. A
/// difference is an error that gives the operands and both results.
/// Instructions that take warps together, order memory, work asynchronously or
/// point into other than global and generic memory have no such check.
///
/// Returns the models file for the rest, whose text the simulator does not
/// know: PTX functions, and for each a `.pragma "tirx.instruction ..."` that
/// says what describeInstructionModel does. Empty when none is needed.
mlir::FailureOr<std::string> checkInstructions(mlir::Operation *root,
                                               const TargetInfo &target);

} // namespace tirx

#endif // TIRX_VALIDATION_INSTRUCTIONCHECK_H
