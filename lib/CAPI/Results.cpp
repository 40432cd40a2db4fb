//===- Results.cpp - results and version ----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"

TirxString tirxGetVersion(void) {
  static const llvm::StringLiteral version(TIRX_VERSION);
  return {version.data(), version.size()};
}

bool tirxResultSucceeded(const TirxResult *result) { return result->succeeded; }

TirxString tirxResultGet(const TirxResult *result, const char *part) {
  auto found = result->parts.find(part);
  if (found == result->parts.end())
    return {nullptr, 0};
  return {found->second.data(), found->second.size()};
}

void tirxResultDestroy(TirxResult *result) { delete result; }
