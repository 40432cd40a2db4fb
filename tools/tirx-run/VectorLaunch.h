//===- VectorLaunch.h - what runners of vectors share -----------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of measured vectors has a runner, in a file of its own: it turns one
// case into a kernel, runs it on the simulator and compares the results.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_RUN_VECTORLAUNCH_H
#define TIRX_TOOLS_TIRX_RUN_VECTORLAUNCH_H

#include "VectorFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tirx {

/// Arrays in, one array out, on the simulator.
struct VectorLaunch {
  std::string ptx;
  unsigned blocks = 1, threads = 32;
  std::vector<VectorArray> inputs;
  uint64_t outputBytes = 0;
};

std::string take(llvm::Error error);

/// The output bytes; zero where nothing was stored.
llvm::Expected<std::vector<uint8_t>> run(const VectorLaunch &launch);

/// Which elements differ; "" when none.
std::string compare(const std::vector<uint8_t> &got, const VectorArray &want);

/// The beginning of an entry whose parameters are `count` pointers, in %p0, ...
std::string openEntry(unsigned count);

/// `%3` in a text becomes the fourth name; unknown numbers stay.
std::string substitute(llvm::StringRef text, llvm::ArrayRef<std::string> names);

/// What a runner's result begins with when it has no model for the case.
inline constexpr const char *kNotRun = "not run: ";

// The runners: what a case lacks to pass; "" when nothing.
std::string runMatrixVectors(const VectorFile &file,
                             const llvm::json::Object &entry);
std::string runScalarVectors(const VectorFile &file,
                             const llvm::json::Object &entry);
std::string runReduceVectors(const VectorFile &file,
                             const llvm::json::Object &entry);
std::string runTensorCoreVectors(const VectorFile &file,
                                 const llvm::json::Object &entry);
std::string runTmaVectors(const VectorFile &file,
                          const llvm::json::Object &entry);
std::string runWarpVectors(const VectorFile &file,
                           const llvm::json::Object &entry);
std::string runWgmmaLayoutVectors(const VectorFile &file,
                                  const llvm::json::Object &entry);
/// Cases of tensor_core whose instruction is wgmma.
std::string runWgmmaProductVectors(const VectorFile &file,
                                   const llvm::json::Object &entry);

} // namespace tirx

#endif // TIRX_TOOLS_TIRX_RUN_VECTORLAUNCH_H
