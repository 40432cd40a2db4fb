//===- Diagnostics.cpp - errors in PTX text -------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tirx::ptx;
using llvm::StringRef;

/// The 1-based line of a text.
static StringRef findLine(StringRef text, uint32_t line) {
  for (; line > 1; --line) {
    size_t newline = text.find('\n');
    if (newline == StringRef::npos)
      return "";
    text = text.drop_front(newline + 1);
  }
  return text.take_until([](char c) { return c == '\n' || c == '\r'; });
}

void Diagnostics::error(StringRef text, SourceLoc loc,
                        const llvm::Twine &message) {
  if (count++ >= limit)
    return;
  StringRef line = loc.line ? findLine(text, loc.line) : "";
  diagnostics.push_back({loc, message.str(), line.str()});
}

void Diagnostics::warning(StringRef text, SourceLoc loc,
                          const llvm::Twine &message) {
  std::string what = message.str();
  if (llvm::any_of(warnings,
                   [&](auto &known) { return known.message == what; }))
    return;
  StringRef line = loc.line ? findLine(text, loc.line) : "";
  warnings.push_back({loc, std::move(what), line.str()});
}

/// The line with a caret below; a long line is cut around the column.
static void printLine(llvm::raw_ostream &os, StringRef line, uint32_t column) {
  constexpr size_t width = 160;
  size_t position = column ? column - 1 : 0;
  if (position > line.size())
    position = line.size();
  size_t start =
      position > width / 2 && line.size() > width ? position - width / 2 : 0;
  line = line.substr(start, width);
  position -= start;
  os << "  " << line << "\n  ";
  for (char c : line.take_front(position))
    os << (c == '\t' ? '\t' : ' ');
  os << "^\n";
}

static void print(llvm::raw_ostream &os, StringRef fileName, StringRef severity,
                  llvm::ArrayRef<Diagnostic> diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics) {
    os << fileName;
    if (diagnostic.loc.line)
      os << ':' << diagnostic.loc.line << ':' << diagnostic.loc.column;
    os << ": " << severity << ": " << diagnostic.message << '\n';
    if (!diagnostic.lineText.empty())
      printLine(os, diagnostic.lineText, diagnostic.loc.column);
  }
}

std::string Diagnostics::str() const {
  std::string result;
  llvm::raw_string_ostream os(result);
  print(os, fileName, "error", diagnostics);
  if (count > diagnostics.size())
    os << fileName << ": error: " << count - diagnostics.size()
       << " more not shown\n";
  print(os, fileName, "warning", warnings);
  return result;
}
