//===- PtxSignature.h - operands and results of tirx.ptx --------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the operands of a PTX instruction are the operands and results of a
// `tirx.ptx` op: in the order of the text, what is written is a result, what is
// read an input, what is read and written both, with one value for each
// register.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_PTXSIGNATURE_H
#define TIRX_DIALECT_TIRX_IR_PTXSIGNATURE_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/PTX/Table.h"

namespace tirx {

/// One operand of the instruction and the values of the op that stand for it.
struct PtxOperand {
  ptx::OperandSpec spec;
  /// First of its values among the op's inputs, and how many.
  unsigned firstInput = 0, numInputs = 0;
  /// First of its values among the op's results, and how many.
  unsigned firstResult = 0, numResults = 0;
};

/// The operands of an op. Optional ones that are left out do not appear.
using PtxSignature = llvm::SmallVector<PtxOperand, 8>;

/// Distributes `numInputs` inputs and `numResults` results over the operands of
/// `instruction`. Fails when they do not fit, with what the instruction wants.
/// The types of the inputs, where given, tell operands apart of which one is
/// written.
llvm::Expected<PtxSignature>
matchSignature(const ptx::ResolvedInstruction &instruction, unsigned numInputs,
               unsigned numResults, mlir::TypeRange types = {});

/// The instruction that the text of `op` names and the values of its operands.
/// Verified ops always have one.
llvm::Expected<std::pair<ptx::ResolvedInstruction, PtxSignature>>
getSignature(PtxOp op);

/// The operands that a signature has.
llvm::SmallVector<ptx::OperandSpec, 8> specsOf(const PtxSignature &signature);

/// What value `index` of an operand has to be, in words; empty where `type` is
/// right.
std::string expectedType(const ptx::OperandSpec &spec, mlir::Type type,
                         unsigned index);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_IR_PTXSIGNATURE_H
