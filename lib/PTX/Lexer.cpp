//===- Lexer.cpp - tokens of PTX text -------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include <array>
#include <cstring>

using namespace tirx::ptx;
using llvm::StringRef;

namespace {

enum CharClass : uint8_t { Space = 1, NameStart = 2, NamePart = 4, Digit = 8 };

constexpr std::array<uint8_t, 256> makeClasses() {
  std::array<uint8_t, 256> table{};
  for (unsigned c = 0; c != 256; ++c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool digit = c >= '0' && c <= '9';
    if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f')
      table[c] |= Space;
    if (letter || c == '_' || c == '$' || c == '%')
      table[c] |= NameStart;
    if (letter || digit || c == '_' || c == '$')
      table[c] |= NamePart;
    if (digit)
      table[c] |= Digit;
  }
  return table;
}
constexpr std::array<uint8_t, 256> classes = makeClasses();

bool isA(char c, uint8_t cls) { return classes[uint8_t(c)] & cls; }

} // namespace

Lexeme Lexer::finish(Lexeme token, Lexeme::Kind kind) {
  token.kind = kind;
  token.text = StringRef(token.text.data(), cursor - token.text.data());
  return token;
}

/// False at the end of a comment that does not end.
bool Lexer::skipBlockComment() {
  for (cursor += 2; cursor != end; ++cursor) {
    if (*cursor == '*' && cursor[1] == '/') {
      cursor += 2;
      return true;
    }
    if (*cursor == '\n') {
      ++line;
      lineStart = cursor + 1;
    }
  }
  return false;
}

bool Lexer::skipSpace() {
  while (cursor != end) {
    char c = *cursor;
    if (isA(c, Space)) {
      ++cursor;
    } else if (c == '\n') {
      ++cursor;
      newLine();
    } else if (c == '/' && cursor[1] == '*') {
      if (!skipBlockComment())
        return false;
    } else if ((c == '/' && cursor[1] == '/') || c == '#') {
      // From # on, a line is for a preprocessor.
      const void *newline = std::memchr(cursor, '\n', end - cursor);
      cursor = newline ? static_cast<const char *>(newline) : end;
    } else {
      break;
    }
  }
  return true;
}

Lexeme Lexer::lexNumber(Lexeme token) {
  const char *start = cursor;
  auto isSigned = [&] { // the sign of an exponent, as in 1.5e-3
    bool prefixed = start[0] == '0' && std::strchr("xXfFdDbB", start[1]) &&
                    start[1] != '\0';
    char before = cursor[-1];
    return !prefixed && (before == 'e' || before == 'E') &&
           (*cursor == '+' || *cursor == '-') && isA(cursor[1], Digit);
  };
  ++cursor;
  while (isA(*cursor, NamePart) || *cursor == '.' || isSigned())
    ++cursor;
  return finish(token, Lexeme::Number);
}

Lexeme Lexer::lexString(Lexeme token) {
  // A backslash is a character like others, as in a path of Windows.
  for (++cursor; cursor != end && *cursor != '\n'; ++cursor)
    if (*cursor == '"') {
      ++cursor;
      return finish(token, Lexeme::String);
    }
  return finish(token, Lexeme::Error);
}

Lexeme Lexer::next() {
  Lexeme token;
  bool complete = skipSpace();
  token.text = StringRef(cursor, 0);
  token.loc = {line, uint32_t(cursor - lineStart) + 1};
  if (!complete) {
    token.text = "/*";
    token.kind = Lexeme::Error;
    return token;
  }
  if (cursor == end)
    return token;

  char c = *cursor;
  if (isA(c, NameStart)) {
    // A lone % is the remainder of constant expressions.
    if (c == '%' && !isA(cursor[1], NamePart)) {
      ++cursor;
      return finish(token, Lexeme::Operator);
    }
    do
      ++cursor;
    while (isA(*cursor, NamePart));
    return finish(token, Lexeme::Identifier);
  }
  if (isA(c, Digit))
    return lexNumber(token);
  if (c == '.') {
    if (isA(cursor[1], Digit))
      return lexNumber(token);
    do
      ++cursor;
    while (isA(*cursor, NamePart));
    return finish(token, Lexeme::Directive);
  }
  if (c == '"')
    return lexString(token);
  static constexpr StringRef pairs[] = {
      "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  for (StringRef pair : pairs)
    if (c == pair[0] && cursor[1] == pair[1]) {
      cursor += 2;
      return finish(token, Lexeme::Operator);
    }
  ++cursor;
  bool known = c && std::strchr("{}[]()<>,;:@!|&^~+-*/?=", c);
  return finish(token, known ? Lexeme::Operator : Lexeme::Error);
}

StringRef Lexer::extendOpcode(StringRef identifier) {
  for (;;) {
    if (isA(*cursor, NamePart) || (*cursor == '.' && isA(cursor[1], NamePart)))
      ++cursor;
    else if (*cursor == ':' && cursor[1] == ':' && isA(cursor[2], NamePart))
      cursor += 2;
    else
      break;
  }
  return StringRef(identifier.data(), cursor - identifier.data());
}

StringRef Lexer::takeSuffix() {
  if (*cursor != '.' || !isA(cursor[1], NamePart))
    return "";
  const char *start = ++cursor;
  while (isA(*cursor, NamePart))
    ++cursor;
  return StringRef(start, cursor - start);
}

StringRef Lexer::takeRestOfLine() {
  const char *start = cursor;
  while (cursor != end && *cursor != '\n' &&
         !(*cursor == '/' && (cursor[1] == '/' || cursor[1] == '*')))
    ++cursor;
  return StringRef(start, cursor - start).trim();
}

bool Lexer::takeBraces(StringRef &body) {
  const char *start = cursor;
  for (unsigned depth = 1;;) {
    Lexeme token = next();
    if (token.is(Lexeme::End))
      return false;
    if (token.isOperator('{'))
      ++depth;
    else if (token.isOperator('}') && --depth == 0) {
      body = StringRef(start, token.text.data() - start);
      return true;
    }
  }
}
