//===- Debugger.h - stops grids and looks at them ---------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Owns a paused grid. The program that launches kernels runs on a thread of its
// own and stops before instructions; between stops, everything of the grid can
// be looked at.
//
//   sim::Debugger debugger;
//   simulator.addObserver(debugger);
//   debugger.start([&] { launch kernels of `simulator` });
//   debugger.addBreakpoint("", 12);
//   while (debugger.resume().reason == sim::StopReason::Breakpoint)
//     ... debugger.readRegister("%r1", 0) ...
//
// Modules are loaded with `keepNames`, or registers have no names.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_DEBUGGER_H
#define TIRX_SIMULATOR_DEBUGGER_H

#include "TIRx/Simulator/Observer.h"
#include "TIRx/Simulator/Program.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tirx::sim {

enum class StopReason : uint8_t {
  Entry,      ///< before the first instruction
  Breakpoint, ///< before an instruction that has one
  Step,       ///< as many instructions as asked for were executed
  WarpEnd,    ///< the warp that was stepped through has ended
  Error,      ///< the kernel did something wrong and cannot go on
  Finished,   ///< the program has ended: there is no grid any more
};

struct Stop {
  StopReason reason = StopReason::Finished;
  unsigned breakpoint = 0; ///< its number
  std::string message;     ///< of an error
};

/// Lines are those of the PTX when `file` is empty, else of a source file that
/// `.loc` names, be it by the end of its path.
struct Breakpoint {
  unsigned number;
  std::string file;
  unsigned line;
};

/// Where lanes of a warp stand.
struct Position {
  uint32_t lanes = 0;
  unsigned ptxLine = 0;
  std::string text; ///< of that line
  std::string file; ///< of the source, or ""
  unsigned line = 0;
  std::string function;
};

enum class MemorySpace : uint8_t { Global, Shared, Local };

/// Bytes of memory, and which of them somebody wrote.
struct MemoryView {
  std::vector<uint8_t> bytes;
  std::vector<bool> written;
};

class Debugger : public Observer {
public:
  Debugger();
  /// Ends the program if it still runs.
  ~Debugger() override;

  /// Begins the program and stops it before the first instruction of the first
  /// kernel.
  Stop start(std::function<void()> program);
  /// Runs to the next stop.
  Stop resume();
  /// Runs until the selected warp has executed `count` instructions; the others
  /// run meanwhile as they would.
  Stop step(uint64_t count = 1);
  /// Ends the program: launches end where they are.
  void kill();
  bool isPaused() const;

  /// Fails when no instruction stands at the line or, in the same file, behind
  /// it. The breakpoint is then at the first that does.
  llvm::Expected<Breakpoint> addBreakpoint(llvm::StringRef file, unsigned line);
  /// False when there is none of that number.
  bool removeBreakpoint(unsigned number);
  llvm::ArrayRef<Breakpoint> getBreakpoints() const;

  // The selected warp: after a stop, the one that stopped.
  llvm::Error selectCta(uint64_t linear);
  llvm::Error selectWarp(unsigned index);
  uint64_t getCta() const;
  unsigned getWarp() const;
  /// CTAs that run now, by their linear number.
  std::vector<uint64_t> getCtas() const;
  /// Where the lanes of the selected warp stand that are about to execute; with
  /// a lane, those that it is among.
  llvm::Expected<Position> getPosition(std::optional<unsigned> lane = {}) const;
  /// For all warps of the selected CTA: lanes, line, and what they wait for.
  std::vector<std::string> where() const;
  /// The calls that led to a lane, innermost first.
  llvm::Expected<std::vector<std::string>>
  backtrace(std::optional<unsigned> lane = {}) const;

  /// The registers of the function in which those lanes are.
  llvm::Expected<std::vector<NamedRegister>>
  getRegisters(std::optional<unsigned> lane = {}) const;
  /// The bits of a register.
  llvm::Expected<std::array<uint64_t, 2>> readRegister(llvm::StringRef name,
                                                       unsigned lane) const;
  /// As text: of one lane, or of all that stand there; as the type that the
  /// program makes of it, or another ("b32" for hexadecimal).
  llvm::Expected<std::string> printRegister(llvm::StringRef name,
                                            std::optional<unsigned> lane = {},
                                            llvm::StringRef type = "") const;
  /// Memory as the selected warp sees it; local memory is that of `lane`.
  llvm::Expected<MemoryView> readMemory(MemorySpace space, uint64_t address,
                                        uint64_t count,
                                        unsigned lane = 0) const;
  /// The PTX of the running kernel.
  const Module *getModule() const;

  bool wantsAccesses() const override { return false; }
  void onLaunchBegin(const LaunchEvent &event) override;
  void onLaunchEnd(const LaunchEvent &event) override;
  void onCtaBegin(Cta &cta) override;
  void onCtaEnd(Cta &cta) override;
  bool onIssue(const IssueEvent &event) override;
  void onInstruction(const InstructionEvent &event) override;
  void onError(const Report &report) override;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_DEBUGGER_H
