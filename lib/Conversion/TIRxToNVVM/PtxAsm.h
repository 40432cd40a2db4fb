//===- PtxAsm.h - inline assembly, one place that writes it -----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_PTXASM_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_PTXASM_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include <string>

namespace tirx {

/// Builds one `llvm.inline_asm`. Outputs are declared before inputs, which is
/// the order in which LLVM numbers them. Predicates, which inline assembly
/// cannot pass, travel as 32-bit integers and become predicates inside; bytes
/// that an instruction wants in a register of 8 bits (`asByte`) likewise.
class AsmBuilder {
public:
  /// `predicatePrefix` begins the names of predicates and bytes that the
  /// builder declares.
  AsmBuilder(mlir::OpBuilder &builder, mlir::Location loc,
             llvm::StringRef predicatePrefix = "p")
      : builder(builder), loc(loc), predicatePrefix(predicatePrefix) {}

  /// Whether a value of this type fits a PTX register.
  static bool isRegisterType(mlir::Type type);

  /// The text writes results before it has read all inputs: no two of them may
  /// share a register. To be called before results are declared.
  void setEarlyClobber() { outputPrefix = "=&"; }

  /// Declares a result; returns how the text names it.
  std::string output(mlir::Type type, bool asByte = false);
  /// Passes a value; returns how the text names it.
  std::string input(mlir::Value value, bool asByte = false);
  /// Passes a value in the register of output number `output`: the instruction
  /// reads and writes it, or does not write it under a false guard.
  void tiedInput(mlir::Value value, unsigned output);

  /// Emits `text`, which ends with a semicolon. Unless it is `pure` (it writes
  /// its results and does nothing else), it counts as having side effects on
  /// memory: what it touches is not visible to LLVM.
  llvm::SmallVector<mlir::Value> emit(llvm::StringRef text, bool pure = false);

private:
  /// How a value travels: its type in a register, and the constraint letter.
  struct Register {
    mlir::Type type;
    char letter;
  };
  Register registerFor(mlir::Type type) const;
  mlir::Value toRegister(mlir::Value value);
  mlir::Value fromRegister(mlir::Value value, mlir::Type type);
  std::string placeholder(unsigned number) const;
  std::string declareByte();

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::Type> outputs;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<std::string> outputConstraints, inputConstraints;
  /// Declarations and conversions around the text.
  std::string declarations, prologue, epilogue;
  std::string newPredicate();
  llvm::StringRef predicatePrefix;
  llvm::StringRef outputPrefix = "=";
  unsigned numPredicates = 0, numBytes = 0;
  /// For each output the register of 8 bits that it comes from, or "".
  llvm::SmallVector<std::string> outputBytes;
};

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_PTXASM_H
