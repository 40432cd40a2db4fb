//===- Disassembler.cpp - SASS of a cubin ---------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Target/Disassembler.h"
#include "CudaTool.h"

namespace tirx {

std::optional<std::string> findDisassembler() {
  return findCudaTool("nvdisasm");
}

llvm::Expected<std::string> disassemble(llvm::StringRef nvdisasm,
                                        llvm::StringRef cubin) {
  TemporaryFile binary, text, errors;
  for (auto [file, suffix] :
       {std::pair(&binary, "cubin"), std::pair(&text, "sass"),
        std::pair(&errors, "log")})
    if (llvm::Error error = file->create(suffix))
      return std::move(error);
  if (llvm::Error error = binary.write(cubin))
    return std::move(error);
  std::string message;
  if (!runCudaTool(nvdisasm, {"-g", "-c", binary.getPath()}, text, errors,
                   message))
    return llvm::createStringError("nvdisasm failed: " +
                                   (message.empty() ? errors.read() : message));
  return text.read();
}

} // namespace tirx
