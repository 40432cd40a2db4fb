//===- Diagnostics.h - errors in PTX text -----------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_DIAGNOSTICS_H
#define TIRX_PTX_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tirx::ptx {

/// A place in PTX text; lines and columns count from 1, line 0 is no place.
struct SourceLoc {
  uint32_t line = 0;
  uint32_t column = 0;
};

/// One error or warning: where, what, and the line of text that it is about.
struct Diagnostic {
  SourceLoc loc;
  std::string message;
  std::string lineText;
};

/// Collects errors, up to a limit after which the producer gives up, and
/// warnings, which make nothing fail.
class Diagnostics {
public:
  explicit Diagnostics(unsigned limit = 20) : limit(limit) {}

  void setFile(llvm::StringRef name) { fileName = name.str(); }
  llvm::StringRef getFile() const { return fileName; }

  /// Adds an error; beyond the limit it is only counted. `text` is the whole
  /// text of the file, from which the line is copied.
  void error(llvm::StringRef text, SourceLoc loc, const llvm::Twine &message);

  /// Adds a warning unless the message is known: one place is enough.
  void warning(llvm::StringRef text, SourceLoc loc, const llvm::Twine &message);

  bool hasErrors() const { return count != 0; }
  unsigned getCount() const { return count; }
  bool isFull() const { return count >= limit; }
  llvm::ArrayRef<Diagnostic> all() const { return diagnostics; }
  llvm::ArrayRef<Diagnostic> getWarnings() const { return warnings; }

  /// All errors as "file:line:column: error: message", each with the line and a
  /// caret below; then the warnings.
  std::string str() const;

private:
  unsigned limit;
  unsigned count = 0;
  std::string fileName;
  std::vector<Diagnostic> diagnostics, warnings;
};

} // namespace tirx::ptx

#endif // TIRX_PTX_DIAGNOSTICS_H
