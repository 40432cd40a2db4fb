//===- RegistrationText.h - rules of the text of an instruction -*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_DIALECT_TIRX_IR_REGISTRATIONTEXT_H
#define TIRX_LIB_DIALECT_TIRX_IR_REGISTRATIONTEXT_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

namespace tirx {

/// Constraint instruction_c3: whole statements that name every operand and
/// nothing of the compiler's.
mlir::LogicalResult verifyText(InstructionOp op);

/// Constraint instruction_c9: the declared effects cover those that the table
/// knows of the text.
mlir::LogicalResult verifyTextEffects(InstructionOp op);

} // namespace tirx

#endif // TIRX_LIB_DIALECT_TIRX_IR_REGISTRATIONTEXT_H
