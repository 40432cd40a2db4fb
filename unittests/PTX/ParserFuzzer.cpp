//===- ParserFuzzer.cpp - PTX text that nobody wrote ----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What parses must print, and parse again to the same text.
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Parser.h"
#include "TIRx/PTX/Printer.h"
#include <cstdlib>

using namespace tirx::ptx;

static std::string toString(const Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(module, os);
  return text;
}

/// Extents are bounded only by memory; the zeros that stand between values
/// could fill it.
static bool isSparse(const Module &module) {
  for (const Variable *variable : module.globals)
    if (!variable->init.empty() && variable->init.back().index > 10000)
      return true;
  return false;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  Diagnostics diagnostics;
  std::unique_ptr<Module> module = parseModule(text, "fuzz", diagnostics);
  if (!module) {
    if (!diagnostics.hasErrors())
      std::abort();
    diagnostics.str();
    return 0;
  }
  Diagnostics ignored;
  verifyModule(*module, ignored);
  if (isSparse(*module))
    return 0;
  std::string printed = toString(*module);
  std::unique_ptr<Module> again = parseModule(printed, "printed", diagnostics);
  if (!again || toString(*again) != printed) {
    llvm::errs() << diagnostics.str() << printed;
    std::abort();
  }
  return 0;
}
