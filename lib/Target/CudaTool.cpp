//===- CudaTool.cpp - programs of the CUDA toolkit ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTool.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace tirx {

std::optional<std::string> findCudaTool(StringRef name) {
  auto inFolder = [&](StringRef root) -> std::optional<std::string> {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, "bin", name);
    if (llvm::sys::fs::can_execute(path))
      return path.str().str();
    return std::nullopt;
  };
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> root = llvm::sys::Process::GetEnv(variable))
      if (std::optional<std::string> path = inFolder(*root))
        return path;
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
    return *path;
  return inFolder("/usr/local/cuda");
}

llvm::Error TemporaryFile::create(StringRef suffix) {
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("tirx", suffix, path))
    return llvm::createStringError(code, "cannot create a temporary file");
  remover.emplace(path);
  return llvm::Error::success();
}

llvm::Error TemporaryFile::write(StringRef contents) const {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  stream << contents;
  stream.close();
  if (code || stream.error())
    return llvm::createStringError("cannot write " + path.str());
  return llvm::Error::success();
}

std::string TemporaryFile::read() const {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

bool runCudaTool(StringRef program, llvm::ArrayRef<StringRef> arguments,
                 const TemporaryFile &output, const TemporaryFile &errors,
                 std::string &message) {
  llvm::SmallVector<StringRef> line = {program};
  line.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), output.getPath(),
                                          errors.getPath()};
  return llvm::sys::ExecuteAndWait(program, line, std::nullopt, redirects, 0, 0,
                                   &message) == 0;
}

} // namespace tirx
