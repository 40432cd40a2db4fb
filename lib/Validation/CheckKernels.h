//===- CheckKernels.h - an instruction's text and body as kernels *- C++
//-*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_VALIDATION_CHECKKERNELS_H
#define TIRX_LIB_VALIDATION_CHECKKERNELS_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "TIRx/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tirx {

/// Entries of the module that createCheckKernels makes.
inline constexpr llvm::StringLiteral kTextEntry = "text", kBodyEntry = "body";

/// Threads of a block of the check kernels.
inline constexpr int64_t kCheckThreads = 128;

/// Where the kernels find and put things. Parameters: inputs, outputs, memory.
/// Each register has 8 bytes; each thread has its own row of each.
struct CheckShape {
  /// Types of the registers that are no immediates and no pointers.
  llvm::SmallVector<mlir::Type> inputs;
  llvm::SmallVector<mlir::Type> outputs;
  /// Pointer operands, and the bytes that each one's memory has for a thread.
  unsigned pointers = 0;
  int64_t memoryBytes = 64;
};

CheckShape getCheckShape(InstructionOp instruction);

/// A module with two kernels that run the instruction once in each thread: one
/// by its text, one by its body. `immediates` has a value for each `imm`.
mlir::OwningOpRef<mlir::ModuleOp>
createCheckKernels(InstructionOp instruction,
                   llvm::ArrayRef<int64_t> immediates);

/// Compiles a module with one gpu.module to PTX.
llvm::Expected<std::string> compileToPTX(mlir::ModuleOp module,
                                         const TargetInfo &target);

} // namespace tirx

#endif // TIRX_LIB_VALIDATION_CHECKKERNELS_H
