//===- SampleText.h - statements for sampled instructions -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_UNITTESTS_PTX_SAMPLETEXT_H
#define TIRX_UNITTESTS_PTX_SAMPLETEXT_H

#include "TIRx/PTX/Table.h"
#include <optional>
#include <random>

namespace tirx::ptx {

/// What samples are for.
struct SampleTarget {
  llvm::StringRef chip;
  unsigned ptx;
};

/// Whether the instruction can stand alone in a kernel.
bool isSampled(const ResolvedInstruction &inst);

/// wgmma takes A from shared memory or from four registers.
bool isWgmma(const ResolvedInstruction &inst);

/// Which optional operand a sample of the instruction has: one of those that
/// may stand without the others and that the target has, or none. The choice is
/// the dice's.
std::optional<llvm::StringRef> chooseOptional(const ResolvedInstruction &inst,
                                              const SampleTarget &target,
                                              std::mt19937 &random);

/// Whether a sample has the operand: of optional ones `chosen` and the
/// immediates of wgmma that transpose, of which B's is there always and A's if
/// it is not in registers.
bool isWritten(const OperandSpec &operand, bool isAInRegisters,
               std::optional<llvm::StringRef> chosen);

/// A kernel on one line, with `name` and registers and constants for the
/// operands of `inst`; ends with a comment that has `mark` and the name.
std::string kernelLine(const ResolvedInstruction &inst, llvm::StringRef name,
                       char mark, unsigned number, const SampleTarget &target,
                       std::mt19937 &random);

/// A constant that the instruction takes for this operand.
std::string immediate(const ResolvedInstruction &inst, llvm::StringRef operand);

/// How many coordinates or offsets of a tensor; the table leaves offsets to the
/// text.
unsigned tensorCount(const ResolvedInstruction &inst, llvm::StringRef operand);

} // namespace tirx::ptx

#endif // TIRX_UNITTESTS_PTX_SAMPLETEXT_H
