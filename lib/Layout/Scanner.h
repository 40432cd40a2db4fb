//===- Scanner.h - tokens of the texts of layouts ---------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parsers of all notations share. Errors name the byte position.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_LAYOUT_SCANNER_H
#define TIRX_LIB_LAYOUT_SCANNER_H

#include "CheckedMath.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tirx {

class Scanner {
protected:
  explicit Scanner(llvm::StringRef text) : text(text) {}

  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  bool consume(llvm::StringRef token) {
    skipSpace();
    if (!text.substr(position).starts_with(token))
      return false;
    // A word ends where a name ends.
    if (llvm::isAlnum(token.back()) && isNameAt(position + token.size()))
      return false;
    position += token.size();
    return true;
  }
  bool isNameAt(size_t at) const {
    return at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_');
  }
  llvm::StringRef takeName() {
    skipSpace();
    size_t start = position;
    while (isNameAt(position))
      ++position;
    return text.slice(start, position);
  }

  llvm::Error errorAt(size_t at, const llvm::Twine &message) {
    return makeError("at " + llvm::Twine(at) + ": " + message);
  }
  llvm::Error unexpected(const llvm::Twine &wanted) {
    skipSpace();
    if (position >= text.size())
      return errorAt(position, "expected " + wanted + ", got the end");
    return errorAt(position, "expected " + wanted + ", got '" +
                                 text.substr(position, 1) + "'");
  }
  llvm::Error expect(llvm::StringRef token) {
    if (consume(token))
      return llvm::Error::success();
    return unexpected("'" + token + "'");
  }

  llvm::Expected<int64_t> parseInteger() {
    skipSpace();
    size_t start = position;
    if (position < text.size() && text[position] == '-')
      ++position;
    while (position < text.size() && llvm::isDigit(text[position]))
      ++position;
    llvm::StringRef digits = text.slice(start, position);
    int64_t value;
    if (digits.empty() || digits == "-") {
      position = start;
      return unexpected("an integer");
    }
    if (digits.getAsInteger(10, value))
      return errorAt(start,
                     "expected an integer that fits 64 bits, got " + digits);
    return value;
  }

  llvm::StringRef text;
  size_t position = 0;
};

} // namespace tirx

#endif // TIRX_LIB_LAYOUT_SCANNER_H
