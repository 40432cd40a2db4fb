//===- Compiler.h - source to any level -------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_COMPILER_COMPILER_H
#define TIRX_COMPILER_COMPILER_H

#include "TIRx/Compiler/KernelReport.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace tirx {

/// The forms that a kernel passes through, in their order.
enum class Level { Tile, Instruction, NVVM, LLVM, PTX, Cubin };
inline constexpr Level kLevels[] = {Level::Tile, Level::Instruction,
                                    Level::NVVM, Level::LLVM,
                                    Level::PTX,  Level::Cubin};
/// What the command line and the C API call a level: "tile", "ptx", ...
llvm::StringRef nameOf(Level level);

struct CompileOptions {
  /// The levels whose text is wanted; the compiler stops at the last of them.
  std::set<Level> levels = {Level::PTX};
  /// The chip, or empty: that of the module.
  std::string target;
  /// Path of ptxas, or empty to look for it.
  std::string ptxas;
  bool remarks = false;
  /// Called with the module at each wanted level that is MLIR.
  std::function<void(Level, mlir::ModuleOp)> onLevel;
  /// Resources are wanted, so ptxas runs if there is one.
  bool report = false;
};

/// Wall time by part, in the order in which the parts ran.
class Stopwatch {
public:
  void lap(llvm::StringRef part);
  void print(llvm::raw_ostream &stream) const;
  /// Milliseconds by part.
  llvm::ArrayRef<std::pair<std::string, double>> getParts() const {
    return parts;
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now(), last = start;
  std::vector<std::pair<std::string, double>> parts;
};

struct CompileResult {
  /// The text (or the cubin) of each wanted level.
  std::map<Level, std::string> texts;
  std::vector<KernelRecord> kernels;
  /// PTX functions for registered instructions that only a model explains.
  std::string models;
  std::optional<PtxasResult> resources;
};

/// Registers the dialects that a kernel may use; they are loaded on first use.
void registerKernelDialects(mlir::DialectRegistry &registry);

/// Compiles the module in place. Failure means that errors were emitted.
mlir::FailureOr<CompileResult> compile(mlir::ModuleOp module,
                                       llvm::SourceMgr &sources,
                                       const CompileOptions &options,
                                       Stopwatch &watch);

} // namespace tirx

#endif // TIRX_COMPILER_COMPILER_H
