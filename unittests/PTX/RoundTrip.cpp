//===- RoundTrip.cpp - PTX files through the parser and the printer -------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   TIRxPTXRoundTrip [--verify] [--print FOLDER] FILE...
//
// Parses each file, prints it, parses that and compares the trees. --verify
// also looks every instruction up. --print keeps the printed text. The last
// line of the output has the totals.
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Compare.h"
#include "TIRx/PTX/Parser.h"
#include "TIRx/PTX/Printer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tirx::ptx;

static bool verifies = false;
static llvm::StringRef folder;
static size_t instructionCount = 0, byteCount = 0;

static bool writePrinted(llvm::StringRef path, llvm::StringRef text) {
  llvm::SmallString<128> target(folder);
  llvm::sys::path::append(target, llvm::sys::path::filename(path));
  std::error_code error;
  llvm::raw_fd_ostream os(target, error);
  os << text;
  if (error)
    llvm::errs() << target << ": error: " << error.message() << '\n';
  return !error;
}

static bool roundTrip(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    llvm::errs() << path << ": error: " << buffer.getError().message() << '\n';
    return false;
  }
  Diagnostics diagnostics;
  auto fail = [&] {
    llvm::errs() << diagnostics.str();
    return false;
  };
  auto module = parseModule((*buffer)->getBuffer(), path, diagnostics);
  if (!module || (verifies && !verifyModule(*module, diagnostics)))
    return fail();
  std::string text;
  llvm::raw_string_ostream os(text);
  print(*module, os);
  if (!folder.empty() && !writePrinted(path, text))
    return false;
  auto again = parseModule(text, "printed " + path.str(), diagnostics);
  if (!again)
    return fail();
  std::string difference = findDifference(*module, *again);
  if (!difference.empty()) {
    llvm::errs() << path << ": error: the printed text differs: " << difference
                 << '\n';
    return false;
  }
  instructionCount += module->instructions.size();
  byteCount += module->text.size();
  return true;
}

int main(int argc, char **argv) {
  unsigned passed = 0, failed = 0;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--verify")
      verifies = true;
    else if (argument == "--print" && i + 1 < argc)
      folder = argv[++i];
    else
      ++(roundTrip(argument) ? passed : failed);
  }
  llvm::outs() << passed << " passed, " << failed << " failed, "
               << instructionCount << " instructions, " << byteCount
               << " bytes\n";
  return failed != 0 || passed == 0;
}
