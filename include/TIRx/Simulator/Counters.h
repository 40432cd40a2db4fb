//===- Counters.h - what a run did, in numbers ------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An observer that counts: instructions by class and by line, lanes, bytes by
// level, wavefronts of shared memory, sectors of global memory, matrix work.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_COUNTERS_H
#define TIRX_SIMULATOR_COUNTERS_H

#include "TIRx/Simulator/Observer.h"
#include "TIRx/Simulator/Simulator.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <map>

namespace tirx::sim {

/// Warps and lanes that executed an instruction of the text; a warp whose guard
/// holds for nobody does not count.
struct ExecutionCount {
  uint64_t warps = 0, lanes = 0;
  void operator+=(const ExecutionCount &other);
};

struct ByteCount {
  uint64_t read = 0, written = 0;
  void operator+=(const ByteCount &other);
};

/// Requests of warps to a memory and what they take: wavefronts of shared
/// memory, sectors of 32 bytes of global memory. `ideal` is the least that
/// could do.
struct RequestCount {
  uint64_t requests = 0, units = 0, ideal = 0;
  void operator+=(const RequestCount &other);
};

inline constexpr unsigned kSpaces = 5;

/// What the instructions of one line did.
struct LineCounters {
  ExecutionCount executions;
  /// By Space. An atomic operation reads and writes.
  std::array<ByteCount, kSpaces> bytes;
  /// Of ld, st, ldmatrix and stmatrix.
  RequestCount shared;
  RequestCount global;
  void operator+=(const LineCounters &other);
};

/// A line of a file, of PTX or of the source that `.loc` names.
using LineKey = std::pair<std::string, uint32_t>;

struct Counters {
  LaunchStatistics launch;
  LineCounters total;
  uint64_t asyncOperations = 0;
  /// Conditional branches, and those that went both ways.
  uint64_t branches = 0, divergentBranches = 0;
  std::map<std::string, ExecutionCount> families;
  /// By type of the elements of A. Sparse products count like dense ones.
  std::map<std::string, uint64_t> multiplyAdds;
  std::map<LineKey, LineCounters> ptxLines, sourceLines;
};

class CounterObserver : public Observer {
public:
  explicit CounterObserver(Counters &counters) : counters(counters) {}

  std::unique_ptr<Observer> fork() const override;
  void join(Observer &fork) override;
  void onLaunchBegin(const LaunchEvent &event) override;
  void onLaunchEnd(const LaunchEvent &event) override;
  void onInstruction(const InstructionEvent &event) override;
  void onBranch(const BranchEvent &event) override;
  void onAccess(const AccessEvent &event) override;
  void onMatrix(const MatrixEvent &event) override;
  void onAsyncBegin(const AsyncEvent &event) override;

private:
  void begin(const Kernel &launched);
  void countRequests(LineCounters &line, const std::string &opcode);

  Counters &counters;
  const Kernel *kernel = nullptr;
  /// By pc, of the launch that runs.
  std::vector<LineCounters> lines;
  /// Generic accesses of the instruction that is being executed.
  std::vector<AccessEvent> pending;
};

/// Multiply-adds of one execution by a warp and the type of their elements; 0
/// for an instruction that is no matrix product of warps.
std::pair<uint64_t, llvm::StringRef> countMultiplyAdds(llvm::StringRef opcode);

/// As `tirx-run --json` prints it, with the lines or without.
llvm::json::Object toJson(const Counters &counters, bool withLines);
/// As a short table.
void printCounters(const Counters &counters, llvm::raw_ostream &os);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_COUNTERS_H
