//===- LaunchRunner.h - executes launch files -------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_SIMULATOR_LAUNCHRUNNER_H
#define TIRX_SIMULATOR_LAUNCHRUNNER_H

#include "TIRx/Simulator/Counters.h"
#include "TIRx/Simulator/LaunchFile.h"
#include "TIRx/Simulator/Simulator.h"
#include "llvm/Support/JSON.h"

namespace tirx::sim {

class LaunchBackend;

struct RunOptions {
  LaunchOptions launch;
  /// Used instead of the file's `kernel` when not empty.
  std::string kernel;
  /// The program that turns `.mlir` into PTX; empty: such kernels are refused.
  std::string compiler;
  /// Count accesses, too (slower).
  bool countAccesses = false;
  /// Hear of everything.
  std::vector<Observer *> observers;
  /// Keep the names of registers (Module::load).
  bool keepNames = false;
  /// Write the files of `out`.
  bool writeOutputs = true;
  /// Keep what every buffer holds at the end.
  bool keepImages = false;
};

/// One buffer after the run against what was expected of it.
struct BufferResult {
  std::string name;
  bool compared = false;
  uint64_t count = 0;
  uint64_t mismatches = 0;
  /// Largest |x - y| over pairs of finite values.
  double maxAbs = 0;
  /// Index of the first mismatch and the values there.
  std::vector<uint64_t> first;
  double got = 0, want = 0;
  uint64_t gotBits = 0, wantBits = 0;
};

struct RunResult {
  std::vector<BufferResult> buffers;
  std::vector<Report> reports; ///< warnings included
  std::string printed;         ///< by printf of device code
  Counters counters;
  std::string kernelFile, target;
  std::string place; ///< where it ran, in words
  /// In the order of the file's buffers, if they were asked for.
  std::vector<std::vector<uint8_t>> images;
  /// Simulator (got) against GPU (want), where it ran on both.
  std::vector<BufferResult> differences;

  bool hasErrors() const;
  bool hasMismatches() const;
  bool hasDifferences() const;
  /// 0, or 1 for a mismatch or a report.
  int status() const {
    return hasErrors() || hasMismatches() || hasDifferences();
  }
};

/// Runs the launches of a file one after the other, stops at the first report,
/// writes `out` files and compares. `directory` is what paths are relative to.
/// The Error is for a bad file; it names the key.
llvm::Expected<RunResult> runLaunchFile(const LaunchFile &file,
                                        llvm::StringRef directory,
                                        const RunOptions &options);

/// The same elsewhere: on a GPU.
llvm::Expected<RunResult> runLaunchFile(const LaunchFile &file,
                                        llvm::StringRef directory,
                                        const RunOptions &options,
                                        LaunchBackend &backend);

/// All buffers of two runs with images, bit for bit, NaN too.
std::vector<BufferResult> compareRuns(const LaunchFile &file,
                                      const RunResult &got,
                                      const RunResult &want);

/// How elements are compared.
enum class Comparison {
  Tolerant, ///< |x - y| <= atol + rtol * |y|, NaN equal to NaN; equal bits
            ///< where no tolerance is given
  Bits,     ///< equal bits, NaN too
};

BufferResult compareElements(llvm::ArrayRef<uint8_t> got,
                             llvm::ArrayRef<uint8_t> want,
                             const DType &wantType, const BufferSpec &buffer,
                             Comparison comparison = Comparison::Tolerant);

/// The result as `tirx-run --json` prints it.
llvm::json::Object toJson(const RunResult &result, bool withLines = false);
/// The result for people.
void printResult(const RunResult &result, llvm::raw_ostream &os);

} // namespace tirx::sim

#endif // TIRX_SIMULATOR_LAUNCHRUNNER_H
