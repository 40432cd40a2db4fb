//===- Disassembler.h - SASS of a cubin -------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TARGET_DISASSEMBLER_H
#define TIRX_TARGET_DISASSEMBLER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace tirx {

/// Path of nvdisasm in CUDA_HOME, CUDA_PATH or PATH, else /usr/local/cuda;
/// nothing when there is none.
std::optional<std::string> findDisassembler();

/// The code of a cubin with the lines that it comes from (`nvdisasm -g -c`).
/// The error carries what nvdisasm says.
llvm::Expected<std::string> disassemble(llvm::StringRef nvdisasm,
                                        llvm::StringRef cubin);

} // namespace tirx

#endif // TIRX_TARGET_DISASSEMBLER_H
