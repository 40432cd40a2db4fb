//===- CheckRequests.cpp - requests with what they answer -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "Requests.h"
#include "TIRx/Layout/Algebra.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::StringRef;
namespace json = llvm::json;

/// Whether both are layouts, of one map. A text of another notation is none.
static bool isEqualLayout(const json::Value &a, const json::Value &b) {
  auto first = toLayout(a), second = toLayout(b);
  bool equal = first && second && isEqual(*first, *second);
  for (auto *layout : {&first, &second})
    if (!*layout)
      llvm::consumeError(layout->takeError());
  return equal;
}

/// The family `requests`: what `eval` would answer. Either `expected` is the
/// result, or `error` a part of the refusal.
Outcome layouttool::checkRequest(const json::Object &test) {
  const json::Value *result = test.get("expected");
  const json::Value *error = test.get("error");
  if (!result == !error)
    return makeError("expected either key 'expected' or key 'error'");
  std::optional<StringRef> reason = error ? error->getAsString() : std::nullopt;
  if (error && !reason)
    return makeError("expected a string at key 'error'");
  if (!test.getString("op"))
    return makeError("expected a string at key 'op'");
  Answer got = runRequest(test, RequestLimits());
  if (!got) {
    std::string text = llvm::toString(got.takeError());
    if (reason && StringRef(text).contains(*reason))
      return passed;
    return differ(reason ? "an error with '" + *reason + "'"
                         : llvm::Twine(describe(*result)),
                  "the error: " + llvm::Twine(text));
  }
  if (reason)
    return differ("an error", describe(*got));
  if (*got == *result || isEqualLayout(*got, *result))
    return passed;
  return differ(describe(*result), describe(*got));
}
