//===- Lexer.h - tokens of PTX text -----------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tokens are pieces of the text; the parser holds one and asks for the next. An
// opcode and some directives have their own rules of where they end, so the
// parser asks for those by name.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_PTX_LEXER_H
#define TIRX_LIB_PTX_LEXER_H

#include "TIRx/PTX/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

namespace tirx::ptx {

/// A piece of text and what it is. (Token is a modifier, in Table.h.)
struct Lexeme {
  enum Kind : uint8_t {
    End,
    Identifier, ///< name, $name, %name, _
    Directive,  ///< .name
    Number,     ///< from a digit to the end of the literal
    String,     ///< with its quotes
    Operator,   ///< one or two characters
    Error,      ///< `text` is the piece that is none
  };
  Kind kind = End;
  llvm::StringRef text;
  SourceLoc loc;

  bool is(Kind k) const { return kind == k; }
  bool isOperator(char c) const {
    return kind == Operator && text.size() == 1 && text[0] == c;
  }
  bool isOperator(llvm::StringRef op) const {
    return kind == Operator && text == op;
  }
  bool isDirective(llvm::StringRef name) const {
    return kind == Directive && text == name;
  }
};

class Lexer {
public:
  /// `text` must be followed by a NUL (as std::string's is).
  explicit Lexer(llvm::StringRef text)
      : begin(text.begin()), end(text.end()), cursor(begin), lineStart(begin) {}

  Lexeme next();

  /// Makes the identifier that was just lexed a dotted opcode:
  /// "cp.async.bulk.shared::cluster.global".
  llvm::StringRef extendOpcode(llvm::StringRef identifier);
  /// The `.x` that touches the token just lexed, without its dot, or "".
  llvm::StringRef takeSuffix();
  /// From the cursor to the end of the line or to a comment, trimmed.
  llvm::StringRef takeRestOfLine();
  /// From the cursor to the `}` that matches an open `{`, which is consumed;
  /// strings and comments are skipped. False at the end of the text.
  bool takeBraces(llvm::StringRef &body);
  /// What next() will give.
  Lexeme peek() const {
    Lexer copy = *this;
    return copy.next();
  }

private:
  bool skipSpace();
  bool skipBlockComment();
  void newLine() {
    ++line;
    lineStart = cursor;
  }
  Lexeme lexNumber(Lexeme token);
  Lexeme lexString(Lexeme token);
  Lexeme finish(Lexeme token, Lexeme::Kind kind);

  const char *begin, *end, *cursor, *lineStart;
  uint32_t line = 1;
};

} // namespace tirx::ptx

#endif // TIRX_LIB_PTX_LEXER_H
