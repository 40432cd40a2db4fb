//===- Observation.h - options that look into a run -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_RUN_OBSERVATION_H
#define TIRX_TOOLS_TIRX_RUN_OBSERVATION_H

#include "TIRx/Simulator/Coverage.h"
#include "TIRx/Simulator/LaunchRunner.h"
#include "TIRx/Simulator/Trace.h"

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl

namespace tirx {

/// What --counters, --trace, --annotate and --debug ask for.
class Observation {
public:
  /// Reads the options; an error names the one that is wrong.
  llvm::Error readOptions(bool asJson);
  bool isWanted() const;
  /// Asks a run for what is wanted.
  void addTo(sim::RunOptions &options);
  /// Executes a run, under the debugger when that is wanted. Null: the user
  /// ended it.
  std::optional<llvm::Expected<sim::RunResult>>
  run(llvm::function_ref<llvm::Expected<sim::RunResult>(sim::RunOptions)> body,
      sim::RunOptions options);
  /// Prints what was observed: into the object with --json, else as text.
  llvm::Error print(const sim::RunResult &result, llvm::json::Object *object);

private:
  std::optional<sim::Tracer> tracer;
  std::optional<sim::CoverageObserver> coverage;
};

/// The lines of --json that --counters adds are wanted.
bool wantsCounters();

} // namespace tirx

#endif // TIRX_TOOLS_TIRX_RUN_OBSERVATION_H
