//===- Vectors.h - measured vectors on the simulator ------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_RUN_VECTORS_H
#define TIRX_TOOLS_TIRX_RUN_VECTORS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace tirx {

/// Runs every family of a folder that there is a runner for and prints what
/// failed, a line for each family, and `N passed, N failed`. Returns the number
/// of failed cases.
llvm::Expected<uint64_t> runVectors(llvm::StringRef folder,
                                    llvm::raw_ostream &os);

} // namespace tirx

#endif // TIRX_TOOLS_TIRX_RUN_VECTORS_H
