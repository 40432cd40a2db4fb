//===- CudaTool.h - programs of the CUDA toolkit ----------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_TARGET_CUDATOOL_H
#define TIRX_LIB_TARGET_CUDATOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"
#include <optional>
#include <string>

namespace tirx {

/// Path of a program in CUDA_HOME, CUDA_PATH or PATH, else /usr/local/cuda;
/// nothing when there is none.
std::optional<std::string> findCudaTool(llvm::StringRef name);

/// A temporary file that goes away with the object.
class TemporaryFile {
public:
  llvm::Error create(llvm::StringRef suffix);
  llvm::Error write(llvm::StringRef contents) const;
  std::string read() const;
  llvm::StringRef getPath() const { return path; }

private:
  llvm::SmallString<128> path;
  std::optional<llvm::FileRemover> remover;
};

/// Runs a program, whose output goes to `output`, its errors to `errors` (which
/// may be the same file). False when it fails; then `message` may say why.
bool runCudaTool(llvm::StringRef program,
                 llvm::ArrayRef<llvm::StringRef> arguments,
                 const TemporaryFile &output, const TemporaryFile &errors,
                 std::string &message);

} // namespace tirx

#endif // TIRX_LIB_TARGET_CUDATOOL_H
