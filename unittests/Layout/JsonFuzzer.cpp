//===- JsonFuzzer.cpp - the interface for programs against any text -------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any line gets an answer: JSON with a result or an error, never both. A result
// that is a layout is text that can be asked about again.
//
//===----------------------------------------------------------------------===//

#include "Requests.h"
#include <cstdlib>

using namespace tirx::layouttool;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

/// So small that whatever walks all points is quick.
static constexpr RequestLimits kLimits{1 << 12};

static void checkAnswer(const llvm::json::Value &answer) {
  const llvm::json::Object *object = answer.getAsObject();
  require(object);
  require((object->get("result") != nullptr) !=
          (object->get("error") != nullptr));
  std::string text;
  llvm::raw_string_ostream(text) << answer;
  llvm::Expected<llvm::json::Value> again = llvm::json::parse(text);
  require(bool(again));
  std::optional<llvm::StringRef> layout = object->getString("result");
  if (!layout || !layout->starts_with("#tirx."))
    return;
  llvm::Expected<tirx::Layout> parsed = toLayout(*object->get("result"));
  require(bool(parsed));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    checkAnswer(answerRequest(line, kLimits));
    text = rest;
  }
  return 0;
}
