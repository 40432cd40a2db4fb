//===- SourceText.cpp - limits of MLIR source text ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/IR/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using llvm::StringRef;
using llvm::Twine;

/// The position behind a string literal or a comment that starts at `at`, or
/// `at`.
static size_t skipOpaque(StringRef text, size_t at) {
  if (text.substr(at).starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  if (text[at] != '"')
    return at;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"' || text[i] == '\n')
      return i + 1;
  }
  return text.size();
}

/// Whether `text[at]` closes an angle bracket; the arrow `->` does not.
static bool closesAngle(StringRef text, size_t at) {
  return text[at] == '>' && (at == 0 || text[at - 1] != '-');
}

/// Whether `#` at `at` is followed by a number beyond the limit and names a
/// result: `%x#3`.
static bool isHugeResult(StringRef text, size_t at) {
  StringRef digits = text.substr(at + 1).take_while(llvm::isDigit);
  unsigned number;
  return at > 0 && llvm::isAlnum(text[at - 1]) && !digits.empty() &&
         (digits.getAsInteger(10, number) || number > tirx::kMaxResultNumber);
}

llvm::Error tirx::checkSourceText(StringRef text, StringRef name) {
  unsigned depth = 0, line = 1;
  auto error = [&](const Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   name + ":" + Twine(line) +
                                       ": error: " + message);
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (size_t behind = skipOpaque(text, at); behind != at) {
      at = behind - 1;
      continue;
    }
    char c = text[at];
    if (c == '\n')
      ++line;
    else if (c == '(' || c == '[' || c == '{' || c == '<')
      ++depth;
    else if (c == ')' || c == ']' || c == '}' || closesAngle(text, at))
      depth -= depth > 0;
    else if (c == '#' && isHugeResult(text, at))
      return error("expected result numbers of at most " +
                   Twine(kMaxResultNumber));
    if (depth > kMaxSourceNesting)
      return error("expected at most " + Twine(kMaxSourceNesting) +
                   " nested brackets");
  }
  return llvm::Error::success();
}
