//===- Registration.h - instructions of the user's own ----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_REGISTRATION_H
#define TIRX_DIALECT_TIRX_IR_REGISTRATION_H

#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"

namespace tirx {

/// The `tirx.instruction` of that mnemonic in a module around `from`, inner
/// modules first; null when there is none.
InstructionOp lookupInstruction(mlir::Operation *from,
                                llvm::StringRef mnemonic);

/// `{name}` in the text of an instruction.
struct Placeholder {
  size_t begin; ///< of the brace
  llvm::StringRef name;
  size_t end() const { return begin + name.size() + 2; }
};

/// The first placeholder at or behind `from`.
std::optional<Placeholder> findPlaceholder(llvm::StringRef text, size_t from);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_IR_REGISTRATION_H
