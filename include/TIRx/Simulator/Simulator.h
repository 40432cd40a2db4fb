//===- Simulator.h - executes PTX on the CPU --------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library's front door: load a module, allocate and fill global memory,
// launch kernels, read the reports.
//
//   auto module = sim::Module::load(text, "k.ptx");
//   sim::Simulator simulator;
//   auto a = simulator.getMemory().allocate("A", bytes);
//   ... write (*a)->store ...
//   auto error = simulator.launch(**module, parameters); // bad launch
//   simulator.getLog()                 // what the kernel did wrong
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_SIMULATOR_H
#define TIRX_SIMULATOR_SIMULATOR_H

#include "TIRx/Simulator/GridDependency.h"
#include "TIRx/Simulator/Memory.h"
#include "TIRx/Simulator/Observer.h"
#include "TIRx/Simulator/Program.h"
#include "TIRx/Simulator/Report.h"

namespace tirx::sim {

/// When asynchronous work takes effect between its issue and the completion
/// that the program can see.
enum class AsyncMode : uint8_t {
  Eager,  ///< at issue
  Lazy,   ///< as late as any wait allows
  Random, ///< at random points in between
};

struct LaunchOptions {
  AsyncMode async = AsyncMode::Eager;
  uint64_t seed = 0;
  /// Reading bytes that nobody wrote ends the launch.
  bool uninitialisedIsError = false;
  /// Bytes of stack of each thread for device functions that were called. The
  /// hardware has at most 512 KiB of local memory for a thread.
  uint64_t stackBytes = 512 * 1024;
  /// Warp instructions after which the launch is taken for a livelock.
  uint64_t maxSteps = uint64_t(20) * 1000 * 1000 * 1000;
  /// Threads of the host that execute clusters; 0: one for each core.
  unsigned threads = 0;
};

struct LaunchParameters {
  std::string entry; ///< empty: the only entry
  std::array<unsigned, 3> grid = {1, 1, 1};
  std::array<unsigned, 3> block = {1, 1, 1};
  std::array<unsigned, 3> cluster = {1, 1, 1};
  uint64_t dynamicShared = 0;
  /// Gives the grid the workspace that its barrier (grid.sync()) counts in.
  bool cooperative = false;
  /// It may begin before the launch before it has ended, and so may the next
  /// one.
  bool isDependent = false, hasDependent = false;
  /// The parameter block: each argument at its parameter's offset.
  std::vector<uint8_t> arguments;
};

struct LaunchStatistics {
  uint64_t warpInstructions = 0;
  uint64_t ctas = 0;
  uint64_t uninitialisedReads = 0;

  void add(const LaunchStatistics &other) {
    warpInstructions += other.warpInstructions;
    ctas += other.ctas;
    uninitialisedReads += other.uninitialisedReads;
  }
};

class Simulator {
public:
  explicit Simulator(LaunchOptions options = {}) : options(options) {}

  GlobalMemory &getMemory() { return memory; }
  ReportLog &getLog() { return log; }
  /// Where printf of device code prints; null (as at first): nowhere.
  void setOutput(llvm::raw_ostream *stream) { output = stream; }
  /// From the next launch on, the observer hears of everything. Launches with
  /// observers run on one thread.
  void addObserver(Observer &observer) { observers.add(observer); }

  /// Runs one launch to its end, or to the first error report. The Error is
  /// for launches that no driver would accept (sizes, parameter bytes).
  llvm::Error launch(const Module &module, const LaunchParameters &parameters,
                     LaunchStatistics *statistics = nullptr);

private:
  void prepareGlobals(const Module &module);

  LaunchOptions options;
  GlobalMemory memory;
  ReportLog log;
  ObserverList observers;
  llvm::raw_ostream *output = nullptr;
  /// Of the launch before, when the next one may be dependent.
  GridWrites unseen;
  /// Modules whose variables are in memory.
  std::vector<const Module *> loaded;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_SIMULATOR_H
