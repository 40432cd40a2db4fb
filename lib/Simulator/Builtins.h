//===- Builtins.h - functions of the simulator itself -----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CUDA's device runtime provides to every module: printf, assertions and
// the device's heap.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_SIMULATOR_BUILTINS_H
#define TIRX_LIB_SIMULATOR_BUILTINS_H

#include "TIRx/Simulator/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tirx::sim {

struct Builtin {
  llvm::StringRef name;
  /// Runs in a frame of its own, with the arguments in its parameters.
  ExecFn fn;
  /// Bytes of each.
  std::vector<unsigned> parameters, returns;
  /// Its results depend on what other CTAs called before.
  bool ordersCtas = false;
};

/// Null: there is none of that name.
const Builtin *findBuiltin(llvm::StringRef name);

/// Why a declaration is not that of the built-in function, or "".
std::string checkSignature(const Builtin &builtin, const Function &declared);

/// The text of a printf: `format` with arguments that `next` reads, each of
/// `size` bytes (4 or 8), and strings that `string` finds at an address. Counts
/// the arguments. False when a reader failed.
bool formatText(
    llvm::StringRef format,
    llvm::function_ref<bool(unsigned size, uint64_t &bits)> next,
    llvm::function_ref<bool(uint64_t address, std::string &)> string,
    std::string &text, unsigned &arguments);

} // namespace tirx::sim

#endif // TIRX_LIB_SIMULATOR_BUILTINS_H
