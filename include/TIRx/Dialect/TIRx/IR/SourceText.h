//===- SourceText.h - limits of MLIR source text ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_DIALECT_TIRX_IR_SOURCETEXT_H
#define TIRX_DIALECT_TIRX_IR_SOURCETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tirx {

/// Brackets that may stand inside each other.
constexpr unsigned kMaxSourceNesting = 512;
/// The largest number of a result, `%x#N`.
constexpr unsigned kMaxResultNumber = 65535;

/// Refuses text that MLIR's parser does not survive: it recurses at each
/// bracket and allocates a slot for each number up to that of a result. `name`
/// is the file's, for the message. A quick scan: it accepts text that is wrong
/// in other ways, which the parser reports better.
llvm::Error checkSourceText(llvm::StringRef text, llvm::StringRef name);

} // namespace tirx

#endif // TIRX_DIALECT_TIRX_IR_SOURCETEXT_H
