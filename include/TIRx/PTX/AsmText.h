//===- AsmText.h - what a piece of PTX text does ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline assembly is text without declarations of its operands, so that the
// parser does not apply. Its instructions can be named all the same.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_ASMTEXT_H
#define TIRX_PTX_ASMTEXT_H

#include "TIRx/PTX/Table.h"
#include "llvm/ADT/SmallVector.h"

namespace tirx::ptx {

/// The instructions of a text that the table has.
struct AsmStatements {
  llvm::SmallVector<ResolvedInstruction, 4> known; ///< in the order of the text
  /// Whether there is nothing else in the text but declarations of registers
  /// and braces. False also where it has labels, comments or strings, which
  /// only a parser tells from statements.
  bool isComplete = true;
  /// Reads of special registers that may differ from each other, by name.
  llvm::SmallVector<llvm::StringRef, 1> volatileReads;

  /// Whether the text writes its operands and does nothing else, as far as the
  /// table knows all of it.
  bool isPure() const;
};

/// Reads statements such as `{ .reg .pred p; @!p mov.b32 $0, 1; }`. Operands,
/// also in the form `{name}`, are not looked at.
AsmStatements readAsmStatements(llvm::StringRef text);

} // namespace tirx::ptx

#endif // TIRX_PTX_ASMTEXT_H
