//===- Trace.h - what a warp executes, line by line -------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_TRACE_H
#define TIRX_SIMULATOR_TRACE_H

#include "TIRx/Simulator/Observer.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace tirx::sim {

/// Which instructions of which warp: numbers count from 1, the CTA is its
/// linear number in the grid.
struct TraceRange {
  uint64_t cta = 0;
  int warp = 0;
  uint64_t first = 1, last = ~uint64_t(0);
};

/// One line for each instruction that a warp executes: its number, the PTX
/// line, the lanes, the text, and what it wrote, if the module keeps names, or
/// which lanes branched.
class Tracer : public Observer {
public:
  Tracer(TraceRange range, llvm::raw_ostream &os) : range(range), os(os) {}

  bool wantsAccesses() const override { return false; }
  void onLaunchBegin(const LaunchEvent &event) override;
  void onLaunchEnd(const LaunchEvent &event) override;
  void onInstruction(const InstructionEvent &event) override;
  void onBranch(const BranchEvent &event) override;

private:
  void flush();
  void addResult(const std::string &text);

  const TraceRange range;
  llvm::raw_ostream &os;
  const Module *module = nullptr;
  const Kernel *kernel = nullptr;
  uint64_t number = 0;
  /// Lanes that the branch takes which is being executed.
  uint32_t taken = 0;
  /// The line of the instruction whose results may still come.
  std::string line;
  bool hasResults = false;
};

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_TRACE_H
