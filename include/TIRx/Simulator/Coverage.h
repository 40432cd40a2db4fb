//===- Coverage.h - lines and branches executed -----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An observer that notes which lines of the PTX were executed, and which way
// the branches went.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_COVERAGE_H
#define TIRX_SIMULATOR_COVERAGE_H

#include "TIRx/Simulator/Counters.h"
#include <string>
#include <vector>

namespace tirx::sim {

/// Lanes that a conditional branch took away, and those that it left.
struct BranchCoverage {
  uint64_t taken = 0, fallThrough = 0;
};

struct LineCoverage {
  /// It has an instruction that a launched kernel could reach.
  bool isExecutable = false;
  ExecutionCount executions;
  /// Conditional branches; `brx` has one for each target but the last.
  std::vector<BranchCoverage> branches;
};

struct FileCoverage {
  std::string name, text;
  std::vector<LineCoverage> lines; ///< line 1 first

  struct Summary {
    unsigned lines = 0, executed = 0;
    unsigned branchWays = 0, waysSeen = 0; ///< two ways a branch
  };
  Summary summarize() const;
};

class CoverageObserver : public Observer {
public:
  bool wantsAccesses() const override { return false; }
  void onLaunchBegin(const LaunchEvent &event) override;
  void onLaunchEnd(const LaunchEvent &event) override;
  void onInstruction(const InstructionEvent &event) override;
  void onBranch(const BranchEvent &event) override;

  const std::vector<FileCoverage> &getFiles() const { return files; }

private:
  FileCoverage &fileOf(const Module &module);

  std::vector<FileCoverage> files;
  const Kernel *kernel = nullptr;
  /// By pc, of the launch that runs.
  std::vector<ExecutionCount> executions;
  std::vector<BranchCoverage> branches;
};

llvm::json::Array toJson(llvm::ArrayRef<FileCoverage> files);

/// The PTX with a margin of comments: warps and lanes that executed each line;
/// behind it, where branches went, and what accesses cost. It stays legal PTX
/// with the same line numbers.
void printAnnotated(const FileCoverage &file, const Counters &counters,
                    llvm::raw_ostream &os);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_COVERAGE_H
