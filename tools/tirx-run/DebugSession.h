//===- DebugSession.h - the commands of --debug -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_RUN_DEBUGSESSION_H
#define TIRX_TOOLS_TIRX_RUN_DEBUGSESSION_H

#include "TIRx/Simulator/Debugger.h"
#include "llvm/Support/raw_ostream.h"
#include <istream>

namespace tirx {

/// Reads commands, one a line, until `quit`, the end of the input, or the end
/// of the program.
class DebugSession {
public:
  /// `echo`: print the commands, too, so that the output of a script reads like
  /// a session.
  DebugSession(sim::Debugger &debugger, std::istream &input,
               llvm::raw_ostream &os, bool echo)
      : debugger(debugger), input(input), os(os), echo(echo) {}

  /// False when the user ended the program before its end.
  bool run(std::function<void()> program);

  using Words = llvm::ArrayRef<llvm::StringRef>;
  // The commands.
  llvm::Error setBreakpoint(Words words);
  llvm::Error deleteBreakpoint(Words words);
  llvm::Error showBreakpoints(Words words);
  llvm::Error resume(Words words);
  llvm::Error step(Words words);
  llvm::Error selectCta(Words words);
  llvm::Error selectWarp(Words words);
  llvm::Error where(Words words);
  llvm::Error backtrace(Words words);
  llvm::Error list(Words words);
  llvm::Error showRegisters(Words words);
  llvm::Error showMemory(Words words);
  llvm::Error help(Words words);

private:
  void execute(Words words);
  void report(const sim::Stop &stop);
  void showPosition();
  llvm::Expected<uint64_t> parseAddress(llvm::StringRef word, unsigned lane);

  sim::Debugger &debugger;
  std::istream &input;
  llvm::raw_ostream &os;
  const bool echo;
  /// What stands behind the slash of `print/TYPE`.
  llvm::StringRef type;
};

} // namespace tirx

#endif // TIRX_TOOLS_TIRX_RUN_DEBUGSESSION_H
