//===- Check.h - cases of layout facts --------------------------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_CHECK_H
#define TIRX_TOOLS_TIRX_LAYOUT_CHECK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace tirx::layouttool {

struct CheckSummary {
  unsigned passed = 0, failed = 0, skipped = 0;
};

/// Runs the cases of a JSON file: an object with the lists `apply`, `algebra`,
/// `cases` and `requests`, any of them. Prints failures, the operations skipped
/// because the library lacks them, and `N passed, N failed`. Fails when the
/// file cannot be read or a case has not the form that its operation needs.
llvm::Expected<CheckSummary> checkFile(llvm::raw_ostream &os,
                                       llvm::StringRef path);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_CHECK_H
