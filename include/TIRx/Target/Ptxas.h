//===- Ptxas.h - assemble PTX, read back resources --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas as a subprocess. It is optional: everything up to PTX works without.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TARGET_PTXAS_H
#define TIRX_TARGET_PTXAS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace tirx {

/// What ptxas reports for one kernel (`ptxas -v`).
struct KernelResources {
  std::string kernel;
  unsigned registers = 0;
  unsigned barriers = 0;
  /// Bytes of static shared memory.
  unsigned sharedBytes = 0;
  unsigned stackBytes = 0;
  /// Bytes of spills, stores and loads.
  unsigned spillStoreBytes = 0;
  unsigned spillLoadBytes = 0;
};

struct PtxasResult {
  /// The cubin.
  std::string binary;
  std::vector<KernelResources> kernels;
  /// Each warning of ptxas, and each spill and serialisation in words: a kernel
  /// with one is not what its author asked for.
  std::vector<std::string> warnings;
};

/// Path of ptxas: `requested` if not empty, else in CUDA_HOME, CUDA_PATH or
/// PATH, else /usr/local/cuda; nothing when there is none.
std::optional<std::string> findPtxas(llvm::StringRef requested = "");

/// Assembles `ptx` for `chip` with line information at O3. The error carries
/// what ptxas says.
llvm::Expected<PtxasResult> runPtxas(llvm::StringRef ptxas, llvm::StringRef ptx,
                                     llvm::StringRef chip);

/// Reads the log of `ptxas -v`.
void parsePtxasLog(llvm::StringRef log, PtxasResult &result);

} // namespace tirx

#endif // TIRX_TARGET_PTXAS_H
