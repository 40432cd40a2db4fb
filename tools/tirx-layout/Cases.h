//===- Cases.h - reading cases and saying how they came out -----*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TOOLS_TIRX_LAYOUT_CASES_H
#define TIRX_TOOLS_TIRX_LAYOUT_CASES_H

#include "Json.h"

namespace tirx::layouttool {

/// What a case comes to: nothing when it passed, else what differed. An error
/// is a case that cannot be understood.
using Outcome = llvm::Expected<std::optional<std::string>>;
using Check = Outcome (*)(const llvm::json::Object &);
inline constexpr std::nullopt_t passed = std::nullopt;

/// `expected X, got Y`.
Outcome differ(const llvm::Twine &expected, const llvm::Twine &got);

/// A case of one layout, an object `input` and something expected.
struct Case {
  Layout layout;
  const llvm::json::Object *input;
  const llvm::json::Value *expected;
};
llvm::Expected<Case> getCase(const llvm::json::Object &test);

/// Compares a result with an expected layout, where null or a string that
/// begins with "error" says that the operation refuses.
Outcome compareLayout(const llvm::json::Value &expected,
                      llvm::Expected<Layout> got);

/// Compares the base coordinates of an element, its copies where the case lists
/// them, and what follows from the size of an element.
Outcome checkPlace(const llvm::json::Object &expected, const Layout &layout,
                   int64_t flat, std::optional<int64_t> elementBits);

// The check of an operation by its name, null when the file has none.
Outcome checkApply(const llvm::json::Object &test);
Outcome checkRequest(const llvm::json::Object &test);
Check findPointCheck(llvm::StringRef operation);
Check findLayoutCheck(llvm::StringRef operation);
Check findTileCheck(llvm::StringRef operation);
Check findFactoryCheck(llvm::StringRef operation);
Check findDescriptorCheck(llvm::StringRef operation);

} // namespace tirx::layouttool

#endif // TIRX_TOOLS_TIRX_LAYOUT_CASES_H
