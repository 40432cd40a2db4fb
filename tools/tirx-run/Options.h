//===- Options.h - what the options have in common --------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_RUN_OPTIONS_H
#define TIRX_TOOLS_TIRX_RUN_OPTIONS_H

#include "llvm/Support/CommandLine.h"

namespace tirx {

/// The options of this tool; those of LLVM are not shown.
llvm::cl::OptionCategory &getOptionCategory();

} // namespace tirx

#endif // TIRX_TOOLS_TIRX_RUN_OPTIONS_H
