//===- DebuggerState.h - of a debugger --------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_OBSERVERS_DEBUGGERSTATE_H
#define TIRX_LIB_SIMULATOR_OBSERVERS_DEBUGGERSTATE_H

#include "../Machine.h"
#include "TIRx/Simulator/Debugger.h"
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace tirx::sim {

/// Either the user's thread or that of the program runs, never both: who hands
/// over the turn waits until it comes back.
struct Debugger::State {
  enum class Turn : uint8_t { User, Program };
  enum class Mode : uint8_t { Entry, Run, Step, Kill };

  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  Turn turn = Turn::User;
  bool finished = true;
  Stop stop;

  Mode mode = Mode::Run;
  /// Instructions that the stepped warp still has to execute.
  uint64_t remaining = 0;

  std::vector<Breakpoint> breakpoints;
  unsigned nextBreakpoint = 1;
  /// By pc: the number of the breakpoint, 0 for none.
  std::vector<unsigned> breakpointAt;
  /// CTA, warp and pc of instructions that have stopped and are not complete:
  /// they may be issued again.
  std::set<std::tuple<uint64_t, unsigned, uint32_t>> stopped;

  const Module *module = nullptr;
  const Kernel *kernel = nullptr;
  std::vector<Cta *> ctas;
  Warp *selected = nullptr;

  /// The program's side: stops, and waits for the user.
  void pause(Stop reason);
  /// The user's side: lets the program run to its next stop.
  Stop proceed(Mode next);

  /// Instructions of the running kernel at a breakpoint's line, or the nearest
  /// behind it; the line found is stored.
  std::vector<uint32_t> locate(Breakpoint &breakpoint) const;
  void place(const Breakpoint &breakpoint,
             const std::vector<uint32_t> &locations);
  /// The fragment of the selected warp that has a lane, or the one that is
  /// about to run.
  llvm::Expected<Fragment *> find(std::optional<unsigned> lane) const;
};

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_OBSERVERS_DEBUGGERSTATE_H
