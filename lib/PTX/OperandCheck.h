//===- OperandCheck.h - operands against the table --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_PTX_OPERANDCHECK_H
#define TIRX_LIB_PTX_OPERANDCHECK_H

#include "TIRx/PTX/AST.h"
#include "TIRx/PTX/Table.h"
#include <string>

namespace tirx::ptx {

/// What is wrong with the operands of an instruction, and where; no message if
/// nothing is.
struct OperandProblem {
  std::string message;
  SourceLoc loc;
  explicit operator bool() const { return !message.empty(); }
};

/// Checks the number, kinds and types of the operands. `specs` are those of
/// `resolved`.
OperandProblem checkOperands(const Instruction &instruction,
                             const ResolvedInstruction &resolved,
                             llvm::ArrayRef<OperandSpec> specs,
                             unsigned addressSize);

} // namespace tirx::ptx

#endif // TIRX_LIB_PTX_OPERANDCHECK_H
