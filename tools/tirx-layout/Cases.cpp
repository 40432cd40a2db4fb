//===- Cases.cpp - reading cases and saying how they came out -------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"
#include "TIRx/Layout/Algebra.h"
#include "TIRx/Layout/Text.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

Outcome layouttool::differ(const Twine &expected, const Twine &got) {
  return std::optional<std::string>(
      ("expected " + expected + ", got " + got).str());
}

Expected<Case> layouttool::getCase(const json::Object &test) {
  Expected<Layout> layout = getLayout(test, "layout");
  if (!layout)
    return layout.takeError();
  Expected<const json::Object *> input = getObject(test, "input");
  if (!input)
    return input.takeError();
  Expected<const json::Value *> expected = getKey(test, "expected");
  if (!expected)
    return expected.takeError();
  return Case{*layout, *input, *expected};
}

Outcome layouttool::compareLayout(const json::Value &expected,
                                  Expected<Layout> got) {
  bool refuses = expected.getAsNull().has_value();
  if (std::optional<StringRef> text = expected.getAsString())
    refuses = text->starts_with("error");
  if (!got) {
    std::string reason = llvm::toString(got.takeError());
    return refuses ? Outcome(passed)
                   : differ(describe(expected), "the error: " + Twine(reason));
  }
  if (refuses)
    return differ("an error", toString(*got));
  Expected<Layout> want = toLayout(expected);
  if (!want)
    return want.takeError();
  if (isEqual(*want, *got))
    return passed;
  return differ(toString(*want), toString(*got));
}
