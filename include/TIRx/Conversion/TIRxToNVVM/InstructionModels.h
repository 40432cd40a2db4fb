//===- InstructionModels.h - bodies of registered instructions --*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a `tirx.instruction` says what the instruction computes. As an
// `llvm.func` it becomes a PTX function, which a simulator calls where it meets
// the mnemonic, and against which a known text is checked.
//
// The function takes the registers of the operands that are read and returns
// those of the ones that are written, in order: as i32, or as i64 where they
// are wider than 32 bits; several results in a struct.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_CONVERSION_TIRXTONVVM_INSTRUCTIONMODELS_H
#define TIRX_CONVERSION_TIRXTONVVM_INSTRUCTIONMODELS_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tirx {

/// What the registers of an operand are to a model.
mlir::Type getModelType(OperandAttr operand);

/// The register of `type` that a word of a model holds, and back: narrower ones
/// are in the low bits, under zeros.
mlir::Value wordToRegister(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value word, mlir::Type type);
mlir::Value registerToWord(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, mlir::Type word);

/// Adds the model of `instruction` to a module at the builder's place.
mlir::LLVM::LLVMFuncOp createInstructionModel(mlir::OpBuilder &builder,
                                              InstructionOp instruction,
                                              llvm::StringRef name);

/// `acme.bump.u32 tirx_model_0 out:b32 in:b64 imm:b32`: mnemonic, function and
/// operands in the order of the text, with the bits of a register and, where
/// there are several, their number (`in:b32x4`).
std::string describeInstructionModel(InstructionOp instruction,
                                     llvm::StringRef function);

} // namespace tirx

#endif // TIRX_CONVERSION_TIRXTONVVM_INSTRUCTIONMODELS_H
